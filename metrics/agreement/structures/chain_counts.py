"""Additive counts of coreference chains, from which a campaign's agreement on chains is computed.

Links join mentions into chains; mentions are places where units of annotators are aligned. α needs
the distances of all pairs of chains of the campaign; chains of different documents have no common
mention, so their distance is 1 and they need not be compared.

Sources: Passonneau 2004, 2006 (α with distances between sets of mentions); the sources of F between
annotators are in `metrics.coreference`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...arrays import Flags, Floats, Ints, divide
from ...beyond_chance import beyond_chance
from ...bootstrap import total_over_documents
from ...coreference import (
    BETWEEN_ANNOTATORS,
    COUNTED,
    UNMARKED,
    Chains,
    coreference_counts,
    coreference_f,
)
from ...estimate import Estimate, estimate
from ...intervals.evaluate import Resampled, evaluate
from ...intervals.interval import add_interval
from ...options import NO_INTERVALS, Sampling
from ...reason import Reason, ReasonCode
from ...signature import How, input_hash
from ..distances import set_distance_table

DISTANCES = ("passonneau2004", "masi")


@dataclass(frozen=True, slots=True)
class ChainCounts:
    """Counts of D documents, N mentions, A annotators; S scores in COUNTED, T distances.

    matches   float64 (D, S, 4): `coreference_counts`, added over all pairs of annotators
    observed  float64 (D, T): Σ over mentions of Σ over ordered pairs of labels of δ / (m − 1)
    within    float64 (D, T): Σ over ordered pairs of the document's labels of δ
    n_labels  int64 (D,): labels on mentions that have at least two annotators
    n_mentions  int64 (D,): places that any annotator put in a chain
    n_chains  int64 (D,): chains of at least two mentions
    """

    matches: Floats
    observed: Floats
    within: Floats
    n_labels: Ints
    n_mentions: Ints
    n_chains: Ints

    @property
    def n_documents(self) -> int:
        return self.n_labels.shape[0]

    def documents(self, those: NDArray[np.integer]) -> ChainCounts:
        """Return the counts of these documents alone."""
        return ChainCounts(*(getattr(self, f.name)[those] for f in fields(self)))

    def total(self) -> ChainCounts:
        """Add the counts of all documents (D = 1)."""
        labels = self.n_labels.sum()
        apart = labels**2 - (self.n_labels**2).sum()  # pairs of labels from different documents
        sums = [
            getattr(self, name).sum(axis=0, keepdims=True)
            for name in ("matches", "observed", "within", "n_labels", "n_mentions", "n_chains")
        ]
        sums[2] = sums[2] + apart
        return ChainCounts(*sums)


def chains_of_links(present: Flags, sources: Chains, targets: Chains, owners: Chains) -> Ints:
    """Return chains int64 (N, A) at the N of the P places that any annotator linked.

    present                  bool (P, A): annotator a has a unit at place p
    sources, targets, owners (R,): links

    Units joined by the links of one annotator are one chain. A unit that only other annotators
    linked is a chain of its own; an annotator without a unit there did not mark the mention.
    """
    n_places, n_annotators = present.shape
    chain = np.tile(np.arange(n_places)[:, None], (1, n_annotators))
    for source, target, owner in zip(sources, targets, owners, strict=True):
        one, other = chain[source, owner], chain[target, owner]
        if one != other:
            column = chain[:, owner]
            column[column == max(one, other)] = min(one, other)
    chain[~present] = UNMARKED
    linked = np.unique(np.concatenate([sources, targets])).astype(np.int64)
    return chain[linked]


def chain_counts(chains: NDArray[np.integer]) -> ChainCounts:
    """Count one document (D = 1); chains int (N, A), as in `metrics.coreference`."""
    n_annotators = chains.shape[1]
    matches = np.zeros((1, len(COUNTED), 4))
    for a, b in combinations(range(n_annotators), 2):
        matches[0] += coreference_counts(chains[:, a], chains[:, b])
    codes, members = _code_mention_sets(chains)
    n_given = (codes >= 0).sum(axis=1)
    codes, n_given = codes[n_given > 1], n_given[n_given > 1]
    used = np.bincount(codes[codes >= 0], minlength=members.shape[0]).astype(np.float64)
    observed, within = np.zeros((1, len(DISTANCES))), np.zeros((1, len(DISTANCES)))
    for t, name in enumerate(DISTANCES if codes.size else ()):
        table = set_distance_table(name, members)
        within[0, t] = used @ table @ used
        for a, b in combinations(range(n_annotators), 2):
            both = (codes[:, a] >= 0) & (codes[:, b] >= 0)
            of_pair = table[codes[both, a], codes[both, b]]
            observed[0, t] += float((2 * of_pair / (n_given[both] - 1)).sum())
    n_long = sum(
        int((np.unique(chains[chains[:, a] >= 0, a], return_counts=True)[1] > 1).sum())
        for a in range(n_annotators)
    )
    return ChainCounts(
        matches,
        observed,
        within,
        np.array([n_given.sum()], dtype=np.int64),
        np.array([chains.shape[0]], dtype=np.int64),
        np.array([n_long], dtype=np.int64),
    )


def join_chain_counts(parts: Sequence[ChainCounts]) -> ChainCounts:
    """Concatenate the documents of all parts; at least one part."""
    return ChainCounts(
        *(
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("matches", "observed", "within", "n_labels", "n_mentions", "n_chains")
        )
    )


def chain_estimates(
    counts: ChainCounts, *, n_annotators: int, sampling: Sampling = NO_INTERVALS
) -> list[Estimate]:
    """Return α with each distance between sets, then F between annotators for each score.

    Intervals resample documents; α and F are `nan` with a reason if there is nothing to compare.
    """
    rows = _additive_rows(counts)
    statistics = [
        *(Resampled(partial(_alpha, t=t), within=(-1.0, 1.0)) for t in range(len(DISTANCES))),
        *(
            Resampled(partial(_f_of_rows, score=score), within=(0.0, 1.0))
            for score in BETWEEN_ANNOTATORS
        ),
    ]
    values = iter(evaluate(rows, statistics, sampling))
    input_ = input_hash([counts.matches, counts.observed, counts.within])

    def finished(how: How, reason: ReasonCode, observed: float, expected: float) -> Estimate:
        found = next(values)
        result = estimate(
            replace(how, input=input_),
            found.value,
            Reason(reason) if math.isnan(found.value) else None,
            confidence_level=sampling.confidence_level,
            n_items=int(counts.n_mentions.sum()),
            n_annotators=n_annotators,
            observed=observed,
            expected=expected,
        )
        return result if found.interval is None else add_interval(result, found.interval)

    alphas = []
    for t, name in enumerate(DISTANCES):
        observed, expected = _disagreements(total_over_documents(rows), t)
        alphas.append(
            finished(
                How(measure="krippendorff_alpha", distance=name),
                ReasonCode.CHAINS_ALIKE,
                1 - float(observed[0]),
                1 - float(expected[0]),
            )
        )
    return alphas + [
        finished(
            How(measure=score, between="annotators"),
            ReasonCode.NO_MENTION_LINKED,
            math.nan,
            math.nan,
        )
        for score in BETWEEN_ANNOTATORS
    ]


def _code_mention_sets(chains: NDArray[np.integer]) -> tuple[Ints, Flags]:
    """Codes (N, A) of the distinct sets of mentions, −1 for unmarked, and their members (C, N)."""
    codes = np.full(chains.shape, UNMARKED, dtype=np.int64)
    known: dict[bytes, int] = {}
    members: list[Flags] = []
    for a in range(chains.shape[1]):
        for name in np.unique(chains[chains[:, a] != UNMARKED, a]):
            inside = chains[:, a] == name
            code = known.setdefault(inside.tobytes(), len(known))
            if code == len(members):
                members.append(inside)
            codes[inside, a] = code
    return codes, np.array(members, dtype=bool).reshape(len(members), chains.shape[0])


def _additive_rows(counts: ChainCounts) -> Floats:
    """Rows (D, 2 + 2T + 4S): labels, their square, observed and within sums, and the matches."""
    labels = counts.n_labels.astype(np.float64)[:, None]
    matches = counts.matches.reshape(counts.n_documents, -1)
    return np.hstack([labels, labels**2, counts.observed, counts.within, matches])


_N_SUMS = 2 + 2 * len(DISTANCES)


def _disagreements(sums: Floats, t: int) -> tuple[Floats, Floats]:
    """D_o and D_e (B,) from sums of `_additive_rows`; nan below two labels."""
    n = sums[:, 0]
    # chains of different documents, or of two draws of the same document, have distance 1
    cross = n**2 - sums[:, 1]
    observed, within = sums[:, 2 + t], sums[:, 2 + len(DISTANCES) + t]
    several = n > 1
    return (
        np.where(several, divide(observed, n), np.nan),
        np.where(several, divide(within + cross, n * (n - 1)), np.nan),
    )


def _alpha(sums: Floats, t: int) -> Floats:
    return beyond_chance(*_disagreements(sums, t))


def _f_of_rows(sums: Floats, score: str) -> Floats:
    return coreference_f(sums[:, _N_SUMS:].reshape(-1, len(COUNTED), 4), score)
