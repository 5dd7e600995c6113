"""Units beside those of another annotator: what F does not match, categories, constant offsets.

Each unit is paired with an overlapping one of the other annotator, if there is one (the largest
number of pairs, `metrics.unit_matching`). A unit that an F does not match is therefore missing (no
unit overlaps it), has another category (the same bounds, or any where the match compares no bounds)
or has other bounds. 1 − F is the sum of these units over the sum of all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ..arrays import Flags, Ints
from ..causes.disagreement import (
    UNDISTINGUISHED,
    Choices,
    Comparisons,
    Counted,
    Disagreement,
    Offsets,
)
from ..causes.strata import Strata, StrataOfWork, StratumKind, strata_of_positions
from ..measure import Match
from ..options import UnitMatching
from ..unit_matching import STRICT, pair_units, sort_units
from ..unit_rows import Units
from .pairwise_f import MATCHES
from .unit_disagreement import UnitGroups

UnitsOfAnnotators = tuple[Units, Ints, Flags]
_FARTHEST = 3  # offset, in the unit of the offsets
_MISSING, _BOUNDARY, _CATEGORY = range(3)
_STEPS = tuple(
    (start * far, end * far)
    for far in range(-_FARTHEST, _FARTHEST + 1)
    for start, end in ((1, 1), (1, 0), (0, 1))
    if far
)


def disagreement_of_pairs(
    found: Disagreement,
    given: UnitsOfAnnotators,
    by: UnitGroups,
    measures: Collection[str],
    matching: UnitMatching = STRICT,
    work: Sequence[StrataOfWork] = (),
) -> tuple[Disagreement, dict[str, Disagreement]]:
    """Return a disagreement with choices and offsets, and that of each F whose units match.

    The pairwise F by characters is left out: it has no units. Nothing is added and no F returned
    where annotators are not distinguished.

    found   of the same documents, for its parts and kinds
    given   the units, their owners (U,), and who annotated each document, bool (D, A)
    by      how the documents are grouped, as in `found`
    work    hour and order of the annotators' work on these documents
    """
    if by.annotators is UNDISTINGUISHED:
        return found, {}
    units, *_ = given
    shape, n_categories = by.shape, len(by.categories)
    uses = np.zeros((*shape[:3], n_categories), dtype=np.int64)
    choices = Choices(uses, uses.copy())
    paired = np.zeros(shape[:3], dtype=np.int64)
    offsets = Offsets(_STEPS, np.zeros((*shape[:3], len(_STEPS)), dtype=np.int64), paired)
    matches = {name: match for name in measures if (match := MATCHES.get(name)) is not None}
    counts = {name: np.zeros(shape, dtype=np.int64) for name in matches}
    cuts, of_units = strata_of_positions(units.starts)
    strata, *strata_of = (
        (
            Strata.empty(StratumKind.position, cuts, shape[:3]),
            *(Strata.empty(one.kind, one.cuts, shape[:3]) for one in work),
        )
        for _ in range(1 + len(matches))
    )
    for pair, sides in _compared_pairs(given, by, of_units, work):
        _count_choices(choices, pair)
        _count_offsets(offsets, pair)
        at = np.concatenate(sides)
        of_other = _strata_of(units, of_units, work, at, pair.other)
        _count_strata(strata, pair, of_other, pair.is_apart)
        for (name, match), own in zip(matches.items(), strata_of, strict=True):
            partner = _partners(units, sides, match, matching)
            _count_unmatched(counts[name], by, pair, np.flatnonzero(partner < 0), match)
            _count_strata(own, pair, of_other, partner < 0)
    n_units = choices.uses.sum(axis=3)
    compared = np.triu(n_units + n_units.transpose(0, 2, 1))
    found = replace(
        found,
        choices=choices,
        offsets=offsets,
        comparisons=lambda: (one for one, _ in _compared_pairs(given, by, of_units, work)),
    )
    of_measures = {
        name: replace(
            found,
            amounts=own.astype(np.float64),
            counts=own,
            chances=compared.astype(np.float64),
            compared=compared,
            strata=own_strata,
            counted=Counted.unmatched,
        )
        for (name, own), own_strata in zip(counts.items(), strata_of, strict=True)
    }
    return replace(found, strata=strata), of_measures


def _compared_pairs(
    given: UnitsOfAnnotators, by: UnitGroups, of_units: Ints, work: Sequence[StrataOfWork]
) -> Iterator[tuple[Comparisons, list[Ints]]]:
    """Yield the comparisons of each two annotators in shared documents, and the units of each.

    of_units  the stratum of each unit by its position (U,)
    """
    units, owners, present = given
    for a, b in combinations(range(len(by.annotators)), 2):
        shared = (present[:, a] & present[:, b])[units.documents]
        sides = [np.flatnonzero(shared & (owners == who)) for who in (a, b)]
        if not sum(side.size for side in sides):
            continue
        at = np.concatenate(sides)
        is_first = np.arange(at.size) < sides[0].size
        partner = _partners(units, sides, "overlap", STRICT)
        beside = at[partner]  # of a unit without a partner any one
        own, other = np.where(is_first, a, b), np.where(is_first, b, a)
        documents = units.documents[at]
        pair = Comparisons(
            places=at,
            documents=documents,
            groups=by.documents[documents],
            own=own,
            other=other,
            category=by.category[units.categories[at]],
            beside=np.where(partner < 0, -1, by.category[units.categories[beside]]),
            start=units.starts[at] - units.starts[beside],
            end=units.ends[at] - units.ends[beside],
            is_same=units.categories[at] == units.categories[beside],
            strata=_strata_of(units, of_units, work, at, own),
        )
        yield pair, sides


def _partners(units: Units, sides: list[Ints], match: Match, matching: UnitMatching) -> Ints:
    """Return the partner of each unit of both sides, in their order; −1 for none."""
    both = sort_units(*(units.select(side) for side in sides))
    found, _ = pair_units(both, match, matching)
    partners = np.full(found.size, -1, dtype=np.int64)
    has = found >= 0
    partners[both.order[has]] = both.order[found[has]]
    return partners


def _count_choices(choices: Choices, pair: Comparisons) -> None:
    where = np.stack([pair.groups, pair.own, pair.other, pair.category])
    np.add.at(choices.uses, tuple(where), 1)
    np.add.at(choices.apart, tuple(where[:, pair.is_apart]), 1)


def _count_offsets(offsets: Offsets, pair: Comparisons) -> None:
    has = np.flatnonzero(~pair.is_alone)
    where = np.stack([pair.groups, pair.own, pair.other])
    np.add.at(offsets.paired, tuple(where[:, has]), 1)
    for m, (start, end) in enumerate(offsets.steps):
        those = has[(pair.start[has] == start) & (pair.end[has] == end)]
        np.add.at(offsets.counts[..., m], tuple(where[:, those]), 1)


def _strata_of(
    units: Units, of_units: Ints, work: Sequence[StrataOfWork], at: Ints, annotators: Ints
) -> Ints:
    """Return the strata (S, R) of units: their positions, and an annotator's work there."""
    documents = units.documents[at]
    return np.stack([of_units[at], *(of.of_work[documents, annotators] for of in work)])


def _count_strata(
    strata: Sequence[Strata], pair: Comparisons, of_other: Ints, apart: Flags
) -> None:
    """Count each comparison in the work of both of its annotators; `of_other` as `pair.strata`."""
    uses, differing = np.ones(apart.size), apart.astype(np.float64)
    for one, own, other in zip(strata, pair.strata, of_other, strict=True):
        one.count((pair.groups, pair.own, pair.other), own, uses, differing)
        one.count((pair.groups, pair.other, pair.own), other, uses, differing)


def _count_unmatched(
    counts: Ints, by: UnitGroups, pair: Comparisons, unmatched: Ints, match: Match
) -> None:
    """Count the units without a partner by what is different; a missing one by who has it."""
    own, other, alone = (one[unmatched] for one in (pair.own, pair.other, pair.is_alone))
    category = pair.category[unmatched]
    is_within = (pair.start[unmatched] == 0) & (pair.end[unmatched] == 0)
    is_category = ~pair.is_same[unmatched] & (is_within | (match == "type"))
    cause = np.where(alone, _MISSING, np.where(is_category, _CATEGORY, _BOUNDARY))
    beside = np.where(is_category & ~alone, pair.beside[unmatched], category)
    first, second = np.minimum(own, other), np.maximum(own, other)
    where = (
        pair.groups[unmatched],
        np.where(alone, own, first),
        np.where(alone, other, second),
        by.kind[cause, category, beside],
    )
    np.add.at(counts, where, 1)
