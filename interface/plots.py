"""Pictures of results on axes of matplotlib, which is imported only here."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from ..metrics.errors import MetricsError

_VALUES = ("value", "difference", "probability", "width", "w")
_FIGURES = ("confidence_level", "p_value", "least_p_value")  # numbers that are no values


def axes_of(ax: Any) -> Any:
    """Return the given axes, or new ones. Raises MetricsError without matplotlib."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot  # type: ignore[import-not-found]
    except ImportError:
        raise MetricsError("plot() needs matplotlib: pip install matplotlib") from None
    return pyplot.subplots(layout="constrained")[1]


def plot_values(columns: Mapping[str, Sequence[Any]], ax: Any) -> Any:
    """Draw a point for each row, with its interval if there is one, beside its names."""
    numbers = [name for name, cells in columns.items() if _is_number(name, cells)]
    value = next((name for name in (*_VALUES, *numbers) if name in numbers), None)
    if value is None:
        raise MetricsError("there is no number to draw: take to_frame()")
    texts = [
        [str(one) for one in cells]
        for cells in columns.values()
        if any(isinstance(one, str) and one for one in cells)
    ]
    several = [cells for cells in texts if len({*cells}) > 1] or texts[:1]
    names = [cells for cells in several if not any(_are_within(cells, one) for one in several)]
    of_all = [cells[0] for cells in texts if cells not in several]
    labels = [", ".join(filter(None, row)) for row in zip(*names, strict=True)]
    ax, points = axes_of(ax), [math.nan if one is None else float(one) for one in columns[value]]
    places = list(range(len(points), 0, -1))
    ax.plot(points, places, "o", color="C0")
    order = ["", *columns]
    is_before_bounds = "lower" in columns and order[order.index("lower") - 1] == value
    if (value in ("value", "difference") or is_before_bounds) and {"lower", "upper"} <= {*columns}:
        ax.hlines(places, columns["lower"], columns["upper"], color="C0")
    ax.set_yticks(places, labels or [str(row + 1) for row in range(len(points))])
    ax.set_xlabel(", ".join(filter(None, of_all)) if value == "value" and of_all else value)
    return ax


def plot_counts(categories: Sequence[str], counts: Any, names: tuple[str, str], ax: Any) -> Any:
    """Draw a table of counts; names: of the rows and of the columns."""
    ax = axes_of(ax)
    ax.imshow(counts, cmap="Blues")
    places = range(len(categories))
    for row, column in product(places, repeat=2):
        dark = counts[row][column] > 0.6 * max(map(max, counts))
        colour = "white" if dark else "black"
        ax.text(column, row, str(counts[row][column]), ha="center", va="center", color=colour)
    ax.set_xticks(places, categories)
    ax.set_yticks(places, categories)
    ax.set_ylabel(names[0])
    ax.set_xlabel(names[1])
    return ax


def _are_within(cells: Sequence[str], others: Sequence[str]) -> bool:
    """Whether each text is a part of one of the others, as a name of an annotator of a pair's."""
    return cells != others and all(map(operator.contains, others, cells))


def _is_number(name: str, cells: Sequence[Any]) -> bool:
    given = [one for one in cells if one is not None]
    are_numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in given)
    return name not in _FIGURES and bool(given) and are_numbers
