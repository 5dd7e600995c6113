"""What the quick looks found, as plain values for JSON: null where a number is undefined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from data.schema import Rejected
from flows.wording import ALIGNMENT_MEASURES
from metrics.estimate import Estimate


class Found(NamedTuple):
    """What a quick look found: the values, the rows that were not measured, and what to look at."""

    estimates: list[Estimate]
    refused: list[Rejected]
    remarks: list[str]


def as_json(
    estimates: Sequence[Estimate], refused: Sequence[Rejected] = (), remarks: Sequence[str] = ()
) -> dict[str, Any]:
    """`{"results": […], "set_aside": […], "remarks": […]}`."""
    return {
        "results": [_plain(one) for one in estimates],
        "set_aside": rows_set_aside(refused),
        "remarks": list(remarks),
    }


def rows_set_aside(refused: Sequence[Rejected]) -> list[dict[str, str]]:
    """Every row that was not measured: where it stood, the rule it broke, its value."""
    return [asdict(row) for row in refused]


def _plain(estimate: Estimate) -> dict[str, Any]:
    row = asdict(estimate)
    detail = row.pop("detail")
    on_items = estimate.measure not in ALIGNMENT_MEASURES
    row["p_o"] = estimate.observed if on_items else math.nan
    row["p_e"] = estimate.expected if on_items else math.nan
    if estimate.measure == "modification_rate":
        row = {"k": detail["k"], "modification_rate": row["value"], **row}
    row["detail"] = detail
    return {key: _null(value) for key, value in row.items()}


def _null(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (tuple, list)):
        return [_null(one) for one in value]
    if isinstance(value, dict):
        return {key: _null(one) for key, one in value.items()}
    return value
