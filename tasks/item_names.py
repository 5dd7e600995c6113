"""How an item of a campaign is written as one string, and what sets of labels hold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..data.label_sets import set_labels

ITEM_SIGN = "\x1f"  # between document and item


def split_item(name: str) -> tuple[str, str]:
    """(document, item) of an item's name. Raises ValueError for a name without a document."""
    document, item = name.split(ITEM_SIGN, 1)
    return document, item


def public_name(layer: str, case: str) -> str:
    """The name of a case in files: layer, then document and item, or document and units."""
    return f"{layer}|{case.replace(ITEM_SIGN, '|')}"


def set_members(sets: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.bool_]]:
    """The labels that the sets of these names are made of, and which each holds: bool (K, labels).

    The names are those of `data.label_sets`.
    """
    given = [frozenset(set_labels(name)) for name in sets]
    labels = tuple(sorted(frozenset().union(*given)))
    return labels, np.array([[label in one for label in labels] for one in given], dtype=np.bool_)
