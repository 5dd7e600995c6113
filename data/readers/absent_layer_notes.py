"""Layers that a source is asked for and does not have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches

from ..blocks import Block, Rows
from ..errors import DataError
from ..schema import Label, Relation, Unit
from .common.category_features import short_layer_name
from .notes import SourceNotes
from .tables.given import Given

_TABLES = (Label.TABLE, Unit.TABLE, Relation.TABLE)


class AbsentLayers:
    """Finds, among the rows of a source, which of the layers of its options it has."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted = wanted
        self._met: set[str] = set()

    def add(self, row: Rows) -> None:
        """Take a row, or the rows of a block."""
        self._met.update(_layers_of(row))

    def check(self, path: str | Given, notes: SourceNotes, everything: Iterator[Rows]) -> None:
        """Note the layers that the source does not have.

        everything  the rows of the same source without a choice of layers

        Raises DataError, with the layers of the source, if it has none of the layers.
        """
        met = self._met
        absent = [n for n in self._wanted if short_layer_name(n) not in met and n not in met]
        if len(absent) < len(self._wanted):
            notes.absent_layers = absent
            return
        if not absent:
            return
        held: set[str] = set()
        with suppress(DataError):  # raised before if it is not about layers
            for row in everything:
                held.update(_layers_of(row))
        held.discard("")
        if held:
            near = get_close_matches(absent[0], held, n=1)
            meant = f"; did you mean {near[0]}?" if near else ";"
            raise DataError(
                f"{path}: has no layer {' or '.join(absent)} (`layers` of the source){meant} "
                f"its layers are {', '.join(sorted(held))}"
            )


def _layers_of(row: Rows) -> set[str]:
    if isinstance(row, Label | Unit | Relation):
        return {row.layer}
    if isinstance(row, Block) and row.TABLE in _TABLES:
        return set(row.column("layer"))
    return set()
