"""Layers that a source is asked for and does not have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches

from ..blocks import Block, Rows
from ..errors import DataError
from ..schema import Label, Relation, Unit
from .base import SourceOptions
from .common.category_features import short_layer_name
from .tables.given import Given

_TABLES = (Label.TABLE, Unit.TABLE, Relation.TABLE)


def note_absent_layers(
    rows: Iterator[Rows], path: str | Given, options: SourceOptions, everything: Iterator[Rows]
) -> Iterator[Rows]:
    """Yield the rows. At the end, note the layers of the options that the source does not have.

    everything  the rows of the same source without a choice of layers

    Raises DataError, with the layers of the source, if it has none of the layers.
    """
    met: set[str] = set()
    for row in rows:
        met.update(_layers_of(row))
        yield row
    absent = [
        name for name in options.layers if short_layer_name(name) not in met and name not in met
    ]
    if len(absent) < len(options.layers):
        options.notes.absent_layers = absent
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
