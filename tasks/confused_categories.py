"""Categories that annotators confuse, counted over all documents of a layer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..reports import results as page

MOST_REPAIRS = 100  # pairs of categories of a layer in the results, the most frequent


def confused_pairs(
    layer: str, tagset: Sequence[str], pairs: NDArray[np.integer]
) -> list[page.Repair]:
    """Return the pairs of different categories that occur, the most frequent first.

    pairs  (K, K), symmetric: pairs of annotations with category i and category j
    """
    with_either = pairs.sum(axis=1)
    found = [
        page.Repair(
            layer=layer,
            first=tagset[i],
            second=tagset[j],
            count=int(pairs[i, j]),
            out_of=int(with_either[i] + with_either[j] - pairs[i, j]),
        )
        for i, j in np.argwhere(np.triu(pairs, 1) > 0).tolist()
    ]
    return sorted(found, key=lambda one: -one.count)[:MOST_REPAIRS]
