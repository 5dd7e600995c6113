"""`metrics.estimate.Estimate` to the report's `Value`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from metrics.estimate import Estimate
from reports.results import Named, Value


def value_of(estimate: Estimate) -> Value:
    return Value(**asdict(estimate))


def named(parts: Iterable[tuple[str, Estimate]]) -> list[Named]:
    return [Named(name=name, value=value_of(estimate)) for name, estimate in parts]
