"""No cell of a CSV that we write is a formula, and every text reads back as it was."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordeur.data.schema import Label, Rejected
from accordeur.data.spreadsheet import csv_text, plain_cell, safe_cell
from accordeur.data.writers.registry import writer

SIGNS = "=+-@\t\r\n"


@given(st.text(st.sampled_from([*SIGNS, "'", "a", "1", ".", "\uff1d"]), max_size=8))
def test_every_text_reads_back_and_none_but_a_number_begins_with_a_sign(text: str) -> None:
    safe = safe_cell(text)
    assert plain_cell(safe) == text
    if safe and safe[0] in SIGNS:
        float(safe)


@pytest.mark.parametrize("number", ["-0.5", "+3", "-1e-05", "12", "-2,5"])
def test_a_number_stays_one(number: str) -> None:
    assert safe_cell(number) == number


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "-2+3", "+cmd|' /C calc'!A0", "\t=1", "--5"])
def test_a_formula_is_text(text: str) -> None:
    assert csv_text([[text]]).lstrip("\ufeff").lstrip('"').startswith("'")


def test_the_tables_that_are_released_hold_none(tmp_path: Path) -> None:
    label = Label("=d", "+i", "@anna", ("=HYPERLINK(1)",), source="-x")
    rejected = Rejected("=s", "@w", "r", "+value", "-message")
    for path in writer("tables").write([label, rejected], tmp_path):
        for row in csv.reader(io.StringIO(path.read_text("utf-8-sig"))):
            assert not [cell for cell in row if cell[:1] in ("=", "+", "-", "@")]
