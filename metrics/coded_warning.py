"""Warnings and findings beside a value: codes with figures, created where the cause is found.

The sentences are in the catalogues of `reports`, one per language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from .arrays import Floats

if TYPE_CHECKING:
    from .reason import Reason

Figures: TypeAlias = Mapping[str, float | int | str]


@dataclass(frozen=True, slots=True)
class CodedWarning:
    """A warning.

    code      stable code, worded by the message `warning.<code>`
    figures   figures in the sentence, and further ones
    messages  messages that word it in place of the default one, one after the other
    read_text its English text, for a warning read from results whose code has no message
    """

    code: str
    figures: Figures = field(default_factory=dict)
    messages: tuple[str, ...] = ()
    read_text: str = ""


@dataclass(frozen=True, slots=True)
class Finding(CodedWarning):
    """A diagnosed cause or risk, worded by `finding.<code>.title`, `.text` and `.advice`.

    tables  (row names, column names, float64 table) by name, for proposals
    """

    severity: Literal["note", "warning"] = "note"
    tables: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], Floats]] = field(
        default_factory=dict
    )

    def as_serious(self) -> Finding:
        return replace(self, severity="warning")

    def warning(self, code: str, *, advice: bool = False) -> CodedWarning:
        """The finding as a warning of a command, with its code as a warning."""
        parts = ("text", "advice") if advice else ("text",)
        return CodedWarning(
            code, self.figures, tuple(f"finding.{self.code}.{part}" for part in parts)
        )


def add_reason(reason: Reason, figures: Figures) -> Figures:
    """Figures of a warning with a reason: the reason's figures, English text and code."""
    return {**figures, **dict(reason.figures), "reason": str(reason), "reason_code": reason.key}
