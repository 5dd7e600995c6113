"""Meaning of the columns of a CoNLL file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ....errors import OptionError
from ...common.files.lines import iter_lines
from ...common.files.text import first_bytes
from ...common.span_rules import Problem, parse_integer
from .chunks import SCHEMES, is_chunk_tag
from .coreference import COREFERENCE, are_chains

_DOCSTART = "-DOCSTART-"
_GUESSED_FROM = 1000  # tokens
_MOST_CHARACTERS = 1 << 20  # limit on the tokens searched for them

_FEWEST_NUMBERS = 4  # different numbers in a column that is taken for one of token numbers
_NUMBERS = ("ID", "HEAD", "DEPS")

NOTHING = "_"  # a cell of an annotation that the file does not have
TREE = "TREE"  # HEAD and DEPREL of the tokens of a sentence, which are one object
CONLLU = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")


@dataclass(frozen=True, slots=True)
class Column:
    """`at` counts from 0 (-1: last column); `key` of a `Name=Value|…` column, "" for all of it.

    is_tree  whether HEAD and DEPREL are read together, as `HEAD:DEPREL`
    """

    at: int
    annotator: str = ""
    key: str = ""
    is_conllu: bool = False
    is_tree: bool = False


LAST_COLUMN = Column(-1)


def label_columns(option: str) -> tuple[Column, ...]:
    """Return the columns named by `gold=3,predicted=4`, `4`, `UPOS` or `anna=MISC:Entity`.

    Raises DataError for any other form, a repeated column, or names for only some columns.
    """
    columns = [_column(part.strip()) for part in option.split(",") if part.strip()]
    names = [column.annotator for column in columns]
    if not columns or (len(columns) > 1 and (not all(names) or len(set(names)) < len(names))):
        raise OptionError(
            f"option columns = {option!r}: with several columns, name an annotator for "
            "each, as in `anna=3,ben=4`"
        )
    return tuple(columns)


def _column(part: str) -> Column:
    annotator, _, place = part.rpartition("=")
    place, _, key = place.strip().partition(":")
    if place.upper() == TREE:
        return Column(CONLLU.index("HEAD"), annotator.strip(), is_conllu=True, is_tree=True)
    if place.upper() in CONLLU:
        return Column(CONLLU.index(place.upper()), annotator.strip(), key, is_conllu=True)
    if place == "-1" or (place.isascii() and place.isdigit() and 0 < int(place[:4]) < 1000):
        return Column(int(place) - 1 if place != "-1" else -1, annotator.strip(), key)
    raise OptionError(
        f"option columns: {part!r} is not a column; give a number from 1 or one of "
        f"{', '.join(CONLLU)}, {TREE}"
    )


def split_cells(line: str, *, tabs: bool) -> list[str]:
    """Return the cells of a line; none for a blank line."""
    if tabs:
        return line.split("\t") if line.strip() else []
    return line.split()


def guessed_scheme(rows: Sequence[list[str]], columns: Sequence[Column]) -> str:
    """The scheme of the first tags of the columns, "" when they are no chunk tags, or all `_`."""
    tags = [tag for cells in rows for column in columns if (tag := cell_value(column, cells))]
    found = {*tags}
    if are_chains(tags):
        return COREFERENCE
    if not found - {NOTHING} or not all(map(is_chunk_tag, found)):
        return ""
    return "bioes" if any(tag[:2] in ("E-", "S-", "L-", "U-") for tag in found) else "iob2"


def n_columns_to_choose_from(rows: Sequence[list[str]], scheme: str, *, token_at: int) -> int:
    """The number of columns where another one than the last may hold the labels too, else 0.

    For a scheme of chunks, another column has chunk tags only; for labels, any other column may.
    """
    width = 0 if scheme == COREFERENCE else min(map(len, rows), default=0)
    others = [[cells[at] for cells in rows] for at in range(width - 1) if at != token_at]
    if scheme in SCHEMES:
        others = [cells for cells in others if all(map(is_chunk_tag, cells)) and {*cells} != {"O"}]
    return width if others else 0


def first_tokens_by_sentence(path: Path, *, tabs: bool) -> list[list[list[str]]]:
    """Return the cells of the first tokens of a file, by sentence."""
    sentences: list[list[list[str]]] = [[]]
    n_tokens = n_characters = 0
    for _, line in iter_lines(path):
        if isinstance(line, Problem) or line.startswith(("#", _DOCSTART)):
            continue
        cells = split_cells(line, tabs=tabs)
        if not cells:
            sentences.append([])
            continue
        sentences[-1].append(cells)
        n_tokens += 1
        n_characters += len(line)
        if n_tokens >= _GUESSED_FROM or n_characters > _MOST_CHARACTERS:
            break
    return [sentence for sentence in sentences if sentence]


def are_conllu(sentences: Sequence[Sequence[list[str]]]) -> bool:
    """Return whether the rows have the ten columns of CoNLL-U and CoNLL-X, among them ID and HEAD.

    A table of ratings may have ten columns, too: its second one, unlike FORM, has only numbers.
    """
    rows = [row for sentence in sentences for row in sentence]
    if not rows or any(len(row) != len(CONLLU) for row in rows):
        return False
    have_numbers = all(row[0][:1].isdigit() and (row[6] == "_" or row[6].isdigit()) for row in rows)
    return have_numbers and not all(row[1].replace(".", "", 1).isdigit() for row in rows)


def usual_width(rows: Sequence[list[str]]) -> int:
    """Return the most frequent number of cells, 0 without rows."""
    return Counter(map(len, rows)).most_common(1)[0][0] if rows else 0


def require_no_token_numbers(
    column: Column, sentences: Sequence[Sequence[list[str]]], *, is_conllu: bool, are_labels: bool
) -> None:
    """Raise DataError for a column of token numbers: positions in a sentence are no categories.

    CoNLL-U and CoNLL-X name these columns (ID, HEAD, DEPS); elsewhere their content shows it.
    """
    if column.is_tree:
        return
    name = CONLLU[column.at] if is_conllu and not column.key else f"column {column.at + 1}"
    cells = [[cell_value(column, row) or "" for row in sentence] for sentence in sentences]
    if name in _NUMBERS or (are_labels and not column.key and are_token_numbers(cells)):
        raise OptionError(
            f"option columns: {name} holds token numbers, which are positions and not categories, "
            "so that no coefficient of categories applies (Skjærholt 2014); choose a column of "
            "labels, such as DEPREL or UPOS, or TREE for the trees"
        )


def are_token_numbers(sentences: Sequence[Sequence[str]]) -> bool:
    """Return whether each sentence's cells number its tokens, or are the heads of its tokens.

    Heads are a forest: 0 for a root, the number of another token for the others, and no cycle. Most
    sentences have one beyond their middle, which small codes of categories have not.
    """
    found = [[parse_integer(cell) for cell in sentence] for sentence in sentences]
    numbers = [[n for n in sentence if n is not None] for sentence in found]
    if len({n for sentence in numbers for n in sentence}) < _FEWEST_NUMBERS or numbers != found:
        return False
    if all(a < b for sentence in numbers for a, b in pairwise(sentence)):
        return True
    n_far = sum(2 * max(sentence) > len(sentence) for sentence in numbers)
    return 2 * n_far > len(numbers) and all(map(_is_forest, numbers))


def _is_forest(heads: Sequence[int]) -> bool:
    if 0 not in heads or min(heads) < 0 or max(heads) > len(heads):
        return False
    rooted = {0}
    for token in range(1, len(heads) + 1):
        way: list[int] = []
        while token not in rooted:
            if token in way:
                return False
            way.append(token)
            token = heads[token - 1]
        rooted.update(way)
    return True


def cell_value(column: Column, cells: list[str]) -> str | None:
    """Return the cell, or the value of its key ("O" without the key); None without the cell."""
    if column.is_tree:
        return ":".join(cells[column.at : column.at + 2]) if len(cells) > column.at + 1 else None
    try:
        cell = cells[column.at]
    except IndexError:
        return None
    if not column.key:
        return cell
    pairs = (pair.partition("=") for pair in cell.split("|"))
    return next((value for name, _, value in pairs if name == column.key), "O")


def looks_like_columns(path: Path) -> bool:
    """Return whether the first lines are tokens that end in a chunk tag or mention, or CoNLL-U."""
    start = first_bytes(path, 8192).decode("utf-8-sig", "replace")
    if start.startswith("#FORMAT="):  # WebAnno TSV
        return False
    rows = [row for row in start.splitlines()[:-1] or [start] if row.strip()]
    rows = [row for row in rows if not row.startswith(("#", "-DOCSTART-"))][:200]
    if not rows:
        return False
    if are_conllu([[row.split("\t") for row in rows]]):
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
