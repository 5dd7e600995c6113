"""Accept or reject the rows of an export for a quick look, row by row and without a store.

The rules are those of `data.validation.rules` that need no campaign file; their names, order,
messages and shown values come from that module. Only the conditions are written a second time, for
one record instead of a table: importing Arrow's functions and the rules takes 80 ms at the start of
a quick look, so they are imported when the first row breaks a rule. A property test keeps both
versions equal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from ..blocks import Block, Rows
from ..errors import DataError
from ..row_account import RowAccount, RowTally
from ..schema import Assignment, Copy, Document, Excluded, Label, Rejected, Relation, Unit
from ..sentences import brief

_LABEL_KEY = ("document", "layer", "annotator", "pass", "item")


class Account(NamedTuple):
    """Account of the rows of an export: counts by fate, and the rejected rows.

    settings  how the layer was read, for the signatures of its measures
    """

    tally: RowTally
    rejected: list[Rejected]
    settings: Mapping[str, str] = MappingProxyType({})

    @property
    def rows(self) -> RowAccount:
        """Return the row account. Raises RuntimeError while some rows have no fate."""
        return self.tally.account()


class Sieve:
    """Yields the rows that can be measured; `tally` counts the others by rule or reason.

    The yielded rows are counted as read; the caller must record their fate.

    tagset       the categories that labels may have; empty: any
    unit_tagset  those that units may have, of the layer `unit_layer` (None: every layer); a unit
                 may have none
    copies       let through rows that are read again as a reference's too (`data.schema.Copy`);
                 they are in no count

    `n_conflicting` labels were rejected because their annotator gave the item another one before.
    """

    def __init__(
        self,
        tagset: Iterable[str] = (),
        *,
        unit_tagset: Iterable[str] = (),
        unit_layer: str | None = None,
        copies: bool = False,
    ) -> None:
        self.rejected: list[Rejected] = []
        self.tally = RowTally()
        self._tagset = frozenset(tagset)
        self._unit_tagset = frozenset(unit_tagset)
        self._unit_layer = unit_layer
        self.n_conflicting = 0
        self._seen: set[tuple[Any, ...]] = set()
        self._first_labels: dict[tuple[Any, ...], tuple[str, ...]] = {}
        self._roles: dict[str, str] = {}
        self._wants_copies = copies
        self._rejected_copies: list[Rejected] = []

    def account(self) -> Account:
        return Account(self.tally, self.rejected)

    def all_refused(self, given: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
        """Return the (document, annotator) pairs of rejected units and labels not in `given`.

        As in `data.validation.merging`, these annotators annotated something, so the document does
        not count as empty.
        """
        rejected = [*self.rejected, *self._rejected_copies]
        of_work = [row for row in rejected if row.table_name in ("", "units", "labels")]
        return {(row.document, row.annotator) for row in of_work}.difference(given)

    def accepted(self, rows: Iterable[Rows]) -> Iterator[Any]:
        """Yield the rows that break no rule; units come last, as their documents may follow them.

        All rows except units are streamed; the units of the export are held in memory. A block of
        labels of the first pass that all keep the rules is yielded unchanged, other rows as
        records. Raises DataError for an annotator with two roles.
        """
        units: list[Unit] = []
        texts: dict[str, str] = {}
        lengths: dict[str, int] = {}
        strange: set[tuple[str, str]] = set()  # (document, source) pairs with a different text
        for record in self._split_unclean_blocks(rows):
            if isinstance(record, Block):
                self.tally.n_read += len(record)
                yield record
                continue
            if self._is_unwanted(record):
                continue
            match record:
                case Rejected():
                    self._reject(record)
                    continue
                case Excluded():
                    self.tally.n_read += record.n_rows
                    self.tally.exclude(record.reason, record.n_rows)
                    continue
                case Unit():
                    units.append(record)
                    continue
                case Assignment():
                    self._require_one_role(record)
                    self._note_copy(record)
                case Label():
                    if broken := self._broken_by_label(record):
                        self._reject_for(record, broken)
                        continue
                case Document():
                    name = record.document
                    if record.sha256 and texts.setdefault(name, record.sha256) != record.sha256:
                        strange.add((name, record.source))
                        self._reject_for(record, {"text_agrees"})
                        continue
                    lengths[name] = max(lengths.get(name, -1), record.length)
            if isinstance(record, (Label, Relation)) and not self._is_copy(record):
                self.tally.n_read += 1
            yield record
        for unit in units:
            broken = self._broken_by_unit(unit, lengths.get(unit.document, -1))
            if (unit.document, unit.source) in strange:
                broken.add("text_agrees")
            if broken:
                self._reject_for(unit, broken)
            else:
                self.tally.n_read += not self._is_copy(unit)
                yield unit

    def _split_unclean_blocks(self, rows: Iterable[Rows]) -> Iterator[Rows]:
        """Yield the rows as records, except blocks of labels that need no look at each row."""
        for row in rows:
            if isinstance(row, Block) and not self._is_clean(row):
                yield from row.records()
            else:
                yield row

    def _is_clean(self, block: Block) -> bool:
        """Return whether a block holds only labels of the first pass that break no rule.

        The labels of such a block are then marked as seen.
        """
        if block.TABLE != Label.TABLE or self.tally.copies or {*block.column("pass")} != {1}:
            return False
        given = {*block.column("labels")}
        if any("" in labels for labels in given) or (
            self._tagset and not all(map(self._tagset.issuperset, given))
        ):
            return False
        keys = zip(*map(block.column, _LABEL_KEY), strict=False)
        first = dict(zip(keys, block.column("labels"), strict=False))
        if len(first) < len(block) or not self._first_labels.keys().isdisjoint(first):
            return False
        self._first_labels |= first
        return True

    def _note_copy(self, assignment: Assignment) -> None:
        who = assignment.document, assignment.annotator
        if assignment.copy == Copy.COPY:
            self.tally.copies.add(who)
        elif assignment.copy == Copy.ORIGINAL and assignment.pass_ == 1:
            self.tally.references.add(who)

    def _is_copy(self, row: Label | Unit | Relation | Rejected) -> bool:
        return bool(self.tally.copies) and (row.document, row.annotator) in self.tally.copies

    def _is_unwanted(self, record: Any) -> bool:
        if not self.tally.copies or self._wants_copies:
            return False
        return isinstance(record, (Label, Unit, Relation)) and self._is_copy(record)

    def _require_one_role(self, assignment: Assignment) -> None:
        name, role = assignment.annotator, assignment.role
        before = self._roles.setdefault(name, role)
        if before != role:
            raise DataError(
                f"annotator {name!r} is {role} in {assignment.source} and {before} in an earlier "
                f"source: give one role (`--role {name}={before}`), or another name"
            )

    def _broken_by_label(self, label: Label) -> set[str]:
        """Return the names of the rules that the label breaks."""
        broken = set()
        key = (label.document, label.layer, label.annotator, label.pass_, label.item)
        if key in self._first_labels:
            broken.add("label_occurs_once")
            is_copy = self._is_copy(label)
            self.n_conflicting += not is_copy and self._first_labels[key] != label.labels
        self._first_labels.setdefault(key, label.labels)
        if "" in label.labels:
            broken.add("label_given")
        if self._tagset and not self._tagset.issuperset(label.labels):
            broken.add("label_in_tagset")
        return broken

    def _broken_by_unit(self, unit: Unit, document_length: int) -> set[str]:
        """Return the names of the rules that the unit breaks; a length of -1 is unknown."""
        broken = set()
        key = (
            *(unit.document, unit.layer, unit.annotator, unit.pass_),
            *(unit.start_offset, unit.end_offset, unit.category, str(unit.fragments or "")),
        )
        if key in self._seen:
            broken.add("unit_occurs_once")
        self._seen.add(key)
        if unit.start_offset >= unit.end_offset:
            broken.add("start_before_end")
        if unit.start_offset < 0:
            broken.add("start_not_negative")
        if 0 <= document_length < unit.end_offset:
            broken.add("inside_document")
        if (
            self._unit_tagset
            and unit.category
            and unit.category not in self._unit_tagset
            and self._unit_layer in (None, unit.layer)
        ):
            broken.add("category_in_tagset")
        return broken

    def _reject_for(self, record: Document | Label | Unit, broken: set[str]) -> None:
        """Reject the record by the first of these rules."""
        from ..validation.rules import rules_of

        rule = next(rule for rule in rules_of(record.TABLE) if rule.name in broken)
        value = _rejected_value(record, rule.column)
        self._reject(
            Rejected(
                source=record.source,
                location=getattr(record, "location", ""),
                rule=rule.name,
                value=value,
                message=rule.message(value),
                table_name=record.TABLE,
                document=record.document,
                annotator=getattr(record, "annotator", ""),
            )
        )

    def _reject(self, row: Rejected) -> None:
        if self._is_copy(row):
            self._rejected_copies.append(row)
            return  # already counted for its annotator
        self.rejected.append(row)
        self.tally.n_read += 1
        self.tally.reject(row.rule)


def _rejected_value(record: Document | Label | Unit, column: str) -> str:
    """Return the value of a column of the table view that the rules use."""
    if isinstance(record, Unit) and column == "offsets":
        return f"{record.start_offset}–{record.end_offset}"
    if isinstance(record, Label) and column == "category":
        return " + ".join(record.labels)
    return str(getattr(record, column))


def require_no_rejected(rejected: Sequence[Rejected]) -> None:
    """Raise DataError naming the first rejected row, if there is one."""
    if rejected:
        more = len(rejected) - 1
        raise DataError(
            rejection_sentence(rejected[0]) + (f" (and {more:,} more rejected)" if more else "")
        )


def rejection_summary(rejected: Sequence[Rejected]) -> str:
    """Describe how many rows were rejected, and the first of them; "" for none."""
    if not rejected:
        return ""
    rows = "1 row" if len(rejected) == 1 else f"{len(rejected):,} rows"
    return f"{rows} rejected; the first: {rejection_sentence(rejected[0])}"


def rejection_sentence(row: Rejected) -> str:
    """Say where the row is and what is wrong; messages about a whole file already name it."""
    place = "" if row.source in row.message else f"{row.source} {row.location}".strip() + ": "
    return brief(f"{place}{row.message}")
