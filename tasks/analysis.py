"""Analyses: the counts of each shard, kept in the store, and the summary of a layer.

Counts add over documents and shards; values do not. For every kind of layer, one node counts each
shard, and another summarises the counts of all shards.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from ..data.schema import SCHEMAS
from ..data.store.ownership import Folder
from ..data.store.store import Store
from ..reports.value import Model
from .layer_results import write_results
from .node import Composed, Job, Node, Outcome, complete


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of one shard in the store."""

    layer: str
    key: str
    outcome: Outcome

    @property
    def place(self) -> str:
        return self.outcome.place

    @property
    def facts(self) -> Mapping[str, Any]:
        """Return value of `Counting.count`."""
        return self.outcome.facts or {}


class Counting(Protocol):
    """What is counted in each shard, with all settings of it: a frozen dataclass."""

    @property
    def folder(self) -> Folder:
        """Folder of the places of counts."""

    def count(self, store: Store, place: str, key: str) -> Mapping[str, Any] | Composed:
        """Write the counts of the shard into the place; return facts for later stages (JSON)."""

    def further_inputs(self, key: str) -> list[str]:  # noqa: ARG002  # most need none
        """Places that `count` reads besides the shard's accepted tables."""
        return []


class Analysis(Protocol):
    """Analysis of one layer: a frozen dataclass, so that it can be sent to workers."""

    @property
    def layer_name(self) -> str:
        """Name of the layer."""

    @property
    def counting(self) -> Counting:
        """What is counted in each shard."""


class SummarisedAnalysis(Analysis, Protocol):
    """An analysis whose summary needs only the counts and its own fields."""

    def summarise(self, store: Store, counted: Sequence[Counted]) -> Model:
        """Compute the results from the counts of all shards, in order."""


class _Named(Protocol):
    @property
    def name(self) -> str: ...


class LayerAnalysis(SummarisedAnalysis, Protocol):
    """The same of a layer of labels or units."""

    layer: _Named

    @property
    def layer_name(self) -> str:
        return self.layer.name


def count_node(counting: Counting, key: str) -> Node:
    """Return the node that counts a shard."""
    inputs = (key, *counting.further_inputs(key))
    return Node(counting.folder, inputs, counting, _count, _counting_jobs_by_document)


def _count(store: Store, place: str, counting: Counting, inputs: Sequence[str]) -> Any:
    return counting.count(store, place, inputs[0])


def _counting_jobs_by_document(
    store: Store, counting: Counting, inputs: Sequence[str]
) -> Iterator[Job]:
    key, *further = inputs
    return jobs_by_document(store, key, further, partial(_count_alone, key, counting))


def _count_alone(key: str, counting: Counting, alone: Store) -> object:
    counted = counting.count(alone, "alone", key)
    return counted.compute(True) if isinstance(counted, Composed) else counted


def count(store_url: str, keys: Sequence[str], analyses: Sequence[Analysis]) -> list[Counted]:
    """Count each shard for each analysis, unless the store has the counts."""
    named = [
        (one.layer_name, key, count_node(one.counting, key)) for key in keys for one in analyses
    ]
    outcomes = complete(Store(store_url), [node for _, _, node in named])
    return [Counted(*one[:2], outcome) for one, outcome in zip(named, outcomes, strict=True)]


def summary_node(analysis: SummarisedAnalysis, counted: Sequence[Counted]) -> Node:
    """Return the node that summarises a layer from the counts of all shards, in order."""
    return Node(Folder.SUMMARISED, tuple(counted), analysis, _summarise, _summary_jobs_by_document)


def _summarise(
    store: Store, place: str, analysis: SummarisedAnalysis, counted: Sequence[Counted]
) -> None:
    write_results(store, place, analysis.summarise(store, counted))


def _summary_jobs_by_document(
    store: Store, analysis: SummarisedAnalysis, counted: Sequence[Counted]
) -> Iterator[Job]:
    for key in dict.fromkeys(one.key for one in counted):
        further = analysis.counting.further_inputs(key)
        compute = partial(_summarise_alone, key, analysis)
        yield from jobs_by_document(store, key, further, compute)


def _summarise_alone(key: str, analysis: SummarisedAnalysis, alone: Store) -> object:
    return analysis.summarise(alone, count(alone.url, [key], [analysis]))


def jobs_by_document(store: Store, key: str, places: Sequence[str], compute: Any) -> Iterator[Job]:
    """Yield each document of the shard with `compute` on a store without other documents.

    places  further places that `compute` reads; only their tables of documents are given to it
    """
    names: list[str] = store.accepted_rows(key, "documents")["document"].to_pylist()
    for name in sorted(names):
        yield name, partial(_compute_alone, store, key, name, places, compute)


def _compute_alone(
    store: Store, key: str, document: str, places: Sequence[str], compute: Any
) -> object:
    with tempfile.TemporaryDirectory() as folder:
        alone = Store(str(Path(folder)))
        tables = [f"accepted/{key}/{name}.parquet" for name in SCHEMAS]
        for path in [*tables, *(path for place in places for path in store.list(place))]:
            if path.endswith(".parquet"):
                rows = store.read_table(path)
                if "document" in rows.column_names:
                    alone.write_table(path, rows_of_document(rows, document))
        return compute(alone)


def rows_of_document(rows: pa.Table, document: str) -> pa.Table:
    return rows.filter(pc.equal(rows["document"], document))
