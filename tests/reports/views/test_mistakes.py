"""The section of probable errors, apart from places where annotators differ."""

from __future__ import annotations

import pytest

from accordeur.reports.language import Language
from accordeur.reports.page.blocks import Fold, Prose, Table
from accordeur.reports.page.page import Page
from accordeur.reports.results import (
    Disagreement,
    Mistake,
    MistakeGrade,
    MistakeQueue,
    SystematicDifference,
    Variation,
)
from accordeur.reports.views.mistakes import mistakes_section
from accordeur.reports.views.next_steps import data_links
from tests.reports.views.pages import page_of, results_with

CASE = "labels|d1|q7"
SUSPECTED = Mistake(
    document="d1", where="q7", annotators=["dan"], label="maybe", probability=0.91,
    reason="category", other="no", n_other=3, n_annotators=4, error_rate=0.08, case=CASE,
)  # fmt: skip
VARYING = Variation(document="d2", where="q9", said={"ann": "no", "ben": "yes"}, probability=0.8)
QUEUE = MistakeQueue(
    layer="labels", at_least=0.5, n_annotations=120, n_probable=1, expected=2.2,
    mistakes=[SUSPECTED], n_varying=1,
    varying=[VARYING],
)  # fmt: skip


def test_each_error_has_its_reason_and_leads_to_the_disagreement() -> None:
    said = {"ann": "no", "ben": "no", "cat": "no", "dan": "maybe"}
    disagreement = Disagreement(
        document="d1", layer="labels", where="q7", cost=0.5, said=said, case=CASE
    )
    page = page_of(results_with(mistakes=[QUEUE], disagreements=[disagreement]))
    section = mistakes_section(page)
    assert section is not None
    table = next(block for block in section.blocks if isinstance(block, Table))
    [row] = table.rows
    assert [cell.text for cell in row] == [
        "d1 · q7",
        "dan",
        "maybe",
        "very likely",
        "3 of 4 annotators have “no”. Estimated error rate of dan: 8%.",
    ]
    assert row[0].href == "#disagreement-1"
    [apart] = [block for block in section.blocks if isinstance(block, Fold)]
    [varying] = apart.blocks
    assert isinstance(varying, Table)
    assert [cell.text for cell in varying.rows[0]] == ["d2 · q9", "ann: no, ben: yes", "likely"]


@pytest.mark.parametrize(
    ("n_audited", "shown"),
    [
        (0, ["very likely", "very likely", "likely", "possible"]),
        (50, ["> 0.99", "0.91", "0.80", "0.50"]),
    ],
)
def test_a_probability_is_shown_only_where_audited_items_calibrate_it(n_audited, shown) -> None:
    found = [SUSPECTED.model_copy(update={"probability": p}) for p in (0.9995, 0.91, 0.8, 0.5)]
    queue = QUEUE.model_copy(update={"mistakes": found, "n_audited": n_audited})
    section = mistakes_section(page_of(results_with(mistakes=[queue])))
    assert section is not None
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert [row[3].text for row in table.rows] == shown
    said = " ".join(block.text for block in section.blocks if isinstance(block, Prose))
    assert ("expects" in said) is bool(n_audited)


def test_decided_errors_are_counted_by_grade_and_systematic_ones_come_with_a_word() -> None:
    grades = [MistakeGrade(name="very_likely", n=9, n_decided=4, n_changed=3)]
    habit = SystematicDifference(
        annotator="dan", label="", other="Event", n=12, out_of=20, given="others", elsewhere=0.04
    )
    last = SUSPECTED.model_copy(update={"systematic": True})
    queue = QUEUE.model_copy(
        update={
            "n_probable": 9, "n_decided": 4, "n_changed": 3, "grades": grades,
            "mistakes": [SUSPECTED, last], "systematic": [habit],
        }
    )  # fmt: skip
    section = mistakes_section(page_of(results_with(mistakes=[queue])))
    assert section is not None
    said = " ".join(block.text for block in section.blocks if isinstance(block, Prose))
    assert "By grade: very likely: 9." in said
    assert "Wrong by grade: very likely: 3 of 4." in said
    expected = "where the others agree on “Event”, dan has “nothing” in 12 of 20 cases"
    assert f"dan differs systematically: {expected}" in said
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert [row[3].text for row in table.rows] == ["very likely", "systematic"]


def test_the_first_screen_counts_undecided_errors_only() -> None:
    [shown] = data_links(page_of(results_with(mistakes=[QUEUE])))
    assert shown.text == "probable errors: 1"
    decided = QUEUE.model_copy(update={"n_decided": 1, "n_changed": 1, "interval": (0.025, 1.0)})
    assert data_links(page_of(results_with(mistakes=[decided]))) == []


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "en",
            "and not listed: 4, of which 3 were wrong. The precision of the list is 75%",
        ),
        (
            "fr",
            "et non listés\u00a0: 4, dont annotations fausses\u00a0: 3.",
        ),
    ],
)
def test_the_precision_of_the_list_is_said_after_decisions(language: str, sentence: str) -> None:
    decided = QUEUE.model_copy(update={"n_decided": 4, "n_changed": 3, "interval": (0.19, 0.99)})
    section = mistakes_section(Page(results_with(mistakes=[decided]), Language(language)))
    assert section is not None
    said = " ".join(block.text for block in section.blocks if isinstance(block, Prose))
    assert sentence in said


def test_without_a_probable_error_there_is_no_section() -> None:
    none = QUEUE.model_copy(update={"n_probable": 0, "mistakes": []})
    assert mistakes_section(page_of(results_with(mistakes=[none]))) is None
