"""Model of very large runs: load of workers, scheduler, Prefect and store.

    python benchmarks/runs/scale_model.py

Files, reads and bytes are counted in small runs. The CPU time per document is the difference
between two large runs; the constant CPU time is the remainder in small runs
(`benchmarks/runs/scale.py`). docs/how-to/scale.md lists what the model omits.
"""

from __future__ import annotations

from dataclasses import dataclass

FILES_A_SHARD = {"accepted": 8, "aligned": 4}  # counted in the store, receipts included
READS_A_FILE = 3  # existence, footer, columns
BYTES_A_DOCUMENT = 1_600  # 16 MB for 10,000 documents × 3 annotators × 10 units, all stages
CPU_A_DOCUMENT = 0.00084  # seconds, all stages: from whole runs of 10,000 and 100,000 documents
LAST_TASK_A_DOCUMENT = 0.000062  # seconds of it in the longest task over all units: γ-cat
CPU_OF_A_RUN = 14.2  # constant part in runs of 1,000 to 8,000: imports, server, intervals, page
WORKER_SECONDS = 0.0064  # CPU of an empty Prefect task on its worker (`task_cost.py`)
SERVER_SECONDS = 0.0068  # the same on Prefect's server
FLOW_SECONDS = 0.0036  # the same in the flow's process, including submission and Dask's scheduler
UNITS_A_DOCUMENT, ROWS_A_DOCUMENT = 27, 31  # rows are units, assignments, the document
MOST_ROWS_IN_SHARD = 100_000
MOST_SHARDS, DOCUMENTS_A_BATCH = 1024, 200
VALIDATIONS_A_WORKER, GROUPS_A_WORKER = 2, 4
ROWS_WORTH_A_TASK, ROWS_IN_GROUP = 30_000, 250_000
PIECES_OF_A_LAYER = 5  # γ, γ-cat, γ of categories, of pairs, without each annotator
GATHERED_BYTES = 160  # counts per document in that task, for four categories


@dataclass(frozen=True, slots=True)
class Load:
    """Load of a run of that size."""

    documents: float
    workers: int
    sources: int = 4

    @property
    def shards(self) -> int:
        """Number of shards, as `task_settings.sharding.equal_shards` for sources of equal size."""
        n = 1
        while (
            n < MOST_SHARDS and n * DOCUMENTS_A_BATCH < self.documents / self.sources
        ) or n * MOST_ROWS_IN_SHARD < self.documents * ROWS_A_DOCUMENT:
            n *= 2
        return n

    @property
    def files(self) -> int:
        """Files written by stages that write one place per shard."""
        return self.shards * sum(FILES_A_SHARD.values())

    @property
    def tasks(self) -> int:
        """Tasks: one per source, validation, alignment, chance, γ and its parts, the report."""
        validations = self._groups(VALIDATIONS_A_WORKER, ROWS_A_DOCUMENT)
        alignments = self._groups(GROUPS_A_WORKER, UNITS_A_DOCUMENT)
        of_layer = 1 + min(self.workers, PIECES_OF_A_LAYER)
        return self.sources + validations + alignments + of_layer + 1

    def _groups(self, a_worker: int, rows_a_document: int) -> int:
        """Group shards as `flows.campaign.measure` does, by a minimum and a maximum of work."""
        rows = int(self.documents * rows_a_document)
        wanted = max(self.workers, min(self.workers * a_worker, rows // ROWS_WORTH_A_TASK))
        return min(self.shards, max(wanted, rows // ROWS_IN_GROUP))

    @property
    def hours(self) -> float:
        """Wall time after start-up in hours: work spread over busy workers, then the last task."""
        last = self.documents * LAST_TASK_A_DOCUMENT
        spread = self.documents * CPU_A_DOCUMENT - last + self.tasks * WORKER_SECONDS
        return (spread / self.workers + last) / 3600

    @property
    def requests(self) -> float:
        """Requests to the object store by all workers: puts and gets."""
        return self.shards * sum(FILES_A_SHARD.values()) * (1 + READS_A_FILE)

    def cpu(self) -> float:
        """CPU seconds of a whole run on one machine."""
        return CPU_OF_A_RUN + self.documents * CPU_A_DOCUMENT

    @property
    def prefect_share(self) -> float:
        """Share of a core used by Prefect's server during the run."""
        return self.tasks * SERVER_SECONDS / (3600 * self.hours)

    @property
    def flow_share(self) -> float:
        """Share of a core used to submit the tasks."""
        return self.tasks * FLOW_SECONDS / (3600 * self.hours)

    def row(self) -> str:
        return (
            f"| {self.documents:.0e} | {self.workers:,} | {self.shards:,} | {self.tasks:,} | "
            f"{self.hours:.2g} h | {self.requests / 1e6:.2g} M | "
            f"{self.requests / self.hours / 3600:,.0f} | "
            f"{self.documents * BYTES_A_DOCUMENT / 1e9:,.2g} GB | {self.prefect_share:.0%} | "
            f"{self.flow_share:.1%} | {self.documents * GATHERED_BYTES / 1e9:.2g} GB |"
        )


@dataclass(frozen=True, slots=True)
class Line:
    """Line through two runs, to predict a third: a constant, and a slope per document."""

    slope: float
    constant: float

    @classmethod
    def through(cls, first: tuple[float, float], second: tuple[float, float]) -> Line:
        slope = (second[1] - first[1]) / (second[0] - first[0])
        return cls(slope, first[1] - slope * first[0])

    def at(self, documents: float) -> float:
        return self.constant + self.slope * documents


COLUMNS = (
    "documents", "workers", "shards", "tasks", "wall", "requests", "a second", "store",
    "Prefect, of a core", "flow and scheduler, of a core", "longest task of a layer",
)  # fmt: skip
HEAD = f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|"
SIZES = (Load(1e4, 2), Load(1e6, 2), Load(1e6, 16), Load(1e7, 100), Load(1e8, 1000))


def table() -> str:
    return "\n".join([HEAD, *(load.row() for load in SIZES)])


if __name__ == "__main__":
    print(table())
