"""Exceptions of `metrics`: invalid input, undefined measures, and roles that must not be mixed."""

from __future__ import annotations

from ..data.sentences import shorten
from .reason import Reason, ReasonCode


class MetricsError(ValueError):
    """Input that a measure cannot use; the message says what, where and what to do."""

    def __init__(self, message: str = "") -> None:
        super().__init__(shorten(message))


class UndefinedError(MetricsError):
    """A measure is not defined on this input; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason

    def __reduce__(self) -> tuple[type[UndefinedError], tuple[Reason]]:
        return type(self), (self.reason,)


def reason_of(error: MetricsError) -> Reason:
    """Return the reason why a value is undefined, from the error of its measure."""
    if isinstance(error, UndefinedError):
        return error.reason
    return Reason(ReasonCode.NOT_COMPUTABLE, error=str(error))


class RoleError(MetricsError):
    """Agreement requested for a system or a reference, or validity between annotators.

    Agreement compares human annotators with one another; validity compares a system with a
    reference. Mathet & Widlöcher show why the two must not be mixed: a system with accuracy .25
    gets κ .143 where one with accuracy .50 gets κ 0, and α can rise when a worse system joins the
    annotators.
    """
