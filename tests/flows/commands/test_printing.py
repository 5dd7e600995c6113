"""Tables of the terminal, and the same columns as a data frame."""

from __future__ import annotations

import math
from io import StringIO

import pytest
from rich.console import Console

from accordeur.flows.commands.printing.tables import print_table
from accordeur.reports.cell_texts import number_text
from accordeur.reports.columns import each, interval, number, text, values_by_column

ROWS = [("[a]", 1234, 0.5, (0.25, 0.75)), ("b", 7, math.nan, (math.nan, math.nan))]
COLUMNS = (
    text("name", lambda row: row[0]),
    *each((1, 2), lambda k: number(f"value {k}", lambda row: row[k], "%" if k == 2 else "")),
    interval("", lambda row: row[3]),
    text("never", lambda row: row[0], when=False),
)


def test_a_table_of_the_terminal_is_its_columns() -> None:
    printed = StringIO()
    print_table(Console(file=printed, width=80), ROWS, *COLUMNS)
    lines = [
        [cell.strip() for cell in line.strip("│┃\n").replace("┃", "│").split("│")]
        for line in printed.getvalue().splitlines()
        if line[0] in "│┃"
    ]
    assert lines == [
        ["name", "value 1", "value 2", ""],
        ["[a]", "1,234", "50.0%", "[0.250, 0.750]"],
        ["b", "7", "–", "–"],
    ]


@pytest.mark.parametrize("width", [30, 40, 80])
def test_no_word_or_number_of_a_table_is_cut(width: int) -> None:
    printed = StringIO()
    columns = (
        text("measure", lambda row: row[0]),
        *(interval(f"range {k}", lambda row: row[1]) for k in range(3)),
    )
    rows = [("weighted_slot_error_rate", (0.123, 0.456))]
    print_table(Console(file=printed, width=width), rows, *columns)
    shown = printed.getvalue()
    assert "weighted_slot_error_rate" in shown
    assert shown.count("[0.123, 0.456]") == 3
    assert "…" not in shown


def test_a_table_without_rows_has_its_headings() -> None:
    printed = StringIO()
    print_table(Console(file=printed, width=80), [], *COLUMNS)
    assert "name" in printed.getvalue()


def test_the_columns_are_those_of_a_frame_where_an_interval_is_two() -> None:
    found = values_by_column(ROWS[:1], *COLUMNS)
    assert found == {
        "name": ["[a]"],
        "value 1": [1234],
        "value 2": [0.5],
        "lower": [0.25],
        "upper": [0.75],
    }


@pytest.mark.parametrize(
    ("value", "shape", "shown"),
    [
        (0.12345, "", "0.123"),
        (-0.00001, "", "−0.00001"),
        (0.12345, "+3", "+0.123"),
        (0.99996, "", "0.99996"),
        (0.5, "0%", "50%"),
        (1234, "", "1,234"),
        (0.25, "{:g}".format, "0.25"),
        (math.nan, "+3", "–"),
        ("not reachable", "", "not reachable"),
    ],
)
def test_numbers_of_the_terminal(value: float | str, shape: str, shown: str) -> None:
    assert number_text(value, shape) == shown
