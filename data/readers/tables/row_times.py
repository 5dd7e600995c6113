"""Times of the rows of a table: when each annotator last changed the work on a document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ...errors import DataError
from ...schema import Assignment, Role, State
from ..base import SourceOptions
from ..common.records.make_records import make_assignment
from .cells import Batch, Cell, cell_text, parse_pass
from .layout import Columns, Layout
from .records import TableRecords

_LAYOUTS = (Layout.LONG, Layout.UNITS, Layout.RELATIONS)
_Work = tuple[str, str, int]  # document, annotator, pass


@dataclass(slots=True)
class RowTimes:
    """Collects the times in the column `at`; the last one of a work is the time of its assignment.

    name  of the column, for messages
    """

    table: TableRecords
    options: SourceOptions
    at: int
    name: str
    word: str
    _last: dict[_Work, tuple[float, str]] = field(default_factory=dict)

    def note(self, batch: Batch) -> None:
        """Note the times of a batch. Raises DataError, with the row, for one that is no time."""
        for number, row in zip(batch.numbers, batch.rows, strict=True):
            if not isinstance(row, list) or not (text := self._cell(row, self.at).strip()):
                continue
            instant = _instant(text)
            if instant is None:
                raise DataError(
                    f"{self.table.source}, {self.word} {number}: {text!r} in the column "
                    f"{self.name!r} is not a time in ISO 8601, such as 2026-11-02T10:30:00: "
                    "correct it, empty the cell, or leave out the option `time`"
                )
            work = self._work(row)
            if work not in self._last or self._last[work][0] < instant:
                self._last[work] = instant, text

    def assignments(self) -> Iterator[Assignment]:
        """Yield an assignment with its time for all work that has rows."""
        for (document, annotator, pass_), (_, text) in self._last.items():
            if self.table.seen.has_seen(document, annotator, pass_):
                role = self.table.roles.get(annotator) or Role.HUMAN
                made = make_assignment(
                    document, annotator, State.FINISHED, self.table.source, self.options,
                    role=role, pass_=pass_,
                )  # fmt: skip
                made.time = text
                yield made

    def _work(self, row: list[Cell]) -> _Work:
        columns = self.table.columns.at
        document = self._cell(row, columns.get("document", -1)) or self.table.home
        annotator = self._cell(row, columns["annotator"]) if self.table.named else self.table.who
        text = self._cell(row, columns.get("pass", -1))
        pass_ = parse_pass(text) if text else 1
        return document, annotator or "", pass_ if isinstance(pass_, int) else 1

    @staticmethod
    def _cell(row: list[Cell], at: int) -> str:
        return cell_text(row[at]) if 0 <= at < len(row) else ""


def column_of_times(header: list[str], columns: Columns, name: str, source: str) -> int:
    """Return the position of the column of times. Raises DataError if there is none."""
    if columns.layout not in _LAYOUTS:
        raise DataError(
            f"{source}: the option `time` is for tables with one row per label, unit or relation, "
            "and a row of this table is of several annotators: leave the option out"
        )
    if name not in header:
        raise DataError(
            f"{source}: no column {name!r} for the option `time`; the columns are "
            f"{', '.join(filter(None, header))}"
        )
    return header.index(name)


def _instant(text: str) -> float | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
