"""Tables of a release: individual annotations, references, soft labels, documents.

Only measured data are published: finished documents, human annotators, and references. Unit ids
are renumbered, and attributes and surface texts are omitted, because they may contain names.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...data.arrow_columns import are_rows_among, rows_where
from ...data.errors import DataError
from ...data.store.store import Store
from ...reports.results.release import AnnotationsPerItem, ReleaseMetadata, ReleaseTable
from ..layers import LayerSpec
from ..stored_annotations import FIRST_PASS, finished_passes, label_rows, unit_rows
from .release_spec import ReleaseSpec
from .soft_label_table import SOFT_LABELS, soft_label_rows
from .unit_tables import (
    pseudonymised,
    published_relations,
    published_units,
    with_fragments_as_text,
)

FOLDER = "data"
IMPORTED = "imported"
_TEXT, _WHOLE, _NUMBER = pa.string(), pa.int64(), pa.float64()
_TYPES = {_TEXT: "string", _WHOLE: "integer", _NUMBER: "number"}
_PLACE = [("document", _TEXT), ("split", _TEXT), ("layer", _TEXT)]

SCHEMAS = {
    "documents": pa.schema(
        [
            ("document", _TEXT),
            ("split", _TEXT),
            ("batch", _TEXT),
            ("length", _WHOLE),
            ("offset_unit", _TEXT),
            ("sha256", _TEXT),
            ("text", _TEXT),
        ]
    ),
    "labels": pa.schema(
        [*_PLACE, ("item", _TEXT), ("annotator", _TEXT), ("label", _TEXT), ("pass", _WHOLE)]
    ),
    "units": pa.schema(
        [
            *_PLACE,
            ("annotator", _TEXT),
            ("unit", _TEXT),
            ("start_offset", _WHOLE),
            ("end_offset", _WHOLE),
            ("category", _TEXT),
            ("fragments", _TEXT),
            ("pass", _WHOLE),
            ("length", _WHOLE),
        ]
    ),
    "relations": pa.schema(
        [
            *_PLACE,
            ("annotator", _TEXT),
            ("from_unit", _TEXT),
            ("to_unit", _TEXT),
            ("category", _TEXT),
            ("pass", _WHOLE),
        ]
    ),
    "reference_labels": pa.schema(
        [
            *_PLACE,
            ("item", _TEXT),
            ("rule", _TEXT),
            ("annotator", _TEXT),
            ("label", _TEXT),
            ("predicted_agreement", _NUMBER),
            ("confidence", _NUMBER),
        ]
    ),
    "reference_units": pa.schema(
        [
            *_PLACE,
            ("rule", _TEXT),
            ("annotator", _TEXT),
            ("start_offset", _WHOLE),
            ("end_offset", _WHOLE),
            ("category", _TEXT),
            ("fragments", _TEXT),
            ("support", _WHOLE),
            ("confidence", _NUMBER),
        ]
    ),
    "soft_labels": pa.schema([*_PLACE, *SOFT_LABELS]),
}
_Maker: TypeAlias = Callable[[Store, str, LayerSpec, ReleaseSpec], pa.Table]


def write_tables(store: Store, spec: ReleaseSpec, folder: str) -> list[ReleaseTable]:
    """Write each table with at least one row below `folder`, as Parquet and as JSON lines."""
    documents = [_documents(store, key, spec) for key in spec.keys]
    are_identified = any(pc.any(pc.not_equal(one["sha256"], "")).as_py() for one in documents)
    sources = {
        "documents": documents,
        "labels": _tables_of_layers(store, spec, _labels, "items"),
        "units": _tables_of_layers(store, spec, published_units, "units", "positions"),
        "relations": (published_relations(store, key, spec) for key in spec.keys if spec.relations),
        "reference_labels": _references(store, spec, "items", "positions"),
        "reference_units": _references(store, spec, "units"),
        "soft_labels": (
            _with_constant_columns(
                soft_label_rows(store, spec.keys, layer, spec.settings), layer.name
            )
            for layer in spec.layers
            if layer.is_labels and layer.objects is None
        ),
    }
    written = []
    for name, tables in sources.items():
        schema = SCHEMAS[name]
        if name == "documents" and not spec.metadata.texts:
            schema = schema.remove(schema.get_field_index("text"))
        if name == "documents" and not are_identified:
            schema = schema.remove(schema.get_field_index("sha256"))
        if name == "reference_labels" and not any(layer.audits for layer in spec.layers):
            schema = schema.remove(schema.get_field_index("confidence"))
        n_rows = _write(store, f"{folder}/{name}", schema, _add_split_column(tables, spec.metadata))
        if n_rows:
            columns = {field.name: _TYPES[field.type] for field in schema}
            written.append(ReleaseTable(name=name, columns=columns, n_rows=n_rows))
    return written


def with_row_hashes(table: pa.Table) -> pa.Table:
    """Replace each pseudonym with a hash of all rows of the annotator, and sort the rows.

    Two tables that differ only in their pseudonyms then become equal.
    """
    if "annotator" not in table.column_names:
        return table
    others = [name for name in table.column_names if name != "annotator"]
    rows = table.sort_by([(name, "ascending") for name in others])
    contents: dict[str | None, list[str]] = {}
    names = rows["annotator"].to_pylist()
    for name, row in zip(names, rows.select(others).to_pylist(), strict=True):
        contents.setdefault(name, []).append(repr(row))
    hashes = {
        name: hashlib.sha256("\n".join(of_name).encode()).hexdigest()
        for name, of_name in contents.items()
    }
    shown = [name and hashes[name] for name in names]
    at = rows.column_names.index("annotator")
    rows = rows.set_column(at, "annotator", pa.array(shown, _TEXT))
    return rows.sort_by([(name, "ascending") for name in rows.column_names])


def annotations_per_item(
    store: Store, keys: Sequence[str], layers: Sequence[LayerSpec]
) -> list[AnnotationsPerItem]:
    """Count the humans who labelled each item, or who finished each document of units."""
    found = []
    for layer in layers:
        counts: list[int] = []
        categories = Counter[str]()
        for key in keys:
            if layer.is_labels:
                rows = label_rows(store, key, layer, layer.humans)
                categories.update(rows["label"].to_pylist())
                of_item = rows.group_by(["document", "item"]).aggregate(
                    [("annotator", "count_distinct")]
                )
                counts += of_item["annotator_count_distinct"].to_pylist()
            else:
                passes = finished_passes(store, key, layer.name)
                who = {(document, name) for document, name, _ in passes if name in layer.humans}
                counts += Counter(document for document, _ in who).values()
                units = unit_rows(store, key, layer, layer.humans)
                categories.update(units["category"].to_pylist())
        if counts:
            found.append(
                AnnotationsPerItem(
                    layer=layer.name,
                    kind=layer.kind,
                    n_items=len(counts),
                    fewest=min(counts),
                    median=float(np.median(counts)),
                    most=max(counts),
                    categories=dict(sorted(categories.items(), key=lambda one: (-one[1], one[0]))),
                )
            )
    return found


def offset_units(store: Store, keys: Sequence[str]) -> set[str]:
    """Return what the bounds of the documents count, such as `char`."""
    documents = (store.accepted_rows(key, "documents") for key in keys)
    return {one for rows in documents for one in rows["offset_unit"].unique().to_pylist()}


def _write(store: Store, place: str, schema: pa.Schema, tables: Iterable[pa.Table]) -> int:
    """Write the rows, if there are any, in the order of the tables; return their number."""
    n_rows = 0

    def ordered(lines: IO[bytes]) -> Iterator[pa.Table]:
        nonlocal n_rows
        for table in tables:
            known = [
                table[field.name] if field.name in table.column_names
                else pa.nulls(table.num_rows, field.type)
                for field in schema
            ]  # fmt: skip
            rows = pa.table(known, schema=schema).sort_by(
                [(name, "ascending") for name in schema.names if name != "split"]
            )
            n_rows += rows.num_rows
            for line in json_lines(rows):
                lines.write(line)
            yield rows

    with tempfile.NamedTemporaryFile(suffix=".jsonl") as lines:
        store.write_tables(f"{place}.parquet", schema, ordered(lines))
        lines.flush()
        if n_rows:
            with pa.memory_map(lines.name) as content:
                store.write_bytes(f"{place}.jsonl", content.read_buffer())
        else:
            store.delete(f"{place}.parquet")
    return n_rows


def json_lines(rows: pa.Table) -> Iterator[bytes]:
    """Yield the rows as JSON lines."""
    for row in rows.to_pylist():
        yield json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _add_split_column(tables: Iterable[pa.Table], metadata: ReleaseMetadata) -> Iterator[pa.Table]:
    patterns = {name: re.compile(pattern) for name, pattern in metadata.splits.items()}
    known: dict[str, str] = {}

    def split_of(document: str) -> str:
        if document not in known:
            found = [name for name, pattern in patterns.items() if pattern.search(document)]
            if len(found) > 1:
                raise DataError(
                    f"release.splits: document {document!r} matches {' and '.join(found)}; the "
                    "patterns must exclude each other"
                )
            known[document] = "".join(found)
        return known[document]

    for table in tables:
        splits = [split_of(document) for document in table["document"].to_pylist()]
        yield table.append_column("split", pa.array(splits, _TEXT))


def _with_constant_columns(table: pa.Table, layer: str, **constants: str) -> pa.Table:
    for name, text in {"layer": layer, **constants}.items():
        table = table.append_column(name, pa.array([text] * table.num_rows, _TEXT))
    return table


def _tables_of_layers(
    store: Store, spec: ReleaseSpec, make: _Maker, *kinds: str
) -> Iterator[pa.Table]:
    for layer in (one for one in spec.layers if one.kind in kinds):
        yield from (
            _with_constant_columns(make(store, key, layer, spec), layer.name) for key in spec.keys
        )


def _documents(store: Store, key: str, spec: ReleaseSpec) -> pa.Table:
    """Return the documents of a shard, their hashes and texts only where they are published."""
    rows = store.accepted_rows(key, "documents")
    if not spec.metadata.texts:
        rows = rows.drop_columns(["text"])
    if spec.is_private:
        place = rows.column_names.index("sha256")
        rows = rows.set_column(place, "sha256", pa.nulls(rows.num_rows, _TEXT))
    return rows


def _labels(store: Store, key: str, layer: LayerSpec, spec: ReleaseSpec) -> pa.Table:
    rows = label_rows(store, key, layer, layer.humans, first_pass=False)
    return pseudonymised(rows, spec)


def _references(store: Store, spec: ReleaseSpec, *kinds: str) -> Iterator[pa.Table]:
    """Yield the reference of each layer: each item once; of units, each document by one reference.

    A label (document) of an annotator with the role reference counts before the one that the run
    built, as in scores; of several such annotators, the first.
    """
    built = {name: (rule, place) for name, rule, place in spec.references}
    for layer in (layer for layer in spec.layers if layer.kind in kinds):
        place_of = ["document", "item"] if layer.is_labels else ["document"]
        done = _documents_of_rows([], place_of)
        for reference in layer.references:
            given = [_reference_rows(store, key, layer, reference, place_of) for key in spec.keys]
            for rows, _ in given:
                rows = rows_where(rows, ~are_rows_among(rows, done, place_of))
                kept = [column for column in rows.column_names if column != "layer"]
                rows = with_fragments_as_text(pseudonymised(rows, spec).select(kept))
                yield _with_constant_columns(rows, layer.name, rule=IMPORTED)
            done = pa.concat_tables([done, *(places for _, places in given)])
        if layer.name in built:
            rule, place = built[layer.name]
            rows = store.read_table(f"{place}/reference.parquet")
            rows = rows_where(rows, ~are_rows_among(rows, done, place_of))
            kept = [column for column in rows.column_names if column != "annotator"]
            rows = with_fragments_as_text(rows.select(kept))
            yield _with_constant_columns(rows, layer.name, rule=rule)


def _reference_rows(
    store: Store, key: str, layer: LayerSpec, reference: str, place_of: Sequence[str]
) -> tuple[pa.Table, pa.Table]:
    """Return the rows of a reference in a shard, and the items (of units, documents) it covers."""
    if layer.is_labels:
        rows = label_rows(store, key, layer, [reference])
        return rows, rows.select(place_of)
    finished = finished_passes(store, key, layer.name)
    documents = [name for name, who, pass_ in finished if (who, pass_) == (reference, FIRST_PASS)]
    return unit_rows(store, key, layer, [reference]), _documents_of_rows(documents, place_of)


def _documents_of_rows(documents: Sequence[str], place_of: Sequence[str]) -> pa.Table:
    schema = pa.schema([(name, pa.string()) for name in place_of])
    return pa.Table.from_pylist([{"document": name} for name in documents], schema)
