"""Objects as they are drawn: by their kind, with what differs from the central one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from accordeur.metrics.objects.object_distance import ObjectKind
from accordeur.metrics.objects.registry import OBJECT_DISTANCES
from accordeur.reports.results import DrawnObject
from accordeur.tasks.objects.object_agreement import objects_for_pictures


def drawn(distance: str, *texts: str) -> list[DrawnObject]:
    said = dict(zip(("ann", "ben", "cat"), texts, strict=False))
    return objects_for_pictures(OBJECT_DISTANCES[distance], said)


def test_words_stand_in_the_columns_of_the_central_text_with_their_changes() -> None:
    found = drawn("word_error", "the sea was so calm", "The sea is calm", "the sea is")
    assert [one.annotator for one in found] == ["ben", "ann", "cat"]
    rows = [[(word.text, word.change) for word in one.words] for one in found]
    assert [text for text, _ in rows[0]] == ["The", "sea", "", "is", "calm"]
    assert rows[1] == [
        ("the", "replaced"),
        ("sea", ""),
        ("was", "inserted"),
        ("so", "replaced"),
        ("calm", ""),
    ]
    assert rows[2][-1] == ("", "missing")
    normalised = drawn("word_error_normalised", "The sea !", "the Sea", "sea")
    assert [[word.change for word in one.words] for one in normalised[1:]] == [
        ["missing", ""],
        ["", ""],
    ]


def test_matched_boxes_have_one_number_and_others_their_own() -> None:
    found = drawn("box_iou", "0 0 9 9 car; 20 20 5 5", "1 1 9 9 bus", "0 0 9 9 car; 40 0 5 5")
    numbers = {one.annotator: [box.number for box in one.boxes] for one in found}
    assert len({numbers[name][0] for name in numbers}) == 1
    assert numbers["ann"][1] != numbers["cat"][1]
    box = found[0].boxes[0]
    assert (box.right - box.left, box.bottom - box.top) == (9, 9)


def test_candidates_that_a_ranking_leaves_out_are_last_and_tied() -> None:
    found = {one.annotator: one.ranking for one in drawn("kendall_tau", "a > b > c > d", "b > a")}
    assert found["ann"] == [["a"], ["b"], ["c"], ["d"]]
    assert found["ben"] == [["b"], ["a"], ["c", "d"]]


@pytest.mark.parametrize(
    ("kind", "texts", "n_drawn"),
    [
        (ObjectKind.tree, ["0:root 1:obj", "2:obj 0:root"], 2),
        (ObjectKind.tree, ["(a b)", "(b a)"], 0),
        (ObjectKind.other, ["0:root 1:obj", "2:obj 0:root"], 0),
    ],
)
def test_the_kind_that_another_packages_distance_declares_is_drawn(
    kind: ObjectKind, texts: list[str], n_drawn: int
) -> None:
    mine = replace(
        OBJECT_DISTANCES["uas"],
        kind=kind,
        read=len,
        distances=lambda first, second: np.ones(len(first)),
    )
    found = objects_for_pictures(mine, {"ann": texts[0], "ben": texts[1]})
    assert len(found) == n_drawn
    assert all(one.arcs[0].relation for one in found)
