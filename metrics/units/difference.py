"""Difference of γ, γ-cat or the pairwise F between two campaigns or versions of a guideline.

By bootstrap over documents: of each campaign separately, or, if both annotated the same documents
(`paired`), of both together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Floats
from ..bootstrap import generator_for_purpose, resampled_sums
from ..differences import Difference, no_difference, resampled_difference
from ..errors import MetricsError
from ..reason import Reason, ReasonCode
from ..row_order import row_order
from .category_pairs import CategoryPairs
from .expected_documents import Expectation, expected_per_document
from .gamma_cat import gamma_cat_replicates
from .observed import Observed
from .pairwise_f import PairwiseCounts, sums_of_documents


def gamma_difference(
    first: Observed,
    first_expected: Expectation,
    second: Observed,
    second_expected: Expectation,
    *,
    influences: tuple[Floats | None, Floats | None] = (None, None),
    paired: bool = False,
    n_replicates: int = 5000,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Estimate first minus second γ (or soft, or holistic agreement), with interval and p-value.

    Each campaign is compared with its own chance samples. Every resample includes their sampling
    error and, if known, the effect of the resampled documents on chance (`influences`, as in the
    `GammaResult` of each campaign). `paired` needs the same documents in the same order. A document
    without units in one of the two campaigns is used for the other.

    `nan`, with a reason, if one of the values is undefined or has fewer than two documents with
    units. Raises MetricsError for paired campaigns with different
    numbers of documents.
    """
    _check_inputs(first.n_documents, second.n_documents, paired=paired, n_replicates=n_replicates)
    rows = (
        expected_per_document(first, first_expected, influences[0]),
        expected_per_document(second, second_expected, influences[1]),
    )
    # columns of each campaign: its disorder, and its expected disorder
    columns = [
        np.column_stack([counts.totals, own.chances])
        for counts, own in zip((first, second), rows, strict=True)
    ]
    weighed = [counts.weights > 0 for counts in (first, second)]
    part = [weighed[0] | weighed[1]] * 2 if paired else weighed
    columns = [column[those] for column, those in zip(columns, part, strict=True)]
    is_fixed = any(one is None for one in influences)
    return difference_of_sums(
        columns,
        (rows[0].noise, rows[1].noise),
        n_groups=min(int(those.sum()) for those in weighed),
        over=f"documents{'+' if is_fixed else '-in-'}chance",
        paired=paired,
        n_replicates=n_replicates,
        level=level,
        seed=seed,
    )


def difference_of_sums(
    columns: Sequence[Floats],
    errors: tuple[float, float],
    *,
    n_groups: int,
    over: str,
    paired: bool,
    n_replicates: int,
    level: float,
    seed: int,
) -> Difference:
    """`gamma_difference` from the components of the values.

    columns   for each campaign, (D, 2): observed and expected disorder of each document
    errors    standard errors of the sums of the second columns, added to every resample
    n_groups  documents with units, in the campaign with fewer
    """
    options = _options(paired, level, n_groups, over=over)
    if not all(column[:, 1].sum() > 0 for column in columns):
        return no_difference(Reason(ReasonCode.NO_CHANCE_DISORDER_IN_CAMPAIGN), **options)
    rng = generator_for_purpose(seed, 1)
    sums = np.hstack(
        [
            np.concatenate(list(resampled_sums(one, n_replicates, rng)))
            for one in ([np.hstack(columns)] if paired else columns)
        ]
    )
    drawn = _gamma_replicates(sums[:, 0], sums[:, 1], errors[0], rng) - _gamma_replicates(
        sums[:, 2], sums[:, 3], errors[1], rng
    )
    values = [1.0 - float(t / c) for t, c in (column.sum(axis=0) for column in columns)]
    return resampled_difference(values[0] - values[1], drawn, **options)


def pairwise_f_difference(
    first: PairwiseCounts,
    second: PairwiseCounts,
    *,
    paired: bool = False,
    n_replicates: int = 5000,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Estimate first minus second pairwise F, with its interval and p-value; as `gamma_difference`.

    F is 1 minus the share of the units without a partner, which are counted by document.
    """
    sides = [sums_of_documents(counts) for counts in (first, second)]
    _check_inputs(*map(len, sides), paired=paired, n_replicates=n_replicates)
    drawn = [own[:, 1] > 0 for own in sides]
    n_groups, over = min(int(own.sum()) for own in drawn), "documents"
    if not n_groups:
        options = _options(paired, level, n_groups, over=over)
        return no_difference(Reason(ReasonCode.NO_UNIT), **options)
    part = [drawn[0] | drawn[1]] * 2 if paired else drawn
    columns = [
        np.column_stack([own[:, 1] - own[:, 0], own[:, 1]])[those]
        for own, those in zip(sides, part, strict=True)
    ]
    return difference_of_sums(
        columns,
        (0.0, 0.0),
        n_groups=n_groups,
        over=over,
        paired=paired,
        n_replicates=n_replicates,
        level=level,
        seed=seed,
    )


def _gamma_replicates(
    totals: Floats, chances: Floats, error: float, rng: np.random.Generator
) -> Floats:
    """Return 1 - totals / chances, with the sampling error (a standard error) added to the chances.

    nan if the resulting chance is not positive.
    """
    drawn = chances + error * rng.standard_normal(totals.shape[0])
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(drawn > 0, 1.0 - totals / drawn, np.nan)


def gamma_cat_difference(
    first: CategoryPairs,
    second: CategoryPairs,
    dissimilarities: tuple[Dissimilarity, Dissimilarity],
    *,
    paired: bool = False,
    n_replicates: int = 5000,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Estimate first minus second γ-cat, with its interval and p-value; as `gamma_difference`.

    dissimilarities  one per campaign, with its category distances, because tagsets may differ
    """
    _check_inputs(
        first.units.shape[0], second.units.shape[0], paired=paired, n_replicates=n_replicates
    )
    n_documents = [counts.select_compared_documents().units.shape[0] for counts in (first, second)]
    if not paired:
        first, second = first.select_compared_documents(), second.select_compared_documents()
    options = _options(paired, level, min(n_documents), over="documents")
    seeds = [seed] * 2 if paired else np.random.SeedSequence(seed).generate_state(2).tolist()
    rows = [first.by_document, second.by_document]
    rows = [rows[0] + rows[1]] * 2 if paired else rows
    drawn = [
        gamma_cat_replicates(
            counts,
            own,
            order=row_order(np.ones(counts.units.shape[0], dtype=np.int64), *parts),
            n_replicates=n_replicates,
            seed=one,
        )
        for counts, own, parts, one in zip(
            (first, second), dissimilarities, rows, seeds, strict=True
        )
    ]
    value = float(drawn[0][0] - drawn[1][0])
    if np.isnan(value):
        return no_difference(Reason(ReasonCode.GAMMA_CAT_UNDEFINED), **options)
    return resampled_difference(value, drawn[0][1:] - drawn[1][1:], **options)


def _check_inputs(first: int, second: int, *, paired: bool, n_replicates: int) -> None:
    if paired and first != second:
        raise MetricsError(
            f"paired campaigns need the same documents, but these have {first} and {second} "
            "documents: give both in the same order, or compare them unpaired"
        )
    if n_replicates < 1:
        raise MetricsError(f"n_replicates is {n_replicates}: a test needs resamples")


def _options(paired: bool, level: float, n_groups: int, *, over: str) -> dict[str, Any]:
    method = "bootstrap-paired" if paired else "bootstrap-independent"
    return {"level": level, "method": method, "over": over, "n_groups": n_groups}
