"""Whether a suspected annotation is wrong, where adjudication or a reference decides it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from ...data.label_sets import labels_of_set_name
from ...metrics.alignment.continuum import UNLABELLED_NAME
from ...metrics.references.adjudication import Decision
from ...metrics.references.place_labels import NOTHING, OTHER_BOUNDS
from .places import Place

Givers: TypeAlias = Callable[[], Sequence[str]]  # most decisions do not need them
Decider: TypeAlias = Callable[[str, Givers, Place], bool | None]
"""(label, its annotators, place) → whether the label is wrong there; None: undecided."""

UnitRows: TypeAlias = Sequence[tuple[float, float, str]]  # start, end, category
_SHARE = 0.5  # common length over total length of units at the same place


def first_decider(deciders: Sequence[Decider]) -> Decider:
    def decide(label: str, annotators: Givers, place: Place) -> bool | None:
        found = (decider(label, annotators, place) for decider in deciders)
        return next((one for one in found if one is not None), None)

    return decide


def decider_by_cases(
    decisions: Mapping[str, Decision], *, of_units: bool = False, sets: bool = False
) -> Decider:
    """Decide by the adjudication, whose decisions are given by case.

    sets  whether a decided category is the name of a set of labels
    """

    def decide(label: str, annotators: Givers, place: Place) -> bool | None:
        decision = decisions.get(place.case)
        if decision is None:
            return None
        if not of_units:
            decided = labels_of_set_name(decision.category) if sets else (decision.category,)
            return not decision.keep or label not in decided
        if label == NOTHING or not decision.keep:
            return decision.keep == (label == NOTHING)
        if label != OTHER_BOUNDS:
            return decision.category != label
        unit = place.units[annotators()[0]]
        return (unit.start, unit.end) != (decision.start, decision.end)

    return decide


def decider_by_labels(reference: Mapping[tuple[str, str], str], *, sets: bool = False) -> Decider:
    """Decide by the labels of a reference, given by document and item."""

    def decide(label: str, annotators: Givers, place: Place) -> bool | None:
        right = reference.get((place.document, place.where))
        if right is None:
            return None
        return label not in (labels_of_set_name(right) if sets else (right,))

    return decide


def decider_by_units(reference: Mapping[str, UnitRows]) -> Decider:
    """Decide by the units of a reference, given by document that the reference finished.

    A unit is right if the reference has one of its category that covers the same place: the common
    length is at least half of the total length. No unit is right if the reference has none there.
    """

    def decide(label: str, annotators: Givers, place: Place) -> bool | None:
        rows = reference.get(place.document)
        if rows is None or not place.units:
            return None
        if label == NOTHING:
            bounds = np.array([(one.start, one.end) for one in place.units.values()])
            start, end = np.nanmedian(bounds, axis=0)
            return any(_is_same_place(start, end, row) for row in rows)
        units = [place.units[name] for name in annotators()]
        return not any(
            (row[2] or UNLABELLED_NAME) == (one.category or UNLABELLED_NAME)
            and _is_same_place(one.start, one.end, row)
            for one in units
            for row in rows
        )

    return decide


def _is_same_place(start: float, end: float, row: tuple[float, float, str]) -> bool:
    common = min(end, row[1]) - max(start, row[0])
    return common >= _SHARE * (max(end, row[1]) - min(start, row[0]))
