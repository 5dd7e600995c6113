"""CSV files that are safe to open in a spreadsheet: no cell is a formula.

A spreadsheet evaluates a cell that begins with = + - @, a tab or a line end. Such a cell is
prefixed with an apostrophe, and so is a cell that begins with apostrophes followed by one of these
characters, so that `plain_cell` restores every text. Numbers such as -0.5 stay unchanged.
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
NEUTRALISED = f"^'('*[{_SIGNS}])"  # in the syntax of RE2 and of Python; \\1 is the cell itself


def safe_cell(text: str) -> str:
    """Prefix the text with an apostrophe if a spreadsheet would evaluate it."""
    is_formula = _FORMULA.match(text) and not _NUMBER.fullmatch(text)
    return f"'{text}" if is_formula else text


def plain_cell(text: str) -> str:
    """Return the text that `safe_cell` was given."""
    return re.sub(NEUTRALISED, r"\1", text)


def csv_text(rows: Iterable[Sequence[str]]) -> str:
    """Return the content of a CSV file for spreadsheets."""
    out = io.StringIO()
    lines = ([safe_cell(cell) for cell in row] for row in rows)
    csv.writer(out, lineterminator="\r\n").writerows(lines)
    return BYTE_ORDER_MARK + out.getvalue()
