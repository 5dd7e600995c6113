"""A hidden Markov model of annotated segments: what is there, and how each annotator errs.

Along a chain of segments the truth z is in or outside a unit of the category. An annotator's mark l
of a segment depends on the mark before it and on the truth before and now, P(l | l', z', z): so a
late start, an early end, an overrun, a spurious unit that continues and a missed unit each have a
rate, and the segments of one long error are not taken for independent errors. (Nguyen et al. 2017
let the mark depend on z alone, Simpson & Gurevych 2019 on z and l'.) A bound of the truth, or of an
annotator where the truth has none, could have been at any offset of a unit: it has the density of
1 / length. Two annotators with the very same bound are therefore evidence that the truth has it, as
erring alike is improbable. Rates by EM: an annotator's
are drawn to all annotators' with the weight of `strength` segments, those of a category to the
annotator's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...compiling import njit
from .segments import OTHER, SAME, SegmentChain

_MARKS = 3
_NEVER = -1e300  # log 0, which can still be added
_SHORTEST = 2.0  # of the lengths over which bounds are spread
_KNOWN = 1e-6  # how often a known annotation is wrong: not 0, so that chains remain possible


@dataclass(frozen=True, slots=True)
class SequenceModel:
    """Rates of a fit.

    log_rates        float64 (A, K, 2, 2, 3, 3): log P(l | l', z', z) at [a, k, z', z, l', l]
    log_transitions  float64 (K, 2, 2): log P(z | z'); both with the densities of bounds
    objective        log-likelihood at each round
    """

    log_rates: NDArray[np.float64]
    log_transitions: NDArray[np.float64]
    objective: tuple[float, ...]
    converged: bool

    def posteriors(self, chains: Sequence[SegmentChain]) -> list[NDArray[np.float64]]:
        """P(the segment is in a unit | all marks) of each chain, (S,) each in [0, 1]."""
        packed = _Packed.of(chains)
        found, *_ = packed.expect(self.log_rates, self.log_transitions)
        return packed.by_chain(found)


@dataclass(frozen=True, slots=True)
class _Packed:
    """Chains in flat arrays, each with a segment without any mark before and after."""

    marks: NDArray[np.int64]  # annotator by annotator, chain after chain
    annotators: NDArray[np.int64]
    categories: NDArray[np.int64]
    mark_at: NDArray[np.int64]
    annotator_at: NDArray[np.int64]
    segment_at: NDArray[np.int64]

    @classmethod
    def of(cls, chains: Sequence[SegmentChain]) -> _Packed:
        marks = [np.pad(one.marks, ((0, 0), (1, 1))) for one in chains]

        def starts(sizes: list[int]) -> NDArray[np.int64]:
            return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

        empty = np.empty(0, dtype=np.int64)
        return cls(
            np.concatenate([empty, *(one.ravel() for one in marks)]).astype(np.int64),
            np.concatenate([empty, *(one.annotators for one in chains)]),
            np.array([one.category for one in chains], dtype=np.int64),
            starts([one.size for one in marks]),
            starts([one.shape[0] for one in marks]),
            starts([one.shape[1] for one in marks]),
        )

    def expect(
        self, log_rates: NDArray[np.float64], log_transitions: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], float]:
        posterior = np.zeros(int(self.segment_at[-1]))
        counts, moves = np.zeros(log_rates.shape), np.zeros(log_transitions.shape)
        likelihood = _expectation_step(
            self.marks, self.annotators, self.categories, self.mark_at, self.annotator_at,
            self.segment_at, log_rates, log_transitions, posterior, counts, moves,
        )  # fmt: skip
        return posterior, counts, moves, float(likelihood)

    def by_chain(self, values: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        at = self.segment_at.tolist()
        return [values[first + 1 : last - 1] for first, last in pairwise(at)]


def fit_sequence_model(
    chains: Sequence[SegmentChain],
    n_annotators: int,
    lengths: NDArray[np.float64],
    *,
    known: Sequence[int] = (),
    strength: float = 20.0,
    max_rounds: int = 60,
    tolerance: float = 1e-6,
) -> SequenceModel:
    """Rates of annotators by EM, from the shares of marks.

    lengths    float64 (K,): length of a usual unit of each category
    known      annotators whose marks are the truth (gold), wherever they stand
    strength   segments that draw an annotator's rates to all annotators'
    tolerance  stop when the log-likelihood per mark gains less
    """
    packed = _Packed.of(chains)
    n_categories = lengths.size
    density = -np.log(np.maximum(lengths, _SHORTEST))
    is_change = ~np.eye(_MARKS, dtype=bool)
    unexplained = np.eye(2)[:, :, None, None] * is_change  # l changes, z does not
    shape = (n_annotators, n_categories, 2, 2, _MARKS, _MARKS)
    counts, moves = np.zeros(shape), np.zeros((n_categories, 2, 2))
    for one in chains:
        _add_votes(one, counts[:, one.category], moves[one.category], list(known))
    objective: list[float] = []
    converged = False
    while len(objective) < max_rounds and not converged:
        log_rates = np.log(_pooled_rates(counts, strength))
        log_rates += density[:, None, None, None, None] * unexplained
        for a in known:
            log_rates[a] = _gold_log_rates()
        log_transitions = np.log(
            _row_shares(moves + strength * _row_shares(moves.sum(axis=0) + 1.0))
        )
        log_transitions += density[:, None, None] * (1 - np.eye(2))
        _, counts, moves, likelihood = packed.expect(log_rates, log_transitions)
        counts[list(known)] = 0.0
        objective.append(likelihood)
        if len(objective) > 1:
            converged = abs(objective[-1] - objective[-2]) < tolerance * packed.marks.size
    return SequenceModel(log_rates, log_transitions, tuple(objective), converged)


def _row_shares(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = counts / counts.sum(axis=-1, keepdims=True)
    return shares


def _pooled_rates(counts: NDArray[np.float64], strength: float) -> NDArray[np.float64]:
    """Rates (A, K, …): of all, then of each annotator, then of each of their categories."""
    pool = _row_shares(counts.sum(axis=(0, 1)) + 0.5)
    if counts.shape[1] == 1:
        return _row_shares(counts + strength * pool)
    own = _row_shares(counts.sum(axis=1, keepdims=True) + strength * pool)
    return _row_shares(counts + strength * own)


def _gold_log_rates() -> NDArray[np.float64]:
    """Log rates of an annotator whose mark is SAME exactly where the truth is in a unit."""
    rates = np.full((2, 2, _MARKS, _MARKS), _KNOWN)
    rates[:, 1, :, SAME] = 1.0
    rates[:, 0, :, [0, OTHER]] = 1.0
    logs: NDArray[np.float64] = np.log(rates)
    return logs


def _add_votes(
    chain: SegmentChain, counts: NDArray[np.float64], moves: NDArray[np.float64], known: list[int]
) -> None:
    """Counts as if the share of annotators who mark a segment were its posterior, in place."""
    marks = np.pad(chain.marks, ((0, 0), (1, 1)))
    share = (marks == SAME).mean(axis=0)
    gold = np.isin(chain.annotators, known)
    if gold.any():
        share = (marks[gold] == SAME).mean(axis=0)
    inside = np.stack([1 - share, share])
    for before in (0, 1):
        for now in (0, 1):
            weight = inside[before, :-1] * inside[now, 1:]
            moves[before, now] += weight.sum()
            who = np.broadcast_to(chain.annotators[:, None], marks[:, 1:].shape)
            cells = (who, marks[:, :-1].astype(np.int64), marks[:, 1:].astype(np.int64))
            np.add.at(counts[:, before, now], cells, np.broadcast_to(weight, who.shape))


@njit(cache=True)
def _log_sum(a: float, b: float) -> float:
    high = max(a, b)
    return high + np.log(np.exp(a - high) + np.exp(b - high))


@njit(cache=True)
def _expectation_step(
    marks: NDArray[np.int64],
    annotators: NDArray[np.int64],
    categories: NDArray[np.int64],
    mark_at: NDArray[np.int64],
    annotator_at: NDArray[np.int64],
    segment_at: NDArray[np.int64],
    log_rates: NDArray[np.float64],
    log_transitions: NDArray[np.float64],
    posterior: NDArray[np.float64],
    counts: NDArray[np.float64],
    moves: NDArray[np.float64],
) -> float:
    """Forward and backward over every chain; posteriors and expected counts change in place.

    Returns the log-likelihood. Chains begin and end outside.
    """
    total = 0.0
    for c in range(categories.shape[0]):
        k, n_annotators = categories[c], annotator_at[c + 1] - annotator_at[c]
        first, length = segment_at[c], segment_at[c + 1] - segment_at[c]
        steps = np.empty((length, 2, 2))
        for t in range(1, length):
            for y in range(2):
                for z in range(2):
                    score = log_transitions[k, y, z]
                    for i in range(n_annotators):
                        a, at = annotators[annotator_at[c] + i], mark_at[c] + i * length + t
                        score += log_rates[a, k, y, z, marks[at - 1], marks[at]]
                    steps[t, y, z] = score
        forward, backward = np.full((length, 2), _NEVER), np.zeros((length, 2))
        forward[0, 0] = 0.0
        for t in range(1, length):
            for z in range(2):
                forward[t, z] = _log_sum(
                    forward[t - 1, 0] + steps[t, 0, z], forward[t - 1, 1] + steps[t, 1, z]
                )
        backward[length - 1, 1] = _NEVER
        for t in range(length - 2, -1, -1):
            for y in range(2):
                backward[t, y] = _log_sum(
                    steps[t + 1, y, 0] + backward[t + 1, 0], steps[t + 1, y, 1] + backward[t + 1, 1]
                )
        likelihood = forward[length - 1, 0]
        total += likelihood
        for t in range(length):
            posterior[first + t] = min(1.0, np.exp(forward[t, 1] + backward[t, 1] - likelihood))
        for t in range(1, length):
            for y in range(2):
                for z in range(2):
                    share = np.exp(forward[t - 1, y] + steps[t, y, z] + backward[t, z] - likelihood)
                    moves[k, y, z] += share
                    for i in range(n_annotators):
                        a, at = annotators[annotator_at[c] + i], mark_at[c] + i * length + t
                        counts[a, k, y, z, marks[at - 1], marks[at]] += share
    return total
