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
from dataclasses import dataclass
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
    whole = _Whole(in_one_order(continua), dissimilarity, settings, new_annotators)
    return {
        pair: whole.gamma_of_part(whole.of_annotators(pair)[1])
        for pair in combinations(whole.annotators, 2)
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
    whole = _Whole(in_one_order(continua), dissimilarity, settings, new_annotators)
    return {name: whole.gamma_of_part(whole.without(name)[1]) for name in whole.annotators}


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
    whole = _Whole(continua, dissimilarity, settings, new_annotators)
    for name in whole.annotators:
        kept, part = whole.without(name)
        result = whole.result_of_part(part)
        values[name] = whole.with_interval(result, part)
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
    continua = in_one_order(continua)
    codes = dict(enumerate(continua[0].tagset)) if continua else {}
    if any((c.categories == UNLABELLED).any() for c in continua):
        codes[UNLABELLED] = UNLABELLED_NAME
    whole = _Whole(continua, dissimilarity, settings, new_annotators)
    return {
        name: whole.gamma_of_part([c.select_units(c.categories == k) for c in continua])
        for k, name in codes.items()
    }


@dataclass(frozen=True, slots=True)
class _Whole:
    """A campaign with the settings of its parts; `continua` are in one order."""

    continua: Sequence[Continuum]
    dissimilarity: Dissimilarity
    settings: GammaSettings
    new_annotators: bool

    @property
    def annotators(self) -> list[str]:
        return list(dict.fromkeys(name for c in self.continua for name in c.annotators))

    @property
    def least_units(self) -> int:
        """How many units a part needs: no more than the whole has."""
        return min(FEWEST_UNITS, sum(c.n_units for c in self.continua if c.n_annotators >= 2))

    def of_annotators(self, names: Sequence[str]) -> tuple[Ints, list[Continuum]]:
        """Return the numbers of these annotators' documents, and the documents with them alone."""
        parts = [c.select_annotators(names) for c in self.continua]
        kept = np.array([d for d, c in enumerate(parts) if c.n_annotators > 0], dtype=np.int64)
        return kept, [parts[d] for d in kept]

    def without(self, annotator: str) -> tuple[Ints, list[Continuum]]:
        return self.of_annotators([name for name in self.annotators if name != annotator])

    def gamma_of_part(self, part: Sequence[Continuum]) -> Estimate:
        return self.with_interval(self.result_of_part(part), part)

    def with_interval(self, result: GammaResult | Estimate, part: Sequence[Continuum]) -> Estimate:
        """Return the value of a part with the interval that is requested."""
        if not isinstance(result, GammaResult):
            return result
        if not self.new_annotators:
            return result.corpus
        settings = self.settings.for_annotator_numbers([c.n_annotators for c in part])
        return gamma_for_new_annotators(
            result.corpus, part, result.expected, self.dissimilarity, settings
        )

    def result_of_part(self, part: Sequence[Continuum]) -> GammaResult | Estimate:
        """Return γ of a part with its data, or an undefined estimate if the part is too small."""
        measure = GAMMAS[self.settings.objective]
        compared = [c for c in part if c.n_annotators >= 2]
        if not compared:
            return Estimate(measure, math.nan, Reason(ReasonCode.NO_COMMON_DOCUMENT))
        n_units = sum(c.n_units for c in compared)
        if n_units < self.least_units or not n_units:
            reason = (
                Reason(ReasonCode.FEW_UNITS, n=n_units, fewest=FEWEST_UNITS)
                if n_units
                else Reason(ReasonCode.NO_UNIT)
            )
            n_annotators = max(c.n_annotators for c in compared)
            return Estimate(measure, math.nan, reason, n_items=n_units, n_annotators=n_annotators)
        settings = self.settings.for_annotator_numbers([c.n_annotators for c in part])
        return gamma(part, self.dissimilarity, settings)
