"""The tree distance between the categories of a taxonomy.

The distance of two categories is the length of the path between them in the tree, over the longest
path between two categories of the tagset: 0 for the same, 1 for the farthest. A category is the
path from the root to its node: with the separator `/`, `animal/bird` is a child of `animal`, and
both may be categories. All paths begin at one root, so that `animal` and `plant/tree` are three
steps apart. If no category has a part below another, the distance is nominal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Floats
from ..errors import MetricsError

SEPARATOR = "/"


def tree_distances(names: Sequence[str], separator: str = SEPARATOR) -> Floats:
    """Return the tree distances between K categories, float64 (K, K), in [0, 1].

    >>> tree_distances(["animal/bird", "animal/dog", "plant"]).tolist()
    [[0.0, 0.6666666666666666, 1.0], [0.6666666666666666, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    return path_distances([tuple(name.split(separator)) for name in names])


def path_distances(paths: Sequence[tuple[str, ...]]) -> Floats:
    """Return the same between K paths of names, from the root to the category."""
    depths = np.array([len(path) for path in paths], dtype=np.int64)
    common = np.zeros((len(paths), len(paths)), dtype=np.int64)
    for depth in range(int(depths.max(initial=0))):
        known: dict[tuple[str, ...], int] = {}
        reaches = depths > depth
        node = np.array([known.setdefault(path[: depth + 1], len(known)) for path in paths])
        common += (node[:, None] == node[None, :]) & reaches[:, None] & reaches[None, :]
    steps = np.add.outer(depths, depths) - 2 * common
    return np.asarray(steps / max(int(steps.max(initial=0)), 1), dtype=np.float64)


def require_paths(tagset: Sequence[str], separator: str = SEPARATOR) -> None:
    """Raise MetricsError if no category of several is a path, so that there is no tree."""
    if len(tagset) > 1 and not any(separator in name for name in tagset):
        raise MetricsError(
            f"the tree distance needs categories that are paths with the separator {separator!r}, "
            f"such as 'animal{separator}bird', and these ({', '.join(tagset)}) are not: give the "
            "separator, as in tree/. or tree/:, or categories in indented lines as the table of "
            "distances"
        )
