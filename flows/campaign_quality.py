"""The campaign quality run: exports in, one report out.

Stages: ingest (a task a source) → validate (a task a group of shards) → count and align (the same)
→ chance, in rounds until the precision is reached → summaries (a task a layer) → report. Everything
that a task writes is named by a hash of its inputs: a second run computes what changed, and a run
that was killed goes on where it was when it is started again.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from prefect import flow
from prefect.artifacts import (
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)
from prefect.client.schemas.objects import State
from prefect.futures import PrefectFuture, as_completed
from prefect.states import Completed, Failed

from data.errors import DataError
from data.store import Store, settings_hash
from flows import plan
from flows.config import Config, load
from flows.history import earlier_runs, history, next_folder
from flows.progress import watcher
from flows.runner import may_pass_next_time, task_runner
from flows.validity import refer_and_score
from metrics.chance.corpus import Corpus
from metrics.chance.expected import unit_shares
from metrics.chance.plan import SampleJob, add_samples, plan_samples
from metrics.unitizing.settings import GammaSettings
from tasks.agreement import count_labels_task, summarise_labels_task
from tasks.alignment import align_units_task
from tasks.chance import draw_chance_task, gather_corpus_task, read_corpus
from tasks.ingest import ingest_task
from tasks.layers import LayerSpec
from tasks.report import GateSpec, ReportSpec, RunFacts, assemble_task
from tasks.units import summarise_units_task
from tasks.validate import validate_task

GROUPS_PER_WORKER = 4
ROWS_PER_GROUP = 250_000
SAMPLES_PER_JOB = 25
SECONDS_PER_UNIT = 2e-5  # of drawing and aligning a virtual document, measured; only a guide


@dataclass(slots=True)
class Run:
    """One run under way: its store, its configuration, the seconds of its stages."""

    config: Config
    fresh: bool
    store_url: str
    stages: list[dict[str, Any]] = field(default_factory=list)
    artifact: Any = None

    def options(self, task: Any) -> Any:
        return task.with_options(
            retries=self.config.engine.retries,
            retry_delay_seconds=1,
            retry_condition_fn=may_pass_next_time,
        )

    @contextmanager
    def stage(self, name: str, n_tasks: int) -> Iterator[dict[str, Any]]:
        """Time a stage; what the block counts as reused goes into the report."""
        watcher().stage(name, n_tasks)
        stage = {"name": name, "seconds": 0.0, "n_tasks": n_tasks, "n_reused": 0}
        started = time.perf_counter()
        yield stage
        stage["seconds"] = round(time.perf_counter() - started, 3)
        self.stages.append(stage)
        if self.artifact is not None:
            done = 100.0 * len(self.stages) / (len(self.stages) + 1)
            update_progress_artifact(artifact_id=self.artifact, progress=done)

    def gather(self, futures: Sequence[PrefectFuture[Any]]) -> list[Any]:
        """Results in the order of the futures; progress as they come."""
        for _ in as_completed(list(futures)):
            watcher().advance()
        return [one.result() for one in futures]


@flow(name="campaign quality", log_prints=False)
def campaign_quality(campaign: str, fresh: bool = False) -> State[dict[str, Any]]:
    """Run the campaign file `campaign`; `fresh` ignores what earlier runs left in the store.

    Completed with the run's facts (where the report is, counts of rows, gates, main values);
    Failed, with the same facts, when a gate fails. Raises ConfigError and DataError.
    """
    config = load(Path(campaign))
    store = Store(config.store.url)
    with store.lock():
        outcome: dict[str, Any] = measure.with_options(task_runner=task_runner(config.engine))(
            config,
            fresh=fresh,
            command=f"accordeur run {Path(campaign).name}",
            config_hash=hashlib.sha256(Path(campaign).read_bytes()).hexdigest()[:16],
        )
    failed = [gate for gate in outcome["gates"] if not gate["passed"]]
    if failed:
        names = ", ".join(gate["measure"] for gate in failed)
        return Failed(
            name="GateFailed", message=f"{len(failed)} gate(s) failed: {names}", data=outcome
        )
    return Completed(message=f"report: {outcome['report']}", data=outcome)


@flow(name="measure campaign", validate_parameters=False)
def measure(config: Config, *, fresh: bool, command: str, config_hash: str) -> dict[str, Any]:
    """The stages of a run, on the task runner that the campaign file names."""
    run = Run(config, fresh, config.store.url)
    run.artifact = create_progress_artifact(progress=0.0, key="campaign-progress")
    started = datetime.now(UTC).isoformat(timespec="seconds")
    sources = _ingest(run)
    shards = _validate(run, sources)
    found = plan.found_in(config, shards)
    layers = plan.layer_specs(config, found)
    summaries = _measure_labels(run, shards, [layer for layer in layers if layer.is_labels])
    for layer in (layer for layer in layers if not layer.is_labels):
        summaries.append(_measure_units(run, shards, layer, found))
    summaries += refer_and_score(run, shards, layers, found)
    outcome = _report(run, sources, shards, layers, found, summaries, started, command, config_hash)
    _publish(outcome)
    return outcome


def _ingest(run: Run) -> list[dict[str, Any]]:
    specs = plan.source_specs(run.config)
    task = run.options(ingest_task)
    with run.stage("ingest", len(specs)) as stage:
        sources = run.gather([task.submit(run.store_url, spec, fresh=run.fresh) for spec in specs])
        stage["n_reused"] = sum(source["reused"] for source in sources)
    return sources


def _validate(run: Run, sources: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Summaries of the shards, in order. Raises DataError where `on_rejected` says stop."""
    engine = run.config.engine
    n_documents = max(source["rows"]["documents"] for source in sources)
    shards = plan.shards_of(max(n_documents, 1), engine.documents_per_batch)
    n_rows = sum(n for source in sources for n in source["rows"].values())
    n_groups = _n_groups(len(shards), n_rows, engine.workers)
    groups = [shards[g::n_groups] for g in range(n_groups)]
    spec = plan.validation_spec(run.config)
    kept = [{"files": source["files"], "layers": source["layers"]} for source in sources]
    task = run.options(validate_task)
    with run.stage("validate", n_groups) as stage:
        parts = run.gather(
            [task.submit(run.store_url, kept, group, spec, fresh=run.fresh) for group in groups]
        )
        found = sorted((s for part in parts for s in part["shards"]), key=lambda s: s["shard"])
        stage["n_reused"] = sum(shard["reused"] for shard in found)
    rows_in = sum(shard["rows_in"] for shard in found)
    rejected = sum(shard["rows_rejected"] for shard in found)
    accepted = sum(shard["rows_accepted"] for shard in found)
    read = sum(n for source in sources for n in source["rows"].values())
    if rows_in != read or rows_in != accepted + rejected:
        raise RuntimeError(
            f"rows were lost: {read} read, {rows_in} validated, {accepted} accepted, "
            f"{rejected} rejected; please report this"
        )
    watcher().note(f"rows: {rows_in} in = {accepted} accepted + {rejected} rejected")
    if not accepted:
        raise DataError("no row of the exports was accepted: see the sources in the campaign file")
    if rejected and run.config.validation.on_rejected == "stop":
        path = _write_rejected(run, found)
        raise DataError(
            f"{rejected} of {rows_in} rows were rejected and validation.on_rejected is 'stop'; "
            f"they are listed in {path}"
        )
    return found


def _write_rejected(run: Run, shards: Sequence[Mapping[str, Any]]) -> str:
    from tasks.report import _joined

    store = Store(run.store_url)
    store.write_table("rejected.parquet", _joined(store, shards, "rejected"))
    return store.location("rejected.parquet")


def _n_groups(n_shards: int, n_rows: int, workers: int) -> int:
    wanted = max(workers * GROUPS_PER_WORKER, n_rows // ROWS_PER_GROUP)
    return max(1, min(n_shards, wanted))


def _grouped(run: Run, shards: Sequence[Mapping[str, Any]], size: str) -> list[list[str]]:
    """Keys of shards in groups of about equal estimated cost: units or labels × annotators."""
    costs = {shard["key"]: 1.0 + shard[size] * max(1, len(shard["roles"])) for shard in shards}
    n_rows = sum(shard[size] for shard in shards)
    return plan.groups_of(costs, _n_groups(len(costs), n_rows, run.config.engine.workers))


def _measure_labels(
    run: Run, shards: Sequence[Mapping[str, Any]], layers: Sequence[LayerSpec]
) -> list[str]:
    if not layers:
        return []
    groups = _grouped(run, shards, "n_labels")
    count = run.options(count_labels_task)
    with run.stage("count labels", len(groups)) as stage:
        done = [
            one
            for part in run.gather(
                [count.submit(run.store_url, keys, layers, fresh=run.fresh) for keys in groups]
            )
            for one in part
        ]
        stage["n_reused"] = sum(one["reused"] == "True" for one in done)
    order = {shard["key"]: shard["shard"] for shard in shards}
    settings = plan.item_settings(run.config)
    summarise = run.options(summarise_labels_task)
    with run.stage("agreement", len(layers)):
        futures = []
        for layer in layers:
            of_layer = sorted(
                (one for one in done if one["layer"] == layer.name),
                key=lambda one: order[one["key"]],
            )
            places = [one["place"] for one in of_layer]
            futures.append(summarise.submit(run.store_url, layer, places, settings))
        return run.gather(futures)


def _measure_units(
    run: Run, shards: Sequence[Mapping[str, Any]], layer: LayerSpec, found: plan.Found
) -> str:
    groups = _grouped(run, shards, "n_units")
    dissimilarity = plan.dissimilarity_spec(run.config, layer.name, found)
    align = run.options(align_units_task)
    with run.stage(f"align {layer.name}", len(groups)) as stage:
        done = [
            one
            for part in run.gather(
                [
                    align.submit(run.store_url, keys, layer, dissimilarity, fresh=run.fresh)
                    for keys in groups
                ]
            )
            for one in part
        ]
        stage["n_reused"] = sum(one["reused"] == "True" for one in done)
    order = {shard["key"]: shard["shard"] for shard in shards}
    done.sort(key=lambda one: order[one["key"]])
    places = [one["place"] for one in done]
    chance = plan.chance_settings(run.config)
    with run.stage(f"chance {layer.name}", 0) as stage:
        corpus_path = (
            run.options(gather_corpus_task).submit(run.store_url, layer, places, chance).result()
        )
        corpus = read_corpus(run.store_url, corpus_path, layer)
        samples = {}
        if corpus is not None and unit_shares(corpus):
            samples = _sample_chance(run, corpus, corpus_path, layer, dissimilarity, stage)
    settings = plan.unit_settings(run.config)
    with run.stage(f"γ {layer.name}", 1):
        future = run.options(summarise_units_task).submit(
            run.store_url, layer, done, corpus_path, dissimilarity, chance, samples, settings
        )
        [path] = run.gather([future])
    return str(path)


def _sample_chance(
    run: Run,
    corpus: Corpus,
    corpus_path: str,
    layer: LayerSpec,
    dissimilarity: Any,
    stage: dict[str, Any],
) -> dict[Any, Any]:
    """Rounds of samples until every expected disorder is as precise as asked."""
    chance = plan.chance_settings(run.config)
    processes = GammaSettings(processes=chance.processes or None).processes_for(corpus)  # type: ignore[arg-type]  # checked by the campaign file
    workers = run.config.engine.workers
    draw = run.options(draw_chance_task)
    kept: dict[Any, Any] = {}
    while jobs := plan_samples(
        kept,
        processes=processes,
        annotator_counts=unit_shares(corpus),
        precision=chance.precision,
        min_samples=chance.min_samples,
        max_samples=chance.max_samples,
        batch=SAMPLES_PER_JOB,
    ):
        groups = _dealt(jobs, _n_sample_tasks(jobs, corpus, workers))
        futures = [
            draw.submit(run.store_url, corpus_path, layer, dissimilarity, chance, group)
            for group in groups
        ]
        stage["n_tasks"] += len(groups)
        results = run.gather(futures)
        drawn = {
            job: rows
            for group, part in zip(groups, results, strict=True)
            for job, rows in zip(group, part, strict=True)
        }
        kept = add_samples(kept, jobs, [_as_counts(drawn[job]) for job in jobs])
    return {key: counts.tolist() for key, counts in kept.items()}


def _n_sample_tasks(jobs: Sequence[SampleJob], corpus: Corpus, workers: int) -> int:
    """As many tasks as are worth their overhead: one a second or so of estimated work."""
    units = corpus.n_units / max(1, corpus.annotators_per_document.sum())
    seconds = sum(job.count * job.n_annotators for job in jobs) * units * SECONDS_PER_UNIT
    return max(1, min(workers * GROUPS_PER_WORKER, int(seconds)))


def _as_counts(rows: Sequence[Sequence[float]]) -> Any:
    import numpy as np

    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def _dealt(jobs: Sequence[SampleJob], n_groups: int) -> list[list[SampleJob]]:
    n = max(1, min(n_groups, len(jobs)))
    return [list(jobs[g::n]) for g in range(n)]


def _report(
    run: Run,
    sources: Sequence[Mapping[str, Any]],
    shards: Sequence[Mapping[str, Any]],
    layers: Sequence[LayerSpec],
    found: plan.Found,
    summaries: Sequence[str],
    started: str,
    command: str,
    config_hash: str,
) -> dict[str, Any]:
    config = run.config
    store = Store(run.store_url)
    earlier = earlier_runs(store)
    folder = next_folder(earlier)
    inputs = {name: digest for source in sources for name, digest in source["hashes"].items()}
    spec = ReportSpec(
        campaign=config.campaign.model_dump(mode="json"),
        gates=tuple(GateSpec(**gate.model_dump()) for gate in config.gates),
        on_rejected=config.validation.on_rejected,
        language=config.report.language,
        seed=config.seed,
        command=command,
        config_hash=config_hash,
    )
    facts = RunFacts(
        started=started,
        input_hash=settings_hash(inputs),
        inputs=inputs if not config.campaign.privacy else {},
        stages=run.stages,
        history=history(store, earlier),
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
            folder,
        )
        [outcome] = run.gather([future])
    return {**outcome, "stages": run.stages}


def _publish(outcome: Mapping[str, Any]) -> None:
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
