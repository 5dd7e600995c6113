"""Division of a campaign's documents into shards, and of shards into groups."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from itertools import pairwise

from ....data.intake.sorted_runs import SLOT_BITS, paths_in_range
from ....tasks.intake.ingest import RawFiles
from ....tasks.intake.shards import Shard

MOST_SHARDS = 1024  # because of small batches; exceeded for many rows
MOST_ROWS_IN_SHARD = 100_000  # a few hundred MB in memory during validation
GROUPS_PER_WORKER = 4  # tasks per worker in a stage, so that no worker waits long for the last task
ROWS_PER_GROUP = 500_000
ROWS_WORTH_A_TASK = 30_000  # half a second of work; below, the task overhead dominates


def equal_shards(n_documents: int, documents_per_batch: int, n_rows: int = 0) -> list[Shard]:
    """Return equal ranges of slots; their number is a power of two, so they split in halves.

    n_documents  documents of the largest source, as sources may contain the same documents
    n_rows       rows of all sources, which bounds the shard size if sources contain different
                 documents or documents are long
    """
    n = 1
    while (n < MOST_SHARDS and n * documents_per_batch < n_documents) or (
        n * MOST_ROWS_IN_SHARD < n_rows
    ):
        n *= 2
    width = (1 << SLOT_BITS) // n
    return [Shard(k, k * width, (k + 1) * width) for k in range(n)]


def contiguous_groups(shards: Sequence[Shard], n_groups: int) -> list[list[Shard]]:
    """Group neighbouring shards, which are in the same files, in groups of about equal size."""
    bounds = [len(shards) * g // n_groups for g in range(n_groups + 1)]
    return [list(shards[a:b]) for a, b in pairwise(bounds)]


def sources_for(sources: Sequence[RawFiles], shards: Sequence[Shard]) -> list[RawFiles]:
    """Return the layers of each source, and only the files with rows of these shards.

    Otherwise, each task would receive the files of all shards.
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
    """Return the number of tasks for a number of shards and their total number of rows."""
    wanted = max(workers, min(workers * per_worker, n_rows // ROWS_WORTH_A_TASK))
    wanted = max(wanted, n_rows // ROWS_PER_GROUP)
    return max(1, min(n_shards, wanted))


def groups_of_equal_cost(costs: Mapping[str, float], n_groups: int) -> list[list[str]]:
    """Divide keys into at most n_groups groups of about equal cost, most costly group first.

    Longest processing time first (Graham 1969): keys in descending order of cost are assigned to
    the group with the lowest total.
    """
    heap = [(0.0, g) for g in range(min(n_groups, len(costs)))]
    groups: list[list[str]] = [[] for _ in heap]
    for key in sorted(costs, key=lambda one: (-costs[one], one)):
        weight, g = heapq.heappop(heap)
        groups[g].append(key)
        heapq.heappush(heap, (weight + costs[key], g))
    return sorted(groups, key=lambda group: -sum(costs[key] for key in group))
