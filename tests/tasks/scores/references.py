"""A shard of accepted records, references built of it, systems scored against them; no flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from accordeur.data.intake.sorted_runs import SLOT_BITS
from accordeur.data.intake.spill import read_slots, spill
from accordeur.data.schema import SCHEMAS, Record
from accordeur.data.store.store import Store
from accordeur.data.validation.preparation import prepare
from accordeur.data.validation.rule import Declared
from accordeur.metrics.options import Sampling
from accordeur.tasks.analysis import count, summary_node
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.node import complete
from accordeur.tasks.options import ScoringSettings
from accordeur.tasks.references.build import ReferenceRule, copy_released_files, reference_node
from accordeur.tasks.references.reference_settings import ReferenceSettings
from accordeur.tasks.references.release import slug
from accordeur.tasks.scores.scores_of_run import ScoreAnalysis
from accordeur.tasks.scores.sides_of_shard import Against
from accordeur.tasks.units.alignment import DissimilaritySpec

KEY = "shard"

QUICK = ScoringSettings(Sampling(20))

MEASURE = DissimilaritySpec()


def accept(store: Store, records: Sequence[Record]) -> None:
    """Put records into the store as one accepted shard, through the project's own preparation."""
    spilled = spill(iter(records), store, "source")
    raw = {}
    for name, files in spilled.files.items():
        part = read_slots(store, files, name, 0, 1 << SLOT_BITS)
        raw[name] = part.append_column("origin", pa.array([0] * part.num_rows, pa.int32()))
    for name in SCHEMAS:
        raw.setdefault(
            name,
            SCHEMAS[name].empty_table().append_column("origin", pa.array([], pa.int32())),
        )
    layers = [sorted(name or table for table, names in spilled.layers.items() for name in names)]
    prepared = prepare(raw, Declared(), layers)
    for name, table in prepared.tables.items():
        store.write_table(f"accepted/{KEY}/{name}.parquet", table)


def build(
    store: Store, layer: LayerSpec, settings: ReferenceSettings
) -> tuple[dict[str, Any], Against]:
    [built] = complete(store, [reference_node([KEY], ReferenceRule(layer, MEASURE, settings))])
    copy_released_files(store, built.place, f"reports/run-0001/reference/{slug(layer.name)}")
    return store.read_json(built.fields)["references"][0], Against(settings.name, built.place)


def scored(store: Store, layer: LayerSpec, built: Against, **more: Any) -> dict[str, Any]:
    analysis = ScoreAnalysis(layer, QUICK, built, MEASURE, **more)
    node = summary_node(analysis, count(store.url, [KEY], [analysis]))
    [validity] = store.read_json(complete(store, [node])[0].fields)["validity"]
    return validity


def values(scores: dict[str, Any]) -> dict[str, float | None]:
    return {value["measure"]: value["value"] for value in scores["values"]}
