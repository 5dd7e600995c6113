"""Raw rows to accepted tables, one task a group of shards; Great Expectations judges the group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from prefect import task

from data.preparation import UNNAMED_LAYER, Prepared, prepare
from data.rules import Declared
from data.schema import SCHEMAS, State
from data.spill import SPILL_SCHEMAS, read_slots
from data.store import Store, content_hash, settings_hash
from metrics.signature import VERSION

_EXAMPLES = 1000


@dataclass(frozen=True, slots=True)
class ValidationSpec:
    """What the campaign file says of validation, as plain values.

    pseudonyms  name → shown name; nothing downstream sees the names
    """

    declared: Declared
    pseudonyms: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shard:
    """A range of document slots: `low` ≤ slot < `high`."""

    number: int
    low: int
    high: int


def validate(
    store_url: str,
    sources: Sequence[Mapping[str, Any]],
    shards: Sequence[Shard],
    spec: ValidationSpec,
    *,
    fresh: bool = False,
) -> dict[str, Any]:
    """Prepare and check a group of shards.

    sources: what `tasks.ingest` returned of each. Returns `shards` (a summary of each, see
    `_summary`) and `checks` (expectations on the rows of the shards that were not in the store;
    those of the others were kept beside their tables).
    """
    store = Store(store_url)
    layers = [_layer_names(source["layers"]) for source in sources]
    summaries: list[dict[str, Any]] = []
    for shard in shards:
        raw = _read_raw(store, [source["files"] for source in sources], shard)
        if not any(table.num_rows for table in raw.values()):
            continue
        # Rows keep their order; their numbers move when an earlier row of the source goes.
        columns = {name: table.drop_columns(["slot", "row"]) for name, table in raw.items()}
        key = settings_hash(
            content_hash([columns[name] for name in sorted(columns)]),
            layers,
            asdict(spec.declared),
            dict(spec.pseudonyms),
            VERSION,
        )
        place = f"accepted/{key}"
        if not fresh and store.exists(f"{place}/summary.json"):
            kept: dict[str, Any] = store.read_json(f"{place}/summary.json")
            if all(store.is_whole(f"{place}/{name}.parquet") for name in SCHEMAS):
                summaries.append({**kept, "shard": shard.number, "reused": True})
                continue
        prepared = prepare(raw, spec.declared, layers)
        checks = _checked(prepared, spec.declared)
        tables = {
            name: _renamed(table, spec.pseudonyms)
            for name, table in {**prepared.tables, "rejected": prepared.rejected}.items()
        }
        for name, table in tables.items():
            store.write_table(f"{place}/{name}.parquet", table)
        summary = _summary(key, prepared, tables, checks)
        store.write_json(f"{place}/summary.json", summary)
        summaries.append({**summary, "shard": shard.number, "reused": False})
    return {"shards": summaries}


def _layer_names(layers: Mapping[str, Sequence[str]]) -> list[str]:
    return sorted(name or UNNAMED_LAYER[table] for table, names in layers.items() for name in names)


def _read_raw(
    store: Store, files: Sequence[Mapping[str, Sequence[str]]], shard: Shard
) -> dict[str, pa.Table]:
    raw = {}
    for name in SCHEMAS:
        parts = []
        for origin, by_table in enumerate(files):
            part = read_slots(store, list(by_table[name]), name, shard.low, shard.high)
            parts.append(
                part.append_column("origin", pa.array([origin] * part.num_rows, pa.int32()))
            )
        empty = SPILL_SCHEMAS[name].append(pa.field("origin", pa.int32())).empty_table()
        raw[name] = pa.concat_tables([empty, *parts])
    return raw


def _checked(prepared: Prepared, declared: Declared) -> list[dict[str, Any]]:
    """The expectations' outcome. Raises RuntimeError if they and the masks count differently."""
    from data.checks import check

    checks = check(prepared.views, declared)
    found: dict[tuple[str, str], int] = {}
    for one in checks:
        found[one.table, one.rule] = found.get((one.table, one.rule), 0) + one.n_unexpected
    for rule, n_unexpected in found.items():
        if prepared.broken[rule] != n_unexpected:
            raise RuntimeError(
                f"rule {rule[1]!r} on {rule[0]}: the expectation counts {n_unexpected} rows, the "
                f"mask {prepared.broken[rule]}; please report this with the campaign file"
            )
    return [asdict(one) for one in checks]


def _renamed(table: pa.Table, pseudonyms: Mapping[str, str]) -> pa.Table:
    """Names of annotators replaced by their pseudonyms, in the paths of sources too."""
    if not pseudonyms:
        return table
    for column in ("annotator", "source", "value", "message"):
        if column not in table.column_names:
            continue
        values = table[column].to_pylist()
        if column == "annotator":
            changed = [pseudonyms.get(value, value) for value in values]
        else:
            changed = [_replaced(value, pseudonyms) for value in values]
        position = table.column_names.index(column)
        table = table.set_column(position, column, pa.array(changed, pa.string()))
    return table


def _replaced(text: str | None, pseudonyms: Mapping[str, str]) -> str | None:
    for name, pseudonym in pseudonyms.items():
        if text and name in text:
            text = text.replace(name, pseudonym)
    return text


def _summary(
    key: str,
    prepared: Prepared,
    tables: Mapping[str, pa.Table],
    checks: list[dict[str, Any]],
) -> dict[str, Any]:
    """What later stages need to know of a shard without opening its tables."""
    units, labels = tables["units"], tables["labels"]
    return {
        "key": key,
        "rows_in": prepared.rows_in,
        "rows_accepted": prepared.rows_accepted,
        "rows_rejected": prepared.rows_rejected,
        "n_documents": tables["documents"].num_rows,
        "n_units": units.num_rows,
        "n_labels": labels.num_rows,
        "n_relations": tables["relations"].num_rows,
        "unit_layers": _tagset_counts(units["layer"], units["category"]),
        "label_layers": _tagset_counts(labels["layer"], pc.binary_join(labels["labels"], "\x1f")),
        "unit_length": _unit_lengths(units),
        "roles": _roles(tables["assignments"]),
        "taking_part": _taking_part(tables["assignments"]),
        "states": _counted(tables["assignments"]["state"]),
        "checks": checks,
    }


def _tagset_counts(layers: pa.ChunkedArray, values: pa.ChunkedArray) -> dict[str, dict[str, int]]:
    """Layer → category → rows; several labels of one item are one entry, joined by \\x1f."""
    counted = pa.table({"layer": layers, "value": values}).group_by(["layer", "value"])
    found: dict[str, dict[str, int]] = {}
    for row in counted.aggregate([([], "count_all")]).to_pylist():
        found.setdefault(row["layer"], {})[row["value"]] = row["count_all"]
    return found


def _unit_lengths(units: pa.Table) -> dict[str, int]:
    """Summed lengths by layer: the mean unit length of the campaign comes from added sums."""
    lengths = pc.subtract(units["end"], units["start"])
    summed = pa.table({"layer": units["layer"], "length": lengths}).group_by("layer")
    rows = summed.aggregate([("length", "sum")]).to_pylist()
    return {row["layer"]: int(row["length_sum"]) for row in rows}


def _roles(assignments: pa.Table) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    pairs = assignments.group_by(["annotator", "role"]).aggregate([]).to_pylist()
    for row in pairs:
        if row["role"] is not None:
            found.setdefault(row["annotator"], set()).add(row["role"])
        else:
            found.setdefault(row["annotator"], set())
    return {name: sorted(roles) for name, roles in sorted(found.items())}


def _taking_part(assignments: pa.Table) -> dict[str, dict[str, int]]:
    """Layer → annotator → number of documents finished (with units or labels, or empty)."""
    finished = pc.is_in(
        assignments["state"], value_set=pa.array([State.FINISHED, State.FINISHED_EMPTY])
    )
    rows = assignments.filter(finished).group_by(["layer", "annotator"])
    found: dict[str, dict[str, int]] = {}
    for row in rows.aggregate([([], "count_all")]).to_pylist():
        found.setdefault(row["layer"], {})[row["annotator"]] = row["count_all"]
    return found


def _counted(column: pa.ChunkedArray) -> dict[str, int]:
    counted = {str(state): 0 for state in State}
    for entry in pc.value_counts(column.combine_chunks()).to_pylist():
        counted[entry["values"]] = entry["counts"]
    return counted


@task(name="validate")
def validate_task(
    store_url: str,
    sources: Sequence[Mapping[str, Any]],
    shards: Sequence[Shard],
    spec: ValidationSpec,
    *,
    fresh: bool = False,
) -> dict[str, Any]:
    return validate(store_url, sources, shards, spec, fresh=fresh)
