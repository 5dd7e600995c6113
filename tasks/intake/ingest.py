"""Ingest exports as Parquet, one task per source; an unchanged source is not read again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...data.blocks import Rows
from ...data.errors import DataError, StoreError
from ...data.intake.hiding import WITHHELD, Hiding, PrivacyError, pseudonymised_rows
from ...data.intake.input_files import Listing
from ...data.intake.private_rows import private_rows
from ...data.intake.source_rows import reader_options, source_rows
from ...data.intake.spill import spill
from ...data.option_names import in_campaign_file
from ...data.readers.base import SourceOptions
from ...data.readers.common.category_features import ReadAs
from ...data.readers.notes import SourceNotes
from ...data.same_rows import Sketch, sketch_from_json
from ...data.store.ownership import UNVALIDATED, Folder
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

    @property
    def is_private(self) -> bool:
        """Return whether only accepted rows may be kept."""
        return self.hiding is not None and self.hiding.is_private


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
    # Rows that are not kept are read again; then their receipt is the same.
    fresh = fresh or source.is_private
    [outcome] = complete(
        store, [node], fresh=fresh, together=lambda _: [_read(store, node.place, source, listing)]
    )
    return _ingested(source, outcome)


def discard_unvalidated_rows(store: Store) -> None:
    """Delete the rows of private sources that were stored for validation.

    Validation decides which rows are rejected; a private campaign keeps no value of these.
    """
    store.delete_folder(UNVALIDATED)


@in_campaign_file()
def _read(store: Store, place: str, source: SourceSpec, listing: Listing) -> dict[str, object]:
    """Write the rows of a source into the place; return the facts about it."""
    options = reader_options(source, item_texts=not source.is_private)
    waiting = f"{UNVALIDATED}/{place.rpartition('/')[2]}" if source.is_private else place
    try:
        spilled = spill(_rows(source, options, listing), store, waiting)
        listing.require_unchanged()
    except Exception as error:
        if source.hiding is None or isinstance(error, StoreError | PrivacyError):
            raise
        store.delete_folder(waiting)  # remains of an interrupted task, which no receipt lists
        raise DataError(_hidden_message(error, source, source.hiding)) from None
    inputs = listing.keep(store, place, with_names=source.hiding is None)
    read_as = options.read_as().renamed(source.layer_names).as_json()
    notes = options.notes.as_json()
    if source.hiding is not None:
        notes |= _hidden_notes(options.notes, source.hiding)
    facts: dict[str, object] = {"inputs": inputs, "read_as": read_as, "notes": notes}
    return facts | spilled.as_json()


def _hidden_message(error: Exception, source: SourceSpec, hiding: Hiding) -> str:
    """Word an error of reading without names; in privacy mode, without anything of the export."""
    where = f"sources[{source.number - 1}] cannot be read"
    if hiding.is_private:
        return f"{where}: `accordeur check` shows why and stores nothing (privacy = true)"
    if isinstance(error, DataError):
        return hiding.text(str(error))
    return f"{where} ({type(error).__name__})"


def _hidden_notes(notes: SourceNotes, hiding: Hiding) -> dict[str, object]:
    """Return what replaces the notes that repeat names of an export."""

    def hidden(texts: Sequence[str]) -> list[str]:
        return [WITHHELD if hiding.is_private else hiding.text(text) for text in texts]

    n_empty, empty = Counter[str](), dict[str, list[str]]()
    for who, documents in notes.empty_documents.items():
        n_empty[hiding.name(who)] += notes.n_empty_documents[who]
        empty[hiding.name(who)] = hidden(documents)
    return {
        "named": {
            code: [*map(hiding.name, names)] if code == "annotator_columns" else hidden(names)
            for code, names in notes.named.items()
        },
        "n_empty_documents": n_empty,
        "empty_documents": empty,
        "unreadable_files": hidden(notes.unreadable_files),
        "ignored_files": hidden(notes.ignored_files),
        "other_tokens": [*map(hiding.text, notes.other_tokens)],
        "copied_documents": [[*map(hiding.text, copy)] for copy in notes.copied_documents],
    }


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
        rows = private_rows(rows, source.hiding.pseudonyms)
    return pseudonymised_rows(rows, source.hiding, list(listing.names()), source.number)
