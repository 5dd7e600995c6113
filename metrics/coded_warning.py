"""What a reader must know beside a number: codes with figures, made where the cause is seen.

The sentences stand in the catalogues of `reports`, one for each language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .reason import Reason

Figures: TypeAlias = Mapping[str, float | int | str]


@dataclass(frozen=True, slots=True)
class CodedWarning:
    """A warning.

    code      stable; worded by the message `warning.<code>`
    figures   what the sentence names, and more
    messages  the messages that word it instead, one after the other
    read_text its English, of a warning that was read from results and whose code has no message
    """

    code: str
    figures: Figures = field(default_factory=dict)
    messages: tuple[str, ...] = ()
    read_text: str = ""


@dataclass(frozen=True, slots=True)
class Finding(CodedWarning):
    """A diagnosed cause or risk, worded by `finding.<code>.title`, `.text` and `.advice`.

    tables  named (row names, column names, float64 table), for proposals
    """

    severity: Literal["note", "warning"] = "note"
    tables: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], NDArray[np.float64]]] = field(
        default_factory=dict
    )

    def serious(self) -> Finding:
        return replace(self, severity="warning")

    def warning(self, code: str, *, advice: bool = False) -> CodedWarning:
        """The finding as one of the warnings of a command, under the code that it has there."""
        parts = ("text", "advice") if advice else ("text",)
        return CodedWarning(
            code, self.figures, tuple(f"finding.{self.code}.{part}" for part in parts)
        )


def with_reason(reason: Reason, figures: Figures) -> Figures:
    """Figures of a warning that gives a reason: its figures, its English text and its code."""
    return {**figures, **dict(reason.figures), "reason": str(reason), "reason_code": reason.key}
