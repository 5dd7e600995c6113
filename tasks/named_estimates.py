"""Estimates of parts, in the form used by the report."""

from __future__ import annotations

from collections.abc import Iterable

from ..metrics.estimate import Estimate
from ..reports.results import Named

MOST_NAMED_DOCUMENTS = 500  # on the page, lowest first; the Parquet file contains all


def named_estimates(parts: Iterable[tuple[str, Estimate]]) -> list[Named]:
    return [Named(name=name, value=estimate) for name, estimate in parts]
