"""Make the records of one annotator on one document, and check spans before making units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ....schema import (
    Assignment,
    Excluded,
    ExclusionReason,
    Label,
    Record,
    Rejected,
    Relation,
    Role,
    State,
    Unit,
)
from ...base import SourceOptions
from ..span_rules import Problem, parse_integer, span_problem, surface_problem
from .empty_answers import EmptyAnswer, EmptyOption
from .make_records import finished_state, make_assignment, make_rejected

Attributes = tuple[tuple[str, str], ...]
_LARGEST = 1 << 60  # offsets are int64; no document is this long


@dataclass(slots=True)
class UnitMaker:
    """Makes the records of `annotator` on `document`, and the assignment at the end.

    length, text  what spans are checked against (-1, None: unknown)
    role          role stated by the export; the option of the source overrides it
    units         ids of the units made; an id used twice is rejected
    item          item that labels without another one belong to; "" for the document
    annotated     whether anything was made or rejected
    empty         the answers without a label or unit
    """

    document: str
    annotator: str
    source: str
    options: SourceOptions
    length: int = -1
    text: str | None = None
    role: Role = Role.HUMAN
    pass_: int = 1
    item: str = ""
    annotated: bool = False
    units: set[str] = field(default_factory=set)
    empty: list[EmptyAnswer] = field(default_factory=list)

    def wants(self, layer: str) -> bool:
        """Return whether the source keeps this layer."""
        return not self.options.layers or layer in self.options.layers

    def unit(
        self,
        unit: str,
        start: int,
        end: int,
        category: str,
        *,
        layer: str = "",
        fragments: Sequence[tuple[int, int]] = (),
        source_offsets: str = "",
        attributes: Attributes = (),
        surface: str | None = None,
        location: str = "",
    ) -> Unit | Rejected:
        """Make the unit, or the rejected row.

        `fragments` are in the order in which the surface joins them.
        Rules: those of `span_problem`, `surface_mismatch`, `duplicate_id`.
        """
        self.annotated = True
        problem = span_problem(start, end, length=self.length)
        if problem is None and unit in self.units:
            problem = Problem("duplicate_id", unit, f"unit id {unit!r} occurs twice")
        if problem is None and surface is not None and self.text is not None:
            problem = surface_problem(self.text, list(fragments) or [(start, end)], surface)
        if problem is not None:
            return self.rejected(problem, location or unit)
        self.units.add(unit)
        return Unit(
            document=self.document,
            annotator=self.annotator,
            unit=unit,
            start_offset=start,
            end_offset=end,
            category=category,
            layer=layer,
            pass_=self.pass_,
            fragments=tuple(sorted(fragments)),
            source_offsets=source_offsets,
            attributes=attributes,
            surface=surface,
            source=self.source,
            location=location,
        )

    def label(
        self,
        labels: Sequence[str],
        *,
        layer: str = "",
        item: str = "",
        several: bool = False,
        location: str = "",
    ) -> Label:
        """Make the labels of an item: of `item`, else of the maker's item, else the document.

        several  whether the export states that an item may have several labels
        """
        self.annotated = True
        if self.role is not Role.SYSTEM:
            several = several or len(labels) > 1
            self.options.empty_answers.saw_labels(layer, self.source, several=several)
        return self._label(labels, layer, item, location)

    def _label(self, labels: Sequence[str], layer: str, item: str, location: str) -> Label:
        return Label(
            document=self.document,
            item=item or self.item or self.document,
            annotator=self.annotator,
            labels=tuple(labels),
            layer=layer,
            pass_=self.pass_,
            source=self.source,
            location=location,
        )

    def note_empty(
        self,
        location: str,
        *,
        layers: tuple[str, ...] | None = None,
        several: bool | None = None,
        submitted: bool = True,
    ) -> None:
        """Note an answer without a label or unit (see `EmptyAnswer`)."""
        label = self._label((), "", "", location)
        self.empty.append(EmptyAnswer(label, layers, several, submitted))

    def note_left_empty(self, answered: Iterable[str], location: str) -> None:
        """Note that questions about the item were answered, but none but those on `answered`."""
        wanted = self.options.of_format(EmptyOption).empty
        label = self._label((), "", "", location)
        self.options.empty_answers.add_partly(label, frozenset(answered), wanted)

    def finished(self, time: str = "") -> Iterator[Record]:
        """Yield the assignment, unless there are only empty answers, which decide its state.

        Where nothing was made or rejected, the document itself is an empty answer.
        """
        if not self.annotated and not self.empty:
            self.note_empty("", layers=())
        answers = self.empty
        if self.annotated or not answers:
            yield self.assignment(time=time)
        else:
            answers = [replace(answers[0], assignment=self.assignment(time=time)), *answers[1:]]
        wanted = self.options.of_format(EmptyOption).empty
        for answer in answers:
            waiting = self.options.empty_answers
            yield from waiting.decided_or_added(answer, wanted, self.options.notes)

    def relation(
        self,
        relation_id: str,
        ends: Sequence[str],
        category: str,
        *,
        layer: str = "",
        attributes: Attributes = (),
        location: str = "",
    ) -> Relation:
        """Make the link from the first to the second of `ends`: ids of units made before."""
        from_unit, to_unit = ends
        return Relation(
            document=self.document,
            annotator=self.annotator,
            relation=relation_id,
            from_unit=from_unit,
            to_unit=to_unit,
            category=category,
            layer=layer,
            attributes=attributes,
            pass_=self.pass_,
            source=self.source,
            location=location,
        )

    def rejected(self, problem: Problem, location: str, table: str = Unit.TABLE) -> Rejected:
        """Make the rejected row of this annotator on this document."""
        return make_rejected(
            problem,
            source=self.source,
            location=location,
            table=table,
            document=self.document,
            annotator=self.annotator,
        )

    def excluded(
        self,
        reason: ExclusionReason,
        location: str,
        n_rows: int = 1,
        table: str = Unit.TABLE,
    ) -> Excluded:
        """Make the record of valid rows of this annotator on this document that are not read."""
        return Excluded(
            source=self.source,
            location=location,
            reason=reason,
            n_rows=n_rows,
            table_name=table,
            document=self.document,
            annotator=self.annotator,
        )

    def assignment(self, state: State | None = None, time: str = "") -> Assignment:
        """Make the assignment; by default finished, or empty when nothing was made."""
        return make_assignment(
            self.document,
            self.annotator,
            state or finished_state(empty=not self.annotated),
            self.source,
            self.options,
            role=self.role,
            pass_=self.pass_,
            time=time,
        )


def json_offset(value: object) -> int | None:
    """Return an offset that JSON spells as integer, whole float or string of digits; else None."""
    if type(value) is int:
        return value if -_LARGEST < value < _LARGEST else None
    if isinstance(value, str):
        return parse_integer(value)
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return json_offset(int(value))
    return None


def json_name(value: object) -> str:
    """Return a string or number of JSON as a name; "" for anything else."""
    if type(value) is str:
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def json_strings(value: object) -> list[str] | None:
    """Return a JSON list of strings and numbers as strings; None for anything else."""
    if not isinstance(value, list):
        return None
    names = [entry if isinstance(entry, str) else json_name(entry) for entry in value]
    fit = all(isinstance(e, str) or n for e, n in zip(value, names, strict=True))
    return names if fit else None
