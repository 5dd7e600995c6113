"""Units of one annotator, system or reference over many documents, as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Flags, Ints
from .errors import MetricsError


@dataclass(frozen=True, slots=True)
class Units:
    """U units, in any order; they may nest, overlap and repeat.

    documents   int64 (U,): index of the document, ≥ 0
    starts, ends  int64 (U,): `[start, end)` in the document's offset unit, start < end
    categories  int64 (U,): index into the tagset, -1 for a unit without a category

    Raises MetricsError for bounds that are not whole numbers, empty units and unequal lengths.
    """

    documents: Ints
    starts: Ints
    ends: Ints
    categories: Ints

    def __post_init__(self) -> None:
        for name in ("documents", "starts", "ends", "categories"):
            object.__setattr__(self, name, whole_numbers(getattr(self, name), name))
            if getattr(self, name).shape != self.documents.shape:
                raise MetricsError(
                    f"{name} has shape {getattr(self, name).shape}; expected {self.documents.shape}"
                )
        if not self.starts.size:
            return
        wrong = np.nonzero(self.starts >= self.ends)[0]
        if wrong.size:
            u = int(wrong[0])
            raise MetricsError(
                f"unit {u} of document {int(self.documents[u])}: end ({int(self.ends[u])}) must be "
                f"after start ({int(self.starts[u])})"
            )
        if self.starts.min() < 0 or self.documents.min() < 0 or self.categories.min() < -1:
            raise MetricsError("starts and documents must be 0 or more, categories -1 or more")

    def __len__(self) -> int:
        return int(self.starts.shape[0])

    @classmethod
    def empty(cls) -> Units:
        nothing = np.zeros(0, dtype=np.int64)
        return cls(nothing, nothing, nothing, nothing)

    def select(self, chosen: Flags | NDArray[np.integer]) -> Units:
        """Select the units of a mask (U,) or of indices."""
        return Units(
            self.documents[chosen], self.starts[chosen], self.ends[chosen], self.categories[chosen]
        )

    def arrays(self) -> tuple[Ints, ...]:
        return self.documents, self.starts, self.ends, self.categories


def whole_numbers(values: ArrayLike, name: str) -> Ints:
    """Return the values as int64. Raises MetricsError if one is not a whole number."""
    array = np.asarray(values)
    if array.dtype == np.int64:
        return array
    if array.size and not np.issubdtype(array.dtype, np.integer):
        whole = np.isfinite(array) & (array == np.floor(array))
        if not whole.all():
            raise MetricsError(
                f"{name} must be whole numbers (characters, milliseconds or tokens); unit "
                f"{int(np.nonzero(~whole)[0][0])} has {array[~whole][0]}"
            )
    return array.astype(np.int64)
