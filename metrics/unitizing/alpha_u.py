"""α_U, agreement on unitizing a continuum (Krippendorff 1995; 2004, section 11.6).

Each category has a continuum of its own, which every annotator tiles with units and gaps. Two
segments that intersect differ by (Δstart)² + (Δend)² when both are units; a unit that lies within
a gap differs from it by its length squared.

    D_o = Σ_{i≠j} Σ_g Σ_h δ²(g, h) / (m (m - 1) L²)
    D_e = 2/L · Σ_units [(N - 1)/3 · (2l³ - 3l² + l) + l² Σ_{gaps h, l_h ≥ l} (l_h - l + 1)]
          / (mL (mL - 1) - Σ_units l (l - 1))
    α_U = 1 - Σ_k D_ok / Σ_k D_ek

with m annotators, L the length, N the number of units of the category by all annotators, and D_e
with the sign that the 2004 book corrected (1995 printed l_h + l + 1). Lengths are counted in
offset units and the coefficient depends on their grain; 1995 prints the limit of a fine one.

Over several documents the sums over segments add, L being the sum of their lengths; a gap never
runs across two documents. Units without a category are a category of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.alignment.continuum import UNLABELLED, Continuum
from metrics.chance.corpus import continua_of, corpus_hash, corpus_of
from metrics.errors import MetricsError
from metrics.estimate import Estimate
from metrics.signature import signature
from metrics.unitizing.reasons import NO_DISAGREEMENT, NO_UNIT, UNLABELLED_NAME
from metrics.unitizing.resample import percentile_interval, resampled_documents
from metrics.unitizing.segments import GAP, Line, line_of


@dataclass(frozen=True, slots=True, eq=False)
class AlphaUResult:
    """α_U over all categories and for each; observed and expected are D_o and D_e."""

    all: Estimate
    categories: dict[str, Estimate]


class Segments(NamedTuple):
    """The segments of one category over D documents, all annotators together.

    units, gaps  float64 lengths, the gaps sorted; unit_documents, gap_documents int64, of each
    room         int64 (units,): index of the shortest gap that holds each unit
    observed     float64 (D,): Σ δ² over ordered pairs of annotators
    """

    units: NDArray[np.float64]
    unit_documents: NDArray[np.int64]
    gaps: NDArray[np.float64]
    gap_documents: NDArray[np.int64]
    room: NDArray[np.int64]
    observed: NDArray[np.float64]


def alpha_u(
    continua: Sequence[Continuum],
    *,
    n_bootstrap: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> AlphaUResult:
    """α_U of a corpus, with percentile intervals over resampled documents (two or more).

    `nan` with a reason where no unit was marked, or where a category was marked by nobody. Only
    one annotator having marked units is defined (negative or 0). Raises RoleError where an
    annotator is not human; MetricsError where units of one category by one annotator overlap,
    where documents differ in their number of annotators, or have fewer than two.
    """
    corpus = corpus_of(continua, measure="α_U")
    m = require_same_annotators(continua, "α_U")
    documents = continua_of(corpus)
    codes = [*range(len(corpus.tagset))]
    if (corpus.categories == UNLABELLED).any() or not codes:
        codes.append(UNLABELLED)
    names = [UNLABELLED_NAME if code == UNLABELLED else corpus.tagset[code] for code in codes]
    segments = [category_segments(documents, code) for code in codes]
    whole = np.ones((1, len(continua)))
    blocks = [whole, *resampled_documents(len(continua), n_bootstrap, seed)]
    # row 0 is the corpus, the others its resamples
    rows = [_disagreements(segments, times, times @ corpus.lengths, m) for times in blocks]
    d_o, d_e = (np.concatenate(part) for part in zip(*rows, strict=True))
    line = signature("alpha_u", bootstrap=n_bootstrap, seed=seed, input=corpus_hash(corpus))

    def estimate(name: str, columns: Sequence[int]) -> Estimate:
        o, e = d_o[:, columns].sum(axis=1), d_e[:, columns].sum(axis=1)
        n_units = sum(segments[k].units.size for k in columns)
        reason = "" if n_units else NO_UNIT
        if n_units and e[0] == 0:
            reason = NO_DISAGREEMENT
        with np.errstate(invalid="ignore", divide="ignore"):
            values = np.where(e > 0, 1.0 - o / e, np.nan)
        return Estimate(
            measure="alpha_u",
            value=math.nan if reason else float(values[0]),
            reason=reason,
            observed=float(o[0]),
            expected=float(e[0]),
            interval=percentile_interval([] if reason else values[1:], level),
            level=level,
            n_items=n_units,
            n_annotators=m,
            signature=line,
            detail={"n_documents": len(continua), "category": name},
        )

    return AlphaUResult(
        estimate("all", range(len(codes))),
        {name: estimate(name, [k]) for k, name in enumerate(names)},
    )


def _disagreements(
    segments: Sequence[Segments],
    times: NDArray[np.float64],
    lengths: NDArray[np.float64],
    n_annotators: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """D_o and D_e of each category for B weightings of the documents, float64 (B, K) each."""
    pairs = n_annotators * (n_annotators - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.stack([times @ s.observed for s in segments], axis=1)
        observed = observed / (pairs * lengths[:, None] ** 2)
    expected = [
        [expected_disagreement(s, row, length=length, n_annotators=n_annotators) for s in segments]
        for row, length in zip(times, lengths.tolist(), strict=True)
    ]
    return observed, np.array(expected)


def category_segments(continua: Sequence[Continuum], category: int) -> Segments:
    """The segments of one category. Raises MetricsError where units of one annotator overlap."""
    units, gaps = [np.empty(0)], [np.empty(0)]
    unit_documents, gap_documents = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    observed = np.zeros(len(continua))
    for d, continuum in enumerate(continua):
        lines = [
            line_of(continuum, a, category=category, measure="α_U")
            for a in range(continuum.n_annotators)
        ]
        observed[d] = squared_differences(lines)
        for line in lines:
            is_gap = line.categories == GAP
            units.append(line.lengths[~is_gap])
            gaps.append(line.lengths[is_gap])
            unit_documents.append(np.full(units[-1].size, d))
            gap_documents.append(np.full(gaps[-1].size, d))
    lengths, rooms = np.concatenate(units), np.concatenate(gaps)
    order = np.argsort(rooms, kind="stable")
    rooms = rooms[order]
    return Segments(
        lengths,
        np.concatenate(unit_documents),
        rooms,
        np.concatenate(gap_documents)[order],
        np.searchsorted(rooms, lengths),
        observed,
    )


def squared_differences(lines: Sequence[Line]) -> float:
    """Σ δ² over ordered pairs of annotators and their intersecting segments."""
    total = 0.0
    for i, first in enumerate(lines):
        for j, second in enumerate(lines):
            if i != j:
                total += _squared_differences(first, second)
    return total


def _squared_differences(first: Line, second: Line) -> float:
    starts, ends = first.bounds[:-1, None], first.bounds[1:, None]
    others, other_ends = second.bounds[None, :-1], second.bounds[None, 1:]
    intersect = (starts < other_ends) & (others < ends)
    unit, other_unit = (first.categories != GAP)[:, None], (second.categories != GAP)[None, :]
    both = intersect & unit & other_unit
    # a unit against a gap that holds it whole; each such pair stands once in either direction
    inside = unit & ~other_unit & (others <= starts) & (ends <= other_ends)
    outside = ~unit & other_unit & (starts <= others) & (other_ends <= ends)
    return float(
        (((starts - others) ** 2 + (ends - other_ends) ** 2) * both).sum()
        + ((ends - starts) ** 2 * inside).sum()
        + ((other_ends - others) ** 2 * outside).sum()
    )


def expected_disagreement(
    segments: Segments, times: NDArray[np.float64], *, length: float, n_annotators: int
) -> float:
    """D_e of one category, each document counted `times` (D,) times; `length` of them all."""
    units, weights = segments.units, times[segments.unit_documents]
    gap_weights = times[segments.gap_documents]
    # over the gaps from each rank to the longest: how many, and how long together
    number = np.concatenate([np.cumsum(gap_weights[::-1])[::-1], [0.0]])
    extent = np.concatenate([np.cumsum((gap_weights * segments.gaps)[::-1])[::-1], [0.0]])
    fits = extent[segments.room] - (units - 1) * number[segments.room]
    against_units = (weights.sum() - 1) / 3 * (2 * units**3 - 3 * units**2 + units)
    numerator = float((weights * (against_units + units**2 * fits)).sum())
    denominator = n_annotators * length * (n_annotators * length - 1) - float(
        (weights * units * (units - 1)).sum()
    )
    return 2 / length * numerator / denominator if denominator > 0 and units.size else 0.0


def require_same_annotators(continua: Sequence[Continuum], measure: str) -> int:
    """The number of annotators shared by the documents, at least two. Raises MetricsError."""
    numbers = {c.n_annotators for c in continua}
    if min(numbers) < 2:
        raise MetricsError(f"{measure} needs at least two annotators on every document")
    if len(numbers) > 1:
        raise MetricsError(
            f"{measure} adds documents with one number of annotators, and these have "
            f"{', '.join(map(str, sorted(numbers)))}: compute each group of documents apart"
        )
    return numbers.pop()
