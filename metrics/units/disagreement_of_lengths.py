"""Disagreement of units in lengths: what α_U, the uα family and the F by characters count.

Each stretch of a document is compared between two annotators: only one of them has a unit there, or
both have units of other categories. 1 − F by characters is the sum of these lengths, over the
lengths of the units of both.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from ..arrays import Flags, Ints
from ..causes.disagreement import UNDISTINGUISHED, Counted, Disagreement
from .disagreement_of_pairs import UnitsOfAnnotators
from .unit_disagreement import UnitGroups

_MISSING, _CATEGORY = 0, 2


def disagreement_of_lengths(
    found: Disagreement, given: UnitsOfAnnotators, by: UnitGroups
) -> dict[str, Disagreement]:
    """Return the disagreement by measure; {} where annotators are not distinguished.

    Where units of an annotator overlap, the one that begins last counts.

    found  of the same documents, for its parts, kinds, choices and strata
    given  the units, their owners (U,), and who annotated each document, bool (D, A)
    by     how the documents are grouped, as in `found`
    """
    units, owners, present = given
    if by.annotators is UNDISTINGUISHED or not owners.size:
        return {}
    room = int(units.ends.max() - units.starts.min()) + 1  # of a document on a line of all
    first = units.documents * room - int(units.starts.min())
    starts, ends = units.starts + first, units.ends + first
    bounds = np.unique(np.concatenate([starts, ends]))
    lengths, document = np.diff(bounds), bounds[:-1] // room
    group, category = by.documents[document], units.categories
    inside = []  # the category of each annotator in each stretch, −2 without a unit
    for a in range(len(by.annotators)):
        own = np.flatnonzero(owners == a)
        own = own[np.argsort(starts[own], kind="stable")]
        at = np.searchsorted(starts[own], bounds[:-1], side="right") - 1
        is_in = (at >= 0) & (bounds[:-1] < np.append(ends[own], 0)[at])
        inside.append(np.where(is_in, np.append(category[own], 0)[at], -2))
    amounts, compared = np.zeros(by.shape), np.zeros(by.shape[:3])
    for a, b in combinations(range(len(inside)), 2):
        x, y = inside[a], inside[b]
        shared = (present[:, a] & present[:, b])[document]
        one_kind = by.kind[_MISSING, by.category, by.category]

        def add(those: Flags, who: tuple[int, int], kind: Ints, times: int) -> None:
            cell = (group[those], *(np.full(kind.size, one) for one in who), kind)
            np.add.at(amounts, cell, times * lengths[those])

        for one, other, who in ((x, y, (a, b)), (y, x, (b, a))):
            alone = shared & (one != -2) & (other == -2)
            add(alone, who, one_kind[one[alone]], 1)
            marked = shared & (one != -2)
            np.add.at(compared, (group[marked], a, b), lengths[marked])
        apart = shared & (x != -2) & (y != -2) & (x != y)
        pair = by.kind[_CATEGORY, by.category[x[apart]], by.category[y[apart]]]
        add(apart, (a, b), pair, 2)
    of_lengths = replace(
        found,
        amounts=amounts,
        counts=amounts.astype(np.int64),
        chances=compared,
        compared=compared.astype(np.int64),
        counted=Counted.amounts,
    )
    is_missing = np.array([one.cause == "missing" for one in found.kinds])
    of_positions = replace(
        of_lengths, amounts=amounts * is_missing, counts=of_lengths.counts * is_missing
    )
    return {
        **dict.fromkeys(("pairwise_f_characters", "u_alpha", "alpha_u"), of_lengths),
        "u_alpha_binary": of_positions,
    }
