"""Shards, and the facts that later stages need without opening a shard's tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ...data.arrow_columns import count_equal_rows, first_of_equal_rows, rows_where
from ...data.blocks import names_of_sets
from ...data.readers.notes import SourceNotes
from ...data.schema import State
from ...data.validation.accepted import Accepted
from ...data.validation.deliveries import Copies
from ...data.validation.fates import are_finished, are_of_first_pass, finished_work
from ...data.validation.merge_sources import all_rejected_assignments
from ...data.validation.rule import Checked

if TYPE_CHECKING:  # the import loads Prefect, which `check` does not need
    from ..node import Outcome

MOST_NAMED = 20  # works that are in several files, of each kind

RowsOfLayers: TypeAlias = Mapping[str, Mapping[str, Mapping[str, int]]]
"""Number of rows by layer, annotator and category."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A range of document slots: `low` ≤ slot < `high`."""

    number: int
    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardFacts:
    """Facts from the receipt of a shard.

    rows_excluded  rows that the readers did not emit, by reason
    label_layers   rows of finished work by layer, annotator and category, in all passes; the
                   category of several labels is the name of the set
    unit_layers    the same for units
    relation_layers  all relations by layer, annotator and category
    unit_lengths   number of units and their total length, by layer and annotator; finished work of
                   the first pass
    roles          roles by annotator
    taking_part    finished documents of the first pass by layer and annotator
    n_copied_work  work that is in several files, by how the copies relate (`Copies`)
    copied_work    some of it: document and annotator
    n_trimmed_units, n_units_without_text  as in the notes of a source
    n_conflicting_labels  labels that differ from the first of the same annotator, item and pass
    """

    key: str
    rows_in: int = 0
    rows_accepted: int = 0
    rows_rejected: int = 0
    rows_excluded: Mapping[str, int] = field(default_factory=dict)
    n_documents: int = 0
    n_units: int = 0
    n_labels: int = 0
    n_relations: int = 0
    label_layers: RowsOfLayers = field(default_factory=dict)
    unit_layers: RowsOfLayers = field(default_factory=dict)
    relation_layers: RowsOfLayers = field(default_factory=dict)
    unit_lengths: Mapping[str, Mapping[str, Sequence[int]]] = field(default_factory=dict)
    roles: Mapping[str, Sequence[str]] = field(default_factory=dict)
    taking_part: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    n_all_refused: int = 0
    n_counted_unlike: int = 0
    n_conflicting_labels: int = 0
    n_copied_work: Mapping[str, int] = field(default_factory=dict)
    copied_work: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    n_trimmed_units: int = 0
    n_units_without_text: int = 0
    states: Mapping[str, int] = field(default_factory=dict)
    checks: Sequence[Checked] = ()

    @property
    def n_by_table(self) -> dict[str, int]:
        """Number of rows by table; assignments are not counted, so they have that of documents."""
        return {
            "documents": self.n_documents,
            "assignments": self.n_documents,
            "labels": self.n_labels,
            "units": self.n_units,
            "relations": self.n_relations,
            "rejected": self.rows_rejected,
            "excluded": sum(self.rows_excluded.values()),
        }

    @property
    def finished_layers(self) -> set[str]:
        """The layers in which someone finished a document, in any annotation pass."""
        return {*self.taking_part, *self.label_layers, *self.unit_layers}

    def as_json(self) -> dict[str, object]:
        return asdict(self)

    @staticmethod
    def from_json(facts: Mapping[str, object]) -> ShardFacts:
        """Rebuild the facts from `as_json`. Raises TypeError for unknown fields."""
        checks: Sequence[Mapping[str, object]] = facts["checks"]  # type: ignore[assignment]  # written by `as_json`
        known = tuple(Checked(**one) for one in checks)  # type: ignore[arg-type]  # written by `as_json`
        return ShardFacts(**{**facts, "checks": known})  # type: ignore[arg-type]  # written by `as_json`


@dataclass(frozen=True, slots=True)
class ValidatedShard:
    """A shard whose accepted and rejected rows are in the store."""

    shard: Shard
    facts: ShardFacts
    outcome: Outcome

    @property
    def key(self) -> str:
        return self.facts.key


def shard_facts(key: str, prepared: Accepted, tables: Mapping[str, pa.Table]) -> ShardFacts:
    """Compute the facts of a shard from its prepared `tables`."""
    units, labels, relations = tables["units"], tables["labels"], tables["relations"]
    assignments = tables["assignments"]
    copied = _copied_work(prepared.deliveries)
    of_units, of_labels = (finished_work(rows, assignments) for rows in (units, labels))
    return ShardFacts(
        key=key,
        rows_in=prepared.rows_in,
        rows_accepted=prepared.rows_accepted,
        rows_rejected=prepared.rows_rejected,
        rows_excluded=_n_excluded(tables["excluded"]),
        n_documents=tables["documents"].num_rows,
        n_units=units.num_rows,
        n_labels=labels.num_rows,
        n_relations=relations.num_rows,
        label_layers=rows_of_layers(of_labels, names_of_sets(of_labels["labels"])),
        unit_layers=rows_of_layers(of_units, of_units["category"]),
        relation_layers=rows_of_layers(relations, relations["category"]),
        unit_lengths=_unit_lengths(of_units),
        roles=_roles_by_annotator(assignments),
        taking_part=_n_finished_documents(rows_where(assignments, are_finished(assignments))),
        n_all_refused=_n_all_refused(prepared),
        n_counted_unlike=len(prepared.counted_unlike()),
        n_conflicting_labels=prepared.n_conflicting_labels(),
        n_copied_work={how: len(work) for how, work in copied.items()},
        copied_work={how: work[:MOST_NAMED] for how, work in copied.items()},
        n_trimmed_units=prepared.n_trimmed,
        n_units_without_text=prepared.n_without_text,
        states=_counts_by_state(assignments["state"]),
        checks=tuple(prepared.checks),
    )


def _copied_work(deliveries: pa.Table) -> dict[str, list[tuple[str, str]]]:
    """Return document and annotator of the work in several files, by how the copies relate."""
    found: dict[str, set[tuple[str, str]]] = {}
    for row in deliveries.to_pylist():
        found.setdefault(row["copies"], set()).add((row["document"], row["annotator"]))
    return {how: sorted(work) for how, work in sorted(found.items())}


def note_copied_work(notes: SourceNotes, shards: Iterable[ShardFacts]) -> None:
    """Note the work whose copies differ."""
    for one in shards:
        notes.n_conflicting_copies += one.n_copied_work.get(Copies.CONFLICT, 0)
        notes.n_replaced_copies += one.n_copied_work.get(Copies.REPLACED, 0)
        for how, names in (
            (Copies.CONFLICT, notes.conflicting_copies),
            (Copies.REPLACED, notes.replaced_copies),
        ):
            names += [f"{document} ({name})" for document, name in one.copied_work.get(how, ())]


def _n_excluded(excluded: pa.Table) -> dict[str, int]:
    """Count the rows that the readers did not emit, by reason."""
    found: dict[str, int] = {}
    for row in excluded.select(["reason", "n_rows"]).to_pylist():
        found[row["reason"]] = found.get(row["reason"], 0) + row["n_rows"]
    return found


def rows_of_layers(rows: pa.Table, categories: pa.ChunkedArray) -> RowsOfLayers:
    """Count the rows by layer, annotator and category."""
    names = ["layer", "annotator", "category"]
    named = pa.table([rows["layer"], rows["annotator"], categories], names=names)
    found: dict[str, dict[str, dict[str, int]]] = {}
    for (layer, annotator, category), n in count_equal_rows(named, names):
        found.setdefault(layer, {}).setdefault(annotator, {})[category] = n
    return found


def _unit_lengths(units: pa.Table) -> dict[str, dict[str, list[int]]]:
    """Count and sum the lengths of the units of the first pass, by layer and annotator."""
    units = rows_where(units, are_of_first_pass(units))
    columns = ["layer", "annotator", "length"]
    lengths = pc.subtract(units["end_offset"], units["start_offset"])
    measured = pa.table([units["layer"], units["annotator"], lengths], names=columns)
    found: dict[str, dict[str, list[int]]] = {}
    for (layer, annotator, length), n in count_equal_rows(measured, columns):
        own = found.setdefault(layer, {}).setdefault(annotator, [0, 0])
        own[0] += n
        own[1] += n * length
    return found


def _roles_by_annotator(assignments: pa.Table) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for (annotator, role), _ in count_equal_rows(assignments, ["annotator", "role"]):
        found.setdefault(annotator, set()).update(() if role is None else (role,))
    return {name: sorted(roles) for name, roles in sorted(found.items())}


def _n_finished_documents(finished: pa.Table) -> dict[str, dict[str, int]]:
    """Count the documents of the first pass in finished assignments, by layer and annotator."""
    first = rows_where(finished, are_of_first_pass(finished))
    found: dict[str, dict[str, int]] = {}
    for (layer, annotator), n in count_equal_rows(first, ["layer", "annotator"]):
        found.setdefault(layer, {})[annotator] = n
    return found


def _n_all_refused(prepared: Accepted) -> int:
    """Count the pairs of annotator and document of which all rows were rejected."""
    rows = prepared.tables["assignments"]
    lost = rows.filter(all_rejected_assignments(rows, prepared.tables, prepared.rejected))
    return first_of_equal_rows(lost, ["document", "annotator"]).num_rows


def _counts_by_state(column: pa.ChunkedArray) -> dict[str, int]:
    counted = {str(state): 0 for state in State}
    for entry in pc.value_counts(column.combine_chunks()).to_pylist():
        counted[entry["values"]] = entry["counts"]
    return counted
