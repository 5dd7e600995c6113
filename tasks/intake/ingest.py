"""Ingest exports as Parquet, one task per source; an unchanged source is not read again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...data.blocks import Rows
from ...data.errors import DataError, StoreError
from ...data.intake.adaptation import without_text
from ...data.intake.hiding import Hiding, pseudonymised_rows
from ...data.intake.input_files import Listing
from ...data.intake.source_rows import reader_options, source_rows
from ...data.intake.spill import spill
from ...data.option_names import in_campaign_file
from ...data.readers.base import SourceOptions
from ...data.readers.common.category_features import ReadAs
from ...data.readers.notes import SourceNotes
from ...data.same_rows import Sketch, sketch_from_json
from ...data.store.ownership import Folder
from ...data.store.store import Store
from ..logged_task import logged_task
from ..node import Node, Outcome, complete


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """One source of the campaign as plain values, and what may be stored of it.

    number  position of the source in the campaign file, from 1
    hiding  None if the campaign hides no annotators
    """

    path: str
    format: str
    annotator: str | None
    role: str | None
    batch: str
    layers: tuple[str, ...]
    options: Mapping[str, str]
    layer_names: Mapping[str, str]
    batch_pattern: str = ""
    number: int = 1
    hiding: Hiding | None = None


@dataclass(frozen=True, slots=True)
class RawFiles:
    """Raw rows of a source: paths in the store by table, and names of layers by table."""

    files: Mapping[str, Sequence[str]]
    layers: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Ingested:
    """A source whose rows are in the store.

    path      path of the export; not stored, because it may contain names of annotators
    rows      number of rows by table
    inputs    paths in the store of the names and hashes of the source's files
    contents  a sketch of the rows, used to detect sources with the same rows
    """

    path: str
    raw: RawFiles
    rows: Mapping[str, int]
    inputs: Sequence[str]
    read_as: ReadAs
    notes: SourceNotes
    contents: Sketch
    outcome: Outcome


def _ingested(source: SourceSpec, outcome: Outcome) -> Ingested:
    """Rebuild a source from the facts of its receipt."""
    facts: Mapping[str, Any] = outcome.facts
    return Ingested(
        path=source.path,
        raw=RawFiles(facts["files"], facts["layers"]),
        rows=facts["rows"],
        inputs=facts["inputs"],
        read_as=ReadAs(**facts["read_as"]),
        notes=SourceNotes.from_json(facts["notes"]),
        contents=sketch_from_json(facts["contents"]),
        outcome=outcome,
    )


def ingest(store_url: str, source: SourceSpec, *, fresh: bool = False) -> Ingested:
    """Write the records of one source to the store.

    The key is a hash of the files' contents, the options and the versions of Accordeur and of its
    tables. If the key is already in the store, nothing is read and the `outcome` is reused.

    Raises DataError when the source cannot be read at all, or was changed while it was read.
    """
    store = Store(store_url)
    listing = Listing(source.path)
    # Neither where an export is nor, unless it is hidden, its position changes its rows.
    read = replace(source, path="", number=source.number if source.hiding else 0)
    node = Node(Folder.INGESTED, [listing.hash], read)
    [outcome] = complete(
        store, [node], fresh=fresh, together=lambda _: [_read(store, node.place, source, listing)]
    )
    return _ingested(source, outcome)


@in_campaign_file()
def _read(store: Store, place: str, source: SourceSpec, listing: Listing) -> dict[str, object]:
    """Write the rows of a source into the place; return the facts about it."""
    options = reader_options(source)
    try:
        spilled = spill(_rows(source, options, listing), store, place)
        listing.require_unchanged()
    except Exception as error:
        if source.hiding is None or isinstance(error, StoreError):
            raise
        store.delete_folder(place)  # remains of an interrupted task, which no receipt lists
        message = source.hiding.text(str(error)) if isinstance(error, DataError) else ""
        kind = "" if isinstance(error, DataError) else type(error).__name__
        raise DataError(
            message or f"sources[{source.number - 1}] cannot be read ({kind})"
        ) from None
    inputs = listing.keep(store, place, with_names=source.hiding is None)
    read_as = options.read_as().renamed(source.layer_names).as_json()
    notes = options.notes.as_json()
    if source.hiding is not None:
        notes |= {
            "ignored_columns": [*map(source.hiding.text, options.notes.ignored_columns)],
            "item_columns": [*map(source.hiding.text, options.notes.item_columns)],
            "annotator_columns": [*map(source.hiding.name, options.notes.annotator_columns)],
            "ignored_files": [*map(source.hiding.text, options.notes.ignored_files)],
            "copied_documents": [
                [*map(source.hiding.text, copy)] for copy in options.notes.copied_documents
            ],
        }
    facts: dict[str, object] = {"inputs": inputs, "read_as": read_as, "notes": notes}
    return facts | spilled.as_json()


def _rows_read(source: Ingested) -> str:
    """List the rows by table, without the export's path, which may name an annotator."""
    rows = ", ".join(f"{n} {table}" for table, n in source.rows.items() if n) or "no rows"
    return f"{rows} reused" if source.outcome.reused else rows


ingest_task = logged_task("ingest", ingest, _rows_read)


def _rows(source: SourceSpec, options: SourceOptions, listing: Listing) -> Iterator[Rows]:
    rows = source_rows(source, options=options)
    if source.hiding is None:
        return rows
    if source.hiding.is_private:
        rows = without_text(rows)
    return pseudonymised_rows(rows, source.hiding, list(listing.names()), source.number)
