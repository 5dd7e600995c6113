"""What later stages need to know of a shard without opening its tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...data.blocks import set_names
from ...data.schema import State
from ...data.validation.merging import all_refused
from ...data.validation.preparation import Prepared


def shard_facts(key: str, prepared: Prepared, tables: Mapping[str, pa.Table]) -> dict[str, Any]:
    """The facts of a shard's receipt; `tables` are the prepared ones."""
    units, labels = tables["units"], tables["labels"]
    return {
        "key": key,
        "rows_in": prepared.rows_in,
        "rows_accepted": prepared.rows_accepted,
        "rows_rejected": prepared.rows_rejected,
        "rows_excluded": _n_excluded(tables["excluded"]),
        "n_documents": tables["documents"].num_rows,
        "n_units": units.num_rows,
        "n_labels": labels.num_rows,
        "n_relations": tables["relations"].num_rows,
        "unit_layers": _tagset_counts(units["layer"], units["category"]),
        "label_layers": _tagset_counts(labels["layer"], set_names(labels["labels"])),
        "relation_layers": _tagset_counts(
            tables["relations"]["layer"], tables["relations"]["category"]
        ),
        "relating": _tagset_counts(tables["relations"]["layer"], tables["relations"]["annotator"]),
        "unit_length": _unit_lengths(units),
        "roles": _roles(tables["assignments"]),
        "taking_part": _taking_part(tables["assignments"]),
        "n_all_refused": _n_all_refused(prepared),
        "n_counted_unlike": _n_counted_unlike(prepared.views["documents"], prepared.views["units"]),
        "states": _counted(tables["assignments"]["state"]),
        "checks": [asdict(one) for one in prepared.checks],
    }


def _n_excluded(excluded: pa.Table) -> dict[str, int]:
    """Reason → rows that the readers did not emit."""
    summed = excluded.group_by("reason").aggregate([("n_rows", "sum")]).to_pylist()
    return {row["reason"]: row["n_rows_sum"] for row in summed}


def _tagset_counts(layers: pa.ChunkedArray, values: pa.ChunkedArray) -> dict[str, dict[str, int]]:
    """Layer → category → rows."""
    counted = pa.table({"layer": layers, "value": values}).group_by(["layer", "value"])
    found: dict[str, dict[str, int]] = {}
    for row in counted.aggregate([([], "count_all")]).to_pylist():
        found.setdefault(row["layer"], {})[row["value"]] = row["count_all"]
    return found


def _unit_lengths(units: pa.Table) -> dict[str, int]:
    """Summed lengths by layer: the mean unit length of the campaign comes from added sums."""
    lengths = pc.subtract(units["end_offset"], units["start_offset"])
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


def _n_all_refused(prepared: Prepared) -> int:
    """How often everything that somebody found in a document was refused."""
    rows = prepared.tables["assignments"]
    lost = rows.filter(all_refused(rows, prepared.tables, prepared.rejected))
    return int(lost.group_by(["document", "annotator"]).aggregate([]).num_rows)


def _n_counted_unlike(documents: pa.Table, units: pa.Table) -> int:
    """Documents whose units are in several offset units: characters here, milliseconds there."""
    if pc.count_distinct(documents["offset_unit"]).as_py() < 2:
        return 0
    with_units = units.group_by(["document", "origin"]).aggregate([])
    ways = documents.filter(pc.is_in(_by_origin(documents), value_set=_by_origin(with_units)))
    ways = ways.group_by(["document", "offset_unit"]).aggregate([]).group_by("document")
    return int(pc.sum(pc.greater(ways.aggregate([([], "count_all")])["count_all"], 1)).as_py() or 0)


def _by_origin(rows: pa.Table) -> pa.Array:
    origin = pc.cast(rows["origin"], pa.string())
    return pc.binary_join_element_wise(origin, rows["document"], " ").combine_chunks()


def _counted(column: pa.ChunkedArray) -> dict[str, int]:
    counted = {str(state): 0 for state in State}
    for entry in pc.value_counts(column.combine_chunks()).to_pylist():
        counted[entry["values"]] = entry["counts"]
    return counted
