"""Apply the rules of a run to rows while they are read, in the same order and with the same masks.

What a rule needs to know of other rows is remembered in a few bytes per row: hashes of units and
labels, documents' lengths, ends of units whose document has no length so far. Rows wait only for
their document (at most `HELD_ROWS` rows) or for the units that a relation joins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..blocks import Rows, RowTables, as_table
from ..schema import SCHEMAS, Document, Rejected
from ..validation.preparation import refused_rows, with_named_layer
from ..validation.rule_views import ENDS, SAME_LABEL, SAME_UNIT, UNIT_ID, with_shown_columns
from ..validation.rules import Declared, judge, rules_of
from .known_documents import UNKNOWN, Documents
from .row_hashes import KeySet, keys_of

ROWS_AT_ONCE = 50_000
HELD_ROWS = 200_000
_PLACE = ("source", "location", "annotator")
_INSIDE_DOCUMENT = next(rule for rule in rules_of("units") if rule.name == "inside_document")


@dataclass(frozen=True, slots=True)
class Sifted:
    """Rows of one table of a source, in its schema, with the results of the rules.

    kept     which rows keep every rule, bool (n_rows)
    rejected  the other rows as the table `rejected`, each by the first rule it breaks
    """

    table: str
    rows: pa.Table
    kept: NDArray[np.bool_]
    rejected: pa.Table


class Sifter:
    """Takes the sources of a campaign one after the other; all sources share `documents`."""

    def __init__(self, declared: Declared) -> None:
        self.documents = Documents()
        self._declared = declared
        self._units, self._labels, self._ids = KeySet(), KeySet(), KeySet()
        self._late = _LateLengths(self.documents)
        self._open: list[tuple[int, pa.Table]] = []  # relations whose units were not read so far

    def source(self, rows: Iterable[Rows], source: int) -> Iterator[Sifted]:
        """Yield the rule results for one source's rows; sources are numbered 0, 1, 2 …"""
        held = {name: SCHEMAS[name].empty_table() for name in ("units", "relations")}
        for batch in _batches(rows):
            yield Sifted(
                "rejected",
                batch["rejected"],
                np.zeros(batch["rejected"].num_rows, dtype=np.bool_),
                batch["rejected"],
            )
            excluded = batch["excluded"]
            nothing = SCHEMAS["rejected"].empty_table()
            yield Sifted("excluded", excluded, np.zeros(excluded.num_rows, dtype=np.bool_), nothing)
            for name in ("assignments", "labels"):
                self.documents.codes(batch[name]["document"], source)
            yield self._documents(batch["documents"], source)
            yield self._apply_rules("assignments", batch["assignments"])
            yield self._sift_labels(with_named_layer("labels", batch["labels"]))
            for name in held:
                held[name] = pa.concat_tables([held[name], batch[name]])
            ready = self._ready(held, source)
            yield self._sift_units(with_named_layer("units", ready["units"]), source)
            yield self._sift_relations(ready["relations"], source)
        yield self._sift_units(with_named_layer("units", held["units"]), source)
        yield self._sift_relations(held["relations"], source)

    def end(self) -> Iterator[tuple[int, Sifted]]:
        """After the last source, yield (source, rows rejected because of a later source)."""
        for source, rejected in self._late.outside():
            yield source, _only_rejected(rejected)
        for source, rows in self._open:
            yield source, self._judge_joined_relations(rows)

    def _ready(self, held: dict[str, pa.Table], source: int) -> dict[str, pa.Table]:
        """Return and remove the held rows whose document was described."""
        if sum(rows.num_rows for rows in held.values()) > HELD_ROWS:
            ready = dict(held)
            held.update({name: rows.slice(0, 0) for name, rows in held.items()})
            return ready
        ready = {}
        for name, rows in held.items():
            codes = self.documents.codes(rows["document"], source)
            is_ready = pa.array(self.documents.described_by(codes, source))
            ready[name], held[name] = rows.filter(is_ready), rows.filter(pc.invert(is_ready))
        return ready

    def _documents(self, rows: pa.Table, source: int) -> Sifted:
        differs = self.documents.describe(rows, source)
        return self._apply_rules("documents", rows.append_column("text_differs", pa.array(differs)))

    def _sift_labels(self, rows: pa.Table) -> Sifted:
        rows = with_shown_columns("labels", rows)
        first = self._labels.first(keys_of(rows, SAME_LABEL))
        return self._apply_rules("labels", _with_occurrence(rows, first))

    def _sift_units(self, rows: pa.Table, source: int) -> Sifted:
        codes = self.documents.codes(rows["document"])
        lengths = self.documents.lengths(codes)
        strange = self.documents.has_other_text(codes, source)
        if len(codes):
            self.documents.have_units(codes)
        rows = with_shown_columns("units", rows)
        known = pa.array(lengths, pa.int64(), mask=lengths == UNKNOWN)
        rows = rows.append_column("document_length", known)
        rows = rows.append_column("text_differs", pa.array(strange))
        first = self._units.first(keys_of(rows, SAME_UNIT))
        sifted = self._apply_rules("units", _with_occurrence(rows, first))
        accepted = rows.filter(pa.array(sifted.kept))
        self._ids.first(keys_of(accepted, UNIT_ID))
        self._late.remember(accepted, codes[sifted.kept], source)
        return sifted

    def _sift_relations(self, rows: pa.Table, source: int) -> Sifted:
        """Apply the rules to relations whose units were read; the others wait for the end."""
        ends = [self._is_known_unit(rows, unit) for _, unit in ENDS]
        is_open = pa.array(~(ends[0] & ends[1]))
        waiting = rows.filter(is_open)
        if waiting.num_rows:
            self._open.append((source, waiting))
        return self._judge_joined_relations(rows.filter(pc.invert(is_open)))

    def _judge_joined_relations(self, rows: pa.Table) -> Sifted:
        for column, unit in ENDS:
            rows = rows.append_column(column, pa.array(self._is_known_unit(rows, unit)))
        return self._apply_rules("relations", with_shown_columns("relations", rows))

    def _is_known_unit(self, rows: pa.Table, unit: str) -> NDArray[np.bool_]:
        return self._ids.has(keys_of(rows, (*UNIT_ID[:-1], unit)))

    def _apply_rules(self, name: str, rows: pa.Table) -> Sifted:
        rules = rules_of(name) if rows.num_rows else ()
        broken, _ = judge(rules, rows, self._declared)
        plain = rows.select(SCHEMAS[name].names)
        return Sifted(name, plain, broken < 0, refused_rows(name, rows, broken, rules))


def _with_occurrence(rows: pa.Table, first: NDArray[np.bool_]) -> pa.Table:
    return rows.append_column("occurrence", pa.array(np.where(first, 1, 2).astype(np.int64)))


def _only_rejected(rejected: list[Rejected]) -> Sifted:
    """Report rejected rows that were accepted before."""
    table = as_table(rejected)
    return Sifted("units", SCHEMAS["units"].empty_table(), np.zeros(0, dtype=np.bool_), table)


def _batches(rows: Iterable[Rows]) -> Iterator[dict[str, pa.Table]]:
    """Yield tables by name, each in reading order; documents without their texts."""
    waiting = RowTables()

    def taken() -> dict[str, pa.Table]:
        parts = waiting.take_tables().items()
        return {
            name: pa.concat_tables([SCHEMAS[name].empty_table(), *of_table]).combine_chunks()
            for name, of_table in parts
        }

    for row in rows:
        if isinstance(row, Document):
            row.text = None
        waiting.add(row)
        if waiting.n_rows >= ROWS_AT_ONCE:
            yield taken()
    yield taken()


class _LateLengths:
    """Units read before an export stated their document's length, checked once it is known.

    It holds the end of each such unit, and for each document and source the location of the unit
    that ends last. All rejected units of a document are reported at that location, because the
    others are not held.
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._held: list[tuple[int, NDArray[np.int64], NDArray[np.int64]]] = []
        self._furthest: dict[tuple[int, int], tuple[int, str, str, str]] = {}

    def remember(self, units: pa.Table, codes: NDArray[np.int64], source: int) -> None:
        """Remember accepted units whose document has no length so far."""
        open_ = np.flatnonzero(self._documents.lengths(codes) == UNKNOWN)
        if not len(open_):
            return
        codes, ends = codes[open_], units["end_offset"].to_numpy()[open_]
        self._held.append((source, codes.astype(np.int64), ends))
        order = np.lexsort((ends, codes))
        last = order[np.append(np.diff(codes[order]) != 0, True)]
        places = units.take(pa.array(open_[last]))
        rows = zip(*(places[name].to_pylist() for name in _PLACE), strict=True)
        for code, end, place in zip(codes[last].tolist(), ends[last].tolist(), rows, strict=True):
            if end > self._furthest.get((source, code), (UNKNOWN,))[0]:
                self._furthest[source, code] = (end, *place)

    def outside(self) -> Iterator[tuple[int, list[Rejected]]]:
        """Yield (source, its units that end after their document)."""
        for source, codes, ends in self._held:
            lengths = self._documents.lengths(codes)
            bad = codes[(lengths != UNKNOWN) & (ends > lengths)]
            if len(bad):
                yield source, [self._rejected_unit(source, code) for code in bad.tolist()]

    def _rejected_unit(self, source: int, code: int) -> Rejected:
        end, file, location, annotator = self._furthest[source, code]
        return Rejected(
            source=file,
            location=location,
            rule=_INSIDE_DOCUMENT.name,
            value=str(end),
            message=_INSIDE_DOCUMENT.message(str(end)),
            table_name="units",
            document=self._documents.name(code),
            annotator=annotator,
        )
