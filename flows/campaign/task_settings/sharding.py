"""How the documents of a campaign are cut into shards, and shards are dealt into groups."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from itertools import pairwise

from ....data.intake.sorted_runs import SLOT_BITS, paths_in_range
from ....tasks.intake.ingest import RawFiles
from ....tasks.intake.shards import Shard

MOST_SHARDS = 1024  # for the sake of small batches; rows may ask for more
MOST_ROWS_IN_SHARD = 100_000  # some hundred MB in memory while they are checked
GROUPS_PER_WORKER = 4  # tasks of a stage for each worker, so that none waits long for the last
ROWS_PER_GROUP = 250_000
ROWS_WORTH_A_TASK = 30_000  # under half a second of work, what a task costs by itself weighs much


def shards_of(n_documents: int, documents_per_batch: int, n_rows: int = 0) -> list[Shard]:
    """Equal ranges of slots, a power of two of them: a growing campaign splits them in halves.

    n_documents: of the largest source, as sources may hold the same documents; n_rows, of all
    sources, bounds a shard where they hold different ones, or documents are long.
    """
    n = 1
    while (n < MOST_SHARDS and n * documents_per_batch < n_documents) or (
        n * MOST_ROWS_IN_SHARD < n_rows
    ):
        n *= 2
    width = (1 << SLOT_BITS) // n
    return [Shard(k, k * width, (k + 1) * width) for k in range(n)]


def contiguous_groups(shards: Sequence[Shard], n_groups: int) -> list[list[Shard]]:
    """Neighbours together, in groups of about equal number: they lie in the same files."""
    bounds = [len(shards) * g // n_groups for g in range(n_groups + 1)]
    return [list(shards[a:b]) for a, b in pairwise(bounds)]


def sources_for(sources: Sequence[RawFiles], shards: Sequence[Shard]) -> list[RawFiles]:
    """The layers of each source, and its files that hold rows of these shards.

    Not all files: with the source, their number grows as that of the groups does.
    """
    low, high = min(shard.low for shard in shards), max(shard.high for shard in shards)
    return [
        RawFiles(
            {table: paths_in_range(of, low, high) for table, of in source.files.items()},
            source.layers,
        )
        for source in sources
    ]


def n_groups(n_shards: int, n_rows: int, workers: int, per_worker: int = GROUPS_PER_WORKER) -> int:
    """Into how many tasks so many shards, of so many rows in all, are dealt."""
    wanted = max(workers, min(workers * per_worker, n_rows // ROWS_WORTH_A_TASK))
    wanted = max(wanted, n_rows // ROWS_PER_GROUP)
    return max(1, min(n_shards, wanted))


def groups_of(costs: Mapping[str, float], n_groups: int) -> list[list[str]]:
    """Keys in at most n_groups groups of about equal cost, the costliest group first.

    Longest processing time first (Graham 1969): each key, by falling cost, to the lightest group.
    """
    heap = [(0.0, g) for g in range(min(n_groups, len(costs)))]
    groups: list[list[str]] = [[] for _ in heap]
    for key in sorted(costs, key=lambda one: (-costs[one], one)):
        weight, g = heapq.heappop(heap)
        groups[g].append(key)
        heapq.heappush(heap, (weight + costs[key], g))
    return sorted(groups, key=lambda group: -sum(costs[key] for key in group))
