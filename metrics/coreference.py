"""Counts of coreference scores for two chainings of the same mentions, and their F.

M mentions are aligned, and each side assigns the mentions that it marked to chains. Chains are
numbers (M,), -1 if the side did not mark the mention; a chain with one mention is a singleton.
Chain numbers have no meaning across documents. Counts add over documents and pairs of annotators.

| score | counts | source |
|---|---|---|
| muc | links of a chain that are preserved | Vilain et al. 1995 |
| b_cubed | shared mentions of each mention's chains | Bagga & Baldwin 1998 |
| ceaf_m, ceaf_e | chains paired one to one, by mentions or by chains (φ3, φ4) | Luo 2005 |
| blanc | coreferent and other links, mean of both | Recasens & Hovy 2011; Luo et al. 2014 |
| conll | mean F of muc, b_cubed and ceaf_e | Pradhan et al. 2012 |

F is symmetric and not corrected for chance. Both sides of the wall use this module: between
annotators neither side is the reference (`metrics.agreement.structures.chain_counts`); between a
reference and a system the two shares are recall and precision (`metrics.scores.coreference`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, divide
from .bootstrap import mean_defined
from .errors import MetricsError

Chains = NDArray[np.integer]

UNMARKED = -1
# Rows of the counts. Columns: matched and total of the first side, then of the second side.
COUNTED = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "coreferent", "non_coreferent")
BETWEEN_ANNOTATORS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")
COREFERENCE = (*BETWEEN_ANNOTATORS, "conll")
_BLANC = slice(4, 6)
_OF_CONLL = ("muc", "b_cubed", "ceaf_e")


def coreference_counts(first: Chains, second: Chains) -> Floats:
    """Return the counts (6, 4) of one document, rows by COUNTED, from two chainings (M,).

    Columns: matched and total of the first side, then matched and total of the second side. Raises
    MetricsError if the lengths differ.
    """
    first, second = np.asarray(first), np.asarray(second)
    if first.shape != second.shape or first.ndim != 1:
        raise MetricsError(
            f"chains have shapes {first.shape} and {second.shape}; expected one number per mention"
        )
    shared, *both_sizes = _mention_overlaps(first, second)
    sizes_1, sizes_2 = both_sizes
    counts = np.zeros((len(COUNTED), 4))
    # MUC: the number of parts of a chain is the number of chains of the other side that it meets,
    # plus one for each mention that the other side does not have.
    for at, table, sizes in ((0, shared, sizes_1), (2, shared.T, sizes_2)):
        parts = (table > 0).sum(axis=1) + sizes - table.sum(axis=1)
        counts[0, at : at + 2] = (sizes - parts).sum(), (sizes - 1).sum()
        counts[1, at : at + 2] = (table**2 / sizes[:, None]).sum(), sizes.sum()
    by_mentions = _best_matching(shared)
    by_chains = _best_matching(2 * shared / (sizes_1[:, None] + sizes_2[None, :]))
    counts[2] = by_mentions, sizes_1.sum(), by_mentions, sizes_2.sum()
    counts[3] = by_chains, sizes_1.size, by_chains, sizes_2.size
    # BLANC: links between the mentions of each side, and between mentions of both sides.
    linked = _n_links(shared).sum()
    linked_1, linked_2 = _n_links(shared.sum(axis=1)).sum(), _n_links(shared.sum(axis=0)).sum()
    apart = _n_links(shared.sum()) - linked_1 - linked_2 + linked
    in_1, in_2 = _n_links(sizes_1).sum(), _n_links(sizes_2).sum()
    counts[4] = linked, in_1, linked, in_2
    counts[5] = apart, _n_links(sizes_1.sum()) - in_1, apart, _n_links(sizes_2.sum()) - in_2
    return counts


def coreference_f(sums: Floats, score: str) -> Floats:
    """Return F (B,) in [0, 1] of a score in COREFERENCE from sums of counts (B, 6, 4).

    F is the harmonic mean of both shares; 0 if one side has nothing to count, nan if neither has.
    BLANC is the mean of its two F, or the one that is defined. Raises MetricsError for an unknown
    score.
    """
    if score == "conll":
        return np.stack([coreference_f(sums, one) for one in _OF_CONLL]).mean(axis=0)
    first, second = _shares_of_score(sums, score)
    nothing = np.isnan(first) & np.isnan(second)
    one, two = np.nan_to_num(first), np.nan_to_num(second)
    f = np.nan_to_num(divide(2 * one * two, one + two))
    return mean_defined(np.where(nothing, np.nan, f))


def coreference_shares(sums: Floats, score: str) -> tuple[Floats, Floats]:
    """Return the matched shares of the first and the second side, (B,) each; nan without counts.

    `conll` is a mean of F and has no shares: it raises MetricsError.
    """
    first, second = _shares_of_score(sums, score)
    return mean_defined(first), mean_defined(second)


def _shares_of_score(sums: Floats, score: str) -> tuple[Floats, Floats]:
    """Return both shares (B, kinds) of a score, with one kind of count, or two kinds of links."""
    if score not in BETWEEN_ANNOTATORS:
        raise MetricsError(
            f"no coreference score {score!r}; the scores are {', '.join(COREFERENCE)}"
        )
    kinds = _BLANC if score == "blanc" else [COUNTED.index(score)]
    rows = sums[:, kinds]
    return divide(rows[..., 0], rows[..., 1]), divide(rows[..., 2], rows[..., 3])


def _mention_overlaps(first: Chains, second: Chains) -> tuple[Floats, Floats, Floats]:
    """Return the numbers of common mentions (C1, C2) and the sizes of the chains."""
    names_1, sizes_1 = np.unique(first[first != UNMARKED], return_counts=True)
    names_2, sizes_2 = np.unique(second[second != UNMARKED], return_counts=True)
    both = (first != UNMARKED) & (second != UNMARKED)
    shared = np.zeros((names_1.size, names_2.size))
    at = np.searchsorted(names_1, first[both]), np.searchsorted(names_2, second[both])
    np.add.at(shared, at, 1)
    return shared, sizes_1.astype(np.float64), sizes_2.astype(np.float64)


def _best_matching(similarity: Floats) -> float:
    """Return the largest sum of a one-to-one matching of rows and columns."""
    from scipy.optimize import linear_sum_assignment  # takes a second to import

    rows, columns = linear_sum_assignment(similarity, maximize=True)
    return float(similarity[rows, columns].sum())


def _n_links(sizes: Floats) -> Floats:
    return sizes * (sizes - 1) / 2
