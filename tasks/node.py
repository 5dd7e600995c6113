"""Nodes: the computations of a run, each into a place of the store named by all that it uses.

A node's function receives its settings and its inputs and nothing else, and the key of its place is
a hash of both and of the versions of results: a key cannot forget what the values depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any, TypeAlias

import numpy as np

from ..data.store.hashes import settings_hash
from ..data.store.ownership import Folder
from ..data.store.receipts import Kept, Receipt, read_kept, write_receipt
from ..data.store.store import Store
from ..metrics.plugins import plugin_files, require_same_plugins, require_unchanged_plugins
from ..metrics.signature import input_hash
from .cache_keys import result_versions
from .logged_task import logged_task, reuse_text

FIELDS = "fields.json"  # fields of the results document, in the place of a summary

Job: TypeAlias = tuple[str, Callable[[], object]]  # a document and its computation in isolation


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a node in the store.

    receipt  SHA-256 of the receipt of the place
    facts    what the computation returned besides its files (JSON)
    reused   whether the place was already complete
    damaged  files whose content had changed since they were written; they were recomputed
    n_parts  parts that the computation was composed of; 1 if it was none
    n_reused_parts  parts that were kept by an earlier run, all of them if `reused`
    """

    place: str
    receipt: str
    facts: Any = None
    reused: bool = False
    damaged: tuple[str, ...] = ()
    n_parts: int = 1
    n_reused_parts: int = 0

    @property
    def fields(self) -> str:
        """Path of the fields of a summary."""
        return f"{self.place}/{FIELDS}"


@dataclass(frozen=True, slots=True)
class Composed:
    """What a computation returns in place of facts if earlier runs may have kept parts of it.

    compute  writes the files of the place; of whether kept parts are ignored
    """

    compute: Callable[[bool], Parts]


@dataclass(frozen=True, slots=True)
class Parts:
    """The facts of a computation, and of how many parts it was composed.

    folder    where the parts are kept
    n_reused  parts that an earlier run kept
    damaged   kept files whose content had changed; their parts were recomputed
    """

    facts: Any
    folder: str
    n_parts: int
    n_reused: int
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """One computation of a run.

    inputs     what it reads: outcomes of other nodes or their places, keys of shards, digests
    settings   dataclasses, or plain values
    compute    function of (store, place, settings, inputs) that writes files into the place and
               returns the facts for later stages (JSON), or what they are composed of (`Composed`);
               None if a task computes several together
    documents  function of (store, settings, inputs) that yields each document with its computation
               in isolation, to find the one that kills its worker
    plugins    the plugins of the process that made the node, which a worker must have, too
    """

    folder: Folder
    inputs: Sequence[Any]
    settings: Any
    compute: Callable[[Store, str, Any, Any], Any] | None = None
    documents: Callable[[Store, Any, Any], Iterator[Job]] | None = None
    plugins: dict[str, str] = field(default_factory=plugin_files, compare=False)

    def uses(self) -> Iterator[str]:
        """Yield the places and the keys of shards among the inputs."""
        return _uses(self.inputs)

    @property
    def place(self) -> str:
        """Place in the store, named by a hash of inputs, settings and the versions of results."""
        return place_of(self.folder, self.inputs, self.settings)


def _uses(inputs: Iterable[Any]) -> Iterator[str]:
    for one in inputs:
        if isinstance(one, str):
            yield one
        elif isinstance(one, list | tuple):
            yield from _uses(one)
        else:
            yield one.place


def place_of(folder: Folder, inputs: Sequence[Any], settings: Any) -> str:
    """Return the place below the folder for what was computed from these inputs and settings."""
    return f"{folder}/{settings_hash(plain_json(inputs), plain_json(settings), result_versions())}"


def plain_json(value: Any) -> Any:
    """Convert settings to what JSON can represent: a dataclass with its name and all its fields.

    Raises TypeError for a value of another kind, whose text may not say what it contains.
    """
    if isinstance(value, Outcome):
        return [value.place, value.receipt]
    if isinstance(value, Enum):
        return plain_json(value.value)
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, str | int | float):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return [
            type(value).__name__,
            {one.name: plain_json(getattr(value, one.name)) for one in fields(value)},
        ]
    if isinstance(value, Mapping):
        return {
            "pairs": [[plain_json(key), plain_json(value[key])] for key in sorted(value, key=str)]
        }
    if isinstance(value, set | frozenset):
        return sorted(map(plain_json, value))
    if isinstance(value, Sequence):
        return [plain_json(one) for one in value]
    if isinstance(value, np.ndarray):
        return input_hash([value])
    raise TypeError(f"a {type(value).__name__} cannot be part of a cache key")


def complete(
    store: Store,
    nodes: Sequence[Node],
    *,
    fresh: bool = False,
    together: Callable[[Sequence[Node]], Iterable[Any]] | None = None,
) -> list[Outcome]:
    """Compute the nodes that the store does not hold whole, or all if `fresh`.

    together  computes all missing nodes and yields the facts of each after writing its files

    Raises MetricsError if plugins are others than those of the run, or changed since their import.
    """
    require_unchanged_plugins()
    for node in nodes:
        require_same_plugins(node.plugins)
    found = [Kept() if fresh else read_kept(store, node.place) for node in nodes]
    missing = [node for node, one in zip(nodes, found, strict=True) if one.receipt is None]
    all_facts = iter((together or _one_by_one(store))(missing) if missing else ())
    outcomes = []
    for node, one in zip(nodes, found, strict=True):
        if one.receipt is not None:
            outcomes.append(_outcome(one.receipt, reused=True))
            continue
        facts = next(all_facts)
        parts = facts.compute(fresh) if isinstance(facts, Composed) else Parts(facts, "", 1, 0)
        folders = [parts.folder] if parts.folder else []
        receipt = write_receipt(store, node.place, parts.facts, folders, parts.n_parts)
        damaged = (*one.damaged, *parts.damaged)
        outcomes.append(_outcome(receipt, damaged=damaged, n_reused=parts.n_reused))
    return outcomes


def _one_by_one(store: Store) -> Callable[[Sequence[Node]], Iterator[Any]]:
    def compute(nodes: Sequence[Node]) -> Iterator[Any]:
        for node in nodes:
            assert node.compute is not None  # otherwise, they are computed together
            yield node.compute(store, node.place, node.settings, node.inputs)

    return compute


def _outcome(
    receipt: Receipt, *, reused: bool = False, damaged: tuple[str, ...] = (), n_reused: int = 0
) -> Outcome:
    return Outcome(
        receipt.place,
        receipt.digest.sha256,
        receipt.facts,
        reused,
        damaged,
        receipt.n_parts,
        receipt.n_parts if reused else n_reused,
    )


def complete_nodes(store_url: str, nodes: Sequence[Node], *, fresh: bool = False) -> list[Outcome]:
    """Complete nodes of one stage in one task; see `complete`."""
    return complete(Store(store_url), nodes, fresh=fresh)


def _outcomes_text(outcomes: Sequence[Outcome]) -> str:
    return reuse_text(len(outcomes), sum(one.reused for one in outcomes))


complete_task = logged_task("complete", complete_nodes, _outcomes_text)
