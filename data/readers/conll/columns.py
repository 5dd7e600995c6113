"""Meaning of the columns of a CoNLL file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import DataError
from ..common.files.lines import iter_lines
from ..common.files.text import first_bytes
from ..common.spans import Problem
from .chunks import SCHEMES, is_chunk_tag
from .coreference import COREFERENCE, are_chains

_DOCSTART = "-DOCSTART-"
_GUESSED_FROM = 1000  # tokens
_MOST_CHARACTERS = 1 << 20  # limit on the tokens searched for them

CONLLU = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")


@dataclass(frozen=True, slots=True)
class Column:
    """`at` counts from 0 (-1: last column); `key` of a `Name=Value|…` column, "" for all of it."""

    at: int
    annotator: str = ""
    key: str = ""
    is_conllu: bool = False


def label_columns(option: str) -> list[Column]:
    """Return the columns named by `gold=3,predicted=4`, `4`, `UPOS` or `anna=MISC:Entity`.

    Raises DataError for any other form, a repeated column, or names for only some columns.
    """
    columns = [_column(part.strip()) for part in option.split(",") if part.strip()]
    names = [column.annotator for column in columns]
    if not columns or (len(columns) > 1 and (not all(names) or len(set(names)) < len(names))):
        raise DataError(
            f"option columns = {option!r}: with several columns, name an annotator for "
            "each, as in `anna=3,ben=4`"
        )
    return columns


def _column(part: str) -> Column:
    annotator, _, place = part.rpartition("=")
    place, _, key = place.strip().partition(":")
    if place.upper() in CONLLU:
        return Column(CONLLU.index(place.upper()), annotator.strip(), key, is_conllu=True)
    if place == "-1" or (place.isascii() and place.isdigit() and 0 < int(place[:4]) < 1000):
        return Column(int(place) - 1 if place != "-1" else -1, annotator.strip(), key)
    raise DataError(
        f"option columns: {part!r} is not a column; give a number from 1 or one of "
        f"{', '.join(CONLLU)}"
    )


def split_cells(line: str, *, tabs: bool) -> list[str]:
    """Return the cells of a line; none for a blank line."""
    if tabs:
        return line.split("\t") if line.strip() else []
    return line.split()


def guessed_scheme(path: Path, columns: Sequence[Column], *, tabs: bool) -> str:
    """The scheme of the first tags of the columns, "" when they are no chunk tags."""
    rows = _first_rows(path, tabs)
    tags = [tag for cells in rows for column in columns if (tag := cell_value(column, cells))]
    found = {*tags}
    if are_chains(tags):
        return COREFERENCE
    if not found or not all(map(is_chunk_tag, found)):
        return ""
    return "bioes" if any(tag[:2] in ("E-", "S-", "L-", "U-") for tag in found) else "iob2"


def n_columns_to_choose_from(path: Path, scheme: str, *, tabs: bool, token_at: int) -> int:
    """The number of columns where another one than the last may hold the labels too, else 0.

    For a scheme of chunks, another column has chunk tags only; for labels, any other column may.
    """
    rows = [] if scheme == COREFERENCE else list(_first_rows(path, tabs))
    width = min(map(len, rows), default=0)
    others = [[cells[at] for cells in rows] for at in range(width - 1) if at != token_at]
    if scheme in SCHEMES:
        others = [cells for cells in others if all(map(is_chunk_tag, cells)) and {*cells} != {"O"}]
    return width if others else 0


def _first_rows(path: Path, tabs: bool) -> Iterator[list[str]]:
    """The cells of the first tokens."""
    n_tokens = n_characters = 0
    for _, line in iter_lines(path):
        if isinstance(line, Problem) or line.startswith(("#", _DOCSTART)):
            continue
        if cells := split_cells(line, tabs=tabs):
            yield cells
            n_tokens += 1
            n_characters += len(line)
            if n_tokens >= _GUESSED_FROM or n_characters > _MOST_CHARACTERS:
                return


def token_column(option: str | None, conllu: bool) -> int:
    """Return the index of the token column."""
    if option is None:
        return 1 if conllu else 0
    if not (option.isascii() and option.isdigit() and 0 < int(option[:4]) < 1000):
        raise DataError(f"option token_column = {option!r}: give a number from 1")
    return int(option) - 1


def cell_value(column: Column, cells: list[str]) -> str | None:
    """Return the cell, or the value of its key ("O" without the key); None without the cell."""
    try:
        cell = cells[column.at]
    except IndexError:
        return None
    if not column.key:
        return cell
    pairs = (pair.partition("=") for pair in cell.split("|"))
    return next((value for name, _, value in pairs if name == column.key), "O")


def _are_conllu(rows: Sequence[list[str]]) -> bool:
    """Whether rows of ten cells have ID, FORM and HEAD; a table of ratings may have ten columns."""
    return all(
        cells[0][:1].isdigit() and (cells[6] == "_" or cells[6].isdigit()) for cells in rows
    ) and not all(cells[1].replace(".", "", 1).isdigit() for cells in rows)


def looks_like_columns(path: Path) -> bool:
    """Return whether the first lines are tokens that end in a chunk tag or mention, or CoNLL-U."""
    start = first_bytes(path, 8192).decode("utf-8-sig", "replace")
    if start.startswith("#FORMAT="):  # WebAnno TSV
        return False
    rows = [row for row in start.splitlines()[:-1] or [start] if row.strip()]
    rows = [row for row in rows if not row.startswith(("#", "-DOCSTART-"))][:200]
    if not rows:
        return False
    tabbed = [row.split("\t") for row in rows]
    if all(len(cells) == 10 for cells in tabbed) and _are_conllu(tabbed):
        return True
    cells_of = [row.split() for row in rows]
    widths = {len(cells) for cells in cells_of}
    tags = [cells[-1] for cells in cells_of]
    if min(widths) > 1 and are_chains(tags):  # rows of CoNLL-2012 differ in width
        return True
    return (
        len(widths) == 1
        and widths.pop() > 1
        and all(is_chunk_tag(tag) for tag in tags)
        and any(tag != "O" for tag in tags)
    )
