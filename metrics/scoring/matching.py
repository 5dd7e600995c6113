"""One-to-one matching of a system's units with a reference's, exact and in one sweep.

Units of both sides are in one list sorted by (document, end, length, category, side). Equal units
are then neighbours, and a greedy sweep finds the largest number of overlapping pairs: take the
remaining unit that ends first. Every unit that it overlaps ends later and contains its last point,
so, of these, units that end sooner overlap no more of the rest than units that end later. Pairing
it with the one that ends soonest therefore never loses a pair (an exchange argument, as in interval
scheduling). The sweep is also correct for nested and overlapping units.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..arrays import Ints
from ..compiling import njit
from .unit_rows import Units

NONE = -1
_BLOCK = 64
_NO_START = np.iinfo(np.int64).max


class SortedUnits(NamedTuple):
    """Both sides in one sorted list of R + S units; `order` has the original indices."""

    order: Ints
    documents: Ints
    starts: Ints
    ends: Ints
    categories: Ints
    sides: Ints  # 0 reference, 1 system


def sort_units(reference: Units, system: Units) -> SortedUnits:
    """Sort both sides by (document, end, length, category, side)."""
    documents, starts, ends, categories = (
        np.concatenate(pair) for pair in zip(reference.arrays(), system.arrays(), strict=True)
    )
    sides = np.zeros(documents.size, dtype=np.int64)
    sides[len(reference) :] = 1
    order = _sort_order([documents, ends, ends - starts, categories + 1, sides])
    return SortedUnits(
        order, documents[order], starts[order], ends[order], categories[order], sides[order]
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


@njit(cache=True)
def identical(units: SortedUnits, category: bool, partners: Ints) -> None:
    """Pair units with the same bounds (and category), among units without a partner.

    partners  int64 (R + S,) in sorted order, -1 for none: changed in place
    """
    documents, starts, ends = units.documents, units.starts, units.ends
    categories, sides = units.categories, units.sides
    n_units = starts.shape[0]
    first = 0
    while first < n_units:
        last = first + 1
        while (
            last < n_units
            and documents[last] == documents[first]
            and ends[last] == ends[first]
            and starts[last] == starts[first]
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
def overlapping(units: SortedUnits, category: bool, partners: Ints) -> None:
    """Pair the largest possible number of overlapping units among units without a partner.

    With `category`, only units of the same category are paired. Units that only touch do not
    overlap. `partners` as in `identical`.
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
