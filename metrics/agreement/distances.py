"""Distances between categories, as K × K tables with a zero diagonal.

Sources: Krippendorff 2004, chapter 11 (nominal, ordinal, interval, ratio, circular); Gwet 2014,
chapter 3 (weights, given here as distances 1 − w, under names that begin with `gwet_`);
Passonneau 2004 and 2006 (sets of labels, see `label_sets`).

Krippendorff's ordinal distance depends on how often the categories are used; Gwet's ordinal weights
depend on their ranks alone. They are two distances under two names.

`circular/24` is the circular distance on a circle of 24 units. `circular` alone takes a circle one
unit longer than the range of the categories, which holds for a tagset of all its whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import MetricsError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class NamedTable:
    """A table (K, K) of distances that has a name in signatures, such as `masi` of these sets."""

    name: str
    table: NDArray[np.float64]

    def without(self, at: int) -> NamedTable:
        """The same distance without one category."""
        return NamedTable(self.name, without_category(self.table, at))


Distance = str | NDArray[np.float64] | NamedTable

KRIPPENDORFF = ("nominal", "ordinal", "interval", "ratio", "circular")
SETS = ("jaccard", "masi", "passonneau2004")
GWET = (
    "gwet_linear",
    "gwet_quadratic",
    "gwet_ordinal",
    "gwet_radical",
    "gwet_ratio",
    "gwet_circular",
    "gwet_bipolar",
)
DISTANCES = KRIPPENDORFF + SETS + GWET


def distance_table(
    distance: Distance,
    *,
    tagset: Sequence[str],
    marginals: NDArray[np.generic],
    values: Floats | None = None,
) -> Floats:
    """The distances between the K categories, float64 (K, K), or (…, K, K) for `ordinal`.

    distance   a name of DISTANCES except those on sets, `circular/` with a circumference, or a
               table: symmetric, zero diagonal, in [0, 1]
    marginals  (…, K): how often each category is used; only Krippendorff's `ordinal` needs it
    values     (K,): the number each category stands for. Without them: the labels themselves when
               all are numbers; else `interval`, `ratio` and `circular` raise MetricsError, and
               Gwet's weights take the ranks 1..K
    """
    n_categories = len(tagset)
    if isinstance(distance, NamedTable):
        return check_table(distance.table, n_categories)
    if not isinstance(distance, str):
        return check_table(distance, n_categories)
    distance, circumference = split_circumference(distance)
    if distance == "nominal":
        return nominal(n_categories)
    if distance == "ordinal":
        return ordinal(np.asarray(marginals, dtype=np.float64))
    if distance in _ON_VALUES:
        numbers = category_values(tagset, values)
        if numbers is None:
            if not distance.startswith("gwet_"):
                commas = category_values([label.replace(",", ".") for label in tagset]) is not None
                raise MetricsError(
                    f"the {distance} distance needs numbers, and the categories "
                    f"({', '.join(tagset)}) are not all numbers: "
                    + ("write them with a decimal point" if commas else "give their values")
                    + ", or use ordinal"
                )
            numbers = np.arange(1.0, n_categories + 1)
        if circumference is not None:
            return circular(numbers, circumference)
        return _ON_VALUES[distance](numbers)
    if distance in SETS:
        raise MetricsError(f"the {distance} distance compares sets of labels: see label_sets")
    raise MetricsError(f"unknown distance {distance!r}; known: {', '.join(DISTANCES)}, or a table")


def on_numbers(distance: Distance) -> bool:
    """Whether it compares the numbers that categories stand for, not the categories."""
    return isinstance(distance, str) and split_circumference(distance)[0] in _ON_VALUES


def category_values(tagset: Sequence[str], values: Floats | None = None) -> Floats | None:
    """The number each category stands for, float64 (K,), or None when labels are not numbers."""
    if values is not None:
        numbers = np.asarray(values, dtype=np.float64)
        if numbers.shape != (len(tagset),) or not np.isfinite(numbers).all():
            raise MetricsError(f"expected {len(tagset)} finite values, one a category")
        return numbers
    try:
        numbers = np.array([float(label) for label in tagset])
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).all() else None


def require_order(
    tagset: Sequence[str], distance: object, measures: Sequence[str] = (), *, declare: str
) -> None:
    """Raise MetricsError where the order of the categories matters and only their names are known.

    For categories that nobody declared: numbers have an order, `low, middle, high` would be sorted
    by the alphabet. `declare` says where the user gives the order.
    """
    user = f"the {distance} distance" if distance in ("ordinal", "gwet_ordinal") else ""
    user = user or next((measure for measure in measures if measure == "finn_r"), "")
    if user and len(tagset) > 2 and category_values(tagset) is None:
        raise MetricsError(
            f"{user} needs the order of the categories, and these ({', '.join(tagset)}) are not "
            f"all numbers: give them in the scale's order with {declare}"
        )


def without_category(table: NDArray[np.float64], at: int) -> NDArray[np.float64]:
    return np.delete(np.delete(table, at, axis=0), at, axis=1)


def split_circumference(distance: str) -> tuple[str, float | None]:
    """The name of a distance, and the circumference that `circular/24` states; else None.

    Raises MetricsError where it is no finite number above 0, or the distance is not circular.
    """
    name, slash, written = distance.partition("/")
    if not slash:
        return distance, None
    try:
        circumference = float(written)
    except ValueError:
        circumference = math.nan
    if name != "circular" or not 0 < circumference < math.inf:
        raise MetricsError(
            f"unknown distance {distance!r}: a circumference above 0 belongs to circular, as in "
            "circular/24 for hours or circular/360 for degrees"
        )
    return name, circumference


def require_circle(tagset: Sequence[str], distance: object, *, declare: str) -> None:
    """Raise MetricsError for a circle whose length nothing says: that of 8..20 h is 24, not 13.

    For categories that nobody declared; `declare` says where the user gives the circumference.
    """
    if distance == "circular" and len(tagset) > 1 and category_values(tagset) is not None:
        raise MetricsError(
            "the circular distance needs the length of the whole circle, and the labels found "
            f"({tagset[0]} to {tagset[-1]}) do not say it: give {declare} (24 for hours, 360 for "
            "degrees), or declare the tagset of all its categories"
        )


def check_table(table: NDArray[np.generic], n_categories: int) -> Floats:
    """The user's own table as float64 (K, K). Raises MetricsError unless it is a distance."""
    out = np.asarray(table, dtype=np.float64)
    if out.shape != (n_categories, n_categories):
        raise MetricsError(
            f"the distance table has shape {out.shape}; expected ({n_categories}, {n_categories})"
        )
    if not np.isfinite(out).all() or out.min(initial=0.0) < 0 or out.max(initial=0.0) > 1:
        raise MetricsError("the distances between categories must lie between 0 and 1")
    if np.diagonal(out).any():
        raise MetricsError("the distance of a category to itself must be 0")
    if not np.allclose(out, out.T, rtol=0, atol=1e-12):
        raise MetricsError("the distance table must be symmetric")
    return out


def nominal(n_categories: int) -> Floats:
    """0 for the same category, 1 for two categories."""
    return 1.0 - np.eye(n_categories)


def ordinal(marginals: Floats) -> Floats:
    """Krippendorff's δ²(c, k) = (Σ_{g=c..k} n_g − (n_c + n_k)/2)², for marginals (…, K)."""
    # Half of n_c and n_k and all that lies between: the distance between the mid-ranks of c and k.
    middle = mid_ranks(marginals)
    return (middle[..., :, None] - middle[..., None, :]) ** 2


def mid_ranks(marginals: Floats) -> Floats:
    """The middle of the labels of each category in the order of all labels, (…, K)."""
    return np.asarray(np.cumsum(marginals, axis=-1) - marginals / 2)


def interval(values: Floats) -> Floats:
    """(c − k)²."""
    return np.subtract.outer(values, values) ** 2


def ratio(values: Floats) -> Floats:
    """((c − k)/(c + k))², for values of 0 or more; 0 when both are 0."""
    if values.min(initial=0.0) < 0:
        raise MetricsError("the ratio distance needs values of 0 or more: use interval")
    sums = np.add.outer(values, values)
    return (np.subtract.outer(values, values) / np.where(sums == 0, 1.0, sums)) ** 2


def circular(values: Floats, circumference: float | None = None) -> Floats:
    """sin²(π(c − k)/U), U = the circumference, else one unit more than the range of the values."""
    if values.size == 0:
        return np.zeros((0, 0))
    if circumference is None:
        circumference = float(values.max() - values.min()) + 1
    table: Floats = np.sin(np.pi * np.subtract.outer(values, values) / circumference) ** 2
    np.fill_diagonal(table, 0.0)
    return table


def _gwet_power(exponent: float) -> Callable[[Floats], Floats]:
    def table(values: Floats) -> Floats:
        return _scaled(np.abs(np.subtract.outer(values, values)) ** exponent)

    return table


def gwet_ordinal(values: Floats) -> Floats:
    """C(|rank c − rank k| + 1, 2) / C(K, 2) (Gwet 2014, chapter 3)."""
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    apart = np.abs(np.subtract.outer(ranks, ranks))
    return _scaled(apart * (apart + 1) / 2.0)


def gwet_bipolar(values: Floats) -> Floats:
    """(c − k)² / ((c + k − 2 min)(2 max − c − k)), scaled to at most 1 (Gwet 2014, chapter 3)."""
    low, high = values.min(initial=math.inf), values.max(initial=-math.inf)
    sums = np.add.outer(values, values)
    below = (sums - 2 * low) * (2 * high - sums)
    squares = np.subtract.outer(values, values) ** 2
    return _scaled(np.where(below > 0, squares / np.where(below > 0, below, 1.0), 0.0))


def _scaled(table: Floats) -> Floats:
    largest = table.max(initial=0.0)
    return table / largest if largest > 0 else table


_ON_VALUES: dict[str, Callable[[Floats], Floats]] = {
    "interval": interval,
    "ratio": ratio,
    "circular": circular,
    "gwet_linear": _gwet_power(1.0),
    "gwet_quadratic": _gwet_power(2.0),
    "gwet_radical": _gwet_power(0.5),
    "gwet_ordinal": gwet_ordinal,
    "gwet_ratio": lambda values: _scaled(ratio(values)),
    "gwet_circular": lambda values: _scaled(circular(values)),
    "gwet_bipolar": gwet_bipolar,
}
