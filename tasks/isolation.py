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
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import psutil
import pyarrow as pa
import pyarrow.compute as pc
from distributed import get_worker
from prefect import task

from ..data.intake.spill import slot_of
from ..data.schema import SCHEMAS
from ..data.store.hashes import content_hash, settings_hash
from ..data.store.sealed_json import read_sealed, write_sealed
from ..data.store.store import Store
from ..data.validation.preparation import prepare
from ..data.validation.rules import Declared
from ..metrics.chance.sample_plan import SampleJob
from ..metrics.signature import VERSION
from ..metrics.unitizing.settings import GammaSettings
from .analysis import Analysis, SummarisedAnalysis, count
from .arrays import read_arrays
from .intake.ingest import RawFiles
from .intake.shards import Shard
from .intake.validate import ValidationSpec, raw_rows
from .layers import LayerSpec
from .references.build import build_reference
from .references.settings import ReferenceSettings
from .units import chance
from .units.alignment import DissimilaritySpec, alignment_place, corpus_from_arrays

_POLL_SECONDS = 0.05
_SHARE_OF_MEMORY = 0.95  # of the worker's limit, as in Dask's nanny
_CHILD = "from accordeur.tasks.isolation import child; child()"
FOLDER = "withdrawn"
_POSITION = ["slot", "row", "origin"]

Job: TypeAlias = tuple[str, Callable[[], object]]  # a document and its computation in isolation


class ByDocument(Protocol):
    """A stage's computation on parts of a campaign, split by document."""

    def documents(self, store: Store, part: Any) -> Iterator[Job]:
        """Yield each document of a part (a shard, its key or a place) with its computation."""


@dataclass(frozen=True, slots=True)
class Validating:
    """Validation of shards; `sources` and `spec` are the arguments of `validate`."""

    sources: Sequence[RawFiles]
    spec: ValidationSpec

    def documents(self, store: Store, part: Shard) -> Iterator[Job]:
        raw, layers = raw_rows(store, self.sources, part, self.spec)
        names = {name for rows in raw.values() for name in pc.unique(rows["document"]).to_pylist()}
        for name in sorted(names):
            rows = {table: _rows_of_document(rows, name) for table, rows in raw.items()}
            yield name, partial(prepare, rows, self.spec.declared, layers)


@dataclass(frozen=True, slots=True)
class Counting:
    """Counting of shards for analyses."""

    analyses: Sequence[Analysis]

    def documents(self, store: Store, part: str) -> Iterator[Job]:
        for analysis in self.analyses:
            further = [one for one in analysis.further_inputs(part) if store.exists(one)]
            yield from _documents_alone(store, part, further, partial(_count_alone, part, analysis))


def _count_alone(key: str, analysis: Analysis, alone: Store) -> object:
    return analysis.count(alone, "alone", key)


@dataclass(frozen=True, slots=True)
class Drawing:
    """Chance samples drawn from single documents of an alignment."""

    layer: LayerSpec
    dissimilarity: DissimilaritySpec
    settings: GammaSettings

    def documents(self, store: Store, part: str) -> Iterator[Job]:
        corpus = corpus_from_arrays([read_arrays(store, f"{part}/corpus.parquet")], self.layer)
        if corpus is None:
            return
        rows = store.read_table(f"{part}/alignments.parquet", columns=["document"])
        numbers = corpus.annotators_per_document
        for d, name in enumerate(rows["document"].to_pylist()):
            if numbers[d] >= 2:
                job = SampleJob("shuffle", int(numbers[d]), 0, 2)
                what = (self.layer, self.dissimilarity, self.settings, job)
                yield name, partial(chance.draw_samples, corpus.document(d), *what)


@dataclass(frozen=True, slots=True)
class Referring:
    """Reference of a layer; the fields are the arguments of `build_reference`."""

    layer: LayerSpec
    dissimilarity: DissimilaritySpec | None
    settings: ReferenceSettings

    def documents(self, store: Store, part: str) -> Iterator[Job]:
        def build(alone: Store) -> str:
            what = (self.layer, self.dissimilarity, self.settings)
            return build_reference(alone.url, [part], *what, "alone")

        further = _alignment_paths(store, part, self.layer, self.dissimilarity)
        yield from _documents_alone(store, part, further, build)


@dataclass(frozen=True, slots=True)
class Summarising:
    """Summary of a layer, together with its counts."""

    analysis: SummarisedAnalysis

    def documents(self, store: Store, part: str) -> Iterator[Job]:
        further = [one for one in self.analysis.further_inputs(part) if store.exists(one)]
        yield from _documents_alone(
            store, part, further, partial(_summarise_alone, part, self.analysis)
        )


def _summarise_alone(key: str, analysis: SummarisedAnalysis, alone: Store) -> object:
    return analysis.summarise(alone, count(alone.url, [key], [analysis], fresh=True))


def _alignment_paths(
    store: Store, key: str, layer: LayerSpec, dissimilarity: DissimilaritySpec | None
) -> list[str]:
    """Return the paths of the shard's alignments, if the layer has any."""
    if layer.is_labels:
        return []
    place = alignment_place(key, layer, dissimilarity or DissimilaritySpec())
    path = f"{place}/alignments.parquet"
    return [path] if store.exists(path) else []


def _documents_alone(
    store: Store, key: str, further: Sequence[str], compute: Callable[[Store], object]
) -> Iterator[Job]:
    """Yield each document of the shard with its computation on a store without other documents."""
    names: list[str] = store.read_table(f"accepted/{key}/documents.parquet")["document"].to_pylist()
    for name in sorted(names):
        yield name, partial(_compute_alone, store, key, name, further, compute)


def _compute_alone(
    store: Store,
    key: str,
    document: str,
    further: Sequence[str],
    compute: Callable[[Store], object],
) -> object:
    """Run `compute` on a store with only this document's rows, of all tables and `further`."""
    with tempfile.TemporaryDirectory() as folder:
        alone = Store(str(Path(folder)))
        paths = [f"accepted/{key}/{name}.parquet" for name in SCHEMAS]
        for path in [*paths, *further]:
            alone.write_table(path, _rows_of_document(store.read_table(path), document))
        return compute(alone)


def _rows_of_document(rows: pa.Table, document: str) -> pa.Table:
    return rows.filter(pc.equal(rows["document"], document))


@dataclass(frozen=True, slots=True)
class Probe:
    """The computation of a stage, and the parts of the campaign that it processed."""

    stage: str
    doing: ByDocument
    parts: tuple[Any, ...]

    def documents(self, store: Store) -> Iterator[Job]:
        """Yield every document of the batch."""
        for part in self.parts:
            yield from self.doing.documents(store, part)


def find_deadly(store_url: str, probe: Probe, *, memory_limit: int | None = None) -> dict[str, str]:
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
    process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
        [sys.executable, "-P", "-c", _CHILD],
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
        return [json.loads(line) for line in lines], ""
    begun = [json.loads(line) for line in lines if line.endswith("\n")]
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


def child() -> None:
    """Run in the child process: print document names to standard output and discard all results.

    A document that raises an error is not deadly: its own task reports the error.
    """
    store_url, probe, skip = pickle.load(sys.stdin.buffer)  # noqa: S301  # from the parent process
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keep other libraries' output apart from the names
    for number, (name, compute) in enumerate(probe.documents(Store(store_url))):
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


@task(name="isolate", task_run_name="isolate {probe.stage}")
def find_deadly_task(store_url: str, probe: Probe) -> dict[str, str]:
    """Run `find_deadly` with the memory limit of its worker."""
    return find_deadly(store_url, probe, memory_limit=get_worker().memory_manager.memory_limit)


def remember_deadly_documents(
    store: Store, sources: Sequence[RawFiles], why: Mapping[str, str]
) -> None:
    """Record documents, and why each is skipped."""
    for document, reason in why.items():
        found = {
            "document": document,
            "content": content_of(store, sources, document),
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
        and one["content"] == content_of(store, sources, one["document"])
    }


def forget_deadly_documents(store: Store) -> None:
    """Delete the records, so that every document is tried again."""
    store.delete_folder(FOLDER)


def content_of(store: Store, sources: Sequence[RawFiles], document: str) -> str:
    """Hash all raw rows of a document."""
    slot = slot_of(document)
    raw, _ = raw_rows(store, sources, Shard(0, slot, slot + 1), ValidationSpec(Declared()))
    rows = [raw[name].filter(pc.equal(raw[name]["document"], document)) for name in sorted(raw)]
    return content_hash([table.drop_columns(_POSITION) for table in rows])
