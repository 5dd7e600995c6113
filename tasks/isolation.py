"""Isolation of documents that kill their workers: find them one by one, record them, skip them.

A task that kills its worker loses a whole batch without an error message. Here, a child process
goes through the documents of the batch and prints each name before processing it: if the child
dies, the last name identifies the document, and a new child continues after it. A stage that
processes all documents of a shard together is run on a store with a single document.

A record is valid for the document's current rows and this version of Accordeur: the document is
tried again after it changes, after an update, or with `--fresh`.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import psutil
import pyarrow.compute as pc
from prefect import task

from ..data.intake.spill import slot_of
from ..data.store.hashes import content_hash, settings_hash
from ..data.store.sealed_json import read_sealed, write_sealed
from ..data.store.store import Store
from ..data.untrusted.documents import parse_json
from ..data.validation.rule import Declared
from ..metrics.signature import VERSION
from .analysis import Counted
from .intake.ingest import RawFiles
from .intake.shards import Shard
from .intake.validate import ValidationSpec, raw_rows_and_layers
from .node import Job, Node
from .units.chance import Drawing, jobs_of_chance

_POLL_SECONDS = 0.05
_SHARE_OF_MEMORY = 0.95  # of the worker's limit, as in Dask's nanny
FOLDER = "withdrawn"
_POSITION = ["slot", "row", "origin"]


class ByDocument(Protocol):
    """The computation of a batch, split by document."""

    def documents(self, store: Store) -> Iterator[Job]:
        """Yield each document of the batch with its computation."""


@dataclass(frozen=True, slots=True)
class DocumentsOfNodes:
    """The documents of nodes that one task computes."""

    nodes: Sequence[Node]

    def documents(self, store: Store) -> Iterator[Job]:
        for node in self.nodes:
            if node.documents is not None:
                yield from node.documents(store, node.settings, node.inputs)


@dataclass(frozen=True, slots=True)
class DocumentsOfChance:
    """The documents from which the chance samples of a layer are drawn."""

    drawing: Drawing
    aligned: Sequence[Counted]

    def documents(self, store: Store) -> Iterator[Job]:
        return jobs_of_chance(store, self.drawing, self.aligned)


@dataclass(frozen=True, slots=True)
class Probe:
    """A stage, and the documents of one of its batches."""

    stage: str
    batch: ByDocument


def find_deadly_documents(
    store_url: str, probe: Probe, *, memory_limit: int | None = None
) -> dict[str, str]:
    """Map each deadly document to its cause of death (`died of signal 9`); {} if there is none."""
    found: dict[str, str] = {}
    n_begun = 0
    while True:
        begun, how = _run_child(store_url, probe, n_begun, memory_limit)
        n_begun += len(begun)
        if not how:
            return found
        if not begun:
            return found  # it died before the first document, so no single document is the cause
        found[begun[-1]] = how


def _run_child(
    store_url: str, probe: Probe, skip: int, memory_limit: int | None
) -> tuple[list[str], str]:
    """Return the documents that a child began, and how it died ("" if it finished)."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    run = print_tried_documents_in_child.__name__
    process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
        [sys.executable, "-P", "-c", f"from {__name__} import {run}; {run}()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    lines: list[str] = []
    stream = process.stdout
    reader = threading.Thread(target=lambda: lines.extend(line.decode() for line in stream))
    reader.start()
    try:
        pickle.dump((store_url, probe, skip), process.stdin)
        process.stdin.close()
    except BrokenPipeError:
        pass  # it died at once; see its exit code
    too_large = _wait_or_kill(process, memory_limit)
    reader.join()
    process.stdout.close()
    if process.returncode == 0:
        return [parse_json(line, "isolation") for line in lines], ""
    begun = [parse_json(line, "isolation") for line in lines if line.endswith("\n")]
    if too_large:
        return begun, f"needs more than the {(memory_limit or 0) / 2**20:.0f} MiB of a worker"
    if process.returncode < 0:
        return begun, f"died of signal {-process.returncode}"
    return begun, f"ended with code {process.returncode}"


def _wait_or_kill(process: subprocess.Popen[bytes], memory_limit: int | None) -> bool:
    """Wait for the end; kill the process above the memory limit, and return whether it did."""
    too_large = False
    watched = psutil.Process(process.pid)
    while process.poll() is None:
        try:
            size = watched.memory_info().rss
        except psutil.NoSuchProcess:
            size = 0
        if memory_limit and size > _SHARE_OF_MEMORY * memory_limit:
            too_large = True
            process.kill()
        time.sleep(_POLL_SECONDS)
    return too_large


def print_tried_documents_in_child() -> None:
    """Run in the child process: print document names to standard output and discard all results.

    A document that raises an error is not deadly: its own task reports the error.
    """
    store_url, probe, skip = pickle.load(sys.stdin.buffer)  # noqa: S301  # from the parent process
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keep other libraries' output apart from the names
    for number, (name, compute) in enumerate(probe.batch.documents(Store(store_url))):
        if number < skip:
            continue
        out.write(json.dumps(name) + "\n")
        out.flush()
        try:
            compute()
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001, S110
            pass


@task(name="isolate")
def find_deadly_on_worker(store_url: str, probe: Probe) -> dict[str, str]:
    """Run `find_deadly_documents` with the memory limit of its worker."""
    from distributed import get_worker

    return find_deadly_documents(
        store_url, probe, memory_limit=get_worker().memory_manager.memory_limit
    )


def remember_deadly_documents(
    store: Store, sources: Sequence[RawFiles], why: Mapping[str, str]
) -> None:
    """Record documents, and why each is skipped."""
    for document, reason in why.items():
        found = {
            "document": document,
            "content": hash_of_document(store, sources, document),
            "version": VERSION,
            "reason": reason,
        }
        write_sealed(store, f"{FOLDER}/{settings_hash(document)}.json", found)


def remembered_deadly_documents(store: Store, sources: Sequence[RawFiles]) -> dict[str, str]:
    """Map each skipped document to its reason, if its rows have not changed since.

    A damaged record is ignored, and its document is tried again.
    """
    read = [read_sealed(store, path) for path in store.list(FOLDER)]
    records = [one.content for one in read if one is not None]
    return {
        one["document"]: one["reason"]
        for one in records
        if one["version"] == VERSION
        and one["content"] == hash_of_document(store, sources, one["document"])
    }


def forget_deadly_documents(store: Store) -> None:
    """Delete the records, so that every document is tried again."""
    store.delete_folder(FOLDER)


def hash_of_document(store: Store, sources: Sequence[RawFiles], document: str) -> str:
    """Hash all raw rows of a document."""
    slot = slot_of(document)
    shard = Shard(0, slot, slot + 1)
    [(raw, _)] = raw_rows_and_layers(store, sources, [shard], ValidationSpec(Declared()))
    rows = [raw[name].filter(pc.equal(raw[name]["document"], document)) for name in sorted(raw)]
    return content_hash([table.drop_columns(_POSITION) for table in rows])
