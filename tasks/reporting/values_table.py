"""All values of the results as one table."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ...data.column_descriptions import described
from ...reports import results as page
from ...reports.columns import interval, number, text, values_by_column
from .reported_values import ReportedValue, values_of

_NUMBERS = ("value", "lower", "upper", "level", "observed", "expected")


def values_table(results: page.Results) -> pa.Table:
    """Return one row per value: layer, part, name, measure, value, interval …"""
    columns = values_by_column(
        values_of(results),
        text("layer", lambda one: one.layer),
        text("part", _part),
        text("name", lambda one: one.name),
        text("measure", lambda one: one.value.measure),
        number("value", lambda one: one.value.value),
        interval("", lambda one: one.value.interval),
        number("level", lambda one: one.value.confidence_level),
        number("observed", lambda one: one.value.observed),
        number("expected", lambda one: one.value.expected),
        number("n_items", lambda one: one.value.n_items),
        number("n_annotators", lambda one: one.value.n_annotators),
        text("reason", lambda one: str(one.value.reason or "")),
        text("signature", lambda one: one.value.signature),
    )
    table = pa.table({name: _typed(name, cells) for name, cells in columns.items()})
    return table.cast(described(table.schema, campaign=results.campaign.name))


def _part(one: ReportedValue) -> str:
    return f"{one.part}, by {one.by}" if one.by else one.part


def _typed(name: str, cells: list[Any]) -> pa.Array:
    if name in _NUMBERS:
        return pa.array(cells, pa.float64())
    return pa.array(cells, pa.int64() if name.startswith("n_") else pa.string())
