"""Names of items of a campaign as single strings, and the members of sets of labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..data.label_sets import set_labels

ITEM_SIGN = "\x1f"  # separator between document and item


def split_item(name: str) -> tuple[str, str]:
    """Split the name of an item into document and item. Raises ValueError without a document."""
    document, item = name.split(ITEM_SIGN, 1)
    return document, item


def public_name(layer: str, case: str) -> str:
    """Return the name of a case in files: layer, then document and item, or document and units."""
    return f"{layer}|{case.replace(ITEM_SIGN, '|')}"


def set_members(sets: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.bool_]]:
    """Return the labels that occur in the sets, and the members of each set: bool (K, labels).

    The names are written as in `data.label_sets`.
    """
    given = [frozenset(set_labels(name)) for name in sets]
    labels = tuple(sorted(frozenset().union(*given)))
    return labels, np.array([[label in one for label in labels] for one in given], dtype=np.bool_)
