"""α_U, agreement on unitizing a continuum (Krippendorff 1995; 2004, section 11.6).

Each category has a continuum of its own, which every annotator tiles with units and gaps. Two
segments that intersect differ by (Δstart)² + (Δend)² when both are units; a unit that lies within
a gap differs from it by its length squared.

    D_o = Σ_{i≠j} Σ_g Σ_h δ²(g, h) / (m (m − 1) L²)
    D_e = 2/L · Σ_units [(N − 1)/3 · (2l³ − 3l² + l) + l² Σ_{gaps h, l_h ≥ l} (l_h − l + 1)]
          / (mL (mL − 1) − Σ_units l (l − 1))
    α_U = 1 − Σ_k D_ok / Σ_k D_ek

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

import numpy as np
from numpy.typing import NDArray

from metrics.alignment.continuum import UNLABELLED, Continuum
from metrics.chance.corpus import continua_of, corpus_of
from metrics.errors import MetricsError
from metrics.estimate import Estimate
from metrics.signature import signature
from metrics.unitizing.from_counts import NO_UNIT
from metrics.unitizing.resample import percentile_interval, resampled_sums
from metrics.unitizing.segments import GAP, Line, line_of
from metrics.unitizing.settings import corpus_hash

UNLABELLED_NAME = "(unlabelled)"


@dataclass(frozen=True, slots=True, eq=False)
class AlphaUResult:
    """α_U over all categories and for each; observed and expected are D_o and D_e."""

    all: Estimate
    categories: dict[str, Estimate]


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
    continua = continua_of(corpus)
    m = require_same_annotators(continua, "α_U")
    codes = [*range(len(corpus.tagset))]
    if (corpus.categories == UNLABELLED).any():
        codes.append(UNLABELLED)
    observed = np.zeros((len(continua), len(codes)))
    lengths = corpus.lengths
    units: list[list[NDArray[np.float64]]] = []
    gaps: list[list[NDArray[np.float64]]] = []
    for d, continuum in enumerate(continua):
        units.append([])
        gaps.append([])
        for k, code in enumerate(codes):
            lines = [line_of(continuum, a, category=code, measure="α_U") for a in range(m)]
            observed[d, k] = squared_differences(lines)
            segments = [(line.lengths, line.categories == GAP) for line in lines]
            units[d].append(np.concatenate([length[~gap] for length, gap in segments]))
            gaps[d].append(np.concatenate([length[gap] for length, gap in segments]))

    def disagreements(
        documents: NDArray[np.int64],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        total = float(lengths[documents].sum())
        d_o = observed[documents].sum(axis=0) / (m * (m - 1) * total**2)
        d_e = np.array(
            [
                expected_disagreement(
                    np.concatenate([units[d][k] for d in documents]),
                    np.concatenate([gaps[d][k] for d in documents]),
                    total,
                    m,
                )
                for k in range(len(codes))
            ]
        )
        return d_o, d_e

    n_documents = len(continua)
    d_o, d_e = disagreements(np.arange(n_documents)) if lengths.sum() else (observed[0],) * 2
    replicates = [
        disagreements(drawn)
        for drawn in resampled_sums(n_documents, n_bootstrap, seed)
        if lengths[drawn].sum()
    ]
    line = signature("alpha_u", bootstrap=n_bootstrap, seed=seed, input=corpus_hash(corpus))

    def estimate(name: str, columns: Sequence[int]) -> Estimate:
        o, e = float(d_o[columns].sum()), float(d_e[columns].sum())
        marked = any(units[d][k].size for d in range(n_documents) for k in columns)
        reason = "" if marked else NO_UNIT
        if marked and e == 0:
            reason = "no disagreement is possible: the units fill the whole length"
        values = [
            1.0 - float(r_o[columns].sum()) / float(r_e[columns].sum())
            for r_o, r_e in replicates
            if r_e[columns].sum() > 0
        ]
        return Estimate(
            measure="alpha_u",
            value=math.nan if reason else 1.0 - o / e,
            reason=reason,
            observed=o,
            expected=e,
            interval=percentile_interval(values, level),
            level=level,
            n_items=int(sum(units[d][k].size for d in range(n_documents) for k in columns)),
            n_annotators=m,
            signature=line,
            detail={"n_documents": n_documents, "category": name},
        )

    names = [UNLABELLED_NAME if code == UNLABELLED else corpus.tagset[code] for code in codes]
    return AlphaUResult(
        estimate("all", range(len(codes))),
        {name: estimate(name, [k]) for k, name in enumerate(names)},
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
    units: NDArray[np.float64], gaps: NDArray[np.float64], length: float, n_annotators: int
) -> float:
    """D_e of one category from the lengths of its units and gaps; `length` of the line."""
    if units.size == 0:
        return 0.0
    l = units[:, None]  # noqa: E741 - the paper's symbol
    rest = gaps[None, :] - l
    fits = ((rest + 1) * (rest >= 0)).sum(axis=1)
    numerator = (
        (units.size - 1) / 3 * (2 * units**3 - 3 * units**2 + units) + units**2 * fits
    ).sum()
    denominator = n_annotators * length * (n_annotators * length - 1) - (units * (units - 1)).sum()
    return float(2 / length * numerator / denominator) if denominator > 0 else 0.0


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
