"""An analysis: the counts of each shard, kept in the store, and the summary that a layer's give.

Counts add over documents and shards; values do not. Whatever is measured in a campaign is counted
by one Prefect task and summarised by another, for every kind of layer alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from prefect import task

from ..data.store.hashes import settings_hash
from ..data.store.receipts import Kept, Receipt, kept, write_receipt
from ..data.store.store import Store
from ..metrics.signature import VERSION


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a computation left in the store.

    receipt  SHA-256 of the receipt of the place
    reused   whether the place was finished before
    damaged  files that were there and not what had been written: computed again
    """

    place: str
    receipt: str
    reused: bool = False
    damaged: tuple[str, ...] = ()


def finished_outcome(receipt: Receipt, *, damaged: Sequence[str] = ()) -> Outcome:
    """Outcome of a place that was computed just now."""
    return Outcome(receipt.place, receipt.digest.sha256, damaged=tuple(damaged))


def reused(receipt: Receipt) -> Outcome:
    """Outcome of a place that the store held."""
    return Outcome(receipt.place, receipt.digest.sha256, reused=True)


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of one shard in the store; `facts` are those of `Analysis.count`."""

    layer: str
    key: str
    outcome: Outcome
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> str:
        return self.outcome.place

    def identity(self) -> list[str]:
        """All that a summary of it depends on, as plain values."""
        return [self.key, self.outcome.place, self.outcome.receipt]


class Analysis(Protocol):
    """What is measured of one layer: plain values, which travel to the workers."""

    @property
    def name(self) -> str:
        """Of the layer."""

    def place(self, key: str) -> str:
        """Where the store keeps the counts of the shard: named by all that they depend on."""

    def count(self, store: Store, place: str, key: str) -> Mapping[str, Any]:
        """Write the counts of the shard into the place; returns facts for later stages (JSON)."""

    def further_inputs(self, key: str) -> list[str]:  # noqa: ARG002  # of most there are none
        """Files that `count` reads beside the accepted tables of the shard; each has documents."""
        return []


class SummarisedAnalysis(Analysis, Protocol):
    """An analysis whose summary needs nothing but the counts."""

    def settings(self) -> object:
        """All that the summary depends on beside the counts; JSON-able."""

    def summarise(self, store: Store, counted: Sequence[Counted]) -> dict[str, Any]:
        """Fields of the results, from the counts of all shards in order."""


def count(
    store_url: str, keys: Sequence[str], analyses: Sequence[Analysis], *, fresh: bool = False
) -> list[Counted]:
    """Count each shard for each analysis, unless the store holds the counts and not `fresh`."""
    store = Store(store_url)
    return [_counted(store, key, one, fresh=fresh) for key in keys for one in analyses]


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
    """The path of a layer's summary (JSON), and the place of its receipt."""

    path: str
    outcome: Outcome


def summarise(
    store_url: str, analysis: SummarisedAnalysis, counted: Sequence[Counted], *, fresh: bool = False
) -> Summarised:
    """Summarise a layer, unless the store holds the summary of these counts and not `fresh`."""
    store = Store(store_url)
    of_shards = [one.identity() for one in counted]
    place = f"summarised/{settings_hash(of_shards, analysis.settings(), VERSION)}"
    found = Kept() if fresh else kept(store, place)
    if found.receipt is not None:
        return Summarised(found.receipt.facts["path"], reused(found.receipt))
    path = store.keep_json("summaries", analysis.summarise(store, counted))
    receipt = write_receipt(store, place, {"path": path}, others=[path])
    return Summarised(path, finished_outcome(receipt, damaged=found.damaged))


@task(name="count")
def count_task(
    store_url: str, keys: Sequence[str], analyses: Sequence[Analysis], *, fresh: bool = False
) -> list[Counted]:
    return count(store_url, keys, analyses, fresh=fresh)


@task(name="summarise")
def summarise_task(
    store_url: str, analysis: SummarisedAnalysis, counted: Sequence[Counted], *, fresh: bool = False
) -> Summarised:
    return summarise(store_url, analysis, counted, fresh=fresh)
