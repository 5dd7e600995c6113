"""Exports to spilled Parquet, one task a source; an unchanged source is not read again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prefect import task

from data.intake.adaptation import without_text
from data.intake.inputs import Listing
from data.intake.source_rows import reader_options, source_rows
from data.intake.spill import spill
from data.store.hashes import settings_hash
from data.store.receipts import Kept, kept, write_receipt
from data.store.store import Store
from metrics.signature import VERSION
from tasks.outcome import outcome


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """One source of the campaign as plain values, and whether texts may be stored."""

    path: str
    format: str
    annotator: str | None
    role: str | None
    batch: str
    layers: tuple[str, ...]
    options: Mapping[str, str]
    layer_names: Mapping[str, str]
    batch_pattern: str = ""
    privacy: bool = False


def ingest(store_url: str, source: SourceSpec, *, fresh: bool = False) -> dict[str, Any]:
    """Spill one source's records. Returns its key, its files by table, and counts of rows.

    The key is a hash of the files' contents, the options and Accordeur's version: when it is in
    the store already, nothing is read (`reused` is then true). `inputs` are the paths of the kept
    names and hashes of the source's files. Raises DataError when the source cannot be read at all.
    """
    store = Store(store_url)
    listing = Listing(source.path)
    settings = (
        source.format,
        source.annotator,
        source.role,
        source.batch,
        source.batch_pattern,
        source.layers,
        dict(source.options),
        dict(source.layer_names),
        source.privacy,
        VERSION,
    )
    key = settings_hash(listing.hash, settings)
    place = f"ingested/{key}"
    found = kept(store, place) if not fresh else Kept()
    if found.receipt is not None:
        return {**found.receipt.facts, **outcome(found.receipt, reused=True)}
    options = reader_options(source)
    rows = source_rows(source, options=options)
    if source.privacy:
        rows = without_text(rows)
    spilled = spill(rows, store, place)
    inputs = listing.keep(store, place)
    read_as = options.read_as().renamed(source.layer_names).as_json()
    facts: dict[str, object] = {"key": key, "path": source.path, "inputs": inputs}
    facts |= {"read_as": read_as, "notes": options.notes.as_json(), **spilled.as_json()}
    receipt = write_receipt(store, place, facts)
    return {**facts, **outcome(receipt, damaged=found.damaged)}


@task(name="ingest", task_run_name="ingest {source.format} {source.path}")
def ingest_task(store_url: str, source: SourceSpec, *, fresh: bool = False) -> dict[str, Any]:
    return ingest(store_url, source, fresh=fresh)
