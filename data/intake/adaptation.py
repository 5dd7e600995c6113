"""Give the rows of a source the campaign's names of layers and batches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pyarrow as pa

from ..blocks import Block, Rows
from ..schema import Assignment, Document, Label, Relation, Unit


def with_campaign_layers(rows: Iterator[Rows], names: Mapping[str, str]) -> Iterator[Rows]:
    """Rename the layers of the export to the campaign's layers, so that exports can be combined."""
    for row in rows:
        if isinstance(row, Block) and row.TABLE in ("units", "labels", "relations"):
            yield row.with_column("layer", _renamed(row.rows["layer"], names))
            continue
        if isinstance(row, (Unit, Label, Relation)) or (isinstance(row, Assignment) and row.layer):
            row.layer = names.get(row.layer, row.layer)
        yield row


def _renamed(layers: pa.ChunkedArray, names: Mapping[str, str]) -> pa.Array:
    encoded = layers.combine_chunks().dictionary_encode()
    renamed = [names.get(name, name) for name in encoded.dictionary.to_pylist()]
    return pa.array(renamed, pa.string()).take(encoded.indices)


def with_batches(rows: Iterator[Rows], pattern: str) -> Iterator[Rows]:
    """Give documents without a batch the batch that the pattern finds in their names."""
    compiled = re.compile(pattern)
    for row in rows:
        documents = row.records() if isinstance(row, Block) and row.TABLE == "documents" else [row]
        for record in documents:
            if isinstance(record, Document) and not record.batch:
                found = compiled.search(record.document)
                record.batch = (found[1] or "") if found else ""
            yield record
