"""Whether a distance that a user chose exists, and whether the categories and measures allow it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from ..errors import MetricsError
from ..measures import COEFFICIENTS, unweighted_name
from .category_distance import Needs
from .category_tree import require_paths
from .distance_table import DistanceTable
from .distances import (
    DISTANCES,
    OF_LABELS,
    SETS,
    Distance,
    category_values,
    distance_table,
    list_other_distances,
    split_parameter,
)


def resolve_distance(
    tagset: Sequence[str],
    name: str,
    table: DistanceTable | None,
    measures: Sequence[str] = (),
    *,
    tagset_is_declared: bool,
    options: tuple[str, str] = ("--distance", "--categories"),
) -> Distance:
    """Return the distance between the categories, as the coefficients `measures` take it.

    name      the named distance; "nominal" with a table
    tagset_is_declared  whether a user gave it; else it has the categories of the data
    options   where a user gives a distance and a tagset

    Raises MetricsError for two distances, and for one that the categories do not allow.
    """
    for_distance, for_tagset = options
    if table is None:
        require_distance(measures, name, declare=for_distance)
        if not tagset_is_declared:
            require_order(tagset, name, measures, declare=for_tagset)
            require_circumference(tagset, name, declare="circular/24 as the distance")
        return name
    if name != "nominal":
        raise MetricsError(f"give either {for_distance} or a table of distances, not both")
    if tagset_is_declared:
        table.require_declared(tagset)
    else:
        table.require_known(tagset, declare=for_tagset)
    return table.distances_in_tagset(tagset)


def comparable_categories(
    tagset: Sequence[str], own: Sequence[str], distance: str, table: DistanceTable | None
) -> tuple[str, ...]:
    """Return the categories of all annotators that a distance can compare with those of some.

    Scores see the labels of systems, too: one that the declared distance cannot read, such as
    `unsure` among numbers, is then no category, and its items count as unlabelled.

    own  the categories that the distance is declared for: those of the humans, or the reference
    distance, table  as in `resolve_distance`, for a tagset that is not declared
    """

    def are_comparable(categories: Sequence[str]) -> bool:
        try:
            if table is None:
                require_order(categories, distance, declare="categories")
                distance_table(distance, tagset=categories, marginals=np.ones(len(categories)))
            else:
                table.require_known(categories, declare="categories")
        except MetricsError:
            return False
        return True

    if are_comparable(tagset) or not are_comparable(own):
        return tuple(tagset)  # an error is then one of the declaration
    return tuple(one for one in tagset if one in own or are_comparable((*own, one)))


def require_circumference(tagset: Sequence[str], distance: object, *, declare: str) -> None:
    """Raise MetricsError for a circle of unknown length: for the hours 8..20 it is 24, not 13.

    For undeclared categories; `declare` says where the user can give the circumference.
    """
    if distance == "circular" and len(tagset) > 1 and category_values(tagset) is not None:
        raise MetricsError(
            "the circular distance needs the length of the whole circle, and the labels found "
            f"({tagset[0]} to {tagset[-1]}) do not say it: give {declare} (24 for hours, 360 for "
            "degrees), or declare all its categories"
        )


def check_offered(name: object, offered: Collection[str]) -> str:
    """Return a distance that a user chose. Raises MetricsError if it is not offered.

    A circle needs its circumference, as in `circular/24`, which no data give.
    """
    if isinstance(name, str) and name.startswith("circular"):
        if split_parameter(name)[1] is not None:
            return name
        raise MetricsError(
            "the circular distance needs the length of the circle: circular/24 for hours, "
            "circular/360 for degrees"
        )
    if not isinstance(name, str) or split_parameter(name)[0] not in offered:
        raise MetricsError(f"no distance {name!r}; {list_other_distances(name, offered)}")
    return str(name)


def require_order(
    tagset: Sequence[str], distance: object, measures: Sequence[str] = (), *, declare: str
) -> None:
    """Raise MetricsError if the order of the categories matters but only their names are known.

    For undeclared categories: numbers have an order, but `low, middle, high` would be sorted
    alphabetically; a distance in a tree needs paths. `declare` says where the user can give the
    order.
    """
    name, parameter = split_parameter(distance) if isinstance(distance, str) else ("", None)
    one = DISTANCES.get(name)
    if one is not None and one.separator:
        require_paths(tagset, *(() if parameter is None else (str(parameter),)))
    by_rank = one is not None and one.needs in (Needs.USES, Needs.RANKS, Needs.NUMBERS_OR_RANKS)
    ranked = (
        name
        for name in measures
        if name in COEFFICIENTS and COEFFICIENTS[name].own_distance != "nominal"
    )
    user = f"the {distance} distance" if by_rank else next(ranked, "")
    if user and len(tagset) > 2 and category_values(tagset) is None:
        raise MetricsError(
            f"{user} needs the order of the categories, and these ({', '.join(tagset)}) are not "
            f"all numbers: give them in the scale's order with {declare}"
        )


def require_distance(
    measures: Sequence[str], distance: object = "nominal", *, declare: str
) -> None:
    """Raise MetricsError for weighted coefficients without a distance between the categories.

    With the nominal distance they would be the unweighted ones under another name. `declare` says
    where the user gives the distance.
    """
    weighted = [name for name in measures if unweighted_name(name) != name]
    if weighted and isinstance(distance, str) and distance == "nominal":
        choices = ", ".join(one for one in OF_LABELS if one != "nominal")
        raise MetricsError(
            f"{weighted[0]} needs a distance between the categories (with nominal it would be "
            f"{unweighted_name(weighted[0])}): give {declare}, one of {choices}; for sets of "
            f"labels {', '.join(SETS)}"
        )
