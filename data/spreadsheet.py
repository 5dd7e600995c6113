"""CSV that people open in a spreadsheet: no cell is a formula, and what we wrote reads back.

A spreadsheet computes a cell that begins with = + - @, a tab or a line end, whoever wrote it. Such
a cell gets an apostrophe before it, as does one that begins with apostrophes and then one of these
signs, so that `plain_cell` undoes it for every text. Numbers such as -0.5 stay as they are.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

BYTE_ORDER_MARK = "\ufeff"  # spreadsheets need it to tell UTF-8 from the local encoding
_SIGNS = "=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20"
_FORMULA = re.compile(f"'*[{_SIGNS}]")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?([eE][+-]?\d+)?")
NEUTRALISED = f"^'('*[{_SIGNS}])"  # in RE2's syntax and in Python's; \\1 is the cell itself


def safe_cell(text: str) -> str:
    """The text with an apostrophe before it where a spreadsheet would compute it."""
    is_formula = _FORMULA.match(text) and not _NUMBER.fullmatch(text)
    return f"'{text}" if is_formula else text


def plain_cell(text: str) -> str:
    """The text that `safe_cell` was given."""
    return re.sub(NEUTRALISED, r"\1", text)


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Rows as a CSV file's content, for spreadsheets."""
    out = io.StringIO()
    lines = ([safe_cell(cell) for cell in row] for row in rows)
    csv.writer(out, lineterminator="\r\n").writerows(lines)
    return BYTE_ORDER_MARK + out.getvalue()
