"""Units of one annotator, system or reference over many documents, as flat arrays."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .arrays import Flags, Ints
from .errors import MetricsError

UnitRows: TypeAlias = NDArray[np.int64]
"""(U, 4): start, end, index of the category (-1: none), and `gap_code` of the fragments."""
NO_UNITS: UnitRows = np.empty((0, 4), np.int64)


@dataclass(frozen=True, slots=True)
class Units:
    """U units, in any order; they may nest, overlap and repeat.

    documents   int64 (U,): index of the document, ≥ 0
    starts, ends  int64 (U,): `[start, end)` in the document's offset unit, start < end
    categories  int64 (U,): index into the tagset, -1 for a unit without a category
    gaps        int64 (U,): `gap_code` of the fragments, 0 for a unit without gaps; default: all 0

    Raises MetricsError for bounds that are not whole numbers, empty units and unequal lengths.
    """

    documents: Ints
    starts: Ints
    ends: Ints
    categories: Ints
    gaps: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def __post_init__(self) -> None:
        if not self.gaps.size:
            object.__setattr__(self, "gaps", np.zeros(np.shape(self.starts), dtype=np.int64))
        for name in ("documents", "starts", "ends", "categories", "gaps"):
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
        return Units(*(one[chosen] for one in (*self.arrays(), self.gaps)))

    def arrays(self) -> tuple[Ints, ...]:
        """Return documents, starts, ends and categories."""
        return self.documents, self.starts, self.ends, self.categories

    def hashed(self) -> list[Ints]:
        """Return the arrays of a signature: with the gaps, if any unit has one."""
        return [*self.arrays(), *([self.gaps] if self.gaps.any() else [])]


def gap_code(fragments: Sequence[Sequence[int]]) -> int:
    """Return 0 for a unit without gaps, else a number that only the same fragments have.

    It is the same in every process: 63 bits of a hash of `(start, end)` of each fragment.
    """
    if len(fragments) < 2:
        return 0
    text = ";".join(f"{int(start)} {int(end)}" for start, end in fragments)
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 1


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
