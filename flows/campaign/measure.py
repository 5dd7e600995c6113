"""The stages of a measurement: exports in, one report out.

Stages: ingest (a task a source) → validate (a task a group of shards) → count and align (the same)
→ chance, in rounds until the precision is reached → summaries (a task a layer) → report. Everything
that a task writes is named by a hash of its inputs: a second run computes what changed, and a run
that was killed goes on where it was when it is started again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from prefect import flow

from ...data.errors import DataError
from ...data.readers.common.layers import ReadAs, read_together
from ...data.schema import Excluded
from ...data.store.manifest import UNFINISHED
from ...data.store.store import Store
from ...tasks.intake.ingest import ingest_task
from ...tasks.intake.validate import validate_task
from ...tasks.isolation.one_by_one import Probe
from ...tasks.items.counts import count_labels_task
from ...tasks.items.summary import summarise_labels_task
from ...tasks.layers import LayerSpec, write_accepted_of_all
from ...tasks.units.alignment import DissimilaritySpec, align_units_task
from ...tasks.units.parts import parts_of
from ...tasks.units.summary import join_units, measure_units_task, pieces_dealt
from ...tasks.units.work import UnitWork
from ..engine.ending import before_the_end
from ..progress.names import shards_named
from ..progress.watcher import watcher
from .earlier.standing import decisions_hash
from .file.reference import require_reference
from .isolation import isolate, withdraw_remembered
from .killed_batches import KilledBatches, killed_together
from .orders import plan, sharding
from .orders.found import Found, found_in
from .orders.layers import layer_specs
from .reporting import report
from .run import GROUPS_PER_WORKER, Orders, Run, Undisclosed
from .stages.chance_rounds import sample_chance
from .stages.reading_grid import read_on_grid
from .stages.relations import relate
from .stages.validity import refer_and_score

ROWS_PER_GROUP = 250_000
ROWS_WORTH_A_TASK = 30_000  # under half a second of work, what a task costs by itself weighs much
VALIDATIONS_PER_WORKER = 2  # each costs a fifth of a second however few rows it has


@flow(name="measure campaign", validate_parameters=False)
def measure(campaign: Undisclosed, orders: Orders) -> dict[str, Any]:
    """The stages of a run, on the task runner that the campaign file names."""
    config = campaign.config
    run = Run(config, orders)
    run.shown.begin("campaign-progress")
    started = datetime.now(UTC).isoformat(timespec="seconds")
    store = Store(run.store_url)
    store.sweep()
    run.decisions_hash = decisions_hash(config, store)
    store.write_json(UNFINISHED, {"folder": orders.folder})
    sources = _ingest(run)
    withdraw_remembered(run, sources)
    n_unexplained = 0
    while True:
        try:
            outcome = _stages(run, sources, started)
            break
        except KilledBatches as killed:
            n_unexplained += not isolate(run, killed, sources)
            if n_unexplained > 1:  # once may be bad luck: a machine that was taken away
                raise DataError(killed_together(killed)) from None
    store.delete(UNFINISHED)
    before_the_end(run.shown.wait)
    return outcome


def _stages(run: Run, sources: Sequence[Mapping[str, Any]], started: str) -> dict[str, Any]:
    """Everything after ingestion. Raises KilledBatches when a batch kills its worker."""
    shards = _validate(run, sources)
    found = found_in(run.config, shards)
    layers = layer_specs(run.config, found)
    require_reference(run.config, {layer.name: layer.humans for layer in layers})
    summaries = _measure_labels(run, shards, [layer for layer in layers if layer.is_labels])
    for layer in (layer for layer in layers if not layer.is_labels):
        summaries += _measure_units(run, shards, layer, found)
    summaries += relate(run, shards, layers, found, _grouped(run, shards, "n_relations"))
    summaries += refer_and_score(run, shards, layers, found)
    return report(run, sources, shards, layers, found, summaries, started)


def _ingest(run: Run) -> list[dict[str, Any]]:
    specs = plan.source_specs(run.config)
    with run.stage("ingest", len(specs)) as stage:
        sources = run.gather(
            [
                run.submit(ingest_task, f"source {number}", spec, fresh=run.fresh)
                for number, spec in enumerate(specs, 1)
            ]
        )
        run.note(stage, sources)
    run.read_as = read_together([(one["path"], ReadAs(**one["read_as"])) for one in sources])
    return sources


def _validate(run: Run, sources: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Summaries of the shards, in order. Raises DataError where `on_rejected` says stop."""
    engine = run.config.engine
    n_documents = max(source["rows"]["documents"] for source in sources)
    n_rows = sum(n for source in sources for n in source["rows"].values())
    shards = sharding.shards_of(max(n_documents, 1), engine.documents_per_batch, n_rows)
    n_groups = _n_groups(len(shards), n_rows, engine.workers, VALIDATIONS_PER_WORKER)
    groups = sharding.contiguous(shards, n_groups)
    spec = replace(plan.validation_spec(run.config), withdrawn=dict(run.withdrawn))
    asked = [sharding.sources_for(sources, group) for group in groups]
    with run.stage("validate", n_groups) as stage:
        parts = run.gather(
            [
                run.submit(
                    validate_task,
                    shards_named(shard.number for shard in group),
                    of_group,
                    group,
                    spec,
                    fresh=run.fresh,
                )
                for group, of_group in zip(groups, asked, strict=True)
            ],
            [
                Probe("validate", tuple(group), {"sources": of_group, "spec": spec})
                for group, of_group in zip(groups, asked, strict=True)
            ],
        )
        found = sorted((s for part in parts for s in part["shards"]), key=lambda s: s["shard"])
        run.note(stage, found)
    rows_in = sum(shard["rows_in"] for shard in found)
    rejected = sum(shard["rows_rejected"] for shard in found)
    accepted = sum(shard["rows_accepted"] for shard in found)
    read = sum(
        n for source in sources for table, n in source["rows"].items() if table != Excluded.TABLE
    )
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
    store = Store(run.store_url)
    keys = [shard["key"] for shard in shards]
    return store.location(write_accepted_of_all(store, "rejected.parquet", keys, "rejected"))


def _n_groups(n_shards: int, n_rows: int, workers: int, per_worker: int = GROUPS_PER_WORKER) -> int:
    wanted = max(workers, min(workers * per_worker, n_rows // ROWS_WORTH_A_TASK))
    wanted = max(wanted, n_rows // ROWS_PER_GROUP)
    return max(1, min(n_shards, wanted))


def _grouped(run: Run, shards: Sequence[Mapping[str, Any]], size: str) -> list[list[str]]:
    """Keys of shards in groups of about equal estimated cost: units or labels × annotators."""
    costs = {shard["key"]: 1.0 + shard[size] * max(1, len(shard["roles"])) for shard in shards}
    n_rows = sum(shard[size] for shard in shards)
    return sharding.groups_of(costs, _n_groups(len(costs), n_rows, run.config.engine.workers))


def _measure_labels(
    run: Run, shards: Sequence[Mapping[str, Any]], layers: Sequence[LayerSpec]
) -> list[str]:
    if not layers:
        return []
    groups = _grouped(run, shards, "n_labels")
    order = {shard["key"]: shard["shard"] for shard in shards}
    with run.stage("count labels", len(groups)) as stage:
        done = [
            one
            for part in run.gather(
                [
                    run.submit(
                        count_labels_task,
                        shards_named(order[key] for key in keys),
                        keys,
                        layers,
                        fresh=run.fresh,
                    )
                    for keys in groups
                ],
                [Probe("count labels", tuple(keys), {"layers": layers}) for keys in groups],
            )
            for one in part
        ]
        run.note(stage, done)
    with run.stage("agreement", len(layers)) as stage:
        futures = []
        for layer in layers:
            of_layer = sorted(
                (one for one in done if one["layer"] == layer.name),
                key=lambda one: order[one["key"]],
            )
            settings = plan.item_settings(run.config, layer.name)
            futures.append(
                run.submit(
                    summarise_labels_task, layer.name, layer, of_layer, settings, fresh=run.fresh
                )
            )
        summaries = run.gather(futures)
        run.note(stage, summaries)
    return [one["path"] for one in summaries]


def _measure_units(
    run: Run, shards: Sequence[Mapping[str, Any]], layer: LayerSpec, found: Found
) -> list[str]:
    groups = _grouped(run, shards, "n_units")
    dissimilarity = plan.dissimilarity_spec(run.config, layer.name, found)
    order = {shard["key"]: shard["shard"] for shard in shards}
    with run.stage(f"align {layer.name}", len(groups)) as stage:
        done = [
            one
            for part in run.gather(
                [
                    run.submit(
                        align_units_task,
                        f"{layer.name}, {shards_named(order[key] for key in keys)}",
                        keys,
                        layer,
                        dissimilarity,
                        fresh=run.fresh,
                    )
                    for keys in groups
                ],
                [
                    Probe("align", tuple(keys), {"layer": layer, "dissimilarity": dissimilarity})
                    for keys in groups
                ],
            )
            for one in part
        ]
        run.note(stage, done)
    done.sort(key=lambda one: order[one["key"]])
    return _summarise_units(run, layer, done, dissimilarity)


def _summarise_units(
    run: Run,
    layer: LayerSpec,
    aligned: Sequence[Mapping[str, Any]],
    dissimilarity: DissimilaritySpec,
) -> list[str]:
    """The chance of the layer, then γ and its parts side by side, a task a worker."""
    corpus_place, samples = sample_chance(run, layer, aligned, dissimilarity)
    chance, settings = plan.chance_settings(run.config), plan.unit_settings(run.config)
    work = UnitWork(layer, aligned, corpus_place, dissimilarity, chance, settings)
    parts = [] if samples is None else parts_of(work)
    drawn = sorted((*key, rows) for key, rows in (samples or {}).items())
    groups = pieces_dealt(parts, run.config.engine.workers)
    with run.stage(f"γ {layer.name}", len(groups)) as stage:
        futures = [
            run.submit(
                measure_units_task,
                f"{layer.name}, {', '.join(pieces)}",
                work,
                pieces,
                drawn,
                fresh=run.fresh,
            )
            for pieces in groups
        ]
        done = [one for group in run.gather(futures) for one in group]
        run.note(stage, done)
        joined = join_units(Store(run.store_url), done, parts)
    return [joined, *read_on_grid(run, layer, corpus_place, joined, dissimilarity)]
