"""Units of a system against a reference: matches, precision, recall, F, and types of errors.

| match | a pair has | in SemEval-2013 task 9 and nervaluate |
|---|---|---|
| exact | the same bounds, gaps and category | strict (the F of CoNLL) |
| bounds | the same bounds and gaps | exact |
| partial | the same bounds and gaps, or an overlap that counts for one half | partial |
| overlap | an overlap | – |
| type | an overlap and the same category | type (ent_type) |

Each unit is in one pair at most, and each match uses the pairing with the largest credit: the
values do not depend on the order of units and no unit is counted twice. `count_unit_errors`
classifies the units of one common pairing instead, the closest pairs first.

Sources: Segura-Bedmar, Martínez & Herrero-Zazo 2013 (SemEval-2013 task 9.1); Chinchor & Sundheim
1993 (MUC-5, correct, incorrect, partial, missing, spurious).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Ints
from ..errors import MetricsError
from ..measure import MATCHES, Match
from ..signature import input_hash
from ..unit_rows import Units
from .category_counts import CategoryCounts

ERRORS = ("correct", "wrong_category", "wrong_bounds", "wrong_both", "missed", "spurious")
NO_CATEGORY = ""  # category of units without one, added to the tagset if there are any
Bounds = NDArray[np.int64]  # (U, 2): start, end


def match_units(
    reference: Units,
    system: Units,
    *,
    tagset: Sequence[str],
    match: Match = "exact",
    n_documents: int | None = None,
) -> CategoryCounts:
    """Count the units of each document and category under one match.

    tagset       K categories; "" is added at its end if some unit has no category
    n_documents  D, if the last documents may be empty; else the largest index + 1

    Returns counts (D, K), with `tp`, `fp` and `fn`. Raises MetricsError for an unknown match, a
    category outside the tagset or a document outside 0..D-1.
    """
    return match_units_by_each(
        reference, system, tagset=tagset, matches=(match,), n_documents=n_documents
    )[match]


def match_units_by_each(
    reference: Units,
    system: Units,
    *,
    tagset: Sequence[str],
    matches: Sequence[Match] = MATCHES,
    n_documents: int | None = None,
) -> dict[Match, CategoryCounts]:
    """Count under several matches, sorting the units once. See `match_units`."""
    from ..unit_matching import pair_units, sort_units  # imports Numba, which labels do not need

    names = _tagset(reference, system, tagset)
    n_rows = _n_documents(reference, system, n_documents)
    units = sort_units(reference, system)
    of_reference = units.sides == 0
    cells = units.documents * len(names) + np.where(
        units.categories < 0, len(names) - 1, units.categories
    )

    def tally(chosen: Flags) -> Ints:
        counts = np.bincount(cells[chosen], minlength=n_rows * len(names))
        return counts.reshape(n_rows, len(names))

    n_reference, n_system = tally(of_reference), tally(~of_reference)
    digest = input_hash([*reference.hashed(), *system.hashed()])
    counts: dict[Match, CategoryCounts] = {}
    for match in matches:
        partners, whole = pair_units(units, match)
        paired = partners >= 0
        found: NDArray[np.integer | np.floating] = tally(paired & of_reference)
        right: NDArray[np.integer | np.floating] = tally(paired & ~of_reference)
        if match == "partial":
            half = paired & ~whole
            found = found - 0.5 * tally(half & of_reference)
            right = right - 0.5 * tally(half & ~of_reference)
        counts[match] = CategoryCounts(
            names, n_reference, n_system, found, right, match, input_digest=digest
        )
    return counts


def count_unit_errors(
    reference: Units, system: Units, *, n_documents: int | None = None
) -> dict[str, Ints]:
    """Classify the units, each in one class only: name → counts (D,), additive.

    Pairs are made in this order, each time the largest number possible among the remaining units:
    same bounds, gaps and category (`correct`), same bounds and gaps (`wrong_category`), overlap and
    same category (`wrong_bounds`), overlap (`wrong_both`). Units without a pair are `missed` or
    `spurious`.
    """
    from ..unit_matching import NONE, pair_identical_units, pair_overlapping_units, sort_units

    n_rows = _n_documents(reference, system, n_documents)
    units = sort_units(reference, system)
    of_reference = units.sides == 0
    partners = np.full(units.starts.size, NONE, dtype=np.int64)
    counts: dict[str, Ints] = {}
    so_far = np.zeros(n_rows, dtype=np.int64)
    for name, pair, category in (
        ("correct", pair_identical_units, True),
        ("wrong_category", pair_identical_units, False),
        ("wrong_bounds", pair_overlapping_units, True),
        ("wrong_both", pair_overlapping_units, False),
    ):
        pair(units, category=category, partners=partners)
        paired = np.bincount(units.documents[(partners >= 0) & of_reference], minlength=n_rows)
        counts[name] = paired - so_far
        so_far = paired
    for name, side in (("missed", of_reference), ("spurious", ~of_reference)):
        counts[name] = np.bincount(units.documents[(partners < 0) & side], minlength=n_rows)
    return counts


def _tagset(reference: Units, system: Units, tagset: Sequence[str]) -> tuple[str, ...]:
    names = tuple(tagset)
    for who, units in (("reference", reference), ("system", system)):
        if units.categories.max(initial=-1) >= len(tagset):
            raise MetricsError(
                f"a unit of the {who} has category code {int(units.categories.max())}, outside the "
                f"tagset of {len(tagset)}: declare every category"
            )
        if units.categories.min(initial=0) < 0 and len(names) == len(tagset):
            names = (*names, NO_CATEGORY)
    return names


def _n_documents(reference: Units, system: Units, n_documents: int | None) -> int:
    needed = (
        max(int(reference.documents.max(initial=-1)), int(system.documents.max(initial=-1))) + 1
    )
    if n_documents is None:
        return needed
    if n_documents < needed:
        raise MetricsError(f"document index {needed - 1} is outside 0..{n_documents - 1}")
    return n_documents


def are_on_open_places(units: Bounds, reference: Bounds, open_units: Bounds) -> Flags:
    """Return which units, bool (U,), lie on an open place rather than on a unit of the reference.

    Such units are neither right nor wrong, and not scored.

    units       of a system or an annotator, in one document
    reference   units of the reference
    open_units  the annotators' units on the places that the reference leaves undecided

    A unit lies where its overlap, divided by the length of both together (Jaccard), is largest; if
    it overlaps a unit of the reference equally, it is scored.

    >>> import numpy as np
    >>> units = np.array([[0, 5], [10, 15], [20, 25]])
    >>> are_on_open_places(units, np.array([[0, 5]]), np.array([[12, 18]])).tolist()
    [False, True, False]
    """
    return _largest_overlap(units, open_units) > _largest_overlap(units, reference)


def _largest_overlap(units: Bounds, others: Bounds) -> Floats:
    """Return the largest Jaccard overlap of each unit with one of the others, float64 (U,)."""
    starts, ends = units.T
    largest = np.zeros(len(units))
    for start, end in others.tolist():
        shared = np.minimum(ends, end) - np.maximum(starts, start)
        joint = np.maximum(ends, end) - np.minimum(starts, start)
        overlap = np.divide(shared, joint, where=joint > 0, out=np.zeros(len(units)))
        np.maximum(largest, overlap, out=largest)
    return largest
