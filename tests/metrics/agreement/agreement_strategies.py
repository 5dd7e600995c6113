"""Hypothesis strategies and slow, literal versions of the coefficients to check against."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import strategies as st

from accordeur.metrics.agreement.label_matrix import LabelMatrix


@st.composite
def matrices(
    draw: st.DrawFn,
    *,
    max_items: int = 12,
    max_annotators: int = 4,
    max_categories: int = 4,
    missing: bool = True,
    documents: bool = False,
) -> LabelMatrix:
    """Small label matrices, missing labels allowed, some categories unused."""
    n_items = draw(st.integers(2, max_items))
    n_annotators = draw(st.integers(2, max_annotators))
    n_categories = draw(st.integers(2, max_categories))
    cell = st.integers(-1 if missing else 0, n_categories - 1)
    rows = st.lists(cell, min_size=n_annotators, max_size=n_annotators)
    codes = draw(st.lists(rows, min_size=n_items, max_size=n_items))
    homes = None
    if documents:
        homes = np.array(
            draw(st.lists(st.integers(0, 3), min_size=n_items, max_size=n_items)), dtype=np.int64
        )
    return LabelMatrix(
        codes=np.array(codes, dtype=np.int32),
        tagset=tuple("abcdef"[:n_categories]),
        annotators=tuple(f"a{a}" for a in range(n_annotators)),
        documents=homes,
    )


def literal(measure: str, matrix: LabelMatrix, distance: np.ndarray) -> tuple[float, float]:
    """D_o and D_e by enumerating pairs of labels; a division by 0 is left to raise."""
    rows = [[int(k) for k in row if k >= 0] for row in matrix.codes]
    paired = [row for row in rows if len(row) >= 2]
    labelled = [row for row in rows if row]
    n_categories = len(matrix.tagset)
    each = range(n_categories)
    if measure == "krippendorff_alpha":
        n = sum(len(row) for row in paired)
        together = [k for row in paired for k in row]
        observed = sum(
            distance[c, k] / (len(row) - 1) for row in paired for c, k in permutations(row, 2)
        )
        expected = sum(distance[c, k] for c, k in permutations(together, 2))
        return observed / n, expected / (n * (n - 1))
    observed = np.mean(
        [np.mean([distance[c, k] for c, k in permutations(row, 2)]) for row in paired]
    )
    shares = np.mean([[row.count(k) / len(row) for k in each] for row in labelled], axis=0)
    if measure in ("fleiss_kappa", "weighted_pi"):
        return observed, sum(shares[c] * shares[k] * distance[c, k] for c in each for k in each)
    if measure in ("bennett_s", "weighted_s"):
        return observed, distance.sum() / n_categories**2
    if measure in ("gwet_ac1", "gwet_ac2"):
        weights = (1 - distance).sum()
        chance = weights * sum(p * (1 - p) for p in shares) / (n_categories * (n_categories - 1))
        return observed, 1 - chance
    assert measure in ("conger_kappa", "weighted_kappa")
    own = []
    for column in matrix.codes.T:
        given = [int(k) for k in column if k >= 0]
        if given:
            own.append([given.count(k) / len(given) for k in each])
    pairs = [
        sum(p[c] * q[k] * distance[c, k] for c in each for k in each)
        for p, q in permutations(own, 2)
    ]
    return observed, sum(pairs) / len(pairs)
