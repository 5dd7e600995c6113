"""One-to-one matching of the units of two sides, with the largest possible number of pairs.

The sides are a reference and a system, or two annotators: both sides of the wall, agreement and
scores, use this module. `pair_units` takes the match by its name:

| match | a pair has |
|---|---|
| exact | the same bounds, gaps and category |
| bounds | the same bounds and gaps |
| partial | the same bounds and gaps, or an overlap |
| overlap | an overlap |
| type | an overlap and the same category |

Units of both sides are in one list sorted by (document, end, length, gaps, category, side). Equal
units are then neighbours, and a greedy sweep finds the largest number of overlapping pairs: take
the remaining unit that ends first. Every unit that it overlaps ends later and contains its last
point, so, of these, units that end sooner overlap no more of the rest than units that end later.
Pairing it with the one that ends soonest therefore never loses a pair (an exchange argument, as in
interval scheduling). The sweep is also correct for nested and overlapping units. It does not apply
if bounds may differ by a tolerance, or if an overlap has a least size: then the largest number of
pairs is a maximum matching of the graph of the units that may be paired (Hopcroft & Karp 1973).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .arrays import Flags, Ints
from .compiling import njit
from .errors import MetricsError
from .measure import MATCHES, Match
from .options import UnitMatching
from .unit_rows import Units

NONE = -1
_BLOCK = 64
_ROUNDING = 1e-9  # of a share of whole lengths
_NO_START = np.iinfo(np.int64).max


class SortedUnits(NamedTuple):
    """Both sides in one sorted list of R + S units; `order` has the original indices."""

    order: Ints
    documents: Ints
    starts: Ints
    ends: Ints
    categories: Ints
    sides: Ints  # 0 the first (the reference), 1 the second (the system)
    gaps: Ints  # the same for the same fragments, 0 for a unit without gaps


STRICT = UnitMatching()


def pair_units(
    units: SortedUnits, match: Match, matching: UnitMatching = STRICT
) -> tuple[Ints, Flags]:
    """Return the partner of each unit, -1 for none, and which pairs have the same bounds.

    Both are in sorted order. Raises MetricsError for an unknown match.
    """
    partners = np.full(units.starts.size, NONE, dtype=np.int64)
    if match in ("exact", "bounds", "partial"):
        pair_identical_units(units, category=True, partners=partners)
        if match != "exact":
            # Two units with the same bounds overlap the same units: pairing them first never
            # lowers the credit.
            pair_identical_units(units, category=False, partners=partners)
        if matching.tolerance:
            partners = _most_pairs(units, *_near(units, matching.tolerance), match == "exact")
        whole = partners >= 0
        if match == "partial":
            pair_overlapping_units(units, category=False, partners=partners)
        return partners, whole
    if match not in ("overlap", "type"):
        raise MetricsError(f"match is {match!r}; it must be one of {', '.join(MATCHES)}")
    if matching.min_overlap:
        pairs = _overlapping_by(units, matching.min_overlap)
        partners = _most_pairs(units, *pairs, match == "type")
    else:
        pair_overlapping_units(units, category=match == "type", partners=partners)
    return partners, partners >= 0


def sort_units(reference: Units, system: Units) -> SortedUnits:
    """Sort both sides by (document, end, length, gaps, category, side)."""
    documents, starts, ends, categories = (
        np.concatenate(pair) for pair in zip(reference.arrays(), system.arrays(), strict=True)
    )
    gaps = np.concatenate([reference.gaps, system.gaps])
    if gaps.any():  # consecutive numbers take fewer bits of the sort's key
        gaps = np.unique(gaps, return_inverse=True)[1]
    sides = np.zeros(documents.size, dtype=np.int64)
    sides[len(reference) :] = 1
    order = _sort_order([documents, ends, ends - starts, gaps, categories + 1, sides])
    return SortedUnits(
        order,
        documents[order],
        starts[order],
        ends[order],
        categories[order],
        sides[order],
        gaps[order],
    )


def _sort_order(keys: list[Ints]) -> Ints:
    """Return the order by the first key, then the second, …; keys ≥ 0.

    The keys are packed in one integer if 63 bits are enough: one sort instead of five.
    """
    widths = [int(key.max(initial=0)).bit_length() for key in keys]
    if sum(widths) > 63:
        return np.lexsort(keys[::-1])
    packed = keys[0].copy()
    for key, width in zip(keys[1:], widths[1:], strict=True):
        packed <<= width
        packed |= key
    return np.argsort(packed, kind="stable")


def _near(units: SortedUnits, tolerance: int) -> tuple[Ints, Ints]:
    """Return the pairs of units of both sides whose bounds differ by at most `tolerance`."""
    first, second = _starting_within(units, tolerance, tolerance)
    near = np.abs(units.ends[first] - units.ends[second]) <= tolerance
    return first[near], second[near]


def _overlapping_by(units: SortedUnits, least: float) -> tuple[Ints, Ints]:
    """Return the pairs of units of both sides with a Jaccard overlap of at least `least` > 0.

    With lengths l and m and the starts s and t, the overlap is at most (l + s - t) / l if t > s and
    (m + t - s) / m otherwise, and m is at most l / least: this limits the starts to search.
    """
    lengths = units.ends - units.starts
    reach = (1 - least) * lengths[units.sides == 0]
    farthest = float(units.starts.max(initial=0))
    before = np.ceil(np.minimum(reach / least, farthest)).astype(np.int64)
    first, second = _starting_within(units, before, np.ceil(reach).astype(np.int64))
    shared = np.minimum(units.ends[first], units.ends[second]) - np.maximum(
        units.starts[first], units.starts[second]
    )
    joint = lengths[first] + lengths[second] - shared
    enough = (shared > 0) & (shared >= least * joint - _ROUNDING)
    return first[enough], second[enough]


def _starting_within(
    units: SortedUnits, before: Ints | int, after: Ints | int
) -> tuple[Ints, Ints]:
    """Return pairs (first side, second side) of one document whose second unit starts near.

    before, after  how far from the first unit's start, for each unit of the first side
    """
    first, second = np.flatnonzero(units.sides == 0), np.flatnonzero(units.sides == 1)
    margin = int(np.max(before, initial=0)) + int(np.max(after, initial=0))
    step = int(units.ends.max(initial=0)) + margin + 1  # documents are farther apart than any reach
    at = units.documents * step + units.starts
    second = second[np.argsort(at[second], kind="stable")]
    low = np.searchsorted(at[second], at[first] - before, side="left")
    high = np.searchsorted(at[second], at[first] + after, side="right")
    counts = high - low
    offsets = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(first, counts), second[np.repeat(low, counts) + offsets]


def _most_pairs(units: SortedUnits, first: Ints, second: Ints, category: bool) -> Ints:
    """Return the partners of a maximum matching of these pairs, of one `category` or of any."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if category:
        same = units.categories[first] == units.categories[second]
        first, second = first[same], second[same]
    n = units.starts.size
    graph = csr_array((np.ones(first.size, dtype=np.int8), (first, second)), shape=(n, n))
    partners = maximum_bipartite_matching(graph, perm_type="column").astype(np.int64)
    paired = np.flatnonzero(partners >= 0)
    partners[partners[paired]] = paired
    return partners


@njit(cache=True)
def pair_identical_units(units: SortedUnits, category: bool, partners: Ints) -> None:
    """Pair units with the same bounds and gaps (and category), among units without a partner.

    partners  int64 (R + S,) in sorted order, -1 for none: changed in place
    """
    documents, starts, ends = units.documents, units.starts, units.ends
    categories, sides, gaps = units.categories, units.sides, units.gaps
    n_units = starts.shape[0]
    first = 0
    while first < n_units:
        last = first + 1
        while (
            last < n_units
            and documents[last] == documents[first]
            and ends[last] == ends[first]
            and starts[last] == starts[first]
            and gaps[last] == gaps[first]
            and (not category or categories[last] == categories[first])
        ):
            last += 1
        # Two pointers over the run, one for each side.
        i, j = first, first
        while i < last and j < last:
            if sides[i] != 0 or partners[i] >= 0:
                i += 1
            elif sides[j] != 1 or partners[j] >= 0:
                j += 1
            else:
                partners[i], partners[j] = j, i
                i += 1
                j += 1
        first = last


@njit(cache=True)
def pair_overlapping_units(units: SortedUnits, category: bool, partners: Ints) -> None:
    """Pair the largest possible number of overlapping units among units without a partner.

    With `category`, only units of the same category are paired. Units that only touch do not
    overlap. `partners` as in `pair_identical_units`.
    """
    documents, starts, ends = units.documents, units.starts, units.ends
    categories, sides = units.categories, units.sides
    n_units = starts.shape[0]
    # Smallest start of this and the later units of the document, to stop the search early.
    earliest = np.empty(n_units, dtype=np.int64)
    # Smallest start of each side's free units in each block, to skip blocks. Without it, a unit
    # that spans a whole document would be compared with all other units.
    blocks = np.full((2, n_units // _BLOCK + 1), _NO_START)
    for i in range(n_units - 1, -1, -1):
        earliest[i] = starts[i]
        if i + 1 < n_units and documents[i + 1] == documents[i]:
            earliest[i] = min(starts[i], earliest[i + 1])
        if partners[i] < 0:
            blocks[sides[i], i // _BLOCK] = min(blocks[sides[i], i // _BLOCK], starts[i])
    for i in range(n_units):
        if partners[i] >= 0:
            continue
        j = i + 1
        while j < n_units and documents[j] == documents[i] and earliest[j] < ends[i]:
            if blocks[1 - sides[i], j // _BLOCK] >= ends[i]:
                j = (j // _BLOCK + 1) * _BLOCK
                continue
            if (
                partners[j] < 0
                and sides[j] != sides[i]
                and starts[j] < ends[i]
                and (not category or categories[j] == categories[i])
            ):
                partners[i], partners[j] = j, i
                break
            j += 1
            if j % _BLOCK == 0:
                # No partner in this block: update its minimum; units may have been paired since.
                _refresh_block(blocks, j // _BLOCK - 1, 1 - sides[i], starts, sides, partners)


@njit(cache=True)
def _refresh_block(
    blocks: Ints,
    block: int,
    side: int,
    starts: Ints,
    sides: Ints,
    partners: Ints,
) -> None:
    """Recompute the smallest start of a side's free units in one block."""
    blocks[side, block] = _NO_START
    for u in range(block * _BLOCK, (block + 1) * _BLOCK):
        if sides[u] == side and partners[u] < 0:
            blocks[side, block] = min(blocks[side, block], starts[u])
