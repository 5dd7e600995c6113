"""The share of words that two short answers do not have in common."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accordeur.metrics.arrays import Floats
from accordeur.metrics.objects.object_distance import ObjectDistance

Words = frozenset[str]


def words_of(text: str) -> Words:
    return frozenset(text.split())


def shares_apart(first: Sequence[Words], second: Sequence[Words]) -> Floats:
    return np.array(
        [
            1 - len(a & b) / max(len(a | b), 1) if a != b else 0.0
            for a, b in zip(first, second, strict=True)
        ]
    )


SHARED_WORDS = ObjectDistance(
    name="shared_words",
    read=words_of,
    distances=shares_apart,
    compares_items=True,
    metric=True,
    is_text=True,
    largest=1.0,
    source="Jaccard 1901",
)
