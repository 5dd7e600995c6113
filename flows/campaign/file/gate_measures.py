"""What a gate can be on. A measure that only a gate names is computed for it."""

from __future__ import annotations


def check_gate(measure: str) -> None:
    """Raise ValueError for a gate on what no campaign run computes."""
    from ...measure_names import GATES, refusal

    if measure not in GATES:
        raise ValueError(refusal(measure, GATES, "gates can be on"))
