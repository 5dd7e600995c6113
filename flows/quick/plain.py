"""What the quick looks found, as plain values for JSON: null where a number is undefined."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from data.schema import Rejected
from metrics.estimate import Estimate
from metrics.look_alikes import look_alikes


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


def remarks_on(tagset: Iterable[str], annotators: Iterable[str]) -> list[str]:
    """Categories and annotators that look the same, each group as a sentence."""
    return [*remarks_on_names("categories", tagset), *remarks_on_names("annotators", annotators)]


def remarks_on_names(what: str, names: Iterable[str]) -> list[str]:
    """Names that look the same, each group as a sentence."""
    return [
        f"{' and '.join(map(_written(group), group))} are counted as different {what}, and "
        "differ only in case, white space, the encoding of letters or the writing of a number"
        for group in look_alikes(names)
    ]


def _written(names: Sequence[str]) -> Callable[[str], str]:
    """How to write names so that they can be told apart: by code points where they look one."""
    same = len({unicodedata.normalize("NFC", name) for name in names}) < len(names)
    return ascii if same else repr


def rows_set_aside(refused: Sequence[Rejected]) -> list[dict[str, str]]:
    """Every row that was not measured: where it stood, the rule it broke, its value."""
    return [asdict(row) for row in refused]


def _plain(estimate: Estimate) -> dict[str, Any]:
    row = asdict(estimate)
    detail = row.pop("detail")
    on_items = not estimate.measure.startswith("gamma")  # a disorder is no share of agreement
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
