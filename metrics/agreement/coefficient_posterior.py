"""Posterior of a coefficient on few items: a Dirichlet distribution over label profiles.

The profile of an item is its label from each annotator. Given N items, the distribution of profiles
in the population has a Dirichlet posterior: each observed profile has its frequency as weight, and
pseudo-items represent profiles that were not observed. Of two labels per item, one pseudo-item
agrees and is spread evenly over the categories; three quarters of a pseudo-item disagree and are
spread over the pairs of categories by their distance; half of the labels are of one category, half
of the other. If every split of the labels between the two is equally likely, (m + 1)/(3 (m − 1)) of
the pairs of m labels differ. Pseudo-items have the mean number of labels of the items, divided
among the annotators as observed. A draw weights profiles and pseudo-items and yields the
coefficient of an infinite population; the interval is the central part of the draws.

Of m > 2 labels per item, an item says more about disagreement than a pair of labels, the more so
the less its labels resemble each other. An interval therefore uses the share

    f = 2/m + (1 − 2/m) √α          (α of the data, at least 0)

of the pseudo-items. As they give way, the draws become those of Rubin 1981, "The Bayesian
bootstrap", whose spread is too small for few units; the tails are widened accordingly, from equal
ones (f = 1) to those of the expanded percentile interval, Student's t √((n + 1)/(n − 1)) for n
units (f = 0).

Over documents, each document is one value of the Dirichlet distribution, whatever its items, with
the same pseudo-items, and the tails are always widened.

A bootstrap only repeats observed labels: over 10 items its 95 % intervals of κ often have zero
width and contain the true value in three quarters of simulated campaigns. Coverage of this rule:
`benchmarks/results/coverage-items.md`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..arrays import Floats, Ints
from ..beyond_chance import beyond_chance
from ..measures import coefficient_of
from ..quantiles import normal_probability, normal_quantile, t_quantile
from .coefficients import spread_over_largest
from .distances import Distance
from .formulas.closed_forms import krippendorff
from .formulas.coefficient import Coefficient
from .formulas.spread import NominalSpread, Spread, SquaredSpread
from .resampling_units import ResamplingUnits, coefficient_values, resamples_per_batch
from .summands import PairTables
from .sums import Feature, Sums, weighted_sums

METHOD, OF_DOCUMENTS = "dirichlet-profiles", "dirichlet-documents"
"""Names of the method in signatures, over items and over documents."""
AGREEING, DISAGREEING = 1.0, 0.75  # numbers of pseudo-items
PRIOR = f"{AGREEING:g}+{DISAGREEING:g}/labels"  # in signatures; "labels": times `prior_share`
MOST_PROFILES = (
    9_999  # distinct profiles, or documents; with more, a bootstrap is cheaper and equivalent
)
MOST_CATEGORIES = 30
_POPULATION = 1e9  # items in the population for which a draw gives the coefficient


def has_posterior_interval(groups: ResamplingUnits) -> bool:
    """Whether intervals come from the posterior: with few profiles (or documents) and categories.

    Above MOST_PROFILES or MOST_CATEGORIES, and over shards, they come from a bootstrap.
    """
    return len(groups.tagset) <= MOST_CATEGORIES and groups.n_kinds <= MOST_PROFILES


def interval_method_name(groups: ResamplingUnits) -> str:
    return METHOD if groups.over == "items" else OF_DOCUMENTS


def tail_probabilities(level: float, groups: ResamplingUnits, share: float) -> tuple[float, float]:
    """Return the probabilities of the lower and the upper bound; `share` of the prior is used."""
    below = (1 - level) / 2
    n = groups.n_units
    widened = 1 - share if groups.over == "items" else 1.0
    if widened <= 0 or n < 2:
        return below, 1 - below
    z = normal_quantile(1 - below)
    t = t_quantile(n - 1, 1 - below) * math.sqrt((n + 1) / (n - 1))
    z *= (t / z) ** widened
    return normal_probability(-z), normal_probability(z)


def has_paired_labels(groups: ResamplingUnits) -> bool:
    """Whether any item has two labels, without which there is no posterior."""
    return bool(groups.sums_of_all.n_paired[0] > 0)


def posterior_draws(
    groups: ResamplingUnits,
    *,
    measures: Sequence[str],
    n_draws: int = 1000,
    seed: int,
    distance: Distance = "nominal",
    strength: float = 1.0,
) -> Floats:
    """Draw M coefficients from their posterior, (n_draws, M), all with the same weights.

    strength  factor on the pseudo-items of the prior

    Values are nan where a coefficient is undefined, and all nan if no item has two labels.
    """
    return _draws(groups, _Side(groups, measures, distance, strength, [seed, 1]), n_draws, seed)


def interval_draws(
    groups: ResamplingUnits,
    *,
    measures: Sequence[str],
    n_draws: int = 1000,
    seed: int,
    stream: int = 1,
    distance: Distance = "nominal",
) -> tuple[Floats, Floats]:
    """Draw M coefficients for intervals: (n_draws, M), and the share of the prior of each, (M,).

    stream  of the random numbers of the pseudo-items: campaigns whose units correspond one to one
            have the same weights with the same seed, and with another stream other pseudo-items
    """
    side = _Side(groups, measures, distance, None, [seed, stream])
    return _draws(groups, side, n_draws, seed), side.shares


def _draws(groups: ResamplingUnits, side: _Side, n_draws: int, seed: int) -> Floats:
    of_units = np.random.default_rng([seed, 0])
    return np.concatenate(
        [np.empty((0, len(side.specs)))]
        + [
            side.coefficients(groups.order.gamma_weights(groups.multiplicity, size, of_units))
            for size in _draw_batches(n_draws, groups)
        ]
    )


def paired_draws(
    first: ResamplingUnits,
    second: ResamplingUnits,
    *,
    measures: tuple[str, str],
    n_draws: int = 1000,
    seed: int,
    distance: Distance = "nominal",
    strength: float = 1.0,
) -> Floats:
    """Draw measure 1 on `first` minus measure 2 on `second`, (n_draws,).

    The units of both sides correspond one to one and have the same weights. The pseudo-items of
    each side are drawn independently, because unobserved labels may differ between the sides.
    """
    of_units = np.random.default_rng([seed, 0])
    sides = [
        _Side(groups, [measure], distance, strength, [seed, stream])
        for groups, measure, stream in zip((first, second), measures, (1, 2), strict=True)
    ]
    parts = [np.empty(0)]
    for size in _draw_batches(n_draws, first):
        weights = first.order.gamma_weights(first.multiplicity, size, of_units)
        one, two = (side.coefficients(weights)[:, 0] for side in sides)
        parts.append(one - two)
    return np.concatenate(parts)


def _draw_batches(n_draws: int, groups: ResamplingUnits) -> Iterator[int]:
    """Yield how many weightings are drawn at once."""
    batch = resamples_per_batch(groups)
    for start in range(0, n_draws, batch):
        yield min(batch, n_draws - start)


class _Side:
    """Coefficients of one campaign as a function of the weights of its units."""

    def __init__(
        self,
        groups: ResamplingUnits,
        measures: Sequence[str],
        distance: Distance,
        strength: float | None,
        seed: list[int],
    ) -> None:
        """`strength` is a factor on the pseudo-items; None: the share of an interval."""
        self.specs = [coefficient_of(measure) for measure in measures]
        if len(groups.tagset) == 1:
            groups, distance = _with_another_category(groups), "nominal"
        self.distance, self.tagset = distance, groups.tagset
        self.known = has_paired_labels(groups)
        self.shares = np.ones(len(self.specs))
        if self.known:
            self.kinds, whole = groups.kinds, groups.sums_of_all
            order = groups.order.categories_of(groups.tagset)
            self.pseudo = pseudo_items(whole, order)
            self.mass, self.generators = {}, {}
            for key in {_distance_kind(spec) for spec in self.specs}:
                spread = _distances_of_kind(key, distance, groups.tagset, whole)
                share = prior_share(whole, spread) if strength is None else strength
                self.shares[self._columns(key)] = share
                apart = spread.as_table()[np.ix_(order, order)]
                self.mass[key] = share * pseudo_item_weights(apart)
                self.generators[key] = np.random.default_rng([*seed, _KINDS.index(key)])

    def coefficients(self, weights: Floats) -> Floats:
        """Return values (B, M) for weights (B, G); the pseudo-items are drawn here."""
        out = np.full((weights.shape[0], len(self.specs)), np.nan)
        if not self.known:
            return out
        units = weighted_sums(self.kinds, weights)
        for key, mass in self.mass.items():
            columns = self._columns(key)
            pseudo = self.generators[key].standard_gamma(mass, (weights.shape[0], mass.size))
            scale = _POPULATION / (weights.sum(axis=1) + pseudo.sum(axis=1))[:, None]

            def read(feature: Feature, pseudo: Floats = pseudo, scale: Floats = scale) -> Floats:
                return (
                    units.of_feature(feature) + pseudo @ self.pseudo.feature_matrix(feature)
                ) * scale

            out[:, columns] = coefficient_values(
                [self.specs[j] for j in columns],
                Sums(self.kinds, read),
                self.distance,
                self.tagset,
            )
        return out

    def _columns(self, kind: str) -> list[int]:
        return [j for j, spec in enumerate(self.specs) if _distance_kind(spec) == kind]


_KINDS = ("nominal", "weighted", "squared ranks")


def _distance_kind(spec: Coefficient) -> str:
    """Return the kind of distances that a coefficient uses."""
    return "weighted" if spec.weighted else spec.own_distance


def _distances_of_kind(kind: str, distance: Distance, tagset: Sequence[str], whole: Sums) -> Spread:
    if kind == "squared ranks":
        return SquaredSpread(np.arange(len(tagset), dtype=np.float64))
    if kind == "weighted":
        return spread_over_largest(distance, tagset, whole.pooled)[0]
    return NominalSpread(len(tagset))


def prior_share(whole: Sums, spread: Spread) -> float:
    """Share of the pseudo-items in an interval: 1 of two labels per item, or where α is undefined.

    `whole` are the sums of all items (B = 1).
    """
    pairs = 2 * float(whole.n_paired[0]) / float(whole.paired.sum())
    observed, expected = krippendorff(whole, spread)
    alpha = float(beyond_chance(observed, expected)[0])
    return pairs + (1 - pairs) * math.sqrt(1.0 if math.isnan(alpha) else max(alpha, 0.0))


def pseudo_item_weights(apart: Floats) -> Floats:
    """Mass of each kind of pseudo-item of K categories with distances `apart`, (K, K).

    Disagreeing pseudo-items are spread over the pairs of categories by their distance: in
    simulation, intervals with equal shares were too narrow for coefficients that tolerate near
    misses.
    """
    k = apart.shape[0]
    shares = apart[np.triu_indices(k, 1)]
    total = shares.sum()
    shares = shares / total if total > 0 else np.full(shares.size, 1 / max(1, shares.size))
    return np.concatenate([np.full(k, AGREEING / k), DISAGREEING * shares])


def _with_another_category(groups: ResamplingUnits) -> ResamplingUnits:
    """Add an unused second category to items with a single one: other items could have it."""
    tagset = (*groups.tagset, "")
    return replace(groups, kinds=groups.kinds.extend_tagset(tagset), tagset=tagset)


def pseudo_items(total: Sums, order: Ints) -> PairTables:
    """Return the kinds of pseudo-item for the items of `total` (B = 1).

    There is one kind for each of the K categories, in this order (K,), then one for each pair.
    """
    n_categories, n_paired = total.n_categories, float(total.n_paired[0])
    m = float(total.paired.sum()) / n_paired
    differing = (m + 1) / (3 * (m - 1))
    one = np.eye(n_categories)[order]
    first, second = np.triu_indices(n_categories, 1)
    shares = np.concatenate([one, (one[first] + one[second]) / 2])
    across = one[first][:, :, None] * one[second][:, None, :]
    pairs = shares[:, :, None] * np.eye(n_categories)
    pairs[n_categories:] *= 1 - differing
    pairs[n_categories:] += differing * (across + across.swapaxes(1, 2)) / 2
    by_annotator = total.marginals[0].sum(axis=1) / total.n_labelled[0]
    complete = float(total.n_complete[0]) / n_paired
    agreeing = np.arange(len(shares)) < n_categories
    return PairTables(
        pairs,
        n_labels=m,
        marginals=by_annotator[None, :, None] * shares[:, None, :],
        complete=complete * np.repeat(shares[:, None, :], total.n_annotators, axis=1),
        n_complete=np.full(len(shares), complete),
        n_unanimous=np.where(agreeing, complete, 0.0),
        common=lambda: total.of_feature(Feature("pair_items"))[0] / n_paired,
    )
