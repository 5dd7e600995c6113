"""Parse the lines of WebAnno TSV 3.x: columns, text and tokens. Escapes are resolved here.

The text is reconstructed: a sentence's `#Text=` lines are joined by line feeds and placed at the
offset of its first token; the characters between two sentences are not in the file and become a
line feed, then spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from ....errors import DataError
from ...common.category_features import short_layer_name
from ...common.span_rules import Problem, parse_integer

FORMAT = "#FORMAT="
_FORMAT = re.compile(r"#FORMAT=WebAnno TSV (3\.\d+)\s*")
_TEXT = "#Text="
_ESCAPED_TEXT = re.compile(r"\\(.)", re.S)
_ESCAPED_JAVA = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.S)
_ESCAPED_VALUE = re.compile(r"\\(->|.)", re.S)
_LETTERS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "b": "\b", "\\": "\\"}
_VALUE_LETTERS = {"t": "\t", "n": "\n"}
_MAX_GAP = 1_000_000  # characters between two sentences
_VALUE_MARKS = ("\\", "[", "]", "|", "_", "->", ";", "*")


class Kind(Enum):
    PRIMITIVE = "a feature"
    PLACEHOLDER = "a layer without features"
    RELATION = "BT_: the unit a relation comes from"
    ROLE = "ROLE_: roles of slots"
    TARGET = "targets of slots"
    CHAIN_TYPE = "referenceType of a chain's element"
    CHAIN_LINK = "referenceRelation, with chain and place in it"


@dataclass(frozen=True, slots=True)
class Column:
    """`layer` is the type's full name; `name` is the feature, or the type that is referred to."""

    at: int
    layer: str
    short_layer: str
    kind: Kind
    name: str


@dataclass(slots=True)
class Token:
    """`start`, `end` as written, in UTF-16 units; `cells` as written, for `columns`.

    `place` is `[start, end)` in code points, set once `surface` is found there in the text.
    """

    line: int
    id: str
    start: int
    end: int
    surface: str
    cells: list[str]
    place: tuple[int, int] | None = None


@dataclass(slots=True)
class TsvDocument:
    columns: list[Column] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    problems: list[tuple[int, Problem]] = field(default_factory=list)
    text: str = ""


def parse_tsv(lines: Iterable[tuple[int, str | Problem]], source: str) -> TsvDocument:
    """Return columns, tokens and text. Raises DataError when the file is not of version 3."""
    rows = iter(lines)
    version = _version(rows, source)
    document = TsvDocument()
    text = _Text(version)
    for number, line in rows:
        if not line:
            continue
        if isinstance(line, Problem):
            document.problems.append((number, line))
        elif line[0] != "#":
            token = _token(number, line, len(document.columns))
            if isinstance(token, Problem):
                document.problems.append((number, token))
            else:
                text.place_sentence(token)
                document.tokens.append(token)
        elif line.startswith(_TEXT):
            text.sentence_line(line.removeprefix(_TEXT))
        elif line.startswith("#T_"):
            if document.tokens:
                raise DataError(
                    f"{source}, line {number}: a layer is declared after the first token; all "
                    "#T_ lines must be at the start of the file"
                )
            _add_columns(document.columns, line, f"{source}, line {number}")
    document.text = text.whole()
    return document


def _version(rows: Iterator[tuple[int, str | Problem]], source: str) -> str:
    first = next((line for _, line in rows), "")
    found = _FORMAT.fullmatch(first) if isinstance(first, str) else None
    if found is None:
        raise DataError(
            f"{source}: not WebAnno TSV 3 (no `#FORMAT=WebAnno TSV 3.x`): versions 1 and 2 have no "
            "offsets; export the project again as WebAnno TSV 3 or UIMA CAS XMI"
        )
    return found[1]


def _add_columns(columns: list[Column], line: str, location: str) -> None:
    prefix, _, rest = line.partition("=")
    layer, *names = rest.strip().split("|")
    if prefix not in ("#T_SP", "#T_RL", "#T_CH") or not layer:
        raise DataError(f"{location}: {prefix} is not a layer of spans, relations or chains")
    for name in names or [""]:
        kind = _kind(prefix, name)
        shown = name.removeprefix("BT_") if kind is Kind.RELATION else name
        columns.append(Column(len(columns), layer, short_layer_name(layer), kind, shown))


def _kind(prefix: str, name: str) -> Kind:
    if prefix == "#T_CH":
        return Kind.CHAIN_LINK if name == "referenceRelation" else Kind.CHAIN_TYPE
    if prefix == "#T_RL" and name.startswith("BT_"):
        return Kind.RELATION
    if name.startswith("ROLE_"):
        return Kind.ROLE
    if not name:
        return Kind.PLACEHOLDER
    return Kind.TARGET if prefix == "#T_SP" and "." in name else Kind.PRIMITIVE


def _token(number: int, line: str, n_columns: int) -> Token | Problem:
    fields = line.split("\t")
    start, _, end = fields[1].partition("-") if len(fields) > 1 else ("", "", "")
    if not (start.isdecimal() and end.isdecimal() and len(start) < 19 and len(end) < 19):
        value = fields[1] if len(fields) > 1 else line
        return Problem("not_an_offset", value, "the second column must be `start-end`")
    if len(fields) < 3 + n_columns:
        message = f"{len(fields)} columns where the header declares {3 + n_columns}"
        return Problem("wrong_number_of_columns", str(len(fields)), message)
    cells = fields[3 : 3 + n_columns]
    return Token(number, fields[0], int(start), int(end), fields[2], cells)


class _Text:
    """The document's text while it grows; lengths in UTF-16 units, like the offsets."""

    def __init__(self, version: str) -> None:
        self._java = version in ("3.0", "3.1")
        self._pieces: list[str] = []
        self._length = 0
        self._sentence: list[str] = []

    def sentence_line(self, escaped: str) -> None:
        self._sentence.append(self._unescaped(escaped))

    def place_sentence(self, first: Token) -> None:
        """Append the current sentence at the offset of its first readable token."""
        if not self._sentence:
            return
        sentence = "\n".join(self._sentence)
        self._sentence = []
        before = sentence[: max(sentence.find(first.surface), 0)]
        start = first.start - _utf16_length(before)
        # a hostile offset must not create a gap of gigabytes; such tokens are rejected afterwards
        gap = start - self._length
        if 0 < gap <= _MAX_GAP:
            self._append("\n" + " " * (gap - 1) if self._pieces else " " * gap)
        self._append(sentence)

    def whole(self) -> str:
        return "".join(self._pieces)

    def _append(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += _utf16_length(piece)

    def _unescaped(self, text: str) -> str:
        if "\\" not in text:
            return text
        if self._java:
            text = _ESCAPED_JAVA.sub(_java_character, text)
            # \\uD83D\\uDE00 is one character
            return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return _ESCAPED_TEXT.sub(_text_character, text)


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _java_character(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _LETTERS.get(found[2], found[2])


def _text_character(found: re.Match[str]) -> str:
    letter = found[1]
    return _LETTERS.get(letter, letter if letter < " " else found[0])


def split_cell(cell: str, separator: str) -> list[str]:
    """Split a cell at separators that are not escaped by a backslash."""
    if "\\" not in cell:
        return cell.split(separator)
    parts, start, at = [], 0, 0
    while at < len(cell):
        if cell[at] == "\\":
            at += 2
            continue
        if cell[at] == separator:
            parts.append(cell[start:at])
            start = at + 1
        at += 1
    return [*parts, cell[start:]]


def unescaped_value(value: str) -> str:
    """Resolve the escapes in a cell's value; escapes that WebAnno does not write stay."""

    def character(found: re.Match[str]) -> str:
        mark = found[1]
        return _VALUE_LETTERS.get(mark, mark if mark in _VALUE_MARKS else found[0])

    return _ESCAPED_VALUE.sub(character, value) if "\\" in value else value


def split_bracket(value: str) -> tuple[str, str]:
    """Split `ORG[3]` to (ORG, 3), `1-2[3_0]` to (1-2, 3_0); without brackets (value, "")."""
    if value.endswith("]") and not value.endswith("\\]"):
        before, bracket, inside = value[:-1].rpartition("[")
        if bracket:
            return before, inside
    return value, ""


def chain_place(value: str) -> tuple[str, tuple[int, int] | None]:
    """Split `coref->2-3` to (coref, (chain 2, element 3))."""
    before, arrow, place = value.rpartition("->")
    chain, dash, element = place.partition("-")
    numbers = parse_integer(chain), parse_integer(element)
    if not arrow or not dash or numbers[0] is None or numbers[1] is None:
        return value, None
    return before, (numbers[0], numbers[1])
