"""Which columns of a CoNLL file hold what."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from data.errors import DataError
from data.readers.chunks import is_chunk_tag

CONLLU = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")


@dataclass(frozen=True, slots=True)
class Column:
    """`at` counts from 0 (-1: the last one); `key` of a `Name=Value|…` column, "" for all of it."""

    at: int
    annotator: str = ""
    key: str = ""
    is_conllu: bool = False


def label_columns(option: str) -> list[Column]:
    """The columns that `gold=3,predicted=4`, `4`, `UPOS` or `anna=MISC:Entity` names.

    Raises DataError for anything else, for a column twice or for names on some columns only.
    """
    columns = [_column(part.strip()) for part in option.split(",") if part.strip()]
    names = [column.annotator for column in columns]
    if not columns or (len(columns) > 1 and (not all(names) or len(set(names)) < len(names))):
        raise DataError(
            f"option columns = {option!r}: give several columns an annotator each, as in "
            "`anna=3,ben=4`"
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
        f"option columns: {part!r} is no column; give a number from 1 or one of {', '.join(CONLLU)}"
    )


def token_column(option: str | None, conllu: bool) -> int:
    """Where the token stands, from 0."""
    if option is None:
        return 1 if conllu else 0
    if not (option.isascii() and option.isdigit() and 0 < int(option[:4]) < 1000):
        raise DataError(f"option token_column = {option!r}: give a number from 1")
    return int(option) - 1


def value_of(column: Column, cells: list[str]) -> str | None:
    """The cell, or the value of its key ("O" where the key is not there); None without the cell."""
    if not -len(cells) <= column.at < len(cells):
        return None
    cell = cells[column.at]
    if not column.key:
        return cell
    pairs = (pair.partition("=") for pair in cell.split("|"))
    return next((value for name, _, value in pairs if name == column.key), "O")


def looks_like_columns(path: Path) -> bool:
    """Whether the beginning has token lines that end in a chunk tag, or is CoNLL-U."""
    try:
        with path.open("rb") as stream:
            start = stream.read(8192).decode("utf-8-sig", "replace")
    except OSError:
        return False
    if start.startswith("#FORMAT="):  # WebAnno TSV
        return False
    rows = [row for row in start.splitlines()[:-1] or [start] if row.strip()]
    rows = [row for row in rows if not row.startswith(("#", "-DOCSTART-"))][:200]
    if not rows:
        return False
    tabbed = [row.split("\t") for row in rows]
    if all(len(cells) == 10 and cells[0][:1].isdigit() for cells in tabbed):
        return True
    cells_of = [row.split() for row in rows]
    widths = {len(cells) for cells in cells_of}
    tags = [cells[-1] for cells in cells_of]
    return (
        len(widths) == 1
        and widths.pop() > 1
        and all(is_chunk_tag(tag) for tag in tags)
        and any(tag != "O" for tag in tags)
    )
