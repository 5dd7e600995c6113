"""Measures on units by name, for runs and for `accordeur gamma`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...metrics.alignment.continuum import Continuum
from ...metrics.alignment.dissimilarity import Dissimilarity
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.measures import GAMMAS, MEASURES, PAIRWISE_F, objective_of
from ...metrics.options import UnitMatching
from ...metrics.pair_names import pair_name
from ...metrics.units.gamma_settings import GammaSettings
from ..inputs.part_kind import PartKind

if TYPE_CHECKING:
    from ...metrics.chance.corpus import Corpus
    from ...metrics.units.expected_documents import Expectation

STRICT = UnitMatching()


def chance_models(measure: str, corpus: Corpus, settings: GammaSettings) -> tuple[str, ...]:
    """Return the chance models that a measure samples for these documents, if any."""
    return settings.processes_for(corpus) if MEASURES[measure].samples_chance else ()


def unit_estimates(
    measure: str,
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    matching: UnitMatching = STRICT,
) -> list[Estimate]:
    """Compute the estimates of a measure on units; `matching` is for the pairwise F.

    Raises MetricsError if the units do not allow the measure.
    """
    found = _computed(measure, continua, dissimilarity, settings, matching)
    return [one for one in found if one.measure in MEASURES[measure].gives]


def with_annotator_intervals(
    estimates: Sequence[Estimate],
    measure: str,
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    expected: Expectation | None = None,
    matching: UnitMatching = STRICT,
) -> list[Estimate]:
    """What a measure gives, with intervals for new annotators in place of those over documents.

    expected  disorder of these documents, for measures that sample chance; None: computed again
    """
    from ...metrics.chance.corpus import corpus_of_continua
    from ...metrics.units import annotator_sample as sample
    from ...metrics.units.gamma import compute_expectation
    from ...metrics.units.gamma_settings import set_mean_length

    if not any(math.isfinite(one.interval[0]) for one in estimates):
        return list(estimates)
    without: list[dict[tuple[str, str], float]] = []
    if MEASURES[measure].samples_chance:
        settings = replace(settings, objective=objective_of(measure))
        if expected is None:
            corpus = corpus_of_continua(continua, measure="γ")
            expected = compute_expectation(corpus, set_mean_length(dissimilarity, corpus), settings)
        same = sample.fix_chance_samples(settings, expected)
    else:
        same = settings
    if any(one.measure not in GAMMAS.values() for one in estimates):
        same = replace(same, replicates=0)
        without = [
            {_key(one): one.value for one in _allowed(measure, part, dissimilarity, same, matching)}
            for part in sample.documents_without_each(continua)
        ]
    return [
        sample.gamma_for_new_annotators(one, continua, expected, dissimilarity, settings)
        if expected is not None and one.measure in GAMMAS.values()
        else sample.widen_unit_interval(
            one,
            np.array([of.get(_key(one), math.nan) for of in without]),
            within=MEASURES[one.measure].range,
        )
        for one in estimates
    ]


def _key(one: Estimate) -> tuple[str, str]:
    return one.measure, one.detail.category


def _allowed(
    measure: str,
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    matching: UnitMatching,
) -> list[Estimate]:
    """What a measure gives of a part, nothing where the part does not allow it."""
    try:
        return _computed(measure, continua, dissimilarity, settings, matching)
    except MetricsError:
        return []


def _computed(
    measure: str,
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    matching: UnitMatching,
) -> list[Estimate]:
    if measure in PAIRWISE_F:
        from ...metrics.units.pairwise_f import pairwise_f

        return [pairwise_f(continua, name, matching, settings) for name in MEASURES[measure].gives]
    sampling = settings.arguments
    match measure:
        case "gamma":
            from ...metrics.units.gamma import gamma

            return [gamma(continua, dissimilarity, settings).corpus]
        case "gamma_cat" | "gamma_k":
            from ...metrics.units.gamma_cat import gamma_cat
            from ...metrics.units.observed import align_documents

            alignments = align_documents(continua, dissimilarity)
            category = gamma_cat(continua, alignments, dissimilarity, **sampling)
            return [category.gamma_cat, *category.gamma_k.values()]
        case "alpha_u":
            from ...metrics.units.krippendorff.alpha_u import alpha_u

            return [alpha_u(continua, **sampling).all]
        case "u_alpha" | "u_alpha_binary" | "cu_alpha" | "ku_alpha":
            from ...metrics.units.krippendorff.u_alpha import u_alpha

            family = u_alpha(continua, **sampling)
            return [
                *(family.u_alpha, family.u_alpha_binary, family.cu_alpha),
                *family.ku_alpha.values(),
            ]
        case "holistic" | "holistic_greedy":
            from ...metrics.units.holistic_agreement import compare_greedy, holistic

            exact = holistic(continua, dissimilarity, settings=settings)
            if exact.corpus.reason:
                return [replace(exact.corpus, measure=measure)]
            greedy = compare_greedy(continua, exact, dissimilarity, settings=settings)
            return [exact.corpus, greedy.agreement]
        case "soft_gamma":
            from ...metrics.units.gamma import gamma

            asked = replace(settings, objective="soft")
            return [gamma(continua, dissimilarity, asked).corpus]
        case "gamma_cat_empty_pairs":
            from ...metrics.units.gamma import gamma
            from ...metrics.units.gamma_cat_empty_pairs import empty_pairs_of_gamma

            result = gamma(continua, dissimilarity, settings)
            return [empty_pairs_of_gamma(continua, result, dissimilarity, settings)]
    raise ValueError(measure)


def f_by_part(
    by: PartKind,
    measure: str,
    continua: Sequence[Continuum],
    settings: GammaSettings,
    matching: UnitMatching = STRICT,
    *,
    new_annotators: bool = False,
) -> list[tuple[str, Estimate]]:
    """Return a pairwise F of each category, of each pair, or without each annotator, by name.

    new_annotators  whether intervals are for new annotators
    """
    from ...metrics.units import pairwise_f

    counts = pairwise_f.pairwise_counts(continua, measure, matching)
    if by is PartKind.pair:
        pairs = pairwise_f.f_by_pair(counts, settings, new_annotators=new_annotators)
        return [(pair_name(*pair), value) for pair, value in pairs.items()]
    of_each = pairwise_f.f_by_category if by is PartKind.category else pairwise_f.f_without_each
    return list(of_each(counts, settings, new_annotators=new_annotators).items())
