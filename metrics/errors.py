"""The one exception class of `metrics`, and the refusal that keeps agreement and validity apart."""

from __future__ import annotations


class MetricsError(ValueError):
    """Input that a measure cannot take: the message says what, where and what to do."""


class RoleError(MetricsError):
    """Agreement asked of a system or a reference, or validity asked of annotators among themselves.

    Agreement compares human annotators with one another; validity compares a system with a
    reference. Mathet & Widlöcher show what mixing them does: a system with accuracy .25 gets
    κ .143 where one with accuracy .50 gets κ 0, and α can rise when a worse system joins the
    annotators.
    """
