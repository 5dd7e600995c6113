"""The layouts of tables: the columns that each needs, and those that it uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ...errors import DataError
from .column_names import COUNT, LENGTH


class OtherShapeError(DataError):
    """A table is not of the layout that it was taken for.

    lacking  the columns that no name says which they are
    """

    def __init__(self, what: str, lacking: Sequence[str] = (), hint: str = "") -> None:
        super().__init__(f"{what}. {hint}" if hint else what)
        self.what, self.lacking = what, lacking


class Layout(StrEnum):
    LONG = "long"  # one row per label
    WIDE = "wide"  # one row per item, one column per annotator
    UNITS = "units"  # one row per unit
    RELATIONS = "relations"  # one row per relation between two units
    TRANSPOSED = "transposed"  # one row per annotator, one column per item
    COUNTS = "counts"  # one row per item, one column per category: how many annotators chose it


REQUIRED: Mapping[Layout, tuple[str, ...]] = {
    Layout.LONG: ("item", "annotator", "label"),
    Layout.UNITS: ("annotator", "start", "end"),
    Layout.RELATIONS: ("annotator", "from_unit", "to_unit"),
    Layout.WIDE: (),
    Layout.TRANSPOSED: (),
    Layout.COUNTS: (),
}


USED: Mapping[Layout, tuple[str, ...]] = {
    Layout.LONG: ("item", "annotator", "label", "document", "layer", "pass", "role"),
    Layout.WIDE: ("item", "document", "layer", "pass", COUNT),
    Layout.UNITS: (
        *("annotator", "document", "layer", "pass", "role", "start", "end", "category", "unit"),
        *("fragments", "surface", LENGTH),
    ),
    Layout.RELATIONS: (
        *("annotator", "document", "layer", "pass", "role", "relation", "from_unit", "to_unit"),
        "category",
    ),
    Layout.TRANSPOSED: ("annotator", "document", "layer", "pass", "role"),
    Layout.COUNTS: ("item", "document", "layer"),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """`at` is the position of each used column.

    across   (position, name) of the columns with labels or counts: of the annotators in a wide
             table, of the items in a transposed one, of the categories in one of counts
    ignored  the names of the columns that are not used
    chosen   whether an option lists the columns `across`
    """

    layout: Layout
    at: Mapping[str, int]
    across: tuple[tuple[int, str], ...] = ()
    ignored: tuple[str, ...] = ()
    chosen: bool = False
