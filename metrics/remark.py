"""What goes with a result and a reader should know, as a code with figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Remark:
    """`code` is stable; the report words it with the figures, under `[notice]`."""

    code: str
    figures: Mapping[str, float | int | str] = field(default_factory=dict)
