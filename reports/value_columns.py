"""Columns of values of measures, for data frames and for tables as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ..data.joined_names import split_columns
from ..metrics.estimate import Estimate
from ..metrics.measures import measure_of
from ..metrics.pair_names import members_of_pair
from .columns import interval, number, text, values_by_column

PARTS: Mapping[str, Callable[[Estimate], float | str | None]] = MappingProxyType(
    {
        "k": lambda one: one.detail.k or None,
        "annotator": lambda one: one.detail.annotator,
        "category": lambda one: category_of(one),
        "first": lambda one: one.detail.first,
        "second": lambda one: one.detail.second,
    }
)
"""What identifies one of several values of a measure."""


def category_of(one: Estimate) -> str:
    """Return the category of a value; "" for a value over all categories."""
    is_whole = one.detail.category == "all" and not measure_of(one.measure).by_category
    return "" if is_whole else one.detail.category


def value_columns(
    values: Sequence[Estimate], by: str = "", parts: Sequence[str] = ()
) -> dict[str, list[Any]]:
    """Return the columns of a table with a row for each value.

    by, parts  first column, if the values are for parts: its name, and the names of the parts
    """
    own = [name for name, part in PARTS.items() if any(part(one) for one in values)]
    limits = any(one.measure == "mean_difference" for one in values)
    distances = {one.how.distance for one in values} - {"", None, "nominal"}
    columns = values_by_column(
        values,
        text("measure", lambda one: one.measure),
        text("distance", lambda one: one.how.distance, when=bool(distances)),
        *(text(name, PARTS[name]) for name in own),
        number("value", lambda one: one.value),
        interval("", lambda one: one.interval),
        number("confidence_level", lambda one: one.confidence_level),
        number("observed", lambda one: one.observed),
        number("expected", lambda one: one.expected),
        number("n_items", lambda one: one.n_items),
        number("n_annotators", lambda one: one.n_annotators),
        text("reason", lambda one: str(one.reason or "")),
        number("lower_limit", lambda one: one.detail.lower, when=limits),
        number("upper_limit", lambda one: one.detail.upper, when=limits),
    )
    return {**_columns_of_parts(by, parts), **columns} if parts else columns


def _columns_of_parts(by: str, parts: Sequence[str]) -> dict[str, list[Any]]:
    """Return the names of the parts, the annotators of pairs, or the columns that are crossed."""
    if by != "pair":
        return split_columns(by, parts)
    first, second = zip(*map(members_of_pair, parts), strict=True)
    return {by: [*parts], "first": [*first], "second": [*second]}
