"""The parts of an export for which a measure is also computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from ...data.option_names import option
from ...metrics.errors import MetricsError

if TYPE_CHECKING:
    from ...metrics.estimate import Estimate


class PartKind(StrEnum):
    """What the main measure is also computed for, one by one; `annotator` leaves each out."""

    category = "category"
    pair = "pair"
    annotator = "annotator"


def require_three_annotators(n: int) -> None:
    """Raise MetricsError if no two annotators are left without one."""
    if n < 3:
        raise MetricsError(
            f"{option('by', 'annotator')} leaves one annotator out: there must be three or more"
        )


def sorted_by_part(
    of_measures: Iterable[Sequence[tuple[str, Estimate]]],
) -> list[tuple[str, Estimate]]:
    """Return the values of the same parts for each measure, those of a part one after another."""
    return [one for of_part in zip(*of_measures, strict=True) for one in of_part]
