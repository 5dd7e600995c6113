"""Units of one document by all its annotators, as arrays."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Ints32
from ..errors import MetricsError
from ..unit_rows import UnitRows, gap_code

Index = int | np.signedinteger[Any]
Fragments: TypeAlias = tuple[tuple[int, int], ...]  # [start, end) of each, in order

UNLABELLED = -1
UNLABELLED_NAME = "(no category)"  # name of the units without a category in results


class DrawnAt(NamedTuple):
    """Places at which chance samples take a document, annotators and categories, by name."""

    document: int
    annotators: Mapping[str, int]
    categories: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Continuum:
    """U units by n annotators.

    starts, ends  float64 (U,): `[start, end)` in the document's offset unit
    categories    int32 (U,): index into `tagset`, -1 for a unit without a category
    owners        int32 (U,): index of the annotator, 0..n-1
    annotators    n names; an annotator who marked nothing still counts as one of the n
    tagset        K declared categories
    length        length of the document; nan is replaced by the largest end
    roles         n roles; agreement takes humans only
    origin        start of the document: 0, or the first start if its length is unknown, so that
                  shifting all offsets of such a document changes no measure
    length_given  whether the length is the document's, not the largest end
    gaps          int32 (U,): 0 for a unit without gaps, else a number that only units with the
                  same fragments share; γ does not read it
    discontinuous fragments of the units with each number of `gaps`, from 1; () if not known
    drawn_at      where the document stands in the order of its corpus; None: found where needed
    """

    starts: Floats
    ends: Floats
    categories: Ints32
    owners: Ints32
    annotators: tuple[str, ...]
    tagset: tuple[str, ...]
    length: float = float("nan")
    roles: tuple[str, ...] = field(default=())
    origin: float = float("nan")
    length_given: bool | None = None
    gaps: Ints32 = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    discontinuous: tuple[Fragments, ...] = ()
    drawn_at: DrawnAt | None = None

    def __post_init__(self) -> None:
        bounds, codes = np.float64, np.int32
        kinds = {"starts": bounds, "ends": bounds, "categories": codes, "owners": codes}
        for name, kind in kinds.items():  # contiguous, as the compiled kernels require
            array = np.ascontiguousarray(getattr(self, name), dtype=kind)
            object.__setattr__(self, name, array)
        n_units = self.starts.shape[0]
        if not self.gaps.size:
            object.__setattr__(self, "gaps", np.zeros(n_units, dtype=np.int32))
        for name in ("ends", "categories", "owners", "gaps"):
            if getattr(self, name).shape != (n_units,):
                raise MetricsError(
                    f"{name} has shape {getattr(self, name).shape}; expected ({n_units},)"
                )
        if not np.isfinite(self.starts).all() or not np.isfinite(self.ends).all():
            bad = int(np.nonzero(~(np.isfinite(self.starts) & np.isfinite(self.ends)))[0][0])
            raise MetricsError(f"unit {bad} has a bound that is not a number: correct the export")
        wrong = np.nonzero(self.starts >= self.ends)[0]
        if wrong.size:
            u = int(wrong[0])
            raise MetricsError(
                f"unit {u} of annotator {self.annotators[self.owners[u]]!r}: end "
                f"({self.ends[u]:g}) must be after start ({self.starts[u]:g})"
            )
        if n_units and self.starts.min() < 0:
            u = int(self.starts.argmin())
            raise MetricsError(f"unit {u} has a negative start ({self.starts[u]:g})")
        if n_units and (self.owners.min() < 0 or self.owners.max() >= len(self.annotators)):
            raise MetricsError(f"owners must lie in 0..{len(self.annotators) - 1}")
        if n_units and (
            self.categories.min() < UNLABELLED or self.categories.max() >= len(self.tagset)
        ):
            raise MetricsError(
                f"category codes must lie in -1..{len(self.tagset) - 1} (tagset of "
                f"{len(self.tagset)}); declare every category"
            )
        if not self.roles:
            object.__setattr__(self, "roles", ("human",) * len(self.annotators))
        if self.length_given is None:
            object.__setattr__(self, "length_given", not np.isnan(self.length))
        if np.isnan(self.origin):
            unknown = np.isnan(self.length) and n_units > 0
            object.__setattr__(self, "origin", float(self.starts.min()) if unknown else 0.0)
        if np.isnan(self.length):
            object.__setattr__(self, "length", float(self.ends.max()) if n_units else 0.0)

    @property
    def n_units(self) -> int:
        return self.starts.shape[0]

    @property
    def n_annotators(self) -> int:
        return len(self.annotators)

    def fragments_of(self, unit: int) -> Fragments:
        """Return the fragments of a discontinuous unit; () for a unit without gaps."""
        gap = int(self.gaps[unit])
        return self.discontinuous[gap - 1] if gap and self.discontinuous else ()

    def rows_of(self, annotator: int) -> UnitRows:
        """Return the units of one annotator."""
        codes = np.array([0, *map(gap_code, self.discontinuous)], np.int64)
        columns = (self.starts, self.ends, self.categories, codes[self.gaps])
        rows = np.stack(columns, axis=1, dtype=np.int64, casting="unsafe")
        return rows[self.owners == annotator]

    def select_units(self, chosen: Flags | NDArray[np.integer]) -> Continuum:
        """Return the continuum with some units (a mask or indices) and every annotator."""
        return replace(
            self,
            starts=self.starts[chosen],
            ends=self.ends[chosen],
            categories=self.categories[chosen],
            owners=self.owners[chosen],
            gaps=self.gaps[chosen],
        )

    def select_annotators(self, names: Collection[str]) -> Continuum:
        """Return the continuum with some of its annotators, in its order; ignore unknown names."""
        kept = [a for a, name in enumerate(self.annotators) if name in names]
        column = np.full(self.n_annotators, -1, dtype=np.int32)
        column[kept] = np.arange(len(kept))
        owners = column[self.owners]
        return replace(
            self.select_units(owners >= 0),
            owners=owners[owners >= 0],
            annotators=tuple(self.annotators[a] for a in kept),
            roles=tuple(self.roles[a] for a in kept),
        )


def gaps_of_fragments(
    fragments: Sequence[Sequence[Sequence[int]]],
) -> tuple[Ints32, tuple[Fragments, ...]]:
    """Return `gaps` and `discontinuous` of units with these fragments `[[start, end], …]`, (U,)."""
    number: dict[Fragments, int] = {}
    found = np.zeros(len(fragments), dtype=np.int32)
    for u, one in enumerate(fragments):
        if len(one) > 1:
            key = tuple((start, end) for start, end in one)
            found[u] = number.setdefault(key, len(number) + 1)
    return found, tuple(number)
