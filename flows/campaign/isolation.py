"""Handling of batches that kill every worker: the documents that cause it are found and skipped."""

from __future__ import annotations

from collections.abc import Sequence

from ...data.store.store import Store
from ...tasks.intake.ingest import Ingested
from ...tasks.isolation import (
    find_deadly_on_worker,
    forget_deadly_documents,
    remember_deadly_documents,
    remembered_deadly_documents,
)
from ..progress.watcher import watcher
from .run import KilledBatches, Run


def withdraw_deadly_documents(run: Run, killed: KilledBatches, sources: Sequence[Ingested]) -> int:
    """Withdraw the documents that kill their worker; return the number of new ones.

    The run continues from validation as if they had not been there; their rows are rejected with
    the reason. The store records them for later runs.
    """
    with run.stage("isolate", len(killed.probes)):
        found = run.gather(
            [run.submit(find_deadly_on_worker, probe.stage, probe) for probe in killed.probes]
        )
    run.stages = [one for one in run.stages if one["name"] in ("ingest", "isolate")]
    before = len(run.withdrawn)
    for probe, documents in zip(killed.probes, found, strict=True):
        for name, how in documents.items():
            reason = f"processing it ({probe.stage}) killed each worker that tried: it {how}"
            run.withdrawn[name] = (
                f"{reason}. The document is skipped; look at it, split it, or give workers "
                "more memory"
            )
            watcher().note(f"document {name} is skipped: {reason}")
    remember_deadly_documents(Store(run.store_url), [one.raw for one in sources], run.withdrawn)
    return len(run.withdrawn) - before


def withdraw_remembered(run: Run, sources: Sequence[Ingested]) -> None:
    """Skip unchanged documents that killed workers in earlier runs; with `fresh`, forget them."""
    store = Store(run.store_url)
    if run.fresh:
        forget_deadly_documents(store)
        return
    run.withdrawn = remembered_deadly_documents(store, [one.raw for one in sources])
    for name, reason in run.withdrawn.items():
        watcher().note(f"document {name} is skipped as before (--fresh tries it again): {reason}")


def batches_killed_sentence(killed: KilledBatches) -> str:
    """Describe batches that kill their worker although no single document does."""
    stages = ", ".join(sorted({probe.stage for probe in killed.probes}))
    return (
        f"{stages}: a batch kills each worker that processes it, although none of its documents "
        "does so alone; most often it needs more memory than a worker has: raise "
        "engine.arguments.memory_limit or lower engine.documents_per_batch"
    )
