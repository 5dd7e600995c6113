"""A sentence that goes with a result, with the code and figures it can be told from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Remark:
    """`code` is stable; `text` says the same in English with the figures filled in."""

    code: str
    text: str
    figures: Mapping[str, float | int | str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text
