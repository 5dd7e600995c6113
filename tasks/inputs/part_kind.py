"""The parts of an export for which a measure is also computed."""

from __future__ import annotations

from enum import StrEnum

from ...data.option_names import option
from ...metrics.close_names import did_you_mean
from ...metrics.errors import MetricsError


class PartKind(StrEnum):
    """What the main measure is also computed for, one by one; `annotator` leaves each out."""

    category = "category"
    pair = "pair"
    annotator = "annotator"

    @classmethod
    def of_units(cls, given: str | None) -> PartKind | None:
        """Return the kind of that name. Raises MetricsError for a column."""
        if not given or given in [*cls]:
            return cls(given) if given else None
        raise MetricsError(
            f"{option('by', given)}: {did_you_mean(given, cls)}it must be one of {', '.join(cls)}; "
            "for each value of a column, measure the rows with this value alone"
        )
