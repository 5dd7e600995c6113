"""Tables of units and relations of a release: new ids, fragments as tables are read, lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ...data.store.store import Store
from ..layers import LayerSpec
from ..stored_annotations import finished_passes, unit_rows
from .release_spec import ReleaseSpec

_TEXT = pa.string()
_Identity: TypeAlias = tuple[str, str, int, str]  # document, annotator, pass, unit id


def published_units(store: Store, key: str, layer: LayerSpec, spec: ReleaseSpec) -> pa.Table:
    rows = unit_rows(store, key, layer, layer.humans, first_pass=False)
    numbers = _unit_numbers(store, key, spec)
    rows = with_fragments_as_text(rows.drop_columns(["layer"]))
    new = [numbers[one] for one in _unit_identities(rows, "unit")]
    at = rows.column_names.index("unit")
    rows = rows.set_column(at, "unit", pa.array(new, _TEXT))
    rows = pa.concat_tables(
        [rows, _without_units(store, key, layer, rows)], promote_options="default"
    )
    return pseudonymised(_with_lengths(rows, store.accepted_rows(key, "documents")), spec)


def _without_units(store: Store, key: str, layer: LayerSpec, rows: pa.Table) -> pa.Table:
    """Return a row for each pass in which a human finished a document and marked no unit."""
    place = ["document", "annotator", "pass"]
    finished = {one for one in finished_passes(store, key, layer.name) if one[1] in layer.humans}
    empty = sorted(finished - {*zip(*(rows[name].to_pylist() for name in place), strict=True)})
    schema = pa.schema([rows.schema.field(name) for name in place])
    return pa.Table.from_pylist([dict(zip(place, one, strict=True)) for one in empty], schema)


def _with_lengths(rows: pa.Table, documents: pa.Table) -> pa.Table:
    """Add the length of each row's document, on which chance depends."""
    known = documents.filter(pc.greater_equal(documents["length"], 0))
    at = pc.index_in(rows["document"], value_set=known["document"])
    return rows.append_column("length", known["length"].take(at))


def published_relations(store: Store, key: str, spec: ReleaseSpec) -> pa.Table:
    """Return the human relations between two published units."""
    rows = store.accepted_rows(key, "relations")
    stored = pa.array(list(spec.relations), _TEXT)
    keep = pc.is_in(rows["layer"], value_set=stored)
    humans = pa.array(spec.humans, _TEXT)
    rows = rows.filter(pc.and_(keep, pc.is_in(rows["annotator"], value_set=humans)))
    numbers = _unit_numbers(store, key, spec)
    for column in ("from_unit", "to_unit"):
        new = [numbers.get(one) for one in _unit_identities(rows, column)]
        rows = rows.set_column(rows.column_names.index(column), column, pa.array(new, _TEXT))
    rows = rows.filter(pc.and_(pc.is_valid(rows["from_unit"]), pc.is_valid(rows["to_unit"])))
    names = [spec.relations[layer] for layer in rows["layer"].to_pylist()]
    rows = rows.set_column(rows.column_names.index("layer"), "layer", pa.array(names, _TEXT))
    return pseudonymised(rows, spec)


def _unit_numbers(store: Store, key: str, spec: ReleaseSpec) -> dict[_Identity, str]:
    """Return new ids of the published units: T1, T2, … per annotator and document."""
    numbers: dict[_Identity, str] = {}
    counts: Counter[tuple[str, str, int]] = Counter()
    for layer in (one for one in spec.layers if one.kind != "items"):
        rows = unit_rows(store, key, layer, layer.humans, first_pass=False).sort_by(
            [(name, "ascending") for name in ("document", "start_offset", "end_offset", "category")]
        )
        for one in _unit_identities(rows, "unit"):
            counts[one[:3]] += 1
            numbers[one] = f"T{counts[one[:3]]}"
    return numbers


def _unit_identities(rows: pa.Table, unit: str) -> Iterator[_Identity]:
    columns = (rows[name].to_pylist() for name in ("document", "annotator", "pass", unit))
    return zip(*columns, strict=True)


def with_fragments_as_text(rows: pa.Table) -> pa.Table:
    if "fragments" not in rows.column_names:
        return rows
    fragments = [
        ";".join(f"{start} {end}" for start, end in parts or () if len(parts) > 1)
        for parts in rows["fragments"].to_pylist()
    ]
    rows = rows.drop_columns(["fragments"])
    return rows.append_column("fragments", pa.array(fragments, _TEXT))


def pseudonymised(rows: pa.Table, spec: ReleaseSpec) -> pa.Table:
    at = rows.column_names.index("annotator")
    shown = spec.pseudonyms.column(rows["annotator"])
    return rows.set_column(at, "annotator", shown)
