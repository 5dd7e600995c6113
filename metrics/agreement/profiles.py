"""The posterior of a coefficient on few items: a Dirichlet distribution over profiles of labels.

The profile of an item is the labels that it got from each annotator. What is known of the profiles
of a population from N items is a Dirichlet distribution: each profile that was seen weighs as often
as it was seen, and pseudo-items stand for those that were not. One pseudo-item agrees, and is
spread evenly over the categories; three quarters of one disagree, and are spread over the pairs of
categories by their distance: half of the labels are the one, half the other. If any number of
labels of the one is as likely, (m + 1)/(3 (m − 1)) of the pairs of m labels differ. Pseudo-items
have as many labels as items have on average, each annotator's share of them. A draw weighs profiles
and pseudo-items and gives the coefficient of an infinite population; the interval holds the middle
of the draws, with equal tails.

Over documents each document is one draw of the Dirichlet distribution, whatever its items, and the
pseudo-items stand beside them; the tails are widened as those of expanded percentiles, to Student's
t √((n + 1)/(n − 1)) for n documents, since weights of documents vary as n + 1 do, not n − 1.

A bootstrap only repeats the labels that were seen: over 10 items its intervals of κ at 95 % often
have no width and hold the true value in three quarters of simulated campaigns (`benchmarks/results/
coverage.md`). Rubin 1981, "The Bayesian bootstrap", is the posterior without pseudo-items.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..measures import specification
from .distances import Distance
from .formulas.coefficient import Coefficient
from .groups import Groups, coefficient_values, resamples_per_batch
from .registry import scaled_spread
from .sums import Sums, all_cells

Floats = NDArray[np.float64]

METHOD, OF_DOCUMENTS = "dirichlet-profiles", "dirichlet-documents"
"""Its names in signatures, over items and over documents."""
AGREEING, DISAGREEING = 1.0, 0.75  # pseudo-items
PRIOR = f"{AGREEING:g}+{DISAGREEING:g}"
MOST_PROFILES = (
    10_000  # different ones, or documents; above, a bootstrap costs less and comes to the same
)
MOST_CATEGORIES = 30
_MOST_SUMS = 10_000_000  # of the pseudo-items: 80 MB
_POPULATION = 1e9  # items, of which a draw gives the coefficient


def has_posterior_interval(groups: Groups) -> bool:
    """Whether the interval is of the posterior: of few profiles (or documents) and categories.

    Above MOST_PROFILES of them, or MOST_CATEGORIES, and over shards it is of a bootstrap.
    """
    n_categories = len(groups.tagset)
    return (
        groups.over != "shards"
        and isinstance(groups.sums, Sums)
        and n_categories <= MOST_CATEGORIES
        and groups.multiplicity.size <= MOST_PROFILES
        and n_categories * (n_categories + 1) // 2 * groups.sums.width <= _MOST_SUMS
    )


def method_of(groups: Groups) -> str:
    return METHOD if groups.over == "items" else OF_DOCUMENTS


def tail_probabilities(level: float, groups: Groups) -> tuple[float, float]:
    """The probabilities of the lower and the upper bound."""
    below = (1 - level) / 2
    n = groups.n_units
    if groups.over == "items" or n < 2:
        return below, 1 - below
    from scipy.special import ndtr, stdtrit

    t = float(stdtrit(n - 1, 1 - below)) * math.sqrt((n + 1) / (n - 1))
    return float(ndtr(-t)), float(ndtr(t))


def has_paired_labels(groups: Groups) -> bool:
    """Whether an item has two labels, without which nothing is known."""
    return bool((groups.multiplicity @ groups.sums.n_paired) > 0)


def posterior_draws(
    groups: Groups,
    *,
    measures: Sequence[str],
    n_draws: int = 1000,
    seed: int,
    distance: Distance = "nominal",
    strength: float = 1.0,
) -> Floats:
    """Draws of M coefficients from their posterior, (n_draws, M), all from the same weights.

    strength  how many times the pseudo-items of PRIOR are taken
    nan where a coefficient is undefined; everywhere without an item that has two labels.
    """
    of_units = np.random.default_rng([seed, 0])
    side = _Side(groups, measures, distance, strength, [seed, 1])
    return np.concatenate(
        [np.empty((0, len(measures)))]
        + [
            side.coefficients(of_units.standard_gamma(groups.multiplicity, size))
            for size in _draw_batches(n_draws, groups)
        ]
    )


def paired_draws(
    first: Groups,
    second: Groups,
    *,
    measures: tuple[str, str],
    n_draws: int = 1000,
    seed: int,
    distance: Distance = "nominal",
    strength: float = 1.0,
) -> Floats:
    """Draws of measure 1 on `first` minus measure 2 on `second`, (n_draws,).

    The units of both are the same, one by one, and have the same weights. The pseudo-items of
    each side are drawn apart: nothing says that what was not seen is alike in both.
    """
    of_units = np.random.default_rng([seed, 0])
    sides = [
        _Side(groups, [measure], distance, strength, [seed, stream])
        for groups, measure, stream in zip((first, second), measures, (1, 2), strict=True)
    ]
    parts = [np.empty(0)]
    for size in _draw_batches(n_draws, first):
        weights = of_units.standard_gamma(first.multiplicity, size)
        one, two = (side.coefficients(weights)[:, 0] for side in sides)
        parts.append(one - two)
    return np.concatenate(parts)


def _draw_batches(n_draws: int, groups: Groups) -> Iterator[tuple[int, int]]:
    """Shapes of the weights that are drawn at once."""
    batch = resamples_per_batch(groups)
    for start in range(0, n_draws, batch):
        yield min(batch, n_draws - start), groups.multiplicity.size


class _Side:
    """What weights of the units of one campaign make of its coefficients."""

    def __init__(
        self,
        groups: Groups,
        measures: Sequence[str],
        distance: Distance,
        strength: float,
        seed: list[int],
    ) -> None:
        self.specs = [specification(measure) for measure in measures]
        if len(groups.tagset) == 1:
            groups, distance = _with_another_category(groups), "nominal"
        self.distance, self.tagset = distance, groups.tagset
        self.known = has_paired_labels(groups)
        if self.known:
            self.units = groups.sums.flat()
            whole = groups.sums.resampled(groups.multiplicity[None].astype(np.float64))
            self.pseudo = pseudo_items(whole)
            self.pseudo_flat = self.pseudo.flat()
            self.mass, self.generators = {}, {}
            for key in {_distance_kind(spec) for spec in self.specs}:
                apart = _distances_of_kind(key, distance, groups.tagset, whole)
                self.mass[key] = strength * pseudo_mass(apart)
                self.generators[key] = np.random.default_rng([*seed, _KINDS.index(key)])

    def coefficients(self, weights: Floats) -> Floats:
        """(B, M) for weights (B, G), with pseudo-items drawn here."""
        out = np.full((weights.shape[0], len(self.specs)), np.nan)
        if not self.known:
            return out
        units = weights @ self.units
        for key, mass in self.mass.items():
            columns = [j for j, spec in enumerate(self.specs) if _distance_kind(spec) == key]
            pseudo = self.generators[key].standard_gamma(mass, (weights.shape[0], mass.size))
            scale = _POPULATION / (weights.sum(axis=1) + pseudo.sum(axis=1))[:, None]
            out[:, columns] = coefficient_values(
                [self.specs[j] for j in columns],
                self.pseudo.like((units + pseudo @ self.pseudo_flat) * scale),
                self.distance,
                self.tagset,
            )
        return out


_KINDS = ("nominal", "weighted", "squared ranks")


def _distance_kind(spec: Coefficient) -> str:
    """Which distances a coefficient compares categories by."""
    return "weighted" if spec.weighted else spec.own_distance


def _distances_of_kind(kind: str, distance: Distance, tagset: Sequence[str], whole: Sums) -> Floats:
    """Those distances, (K, K)."""
    k = len(tagset)
    if kind == "squared ranks":
        return np.subtract.outer(np.arange(k), np.arange(k)).astype(np.float64) ** 2
    if kind == "weighted":
        spread, _ = scaled_spread(distance, tagset, whole.pooled)
        return spread.dense().reshape(k, k)
    return 1.0 - np.eye(k)


def pseudo_mass(apart: Floats) -> Floats:
    """The mass of each kind of pseudo-item of K categories with distances `apart`, (K, K).

    Those that disagree are spread over the pairs of categories by their distance: in simulation
    equal shares held too seldom the values of coefficients that forgive near misses.
    """
    k = apart.shape[0]
    shares = apart[np.triu_indices(k, 1)]
    total = shares.sum()
    shares = shares / total if total > 0 else np.full(shares.size, 1 / max(1, shares.size))
    return np.concatenate([np.full(k, AGREEING / k), DISAGREEING * shares])


def _with_another_category(groups: Groups) -> Groups:
    """The same items over two categories of which one is used: others could have the second."""
    assert isinstance(groups.sums, Sums)  # of one category
    of_pairs = ("observed", "coincidences")  # cells 0·2 + 0 of four
    of_labels = ("paired", "shares", "marginals", "complete")
    wider: dict[str, Floats] = {}
    for names, n_more in ((of_pairs, 3), (of_labels, 1)):
        for name in names:
            array: Floats = getattr(groups.sums, name)
            wider[name] = np.pad(array, [(0, 0)] * (array.ndim - 1) + [(0, n_more)])
    confusions = groups.sums.confusions
    if confusions is not None:
        wider["confusions"] = np.pad(confusions, [(0, 0)] * 3 + [(0, 1)] * 2)
    sums = replace(groups.sums, cells=all_cells(2), **wider)
    return replace(groups, sums=sums, tagset=(*groups.tagset, ""))


def pseudo_items(total: Sums) -> Sums:
    """The sums of each kind of pseudo-item for the items of `total` (B = 1).

    One kind for each of the K categories, then one for each pair of categories.
    """
    n_categories, n_paired = total.n_categories, float(total.n_paired[0])
    m = float(total.paired.sum()) / n_paired
    differing = (m + 1) / (3 * (m - 1))
    one = np.eye(n_categories)
    first, second = np.triu_indices(n_categories, 1)
    shares = np.concatenate([one, (one[first] + one[second]) / 2])
    across = one[first][:, :, None] * one[second][:, None, :]
    pairs = shares[:, :, None] * one
    pairs[n_categories:] *= 1 - differing
    pairs[n_categories:] += differing * (across + across.swapaxes(1, 2)) / 2
    n_kinds = len(shares)
    observed = pairs.reshape(n_kinds, -1)[:, total.cells]
    by_annotator = total.marginals[0].sum(axis=1) / total.n_labelled[0]
    complete = float(total.n_complete[0]) / n_paired
    ones = np.ones(n_kinds)
    agreeing = np.arange(n_kinds) < n_categories
    alike: Floats = np.where(agreeing, complete, 0.0)
    confusions = None
    if total.confusions is not None:
        together = total.confusions[0].sum(axis=(2, 3)) / n_paired
        confusions = together[None, :, :, None, None] * pairs[:, None, None]
    return Sums(
        total.cells,
        n_paired=ones,
        n_labelled=ones,
        observed=observed,
        coincidences=m * observed,
        paired=m * shares,
        shares=shares,
        marginals=by_annotator[None, :, None] * shares[:, None, :],
        complete=complete * np.repeat(shares[:, None, :], total.n_annotators, axis=1),
        n_complete=complete * ones,
        n_unanimous=alike,
        confusions=confusions,
    )
