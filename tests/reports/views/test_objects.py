"""The section on objects: the items that differ most, drawn and as text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from accordeur.metrics.objects.object_distance import ObjectKind
from accordeur.metrics.objects.registry import OBJECT_DISTANCES
from accordeur.reports.language import Language
from accordeur.reports.page.blocks import Figure, Fold, Prose, Table
from accordeur.reports.page.page import Page
from accordeur.reports.views.objects import objects_section
from tests.reports.samples.objects import SAID, layer_of_objects
from tests.reports.views.pages import results_with


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("distance", "mark"),
    [
        ("tree_edit", "≠ nmod"),
        ("word_error", "∅"),
        ("kendall_tau", 'class="slope differs"'),
        ("box_iou", 'class="box c1 d1"'),
    ],
)
def test_objects_are_drawn_with_their_differences_and_stay_as_text(
    distance: str, mark: str, language: str
) -> None:
    layer = layer_of_objects(OBJECT_DISTANCES[distance], SAID[distance])
    section = objects_section(Page(results_with(items=[layer]), Language(language)))
    assert section is not None
    _, figure = [one for one in section.blocks if isinstance(one, Figure)]  # after the legend
    assert mark in figure.svg
    n_images = 3 if distance == "tree_edit" else 1
    for part in ("<svg", "<title", "<desc", 'role="img"'):
        assert figure.svg.count(part) == n_images
    [fold] = [one for one in section.blocks if isinstance(one, Fold)]
    [texts] = fold.blocks
    assert isinstance(texts, Table)
    assert [cell.text for cell in texts.rows[0][2:]] == SAID[distance]


def test_a_distance_of_another_kind_keeps_the_text() -> None:
    mine = replace(OBJECT_DISTANCES["word_error"], name="mine", kind=ObjectKind.other)
    section = objects_section(
        Page(results_with(items=[layer_of_objects(mine, SAID["word_error"])]), Language("en"))
    )
    assert section is not None
    lead, *_, texts = section.blocks
    assert isinstance(lead, Prose)
    assert isinstance(texts, Table)
    assert not any(isinstance(one, Figure) for one in section.blocks)
    assert texts.rows[0][-1].text == SAID["word_error"][-1]
