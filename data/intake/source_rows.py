"""The rows of one source of a campaign, read the same way by a run and by `accordeur check`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from ..blocks import Block, Rows
from ..readers.base import Reader, SourceOptions
from ..readers.sources import read_rows
from ..schema import Assignment, Document, Label, Relation, Role, Unit


class DeclaredSource(Protocol):
    """The settings of one source in a campaign file that decide which rows are read.

    path           file, folder or glob
    format         a format of `accordeur formats`, or `auto`
    layers         layers to keep (empty: all)
    layer_names    layer of the export → layer of the campaign
    batch_pattern  its first group, matched in a document's name, is the batch ("": none)
    options        options of the format
    """

    @property
    def path(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def annotator(self) -> str | None: ...
    @property
    def role(self) -> str | None: ...
    @property
    def batch(self) -> str: ...
    @property
    def batch_pattern(self) -> str: ...
    @property
    def layers(self) -> tuple[str, ...]: ...
    @property
    def layer_names(self) -> Mapping[str, str]: ...
    @property
    def options(self) -> Mapping[str, str]: ...


def source_rows(
    source: DeclaredSource,
    *,
    on_file: Callable[[Path, Reader], None] | None = None,
    options: SourceOptions | None = None,
) -> Iterator[Rows]:
    """Yield the source's rows with the campaign's names of layers and batches.

    `on_file` as in `read_rows`; `options`: the result of `reader_options`, for callers that need to
    know how the layers were read and what was assumed or left out. Raises DataError when the source
    cannot be read at all.
    """
    options = options or reader_options(source)
    rows = read_rows(source.path, source.format, options, on_file=on_file)
    if source.layer_names:
        rows = with_campaign_layers(rows, source.layer_names)
    if source.batch_pattern:
        rows = with_batches(rows, source.batch_pattern)
    return rows


def reader_options(source: DeclaredSource, *, item_texts: bool = False) -> SourceOptions:
    """Return the reader options of the source; `item_texts` as in `SourceOptions`."""
    return SourceOptions(
        annotator=source.annotator,
        role=Role(source.role) if source.role else None,
        batch=source.batch,
        layers=source.layers,
        extra=source.options,
        item_texts=item_texts,
    )


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
