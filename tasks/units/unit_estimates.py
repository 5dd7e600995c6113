"""Measures on units by name, for runs and for `accordeur gamma`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

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


@dataclass(frozen=True, slots=True)
class UnitMeasure:
    """A measure on units with its settings.

    matching        of the pairwise F
    new_annotators  whether intervals are for new annotators
    """

    name: str
    dissimilarity: Dissimilarity
    settings: GammaSettings
    matching: UnitMatching
    new_annotators: bool

    def chance_models(self, corpus: Corpus) -> tuple[str, ...]:
        """Return the chance models that the measure samples for these documents, if any."""
        sampled = MEASURES[self.name].samples_chance
        return self.settings.processes_for(corpus) if sampled else ()

    def estimates(self, continua: Sequence[Continuum]) -> list[Estimate]:
        """Compute the estimates, with intervals over documents.

        Raises MetricsError if the units do not allow the measure.
        """
        return [one for one in self._computed(continua) if one.measure in MEASURES[self.name].gives]

    def by_part(self, by: PartKind, continua: Sequence[Continuum]) -> list[tuple[str, Estimate]]:
        """Return γ or a pairwise F of each category, of each pair, or without each annotator."""
        from ...metrics.units import breakdown, pairwise_f

        of_each: dict[PartKind, Callable[..., Mapping[Any, Estimate]]]
        if self.name in PAIRWISE_F:
            of_each = {
                PartKind.category: pairwise_f.f_by_category,
                PartKind.pair: pairwise_f.f_by_pair,
                PartKind.annotator: pairwise_f.f_without_each,
            }
            counts = pairwise_f.pairwise_counts(continua, self.name, self.matching)
            compute = partial(of_each[by], counts, self.settings)
        else:
            of_each = {
                PartKind.category: breakdown.gamma_by_category,
                PartKind.pair: breakdown.gamma_by_pair,
                PartKind.annotator: breakdown.gamma_without_each,
            }
            compute = partial(of_each[by], continua, self.dissimilarity, settings=self.settings)
        values = compute(new_annotators=self.new_annotators).items()
        return [(pair_name(*part) if by is PartKind.pair else part, one) for part, one in values]

    def with_wanted_intervals(
        self,
        estimates: Sequence[Estimate],
        continua: Sequence[Continuum],
        expected: Expectation | None = None,
    ) -> list[Estimate]:
        """Return estimates with intervals for new annotators, if these are wanted.

        expected  disorder of these documents, for measures that sample chance; None: computed again
        """
        from ...metrics.chance.corpus import corpus_of_continua
        from ...metrics.units import annotator_sample as sample
        from ...metrics.units.gamma import compute_expectation
        from ...metrics.units.gamma_settings import set_mean_length

        given = any(math.isfinite(one.interval[0]) for one in estimates)
        if not self.new_annotators or not given:
            return list(estimates)
        settings = self.settings
        without: list[dict[tuple[str, str], float]] = []
        if MEASURES[self.name].samples_chance:
            settings = replace(settings, objective=objective_of(self.name))
            if expected is None:
                corpus = corpus_of_continua(continua, measure="γ")
                used = set_mean_length(self.dissimilarity, corpus)
                expected = compute_expectation(corpus, used, settings)
            same = sample.fix_chance_samples(settings, expected)
        else:
            same = settings
        if any(one.measure not in GAMMAS.values() for one in estimates):
            part_measure = replace(self, settings=replace(same, replicates=0))
            without = [
                {_key(one): one.value for one in part_measure._allowed(part)}
                for part in sample.documents_without_each(continua)
            ]
        return [
            sample.gamma_for_new_annotators(one, continua, expected, self.dissimilarity, settings)
            if expected is not None and one.measure in GAMMAS.values()
            else sample.widen_unit_interval(
                one,
                np.array([of.get(_key(one), math.nan) for of in without]),
                within=MEASURES[one.measure].range,
            )
            for one in estimates
        ]

    def _allowed(self, continua: Sequence[Continuum]) -> list[Estimate]:
        """Return what the measure gives of a part, nothing where the part does not allow it."""
        try:
            return self._computed(continua)
        except MetricsError:
            return []

    def _computed(self, continua: Sequence[Continuum]) -> list[Estimate]:
        measure, dissimilarity, settings = self.name, self.dissimilarity, self.settings
        if measure in PAIRWISE_F:
            from ...metrics.units.pairwise_f import pairwise_f

            names = MEASURES[measure].gives
            return [pairwise_f(continua, name, self.matching, settings) for name in names]
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


def _key(one: Estimate) -> tuple[str, str]:
    return one.measure, one.detail.category
