"""Distances between categories, given as a mapping, a frame, an array or a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..metrics.agreement.distance_table import DistanceTable
from ..metrics.agreement.label_matrix import labels_as_text
from ..metrics.errors import MetricsError
from ..metrics.objects.object_distance import ObjectDistance


def declared_distances(given: Any, order: Sequence[Any] = ()) -> DistanceTable | None:
    """Return the declared distances; None for None.

    given  {("A", "B"): 0.5} or {"A": {"B": 0.5}}; a frame that is square, with the categories as
           index or first column, or has three columns (category, category, distance); an array in
           the order of the categories `order`; or the path of a table

    Raises MetricsError for anything else, and for impossible distances.
    """
    if given is None or isinstance(given, DistanceTable):
        return given
    if isinstance(given, str | Path):
        from ..metrics.agreement.distances import DISTANCES

        if given in DISTANCES:
            raise MetricsError(
                f'distances is a table; the distance of that name is level="{given}"'
            )
        from ..tasks.inputs.distance_options import read_distances

        return read_distances(Path(given))
    if isinstance(given, Mapping):
        return _of_mapping(given)
    if isinstance(given, list | tuple) or not hasattr(given, "columns"):
        rows = given if isinstance(given, list | tuple) else given.tolist()
        if not order or len(rows) != len(order):
            raise MetricsError(
                f"an array of distances has {len(rows)} rows, and needs order= with as many "
                f"categories, not {len(order)}"
            )
        names = _names(order)
        return DistanceTable.from_square_table(
            names, list(zip(names, map(_cells, rows), strict=True))
        )
    return _of_frame(given)


def _of_mapping(given: Mapping[Any, Any]) -> DistanceTable:
    if all(isinstance(pair, tuple) and len(pair) == 2 for pair in given):
        pairs = [(*pair, value) for pair, value in given.items()]
    elif all(isinstance(others, Mapping) for others in given.values()):
        pairs = [
            (first, second, value)
            for first, others in given.items()
            for second, value in others.items()
        ]
    else:
        raise MetricsError(
            'a mapping of distances is {("A", "B"): 0.5}, with pairs of categories, or '
            '{"A": {"B": 0.5}}'
        )
    return _of_pairs(pairs)


def _of_frame(given: Any) -> DistanceTable:
    import narwhals as nw

    index = getattr(given, "index", None)
    if index is not None and {*map(str, index)} == {*map(str, given.columns)}:
        columns, names = list(given.columns), list(index)
        rows = given.to_numpy().tolist()
    else:
        frame = nw.from_native(given, eager_only=True)
        columns, names = frame.columns[1:], [row[0] for row in frame.rows()]
        rows = [list(row[1:]) for row in frame.rows()]
        if len(columns) == 2 and {*map(str, names)} != {*map(str, columns)}:
            return _of_pairs([(name, *row) for name, row in zip(names, rows, strict=True)])
    return DistanceTable.from_square_table(
        _names(columns), list(zip(_names(names), map(_cells, rows), strict=True))
    )


def _of_pairs(pairs: Sequence[tuple[Any, Any, Any]]) -> DistanceTable:
    first, second = (_names([pair[k] for pair in pairs]) for k in (0, 1))
    return DistanceTable.from_pairs(zip(first, second, [pair[2] for pair in pairs], strict=True))


def _names(categories: Sequence[Any]) -> list[str]:
    return [name or "" for name in labels_as_text(list(categories))]


def _cells(row: Sequence[Any]) -> list[Any]:
    """Return the cells, with None for a missing one (NaN)."""
    return [None if cell is None or cell != cell else cell for cell in row]


def checked_level(level: str) -> str:
    """Check a level of measurement. Raises MetricsError if it is unknown."""
    from ..metrics.agreement.distance_checks import check_offered
    from ..metrics.agreement.distances import DISTANCES, OFFERED, list_other_distances

    if isinstance(level, str) and "/" in level:
        return check_offered(level, OFFERED)
    if not isinstance(level, str) or level not in DISTANCES:
        raise MetricsError(f"no level {level!r}; {list_other_distances(level, OFFERED)}")
    return level


def object_distance_of(
    given: str | ObjectDistance | Callable[[str, str], float] | None,
) -> ObjectDistance | None:
    """Return a distance between objects: by name, as it is, or of a function of two texts.

    Raises MetricsError for an unknown name and for anything else.
    """
    if given is None or isinstance(given, ObjectDistance):
        return given
    from ..metrics.agreement.distances import DISTANCES
    from ..metrics.close_names import did_you_mean
    from ..metrics.objects.registry import OBJECT_DISTANCES

    if isinstance(given, str):
        if given in DISTANCES:
            raise MetricsError(f'{given} is between categories: give level="{given}"')
        if given not in OBJECT_DISTANCES:
            raise MetricsError(
                f"no distance between objects {given!r}; {did_you_mean(given, OBJECT_DISTANCES)}"
                f"there are {', '.join(OBJECT_DISTANCES) or 'none'}"
            )
        return OBJECT_DISTANCES[given]
    if not callable(given):
        raise MetricsError(
            f"distance is a {type(given).__name__}: give a name, an ObjectDistance, or a function "
            "of two labels"
        )
    return distance_of_function(given)


def distance_of_function(function: Callable[[str, str], float]) -> ObjectDistance:
    """Make a distance of a function of the texts of two labels, which may be of any items."""
    return ObjectDistance(
        name=getattr(function, "__name__", "").strip("<>") or type(function).__name__,
        read=str,
        distances=lambda first, second: np.array(list(map(function, first, second)), dtype=float),
        compares_items=True,
        metric=False,
        is_text=True,
        largest=None,
        source="",
    )
