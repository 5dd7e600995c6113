"""The section on what became of the documents since the last run."""

from __future__ import annotations

import pytest

from accordeur.reports.language import Code, Language
from accordeur.reports.page.blocks import Facts, Prose, Section, Table
from accordeur.reports.page.page import Page
from accordeur.reports.render import render
from accordeur.reports.results import Changes, Results
from accordeur.reports.views.changes import changes_section
from accordeur.reports.views.next_steps import data_links
from tests.reports import samples


def since(**changes: object) -> Results:
    results = samples.typical()
    found = Changes.model_validate({"since": "run 3", **changes})
    run = results.run.model_copy(update={"changes": found})
    return results.model_copy(update={"run": run})


def section(results: Results, language: Code = "en") -> Section | None:
    return changes_section(Page(results, Language(language)))


def test_documents_are_counted_and_named() -> None:
    found = section(
        since(n_added=21, added=[f"d{k}" for k in range(20)], n_renamed=1, renamed=[("b", "bee")])
    )
    assert found is not None
    assert found.title == "Changes since run 3"
    [table] = found.blocks
    assert isinstance(table, Table)
    added, renamed = ([cell.text for cell in row] for row in table.rows)
    assert added[:2] == ["Added", "21"]
    assert added[2].startswith("d0, d1, ")
    assert added[2].endswith("d19, …")
    assert renamed == ["Renamed", "1", "b → bee"]


def test_nothing_is_said_where_nothing_changed_or_no_run_came_before() -> None:
    assert section(since()) is None
    assert section(samples.typical()) is None


@pytest.mark.parametrize(("language", "title"), [("en", "Changes since"), ("fr", "Changements")])
def test_it_stands_with_the_values_over_time(language: Code, title: str) -> None:
    page = render(since(n_removed=1, removed=["<gone>"]), language=language)
    assert title in page
    assert "&lt;gone&gt;" in page
    assert page.index('id="drift"') < page.index('id="changes"') < page.index('id="items"')


def test_annotators_and_guideline_are_changes_too() -> None:
    found = section(
        since(annotators_added=["Dana"], guideline=("v1.2", "v1.3"), settings_changed=True)
    )
    assert found is not None
    [facts] = found.blocks
    assert isinstance(facts, Facts)
    assert facts.rows[0] == ("Annotators added", "Dana")
    assert facts.rows[1] == ("Guideline", "v1.2 → v1.3")
    assert facts.rows[2][0] == "Campaign file"


def test_work_is_counted_by_annotator_and_named() -> None:
    of_anna = {"annotator": "anna", "layer": "topic", "role": "human"}
    work = [{**of_anna, "n_arrived": 30, "n_unchanged": 45}]
    arrived = [(f"d{k}", "anna", "topic") for k in range(20)]
    found = section(since(work=work, n_arrived=30, arrived=arrived))
    assert found is not None
    of_annotators, named = found.blocks
    assert isinstance(of_annotators, Table)
    assert isinstance(named, Table)
    assert [cell.text for cell in of_annotators.rows[0]] == [
        "anna", "topic", "human", "30", "0", "0", "0", "0", "45",
    ]  # fmt: skip
    assert [cell.text for cell in named.rows[0]] == ["Arrived", "d0", "anna", "topic"]
    assert named.more.startswith("10 more: ledger.parquet")


def test_changes_that_are_unknown_are_said_to_be() -> None:
    found = section(since(is_known=False))
    assert found is not None
    [note] = found.blocks
    assert isinstance(note, Prose)
    assert note.text.startswith("What changed since run 3 is unknown")


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "work that vanished since run 3 is not in them (9)"), ("fr", "n’y est pas (9)")],
)
def test_the_share_of_finished_work_names_what_vanished(language: Code, said: str) -> None:
    gone, whole = since(n_vanished=9), since()
    [link] = [one for one in data_links(Page(gone, Language(language))) if "%" in one.text]
    assert said in link.text
    assert not any(said in one.text for one in data_links(Page(whole, Language(language))))
