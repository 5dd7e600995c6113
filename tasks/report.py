"""Summaries of a run to its results document, its page and its tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from prefect import task

from data.schema import State
from data.store import Store
from metrics.signature import VERSION
from reports import results as page
from reports.notices import notice
from reports.privacy import without_text
from reports.render import render
from reports.summary import markdown_summary
from tasks.layers import accepted, accepted_of_all

_PACKAGES = (
    "prefect", "dask", "distributed", "great-expectations", "numpy", "numba", "pyarrow", "scipy",
)  # fmt: skip
_STATE_ORDER = [State.NOT_ASSIGNED, State.UNFINISHED, State.FINISHED_EMPTY, State.FINISHED]


@dataclass(frozen=True, slots=True)
class GateSpec:
    measure: str
    layer: str | None
    at_least: float | None
    at_most: float | None
    on: str = "value"


@dataclass(frozen=True, slots=True)
class ReportSpec:
    """What the report says of the campaign besides numbers, as plain values."""

    campaign: Mapping[str, Any]
    gates: tuple[GateSpec, ...] = ()
    on_rejected: str = "continue"
    language: str = "en"
    seed: int = 0
    command: str = ""
    config_hash: str = ""
    documents_shown: int = 200
    rejected_shown: int = 500


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What a run found besides its summaries."""

    started: str
    input_hash: str
    inputs: Mapping[str, str]
    stages: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    history: Sequence[Mapping[str, Any]] = field(default_factory=tuple)


def assemble(
    store_url: str,
    shards: Sequence[Mapping[str, Any]],
    summaries: Sequence[str],
    tagsets: Mapping[str, Sequence[str]],
    roles: Mapping[str, str],
    spec: ReportSpec,
    facts: RunFacts,
    folder: str,
) -> dict[str, Any]:
    """Write `report.html`, `results.json`, `summary.md` and the tables below `folder`.

    Returns what a flow needs of them: gates, counts of rows, and where the report is.
    """
    store = Store(store_url)
    keys = [shard["key"] for shard in shards]
    parts = [store.read_json(path) for path in summaries]
    validation = _validation(store, shards, spec)
    items = [page.ItemAgreement.model_validate(p["items"]) for p in parts if "items" in p]
    units = [page.UnitAgreement.model_validate(p["units"]) for p in parts if "units" in p]
    disagreements = sorted(
        (
            page.Disagreement.model_validate(one)
            for part in parts
            for one in part.get("disagreements", [])
        ),
        key=lambda one: (-one.cost, one.layer, one.document, one.where),
    )
    campaign = dict(spec.campaign)
    results = page.Results(
        campaign=page.Campaign(**campaign, tagsets={k: list(v) for k, v in tagsets.items()}),
        run=page.Run(
            version=VERSION,
            input_hash=facts.input_hash,
            config_hash=spec.config_hash,
            seed=spec.seed,
            command=spec.command,
            started=facts.started,
            versions={name: version(name) for name in _PACKAGES},
            inputs=dict(facts.inputs),
            stages=[page.Stage(**stage) for stage in facts.stages],
        ),
        annotators=_annotators(store, shards, roles),
        gates=_gates(spec.gates, items, units),
        coverage=_coverage(store, shards, spec),
        validation=validation,
        distributions=[
            page.Distribution.model_validate(one)
            for part in parts
            for one in ([part["distribution"]] if "distribution" in part else [])
            + part.get("distributions", [])
        ],
        items=items,
        units=units,
        resampling=[
            page.Resampling.model_validate(p["resampling"]) for p in parts if "resampling" in p
        ],
        grids=[page.GridCurve.model_validate(g) for p in parts for g in p.get("grids", [])],
        readings=[page.Reading.model_validate(r) for p in parts for r in p.get("readings", [])],
        reading_tables=[
            page.ReadingTable.model_validate(t) for p in parts for t in p.get("reading_tables", [])
        ],
        references=[
            page.ReferenceSummary.model_validate(p["reference"]) for p in parts if "reference" in p
        ],
        validity=[
            page.Validity.model_validate(one) for part in parts for one in part.get("validity", [])
        ],
        disagreements=disagreements[:200],
        history=[page.RunPoint(**point) for point in facts.history],
        alerts=_alerts(validation, units),
    )
    if results.campaign.privacy:
        results = without_text(results)
    html = render(results, language=spec.language)  # type: ignore[arg-type]  # checked by the campaign file
    store.write_bytes(f"{folder}/report.html", html.encode())
    store.write_bytes(f"{folder}/summary.md", markdown_summary(results).encode())
    store.write_json(f"{folder}/results.json", results.model_dump(mode="json"))
    store.write_table(f"{folder}/values.parquet", values_table(results))
    store.write_table(f"{folder}/rejected.parquet", accepted_of_all(store, keys, "rejected"))
    store.write_table(f"{folder}/assignments.parquet", accepted_of_all(store, keys, "assignments"))
    return {
        "folder": folder,
        "report": store.location(f"{folder}/report.html"),
        "rows_in": validation.rows_in,
        "rows_accepted": validation.rows_accepted,
        "rows_rejected": validation.rows_rejected,
        "gates": [gate.model_dump(mode="json") for gate in results.gates],
        "main": [
            {"layer": part.layer, **value.model_dump(mode="json")}
            for part in _parts(results.items, results.units)
            for value in part.values
        ],
    }


def _validation(
    store: Store, shards: Sequence[Mapping[str, Any]], spec: ReportSpec
) -> page.Validation:
    merged: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    for shard in shards:
        for one in shard["checks"]:
            total = merged.setdefault(
                (one["table"], one["rule"], one["layer"], one["description"]),
                {"passed": True, "n_rows": 0, "n_unexpected": 0, "examples": []},
            )
            total["passed"] &= one["passed"]
            total["n_rows"] += one["n_rows"]
            total["n_unexpected"] += one["n_unexpected"]
            total["examples"] = list(dict.fromkeys([*total["examples"], *one["examples"]]))[:5]
    rejected: list[page.RejectedRow] = []
    for shard in shards:
        if len(rejected) >= spec.rejected_shown:
            break
        rows = accepted(store, shard["key"], "rejected").to_pylist()
        rejected += [page.RejectedRow(**row) for row in rows]
    rejected.sort(key=lambda row: (row.source, row.document, row.where, row.rule))
    return page.Validation(
        rows_in=sum(shard["rows_in"] for shard in shards),
        rows_accepted=sum(shard["rows_accepted"] for shard in shards),
        rows_rejected=sum(shard["rows_rejected"] for shard in shards),
        on_rejected=spec.on_rejected,
        expectations=[
            page.Expectation(name=rule, table=table, layer=layer, description=description, **total)
            for (table, rule, layer, description), total in merged.items()
        ],
        rejected=rejected[: spec.rejected_shown],
    )


def _annotators(
    store: Store, shards: Sequence[Mapping[str, Any]], roles: Mapping[str, str]
) -> list[page.Annotator]:
    counts: dict[str, dict[str, int]] = {
        name: {"n_documents": 0, "n_units": 0, "n_labels": 0} for name in roles
    }
    for shard in shards:
        for table, column in (("units", "n_units"), ("labels", "n_labels")):
            rows = accepted(store, shard["key"], table, columns=["annotator"])
            for entry in pc.value_counts(rows["annotator"].combine_chunks()).to_pylist():
                counts[entry["values"]][column] += entry["counts"]
        rows = accepted(store, shard["key"], "assignments")
        finished = pc.is_in(
            rows["state"], value_set=pa.array([State.FINISHED, State.FINISHED_EMPTY])
        )
        documents = rows.filter(finished).group_by(["annotator", "document"]).aggregate([])
        for entry in pc.value_counts(documents["annotator"].combine_chunks()).to_pylist():
            counts[entry["values"]]["n_documents"] += entry["counts"]
    return [
        page.Annotator(name=name, role=roles[name], **of_name) for name, of_name in counts.items()
    ]


def _coverage(store: Store, shards: Sequence[Mapping[str, Any]], spec: ReportSpec) -> page.Coverage:
    """The furthest state of each annotator on each document, over layers and passes."""
    rank = {str(state): r for r, state in enumerate(_STATE_ORDER)}
    best: dict[str, dict[str, int]] = {}
    annotators: set[str] = set()
    counts = {str(state): 0 for state in State}
    n_documents = 0
    for shard in shards:
        n_documents += shard["n_documents"]
        states: dict[str, dict[str, int]] = {}
        for row in accepted(store, shard["key"], "assignments").to_pylist():
            of_document = states.setdefault(row["document"], {})
            r = rank[row["state"]]
            of_document[row["annotator"]] = max(r, of_document.get(row["annotator"], 0))
            annotators.add(row["annotator"])
        for of_document in states.values():
            for r in of_document.values():
                counts[str(_STATE_ORDER[r])] += 1
        if len(best) < spec.documents_shown:
            best.update(states)
    asked = sum(counts.values())
    counts[str(State.NOT_ASSIGNED)] += n_documents * len(annotators) - asked
    documents = sorted(best)[: spec.documents_shown]
    columns = sorted(annotators)
    return page.Coverage(
        documents=documents,
        annotators=columns,
        states=[
            [str(_STATE_ORDER[best[name].get(column, 0)]) for column in columns]
            for name in documents
        ],
        n_documents=n_documents,
        counts=counts,
    )


def _parts(
    items: Sequence[page.ItemAgreement], units: Sequence[page.UnitAgreement]
) -> list[page.ItemAgreement | page.UnitAgreement]:
    return [*items, *units]


def _gates(
    gates: Sequence[GateSpec],
    items: Sequence[page.ItemAgreement],
    units: Sequence[page.UnitAgreement],
) -> list[page.Gate]:
    """One line per gate and layer; on an undefined or missing value it fails with its reason."""
    found = []
    for gate in gates:
        operator = ">=" if gate.at_least is not None else "<="
        threshold = gate.at_least if gate.at_least is not None else gate.at_most
        if threshold is None:
            raise ValueError("a gate has no threshold")
        matching = [
            (part.layer, value)
            for part in _parts(items, units)
            for value in part.values
            if value.measure == gate.measure and gate.layer in (None, part.layer)
        ]
        if not matching:
            where = f" in layer {gate.layer}" if gate.layer else ""
            found.append(
                page.Gate(
                    measure=gate.measure,
                    layer=gate.layer or "",
                    operator=operator,
                    threshold=threshold,
                    value=math.nan,
                    passed=False,
                    reason=f"{gate.measure} was not computed{where}",
                    on=gate.on,
                )
            )
        for layer, value in matching:
            number = {
                "value": value.value,
                "lower bound": value.interval[0],
                "upper bound": value.interval[1],
            }[gate.on]
            reason = value.reason if math.isnan(value.value) else ""
            if not reason and math.isnan(number):
                reason = "the interval is undefined"
            passed = number >= threshold if operator == ">=" else number <= threshold
            found.append(
                page.Gate(
                    measure=gate.measure,
                    layer=layer,
                    operator=operator,
                    threshold=threshold,
                    value=number,
                    passed=bool(passed),
                    reason=reason,
                    on=gate.on,
                )
            )
    return found


def _alerts(validation: page.Validation, units: Sequence[page.UnitAgreement]) -> list[page.Notice]:
    found = []
    if validation.rows_rejected:
        found.append(notice("rows_rejected", n=validation.rows_rejected, rows=validation.rows_in))
    found += [
        notice("chance_imprecise", layer=part.layer, precision=process.precision)
        for part in units
        for process in part.chance
        if process.chosen and process.precision > 0.05
    ]
    return found


def values_table(results: page.Results) -> pa.Table:
    """Every number of the results as one row: layer, part, name, measure, value, interval …"""
    columns = (
        "layer", "part", "name", "measure", "value", "lower", "upper", "level", "observed",
        "expected", "n_items", "n_annotators", "reason", "signature",
    )  # fmt: skip
    rows = [
        dict(
            zip(
                columns,
                (
                    layer, part, name, v.measure, v.value, v.interval[0], v.interval[1], v.level,
                    v.observed, v.expected, v.n_items, v.n_annotators, v.reason, v.signature,
                ),
                strict=True,
            )
        )
        for layer, part, name, v in _all_values(results)
    ]  # fmt: skip
    texts = {"layer", "part", "name", "measure", "reason", "signature"}
    types = {name: pa.string() if name in texts else pa.float64() for name in columns}
    types |= {"n_items": pa.int64(), "n_annotators": pa.int64()}
    return pa.Table.from_pylist(rows, schema=pa.schema(list(types.items())))


def _all_values(results: page.Results) -> Iterator[tuple[str, str, str, page.Value]]:
    for part in _parts(results.items, results.units):
        for value in part.values:
            yield part.layer, "corpus", "", value
        for kind in ("per_category", "per_pair", "leave_one_out", "per_document"):
            for named in getattr(part, kind):
                yield part.layer, kind, named.name, named.value
    for validity in results.validity:
        for scores in (*validity.systems, *validity.human_range, *validity.baselines):
            for value in scores.values:
                yield scores.layer, f"against {validity.reference}", scores.system, value


@task(name="report")
def assemble_task(
    store_url: str,
    shards: Sequence[Mapping[str, Any]],
    summaries: Sequence[str],
    tagsets: Mapping[str, Sequence[str]],
    roles: Mapping[str, str],
    spec: ReportSpec,
    facts: RunFacts,
    folder: str,
) -> dict[str, Any]:
    return assemble(store_url, shards, summaries, tagsets, roles, spec, facts, folder)
