"""The state of a CoNLL file on its way: the document, its tokens so far, its label columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...blocks import Rows, rows
from ...errors import DataError
from ...schema import Document, OffsetUnit, Record
from ..base import SourceOptions
from ..common.records.steps import rejected, text_document
from ..common.records.unit_maker import UnitMaker
from ..common.spans import Problem
from .blocks import Piece, labels
from .chunks import PREFIXES, SCHEMES, ChunkReader
from .columns import Column, Lines, split_cells, token_column, value_of
from .coreference import COREFERENCE, LINK, ChainReader, Mention

LABELS = "labels"
_NEW_DOCUMENT = re.compile(
    r"#\s*newdoc(?:\s+id\s*=\s*(?P<id>\S.*))?\s*$|#begin document\s*(?P<name>.*)$"
)
# in plain columns "#" may be a token: these are the comments that tools write
_COMMENT = re.compile(r"#\s*(newpar|sent_id|text|id|global\.columns)\b.*=|#end document")
_RANGE = re.compile(r"\d+[-.]\d+")  # of a CoNLL-U token's id: no word


@dataclass(slots=True)
class _Track:
    """One label column on its way: its annotator's units in the current document."""

    column: Column
    annotator: str
    chunks: ChunkReader
    maker: UnitMaker
    chains: ChainReader = field(default_factory=ChainReader)


class Reading:
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
        self.tabs = conllu or options.extra.get("separator") == "tab"
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

    def lines(self, batch: Lines) -> Iterator[Rows]:
        """What `line` gives for each line of the batch, of many at once where they are plain."""
        begin = 0
        for k in batch.marked:
            line = batch.lines[k]
            if line.startswith("-DOCSTART-") or _NEW_DOCUMENT.match(line):
                yield from self._piece(batch.part(begin, k))
                yield from self.line(batch.numbers[k], line)
                begin = k + 1
        yield from self._piece(batch.part(begin, len(batch.lines)))

    def _piece(self, batch: Lines) -> Iterator[Rows]:
        """Lines of one document."""
        at = 0
        while at < len(batch.lines) and any(track.chunks.is_open for track in self.tracks):
            yield from self.line(batch.numbers[at], batch.lines[at])
            at += 1
        rest = batch.part(at, len(batch.lines))
        plain = self._plain(rest)
        if plain is None:
            yield from self._singly(rest)
        elif self.scheme == LABELS:
            yield from self._labels(plain)
        else:
            yield from self._chunks(plain)

    def _plain(self, batch: Lines) -> Lines | None:
        """The batch without comments; None where a line needs a second look."""
        kept = batch
        if batch.marked:
            passed = [k for k in batch.marked if self.conllu or _COMMENT.match(batch.lines[k])]
            kept = batch.without(passed)
        if self.conllu:
            ids = [cells[0] if cells else "1" for cells in kept.cells]
            ranges = [k for k, id in enumerate(ids) if not id.isdigit()]
            if not all(_RANGE.fullmatch(ids[k]) for k in ranges):
                return None
            kept = kept.without(ranges)
        narrow = self.token_at and min(map(len, filter(None, kept.cells)), default=0)
        return None if narrow and narrow <= self.token_at else kept

    def _singly(self, batch: Lines) -> Iterator[Record]:
        for number, line in zip(batch.numbers, batch.lines, strict=True):
            yield from self.line(number, line)

    def _tags(self, batch: Lines) -> list[list[str]] | None:
        """Each track's tag on each line, "" between sentences; None where a column is missing."""
        try:
            return [
                [cells[track.column.at] if cells else "" for cells in batch.cells]
                for track in self.tracks
            ]
        except IndexError:
            return None

    def _labels(self, batch: Lines) -> Iterator[Rows]:
        tags = self._tags(batch)
        if tags is None:
            yield from self._singly(batch)
            return
        tokens = [*map(bool, batch.cells)]
        names = [track.annotator for track in self.tracks]
        found = labels(batch.numbers, tags, tokens, f"{self.document}:", self._count, names)
        self._mark(found["annotator"], sum(tokens))
        yield from rows("labels", len(found["where"]), self._known | found)

    def _chunks(self, batch: Lines) -> Iterator[Rows]:
        tags = self._tags(batch)
        piece = Piece(batch.numbers, tags, [*map(bool, batch.cells)]) if tags else None
        if piece is None or not piece.all_are_tags:
            yield from self._singly(batch)
            return
        end = piece.closed()
        chunks = piece.chunks(end)
        found = piece.units(chunks, self._count, [track.annotator for track in self.tracks])
        self._mark(found["annotator"], piece.n_tokens(end))
        yield from rows("units", len(found["where"]), self._known | found)
        yield from self._singly(batch.part(end, len(batch.lines)))

    def _mark(self, annotators: list[str], n_tokens: int) -> None:
        """What `_token` notes of each token, for `n_tokens` of them."""
        self._count += n_tokens
        self.tokens_read += n_tokens
        some = {*annotators}
        for track in self.tracks:
            track.maker.annotated = track.maker.annotated or track.annotator in some

    @property
    def _known(self) -> dict[str, str]:
        return {"document": self.document, "source": self.source}

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
            yield from self._chains(track)
            yield track.maker.assignment()

    def end(self) -> Iterator[Record]:
        """`finish` at the file's end. Raises DataError when no token was read."""
        yield from self.finish()
        if not self.tokens_read:
            raise DataError(
                f"{self.source}: no token with a label in the columns named; see `columns`"
            )

    @property
    def by_blocks(self) -> bool:
        """Whether `lines` may be used: it knows neither characters nor the strict rule."""
        strict = self.options.extra.get("chunks") == "strict"
        chains = self.scheme == COREFERENCE
        return not (self.chars or strict or chains or any(t.column.key for t in self.tracks))

    def _begin(self, name: str) -> Iterator[Record]:
        if self._count:
            yield from self.finish()
        self._documents += 1
        self.document = f"{self.file}#{name.strip() or self._documents}"
        self._restart()
        for track in self.tracks:
            track.maker = UnitMaker(self.document, track.annotator, self.source, self.options)
            track.chains = ChainReader()

    def _restart(self) -> None:
        self._count = 0
        self._text: list[str] = []
        self._length = 0
        self._bounds: list[tuple[int, int]] = []
        self._glued = True

    def _token(self, line: str, where: str) -> Iterator[Record]:
        cells = split_cells(line, tabs=self.tabs)
        if self.conllu and not cells[0].isdigit():
            if not _RANGE.fullmatch(cells[0]):
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
            if self.scheme == LABELS:
                if tag and tag != "_":
                    yield track.maker.label([tag], item=f"{self.document}:{position}", where=where)
                continue
            if self.scheme == COREFERENCE:
                for problem in track.chains.cell(position, tag or ""):
                    yield track.maker.rejected(problem, where)
                continue
            prefix = (tag or "O").partition("-")[0]
            if prefix not in PREFIXES:
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

    def _chains(self, track: _Track) -> Iterator[Record]:
        """The mentions of the document as units, and the links of its chains."""
        for problem in track.chains.end():
            track.maker.annotated = True
            yield track.maker.rejected(problem, "end of the document")
        for mention in sorted(track.chains.mentions, key=lambda one: (one.start, -one.end)):
            first, last = self._bounds_of(mention.start, mention.end)
            tokens = f"tokens {mention.start} {mention.end}"
            where = f"chain {mention.chain}, {tokens}"
            name = _name(mention)
            yield track.maker.unit(name, first, last, "", source_offsets=tokens, where=where)
        for one, two in track.chains.links():
            names = _name(one), _name(two)
            yield track.maker.relation("→".join(names), names, LINK, where=f"chain {one.chain}")

    def _bounds_of(self, start: int, end: int) -> tuple[int, int]:
        """Tokens as the document's offsets count."""
        if self.chars:
            return self._bounds[start][0], self._bounds[end - 1][1]
        return start, end

    def _unit(self, track: _Track, chunk: tuple[int, int, str, str], where: str) -> Record:
        start, end, type_, broken = chunk
        tokens = f"{start} {end}"
        if broken:
            track.maker.annotated = True
            message = f"{broken!r} is not allowed there in {self.scheme} (tokens {tokens})"
            return track.maker.rejected(Problem("chunk_not_allowed", broken, message), where)
        first, last = self._bounds_of(start, end)
        return track.maker.unit(
            f"{start}-{end}",
            first,
            last,
            type_,
            source_offsets=f"tokens {tokens}" if self.chars else tokens,
            where=where,
        )


def _name(mention: Mention) -> str:
    return f"{mention.chain}:{mention.start}-{mention.end}"
