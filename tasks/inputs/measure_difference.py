"""The difference of one measure between two annotations or parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...metrics.differences import Difference
from ...metrics.estimate import json_value
from ...metrics.reason import reason_fields
from ...metrics.signature import How


@dataclass(frozen=True, slots=True)
class MeasureDifference:
    """One measure of both annotations and its difference, first minus second.

    n_items      number of items or units on each side
    n_left_out   items (for units, documents) on one side only, excluded from a paired comparison
    n_documents  number of documents on each side, if units are compared
    """

    measure: str
    first: float
    second: float
    difference: Difference
    n_items: tuple[int, int]
    n_left_out: int
    how: How
    n_documents: tuple[int, int] | None = None

    def as_json(self) -> dict[str, Any]:
        """Return plain values for JSON: null where undefined."""
        return {
            "measure": self.measure,
            "first": json_value(self.first),
            "second": json_value(self.second),
            "difference": json_value(self.difference.value),
            "interval": json_value([self.difference.lower, self.difference.upper]),
            "level": self.difference.level,
            "p_value": json_value(self.difference.p_value),
            "least_p_value": self.difference.least_p,
            "p_reason": str(self.difference.p_reason or ""),
            "standard_error": json_value(self.difference.standard_error),
            **reason_fields(self.difference.reason),
            "method": self.difference.method,
            "n_items": list(self.n_items),
            **({"n_documents": list(self.n_documents)} if self.n_documents else {}),
            "n_left_out": self.n_left_out,
            "signature": self.how.signature,
        }
