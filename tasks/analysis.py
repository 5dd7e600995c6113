"""Analyses: the counts of each shard, kept in the store, and the summary of a layer.

Counts add over documents and shards; values do not. For every kind of layer, one Prefect task
counts and another summarises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from prefect import task

from ..data.store.receipts import Kept, Receipt, kept, write_receipt
from ..data.store.store import Store
from .cache_keys import cache_key


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a computation in the store.

    receipt  SHA-256 of the receipt of the place
    reused   whether the place was already complete
    damaged  files whose content had changed since they were written; they were recomputed
    """

    place: str
    receipt: str
    reused: bool = False
    damaged: tuple[str, ...] = ()


def finished_outcome(receipt: Receipt, *, damaged: Sequence[str] = ()) -> Outcome:
    """Return the outcome of a place that was just computed."""
    return Outcome(receipt.place, receipt.digest.sha256, damaged=tuple(damaged))


def reused(receipt: Receipt) -> Outcome:
    """Return the outcome of a place that was already in the store."""
    return Outcome(receipt.place, receipt.digest.sha256, reused=True)


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts of one shard in the store; `facts` is the return value of `Analysis.count`."""

    layer: str
    key: str
    outcome: Outcome
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> str:
        return self.outcome.place

    def identity(self) -> list[str]:
        """Everything that a summary of these counts depends on, as plain values."""
        return [self.key, self.outcome.place, self.outcome.receipt]


class Analysis(Protocol):
    """Analysis of one layer, made of plain values so that it can be sent to workers."""

    @property
    def name(self) -> str:
        """Name of the layer."""

    def place(self, key: str) -> str:
        """Return the store's place for the shard's counts, named by everything they depend on."""

    def count(self, store: Store, place: str, key: str) -> Mapping[str, Any]:
        """Write the counts of the shard into the place; return facts for later stages (JSON)."""

    def further_inputs(self, key: str) -> list[str]:  # noqa: ARG002  # most analyses have none
        """Files that `count` reads besides the shard's accepted tables; all contain documents."""
        return []


class SummarisedAnalysis(Analysis, Protocol):
    """An analysis whose summary needs only the counts."""

    def settings(self) -> object:
        """Everything that the summary depends on besides the counts; JSON-serialisable."""

    def summarise(self, store: Store, counted: Sequence[Counted]) -> dict[str, Any]:
        """Compute the fields of the results from the counts of all shards, in order."""


def count(
    store_url: str, keys: Sequence[str], analyses: Sequence[Analysis], *, fresh: bool = False
) -> list[Counted]:
    """Count each shard for each analysis, unless the store has the counts and `fresh` is false."""
    store = Store(store_url)
    return [_counted(store, key, one, fresh=fresh) for key in keys for one in analyses]


count_task = task(name="count")(count)


def _counted(store: Store, key: str, analysis: Analysis, *, fresh: bool) -> Counted:
    place = analysis.place(key)
    found = Kept() if fresh else kept(store, place)
    if found.receipt is not None:
        return Counted(analysis.name, key, reused(found.receipt), found.receipt.facts or {})
    receipt = write_receipt(store, place, dict(analysis.count(store, place, key)))
    return Counted(
        analysis.name, key, finished_outcome(receipt, damaged=found.damaged), receipt.facts
    )


@dataclass(frozen=True, slots=True)
class Summarised:
    """Path of a layer's summary (JSON), and the outcome of the computation."""

    path: str
    outcome: Outcome


def summarise(
    store_url: str, analysis: SummarisedAnalysis, counted: Sequence[Counted], *, fresh: bool = False
) -> Summarised:
    """Summarise a layer, unless the store has the summary of these counts and `fresh` is false."""
    store = Store(store_url)
    of_shards = [one.identity() for one in counted]
    place = f"summarised/{cache_key(of_shards, analysis.settings())}"
    found = Kept() if fresh else kept(store, place)
    if found.receipt is not None:
        return Summarised(found.receipt.facts["path"], reused(found.receipt))
    path = store.keep_json("summaries", analysis.summarise(store, counted))
    receipt = write_receipt(store, place, {"path": path}, others=[path])
    return Summarised(path, finished_outcome(receipt, damaged=found.damaged))


summarise_task = task(name="summarise")(summarise)
