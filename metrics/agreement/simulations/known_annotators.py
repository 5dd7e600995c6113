"""Simulations that explain the coefficients by their values for known annotators.

Two annotators draw their labels independently, given the true category of the item, from a table of
errors. The joint distribution of their labels, and so each coefficient, is then exact; samples are
drawn only to show how far a campaign with a given number of items may deviate from it. Bonnardel
(1996) fixes sensitivity and specificity and varies the prevalence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import Floats, Ints
from ...errors import MetricsError
from ...measures import COEFFICIENTS, GENERALISED, coefficient_of
from ..resampling_units import coefficient_values
from ..summands import PairTables
from ..sums import sums_of_each

MEASURES = tuple(
    name
    for name, one in COEFFICIENTS.items()
    if one.own_distance == "nominal"
    and not (one.confusions or one.unweighted or name in GENERALISED.values())
)
"""The coefficients that differ for two annotators and a nominal distance."""
SHARES = tuple(share / 20 for share in range(1, 20))
SIZES = (2, 3, 4, 5, 7, 10, 15, 20, 50)
MANY_ITEMS = 1e12  # enough to make α's small-sample correction negligible


@dataclass(frozen=True, slots=True)
class CoefficientCurve:
    """Values of M measures at P points: the varied parameter (P,), and the values (P, M).

    bands      (P, M, 2): central 95 % of sampled campaigns; nan without samples
    n_defined  (P, M): sampled campaigns with a defined value
    """

    moved: str
    points: Floats
    measures: tuple[str, ...]
    values: Floats
    bands: Floats
    n_defined: Ints

    def values_of(self, measure: str) -> Floats:
        """Return the values (P,) of one measure."""
        return self.values[:, self.measures.index(measure)]


def coefficients_of_rates(
    prevalence: Floats,
    errors: tuple[Floats, Floats],
    *,
    measures: Sequence[str] = MEASURES,
) -> Floats:
    """Return the coefficients (M,) of two annotators on infinitely many items; nan where undefined.

    prevalence  (K,): shares of the true categories
    errors      two tables (K, K); row t is the distribution of an annotator's labels on items of
                category t
    """
    first, second = (np.asarray(table, dtype=np.float64) for table in errors)
    true = np.asarray(prevalence, dtype=np.float64)
    for table in (true, first, second):
        if (table < 0).any() or not np.allclose(table.sum(axis=-1), 1):
            raise MetricsError("prevalence and each row of the errors must sum to 1")
    joint = np.einsum("t,tc,tk->ck", true, first, second)
    return coefficients_of_tables(MANY_ITEMS * joint[None], measures=measures)[0]


def coefficients_of_tables(tables: Floats, *, measures: Sequence[str] = MEASURES) -> Floats:
    """Return the coefficients (B, M) of B pairs of annotators; nan where undefined.

    tables  (B, K, K): items that the first annotator labelled c and the second k
    """
    units = PairTables.of_two_labels(tables)
    specs = [coefficient_of(measure) for measure in measures]
    names = [str(k) for k in range(tables.shape[1])]
    return coefficient_values(specs, sums_of_each(units), "nominal", names)


def coefficients_by_prevalence(
    prevalences: Sequence[float] | Floats,
    *,
    sensitivity: float = 0.9,
    specificity: float = 0.9,
    measures: Sequence[str] = MEASURES,
) -> CoefficientCurve:
    """Two raters of fixed sensitivity and specificity, at decreasing prevalence of the condition.

    With .9 and .9, κ is .64 at prevalence ½ and tends to 0 with the prevalence.
    """
    errors = np.array([[sensitivity, 1 - sensitivity], [1 - specificity, specificity]])
    points = [(share, np.array([share, 1 - share]), errors) for share in prevalences]
    return coefficient_curve("prevalence", points, measures, SampledCampaigns(0))


def coefficients_by_tagset_size(
    sizes: Sequence[int],
    *,
    accuracy: float = 0.9,
    measures: Sequence[str] = MEASURES,
) -> CoefficientCurve:
    """Show the effect of the tagset's size alone, for equally frequent categories.

    Each annotator is right with probability `accuracy`, else uniform among the other categories.
    """
    points = [
        (size, np.full(size, 1 / size), evenly_spread_errors(size, accuracy)) for size in sizes
    ]
    return coefficient_curve("categories", points, measures, SampledCampaigns(0))


def evenly_spread_errors(n_categories: int, accuracy: float) -> Floats:
    """Return the table (K, K) of an annotator with this accuracy and evenly spread errors."""
    if n_categories < 2:
        raise MetricsError(f"a tagset needs two categories or more, found {n_categories}")
    off = (1 - accuracy) / (n_categories - 1)
    return np.full((n_categories, n_categories), off) + np.eye(n_categories) * (accuracy - off)


@dataclass(frozen=True, slots=True)
class SampledCampaigns:
    """Sampled campaigns at each point: their number of items, their number, the seed."""

    n_items: int
    trials: int = 0
    seed: int = 0


def coefficient_curve(
    moved: str,
    points: Sequence[tuple[float, Floats, Floats]],
    measures: Sequence[str],
    draws: SampledCampaigns,
) -> CoefficientCurve:
    """Return exact values at each point (x, prevalence, errors), and the band of the draws."""
    values = [coefficients_of_rates(true, (err, err), measures=measures) for _, true, err in points]
    bands = np.full((len(points), len(measures), 2), np.nan)
    n_defined = np.zeros((len(points), len(measures)), dtype=np.int64)
    for p, (_, true, errors) in enumerate(points if draws.trials else []):
        rng = np.random.default_rng([draws.seed, p])
        joint = np.einsum("t,tc,tk->ck", true, errors, errors)
        drawn = rng.multinomial(draws.n_items, (joint / joint.sum()).reshape(-1), draws.trials)
        tables = drawn.reshape(draws.trials, *joint.shape).astype(np.float64)
        found = coefficients_of_tables(tables, measures=measures)
        n_defined[p] = np.isfinite(found).sum(axis=0)
        for m in np.flatnonzero(n_defined[p]):
            known = found[np.isfinite(found[:, m]), m]
            bands[p, m] = np.quantile(known, [0.025, 0.975])
    at = np.array([x for x, _, _ in points], dtype=np.float64)
    return CoefficientCurve(moved, at, tuple(measures), np.array(values), bands, n_defined)
