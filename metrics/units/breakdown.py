"""γ of parts of a campaign: annotator pairs, all but one annotator, categories.

Each part is evaluated as a campaign: its documents are aligned again and its chance samples are
drawn from the part itself, by the chance models of the settings if the part allows them, so the
values of parts can be interpreted like any γ.

* pair (a, b): every document, with the units of these two alone.
* all but a: every document, without a.
* category k: the units of category k alone. An annotator who used another category at the same
  place counts as having marked nothing there, so γ of a category says whether annotators find the
  same units of k (γ-k says whether they agree on the category of units that both found).

A document left with a single annotator has no observed disorder, and only random2 still draws from
it. A part with fewer than `FEWEST_UNITS` units has no value, unless it is the whole: its chance
samples have almost no disorder, so the ratio is meaningless. The only part is the whole, with its
value and interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ..alignment.continuum import UNLABELLED, UNLABELLED_NAME, Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Ints
from ..chance.corpus import corpus_of_continua, in_one_order
from ..effect_of_omission import Effect, EffectKind
from ..estimate import Estimate
from ..influence import combine_influences
from ..measures import GAMMAS
from ..reason import Reason, ReasonCode
from .annotator_sample import gamma_for_new_annotators
from .expected_disorder_by_document import chance_influences
from .gamma import GAMMA_2015, GammaResult, compute_expectation, gamma
from .gamma_from_counts import gamma_influences
from .gamma_settings import DEFAULT_SETTINGS, GammaSettings, set_mean_length
from .observed import Observed

# In simulated campaigns with γ from .6 to .8, the standard deviation of smaller parts is .2 to
# more than 1, with values as low as −20 over few documents; from ten units on it is .1 to .3.
FEWEST_UNITS = 10


def gamma_by_pair(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity = GAMMA_2015,
    *,
    settings: GammaSettings = DEFAULT_SETTINGS,
    new_annotators: bool = False,
) -> dict[tuple[str, str], Estimate]:
    """Return γ of each pair of annotators.

    `nan`, with a reason, for pairs without a common document, or with fewer than `FEWEST_UNITS`
    units in their common documents. With `new_annotators` no pair has an interval: it needs three.
    """
    continua, least = in_one_order(continua), _least_units(continua)
    return {
        pair: _gamma_of_part(
            _select_annotators(continua, pair)[1],
            dissimilarity,
            settings,
            least,
            new_annotators=new_annotators,
        )
        for pair in combinations(_annotators(continua), 2)
    }


def gamma_without_each(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity = GAMMA_2015,
    *,
    settings: GammaSettings = DEFAULT_SETTINGS,
    new_annotators: bool = False,
) -> dict[str, Estimate]:
    """Return γ of the campaign without each annotator in turn.

    new_annotators  whether intervals are for new annotators

    `nan`, with a reason, if fewer than two annotators or `FEWEST_UNITS` units are left.
    """
    continua, least, names = in_one_order(continua), _least_units(continua), _annotators(continua)
    return {
        left_out: _gamma_of_part(
            _select_annotators(continua, [name for name in names if name != left_out])[1],
            dissimilarity,
            settings,
            least,
            new_annotators=new_annotators,
        )
        for left_out in names
    }


def effects_of_annotators(
    continua: Sequence[Continuum],
    observed: Observed,
    dissimilarity: Dissimilarity = GAMMA_2015,
    *,
    settings: GammaSettings = DEFAULT_SETTINGS,
    new_annotators: bool = False,
) -> tuple[dict[str, Estimate], list[Effect]]:
    """Return `gamma_without_each`, and the differences from γ of all annotators.

    observed        counts of the same documents with all annotators, in the same order
    new_annotators  whether intervals are for new annotators
    """
    continua = in_one_order(continua)
    corpus = corpus_of_continua(continua, measure="γ")
    expected = compute_expectation(corpus, set_mean_length(dissimilarity, corpus), settings)
    chance = chance_influences(corpus, observed, expected, study=settings.seed)
    own = gamma_influences(observed, expected, chance, np.arange(observed.n_documents))
    values, effects = {}, []
    names, least = _annotators(continua), _least_units(continua)
    for name in names:
        kept, parts = _select_annotators(continua, [other for other in names if other != name])
        result = _gamma_result_of_part(parts, dissimilarity, settings, least)
        values[name] = _corpus_estimate(
            result, parts, dissimilarity, settings, new_annotators=new_annotators
        )
        if isinstance(result, GammaResult) and math.isfinite(result.corpus.value):
            without = gamma_influences(result.observed, result.expected, result.influences, kept)
            change = combine_influences([without, own], [1.0, -1.0])
            measure = result.corpus.measure
            effects.append(Effect.of(EffectKind.annotator, (name,), measure, without.value, change))
    return values, effects


def gamma_by_category(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity = GAMMA_2015,
    *,
    settings: GammaSettings = DEFAULT_SETTINGS,
    new_annotators: bool = False,
) -> dict[str, Estimate]:
    """Return γ of each category's units alone (and of units without a category).

    new_annotators  whether intervals are for new annotators

    `nan`, with a reason, with fewer than `FEWEST_UNITS` units.
    """
    continua, least = in_one_order(continua), _least_units(continua)
    codes = dict(enumerate(continua[0].tagset)) if continua else {}
    if any((c.categories == UNLABELLED).any() for c in continua):
        codes[UNLABELLED] = UNLABELLED_NAME
    return {
        name: _gamma_of_part(
            [c.select_units(c.categories == k) for c in continua],
            dissimilarity,
            settings,
            least,
            new_annotators=new_annotators,
        )
        for k, name in codes.items()
    }


def _annotators(continua: Sequence[Continuum]) -> list[str]:
    return list(dict.fromkeys(name for c in continua for name in c.annotators))


def _select_annotators(
    continua: Sequence[Continuum], names: Sequence[str]
) -> tuple[Ints, list[Continuum]]:
    """Return the numbers of some annotators' documents, and the documents with these alone."""
    parts = [c.select_annotators(names) for c in continua]
    kept = np.array([d for d, c in enumerate(parts) if c.n_annotators > 0], dtype=np.int64)
    return kept, [parts[d] for d in kept]


def _least_units(continua: Sequence[Continuum]) -> int:
    """Return how many units a part needs: no more than the whole has."""
    return min(FEWEST_UNITS, sum(c.n_units for c in continua if c.n_annotators >= 2))


def _gamma_of_part(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    least: int,
    *,
    new_annotators: bool,
) -> Estimate:
    result = _gamma_result_of_part(continua, dissimilarity, settings, least)
    return _corpus_estimate(
        result, continua, dissimilarity, settings, new_annotators=new_annotators
    )


def _corpus_estimate(
    result: GammaResult | Estimate,
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    *,
    new_annotators: bool,
) -> Estimate:
    """Return the value of a part with the interval that is requested."""
    if not isinstance(result, GammaResult):
        return result
    if not new_annotators:
        return result.corpus
    settings = settings.for_annotator_numbers([c.n_annotators for c in continua])
    return gamma_for_new_annotators(
        result.corpus, continua, result.expected, dissimilarity, settings
    )


def _gamma_result_of_part(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    least: int,
) -> GammaResult | Estimate:
    """Return γ of a part with its data, or an undefined estimate if the part is too small."""
    measure = GAMMAS[settings.objective]
    if not any(c.n_annotators >= 2 for c in continua):
        return Estimate(measure, math.nan, Reason(ReasonCode.NO_COMMON_DOCUMENT))
    compared = [c for c in continua if c.n_annotators >= 2]
    n_units = sum(c.n_units for c in compared)
    if n_units < least or not n_units:
        reason = (
            Reason(ReasonCode.FEW_UNITS, n=n_units, fewest=FEWEST_UNITS)
            if n_units
            else Reason(ReasonCode.NO_UNIT)
        )
        n_annotators = max(c.n_annotators for c in compared)
        return Estimate(measure, math.nan, reason, n_items=n_units, n_annotators=n_annotators)
    settings = settings.for_annotator_numbers([c.n_annotators for c in continua])
    return gamma(continua, dissimilarity, settings)
