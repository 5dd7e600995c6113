"""CoNLL columns: one token a line, chunk tags or token labels in columns; also CoNLL-U.

Documented in the CoNLL-2000 and CoNLL-2003 shared tasks (columns between blanks or tabs, blank
lines between sentences, `-DOCSTART-` before documents) and in "CoNLL-U Format" (Universal
Dependencies: ten columns between tabs, `# newdoc id =`, ranges `1-2` and empty nodes `8.1`, which
are no words and are passed over).

Conventions:
* `columns` says what the label columns are, from 1, with their annotators: `gold=3,predicted=4`;
  without names, or without the option (the last column), the file's path names the annotator
  (option `layout`). A CoNLL-U column may be named: `columns=UPOS`, `DEPREL`, or `MISC:Entity` for
  one key of MISC;
* `scheme`: iob1, iob2 (bio), bioes (iobes), bilou make units of chunks, by the rule `chunks`,
  `lenient` (conlleval's, the default) or `strict` (a run that the scheme does not allow is refused,
  rule `chunk_not_allowed`): see `chunks`. `labels` makes each token an item with its label.
  Without the option: iob2 where the first cells are chunk tags (bioes where E or S occurs), else
  labels;
* offsets are token indices in the document (`offset_unit` token); with `offsets=char` they are
  characters of the text that the tokens make: joined by spaces (CoNLL-U: but for SpaceAfter=No),
  sentences by line ends. A chunk never goes over a sentence's end;
* a document ends at `-DOCSTART-`, `# newdoc` or `#begin document`; the names are the file's with
  `#` and the document's number or id. A file without them is one document.

Units are given as they are read; `offsets=char` holds one document's text. The own reader: conllu
(6.0) reads CoNLL-U only, and raises on the first bad row of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from data.errors import DataError
from data.readers.base import SourceOptions
from data.readers.chunks import SCHEMES, ChunkReader, is_chunk_tag
from data.readers.conll_columns import (
    Column,
    label_columns,
    looks_like_columns,
    token_column,
    value_of,
)
from data.readers.lines import iter_lines
from data.readers.naming import LAYOUT_OPTION, document_and_annotator, document_name, source_name
from data.readers.records import rejected, text_document
from data.readers.spans import Problem
from data.readers.unit_maker import UnitMaker
from data.schema import Document, OffsetUnit, Record

_NEW_DOCUMENT = re.compile(
    r"#\s*newdoc(?:\s+id\s*=\s*(?P<id>\S.*))?\s*$|#begin document\s*(?P<name>.*)$"
)
# in plain columns "#" may be a token: these are the comments that tools write
_COMMENT = re.compile(r"#\s*(newpar|sent_id|text|id|global\.columns)\b.*=|#end document")
_LABELS = "labels"
_GUESSED_FROM = 1000  # tokens


class ConllReader:
    NAME = "conll"
    DESCRIPTION = "CoNLL columns with chunk tags (IOB1, IOB2, BIOES) or token labels; CoNLL-U"
    PATTERNS: tuple[str, ...] = ("*.conll", "*.conllu", "*.iob", "*.iob2", "*.bio", "*.bioes")
    OPTIONS: Mapping[str, str] = {
        "columns": "label columns from 1, by commas, with annotators: `gold=3,predicted=4` "
        "(default: the last one)",
        "token_column": "the column of the token (default: 1, CoNLL-U: 2)",
        "scheme": "iob1, iob2, bioes, bilou or labels (default: guessed)",
        "chunks": "`lenient` (default, conlleval's rule) or `strict`",
        "offsets": "`token` (default) or `char`",
        "separator": "between the columns: `tab`, or blanks (default)",
        **LAYOUT_OPTION,
    }

    def probe(self, path: Path) -> bool:
        return path.is_file() and looks_like_columns(path)

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        source = source_name(path, options)
        _check(options)
        columns = label_columns(options.extra.get("columns", "-1"))
        named = all(column.annotator for column in columns)
        document, annotator = (
            (document_name(path, options), "") if named else document_and_annotator(path, options)
        )
        conllu = path.suffix == ".conllu" or any(column.is_conllu for column in columns)
        scheme = options.extra.get("scheme") or _guessed_scheme(path, columns, options)
        reading = _Reading(source, options, scheme, document, conllu)
        for column in columns:
            reading.add(column, column.annotator or annotator)
        for number, line in iter_lines(path):
            yield from reading.line(number, line)
        yield from reading.finish()
        if not reading.tokens_read:
            raise DataError(f"{source}: no token with a label in the columns named; see `columns`")


READER = ConllReader()


def _check(options: SourceOptions) -> None:
    allowed = {
        "scheme": {*SCHEMES, _LABELS},
        "chunks": {"lenient", "strict"},
        "offsets": {"token", "char"},
    }
    for option, values in allowed.items():
        value = options.extra.get(option)
        if value is not None and value not in values:
            raise DataError(f"option {option} = {value!r}: allowed are {', '.join(sorted(values))}")


def _guessed_scheme(path: Path, columns: list[Column], options: SourceOptions) -> str:
    tags: list[str] = []
    for _, line in iter_lines(path):
        if isinstance(line, str) and line.strip() and not line.startswith(("#", "-DOCSTART-")):
            cells = _cells(line, options)
            tags += [tag for column in columns if (tag := value_of(column, cells))]
        if len(tags) > _GUESSED_FROM:
            break
    if not tags or not all(map(is_chunk_tag, {*tags})):
        return _LABELS
    return "bioes" if any(tag[:2] in ("E-", "S-", "L-", "U-") for tag in tags) else "iob2"


def _cells(line: str, options: SourceOptions) -> list[str]:
    return line.split("\t") if options.extra.get("separator") == "tab" else line.split()


@dataclass(slots=True)
class _Track:
    """One label column on its way: its annotator's units in the current document."""

    column: Column
    annotator: str
    chunks: ChunkReader
    maker: UnitMaker
    pending: list[tuple[int, int, str, str, str]] = field(default_factory=list)


class _Reading:
    """The state of one file: where the document stands, its tokens so far, its tracks."""

    def __init__(
        self, source: str, options: SourceOptions, scheme: str, document: str, conllu: bool
    ) -> None:
        self.source = source
        self.options = options
        self.scheme = scheme
        self.file = document
        self.document = document
        self.conllu = conllu
        self.token_at = token_column(options.extra.get("token_column"), conllu)
        self.chars = options.extra.get("offsets") == "char"
        self.tracks: list[_Track] = []
        self.tokens_read = 0
        self._documents = 0
        self._restart()

    def add(self, column: Column, annotator: str) -> None:
        strict = self.options.extra.get("chunks") == "strict"
        scheme = self.scheme if self.scheme in SCHEMES else "iob2"
        maker = UnitMaker(self.document, annotator, self.source, self.options)
        self.tracks.append(_Track(column, annotator, ChunkReader(scheme, strict), maker))

    def line(self, number: int, line: str | Problem) -> Iterator[Record]:
        where = f"line {number}"
        if isinstance(line, Problem):
            yield rejected(line, source=self.source, where=where, document=self.document)
            return
        begins = _NEW_DOCUMENT.match(line)
        if begins or line.startswith("-DOCSTART-"):
            yield from self._begin((begins["id"] or begins["name"] or "") if begins else "")
        elif not line.strip():
            yield from self._end_sentence(where)
        elif not (line.startswith("#") if self.conllu else _COMMENT.match(line)):
            yield from self._token(line, where)

    def finish(self) -> Iterator[Record]:
        """The last document; nothing when the file ended at a boundary."""
        yield from self._end_sentence("end of file")
        if not self._count and (self._documents > 1 or not self.tokens_read):
            return
        text = "".join(self._text)
        if self.chars:
            yield text_document(self.document, text, self.source, self.options)
        else:
            yield Document(
                document=self.document,
                length=self._count,
                offset_unit=OffsetUnit.TOKEN,
                batch=self.options.batch,
                source=self.source,
            )
        for track in self.tracks:
            yield track.maker.assignment()

    def _begin(self, name: str) -> Iterator[Record]:
        if self._count:
            yield from self.finish()
        self._documents += 1
        self.document = f"{self.file}#{name.strip() or self._documents}"
        self._restart()
        for track in self.tracks:
            track.maker = UnitMaker(self.document, track.annotator, self.source, self.options)

    def _restart(self) -> None:
        self._count = 0
        self._text: list[str] = []
        self._length = 0
        self._bounds: list[tuple[int, int]] = []
        self._glued = True

    def _token(self, line: str, where: str) -> Iterator[Record]:
        cells = line.split("\t") if self.conllu else _cells(line, self.options)
        if self.conllu and not cells[0].isdigit():
            if not re.fullmatch(r"\d+[-.]\d+", cells[0]):
                problem = Problem("bad_token_id", cells[0][:40], "no CoNLL-U token id")
                yield rejected(problem, source=self.source, where=where, document=self.document)
            return
        found = [value_of(track.column, cells) for track in self.tracks]
        if self.token_at >= len(cells) or None in found:
            problem = Problem(
                "missing_column", line[:80], f"{len(cells)} columns; the named one is not there"
            )
            yield rejected(problem, source=self.source, where=where, document=self.document)
            found = [tag or "O" for tag in found]
        self.tokens_read += 1
        position = self._count
        self._place(cells[min(self.token_at, len(cells) - 1)], cells)
        self._count += 1
        for track, tag in zip(self.tracks, found, strict=True):
            if self.scheme == _LABELS:
                if tag and tag != "_":
                    yield track.maker.label([tag], item=f"{self.document}:{position}", where=where)
                continue
            prefix = (tag or "O").partition("-")[0]
            if prefix not in ("B", "I", "E", "S", "L", "U", "O", "_", "*"):
                problem = Problem("unknown_tag", (tag or "")[:40], f"no tag of {self.scheme}")
                yield track.maker.rejected(problem, where)
                tag = "O"
            for chunk in track.chunks.tag(position, tag or "O"):
                yield self._unit(track, chunk, where)

    def _place(self, token: str, cells: list[str]) -> None:
        """Where the token stands in the text that the tokens make."""
        if not self.chars:
            return
        if not self._glued:
            self._text.append(" ")
            self._length += 1
        self._bounds.append((self._length, self._length + len(token)))
        self._text.append(token)
        self._length += len(token)
        self._glued = self.conllu and len(cells) > 9 and "SpaceAfter=No" in cells[9].split("|")

    def _end_sentence(self, where: str) -> Iterator[Record]:
        for track in self.tracks:
            for chunk in track.chunks.end():
                yield self._unit(track, chunk, where)
        if self.chars and self._count and self._text[-1] != "\n":
            self._text.append("\n")
            self._length += 1
            self._glued = True

    def _unit(self, track: _Track, chunk: tuple[int, int, str, str], where: str) -> Record:
        start, end, type_, broken = chunk
        tokens = f"{start} {end}"
        if broken:
            track.maker.annotated = True
            message = f"{broken!r} is not allowed there in {self.scheme} (tokens {tokens})"
            return track.maker.rejected(Problem("chunk_not_allowed", broken, message), where)
        first, last = start, end
        if self.chars:
            first, last = self._bounds[start][0], self._bounds[end - 1][1]
        return track.maker.unit(
            f"{start}-{end}",
            first,
            last,
            type_,
            source_offsets=f"tokens {tokens}" if self.chars else tokens,
            where=where,
        )
