"""Agreement between annotators on coreference chains.

Mentions are given: M of them, aligned between annotators, and each annotator puts the mentions they
marked in chains. The scores of coreference resolution compare two chainings; here neither side is
the reference, so what is kept is their F, which is symmetric: MUC (Vilain et al. 1995), B³ (Bagga &
Baldwin 1998), CEAF (Luo 2005), BLANC (Recasens & Hovy 2011, for different mentions Luo et al.
2014). None of them is corrected for chance; `chain_matrix` gives Krippendorff's α with Passonneau's
distances between sets of mentions (Passonneau 2004, 2006).

Chains are numbers (M,), −1 where the annotator did not mark the mention. A chain of one mention is
a singleton. Numbers of chains mean nothing across documents: give each document its own numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...errors import MetricsError
from ...estimate import Estimate
from ...reason import Reason, ReasonCode
from ...signature import Signature, input_hash
from ..label_matrix import LabelMatrix

Chains = NDArray[np.integer]

UNMARKED = -1


@dataclass(frozen=True, slots=True)
class Matches:
    """Additive counts of one score: what is matched of the first annotator, and of the second.

    `first_matched` of `first_total` is the share of the first annotator's chaining found in the
    second's, and the other way round. Counts of documents and of pairs of annotators add up.
    """

    first_matched: float
    first_total: float
    second_matched: float
    second_total: float

    def __add__(self, other: Matches) -> Matches:
        return Matches(
            self.first_matched + other.first_matched,
            self.first_total + other.first_total,
            self.second_matched + other.second_matched,
            self.second_total + other.second_total,
        )

    @property
    def shares(self) -> tuple[float, float]:
        """Both shares; nan where there is nothing to find."""
        return (
            self.first_matched / self.first_total if self.first_total else math.nan,
            self.second_matched / self.second_total if self.second_total else math.nan,
        )

    @property
    def f_measure(self) -> float:
        """Harmonic mean of both shares; 0 when nothing matches, nan when neither has anything."""
        first, second = self.shares
        if math.isnan(first) and math.isnan(second):
            return math.nan
        if math.isnan(first) or math.isnan(second) or first + second == 0:
            return 0.0
        return 2 * first * second / (first + second)


def muc(first: Chains, second: Chains) -> Matches:
    """Links: |chain| − (number of parts the other annotator cuts it in), over |chain| − 1."""
    return Matches(*_muc_links(first, second), *_muc_links(second, first))


def b_cubed(first: Chains, second: Chains) -> Matches:
    """Mentions: for each, the share of its chain that the other annotator puts with it."""
    overlap, rows, columns = _overlaps(first, second)
    squares = overlap.astype(np.float64) ** 2
    return Matches(
        float((squares.sum(axis=1) / rows).sum()),
        float(rows.sum()),
        float((squares.sum(axis=0) / columns).sum()),
        float(columns.sum()),
    )


def ceaf_mentions(first: Chains, second: Chains) -> Matches:
    """The one-to-one matching of chains that shares the most mentions (Luo's φ3)."""
    overlap, rows, columns = _overlaps(first, second)
    best = _best_matching(overlap.astype(np.float64))
    return Matches(best, float(rows.sum()), best, float(columns.sum()))


def ceaf_entities(first: Chains, second: Chains) -> Matches:
    """The one-to-one matching of chains with the largest sum of Dice overlaps (Luo's φ4)."""
    overlap, rows, columns = _overlaps(first, second)
    best = _best_matching(2.0 * overlap / (rows[:, None] + columns[None, :]))
    return Matches(best, float(rows.size), best, float(columns.size))


def coreference_links(first: Chains, second: Chains) -> Matches:
    """Pairs of mentions in one chain: BLANC's first half."""
    overlap, rows, columns = _overlaps(first, second)
    common = _pairs(overlap).sum()
    return Matches(
        float(common), float(_pairs(rows).sum()), float(common), float(_pairs(columns).sum())
    )


def other_links(first: Chains, second: Chains) -> Matches:
    """Pairs of mentions in two chains: BLANC's second half."""
    overlap, rows, columns = _overlaps(first, second)
    together = overlap.sum()
    common = (
        _pairs(together)
        - _pairs(overlap.sum(axis=1)).sum()
        - _pairs(overlap.sum(axis=0)).sum()
        + _pairs(overlap).sum()
    )
    return Matches(
        float(common),
        float(_pairs(rows.sum()) - _pairs(rows).sum()),
        float(common),
        float(_pairs(columns.sum()) - _pairs(columns).sum()),
    )


SCORES: dict[str, tuple[Callable[[Chains, Chains], Matches], ...]] = {
    "muc": (muc,),
    "b_cubed": (b_cubed,),
    "ceaf_m": (ceaf_mentions,),
    "ceaf_e": (ceaf_entities,),
    "blanc": (coreference_links, other_links),
}


def coreference_matches(score: str, first: Chains, second: Chains) -> tuple[Matches, ...]:
    """The additive counts of a score of SCORES (two for BLANC) on one document."""
    if score not in SCORES:
        raise MetricsError(f"unknown coreference score {score!r}; known: {', '.join(SCORES)}")
    first, second = np.asarray(first), np.asarray(second)
    if first.shape != second.shape or first.ndim != 1:
        raise MetricsError(
            f"chains have shapes {first.shape} and {second.shape}; expected one number a mention"
        )
    return tuple(part(first, second) for part in SCORES[score])


def coreference_agreement(score: str, documents: list[NDArray[np.integer]]) -> Estimate:
    """F between annotators over documents, each (M, A): counts of all pairs of annotators added.

    BLANC is the mean of its two F. nan when no pair of annotators marked anything to link. In
    [0, 1]; not corrected for chance.
    """
    parts: list[tuple[Matches, ...]] = []
    n_annotators = 0
    for chains in documents:
        if chains.ndim != 2:
            raise MetricsError(f"chains have shape {chains.shape}; expected (mentions, annotators)")
        n_annotators = max(n_annotators, chains.shape[1])
        parts += [
            coreference_matches(score, chains[:, a], chains[:, b])
            for a, b in combinations(range(chains.shape[1]), 2)
        ]
    totals = [sum(half[1:], half[0]) for half in zip(*parts, strict=True)]
    defined = [half.f_measure for half in totals if not math.isnan(half.f_measure)]
    return Estimate(
        score,
        float(np.mean(defined)) if defined else math.nan,
        reason=None if defined else Reason(ReasonCode.NO_MENTION_LINKED),
        n_items=sum(chains.shape[0] for chains in documents),
        n_annotators=n_annotators,
        signature=Signature(score, between="annotators", input=input_hash(documents)),
        detail={
            f"{name}_{part}": value
            for part, half in enumerate(totals)
            for name, value in zip(("first", "second"), half.shares, strict=True)
        },
    )


def chain_matrix(documents: list[NDArray[np.integer]], annotators: tuple[str, ...]) -> LabelMatrix:
    """Mentions as items, labelled with the set of mentions of their chain (Passonneau 2004).

    documents  each (M, A) as above. A mention that an annotator did not mark has no label.
    Categories are the distinct sets of all documents, with their `members`; use
    `compute("krippendorff_alpha", …, distance="passonneau2004" | "masi" | "jaccard")`. Memory grows
    with the square of the number of distinct chains: a few thousand at most.
    """
    n_mentions = sum(chains.shape[0] for chains in documents)
    codes = np.full((n_mentions, len(annotators)), -1, dtype=np.int32)
    document_of = np.repeat(
        np.arange(len(documents)), [chains.shape[0] for chains in documents]
    ).astype(np.int64)
    known: dict[tuple[int, ...], int] = {}
    start = 0
    for chains in documents:
        if chains.shape[1] != len(annotators):
            raise MetricsError(f"{chains.shape[1]} chainings for {len(annotators)} annotators")
        for a in range(len(annotators)):
            for chain in np.unique(chains[:, a]):
                if chain == UNMARKED:
                    continue
                mentions = np.nonzero(chains[:, a] == chain)[0] + start
                code = known.setdefault(tuple(mentions.tolist()), len(known))
                codes[mentions, a] = code
        start += chains.shape[0]
    members = np.zeros((len(known), n_mentions), dtype=bool)
    for mentions_of, code in known.items():
        members[code, list(mentions_of)] = True
    tagset = tuple(",".join(map(str, mentions_of)) for mentions_of in known)
    return LabelMatrix(
        codes=codes, tagset=tagset, annotators=annotators, documents=document_of, members=members
    )


def _overlaps(
    first: Chains, second: Chains
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Mentions in common of each two chains (C1, C2), and the sizes of the chains."""
    row_names, rows = np.unique(first[first != UNMARKED], return_counts=True)
    column_names, columns = np.unique(second[second != UNMARKED], return_counts=True)
    both = (first != UNMARKED) & (second != UNMARKED)
    overlap = np.zeros((row_names.size, column_names.size), dtype=np.int64)
    at = np.searchsorted(row_names, first[both]), np.searchsorted(column_names, second[both])
    np.add.at(overlap, at, 1)
    return overlap, rows.astype(np.int64), columns.astype(np.int64)


def _muc_links(chains: Chains, cutting: Chains) -> tuple[float, float]:
    overlap, sizes, _ = _overlaps(chains, cutting)
    # Mentions the other annotator did not mark are parts of one mention each.
    parts = (overlap > 0).sum(axis=1) + sizes - overlap.sum(axis=1)
    return float((sizes - parts).sum()), float((sizes - 1).sum())


def _best_matching(similarity: NDArray[np.float64]) -> float:
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(similarity, maximize=True)
    return float(similarity[rows, columns].sum())


def _pairs(n: NDArray[np.int64]) -> NDArray[np.int64]:
    return n * (n - 1) // 2
