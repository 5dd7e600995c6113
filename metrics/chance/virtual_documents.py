"""Virtual documents of one round of draws in a few flat arrays, the input of the alignment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..alignment.continuum import Continuum
from ..arrays import Floats, Ints, Ints32


class VirtualDocument(NamedTuple):
    """One virtual document: units grouped by virtual annotator; `length` is its length.

    unit_offsets  int64 (n + 1,): annotator a has the units `unit_offsets[a]:unit_offsets[a + 1]`
    """

    starts: Floats
    ends: Floats
    categories: Ints32
    unit_offsets: Ints
    length: float


@dataclass(frozen=True, slots=True)
class VirtualDocuments:
    """D virtual documents of n annotators, with the units of one document after another.

    starts, ends  float64 (U,)
    categories    int32 (U,)
    unit_offsets  int64 (D, n + 1): for each document as in `Draw`
    lengths       float64 (D,)
    """

    starts: Floats
    ends: Floats
    categories: Ints32
    unit_offsets: Ints
    lengths: Floats

    @classmethod
    def join(cls, draws: Sequence[VirtualDocument]) -> VirtualDocuments:
        """Join documents (at least one) with the same number of annotators."""
        return cls(
            np.concatenate([draw.starts for draw in draws]),
            np.concatenate([draw.ends for draw in draws]),
            np.concatenate([draw.categories for draw in draws]),
            np.array([draw.unit_offsets for draw in draws]),
            np.array([draw.length for draw in draws], dtype=np.float64),
        )

    def __len__(self) -> int:
        return self.lengths.shape[0]

    def __iter__(self) -> Iterator[VirtualDocument]:
        offsets = self.offsets.tolist()
        for d, length in enumerate(self.lengths.tolist()):
            units = slice(offsets[d], offsets[d + 1])
            yield VirtualDocument(
                self.starts[units],
                self.ends[units],
                self.categories[units],
                self.unit_offsets[d],
                length,
            )

    @property
    def n_annotators(self) -> int:
        """Number of virtual annotators of each document."""
        return self.unit_offsets.shape[1] - 1

    @property
    def offsets(self) -> Ints:
        """int64 (D + 1,): document d has the units offsets[d]:offsets[d + 1]."""
        return np.concatenate([[0], np.cumsum(self.unit_offsets[:, -1])])

    @property
    def owners(self) -> Ints32:
        """int32 (U,): virtual annotator of each unit."""
        columns = np.tile(np.arange(self.n_annotators, dtype=np.int32), len(self))
        return columns.repeat(np.diff(self.unit_offsets).ravel())


def as_continuum(draw: VirtualDocument, tagset: tuple[str, ...]) -> Continuum:
    """Return the virtual document as a continuum of the annotators `virtual1`, `virtual2`, …"""
    n_annotators = draw.unit_offsets.shape[0] - 1
    owners = np.repeat(np.arange(n_annotators, dtype=np.int32), np.diff(draw.unit_offsets))
    return Continuum(
        draw.starts,
        draw.ends,
        draw.categories,
        owners,
        tuple(f"virtual{a + 1}" for a in range(n_annotators)),
        tagset,
        length=draw.length,
    )


def concatenate_ranges(first: Ints, sizes: Ints) -> Ints:
    """Concatenate the ranges first[i], …, first[i] + sizes[i] - 1 of every i."""
    before = sizes.cumsum() - sizes
    return np.arange(int(sizes.sum())) + (first - before).repeat(sizes)
