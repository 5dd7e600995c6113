"""Majority labels of two disjoint panels of k of an item's labels, over all splits of the labels.

How often the two panels give the labels (c, d) depends only on how many annotators gave the item
each category: the numbers of labels in the panels are multivariate hypergeometric. Ties are
resolved at random, and enter with their probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..arrays import Floats, Ints, Ints32

MOST_SPLITS = 100_000  # of one item's labels
_MOST_IN_ALL = 20_000_000  # splits of all kinds of items: about a second


def can_enumerate_splits(kinds: Ints, k: int) -> bool:
    """Whether all splits are enumerated, for kinds of items with label counts int64 (V, K)."""
    n = [_number_of_panels(row[row > 0], k) ** 2 for row in kinds]
    return max(n, default=0) <= MOST_SPLITS and sum(n) <= _MOST_IN_ALL


def _number_of_panels(counts: Ints, k: int) -> int:
    """Return how many label counts a panel of k can have."""
    ways = np.ones(1)
    for n in counts.tolist():
        ways = np.convolve(ways, np.ones(min(n, k) + 1))[: k + 1]
    return int(ways[k]) if ways.size > k else 0


def majority_pair_probabilities(counts: Ints, k: int) -> Floats:
    """Return how probable each pair of majority labels is, float64 (K, K), symmetric, sum 1.

    counts  int64 (K,): at least 2 k labels
    """
    used = np.flatnonzero(counts)
    of = counts[used].astype(np.int64)
    panels = _panels(of.tolist(), k)
    log_factorial = np.array([math.lgamma(n + 1) for n in range(int(of.sum()) + 1)])

    def log_ways(within: Ints, chosen: Ints) -> Floats:
        """Log of Π C(within, chosen) over the last axis; −∞ where it is impossible."""
        rest = within - chosen
        each = log_factorial[within] - log_factorial[chosen] - log_factorial[np.maximum(rest, 0)]
        return np.asarray(np.where((rest < 0).any(axis=-1), -np.inf, each.sum(axis=-1)))

    first = log_ways(of, panels)
    second = log_ways((of - panels)[:, None, :], panels[None, :, :])
    weight = np.exp(first[:, None] + second - (first[:, None] + second).max())
    winners = panels == panels.max(axis=1, keepdims=True)
    votes = winners / winners.sum(axis=1, keepdims=True)
    table = votes.T @ (weight / weight.sum()) @ votes
    out = np.zeros((counts.size, counts.size))
    out[np.ix_(used, used)] = (table + table.T) / 2
    return out


def _panels(counts: Sequence[int], k: int) -> Ints:
    """Return every number of labels by category of a panel of k, int64 (M, K)."""
    partial: list[tuple[int, ...]] = [()]
    for n in counts[:-1]:
        partial = [(*one, more) for one in partial for more in range(min(n, k - sum(one)) + 1)]
    last = counts[-1]
    complete = [(*one, k - sum(one)) for one in partial if k - sum(one) <= last]
    return np.array(complete, dtype=np.int64).reshape(-1, len(counts))


def draw_panel_majorities(
    codes: Ints32, k: int, n_categories: int, rng: np.random.Generator
) -> Ints32:
    """Draw one split of each item's labels; return the majority labels of both panels, (N, 2)."""
    order = np.argsort(rng.random(codes.shape) + 2 * (codes < 0), axis=1)
    shuffled = np.take_along_axis(codes, order, axis=1)  # missing labels come last
    majorities = []
    for panel in (shuffled[:, :k], shuffled[:, k : 2 * k]):
        counts = (panel[:, :, None] == np.arange(n_categories)).sum(axis=1)
        majorities.append((counts + rng.random(counts.shape) / 2).argmax(axis=1))
    return np.stack(majorities, axis=1).astype(np.int32)
