"""Estimates of parts as the report has them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..metrics.estimate import Estimate
from ..reports.results import Named


def named_estimates(parts: Iterable[tuple[str, Estimate]]) -> list[Named]:
    """Values of parts; their `n_items` are the items that take part, not those of the campaign."""
    return [Named(name=name, value=_without_unpaired_items(estimate)) for name, estimate in parts]


def _without_unpaired_items(estimate: Estimate) -> Estimate:
    n_unpaired = int(estimate.detail.get("n_unpaired", 0))
    return replace(estimate, n_items=estimate.n_items - n_unpaired)
