"""Convert a row of a table to labels, a unit or a relation, or to the reason for its rejection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from operator import itemgetter
from pathlib import Path

from ...option_names import format_options
from ...schema import Label, Record, Relation, Role, Unit
from ...whole_numbers import without_decimals
from ..base import SourceOptions
from ..common.bounds import Bounds
from ..common.naming import document_name, source_name
from ..common.records.empty_answers import EmptyAnswer
from ..common.records.first_mentions import FirstMentions
from ..common.records.make_records import make_rejected
from ..common.span_rules import Problem
from .cells import (
    Cell,
    cell_text,
    name_of_repeated_item,
    parse_fragments,
    parse_item_count,
    parse_pass,
)
from .column_names import COUNT
from .counts import labels_of_counts
from .delimited import NAME_ENCODING
from .document_lengths import DocumentLengths
from .given import Given
from .item_texts import TEXT, item_text
from .layout import USED, Columns, Layout
from .options import TableOptions


class TableRecords:
    """Makes the records of one file's rows, one row at a time."""

    def __init__(
        self, path: Given, columns: Columns, width: int, options: SourceOptions, own: TableOptions
    ) -> None:
        named = Path(str(path))
        self.source = source_name(named, options)
        self.home, self.who = document_name(named, options), options.annotator or ""
        self.columns = columns
        self.named = "annotator" in columns.at
        self.width = width
        self.layers = frozenset(options.layers)
        self.missing = {"", own.missing}
        self.separator = own.separator
        self.blank_is_answer = own.empty == "finished"
        self.bounds = Bounds(own.offset_unit)
        self.n_rows = 0
        self.n_marked = 0  # rows whose cell is the declared mark of a missing label
        self.encoding_advice = "" if options.given("encoding") else NAME_ENCODING
        # labels per annotator and item so far (by hash), if these determine the pass
        self.repeats: Counter[int] | None = Counter() if own.repeats == "pass" else None
        self.table = {Layout.UNITS: "units", Layout.RELATIONS: "relations"}.get(
            columns.layout, "labels"
        )
        self.has_roles = "role" in columns.at
        self.roles: dict[str, Role] = {}  # roles of annotators, if a column states them
        of_labels = self.table == "labels"
        self.seen = FirstMentions(
            self.source, options, "char" if of_labels else self.bounds.offset_unit
        )
        self.lengths = DocumentLengths(self.bounds, self.seen)
        # a missing column is read from a None appended to the row
        self.pick = itemgetter(*(columns.at.get(name, width) for name in USED[columns.layout]))
        self.made = {
            Layout.LONG: self._label_row_records,
            Layout.WIDE: self._wide,
            Layout.UNITS: self._unit_row_records,
            Layout.RELATIONS: self._relation_row_records,
            Layout.TRANSPOSED: self._transposed,
            Layout.COUNTS: self._counted,
        }[columns.layout]

    def records(self, location: str, row: list[Cell] | Problem) -> Iterable[Record]:
        """Yield a row's labels or unit, preceded by documents and assignments seen first.

        Consume them before passing the next row.
        """
        self.n_rows += 1
        if isinstance(row, Problem):
            if row.rule == "undecodable":
                row = row._replace(message=row.message + self.encoding_advice)
            return [make_rejected(row, source=self.source, location=location, table=self.table)]
        if len(row) != self.width:
            if any(row[self.width :]):
                message = f"the row has {len(row)} cells, but the header has {self.width}"
                problem = Problem("wrong_number_of_columns", str(len(row)), message)
                return [
                    make_rejected(problem, source=self.source, location=location, table=self.table)
                ]
            row = [*row[: self.width], *[None] * (self.width - len(row))]
        row.append(None)
        made = self.made(location, row)
        if not isinstance(made, Problem):
            return made
        return [
            make_rejected(
                made,
                source=self.source,
                location=location,
                table=self.table,
                document=cell_text(row[self.columns.at.get("document", self.width)]),
                annotator=cell_text(row[self.columns.at.get("annotator", self.width)]),
            )
        ]

    def labels(self, cell: Cell) -> tuple[str, ...]:
        if isinstance(cell, list):
            return tuple(cell)
        if cell is None or cell in self.missing or not cell.strip():
            return ()
        if not self.separator:
            return (without_decimals(cell),)
        return tuple(part for one in cell.split(self.separator) if (part := one.strip()))

    def may_be_empty_set(self, cell: Cell) -> bool:
        """Return whether a cell without labels is an answer: a list, or blank where blanks are."""
        is_blank = cell is None or (isinstance(cell, str) and not cell.strip())
        return isinstance(cell, list) or (self.blank_is_answer and is_blank)

    def _label_row_records(self, location: str, row: list[Cell]) -> list[Record] | Problem:
        item, annotator, cell, document, layer, pass_, role = self.pick(row)
        number = 1 if pass_ is None else parse_pass(pass_)
        if isinstance(number, Problem):
            return number
        annotator = annotator if self.named else self.who
        item = item if "item" in self.columns.at else str(self.n_rows)
        if self.repeats is not None:
            key = (
                hash((str(document), item, str(annotator), number)) if isinstance(item, str) else 0
            )
            self.repeats[key] += 1
            number += self.repeats[key] - 1
        if not isinstance(item, str) or not item.strip():
            return Problem("empty_value", "item", "the row has no item")
        if not isinstance(annotator, str) or not annotator.strip():
            return Problem("empty_value", "annotator", "the row has no annotator")
        labels, is_answer = self.labels(cell), self.may_be_empty_set(cell)
        if not is_answer and not cell_text(cell).strip():
            advice = f"; {format_options(empty='finished')} reads it as the empty set"
            return Problem(
                "empty_value", "label", f"the row has no label{advice * bool(self.separator)}"
            )
        if self.has_roles and (problem := self.role_problem(annotator, role)):
            return problem
        if not labels and not is_answer:
            self.n_marked += 1
            return []
        return self._with_document_records(
            Label(
                cell_text(document) or self.home,
                item,
                annotator,
                labels,
                cell_text(layer),
                number,
                self.source,
                location,
                self._item_text(row),
            )
        )

    def _item_text(self, row: list[Cell]) -> str | None:
        return item_text(row[self.columns.at.get(TEXT, self.width)])

    def _wide(self, location: str, row: list[Cell]) -> Iterable[Record] | Problem:
        item, document, layer, pass_, _ = self.pick(row)
        number = 1 if pass_ is None else parse_pass(pass_)
        if isinstance(number, Problem):
            return number
        name = cell_text(item) if "item" in self.columns.at else str(self.n_rows)
        if not name:
            return Problem("empty_value", "item", "the row has no item")
        names: Iterable[str] = (name,)
        if COUNT in self.columns.at:
            count = parse_item_count(row[self.columns.at[COUNT]])
            if isinstance(count, Problem):
                return count
            names = (name_of_repeated_item(name, ordinal) for ordinal in range(1, count + 1))
        given = [
            (annotator, labels)
            for at, annotator in self.columns.across
            if (labels := self.labels(row[at])) or self.may_be_empty_set(row[at])
        ]
        place = cell_text(document) or self.home, cell_text(layer), number, location
        return self._labels_of_items(names, given, place, self._item_text(row))

    def _transposed(self, location: str, row: list[Cell]) -> list[Record] | Problem:
        annotator, document, layer, pass_, role = self.pick(row)
        number = 1 if pass_ is None else parse_pass(pass_)
        if isinstance(number, Problem):
            return number
        who = cell_text(annotator) if self.named else self.who or str(self.n_rows)
        if not who:
            return Problem("empty_value", "annotator", "the row has no annotator")
        if self.has_roles and (problem := self.role_problem(who, role)):
            return problem
        home = cell_text(document) or self.home
        return [
            record
            for at, item in self.columns.across
            if (labels := self.labels(row[at])) or self.may_be_empty_set(row[at])
            for record in self._with_document_records(
                Label(home, item, who, labels, cell_text(layer), number, self.source, location)
            )
        ]

    def _counted(self, location: str, row: list[Cell]) -> Iterable[Record] | Problem:
        item, document, layer = self.pick(row)
        name = cell_text(item) if "item" in self.columns.at else str(self.n_rows)
        if not name:
            return Problem("empty_value", "item", "the row has no item")
        labels = labels_of_counts(self.columns, row)
        if isinstance(labels, Problem):
            return labels
        given: list[tuple[str, tuple[str, ...]]] = [
            (f"label {k}", (one,)) for k, one in enumerate(labels, start=1)
        ]
        place = cell_text(document) or self.home, cell_text(layer), 1, location
        return self._labels_of_items([name], given, place)

    def _labels_of_items(
        self,
        items: Iterable[str],
        given: list[tuple[str, tuple[str, ...]]],
        place: tuple[str, str, int, str],
        text: str | None = None,
    ) -> Iterator[Record]:
        """Yield the same labels for each item, one by one: a row may stand for millions."""
        document, layer, pass_, location = place
        more = layer, pass_, self.source, location, text
        for item in items:
            for annotator, labels in given:
                yield from self._with_document_records(
                    Label(document, item, annotator, labels, *more)
                )

    def _unit_row_records(self, location: str, row: list[Cell]) -> list[Record] | Problem:
        (annotator, document, layer, pass_, role, start, end, category, unit, *more) = self.pick(
            row
        )
        pieces, surface, length = more
        number = 1 if pass_ is None else parse_pass(pass_)
        if isinstance(number, Problem):
            return number
        annotator = annotator if self.named else self.who
        if not annotator or not isinstance(annotator, str):
            return Problem("empty_value", "annotator", "the row has no annotator")
        if self.has_roles and (problem := self.role_problem(annotator, role)):
            return problem
        home = cell_text(document) or self.home
        kept = not self.layers or cell_text(layer) in self.layers
        marks_nothing = not any(map(cell_text, (start, end, category, pieces)))
        bounds = (0, 0) if marks_nothing else self.bounds.pair(cell_text(start), cell_text(end))
        if isinstance(bounds, Problem):
            return bounds
        fragments = parse_fragments(cell_text(pieces), bounds)
        if isinstance(fragments, Problem):
            return fragments
        of_document = self.lengths.new(home, cell_text(length)) if kept else []
        if isinstance(of_document, Problem):
            return of_document
        if marks_nothing:
            is_of_layer = kept or not cell_text(layer)
            brought = self._new_document_records(home, annotator, number) if is_of_layer else []
            return [*of_document, *brought]
        unit_records = self._with_document_records(
            Unit(
                document=home,
                annotator=annotator,
                unit=cell_text(unit) or location.split()[-1],
                start_offset=bounds[0],
                end_offset=bounds[1],
                category=cell_text(category),
                layer=cell_text(layer),
                pass_=number,
                fragments=fragments,
                surface=cell_text(surface) or None,
                source_offsets=f"{start} {end}",
                source=self.source,
                location=location,
            )
        )
        return [*of_document, *unit_records]

    def _relation_row_records(self, location: str, row: list[Cell]) -> list[Record] | Problem:
        annotator, document, layer, pass_, role, relation, start, end, category = self.pick(row)
        number = 1 if pass_ is None else parse_pass(pass_)
        if isinstance(number, Problem):
            return number
        annotator = annotator if self.named else self.who
        for column, cell in (("annotator", annotator), ("from_unit", start), ("to_unit", end)):
            if not cell_text(cell):
                return Problem("empty_value", column, f"the row has no {column}")
        if self.has_roles and (problem := self.role_problem(cell_text(annotator), role)):
            return problem
        return self._with_document_records(
            Relation(
                document=cell_text(document) or self.home,
                annotator=cell_text(annotator),
                relation=cell_text(relation) or location.split()[-1],
                from_unit=cell_text(start),
                to_unit=cell_text(end),
                category=cell_text(category),
                layer=cell_text(layer),
                pass_=number,
                source=self.source,
                location=location,
            )
        )

    def _with_document_records(self, record: Label | Unit | Relation) -> list[Record]:
        if self.layers and record.layer not in self.layers:
            return []
        brought = self._new_document_records(record.document, record.annotator, record.pass_)
        if isinstance(record, Label) and not record.labels:
            answer = EmptyAnswer(record, (record.layer,), several=True)
            self.seen.options.empty_answers.add(answer)
        else:
            brought.append(record)
        return brought

    def _new_document_records(self, document: str, annotator: str, pass_: int) -> list[Record]:
        role = self.roles.get(annotator, Role.HUMAN)
        return self.seen.new(document, annotator, pass_, role)

    def role_problem(self, annotator: str, cell: Cell) -> Problem | None:
        """Record the annotator's role; return why it is invalid, or None."""
        name = cell_text(cell).strip().lower()
        if not name and not isinstance(cell, list):
            self.roles.setdefault(annotator, Role.HUMAN)
            return None
        try:
            role = Role(name)
        except ValueError:
            return Problem("unknown_role", str(cell), _advice_on_role(cell))
        if self.roles.setdefault(annotator, role) is not role:
            before = self.roles[annotator]
            message = f"{annotator!r} is {role} here but {before} in an earlier row: keep one"
            return Problem("other_role", str(cell), message)
        return None


def _advice_on_role(cell: object) -> str:
    return (
        f"the role {cell!r} is not human, system, reference or audit; if this column does not hold "
        f"roles, name the column that does (`{format_options(role='COLUMN')}`), or none "
        f"(`{format_options(role='')}`)"
    )
