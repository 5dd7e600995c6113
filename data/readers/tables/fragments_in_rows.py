"""Tables of units in which a unit, named by an option, has several rows: its fragments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ...schema import ExclusionReason
from ..common.span_rules import parse_integer
from .cells import Batch, Cell, Row, cell_text
from .platform_status import ExcludedRows

_UNIT = ("document", "layer", "annotator", "pass", "unit", "category")


def with_joined_fragments(
    batches: Iterator[Batch], at: Mapping[str, int], width: int, excluded: ExcludedRows
) -> Iterator[Batch]:
    """Yield one row per unit, with its fragments in a further column; other rows as they are.

    The whole table is kept in memory. Rows of a unit whose bounds are no whole numbers, or overlap,
    stay apart. Of the rows of a unit, all but the first are counted as attached to another row.
    """
    rows = [(n, row) for batch in batches for n, row in zip(batch.numbers, batch.rows, strict=True)]
    of_unit: dict[tuple[str, ...], list[int]] = {}
    for k, (_, row) in enumerate(rows):
        if isinstance(row, list) and len(row) == width and cell_text(row[at["unit"]]):
            key = tuple(cell_text(row[at[name]]) for name in _UNIT if name in at)
            of_unit.setdefault(key, []).append(k)
    left = dict(enumerate(rows))
    for several in (found for found in of_unit.values() if len(found) > 1):
        own: list[list[Cell]] = [row for k in several if isinstance(row := rows[k][1], list)]
        if joined := _joined(own, at["start"], at["end"]):
            first, *others = several
            left[first] = (rows[first][0], joined)
            for k in others:
                del left[k]
                excluded.add(ExclusionReason.ATTRIBUTE)
    numbers, kept = zip(*left.values(), strict=True) if left else ((), ())
    yield Batch([*numbers], [_widened(row, width) for row in kept])


def _joined(rows: Sequence[list[Cell]], start: int, end: int) -> list[Cell] | None:
    """Return the row of a unit of these fragments; None if they are none."""
    pieces = []
    for row in rows:
        bounds = parse_integer(cell_text(row[start])), parse_integer(cell_text(row[end]))
        if bounds[0] is None or bounds[1] is None:
            return None
        pieces.append((bounds[0], bounds[1]))
    pieces.sort()
    if any(before[1] > after[0] for before, after in pairwise(pieces)):
        return None
    joined = [*rows[0], ";".join(f"{first} {last}" for first, last in pieces)]
    joined[start], joined[end] = str(pieces[0][0]), str(pieces[-1][1])
    return joined


def _widened(row: Row, width: int) -> Row:
    return [*row, None] if isinstance(row, list) and len(row) == width else row
