"""Batches whose task kills every worker that it is given, and the sentences about them."""

from __future__ import annotations

from collections.abc import Sequence

from ...tasks.isolation.one_by_one import Probe


class KilledBatches(Exception):  # noqa: N818  # not an error of the user's, and always caught
    """Batches whose task killed every worker that it was given."""

    def __init__(self, probes: Sequence[Probe]) -> None:
        super().__init__(f"{len(probes)} batches kill their worker")
        self.probes = probes


def killed_together(killed: KilledBatches) -> str:
    """The sentence for batches that kill their worker though no document does alone."""
    stages = ", ".join(sorted({probe.stage for probe in killed.probes}))
    return (
        f"{stages}: a batch kills each worker that tries it, though none of its documents does "
        "alone; most often it needs more memory than a worker has: raise "
        "engine.arguments.memory_limit or lower engine.documents_per_batch"
    )


def deadly_task(what: str) -> str:
    return (
        f"a task killed each worker that tried it ({what}); most often it needs more memory than "
        "a worker has: raise engine.arguments.memory_limit or lower engine.documents_per_batch"
    )
