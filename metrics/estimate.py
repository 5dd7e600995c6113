"""A value of a measure with its interval, its counts and its signature."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypedDict, Unpack

from .estimate_detail import NO_DETAIL, Detail
from .reason import Reason, reason_fields, reason_from
from .signature import NO_HOW, How

NO_INTERVAL = (math.nan, math.nan)


@dataclass(frozen=True, slots=True)
class Estimate:
    """One value of one measure.

    `value` is `nan` exactly if there is a `reason`. `observed` and `expected` are p_o and p_e for
    agreement measures, the observed and expected disorder for alignment measures, `nan` for other
    measures. `interval` is (lower, upper) at `confidence_level`, `nan` if none was requested.
    `n_items` counts what enters the value: of labels, the items with two or more, and
    `n_annotators` those who labelled any; `detail.n_unpaired` counts the items with one label.
    `detail` has further named figures of the measure.
    """

    measure: str
    value: float
    reason: Reason | None = None
    observed: float = math.nan
    expected: float = math.nan
    interval: tuple[float, float] = NO_INTERVAL
    confidence_level: float = 0.95
    n_items: int = 0
    n_annotators: int = 0
    how: How = NO_HOW
    detail: Detail = NO_DETAIL

    def __post_init__(self) -> None:
        if math.isnan(self.value) and self.reason is None:
            raise ValueError(f"{self.measure} is nan without a reason")

    @property
    def signature(self) -> str:
        """All settings in one line; "" if they are not known."""
        return self.how.signature

    @property
    def error_of_annotators(self) -> float | None:
        """Standard error over annotators of an interval for new ones, nan if it has none.

        None if the interval is not to hold for new annotators.
        """
        return self.detail.standard_error_annotators

    @property
    def is_for_new_annotators(self) -> bool:
        """Whether the interval is for new annotators as well as for new items or documents."""
        error = self.error_of_annotators
        return error is not None and math.isfinite(error)

    def as_json(self) -> dict[str, Any]:
        """Return the fields for JSON, with null for undefined numbers."""
        own = {key: getattr(self, name) for key, name in _in_json(type(self)).items()}
        own["detail"] = self.detail.given
        return json_value({**own, **reason_fields(self.reason)})  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Estimate:
        """Inverse of `as_json`. Raises ValueError for an unknown field."""
        own = {key: one for key, one in row.items() if key not in ("reason_code", "reason_figures")}
        names = _in_json(cls)
        if unknown := own.keys() - names.keys():
            raise ValueError(f"an estimate has no {', '.join(sorted(unknown))}")
        own = {"signature" if key == "signature" else names[key]: one for key, one in own.items()}
        low, high = own.get("interval", NO_INTERVAL)
        own |= {key: _or_nan(own[key]) for key in ("value", "observed", "expected") if key in own}
        own["reason"] = reason_from(row)
        own["interval"] = (_or_nan(low), _or_nan(high))
        own["how"] = How.read(own.pop("signature", ""))
        own["detail"] = Detail(**{key: _or_nan(one) for key, one in own.get("detail", {}).items()})
        return cls(**own)


class Figures(TypedDict, total=False):
    """Fields of `Estimate` that `estimate` does not set."""

    observed: float
    expected: float
    confidence_level: float
    n_items: int
    n_annotators: int
    detail: Detail


def estimate(
    how: How,
    value: float,
    reason: Reason | None = None,
    interval: tuple[float, float] = NO_INTERVAL,
    **figures: Unpack[Figures],
) -> Estimate:
    """Build the estimate of `how.measure`; with a reason its value and interval are undefined."""
    if reason is not None:
        value, interval = math.nan, NO_INTERVAL
    return Estimate(how.measure, value, reason, interval=interval, how=how, **figures)


def add_reading_settings(
    estimates: Iterable[Estimate], settings: Mapping[str, str]
) -> list[Estimate]:
    """Add the settings with which the data were read to those of the estimates."""
    return [replace(one, how=one.how.add_settings(**settings)) for one in estimates]


_KEYS = {"how": "signature", "confidence_level": "level"}  # field: key in documents, as in 0.2.0


def _in_json(kind: type[Estimate]) -> dict[str, str]:
    """Return the fields by their keys in JSON, where the signature stands for the settings."""
    names = [one.name for one in fields(kind)]
    return {_KEYS.get(name, name): "signature" if name == "how" else name for name in names}


def _or_nan(figure: Any) -> Any:
    return math.nan if figure is None else figure


def json_value(value: Any) -> Any:
    """Convert a value to JSON types: null for an undefined number, lists for tuples."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (tuple, list)):
        return [json_value(one) for one in value]
    if isinstance(value, dict):
        return {key: json_value(one) for key, one in value.items()}
    return value
