"""How agreement on items is measured, as plain values that travel to the tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ItemSettings:
    """How agreement on items is measured, as plain values."""

    measures: tuple[str, ...]
    n_replicates: int = 1000
    level: float = 0.95
    ties: str = "random"
    max_annotators: int = 200
    seed: int = 0
    period: str = "month"
    null: str | None = None
    universes: Mapping[str, str] = field(default_factory=dict)
