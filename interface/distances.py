"""The distance between categories or objects that a user chose: a name, a table or a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeGuard, get_args

import numpy as np

from ..metrics.agreement.distance_table import DistanceTable
from ..metrics.agreement.values_as_text import labels_as_text
from ..metrics.close_names import did_you_mean
from ..metrics.errors import MetricsError
from ..metrics.objects.object_distance import ObjectDistance
from ..tasks.inputs.distance_options import ChosenDistance, is_distance_file, read_distances
from .frames import Frame

Scale: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]
"""Scale of the categories; each has its distance."""

Distance: TypeAlias = str | Path | ObjectDistance | Callable[[Any, Any], float] | Frame
"""A distance between categories or objects: its name, a table or its file, or a function."""


def given_distance(
    scale: str = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] = (),
) -> ChosenDistance:
    """Return the distance that is given as such, or by the scale of the categories.

    categories  declared categories, in the order of an array of distances

    Raises MetricsError for two distances, an unknown one and an impossible one.
    """
    from ..metrics.agreement.distances import DISTANCES

    if not isinstance(scale, str) or scale not in get_args(Scale):
        known = isinstance(scale, str) and scale.partition("/")[0] in DISTANCES
        meant = f'give distance="{scale}"' if known else f"it is {', '.join(get_args(Scale))}"
        hint = did_you_mean(str(scale), [*get_args(Scale), *DISTANCES])
        raise MetricsError(f"no scale {scale!r}: {'' if known else hint}{meant}")
    if distance is None:
        return ChosenDistance(scale)
    if scale != "nominal":
        raise MetricsError(f"give scale={scale!r} or a distance, not both: each is a distance")
    if isinstance(distance, DistanceTable):
        return ChosenDistance(table=distance)
    if isinstance(distance, ObjectDistance):
        return ChosenDistance(objects=distance)
    if isinstance(distance, str | Path):
        return _named_distance(distance)
    if _is_function(distance):
        return ChosenDistance(objects=distance_of_function(distance))
    return ChosenDistance(table=_declared_distances(distance, categories))


def given_category_distance(
    scale: str = "nominal",
    distance: Distance | None = None,
    categories: Sequence[Any] = (),
    *,
    compared: Sequence[Any] = (),
) -> ChosenDistance:
    """Return the distance between categories that is given.

    compared  the categories that a function compares, if none are declared

    Raises MetricsError as `given_distance`, and for a distance between objects.
    """
    if distance is not None and _is_function(distance):
        return ChosenDistance(table=_table_of_function(distance, categories or compared))
    found = given_distance(scale, distance, categories)
    if found.objects is not None:
        raise MetricsError(
            f"{found.objects.name} is a distance between objects, and this function compares "
            "categories: agreement() and consensus() take it"
        )
    return found


def _is_function(distance: Any) -> TypeGuard[Callable[[Any, Any], float]]:
    return callable(distance) and not hasattr(distance, "columns")


def _named_distance(given: str | Path) -> ChosenDistance:
    """Return the distance of a name, or of the table in a file. Raises MetricsError."""
    from ..metrics.agreement.distance_checks import check_offered
    from ..metrics.agreement.distances import DISTANCES, OFFERED, list_other_distances
    from ..metrics.objects.registry import OBJECT_DISTANCES

    if isinstance(given, Path) or is_distance_file(given):
        return ChosenDistance(table=read_distances(Path(given)))
    if given in OBJECT_DISTANCES:
        return ChosenDistance(given, objects=OBJECT_DISTANCES[given])
    if "/" in given:
        return ChosenDistance(check_offered(given, OFFERED))
    if given not in DISTANCES:
        known = (*OFFERED, *OBJECT_DISTANCES)
        raise MetricsError(f"no distance {given!r}; {list_other_distances(given, known)}")
    return ChosenDistance(given)


def _table_of_function(
    function: Callable[[Any, Any], float], categories: Sequence[Any]
) -> DistanceTable:
    """Return the distances between the declared categories. Raises MetricsError without any."""
    if not len(categories):
        raise MetricsError("a distance that is a function needs categories=: it compares them")
    return _table_of_pairs(
        [(one, other, float(function(one, other))) for one, other in combinations(categories, 2)]
    )


def _declared_distances(given: Any, categories: Sequence[Any] = ()) -> DistanceTable:
    """Return declared distances.

    given  {("A", "B"): 0.5} or {"A": {"B": 0.5}}; a frame that is square, with the categories as
           index or first column, or has three columns (category, category, distance); or an array
           in the order of the categories

    Raises MetricsError for anything else, and for impossible distances.
    """
    if isinstance(given, Mapping):
        return _table_of_mapping(given)
    if not (
        isinstance(given, list | tuple) or hasattr(given, "columns") or hasattr(given, "tolist")
    ):
        raise MetricsError(
            f"distance is a {type(given).__name__}: give a name, a table, the path of a table, an "
            "ObjectDistance, or a function of two labels"
        )
    if isinstance(given, list | tuple) or not hasattr(given, "columns"):
        rows = given if isinstance(given, list | tuple) else given.tolist()
        if not len(categories) or len(rows) != len(categories):
            raise MetricsError(
                f"an array of distances has {len(rows)} rows, and needs categories= with as many "
                f"categories, not {len(categories)}"
            )
        names = _names(categories)
        return DistanceTable.from_square_table(
            names, list(zip(names, map(_cells, rows), strict=True))
        )
    return _table_of_frame(given)


def _table_of_mapping(given: Mapping[Any, Any]) -> DistanceTable:
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
            '{"A": {"B": 0.5}}; of questions with distances of their own, call it for each'
        )
    return _table_of_pairs(pairs)


def _table_of_frame(given: Any) -> DistanceTable:
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
            return _table_of_pairs([(name, *row) for name, row in zip(names, rows, strict=True)])
    return DistanceTable.from_square_table(
        _names(columns), list(zip(_names(names), map(_cells, rows), strict=True))
    )


def _table_of_pairs(pairs: Sequence[tuple[Any, Any, Any]]) -> DistanceTable:
    first, second = (_names([pair[k] for pair in pairs]) for k in (0, 1))
    return DistanceTable.from_pairs(zip(first, second, [pair[2] for pair in pairs], strict=True))


def _names(categories: Sequence[Any]) -> list[str]:
    return [name or "" for name in labels_as_text(list(categories))]


def _cells(row: Sequence[Any]) -> list[Any]:
    """Return the cells, with None for a missing one (NaN)."""
    return [None if cell is None or cell != cell else cell for cell in row]


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
