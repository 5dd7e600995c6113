"""Exclude nobody's work, and annotators and documents by the user's choice, counting every row.

Every format accepts the two options: in a campaign file, on the command line and in Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Annotated

import pyarrow.compute as pc

from ..blocks import Block, Rows
from ..errors import DataError
from ..schema import Assignment, Document, Excluded, ExclusionReason, Record
from .options import FormatOptions, Names, Option
from .tables.given import Given

ANNOTATORS, DOCUMENTS = "exclude_annotators", "exclude_documents"


@dataclass(frozen=True)
class ExclusionOptions(FormatOptions):
    exclude_annotators: Annotated[
        Names, Option("annotators to exclude, separated by commas; * stands for any characters")
    ] = ()
    exclude_documents: Annotated[
        Names,
        Option(
            "documents to exclude, separated by commas; * stands for any characters; their rows "
            "are counted as excluded"
        ),
    ] = ()


@dataclass(frozen=True, slots=True)
class Exclusions:
    """Patterns of the names to exclude; `met` collects the patterns that matched a row."""

    annotators: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    met: set[tuple[str, str]] = field(default_factory=set, compare=False)

    @staticmethod
    def of(options: ExclusionOptions) -> Exclusions:
        """Return what the options of a source exclude."""
        return Exclusions(options.exclude_annotators, options.exclude_documents)

    def __bool__(self) -> bool:
        return bool(self.annotators or self.documents)

    def not_excluded(self, annotators: Iterable[str]) -> list[str]:
        """Those of these annotators who are not excluded."""
        return [
            name
            for name in annotators
            if not any(name == one or fnmatchcase(name, one) for one in self.annotators)
        ]

    def require_met(self, path: str | Given) -> None:
        """Raise DataError for a pattern that matched no annotator or document."""
        for option, patterns in ((ANNOTATORS, self.annotators), (DOCUMENTS, self.documents)):
            for pattern in patterns:
                if (option, pattern) not in self.met:
                    what = option.removeprefix("exclude_").removesuffix("s")
                    raise DataError(
                        f"{path}: {option} names {pattern!r}, but no {what} has this name; "
                        "correct it or remove it"
                    )

    def matches(self, option: str, name: str) -> bool:
        """Return whether a pattern of the option matches a name; remember the pattern."""
        patterns = self.annotators if option == ANNOTATORS else self.documents
        found = [one for one in patterns if name == one or fnmatchcase(name, one)]
        self.met.update((option, one) for one in found)
        return bool(found)


@dataclass(slots=True)
class WorkExclusion:
    """Decides which rows of a file are excluded, and counts these by reason.

    nobody  names that are not annotators
    """

    patterns: Exclusions
    nobody: frozenset[str]
    _n_rows: Counter[tuple[str, str, str, str, str]] = field(default_factory=Counter)

    def spares(self, row: Rows) -> bool:
        """Return whether no row, or no row of a block, can be excluded."""
        if isinstance(row, Block):
            return not self.patterns and self.nobody.isdisjoint(_annotators_in(row))
        is_plain = not self.patterns and getattr(row, "annotator", "") not in self.nobody
        return is_plain or isinstance(row, Excluded)

    def kept(self, row: Rows) -> Iterator[Record]:
        """Yield the row, or the rows of a block, unless they are excluded."""
        for record in row.records() if isinstance(row, Block) else (row,):
            reason = None if self.spares(record) else self._exclusion_reason(record)
            if reason is None:
                yield record
            elif not isinstance(record, (Document, Assignment)):
                table = getattr(record, "table_name", "") or record.TABLE
                of = (record.source, table, record.document, record.annotator)
                self._n_rows[(reason, *of)] += 1

    def counted(self) -> Iterator[Excluded]:
        """Yield the numbers of the rows that were excluded."""
        for (why, source, table, document, annotator), n in self._n_rows.items():
            yield Excluded(source, "", why, n, table, document, annotator)

    def _exclusion_reason(self, record: Record) -> ExclusionReason | None:
        if self.patterns.matches(DOCUMENTS, record.document):
            return ExclusionReason.DOCUMENT_EXCLUDED
        annotator = "" if isinstance(record, Document) else record.annotator
        if annotator and self.patterns.matches(ANNOTATORS, annotator):
            return ExclusionReason.ANNOTATOR_EXCLUDED
        return ExclusionReason.NOT_AN_ANNOTATOR if annotator in self.nobody else None


def _annotators_in(block: Block) -> list[str]:
    if block.TABLE == Document.TABLE:
        return []
    return pc.unique(block.rows["annotator"]).to_pylist()  # type: ignore[no-any-return]  # names
