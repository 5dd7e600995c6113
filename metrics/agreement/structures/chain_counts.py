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
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...arrays import Flags, Floats, Ints
from ...bootstrap import METHOD, draw_resamples, expanded_percentile
from ...coreference import (
    BETWEEN_ANNOTATORS,
    COUNTED,
    UNMARKED,
    Chains,
    coreference_counts,
    coreference_f,
)
from ...estimate import NO_INTERVAL, Estimate, estimate
from ...reason import Reason, ReasonCode
from ...signature import How, IntervalMethod, input_hash
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
    counts: ChainCounts,
    *,
    n_annotators: int,
    n_replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> list[Estimate]:
    """Return α with each distance between sets, then F between annotators for each score.

    Intervals resample documents and are `nan` below two documents; α and F are `nan` with a reason
    if there is nothing to compare.
    """
    ones = np.ones((1, counts.n_documents))
    weights = np.empty((0, counts.n_documents))
    if n_replicates and counts.n_documents > 1:
        each, rng = np.ones(counts.n_documents, np.int64), np.random.default_rng(seed)
        weights = np.concatenate(list(draw_resamples(each, n_replicates, rng, together=True)))
    input_ = input_hash([counts.matches, counts.observed, counts.within])
    found = []

    def add(
        how: How,
        values: Floats,
        drawn: Floats,
        reason: Reason,
        observed: float = math.nan,
        expected: float = math.nan,
    ) -> None:
        usable = drawn[np.isfinite(drawn)]
        interval = NO_INTERVAL
        if usable.size > 1 and math.isfinite(values[0]):
            interval = expanded_percentile(usable, level, counts.n_documents)
        found.append(
            estimate(
                replace(
                    how,
                    interval=None
                    if interval is NO_INTERVAL
                    else IntervalMethod(METHOD, "documents", level),
                    replicates=n_replicates or None,
                    seed=seed if n_replicates else None,
                    input=input_,
                ),
                float(values[0]),
                None if math.isfinite(values[0]) else reason,
                interval,
                level=level,
                n_items=int(counts.n_mentions.sum()),
                n_annotators=n_annotators,
                observed=observed,
                expected=expected,
            )
        )

    for t, name in enumerate(DISTANCES):
        observed, expected = _disagreements(counts, t, ones)
        add(
            How(measure="krippendorff_alpha", distance=name),
            _alpha_from_disagreements(observed, expected),
            _alpha_from_disagreements(*_disagreements(counts, t, weights)),
            Reason(ReasonCode.CHAINS_ALIKE),
            observed=1 - float(observed[0]),
            expected=1 - float(expected[0]),
        )
    sums, drawn_sums = (np.tensordot(w, counts.matches, axes=1) for w in (ones, weights))
    for score in BETWEEN_ANNOTATORS:
        add(
            How(measure=score, between="annotators"),
            coreference_f(sums, score),
            coreference_f(drawn_sums, score),
            Reason(ReasonCode.NO_MENTION_LINKED),
        )
    return found


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


def _disagreements(counts: ChainCounts, t: int, weights: Floats) -> tuple[Floats, Floats]:
    """D_o and D_e (B,) of resamples of documents, weights (B, D); nan below two labels."""
    labels = counts.n_labels.astype(np.float64)
    n = weights @ labels
    # chains of different documents, or of two draws of the same document, have distance 1
    cross = n**2 - weights @ labels**2
    n_pairs = n * (n - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        observed = np.where(n > 1, weights @ counts.observed[:, t] / n, np.nan)
        expected = np.where(n > 1, (weights @ counts.within[:, t] + cross) / n_pairs, np.nan)
    return observed, expected


def _alpha_from_disagreements(observed: Floats, expected: Floats) -> Floats:
    out = np.full(observed.shape, np.nan)
    defined = expected > 1e-12
    out[defined] = 1 - observed[defined] / expected[defined]
    return out
