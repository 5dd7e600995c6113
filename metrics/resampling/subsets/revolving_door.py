"""Kernel: the k-subsets of n annotators in revolving-door order, any range of ranks.

In this order each subset differs from the previous one by one annotator who leaves and one who
enters (Nijenhuis & Wilf 1978; Kreher & Stinson 1999, algorithms 2.11–2.13), so counts are updated,
not recomputed; any rank can be computed directly, so the work can be split anywhere.
"""

from __future__ import annotations

from ...arrays import Ints
from ...compiling import njit


@njit(cache=True, nogil=True)
def binomial_coefficient(n: int, k: int) -> int:
    """Return C(n, k) in int64: exact as long as it is below 2^63 / n (n ≤ 60 for every k)."""
    ways = 1
    for i in range(min(k, n - k)):
        ways = ways * (n - i) // (i + 1)
    return ways if 0 <= k <= n else 0


@njit(cache=True, nogil=True)
def subset_at_rank(rank: int, n: int, members: Ints) -> None:
    """Write the subset of a rank to `members`, int64 (k + 1,), ascending, 0-based.

    members[k] is set to n, the sentinel that `next_subset` needs.
    """
    k = members.shape[0] - 1
    members[k] = n
    x = n
    for i in range(k, 0, -1):
        ways = binomial_coefficient(x, i)
        while ways > rank:
            x -= 1
            ways = binomial_coefficient(x, i)
        members[i - 1] = x
        rank = binomial_coefficient(x + 1, i) - rank - 1


@njit(cache=True, nogil=True)
def next_subset(members: Ints) -> int:
    """Step to the next subset; return `leaves * 256 + enters`. Must not be called on the last."""
    k = members.shape[0] - 1
    j = 0
    while j < k and members[j] == j:
        j += 1
    if (k - j) % 2 == 0:
        if j == 0:
            leaves, enters = members[0], members[0] - 1
            members[0] = enters
        elif j == 1:
            leaves, enters = 0, 1
            members[0] = 1
        else:
            leaves, enters = j - 2, j
            members[j - 1] = j
            members[j - 2] = j - 1
    elif members[j + 1] != members[j] + 1:
        enters = members[j] + 1
        if j > 0:
            leaves = j - 1
            members[j - 1] = members[j]
        else:
            leaves = members[0]
        members[j] = enters
    else:
        leaves, enters = members[j + 1], j
        members[j + 1] = members[j]
        members[j] = j
    return leaves * 256 + enters
