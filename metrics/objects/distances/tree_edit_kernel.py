"""The kernel of the tree edit distance, compiled when it is first used."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Ints
from ...compiling import njit


@njit(cache=True, nogil=True, error_model="numpy")
def edits_of_pairs(pairs: Ints, starts: Ints, labels: Ints, leftmost: Ints) -> Floats:
    """Return the edits between pairs of trees (Zhang & Shasha 1989, section 3).

    pairs             the two trees of each pair (n_pairs, 2)
    starts            first node of each tree in `labels` and `leftmost`, and their end
    labels, leftmost  label and leftmost leaf of each node, nodes in post-order
    """
    n_most = np.diff(starts).max() if starts.size > 1 else 0
    of_trees = np.zeros((n_most, n_most), dtype=np.int64)
    of_forests = np.zeros((n_most + 1, n_most + 1), dtype=np.int64)
    edits = np.zeros(pairs.shape[0])
    for k in range(pairs.shape[0]):
        one = slice(starts[pairs[k, 0]], starts[pairs[k, 0] + 1])
        two = slice(starts[pairs[k, 1]], starts[pairs[k, 1] + 1])
        left1, left2 = leftmost[one], leftmost[two]
        for i in _key_roots(left1):
            for j in _key_roots(left2):
                _fill(i, j, left1, left2, labels[one], labels[two], of_trees, of_forests)
        edits[k] = of_trees[left1.size - 1, left2.size - 1]
    return edits


@njit(cache=True, nogil=True, error_model="numpy")
def _key_roots(leftmost: Ints) -> Ints:
    """Return the nodes that are a root or have a sibling on their left."""
    roots = np.empty(leftmost.size, dtype=np.int64)
    seen = np.zeros(leftmost.size, dtype=np.bool_)
    n = leftmost.size
    for node in range(leftmost.size - 1, -1, -1):
        if not seen[leftmost[node]]:
            seen[leftmost[node]] = True
            n -= 1
            roots[n] = node
    return roots[n:]


@njit(cache=True, nogil=True, error_model="numpy")
def _fill(
    i: int,
    j: int,
    left1: Ints,
    left2: Ints,
    labels1: Ints,
    labels2: Ints,
    of_trees: Ints,
    of_forests: Ints,
) -> None:
    """Fill in the edits between all trees on the left edges of the trees below i and j.

    of_trees    edits between the trees below each two nodes
    of_forests  scratch: edits between the forests of the first nodes of both
    """
    base1, base2 = left1[i] - 1, left2[j] - 1
    of_forests[0, 0] = 0
    for x in range(1, i - base1 + 1):
        of_forests[x, 0] = x
    for y in range(1, j - base2 + 1):
        of_forests[0, y] = y
    for x in range(1, i - base1 + 1):
        node1 = base1 + x
        for y in range(1, j - base2 + 1):
            node2 = base2 + y
            best = min(of_forests[x - 1, y], of_forests[x, y - 1]) + 1
            if left1[node1] == left1[i] and left2[node2] == left2[j]:
                relabel = 0 if labels1[node1] == labels2[node2] else 1
                best = min(best, of_forests[x - 1, y - 1] + relabel)
                of_trees[node1, node2] = best
            else:
                before1, before2 = left1[node1] - 1 - base1, left2[node2] - 1 - base2
                best = min(best, of_forests[before1, before2] + of_trees[node1, node2])
            of_forests[x, y] = best
