"""The last stage of a run: the report, and its main values in Prefect's interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prefect.artifacts import create_table_artifact

from data.store import Store, settings_hash
from flows import plan
from flows.history import earlier_runs, history
from flows.run import Run
from tasks.layers import LayerSpec
from tasks.report import GateSpec, ReportSpec, RunFacts, assemble_task


def report(
    run: Run,
    sources: Sequence[Mapping[str, Any]],
    shards: Sequence[Mapping[str, Any]],
    layers: Sequence[LayerSpec],
    found: plan.Found,
    summaries: Sequence[str],
    started: str,
) -> dict[str, Any]:
    config = run.config
    store = Store(run.store_url)
    inputs = {name: digest for source in sources for name, digest in source["hashes"].items()}
    spec = ReportSpec(
        campaign=config.campaign.model_dump(mode="json"),
        gates=tuple(GateSpec(**gate.model_dump()) for gate in config.gates),
        on_rejected=config.validation.on_rejected,
        language=config.report.language,
        seed=config.seed,
        command=run.orders.command,
        config_hash=run.orders.config_hash,
    )
    facts = RunFacts(
        started=started,
        input_hash=settings_hash(inputs),
        inputs=inputs if not config.campaign.privacy else {},
        stages=run.stages,
        history=history(store, earlier_runs(store)),
    )
    with run.stage("report", 1):
        future = assemble_task.submit(
            run.store_url,
            shards,
            summaries,
            {layer.name: layer.tagset for layer in layers},
            found.roles,
            spec,
            facts,
            run.orders.folder,
        )
        [outcome] = run.gather([future])
    return {**outcome, "stages": run.stages}


def publish(outcome: Mapping[str, Any]) -> None:
    """The main values as a table in Prefect's interface."""
    rows = [
        {
            "layer": value["layer"],
            "measure": value["measure"],
            "value": value["value"],
            "interval": str(value["interval"]),
            "reason": value["reason"],
        }
        for value in outcome["main"]
    ]
    create_table_artifact(key="campaign-values", table=rows, description="Main values of the run")
    create_table_artifact(
        key="campaign-gates", table=[dict(gate) for gate in outcome["gates"]], description="Gates"
    )
