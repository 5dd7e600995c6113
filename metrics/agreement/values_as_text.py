"""Labels and names of any type, as data frames and arrays hold them, as texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from ...data.whole_numbers import without_decimals
from ..errors import MetricsError
from ..item_name import ItemName


def labels_as_text(values: Sequence[Any]) -> Sequence[str | None]:
    """Convert labels to text, missing ones to None; whole numbers have no decimal point."""
    if set(map(type, values)) <= {str}:
        written = {one: without_decimals(one) for one in set(values)}
        is_plain = all(one == other for one, other in written.items())
        return values if is_plain else [written[one] for one in values]
    return [_label_or_none(value) for value in values]


def _is_missing(value: Any) -> bool:
    """Whether the value is None, NaN or pandas' NA."""
    kind = type(value)
    if kind.__name__ in ("NAType", "NaTType") and "pandas" in kind.__module__:
        return True
    return value is None or (isinstance(value, Real) and math.isnan(value))


def _label_or_none(value: Any) -> str | None:
    kind = type(value)
    if _is_missing(value):
        return None
    if isinstance(value, str):
        return without_decimals(value)
    if isinstance(value, bool | np.bool_):
        return str(value)
    if isinstance(value, Integral):
        return str(int(float(value)))
    if not isinstance(value, Real):
        several = "; several labels on an item are read by agreement()"
        raise MetricsError(
            f"{value!r} is a {kind.__name__}, but a label must be a string, a number or None"
            + (several if isinstance(value, list | tuple | set | frozenset) else "")
        )
    number = float(value)
    if math.isinf(number):
        raise MetricsError("a label is infinite: write None where there is no label")
    return str(int(number)) if number.is_integer() else repr(number)


def names_as_text(values: Sequence[Any], what: str) -> Sequence[str]:
    """Convert names to text. Raises MetricsError for one that is missing or cannot be a name.

    what  is named, for messages
    """
    if set(map(type, values)) <= {str, ItemName}:
        return values
    missing = next((row for row, value in enumerate(values) if _is_missing(value)), None)
    if missing is not None:
        raise MetricsError(f"row {missing} (from 0) has no {what}")
    return [_name_as_text(value, what) for value in values]


def _name_as_text(value: Any, what: str) -> str:
    if isinstance(value, Real) and not isinstance(value, Integral):
        if not float(value).is_integer():
            raise MetricsError(f"the {what} {value!r} is a number that is not whole, and no name")
        return str(int(float(value)))
    if isinstance(value, Iterable) and not isinstance(value, str):
        raise MetricsError(f"the {what} {value!r} is a {type(value).__name__}, and no name")
    return str(value)
