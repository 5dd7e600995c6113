"""Scores of a campaign's systems, layer by layer: the driver of a run.

Counts are taken shard by shard from the store, merged and summarised as those of exports are. The
reference is the annotators' with that role; where there is none, the one that the run built
(`tasks.references`), whose name in the report says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from prefect import task

from ...data.schema import State
from ...data.store.hashes import settings_hash
from ...data.store.store import Store
from ...metrics.estimate import Estimate
from ...metrics.scoring.compare import Comparison
from ...metrics.signature import VERSION
from ...reports import results as page
from ...reports.warnings import warning_json
from ..layers import (
    FIRST_PASS,
    LayerSpec,
    accepted,
    continua_of,
    document_names,
    finished_passes,
    label_rows,
    matrix_of,
)
from ..units.alignment import DissimilaritySpec
from . import labels, units
from .evaluation import Evaluation, Presence, ScoringSettings, Wanted, compare_pairs
from .human_range import HumanRange, range_of_humans

_LABEL_COLUMNS = ["document", "item", "annotator", "label"]


@dataclass(frozen=True, slots=True)
class Against:
    """`place` is None for an annotator's own rows, else where the built reference's rows are."""

    name: str
    place: str | None = None


def score_layer(
    store_url: str,
    keys: Sequence[str],
    layer: LayerSpec,
    settings: ScoringSettings,
    *,
    built: Against | None = None,
    dissimilarity: DissimilaritySpec | None = None,
    human_range: HumanRange | None = None,
) -> str:
    """Scores of every system of the layer against each of its references, as JSON; its path.

    built          the reference that the run made, taken where nobody has the role
    dissimilarity  the campaign's, for the observed disorder of units
    human_range    each human against the others' reference, to read beside
    """
    store = Store(store_url)
    key = settings_hash(
        list(keys), asdict(layer), asdict(settings), str(built), str(dissimilarity),
        str(human_range), VERSION,
    )  # fmt: skip
    references = [Against(name) for name in layer.references] or ([built] if built else [])
    found = []
    for reference in references:
        scored = _validity(store, keys, layer, reference, settings, dissimilarity)
        if human_range is not None:
            people = range_of_humans(store, keys, layer, human_range, settings.sampling())
            scored = scored.model_copy(update={"human_range": people})
        found.append(scored)
    alerts = [warning_json(one) for scored in found for one in scored.notices]
    return store.write_json(
        f"summaries/scores-{key}.json",
        {
            "validity": [one.model_dump(mode="json") for one in found],
            "alerts": list({one["text"]: one for one in alerts}.values()),
        },
    )


score_layer_task = task(name="score systems", task_run_name="score systems {layer.name}")(
    score_layer
)


def _validity(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    reference: Against,
    settings: ScoringSettings,
    dissimilarity: DissimilaritySpec | None,
) -> page.Validity:
    """Every system's scores against one reference, with baselines and comparisons."""
    if layer.is_labels:
        built = None
        if reference.place is not None:
            built = store.read_table(f"{reference.place}/reference.parquet", columns=_LABEL_COLUMNS)
        items = labels.merge_labels(
            [_count_labels(store, key, layer, reference.name, built, settings) for key in keys]
        )
        evaluation = labels.summarise_labels(items, settings, _reported(labels.MAIN))
    else:
        rows = units.merge_units(
            [_count_units(store, key, layer, reference.name, settings) for key in keys]
        )
        if reference.place is not None:
            rows = replace(rows, reference=_built_units(store, reference.place, layer))
        evaluation = units.summarise_units(
            rows,
            settings,
            _reported(units.MAIN),
            dissimilarity=None if dissimilarity is None else dissimilarity.for_layer(layer),
        )
    return _as_validity(evaluation, layer, reference.name, settings)


def _reported(main: str) -> Wanted:
    """What the report shows; of units no macro averages, by category the exact match alone."""

    def values(measure: str, category: str) -> bool:
        if category:
            return measure in ("precision", "recall", "f") or measure.startswith("exact_")
        return "_macro_" not in measure

    return Wanted(values, lambda measure: measure == main)


def _count_labels(
    store: Store,
    key: str,
    layer: LayerSpec,
    reference: str,
    built: pa.Table | None,
    settings: ScoringSettings,
) -> labels.LabelSides:
    """The labels of a shard; those of a reference that the run built are taken from its rows."""
    columns = [reference, *layer.systems]
    rows = label_rows(store, key, layer, columns)
    if built is not None:
        here = accepted(store, key, "documents", columns=["document"])["document"]
        of_shard = built.filter(pc.is_in(built["document"], value_set=here.combine_chunks()))
        by_systems = pc.is_in(rows["annotator"], value_set=pa.array(layer.systems, pa.string()))
        rows = pa.concat_tables([rows.filter(by_systems).select(_LABEL_COLUMNS), of_shard])
    matrix = matrix_of(rows, layer, columns, "system")
    homes = np.empty(0, np.int64) if matrix.documents is None else matrix.documents
    return labels.LabelSides(
        matrix.codes[:, 0],
        {system: matrix.codes[:, column] for column, system in enumerate(layer.systems, start=1)},
        _presence(store, key, layer, settings),
        homes,
        document_names(matrix),
        layer.tagset,
        layer.distance,
        layer.distance_matrix(),
    )


def _count_units(
    store: Store, key: str, layer: LayerSpec, reference: str, settings: ScoringSettings
) -> units.UnitSides:
    """The units of a shard; a reference that the run built has none in it."""
    return units.UnitSides(
        _unit_rows(store, key, layer, reference, "reference"),
        {system: _unit_rows(store, key, layer, system, "system") for system in layer.systems},
        _presence(store, key, layer, settings),
        layer.tagset,
    )


def _unit_rows(
    store: Store, key: str, layer: LayerSpec, annotator: str, role: str
) -> dict[str, units.UnitRows]:
    """The rows of every document that the annotator finished."""
    return {
        document: np.stack([one.starts, one.ends, one.categories], axis=1).astype(np.int64)
        for document, one, _ in continua_of(store, key, layer, [annotator], role)
    }


def _built_units(store: Store, place: str, layer: LayerSpec) -> dict[str, units.UnitRows]:
    """(start, end, category) rows of every document that the built reference speaks of."""
    documents = store.read_table(f"{place}/documents.parquet")["document"].to_pylist()
    found: dict[str, list[tuple[int, int, int]]] = {name: [] for name in documents}
    code = {category: k for k, category in enumerate(layer.tagset)}
    for row in store.read_table(f"{place}/reference.parquet").to_pylist():
        found[row["document"]].append((row["start"], row["end"], code.get(row["category"], -1)))
    return {name: np.array(rows, np.int64).reshape(-1, 3) for name, rows in found.items()}


def _presence(
    store: Store, key: str, layer: LayerSpec, settings: ScoringSettings
) -> dict[str, Presence]:
    """Of each system: what it finished, and what an export or the campaign file says it was not
    assigned."""
    present: dict[str, set[str]] = {system: set() for system in layer.systems}
    excluded: dict[str, set[str]] = {system: set() for system in layer.systems}
    for document, annotator, pass_ in finished_passes(store, key, layer.name):
        if annotator in present and pass_ == FIRST_PASS:
            present[annotator].add(document)
    rows = accepted(store, key, "assignments")
    rows = rows.filter(pc.equal(rows["state"], str(State.NOT_ASSIGNED)))
    for row in rows.select(["document", "annotator", "layer"]).to_pylist():
        if row["annotator"] in excluded and row["layer"] in ("", layer.name):
            excluded[row["annotator"]].add(row["document"])
    documents = accepted(store, key, "documents", columns=["document"])["document"].to_pylist()
    for system, pattern in settings.not_assigned:
        if system in excluded:
            excluded[system].update(filter(re.compile(pattern).search, documents))
    return {system: Presence(present[system], excluded[system]) for system in layer.systems}


def _as_validity(
    evaluation: Evaluation, layer: LayerSpec, reference: str, settings: ScoringSettings
) -> page.Validity:
    """The evaluation as the results document has it."""
    kind = "items" if layer.is_labels else "units"
    return page.Validity(
        reference=reference,
        systems=[
            page.SystemScores(
                system=system,
                layer=layer.name,
                kind=kind,
                values=list(one.values),
                per_category=[
                    page.Named(name=category, value=value)
                    for category, values in one.by_category.items()
                    for value in values
                ],
                errors=one.errors,
                n_documents=one.documents.scored,
                n_missing_documents=one.documents.missing,
                n_not_assigned=one.documents.not_assigned,
            )
            for system, one in evaluation.systems.items()
        ],
        comparisons=[
            _comparison(one, layer, measure)
            for measure, one in compare_pairs(evaluation.compared, settings)
        ],
        baselines=[_baseline(one, layer, kind) for one in evaluation.baselines],
        notices=[
            notice
            for system, one in evaluation.systems.items()
            for notice in one.documents.notices(system)
        ],
    )


def _baseline(estimate: Estimate, layer: LayerSpec, kind: str) -> page.SystemScores:
    """What costs nothing, under its own name: the same for every system."""
    category = estimate.detail.get("category")
    name = estimate.measure.replace("_", " ") + (f": {category}" if category else "")
    return page.SystemScores(system=name, layer=layer.name, kind=kind, values=[estimate])


def _comparison(one: Comparison, layer: LayerSpec, measure: str) -> page.SystemComparison:
    return page.SystemComparison(
        layer=layer.name,
        measure=measure,
        first=one.first,
        second=one.second,
        difference=one.difference,
        interval=one.interval,
        level=one.level,
        p_value=one.p_randomisation,
        p_corrected=one.p_corrected,
        reason=one.reason,
    )
