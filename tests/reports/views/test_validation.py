"""Validation: rows that do not add up, and links to those that were rejected."""

from __future__ import annotations

import pytest

from accordeur.reports.page.blocks import Prose
from accordeur.reports.results import (
    RejectedRow,
    Validation,
)
from accordeur.reports.views.validation import validation_section
from tests.reports.views.pages import page_of, results_with


def test_rows_that_do_not_add_up_are_told():
    validation = Validation(rows_in=10, rows_accepted=8, rows_rejected=1)
    section = validation_section(page_of(results_with(validation=validation)))
    assert section is not None
    first = section.blocks[0]
    assert isinstance(first, Prose)
    assert first.tone == "warning"
    assert "do not add up" in first.text


@pytest.mark.parametrize(
    ("link", "kept"),
    [
        ("../exports/a.ann", True),
        ("javascript:alert(1)", False),
        ("//host/a", False),
        ("https://host/a", False),
        ("\\\\host\\a", False),
    ],
)
def test_only_links_to_a_path_beside_the_page_are_kept(link: str, kept: bool):
    row = RejectedRow(source="a", location="1", rule="r", value="v", message="m", link=link)
    validation = Validation(rows_in=1, rows_accepted=0, rows_rejected=1, rejected=[row])
    section = validation_section(page_of(results_with(validation=validation)))
    assert section is not None
    cell = section.blocks[-1].rows[0][0]  # type: ignore[attr-defined]
    assert cell.href == (link if kept else "")
