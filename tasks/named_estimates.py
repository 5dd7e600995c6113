"""Estimates of parts, in the form used by the report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..metrics.estimate import Estimate
from ..reports.results import Named

MOST_NAMED_DOCUMENTS = 500  # on the page, lowest first; the Parquet file contains all


def named_estimates(parts: Iterable[tuple[str, Estimate]]) -> list[Named]:
    """Return named values of parts, with `n_items` counting only the items used."""
    return [Named(name=name, value=_without_unpaired_items(estimate)) for name, estimate in parts]


def _without_unpaired_items(estimate: Estimate) -> Estimate:
    """Return the estimate with the number of items that were compared."""
    n_unpaired = estimate.detail.n_unpaired
    return replace(estimate, n_items=estimate.n_items - n_unpaired)
