"""The stages of a measurement, from exports to one report.

Stages: ingest (one task per source) → validate (one task per group of shards) → count and align
(likewise) → chance, in rounds until the precision is reached → summaries (one task per layer) →
report. Everything that a task writes is named by a hash of its inputs: a second run computes only
what has changed, and an interrupted run resumes when started again. Stages that few campaigns have
are imported where they are needed: together they would take a fifth of a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any

from prefect import flow
from prefect.logging import get_run_logger

from ...data.errors import DataError
from ...data.readers.common.category_features import combine_read_as
from ...data.schema import Excluded
from ...data.sentences import visible
from ...data.store.in_memory import TABLES_FOLDER
from ...data.store.manifest import UNFINISHED
from ...data.store.store import Store
from ...tasks.analysis import Counted, SummarisedAnalysis
from ...tasks.annotator_codes import codes_of_store
from ...tasks.intake.accepted import write_accepted_of_campaign
from ...tasks.intake.ingest import Ingested, discard_unvalidated_rows, ingest_task
from ...tasks.intake.layer_contents import OF_SCORES, Contents
from ...tasks.intake.shards import ValidatedShard
from ...tasks.intake.validate import (
    DocumentsToValidate,
    ValidationSpec,
    judge_accepted_task,
    validate_task,
)
from ...tasks.isolation import Probe
from ...tasks.layers import LayerSpec
from ...tasks.queues_of_rounds import layers_with_adaptive_cells
from ...tasks.units.alignment import DissimilaritySpec, UnitAlignment
from ...tasks.units.unit_analysis import joining_node, piece_node, split_pieces
from ...tasks.units.unit_work import UnitWork
from ...tasks.units.values_besides_gamma import names_of_parts
from ..engine.runner import task_runner
from ..progress.artifacts import artifact_key
from ..progress.flow_runs import campaign_tag, layer_tags, tag_flow_run
from ..progress.names import shards_named
from .beside_results import BesideResults
from .earlier.unchanged_run import decisions_hash
from .file.campaign_config import Config
from .file.reference import require_reference
from .isolation import batches_killed_sentence, withdraw_deadly_documents, withdraw_remembered
from .reporting import submit_tables, write_report
from .run import KilledBatches, Run, RunRequest, Undisclosed
from .size import is_small
from .stages.analyses import begin_summaries, count_shards, summarise_layers
from .stages.annotators import compare_annotators
from .stages.chance_rounds import sample_chance
from .stages.mistakes import begin_looking_for_mistakes, look_for_mistakes
from .stages.reading_grid import compute_reading_grid
from .stages.references_and_scores import (
    build_references_and_score_systems,
    require_shared_documents,
)
from .task_settings import settings_of_tasks, sharding
from .task_settings.layers_of_campaign import layer_contents, layer_specs

VALIDATIONS_PER_WORKER = 2  # each takes 0.2 s, even with few rows


def measure(config: Config, request: RunRequest) -> dict[str, Any]:
    """Measure a campaign: in this process if it is small, else as configured."""
    if small := is_small(config):
        engine = config.engine.model_copy(update={"workers": 1})
        config = config.model_copy(update={"engine": engine})
    with task_runner(config.engine, is_small=small) as runner:
        on_runner = measure_campaign.with_options(
            task_runner=runner, flow_run_name=lambda: config.campaign.name
        )
        outcome: dict[str, Any] = on_runner(Undisclosed(config), request)
    return outcome


@flow(name="measure campaign", validate_parameters=False)
def measure_campaign(campaign: Undisclosed, request: RunRequest) -> dict[str, Any]:
    """Run the stages on the given task runner."""
    config = campaign.config
    run = Run(config, request)
    run.progress.begin(f"{artifact_key(config.campaign.name)}-progress")
    started = request.started or datetime.now(UTC).isoformat(timespec="seconds")
    store = Store(run.store_url)
    store.delete_partial_files()
    run.decisions_hash = decisions_hash(config, store)
    store.write_json(UNFINISHED, {"folder": request.folder})
    discard_unvalidated_rows(store)  # of a private run that was killed
    try:
        outcome = _measure_without_deadly_documents(run, started)
    finally:
        discard_unvalidated_rows(store)
    store.delete(UNFINISHED)
    return outcome


def _measure_without_deadly_documents(run: Run, started: str) -> dict[str, Any]:
    """Run the stages, again where documents that killed their worker have been withdrawn."""
    sources = _ingest(run)
    withdraw_remembered(run, sources)
    n_unexplained = 0
    while True:
        try:
            return _measure_all_stages(run, sources, started)
        except KilledBatches as killed:
            if run.config.campaign.privacy:
                sources = _ingest(run)  # their rows were discarded after validation
            n_unexplained += not withdraw_deadly_documents(run, killed, sources)
            if n_unexplained > 1:  # once may be an accident, such as a lost machine
                raise DataError(batches_killed_sentence(killed)) from None


def _measure_all_stages(run: Run, sources: Sequence[Ingested], started: str) -> dict[str, Any]:
    """Run everything after ingestion. Raises KilledBatches if a batch kills its worker."""
    shards = _validate(run, sources)
    discard_unvalidated_rows(Store(run.store_url))
    found = layer_contents(run.config, [shard.facts for shard in shards])
    store = Store(run.store_url)
    shown = run.config.names_in_exports
    layers = layers_with_adaptive_cells(store, layer_specs(run.config, found), shown)
    every = layers_with_adaptive_cells(store, layer_specs(run.config, found, OF_SCORES), shown)
    scored = [
        layer if layer == own else replace(layer, agreement=own)
        for layer, own in zip(every, layers, strict=True)
    ]
    names = [layer.name for layer in layers]
    tag_flow_run(campaign_tag(run.config.campaign.name), *layer_tags(names))
    of_categories = [layer for layer in scored if layer.objects is None]
    require_reference(run.config, {layer.name: layer.humans for layer in layers})
    require_shared_documents(run, shards, of_categories)
    counted = _count_labels(run, shards, layers)
    begin_summaries(run, "agreement", *counted)  # the longest tasks first
    begin_looking_for_mistakes(run, shards, of_categories, found)
    submit_tables(run, shards, found)
    summaries = summarise_layers(run, "agreement", *counted)
    for layer in (layer for layer in layers if not layer.is_labels):
        summaries += _measure_units(run, shards, layer, found)
    if run.config.relations or found.relations:
        from .stages.relations import measure_relations

        summaries += measure_relations(run, shards, layers, found)
    summaries += build_references_and_score_systems(run, shards, scored, found)
    summaries += look_for_mistakes(run, shards, of_categories, found)
    summaries += _judge_and_estimate(run, shards, of_categories, found)
    beside = _beside_results(run, shards, of_categories, found)
    release = None
    if run.request.is_release:
        from .stages.release import publish_annotations

        release = publish_annotations(run, shards, scored, found, summaries)
    return write_report(run, sources, shards, layers, found, summaries, beside, started, release)


def _judge_and_estimate(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec], found: Contents
) -> list[str]:
    """Return the summaries of [replacement] and [estimate]."""
    summaries = []
    if run.config.replacement:
        from .stages.replacement import judge_systems

        summaries += judge_systems(run, shards, layers, found)
    if run.config.estimate:
        from .stages.prevalence import estimate_corpora

        summaries += estimate_corpora(run, shards, layers)
    return summaries


def _beside_results(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec], found: Contents
) -> BesideResults:
    """Return the results of [judges] and [ranking], and the cards of the annotators."""
    found_beside = BesideResults()
    if run.config.judges:
        from .stages.judges import check_judges

        found_beside += check_judges(run, shards, layers)
    if run.config.ranking:
        from .stages.ranking import ranking_beside_results

        found_beside += ranking_beside_results(run.config)
    return found_beside + compare_annotators(run, shards, layers, found)


def _ingest(run: Run) -> list[Ingested]:
    specs = settings_of_tasks.source_specs(run.config)
    with run.stage("ingest", len(specs), of_all=False) as stage:
        sources = run.gather(
            [
                run.submit(ingest_task, f"source {number}", spec, fresh=run.fresh)
                for number, spec in enumerate(specs, 1)
            ],
            makes=lambda source: [source.outcome.place],
        )
        run.note(stage, [one.outcome for one in sources])
    run.read_as = combine_read_as([(one.path, one.read_as) for one in sources])
    return sources


def _validate(run: Run, sources: Sequence[Ingested]) -> list[ValidatedShard]:
    """Return the shards, in order. Raises DataError if rejected rows are to stop the run."""
    engine = run.config.engine
    codes_of_store(Store(run.store_url), {})  # its secret exists before several workers read it
    n_documents = max(source.rows["documents"] for source in sources)
    n_rows = sum(n for source in sources for n in source.rows.values())
    shards = sharding.equal_shards(max(n_documents, 1), engine.documents_per_batch, n_rows)
    n_groups = sharding.n_groups(len(shards), n_rows, engine.workers, VALIDATIONS_PER_WORKER)
    groups = sharding.contiguous_groups(shards, n_groups)
    spec = replace(settings_of_tasks.validation_spec(run.config), withdrawn=dict(run.withdrawn))
    sources_of = [sharding.sources_for([one.raw for one in sources], group) for group in groups]
    ingested = [source.outcome.place for source in sources]
    with run.stage("validate", n_groups, of_all=False) as stage:
        parts = run.gather(
            [
                run.submit(
                    validate_task,
                    shards_named(shard.number for shard in group),
                    of_group,
                    group,
                    spec,
                    after=ingested,
                    fresh=run.fresh,
                )
                for group, of_group in zip(groups, sources_of, strict=True)
            ],
            [
                Probe("validate", DocumentsToValidate(of_group, group, spec))
                for group, of_group in zip(groups, sources_of, strict=True)
            ],
            makes=lambda part: [shard.key for shard in part],
        )
        found = sorted((s for part in parts for s in part), key=lambda s: s.shard.number)
        _judge_expectations(run, [shard.key for shard in found], spec)
        run.note(stage, [one.outcome for one in found])
    rows_in = sum(shard.facts.rows_in for shard in found)
    rejected = sum(shard.facts.rows_rejected for shard in found)
    accepted = sum(shard.facts.rows_accepted for shard in found)
    read = sum(
        n for source in sources for table, n in source.rows.items() if table != Excluded.TABLE
    )
    if rows_in != read or rows_in != accepted + rejected:
        raise RuntimeError(
            f"rows were lost: {read} read, {rows_in} validated, {accepted} accepted, "
            f"{rejected} rejected; please report this"
        )
    sentence = f"rows: {rows_in} in = {accepted} accepted + {rejected} rejected"
    get_run_logger().info(visible(sentence))
    if not accepted:
        raise DataError("no row of the exports was accepted: see the sources in the campaign file")
    if rejected and run.config.validation.on_rejected == "stop":
        path = _write_rejected(run, found)
        raise DataError(
            f"{rejected} of {rows_in} rows were rejected and validation.on_rejected is 'stop'; "
            f"they are listed in {path}"
        )
    return found


def _judge_expectations(run: Run, keys: Sequence[str], spec: ValidationSpec) -> None:
    """Evaluate expectations on the whole campaign. Raises DataError if they are to stop the run."""
    if not spec.expectations:
        return
    future = run.submit(
        judge_accepted_task,
        "all shards",
        keys,
        spec.expectations,
        after=keys,
        is_private=spec.is_private,
    )
    [run.expectations] = run.gather([future])
    failed = [one for one in run.expectations if not one.passed and one.severity == "critical"]
    if failed and run.config.validation.on_rejected == "stop":
        words = "; ".join(f"{one.description} on {one.table}" for one in failed)
        raise DataError(f"not as expected, and validation.on_rejected is 'stop': {words}")


def _write_rejected(run: Run, shards: Sequence[ValidatedShard]) -> str:
    store = Store(run.store_url)
    facts = [shard.facts for shard in shards]
    [path] = write_accepted_of_campaign(store, TABLES_FOLDER, facts, ["rejected"])
    return store.location(path)


def _count_labels(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec]
) -> tuple[list[SummarisedAnalysis], list[Counted]]:
    layers = [layer for layer in layers if layer.is_labels]
    if not layers:
        return [], []
    from ...tasks.agreement.item_agreement import LabelAnalysis

    settings_of_tasks.require_two_groups(
        run.config, {name for layer in layers for name in layer.humans}
    )
    settings = [settings_of_tasks.item_settings(run.config, layer.name) for layer in layers]
    analyses: list[SummarisedAnalysis] = [
        LabelAnalysis(layer.only_humans(), how) for layer, how in zip(layers, settings, strict=True)
    ]
    rows = attrgetter("n_labels")
    return analyses, count_shards(run, "count labels", analyses, shards, rows=rows)


def _measure_units(
    run: Run, shards: Sequence[ValidatedShard], layer: LayerSpec, found: Contents
) -> list[str]:
    dissimilarity = settings_of_tasks.dissimilarity_spec(run.config, layer.name, found)
    layer = layer.only_humans()
    alignment = UnitAlignment(layer, dissimilarity)
    aligned = count_shards(
        run, f"align {layer.name}", [alignment], shards, rows=lambda one: one.n_units
    )
    if layer.adaptive:  # references also use the documents that agreement excludes
        every = UnitAlignment(layer.with_informative(), dissimilarity)
        stage = f"align {layer.name} with informative documents"
        count_shards(run, stage, [every], shards, rows=lambda one: one.n_units)
    return _summarise_units(run, layer, aligned, dissimilarity)


def _summarise_units(
    run: Run,
    layer: LayerSpec,
    aligned: Sequence[Counted],
    dissimilarity: DissimilaritySpec,
) -> list[str]:
    """Sample the chance of the layer, then compute γ and its parts in parallel tasks."""
    corpus_place, samples = sample_chance(run, layer, aligned, dissimilarity)
    gamma, settings = (
        settings_of_tasks.gamma_settings(run.config),
        settings_of_tasks.unit_settings(run.config),
    )
    work = UnitWork(layer, aligned, corpus_place, dissimilarity, gamma, settings)
    parts = [] if samples is None else names_of_parts(work)
    drawn = sorted((*key, rows) for key, rows in (samples or {}).items())
    groups = split_pieces(parts, run.config.engine.workers)
    outcomes = run.complete(
        f"γ {layer.name}",
        {
            f"{layer.name}, {', '.join(pieces)}": [piece_node(one, work, drawn) for one in pieces]
            for pieces in groups
        },
        task="measure units",
    )
    done = dict(zip((one for pieces in groups for one in pieces), outcomes, strict=True))
    [joined] = run.complete_here([joining_node(work, done, parts)])
    return [joined.fields, *compute_reading_grid(run, layer, corpus_place, joined, dissimilarity)]
