"""State while a CoNLL file is read: the document, its tokens so far, its label columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from ....errors import DataError
from ....schema import Label, OffsetUnit, Record, Unit
from ...base import SourceOptions
from ...common.records.make_records import make_document, make_rejected
from ...common.records.unit_maker import UnitMaker
from ...common.span_rules import Problem
from .chunks import OUTSIDE, PREFIXES, SCHEMES, UNKNOWN, Chunk, ChunkReader, split_tag
from .columns import Column, cell_value, split_cells
from .coreference import COREFERENCE, LINK, ChainReader, Mention
from .options import ConllOptions

LABELS = "labels"
TREES, TREE_LAYER = "trees", "tree"
_NEW_DOCUMENT = re.compile(
    r"#\s*newdoc(?:\s+id\s*=\s*(?P<id>\S.*))?\s*$|#begin document\s*(?P<name>.*)$"
)
_SENTENCE = re.compile(r"#\s*sent_id\s*=\s*(?P<id>\S.*)")
# in plain columns "#" may be a token; these are the comments that tools write
_COMMENT = re.compile(r"#\s*(newpar|sent_id|text|id|global\.columns)\b.*=|#end document")
_PERHAPS_COMMENT = re.compile(r"#(\s|\w+\s*[=:])")  # unless its cells are those of a token
_RANGE = re.compile(r"\d+[-.]\d+")  # in the id of a CoNLL-U token: not a word


@dataclass(slots=True)
class _Track:
    """One label column: its annotator's units in the current document."""

    column: Column
    annotator: str
    chunks: ChunkReader
    maker: UnitMaker
    chains: ChainReader = field(default_factory=ChainReader)
    tokens: list[str] = field(default_factory=list)  # of a tree: `HEAD:DEPREL`, "" if rejected


class ConllFile:
    """State of one file: the current document, its tokens so far, its tracks."""

    def __init__(
        self,
        source: str,
        options: SourceOptions,
        scheme: str,
        document: str,
        conllu: bool,
        width: int,
    ) -> None:
        self.source = source
        self.options = options
        self.scheme = scheme
        self.file = document
        self.document = document
        self.conllu = conllu
        self.width = width
        self.own = options.of_format(ConllOptions)
        self.tabs = conllu or self.own.separator == "tab"
        self.token_at = int(conllu) if self.own.token_column is None else self.own.token_column
        self.chars = self.own.offsets == "char"
        self.tracks: list[_Track] = []
        self.tokens_read = 0
        self._documents = 0
        self._reset_document()

    def add(self, column: Column, annotator: str) -> None:
        strict = self.own.chunks == "strict"
        scheme = self.scheme if self.scheme in SCHEMES else "iob2"
        maker = UnitMaker(self.document, annotator, self.source, self.options)
        self.tracks.append(_Track(column, annotator, ChunkReader(scheme, strict), maker))

    def line(self, number: int, line: str | Problem) -> Iterator[Record]:
        location = f"line {number}"
        if isinstance(line, Problem):
            yield from self._rejected_token(line, location)
            return
        if line.startswith("-DOCSTART-"):
            yield from self._begin_document("")
        elif not line.strip():
            yield from self._end_sentence(location)
        elif not line.startswith("#"):
            yield from self._token(line, location)
        elif begins := _NEW_DOCUMENT.match(line):
            yield from self._begin_document(begins["id"] or begins["name"] or "")
        elif self.scheme == TREES and (sentence := _SENTENCE.match(line)):
            self._sentence = sentence["id"].strip()
        elif not self.conllu and not self._is_comment(line):
            yield from self._token(line, location)

    def finish(self) -> Iterator[Record]:
        """Yield the last document; nothing when the file ended at a boundary."""
        yield from self._end_sentence("end of file")
        if not self._count and (self._documents > 1 or not self.tokens_read):
            return
        text = "".join(self._text)
        if self.chars:
            yield make_document(self.document, self.source, self.options, text=text)
        else:
            self.options.tokens.check(self.document, self._tokens.digest(), self.options.notes)
            yield make_document(
                self.document,
                self.source,
                self.options,
                length=self._count,
                offset_unit=OffsetUnit.TOKEN,
            )
        for track in self.tracks:
            yield from self._close_chains(track)
            yield track.maker.assignment()

    def end(self) -> Iterator[Record]:
        """Call `finish` at the file's end. Raises DataError when no token was read."""
        yield from self.finish()
        if not self.tokens_read:
            raise DataError(
                f"{self.source}: no token has a label in the chosen columns; check the option "
                "`columns`"
            )

    def _begin_document(self, name: str) -> Iterator[Record]:
        if self._count:
            yield from self.finish()
        self._documents += 1
        self.document = f"{self.file}#{name.strip() or self._documents}"
        self._reset_document()
        for track in self.tracks:
            track.maker = UnitMaker(self.document, track.annotator, self.source, self.options)
            track.chains = ChainReader()

    def _reset_document(self) -> None:
        self._count = 0
        self._tokens = blake2b(digest_size=8)
        self._sentence = ""
        self._n_sentences = 0
        self._text: list[str] = []
        self._length = 0
        self._bounds: list[tuple[int, int]] = []
        self._glued = True

    def _is_comment(self, line: str) -> bool:
        """Return whether a line that begins with # is no token, in a file of plain columns."""
        cells = split_cells(line, tabs=self.tabs)
        is_wider = self.scheme != COREFERENCE and len(cells) > self.width
        if _COMMENT.match(line) or is_wider or not _PERHAPS_COMMENT.match(line):
            return _COMMENT.match(line) is not None or is_wider
        if len(cells) != self.width:
            return True
        tags = [cell_value(track.column, cells) or "" for track in self.tracks]
        return self.scheme in SCHEMES and not all(map(_is_tag, tags))

    def _token(self, line: str, location: str) -> Iterator[Record]:
        cells = split_cells(line, tabs=self.tabs)
        if self.conllu and not cells[0].isdigit():
            if not _RANGE.fullmatch(cells[0]):
                problem = Problem("bad_token_id", cells[0][:40], "not a CoNLL-U token id")
                yield from self._rejected_token(problem, location)
            return
        found = [cell_value(track.column, cells) for track in self.tracks]
        if self.token_at >= len(cells) or None in found or self._lacks_last_column(cells):
            message = f"the row has only {len(cells)} columns, so a chosen column is missing"
            yield from self._rejected_token(Problem("missing_column", line[:80], message), location)
            return
        self.tokens_read += 1
        position = self._add_token(cells[self.token_at], cells)
        for track, tag in zip(self.tracks, found, strict=True):
            yield from self._tag(track, position, tag or "", location)

    def _lacks_last_column(self, cells: list[str]) -> bool:
        """Return whether a row is too short for `columns` to count its columns from the end."""
        counted = any(track.column.at < 0 for track in self.tracks)
        return counted and self.scheme != COREFERENCE and len(cells) < self.width

    def _rejected_token(self, problem: Problem, location: str) -> Iterator[Record]:
        """Reject a line, which is a token of unknown tags, and the chunks beside it."""
        annotator = self.tracks[0].annotator if len(self.tracks) == 1 else ""
        yield make_rejected(
            problem,
            source=self.source,
            location=location,
            table=Label.TABLE if self.scheme in (LABELS, TREES) else Unit.TABLE,
            document=self.document,
            annotator=annotator,
        )
        self._add_token(UNKNOWN, [])
        for track in self.tracks:
            track.maker.annotated = True
            yield from self._unknown_tag(track, location)

    def _tag(self, track: _Track, position: int, tag: str, location: str) -> Iterator[Record]:
        """Yield what the tag of a token makes or ends."""
        if self.scheme == LABELS:
            if tag and tag != "_":
                item = f"{self.document}:{position}"
                yield track.maker.label([tag], item=item, location=location)
        elif self.scheme == TREES:
            track.tokens.append(tag)
        elif self.scheme == COREFERENCE:
            for problem in track.chains.cell(position, tag):
                yield track.maker.rejected(problem, location)
        elif tag == OUTSIDE and track.chunks.is_outside:
            return
        elif not _is_tag(tag or OUTSIDE):
            track.maker.annotated = True
            problem = Problem("unknown_tag", tag[:40], f"not a tag of {self.scheme}")
            yield track.maker.rejected(problem, location)
            yield from self._unknown_tag(track, location)
        else:
            for chunk in track.chunks.tag(position, tag or OUTSIDE):
                yield self._unit(track, chunk, location)

    def _unknown_tag(self, track: _Track, location: str) -> Iterator[Record]:
        track.tokens.append("")
        for chunk in track.chunks.unknown_tag():
            yield self._unit(track, chunk, location)

    def _add_token(self, token: str, cells: list[str]) -> int:
        """Count a token, with its text where characters are counted, and return its position."""
        if self.chars:
            self._append_token(token, cells)
        else:
            self._tokens.update(f"{token}\n".encode(errors="surrogatepass"))
        self._count += 1
        return self._count - 1

    def _append_token(self, token: str, cells: list[str]) -> None:
        """Append a token to the text and return its bounds."""
        if not self._glued:
            self._text.append(" ")
            self._length += 1
        self._bounds.append((self._length, self._length + len(token)))
        self._text.append(token)
        self._length += len(token)
        self._glued = self.conllu and len(cells) > 9 and "SpaceAfter=No" in cells[9].split("|")

    def _end_sentence(self, location: str) -> Iterator[Record]:
        for track in self.tracks:
            for chunk in track.chunks.end():
                yield self._unit(track, chunk, location)
        if self.scheme == TREES and any(track.tokens for track in self.tracks):
            yield from self._trees(location)
        if self.chars and self._count and self._text[-1] != "\n":
            self._text.append("\n")
            self._length += 1
            self._glued = True

    def _trees(self, location: str) -> Iterator[Record]:
        """Yield the trees of the sentence, each the label of an item; none where HEAD is `_`."""
        self._n_sentences += 1
        item = f"{self.document}:{self._sentence or self._n_sentences}"
        self._sentence = ""
        for track in self.tracks:
            tokens, track.tokens = track.tokens, []
            if "" in tokens:
                message = "a row of the sentence is rejected, so that its tree is unknown"
                problem = Problem("rejected_row", item, message)
                yield track.maker.rejected(problem, location, Label.TABLE)
            elif any(not token.startswith("_") for token in tokens):
                made = track.maker.label([" ".join(tokens)], layer=TREE_LAYER, item=item)
                made.location = location
                yield made

    def _close_chains(self, track: _Track) -> Iterator[Record]:
        """Yield the mentions of the document as units, and the links of its chains."""
        for problem in track.chains.end():
            track.maker.annotated = True
            yield track.maker.rejected(problem, "end of the document")
        for mention in sorted(track.chains.mentions, key=lambda one: (one.start, -one.end)):
            first, last = self._bounds_of(mention.start, mention.end)
            tokens = f"tokens {mention.start} {mention.end}"
            location = f"chain {mention.chain}, {tokens}"
            name = _name(mention)
            yield track.maker.unit(name, first, last, "", source_offsets=tokens, location=location)
        for one, two in track.chains.links():
            names = _name(one), _name(two)
            yield track.maker.relation("→".join(names), names, LINK, location=f"chain {one.chain}")

    def _bounds_of(self, start: int, end: int) -> tuple[int, int]:
        """Convert a range of tokens to the document's offset unit."""
        if self.chars:
            return self._bounds[start][0], self._bounds[end - 1][1]
        return start, end

    def _unit(self, track: _Track, chunk: Chunk, location: str) -> Record:
        start, end, type_, broken, is_cut = chunk
        tokens = f"{start} {end}"
        if is_cut:
            message = f"tokens {tokens} are beside a rejected row, so that its bounds are unknown"
            return track.maker.rejected(Problem("rejected_row", tokens, message), location)
        if broken:
            track.maker.annotated = True
            message = f"{broken!r} is not allowed there in {self.scheme} (tokens {tokens})"
            return track.maker.rejected(Problem("chunk_not_allowed", broken, message), location)
        first, last = self._bounds_of(start, end)
        return track.maker.unit(
            f"{start}-{end}",
            first,
            last,
            type_,
            source_offsets=f"tokens {tokens}" if self.chars else tokens,
            location=location,
        )


def _name(mention: Mention) -> str:
    return f"{mention.chain}:{mention.start}-{mention.end}"


def _is_tag(tag: str) -> bool:
    return split_tag(tag)[0] in PREFIXES
