"""γ of parts of a campaign: annotator pairs, all but one annotator, categories.

Each part is evaluated as a campaign: its documents are aligned again and its chance samples are
drawn from the part itself, by the chance models of the settings if the part allows them, so the
values of parts can be interpreted like any γ.

* pair (a, b): the documents of both, with the units of these two.
* all but a: every document, without a. A document left with a single annotator has no observed
  disorder, and only random2 still draws from it.
* category k: the units of category k alone. An annotator who used another category at the same
  place counts as having marked nothing there, so γ of a category says whether annotators find the
  same units of k (γ-k says whether they agree on the category of units that both found).

A part with fewer than `FEWEST_UNITS` units has no value: its chance samples have almost no
disorder, so the ratio is meaningless.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from ..alignment.continuum import UNLABELLED, UNLABELLED_NAME, Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Ints
from ..chance.corpus import corpus_of_continua
from ..chance.expected_disorder import Compute
from ..effect_of_omission import Effect, EffectKind
from ..estimate import Estimate
from ..influence import combine_influences
from ..measures import GAMMAS
from ..reason import Reason, ReasonCode
from .chance_influence import chance_influences
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
    compute: Compute | None = None,
) -> dict[tuple[str, str], Estimate]:
    """Return γ of each pair of annotators.

    `nan`, with a reason, for pairs without a common document, or with fewer than `FEWEST_UNITS`
    units in their common documents.
    """
    found = {}
    for pair in combinations(_annotators(continua), 2):
        shared = [c for c in continua if set(pair) <= set(c.annotators)]
        parts = [c.select_annotators(pair) for c in shared]
        found[pair] = _gamma_of_part(parts, dissimilarity, settings, compute)
    return found


def gamma_without_each(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity = GAMMA_2015,
    *,
    settings: GammaSettings = DEFAULT_SETTINGS,
    compute: Compute | None = None,
) -> dict[str, Estimate]:
    """Return γ of the campaign without each annotator in turn.

    `nan`, with a reason, if fewer than two annotators or `FEWEST_UNITS` units are left.
    """
    found = _results_without_each(continua, dissimilarity, settings, compute)
    return {name: _corpus_estimate(result) for name, _, result in found}


def effects_of_annotators(
    continua: Sequence[Continuum],
    observed: Observed,
    dissimilarity: Dissimilarity = GAMMA_2015,
    *,
    settings: GammaSettings = DEFAULT_SETTINGS,
    compute: Compute | None = None,
) -> tuple[dict[str, Estimate], list[Effect]]:
    """Return `gamma_without_each`, and the differences from γ of all annotators.

    observed  counts of the same documents with all annotators, in the same order
    """
    corpus = corpus_of_continua(continua, measure="γ")
    expected = compute_expectation(corpus, set_mean_length(dissimilarity, corpus), settings)
    chance = chance_influences(corpus, observed, expected, study=settings.seed)
    own = gamma_influences(observed, expected, chance, np.arange(observed.n_documents))
    values, effects = {}, []
    for name, kept, result in _results_without_each(continua, dissimilarity, settings, compute):
        values[name] = _corpus_estimate(result)
        if isinstance(result, GammaResult) and math.isfinite(result.corpus.value):
            without = gamma_influences(result.observed, result.expected, result.influences, kept)
            change = combine_influences([without, own], [1.0, -1.0])
            names, measure = (name,), result.corpus.measure
            effects.append(Effect.of(EffectKind.annotator, names, measure, without.value, change))
    return values, effects


def _results_without_each(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    compute: Compute | None,
) -> Iterator[tuple[str, Ints, GammaResult | Estimate]]:
    """Yield the omitted annotator, the documents with other annotators, and the result."""
    names = _annotators(continua)
    for left_out in names:
        others = [name for name in names if name != left_out]
        parts = [c.select_annotators(others) for c in continua]
        kept = np.array([d for d, c in enumerate(parts) if c.n_annotators > 0], dtype=np.int64)
        of_kept = [parts[d] for d in kept]
        yield left_out, kept, _gamma_result_of_part(of_kept, dissimilarity, settings, compute)


def gamma_by_category(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity = GAMMA_2015,
    *,
    settings: GammaSettings = DEFAULT_SETTINGS,
    compute: Compute | None = None,
) -> dict[str, Estimate]:
    """Return γ of each category's units alone (and of units without a category).

    `nan`, with a reason, with fewer than `FEWEST_UNITS` units.
    """
    codes = dict(enumerate(continua[0].tagset)) if continua else {}
    if any((c.categories == UNLABELLED).any() for c in continua):
        codes[UNLABELLED] = UNLABELLED_NAME
    return {
        name: _gamma_of_part(
            [c.select_units(c.categories == k) for c in continua], dissimilarity, settings, compute
        )
        for k, name in codes.items()
    }


def _annotators(continua: Sequence[Continuum]) -> list[str]:
    return list(dict.fromkeys(name for c in continua for name in c.annotators))


def _gamma_of_part(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    compute: Compute | None,
) -> Estimate:
    return _corpus_estimate(_gamma_result_of_part(continua, dissimilarity, settings, compute))


def _corpus_estimate(result: GammaResult | Estimate) -> Estimate:
    return result.corpus if isinstance(result, GammaResult) else result


def _gamma_result_of_part(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    compute: Compute | None,
) -> GammaResult | Estimate:
    """Return γ of a part with its data, or an undefined estimate if the part is too small."""
    measure = GAMMAS[settings.objective]
    if not any(c.n_annotators >= 2 for c in continua):
        return Estimate(measure, math.nan, Reason(ReasonCode.NO_COMMON_DOCUMENT))
    compared = [c for c in continua if c.n_annotators >= 2]
    n_units = sum(c.n_units for c in compared)
    if n_units < FEWEST_UNITS:
        reason = (
            Reason(ReasonCode.FEW_UNITS, n=n_units, fewest=FEWEST_UNITS)
            if n_units
            else Reason(ReasonCode.NO_UNIT)
        )
        n_annotators = max(c.n_annotators for c in compared)
        return Estimate(measure, math.nan, reason, n_items=n_units, n_annotators=n_annotators)
    settings = settings.for_annotator_numbers([c.n_annotators for c in continua])
    return gamma(continua, dissimilarity, settings, compute=compute)
