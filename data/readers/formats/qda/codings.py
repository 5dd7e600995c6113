"""The records of coded texts: a coder gives passages of a text the codes of a codebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ....schema import Excluded, ExclusionReason, Record, Unit
from ...base import SourceOptions
from ...common.records.document_work import merge_coinciding
from ...common.records.make_records import make_document, make_rejected
from ...common.records.unit_maker import UnitMaker
from ...common.span_rules import Problem, parse_integer

_DEEPEST = 100  # levels of a codebook


@dataclass(frozen=True, slots=True)
class Coding:
    """A code that a coder gave a passage, as the file spells it.

    code  key of the code in the codebook
    """

    name: str
    document: str
    coder: str
    code: str
    start: str
    end: str
    surface: str | None = None


@dataclass(frozen=True, slots=True)
class CodedTexts:
    """A project.

    texts    document → text, or None without one
    codes    key of each code → the name of its category
    n_other  codings of pictures, sound or film, which are not read
    """

    texts: Mapping[str, str | None]
    codes: Mapping[str, str]
    codings: Iterable[Coding]
    n_other: int = 0

    def records(self, source: str, options: SourceOptions) -> Iterator[Record]:
        for document, text in self.texts.items():
            yield make_document(document, source, options, text=text)
        yield from merge_coinciding(self._units(source, options))
        if self.n_other:
            yield Excluded(source, "", ExclusionReason.OTHER_KIND, self.n_other, Unit.TABLE)

    def _units(self, source: str, options: SourceOptions) -> Iterator[Record]:
        makers: dict[tuple[str, str], UnitMaker] = {}
        for one in self.codings:
            coder = options.annotator or one.coder
            problem = self._problem(one, coder)
            if problem is not None:
                yield make_rejected(
                    problem, source=source, location=one.name, table=Unit.TABLE,
                    document=one.document, annotator=coder,
                )  # fmt: skip
                continue
            text = self.texts[one.document]
            maker = makers.setdefault(
                (one.document, coder),
                UnitMaker(
                    one.document, coder, source, options, -1 if text is None else len(text), text
                ),
            )
            if not maker.wants(""):
                continue
            start, end = parse_integer(one.start), parse_integer(one.end)
            assert start is not None
            assert end is not None
            yield maker.unit(
                one.name,
                start,
                end,
                self.codes[one.code],
                source_offsets=f"{one.start} {one.end}",
                surface=one.surface,
                location=one.name,
            )
        for maker in makers.values():
            yield maker.assignment()

    def _problem(self, one: Coding, coder: str) -> Problem | None:
        if not coder:
            return Problem("no_annotator", one.name, "the coding names no coder")
        if one.document not in self.texts:
            return Problem("no_document", one.document, "the coding is of no text of the project")
        if one.code not in self.codes:
            return Problem("unknown_node", one.code, "the code is not in the codebook")
        if parse_integer(one.start) is None or parse_integer(one.end) is None:
            return Problem("not_a_span", f"{one.start} {one.end}", "the bounds are not numbers")
        return None


def category_names(codes: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the name of each code; with those above it where two codes have one name.

    codes  key → names from the root of the codebook down to the code

    >>> category_names({"1": ["home", "work"], "2": ["school", "work"], "3": ["home"]})
    {'1': 'home > work', '2': 'school > work', '3': 'home'}
    """
    used = Counter(path[-1] for path in codes.values())
    return {
        key: path[-1] if used[path[-1]] == 1 else " > ".join(path[:_DEEPEST])
        for key, path in codes.items()
    }
