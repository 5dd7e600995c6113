"""Distances between categories, as K × K tables with a zero diagonal.

Sources: Krippendorff 2004, chapter 11 (nominal, ordinal, interval, ratio, circular); Gwet 2014,
chapter 3 (weights, given here as distances 1 − w, with names that begin with `gwet_`); Passonneau
2004 and 2006 (sets of labels). Two empty sets are equal; the empty set is a subset of every other
set, with nothing in common: its distance is 1 for jaccard, dice and masi, and 1/3 for
passonneau2004.

Krippendorff's ordinal distance depends on how often the categories are used; Gwet's ordinal weights
depend on their ranks only. They are two distances with two names.

`linear` and `quadratic`, the usual weights of κ (Cohen 1968), compare the numbers that the
categories stand for if all are numbers, else their ranks in the declared order. `linear_values` and
`linear_ranks` choose one of the two, and the settings of a value state it in this way.

`circular/24` is the circular distance on a circle of 24 units. Without a circumference, `circular`
assumes a circle one unit longer than the range of the categories, which is right if the tagset has
all whole numbers of the circle.

Each distance is declared at its formula. Another package adds one with an entry point of the group
`accordeur.distances` whose object is a `CategoryDistance`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats
from ..close_names import did_you_mean
from ..distance_matrix import distance_matrix
from ..errors import MetricsError
from ..plugins import load_plugins
from .category_distance import CategoryDistance, Needs
from .category_tree import tree_distances

Table = TypeVar("Table", bound=Callable[..., Floats])
DISTANCES: dict[str, CategoryDistance] = {}


def _declare(
    name: str,
    needs: Needs,
    *,
    ordered: bool = False,
    circle: bool = False,
    separator: bool = False,
    offered: bool = True,
) -> Callable[[Table], Table]:
    def declare(table: Table) -> Table:
        DISTANCES[name] = CategoryDistance(
            name=name,
            table=table,
            needs=needs,
            ordered=ordered,
            circle=circle,
            separator=separator,
            offered=offered,
        )
        return table

    return declare


def _declare_squares(name: str, needs: Needs) -> Callable[[Table], Table]:
    """Declare the squared difference of the positions that the decorated function returns."""

    def declare(places: Table) -> Table:
        def table(given: Floats) -> Floats:
            on_line = places(given)
            return np.asarray((on_line[..., :, None] - on_line[..., None, :]) ** 2)

        DISTANCES[name] = CategoryDistance(
            name=name, table=table, needs=needs, places=places, ordered=True
        )
        return places

    return declare


@_declare("nominal", Needs.CATEGORIES)
def nominal(n_categories: int) -> Floats:
    """Return 0 for the same category, 1 for different ones."""
    return 1.0 - np.eye(n_categories)


@_declare_squares("ordinal", Needs.USES)
def mid_ranks(uses: Floats) -> Floats:
    """Mean rank of the labels of each category in the order of all labels, (…, K).

    Krippendorff's δ²(c, k) = (Σ_{g=c..k} n_g − (n_c + n_k)/2)²: half of n_c and n_k plus all labels
    between them is the distance between the mid-ranks of c and k.
    """
    return np.asarray(np.cumsum(uses, axis=-1) - uses / 2)


@_declare_squares("interval", Needs.NUMBERS)
def interval(values: Floats) -> Floats:
    """Return (c − k)²."""
    return values


@_declare("ratio", Needs.NUMBERS, ordered=True)
def ratio(values: Floats) -> Floats:
    """Return ((c − k)/(c + k))² of non-negative values; 0 if both are 0."""
    if values.min(initial=0.0) < 0:
        raise MetricsError("the ratio distance needs values of 0 or more: use interval")
    sums = np.add.outer(values, values)
    return (np.subtract.outer(values, values) / np.where(sums == 0, 1.0, sums)) ** 2


@_declare("circular", Needs.NUMBERS, circle=True)
def circular(values: Floats, circumference: float | None = None) -> Floats:
    """Return sin²(π(c − k)/U); the circumference U defaults to the range of values + 1."""
    if values.size == 0:
        return np.zeros((0, 0))
    if circumference is None:
        circumference = float(values.max() - values.min()) + 1
    table: Floats = np.sin(np.pi * np.subtract.outer(values, values) / circumference) ** 2
    np.fill_diagonal(table, 0.0)
    return table


@_declare("jaccard", Needs.SETS)
def jaccard(members: Flags) -> Floats:
    """Return 1 − J, J = |A ∩ B| / |A ∪ B|."""
    return 1 - _jaccard_and_monotonicity(members)[0]


@_declare("dice", Needs.SETS)
def dice(members: Flags) -> Floats:
    """Return 1 − 2 |A ∩ B| / (|A| + |B|): 1 − F of one set against the other (Dice 1945)."""
    shared = _jaccard_and_monotonicity(members)[0]
    return 1 - 2 * shared / (1 + shared)


@_declare("masi", Needs.SETS)
def masi(members: Flags) -> Floats:
    """Return 1 − J·M (Passonneau 2006)."""
    shared, monotonicity = _jaccard_and_monotonicity(members)
    return 1 - shared * monotonicity


@_declare("passonneau2004", Needs.SETS)
def passonneau2004(members: Flags) -> Floats:
    """Return 1 − M: M = 1 for equal sets, 2/3 for a subset, 1/3 for overlapping sets, else 0."""
    return 1 - _jaccard_and_monotonicity(members)[1]


def _jaccard_and_monotonicity(members: Flags) -> tuple[Floats, Floats]:
    """Return J and M of each two sets, (K, K)."""
    sets = members.astype(np.float64)  # exact integers as floats, so that BLAS multiplies them
    size = sets.sum(axis=1)
    common = sets @ sets.T
    union = size[:, None] + size[None, :] - common
    smaller = np.minimum(size[:, None], size[None, :])
    monotonicity = np.select(
        [union == common, common == smaller, common > 0], [1.0, 2 / 3, 1 / 3], default=0.0
    )
    return np.where(union == 0, 1.0, common / np.maximum(union, 1)), monotonicity


def _scale_to_one(table: Floats) -> Floats:
    largest = table.max(initial=0.0)
    return table / largest if largest > 0 else table


def _gwet(name: str) -> Callable[[Table], Table]:
    return _declare(name, Needs.NUMBERS_OR_RANKS, ordered=True, offered=False)


def _power_distance(values: Floats, exponent: float) -> Floats:
    return _scale_to_one(np.abs(np.subtract.outer(values, values)) ** exponent)


def linear(values: Floats) -> Floats:
    """Return |c − k|, divided by the largest (Cicchetti & Allison 1971)."""
    return _power_distance(values, 1.0)


def quadratic(values: Floats) -> Floats:
    """Return (c − k)², divided by the largest (Fleiss & Cohen 1973)."""
    return _power_distance(values, 2.0)


BY_SCALE = {"ranks": Needs.RANKS, "values": Needs.NUMBERS}
for _name, _weights in (("linear", linear), ("quadratic", quadratic)):
    _declare(_name, Needs.NUMBERS_OR_RANKS, ordered=True)(_weights)
    for _scale, _needs in BY_SCALE.items():
        _declare(f"{_name}_{_scale}", _needs, ordered=True)(_weights)
    _gwet(f"gwet_{_name}")(_weights)


@_gwet("gwet_ordinal")
def gwet_ordinal(values: Floats) -> Floats:
    """Return C(|rank c − rank k| + 1, 2) / C(K, 2) (Gwet 2014, chapter 3)."""
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    apart = np.abs(np.subtract.outer(ranks, ranks))
    return _scale_to_one(apart * (apart + 1) / 2.0)


_gwet("gwet_radical")(lambda values: _power_distance(values, 0.5))
_gwet("gwet_ratio")(lambda values: _scale_to_one(ratio(values)))
_gwet("gwet_circular")(lambda values: _scale_to_one(circular(values)))


@_gwet("gwet_bipolar")
def gwet_bipolar(values: Floats) -> Floats:
    """(c − k)² / ((c + k − 2 min)(2 max − c − k)), scaled to at most 1 (Gwet 2014, chapter 3)."""
    low, high = values.min(initial=math.inf), values.max(initial=-math.inf)
    sums = np.add.outer(values, values)
    below = (sums - 2 * low) * (2 * high - sums)
    squares = np.subtract.outer(values, values) ** 2
    return _scale_to_one(np.where(below > 0, squares / np.where(below > 0, below, 1.0), 0.0))


_declare("tree", Needs.NAMES, separator=True)(tree_distances)
DISTANCES |= load_plugins("accordeur.distances", CategoryDistance, known=DISTANCES)
SETS = tuple(name for name, one in DISTANCES.items() if one.needs is Needs.SETS)
OFFERED = tuple(name for name, one in DISTANCES.items() if one.offered)
IN_COMMANDS = tuple(name for name in OFFERED if not DISTANCES[name].circle)
"""Distances that commands accept by name; a circumference is set in the campaign file."""
OF_UNITS = ("nominal", "ordinal", "interval", "tree")
OF_LABELS = tuple(name for name in IN_COMMANDS if name not in SETS)


@dataclass(frozen=True, slots=True, eq=False)
class NamedTable:
    """A table (K, K) of distances with a name for signatures, such as `masi` of the sets in use."""

    name: str
    table: Floats

    def without(self, category: int) -> NamedTable:
        """Return the same distance without one category."""
        return NamedTable(self.name, without_category(self.table, category))


Distance = str | Floats | NamedTable


def distance_table(
    distance: Distance,
    *,
    tagset: Sequence[str],
    marginals: NDArray[np.generic],
) -> Floats:
    """Return the distances between the K categories, float64 (K, K), or (…, K, K) for `ordinal`.

    distance   a name in DISTANCES other than a distance between sets, `circular/` with a
               circumference, or a table: symmetric, zero diagonal, in [0, 1]
    marginals  (…, K): how often each category is used; only Krippendorff's `ordinal` needs it

    If the labels are not all numbers, `interval`, `ratio` and `circular` raise MetricsError, and
    Gwet's weights use the ranks 1..K.
    """
    if not isinstance(distance, str):
        table = distance.table if isinstance(distance, NamedTable) else distance
        return distance_matrix(table, len(tagset))
    name, parameter = split_parameter(distance)
    given = _required_input(distance_named(name), tagset, marginals)
    return DISTANCES[name].table(given, *(() if parameter is None else (parameter,)))


def resolve_linear_distance(distance: Distance, tagset: Sequence[str]) -> Distance:
    """Return `linear_values` or `linear_ranks` for `linear`, and other distances unchanged."""
    if not isinstance(distance, str) or f"{distance}_ranks" not in DISTANCES:
        return distance
    return f"{distance}_{'ranks' if category_values(tagset) is None else 'values'}"


def category_positions(
    distance: Distance,
    *,
    tagset: Sequence[str],
    marginals: NDArray[np.generic],
) -> Floats | None:
    """Return the positions (…, K) whose squared differences are the distance, or None."""
    one = DISTANCES.get(distance) if isinstance(distance, str) else None
    if one is None or one.places is None:
        return None
    return one.places(_required_input(one, tagset, marginals))


def distance_named(name: str) -> CategoryDistance:
    """Return the distance of this name. Raises MetricsError if there is none."""
    if name not in DISTANCES:
        raise MetricsError(
            f"unknown distance {name!r}; {list_other_distances(name, DISTANCES)}, or a table"
        )
    return DISTANCES[name]


def list_other_distances(name: object, known: Collection[str]) -> str:
    """Say which distances there are instead of an unknown one."""
    return f"{did_you_mean(str(name), known)}the distances are {', '.join(known)}"


def _required_input(
    distance: CategoryDistance,
    tagset: Sequence[str],
    marginals: NDArray[np.generic],
) -> Any:
    if distance.needs is Needs.CATEGORIES:
        return len(tagset)
    if distance.needs is Needs.NAMES:
        return tagset
    if distance.needs is Needs.USES:
        return np.asarray(marginals, dtype=np.float64)
    if distance.needs is Needs.SETS:
        raise MetricsError(f"the {distance.name} distance compares sets of labels: see label_sets")
    numbers = None if distance.needs is Needs.RANKS else category_values(tagset)
    if numbers is not None:
        return numbers
    if distance.needs in (Needs.RANKS, Needs.NUMBERS_OR_RANKS):
        return np.arange(1.0, len(tagset) + 1)
    commas = category_values([label.replace(",", ".") for label in tagset]) is not None
    raise MetricsError(
        f"the {distance.name} distance needs numbers, and the categories "
        f"({', '.join(tagset)}) are not all numbers: "
        + ("write them with a decimal point, or " if commas else "")
        + "use ordinal"
    )


def set_distance_table(distance: str, members: Flags) -> Floats:
    """Return the table (K, K) of a distance in SETS between K sets, bool (K, labels)."""
    return distance_named(distance).table(members)


def compares_numbers(distance: Distance) -> bool:
    """Whether the distance compares the numbers that categories stand for."""
    one = DISTANCES.get(split_parameter(distance)[0]) if isinstance(distance, str) else None
    return one is not None and one.needs in (Needs.NUMBERS, Needs.NUMBERS_OR_RANKS)


def needs_ordered_categories(distance: Distance) -> bool:
    """Whether the categories must be in the order of a scale."""
    return isinstance(distance, str) and distance in DISTANCES and DISTANCES[distance].ordered


def category_values(tagset: Sequence[str]) -> Floats | None:
    """Return each category as a number, float64 (K,), or None if any is not a number."""
    try:
        numbers = np.array([float(label) for label in tagset])
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def without_category(table: Floats, category: int) -> Floats:
    return np.delete(np.delete(table, category, axis=0), category, axis=1)


def split_parameter(distance: str) -> tuple[str, float | str | None]:
    """Split `circular/24` into name and circumference, `tree/.` into name and separator.

    The parameter is None for a name alone. Raises MetricsError if the circumference is not a finite
    positive number, or if the distance has no parameter.
    """
    name, slash, written = distance.partition("/")
    if not slash:
        return distance, None
    if written and name in DISTANCES and DISTANCES[name].separator:
        return name, written
    try:
        circumference = float(written)
    except ValueError:
        circumference = math.nan
    circles = name in DISTANCES and DISTANCES[name].circle
    if not circles or not 0 < circumference < math.inf:
        raise MetricsError(
            f"unknown distance {distance!r}: a circumference above 0 belongs to circular, as in "
            "circular/24 for hours or circular/360 for degrees"
        )
    return name, circumference
