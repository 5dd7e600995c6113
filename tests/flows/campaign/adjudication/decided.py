"""The demonstration campaign as a run leaves it, and files of decisions on its cases."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

from accordeur.data.store.store import Store
from accordeur.flows.campaign.adjudication.adjudicate import (
    remember_run,
)
from accordeur.flows.campaign.file.campaign_config import Config, load_campaign
from accordeur.flows.campaign.task_settings import settings_of_tasks as plan
from accordeur.flows.campaign.task_settings import sharding
from accordeur.flows.campaign.task_settings.layers_of_campaign import layer_contents, layer_specs
from accordeur.tasks.analysis import count
from accordeur.tasks.intake.ingest import ingest
from accordeur.tasks.intake.validate import validate
from accordeur.tasks.units.alignment import UnitAlignment

DECIDED = {"decision": "", "start": "", "end": "", "who": "erik", "when": "2026-11-20", "why": ""}


def measured(campaign: Path) -> Config:
    """The stages of a run that adjudication needs, as plain functions on the store.

    As of a campaign without the demonstration's reference, which decides every document.
    """
    config = load_campaign(campaign)
    store = Store(config.store.url)
    sources = [ingest(store.url, spec) for spec in plan.source_specs(config)]
    kept = [one.raw for one in sources]
    shards = validate(store.url, kept, sharding.equal_shards(12, 4), plan.validation_spec(config))
    found = layer_contents(config, [shard.facts for shard in shards])
    layers = [replace(layer, references=()) for layer in layer_specs(config, found)]
    keys = [shard.key for shard in shards]
    units = [layer for layer in layers if not layer.is_labels]
    measures = {one.name: plan.dissimilarity_spec(config, one.name, found) for one in units}
    count(store.url, keys, [UnitAlignment(layer, measures[layer.name]) for layer in units])
    remember_run(store, keys, layers, measures)
    return config


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def place_of(row: dict[str, str]) -> str:
    return f"{row['layer']}|{row['document']}|{row['where']}"


def filled(path: Path, out: Path, changes: dict[str, dict[str, str]]) -> Path:
    """The file with decisions on some cases, given by key or by place."""
    rows = rows_of(path)
    for row in rows:
        change = changes.get(row["case"], changes.get(place_of(row)))
        if change is not None:
            row.update({**DECIDED, **change})
    with out.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return out
