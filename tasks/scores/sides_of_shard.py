"""What references, systems and humans annotated in a shard, of a run or of exports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...data.arrow_columns import column, group_codes, scalar
from ...data.schema import State
from ...data.store.in_memory import Tables
from ...metrics.agreement.label_matrix import HUMAN
from ...metrics.estimate import Estimate
from ...metrics.item_name import place_of_item
from ...metrics.options import Sampling
from ...metrics.scores.reference_error import reference_error
from ...metrics.unit_rows import UnitRows
from ..item_names import document_names
from ..layers import LayerSpec
from ..options import Patterns
from ..stored_annotations import (
    FIRST_PASS,
    finished_passes,
    label_rows,
    matrix_of_rows,
    stored_continua,
)
from . import label_scores as labels
from . import unit_scores as units
from .evaluation import Presence, renumber_documents
from .shared_documents import NOTHING_RENAMED, Renamed

_LABEL_COLUMNS = ["document", "item", "annotator", "label"]
_DOCUMENT = ""  # the column of documents; no annotator can have this name
_ITEM = "\x1fitem"  # the column of items; no name of an annotator may contain this sign
_OTHERS = ""  # stands for the annotators who are not scored
_SAID = pa.schema(
    [("document", pa.string()), ("annotator", pa.string()), ("units", pa.list_(pa.int64()))]
)
_PRESENCE = pa.schema(
    [("document", pa.string()), ("system", pa.string()), ("finished", pa.bool_())]
)


@dataclass(frozen=True, slots=True)
class Against:
    """A reference; `place` is where a built reference is stored, None for an annotator's rows."""

    name: str
    place: str | None = None


def references_of(layer: LayerSpec, built: Against | None) -> list[Against]:
    """Return the references of a layer: its annotators with this role, else the one that was built.

    Labels of an audit are never a reference.
    """
    return [Against(name) for name in layer.references] or ([built] if built else [])


def labels_of_shard(
    store: Tables,
    key: str,
    layer: LayerSpec,
    references: Sequence[Against],
    humans: Sequence[str] = (),
    renamed: Renamed = NOTHING_RENAMED,
) -> pa.Table:
    """Return one row per item that anybody labelled: its document, and the codes of the sides.

    The sides are references, systems, the `humans` who are scored, and audits. Labels of a
    reference built by the run are read from its rows. Where documents are renamed, another shard
    may have the same item (`joined_items`).
    """
    scored = [*layer.systems, *humans, *layer.audits]
    columns = [*(one.name for one in references), *scored]
    built = {one.name for one in references if one.place is not None}
    people = dict.fromkeys([*columns, *layer.humans]).keys() - built
    rows = label_rows(store, key, layer, sorted(people)).select(_LABEL_COLUMNS)
    rows = _with_names_of_reference(rows, renamed)
    here = store.accepted_rows(key, "documents", columns=["document"])["document"]
    for one in references:
        if one.place is not None:
            whole = store.read_table(f"{one.place}/reference.parquet", columns=_LABEL_COLUMNS)
            of_shard = whole.filter(pc.is_in(whole["document"], value_set=here.combine_chunks()))
            rows = pa.concat_tables([rows, of_shard])
    is_side = pc.is_in(rows["annotator"], value_set=pa.array(columns, pa.string()))
    names = pc.if_else(is_side, rows["annotator"], scalar(_OTHERS))
    rows = rows.set_column(rows.column_names.index("annotator"), "annotator", names)
    matrix = matrix_of_rows(rows, layer, [*columns, _OTHERS], "system")
    names = pa.array(document_names(matrix), pa.string())
    homes = np.empty(0, np.int64) if matrix.documents is None else matrix.documents
    codes = {name: pa.array(matrix.codes[:, column]) for column, name in enumerate(columns)}
    table = pa.table({_DOCUMENT: names.take(pa.array(homes)), **codes})
    if not renamed:
        return table
    items = [place_of_item(name)[1] for name in matrix.items]
    return table.append_column(_ITEM, pa.array(items, pa.string()))


def joined_items(said: pa.Table) -> pa.Table:
    """Join the rows of an item that is in several shards because documents were renamed."""
    if _ITEM not in said.column_names:
        return said
    _, first, row_of = np.unique(
        group_codes(said, [_DOCUMENT, _ITEM]), return_index=True, return_inverse=True
    )
    columns: dict[str, pa.Array | pa.ChunkedArray] = {_DOCUMENT: said[_DOCUMENT].take(first)}
    for name in said.column_names:
        if name not in (_DOCUMENT, _ITEM):
            codes = np.full(len(first), -1, dtype=np.int32)
            np.maximum.at(codes, row_of, said[name].to_numpy())
            columns[name] = pa.array(codes)
    return pa.table(columns)


def _with_names_of_reference(rows: pa.Table, renamed: Renamed) -> pa.Table:
    """Return the rows (document, annotator, …) with the names that documents have there."""
    names = rows["document"]
    for (system, before), after in renamed.items():
        is_its = pc.and_(
            pc.equal(rows["annotator"], scalar(system)), pc.equal(rows["document"], scalar(before))
        )
        names = pc.if_else(is_its, scalar(after), names)
    return rows.set_column(rows.column_names.index("document"), "document", names)


def label_sides(
    said: pa.Table,
    presence: dict[str, Presence],
    layer: LayerSpec,
    reference: str,
    humans: Sequence[str],
) -> tuple[labels.LabelSides, dict[str, NDArray[np.integer]]]:
    """Return reference and systems, and the codes of the humans on the same items."""
    documents = said[_DOCUMENT].combine_chunks().dictionary_encode()
    everyone = labels.LabelSides(
        said[reference].to_numpy(),
        {name: said[name].to_numpy() for name in (*layer.systems, *humans)},
        presence,
        np.asarray(documents.indices, dtype=np.int64),
        documents.dictionary.to_pylist(),
        layer.tagset,
        layer.item_distance(),
    ).sorted_by_document()
    systems, of_humans = (
        {name: everyone.systems[name] for name in names} for names in (layer.systems, humans)
    )
    return replace(everyone, systems=systems), of_humans


def error_of_reference(
    said: pa.Table, layer: LayerSpec, reference: str, sampling: Sampling
) -> Estimate:
    """Return the error of a reference, from the items that all annotators of the audit label alike.

    said  the rows of `labels_of_shard`
    """
    of_audits = np.stack([said[name].to_numpy() for name in layer.audits])
    audit = of_audits.max(axis=0)
    is_alike = ((of_audits == audit) | (of_audits < 0)).all(axis=0)
    documents = said[_DOCUMENT].combine_chunks().dictionary_encode().indices
    codes = said[reference].to_numpy()
    audited = (audit >= 0) & is_alike
    return reference_error(
        codes[audited],
        audit[audited],
        tagset=layer.tagset,
        documents=renumber_documents(np.asarray(documents)[audited]),
        sampling=sampling,
    )


def units_of_shard(
    store: Tables,
    key: str,
    layer: LayerSpec,
    references: Sequence[Against],
    humans: Sequence[str] = (),
    renamed: Renamed = NOTHING_RENAMED,
) -> pa.Table:
    """Return one row per document that a side or an audit finished: its units, as `UnitRows`.

    A reference built by the run has no rows in the shards.
    """
    given = [one.name for one in references if one.place is None]
    rows = [
        {
            "document": renamed.get((annotator, document), document),
            "annotator": annotator,
            "units": one.rows_of(a).ravel(),
        }
        for names, role in (
            (given, "reference"),
            (layer.systems, "system"),
            (humans, HUMAN),
            (layer.audits, "audit"),
        )
        for document, one, _ in (stored_continua(store, key, layer, names, role) if names else ())
        for a, annotator in enumerate(one.annotators)
    ]
    return pa.Table.from_pylist(rows, _SAID)


def documents_of_humans(store: Tables, key: str, layer: LayerSpec) -> pa.Table:
    """Return rows as `units_of_shard` does, without units, for documents that humans finished."""
    finished = finished_passes(store, key, layer.name)
    names = sorted({name for name, who, _ in finished if who in layer.humans})
    rows = [{"document": name, "annotator": _OTHERS, "units": []} for name in names]
    return pa.Table.from_pylist(rows, _SAID)


def unit_sides(
    said: pa.Table,
    presence: dict[str, Presence],
    layer: LayerSpec,
    reference: str,
    humans: Sequence[str],
) -> tuple[units.UnitSides, dict[str, dict[str, UnitRows]]]:
    """Return reference and systems, and the units of the humans by document."""
    by = units_by_annotator(said, (reference, *layer.systems, *humans))
    systems, of_humans = ({name: by[name] for name in names} for names in (layer.systems, humans))
    documents = frozenset(said["document"].to_pylist())
    sides = units.UnitSides(by[reference], systems, presence, layer.tagset, documents=documents)
    return sides, of_humans


def units_by_annotator(said: pa.Table, annotators: Iterable[str]) -> dict[str, dict[str, UnitRows]]:
    """Return the units of each annotator by document, of the rows of `units_of_shard`."""
    by: dict[str, dict[str, UnitRows]] = {name: {} for name in annotators}
    columns = (said[name] for name in ("document", "annotator", "units"))
    for document, annotator, rows in zip(*columns, strict=True):
        if annotator.as_py() in by:
            values = rows.values.to_numpy().reshape(-1, 4)
            by[annotator.as_py()][document.as_py()] = values
    return by


def audited_units(said: pa.Table, layer: LayerSpec) -> dict[str, UnitRows]:
    """Return the units of the documents that all annotators of the audit mark alike.

    said  the rows of `units_of_shard`
    """
    found: dict[str, UnitRows] = {}
    unlike = set[str]()
    for of_audit in units_by_annotator(said, layer.audits).values():
        for document, rows in of_audit.items():
            before = found.setdefault(document, rows)
            if sorted(rows.tolist()) != sorted(before.tolist()):
                unlike.add(document)
    return {document: rows for document, rows in found.items() if document not in unlike}


def presence_in_shard(
    store: Tables,
    key: str,
    layer: LayerSpec,
    not_assigned: Patterns,
    renamed: Renamed = NOTHING_RENAMED,
) -> pa.Table:
    """Return document, system, and whether it finished it (true) or was not assigned it (false).

    Documents are declared as not assigned in an export or in the campaign file.
    """
    found = [
        (renamed.get((annotator, document), document), annotator, True)
        for document, annotator, pass_ in finished_passes(store, key, layer.name)
        if annotator in layer.systems and pass_ == FIRST_PASS
    ]
    rows = store.accepted_rows(key, "assignments")
    rows = rows.filter(pc.equal(rows["state"], scalar(str(State.NOT_ASSIGNED))))
    found += [
        (row["document"], row["annotator"], False)
        for row in rows.select(["document", "annotator", "layer"]).to_pylist()
        if row["annotator"] in layer.systems and row["layer"] in ("", layer.name)
    ]
    documents = store.accepted_rows(key, "documents", columns=["document"])["document"].to_pylist()
    for system, pattern in not_assigned:
        if system in layer.systems:
            found += [
                (name, system, False) for name in filter(re.compile(pattern).search, documents)
            ]
    columns = zip(_PRESENCE, zip(*found, strict=True) if found else [()] * 3, strict=True)
    return pa.table([column(values, field.type) for field, values in columns], _PRESENCE)


def read_presence(store: Tables, places: Sequence[str], layer: LayerSpec) -> dict[str, Presence]:
    tables = (store.read_table(f"{place}/presence.parquet") for place in places)
    return presence_of_systems(tables, layer)


def presence_of_systems(tables: Iterable[pa.Table], layer: LayerSpec) -> dict[str, Presence]:
    """Combine the tables of `presence_in_shard`, by system."""
    present: dict[str, set[str]] = {system: set() for system in layer.systems}
    excluded: dict[str, set[str]] = {system: set() for system in layer.systems}
    for table in tables:
        for row in table.to_pylist():
            (present if row["finished"] else excluded)[row["system"]].add(row["document"])
    return {system: Presence(present[system], excluded[system]) for system in layer.systems}
