"""The rows of one source of a campaign, as a run and `accordeur check` both read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from ..blocks import Rows
from ..readers.base import Reader, SourceOptions
from ..readers.registry import read_rows
from ..schema import Role
from .adaptation import with_batches, with_campaign_layers, with_text_hashes


class DeclaredSource(Protocol):
    """What a campaign file says of one source that decides which rows are read.

    path           file, folder or glob
    format         of `accordeur formats`, or `auto`
    layers         that are kept (empty: all)
    layer_names    the export's layer → the campaign's
    batch_pattern  whose first group, found in a document's name, is its batch ("": none)
    options        the format's own
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
    """The source's rows under the campaign's names of layers and batches, texts hashed.

    `on_file` as in `read_rows`; `options`: those of `reader_options`, where the caller wants to
    know how the layers were read, and what was assumed or left out. Raises DataError when the
    source cannot be read at all.
    """
    options = options or reader_options(source)
    rows = with_text_hashes(read_rows(source.path, source.format, options, on_file=on_file))
    if source.layer_names:
        rows = with_campaign_layers(rows, source.layer_names)
    if source.batch_pattern:
        rows = with_batches(rows, source.batch_pattern)
    return rows


def reader_options(source: DeclaredSource) -> SourceOptions:
    """What the readers are given of the source."""
    return SourceOptions(
        annotator=source.annotator,
        role=Role(source.role) if source.role else None,
        batch=source.batch,
        layers=source.layers,
        extra=source.options,
    )
