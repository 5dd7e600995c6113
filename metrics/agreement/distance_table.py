"""Distances between categories that a user declares: in a campaign file, a table or in Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Floats
from ..errors import MetricsError
from .category_tree import path_distances

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class DistanceTable:
    """Distances of pairs of categories in [0, 1]; a pair that is not given has distance 1.

    pairs    (category, category, distance); each pair in one direction or in both
    is_tree  whether it has the nodes of a taxonomy, of which some may be no categories

    Raises MetricsError for a distance outside [0, 1], a distance of a category to itself other than
    0, and two different distances of a pair.
    """

    pairs: tuple[tuple[str, str, float], ...]
    is_tree: bool = False

    def __post_init__(self) -> None:
        known: dict[tuple[str, str], float] = {}
        for first, second, value in self.pairs:
            if first == second and value:
                raise MetricsError(f"the distance of {first!r} to itself must be 0, not {value:g}")
            if not 0 <= value <= 1:
                raise MetricsError(
                    f"the distance of {first!r} and {second!r} must lie in 0..1, not {value:g}"
                )
            other = known.setdefault((second, first), value)
            if known.setdefault((first, second), other) != value:
                raise MetricsError(
                    f"two distances are given for {first!r} and {second!r}: {other:g} and {value:g}"
                )

    @classmethod
    def from_pairs(cls, cells: Iterable[tuple[str, str, object]]) -> DistanceTable:
        """Read pairs whose distances may be text; None and empty text give none.

        Raises MetricsError for a distance that is not a number.
        """
        pairs = []
        for first, second, cell in cells:
            if cell is None or cell == "":
                continue
            try:
                pairs.append((first, second, float(cell)))  # type: ignore[arg-type]  # checked here
            except (TypeError, ValueError):
                raise MetricsError(
                    f"the distance of {first!r} and {second!r} must be a number, not {cell!r}"
                ) from None
        return cls(tuple(pairs))

    @classmethod
    def from_square_table(
        cls, categories: Sequence[str], rows: Sequence[tuple[str, Sequence[object]]]
    ) -> DistanceTable:
        """Read a square table; an empty cell is completed from its mirror image.

        categories  names of the columns
        rows        name and cells of each row

        Raises MetricsError unless the rows have the names of the columns, each once.
        """
        columns, names = Counter(categories), Counter(name for name, _ in rows)
        for name in {**columns, **names}:
            if (columns[name], names[name]) != (1, 1):
                raise MetricsError(
                    "a square table of distances has one column and one row for each category, but "
                    f"{name!r} has columns: {columns[name]}, rows: {names[name]}"
                )
        return cls.from_pairs(
            (name, category, cell)
            for name, cells in rows
            for category, cell in zip(categories, cells, strict=False)
        )

    @classmethod
    def from_tree_paths(cls, paths: Sequence[tuple[str, ...]]) -> DistanceTable:
        """Return the tree distances between the last names of paths from the root.

        They are shares of the longest path between two nodes.

        Raises MetricsError for a name at two places.
        """
        names = [path[-1] for path in paths]
        for name, n in Counter(names).items():
            if n > 1:
                raise MetricsError(
                    f"{name!r} is at {n} places of the tree: name each category once"
                )
        table = path_distances(paths)
        pairs = combinations(range(len(names)), 2)
        return cls(tuple((names[c], names[k], float(table[c, k])) for c, k in pairs), is_tree=True)

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories that are named, in their order."""
        return tuple(dict.fromkeys(name for pair in self.pairs for name in pair[:2]))

    def require_declared(self, tagset: Sequence[str]) -> None:
        """Raise MetricsError for a category that is not in the declared tagset."""
        for name in self.categories:
            if name not in tagset and not self.is_tree:
                raise MetricsError(
                    f"distances name {name!r}, which is not one of the categories "
                    f"({', '.join(tagset) or 'empty'})"
                )

    def require_known(self, tagset: Sequence[str], *, declare: str) -> None:
        """Raise MetricsError for a category of the data that the table does not name.

        declare  where the user can declare categories that have no distance of their own
        """
        named = {*self.categories}
        missing = [name for name in tagset if name not in named]
        if missing:
            raise MetricsError(
                f"the table of distances has no category {missing[0]!r}, which is in the data: add "
                f"it, or declare all categories with {declare}"
            )

    def distances_in_tagset(self, tagset: Sequence[str]) -> Floats:
        """Return the distances between the K categories of a tagset, float64 (K, K)."""
        code = {name: k for k, name in enumerate(tagset)}
        table = 1 - np.eye(len(tagset))
        for first, second, value in self.pairs:
            if first in code and second in code:
                table[code[first], code[second]] = table[code[second], code[first]] = value
        return table
