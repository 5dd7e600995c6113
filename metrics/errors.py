"""The exceptions of `metrics`: bad input, an undefined measure, and roles that must stay apart."""

from __future__ import annotations

from .reason import Reason, ReasonCode


class MetricsError(ValueError):
    """Input that a measure cannot take: the message says what, where and what to do."""


class UndefinedError(MetricsError):
    """A measure is not defined on this input; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason

    def __reduce__(self) -> tuple[type[UndefinedError], tuple[Reason]]:
        return type(self), (self.reason,)


def reason_of(error: MetricsError) -> Reason:
    """Why a value is undefined, where a measure refused its input."""
    if isinstance(error, UndefinedError):
        return error.reason
    return Reason(ReasonCode.NOT_COMPUTABLE, error=str(error))


class RoleError(MetricsError):
    """Agreement asked of a system or a reference, or validity asked of annotators among themselves.

    Agreement compares human annotators with one another; validity compares a system with a
    reference. Mathet & Widlöcher show what mixing them does: a system with accuracy .25 gets
    κ .143 where one with accuracy .50 gets κ 0, and α can rise when a worse system joins the
    annotators.
    """
