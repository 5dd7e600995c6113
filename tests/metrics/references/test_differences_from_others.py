"""Annotators who share a habit, against annotators who only slip."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.references.differences_from_others import systematic_differences
from accordeur.metrics.references.label_list import LabelList
from accordeur.metrics.references.mistakes import find_mistakes
from accordeur.metrics.references.place_labels import NOTHING
from accordeur.tasks.mistakes.mistake_queue import mistake_queue
from accordeur.tasks.mistakes.places import Place

TAGSET = ("Event", "Person", "Place", "Title")
NAMES = ("anna", "ben", "chloe")


def campaign(seed: int, *, habit: float, n: int = 300) -> tuple[LabelList, np.ndarray]:
    """Labels of three annotators; ben and chloe use Place for some of the Persons, by habit."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)
    slips = rng.random((3, n)) < 0.1
    labels = np.where(slips, (truth + rng.integers(1, 4, (3, n))) % 4, truth)
    by_habit = (truth == 1) & (rng.random(n) < habit)
    labels[1:, by_habit] = 2
    items, annotators = np.repeat(np.arange(n), 3), np.tile(np.arange(3), n)
    return LabelList(items, annotators, labels.T.ravel(), n, NAMES, TAGSET), by_habit


@pytest.mark.parametrize("seed", range(5))
def test_slips_are_no_systematic_difference(seed: int) -> None:
    labels, _ = campaign(seed, habit=0)
    assert systematic_differences(labels) == []


@pytest.mark.parametrize("seed", range(5))
def test_a_habit_of_two_does_not_fill_the_list_with_errors_of_the_third(seed: int) -> None:
    labels, by_habit = campaign(seed, habit=0.6)
    first = systematic_differences(labels)[0]
    assert (first.annotator, TAGSET[first.own], TAGSET[first.others]) == ("anna", "Person", "Place")
    found = find_mistakes(labels)
    # The model blames anna, who is right.
    assert np.mean(found.probability[by_habit, 1] > 0.5) > 0.8
    queue = mistake_queue(labels, found, lambda row: Place("", str(row), str(row)), at_least=0.5)
    blamed = [one for one in queue.mistakes if by_habit[int(one.where)] and one.label == "Person"]
    assert all(one.systematic for one in blamed)
    assert queue.n_probable == sum(not one.systematic for one in queue.mistakes)
    order = [one.systematic for one in queue.mistakes]
    assert order == sorted(order)


def test_units_that_two_annotators_mark_by_a_convention_of_their_own() -> None:
    """Every place has a unit, so nothing follows from how often annotators agree on none."""
    rng = np.random.default_rng(1)
    names = ("Event", "Person", NOTHING)
    rows = []
    for _ in range(200):
        if rng.random() < 0.3:  # ben and chloe mark events that anna does not take for events
            rows.append((2 if rng.random() < 0.7 else 0, 0, 0))
        else:
            rows.append(tuple(2 if rng.random() < 0.05 else 1 for _ in NAMES))
    codes = np.array([row for row in rows if set(row) != {2}])
    items, annotators = np.repeat(np.arange(len(codes)), 3), np.tile(np.arange(3), len(codes))
    labels = LabelList(items, annotators, codes.ravel(), len(codes), NAMES, names)
    [found] = systematic_differences(labels, absent=[2])
    assert (found.annotator, found.own, found.others, found.given) == ("anna", 2, 0, "others")
    assert found.n == int((codes == (2, 0, 0)).all(axis=1).sum())
    assert found.elsewhere < 0.15
