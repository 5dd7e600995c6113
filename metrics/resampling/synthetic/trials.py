"""Modification rate against the coefficient, on synthetic campaigns (Brégeon 2018, 3.3.3).

A trial draws one synthetic campaign and computes its κ and α and its M(k), averaged over all
subsets of its annotators (exactly, as in `subsets.modification_rate`). Trials are then sorted into
bins of the coefficient, each with mean, standard deviation and number of trials.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...agreement.counts import ItemCounts
from ...agreement.distances import Distance, NamedTable
from ...agreement.formulas.spread import NominalSpread, Spread, TableSpread
from ...agreement.resampling_units import coefficient_values
from ...agreement.summands import CountedSummands
from ...agreement.sums import Sums, as_dense, sums_of_each
from ...arrays import Floats, Ints, Ints32, divide
from ...beyond_chance import beyond_chance
from ...bootstrap import trial_seed
from ...errors import MetricsError
from ...measures import coefficient_of
from ...options import Ties
from ..majority import distinct_counts, majority_shares, scale_positions
from ..subsets.majority_of_subsets import check_sizes, majority_of_subsets
from ..subsets.subset_totals import BIN_WIDTH
from .synthetic_annotators import ItemProfile, Synthesis, synthetic_labels

TRIALS = 2_000
USUAL_OF_TRIALS = ("conger_kappa", "krippendorff_alpha")
_BATCH = 64  # campaigns whose count vectors are processed together


@dataclass(frozen=True, slots=True)
class SyntheticTrials:
    """T trials, Q subset sizes. Arrays add by concatenation.

    trial   int64 (T,)
    k       int64 (Q,)
    p2      float64 (T,): share of labels that differ from the profile's majority
    values  float64 (T, M) of the measures, `nan` if undefined (one category used)
    rate    float64 (T, Q): M(k) of the trial's campaign, weighted if distances were given
    """

    trial: Ints
    k: Ints
    p2: Floats
    measures: tuple[str, ...]
    values: Floats
    rate: Floats

    def values_of(self, measure: str) -> Floats:
        """Return the values of one measure, float64 (T,)."""
        return self.values[:, self.measures.index(measure)]


@dataclass(frozen=True, slots=True)
class BinnedRates:
    """Rates by bin of a coefficient: `edges` (B + 1,), n (B,), mean and sd (B, Q).

    mean is `nan` for an empty bin, sd (divisor n - 1) for fewer than two trials. `n_undefined`
    trials have no coefficient.
    """

    edges: Floats
    n: Ints
    mean: Floats
    sd: Floats
    n_undefined: int


def run_synthetic_trials(
    profile: ItemProfile,
    synthesis: Synthesis,
    *,
    first: int = 0,
    count: int = TRIALS,
    study: str = "synthetic",
    cell: str = "",
    ks: Sequence[int] | None = None,
    measures: Sequence[str] = USUAL_OF_TRIALS,
    ties: Ties = "random",
    values: Floats | None = None,
    ordered: bool = False,
    distances: Floats | None = None,
    alpha_distance: Distance | None = None,
) -> SyntheticTrials:
    """Run trials first .. first + count - 1, each with its own seed from (study, cell, trial).

    ks              default: 2..n-1
    distances       (K, K): costs of a change of label
    alpha_distance  distance of weighted measures: (K, K), or a name; None: nominal

    Raises MetricsError as `modification_rate` does.
    """
    n, n_categories = synthesis.n_annotators, len(profile.tagset)
    sizes = check_sizes(range(2, n) if ks is None and n > 2 else ks, n)
    positions = scale_positions(n_categories, ties=ties, values=values, ordered=ordered)
    costs = 1.0 - np.eye(n_categories) if distances is None else np.asarray(distances, np.float64)
    for name, given in (("distances", costs), ("alpha_distance", alpha_distance)):
        if isinstance(given, np.ndarray) and given.shape != (n_categories, n_categories):
            raise MetricsError(
                f"{name} has shape {given.shape}; expected ({n_categories}, {n_categories})"
            )
    parts = []
    for start in range(first, first + count, _BATCH):
        stop = min(start + _BATCH, first + count)
        codes = np.stack(
            [
                synthetic_labels(profile, synthesis, np.random.default_rng(seed))
                for seed in (trial_seed(study, cell, trial) for trial in range(start, stop))
            ]
        )  # (T, N, n)
        items = _counts_of_campaigns(codes, profile.tagset)
        counts = as_dense(items.table).astype(np.int64).reshape(*codes.shape[:2], n_categories)
        parts.append(
            SyntheticTrials(
                trial=np.arange(start, stop),
                k=sizes,
                p2=(codes != profile.reference[None, :, None]).mean(axis=(1, 2)),
                measures=tuple(measures),
                values=_values_of_items(measures, items, alpha_distance),
                rate=_rates(counts, n=n, sizes=sizes, ties=ties, values=positions, costs=costs),
            )
        )
    return join_trials(parts)


def values_of_campaigns(
    codes: Ints32, tagset: tuple[str, ...], measure: str, distance: Floats | None = None
) -> Floats:
    """Return the measure of each of T campaigns, float64 (T,). codes: int32 (T, N, n)."""
    return _values_of_items([measure], _counts_of_campaigns(codes, tagset), distance)[:, 0]


def _values_of_items(
    measures: Sequence[str], items: ItemCounts, distance: Distance | None
) -> Floats:
    """Return the values of each campaign, float64 (T, M), the same in any batch.

    With a named distance they are computed campaign by campaign, because it may depend on the
    labels, and a formula that iterates may depend on its batch.
    """
    if not isinstance(distance, (str, NamedTable)):
        return _values(measures, sums_of_each(CountedSummands(items)), distance)
    specs = [coefficient_of(name) for name in measures]
    found = np.empty((items.n_units, len(specs)))
    for t in range(items.n_units):
        sums = sums_of_each(CountedSummands(items.select_resampling_units([t])))
        found[t] = coefficient_values(specs, sums, distance, items.tagset)[0]
    if len(items.annotators) != 2:
        found[:, [bool(spec.generalisation) for spec in specs]] = np.nan
    return found


def join_trials(parts: Sequence[SyntheticTrials]) -> SyntheticTrials:
    """Join all trials of the parts, in the order of their numbers."""
    if not parts:
        raise MetricsError("no trials to join: give at least one")
    trial = np.concatenate([part.trial for part in parts])
    order = np.argsort(trial, kind="stable")
    return SyntheticTrials(
        trial=trial[order],
        k=parts[0].k,
        p2=np.concatenate([part.p2 for part in parts])[order],
        measures=parts[0].measures,
        values=np.concatenate([part.values for part in parts])[order],
        rate=np.concatenate([part.rate for part in parts])[order],
    )


def bin_rates(coefficient: Floats, rate: Floats, *, width: float = BIN_WIDTH) -> BinnedRates:
    """Mean, sd and number of trials by bin [i·width, (i + 1)·width) of the coefficient (T,).

    rate  (T, Q)

    Bins are from -1 to 1; the last one has only 1 itself.
    """
    n_half = round(1 / width)
    if not 0 < width <= 1 or abs(n_half * width - 1) > 1e-9:
        raise MetricsError(f"width is {width}; 1 must be a multiple of it")
    known = np.isfinite(coefficient) & np.isfinite(rate).all(axis=1)
    place = np.floor(coefficient[known] / width + 1e-9).astype(np.int64) + n_half
    place = np.clip(place, 0, 2 * n_half)
    n = np.bincount(place, minlength=2 * n_half + 1)
    mean = np.full((n.size, rate.shape[1]), np.nan)
    sd = np.full((n.size, rate.shape[1]), np.nan)
    for b in np.nonzero(n)[0]:
        rows = rate[known][place == b]
        mean[b] = rows.mean(axis=0)
        if n[b] > 1:
            sd[b] = rows.std(axis=0, ddof=1)
    edges: Floats = np.arange(-n_half, n_half + 2, dtype=np.float64) * width
    return BinnedRates(edges=edges, n=n, mean=mean, sd=sd, n_undefined=int((~known).sum()))


def _rates(
    counts: Ints, *, n: int, sizes: Ints, ties: Ties,
    values: Floats, costs: Floats,
) -> Floats:  # fmt: skip
    """M(k), float64 (T, Q), from counts (T, N, K); each distinct count vector is processed once."""
    n_trials, n_items, n_categories = counts.shape
    flat = counts.reshape(-1, n_categories)
    vectors, vector_of = distinct_counts(flat)
    labels, _ = majority_of_subsets(vectors, n=n, sizes=sizes, ties=ties, values=values, threads=1)
    reference = majority_shares(vectors, ties=ties, values=values)
    cost = np.einsum("ga,ab,gqb->gq", reference, costs, labels)
    compared = reference.sum(axis=1)[:, None] * labels.sum(axis=2)
    shape = (n_trials, n_items, sizes.size)
    above = cost[vector_of].reshape(shape).sum(axis=1)
    below = compared[vector_of].reshape(shape).sum(axis=1)
    return divide(above, below)


def _counts_of_campaigns(codes: Ints32, tagset: tuple[str, ...]) -> ItemCounts:
    """Return T campaigns, codes (T, N, n), as units."""
    n_trials, n_items, n = codes.shape
    return ItemCounts(
        tuple(map(str, range(n))),
        tagset,
        codes.reshape(-1, n),
        np.repeat(np.arange(n_trials), n_items),
        np.ones(n_trials * n_items, dtype=np.int64),
        n_trials,
    )


@dataclass(frozen=True, eq=False)
class _InTurn(TableSpread):
    """A table whose products are computed campaign by campaign, in a fixed order of additions."""

    def between(self, left: Floats, right: Floats) -> Floats:
        return np.asarray((left * (self.table @ right[..., None])[..., 0]).sum(axis=-1))


def _values(measures: Sequence[str], sums: Sums, distances: Floats | None) -> Floats:
    """Values of each campaign, float64 (T, M), bit for bit the same in any batch."""
    nominal: Spread = NominalSpread(sums.n_categories)
    weighted = nominal if distances is None else _InTurn(distances)
    out = np.full((sums.n_paired.size, len(measures)), np.nan)
    for m, spec in enumerate(map(coefficient_of, measures)):
        observed, expected = spec.disagreements(sums, weighted if spec.weighted else nominal)
        out[:, m] = beyond_chance(observed, expected)
    return out
