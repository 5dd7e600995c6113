"""The last stage of a run: its report."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ...data.file_listing import root_of
from ...data.intake.input_files import HashedFile, hash_of_files, read_listing, source_hashes
from ...data.readers.notes import SourceNotes
from ...data.same_rows import copies_in_other_sources
from ...data.store.manifest import write_run_manifest
from ...data.store.store import Store
from ...reports.results.release import Release
from ...reports.warnings import in_english
from ...tasks.cache_keys import result_versions
from ...tasks.inputs.reading_warnings import warnings_on_reading, warnings_on_same_rows
from ...tasks.intake.ingest import Ingested
from ...tasks.intake.layer_contents import Contents
from ...tasks.intake.shards import ValidatedShard, note_copied_work
from ...tasks.layers import LayerSpec
from ...tasks.reporting.campaign_report import ReportSpec, RunFacts, assemble_task, tables_task
from ...tasks.reporting.gates import GateSpec
from .beside_results import BesideResults
from .earlier.changes_since_last_run import (
    alerts_of_run,
    alerts_on_expected_work,
    changes_lines,
    copies_line,
    reuse_sentence,
    write_ledger,
)
from .earlier.history import earlier_runs, main_value_history
from .earlier.unchanged_run import keep_outcome
from .file.campaign_config import Config
from .run import Run
from .task_settings import settings_of_tasks
from .task_settings.layers_of_campaign import (
    warnings_on_incomparable_labels,
)

_ON_RECORDS = ("rounds_not_mapped", "stale_decisions")
"""Alerts on recorded rounds and decisions that no longer apply, which the terminal prints."""


def submit_tables(run: Run, shards: Sequence[ValidatedShard], found: Contents) -> None:
    """Submit the task that writes the rows beside the report, which needs no results."""
    if run.tables is not None:  # of a run without the documents that killed workers since
        run.tables.wait()
    run.tables = run.submit(
        tables_task,
        "all shards",
        [shard.facts for shard in shards],
        found.roles,
        run.request.folder,
        campaign=run.config.campaign.name,
        is_release=run.request.is_release,
        after=[shard.key for shard in shards],
    )


def write_report(
    run: Run,
    sources: Sequence[Ingested],
    shards: Sequence[ValidatedShard],
    layers: Sequence[LayerSpec],
    found: Contents,
    summaries: Sequence[str],
    beside: BesideResults,
    started: str,
    release: Release | None = None,
) -> dict[str, Any]:
    config = run.config
    store = Store(run.store_url)
    validation = settings_of_tasks.validation_spec(config)
    spec = ReportSpec(
        campaign=config.model_dump(mode="json", include={"notes"})
        | config.campaign.model_dump(mode="json"),
        gates=tuple(GateSpec(**gate.model_dump()) for gate in config.gates),
        period=config.report.period,
        on_rejected=config.validation.on_rejected,
        rejected_at_most=config.validation.rejected_at_most,
        language=config.report.language,
        seed=config.seed,
        command=run.request.command,
        config_hash=run.request.config_hash(),
        alignments_shown=config.units.alignments_shown,
        document_pages=config.report.document_pages,
        guidelines={name: batch.guideline for name, batch in config.batches.items()},
        is_release=run.request.is_release,
        expectations=validation.expectations,
        declared=validation.declared,
        read_as=replace(run.read_as, trimmed=_trimmed_layers(config, layers)),
    )
    inputs = list(_hashed_inputs(run, sources, store))
    earlier = earlier_runs(store)
    points, damaged = main_value_history(store, earlier)
    facts = RunFacts(
        started=started,
        input_hash=hash_of_files(inputs),
        inputs=dict(inputs),
        links=_links_to_inputs(run, sources, shards, store),
        stages=run.stages,
        history=points,
        earlier={f"run {n}": earlier[n].rpartition("/")[0] for n in sorted(earlier)},
        layers=tuple(layers),
        expectations=run.expectations,
        release=release,
        gates=beside.gates,
        apart=beside.sections,
    )
    since = write_ledger(run, shards, found.roles)
    notes = SourceNotes()
    for source in sources:
        notes.add(source.notes)
    contents = [source.contents for source in sources]
    notes.copied_documents += copies_in_other_sources(contents)
    notes.n_conflicting_labels = sum(shard.facts.n_conflicting_labels for shard in shards)
    note_copied_work(notes, [shard.facts for shard in shards])
    notes.n_trimmed_units = sum(shard.facts.n_trimmed_units for shard in shards)
    notes.n_units_without_text = sum(shard.facts.n_units_without_text for shard in shards)
    if config.declares_annotators:
        notes.named.pop("annotator_columns", None)  # no guess: others are rejected
    same = warnings_on_same_rows(
        contents,
        [
            f"source {number}" if config.hides_annotators else source.path
            for number, source in enumerate(sources, 1)
        ],
    )
    told_first = [
        *same,
        *warnings_on_reading(notes),
        *warnings_on_incomparable_labels(config, found),
        *alerts_of_run(run, since, layers, damaged),
        *alerts_on_expected_work(run, started),
    ]
    facts = replace(facts, since=since, notices=told_first)
    with run.stage("report", 2):
        future = run.submit(
            assemble_task,
            config.campaign.name,
            [shard.facts for shard in shards],
            summaries,
            {layer.name: layer.tagset for layer in layers if layer.objects is None},
            found.roles,
            spec,
            facts,
            run.request.folder,
            after=[path.rpartition("/")[0] for path in summaries],
            fresh=run.fresh,
        )
        [outcome, _] = run.gather([future, run.tables])
    run.used.add(outcome.pop("drawn"))
    of_records = [in_english(one) for one in told_first if one.code in _ON_RECORDS]
    outcome["alerts"] = [*of_records, *outcome["alerts"]]
    outcome |= {
        "changes": [*changes_lines(since), *copies_line([shard.facts for shard in shards])],
        "reuse": reuse_sentence(run.stages, fresh=run.fresh),
    }
    outcome |= {"withdrawn": dict(run.withdrawn), "stages": run.stages}
    for name, content in beside.files.items():
        store.write_json(f"{run.request.folder}/{name}", content.model_dump(mode="json"))
    outcome["scores"] = [*outcome["scores"], *beside.lines]
    run.show_end()
    if not run.request.is_release:
        keep_outcome(store, outcome)
    _write_manifest(run, facts)
    return outcome


def _trimmed_layers(config: Config, layers: Sequence[LayerSpec]) -> tuple[str, ...]:
    trims = config.units.trim
    return tuple(layer.name for layer in layers if trims and layer.kind != "items")


def _write_manifest(run: Run, facts: RunFacts) -> None:
    write_run_manifest(
        Store(run.store_url),
        run.request.folder,
        {
            **result_versions(),
            "config_hash": run.request.config_hash(),
            "input_hash": facts.input_hash,
            "decisions_hash": run.decisions_hash,
            "inputs": dict(facts.inputs),
        },
        places=run.used.places,
        series=run.used.series,
        files=run.used.files,
    )


def _hashed_inputs(run: Run, sources: Sequence[Ingested], store: Store) -> Iterator[HashedFile]:
    files = [(source.path, read_listing(store, source.inputs)) for source in sources]
    return source_hashes(run.request.campaign, files, is_private=run.config.hides_annotators)


def _links_to_inputs(
    run: Run,
    sources: Sequence[Ingested],
    shards: Sequence[ValidatedShard],
    store: Store,
) -> dict[str, str]:
    """Return links, relative to the report, to the files that rejected rows come from.

    No links for a release, which is read elsewhere, and for a name shared by two sources.
    """
    if run.request.is_release or run.config.hides_annotators or not store.is_local:
        return {}
    names: set[str] = set()
    for shard in shards:
        if shard.facts.rows_rejected:
            path = f"{shard.outcome.place}/rejected.parquet"
            names.update(store.read_table(path, columns=["source"])["source"].to_pylist())
    if not names:
        return {}
    folder = store.local_path(run.request.folder)
    places: dict[str, set[Path]] = {}
    for source in sources:
        root = root_of(source.path)
        for name, _ in read_listing(store, source.inputs):
            if name in names:
                places.setdefault(name, set()).add(root / name)
    return {
        name: quote(Path(os.path.relpath(found.pop(), folder)).as_posix())
        for name, found in places.items()
        if len(found) == 1
    }
