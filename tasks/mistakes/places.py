"""Items and places of units, with the names of their disagreements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ...metrics.references.disagreement_cases import GivenAnnotation, case_of_alignment_row

if TYPE_CHECKING:
    from ...metrics.alignment.best_alignment import Alignment
    from ...metrics.alignment.continuum import Continuum


AlignedDocument: TypeAlias = "tuple[str, Continuum, Alignment]"


@dataclass(frozen=True, slots=True)
class Place:
    """An item, or a place of units: its name, and the bounds of each annotator's unit."""

    document: str
    where: str
    case: str
    units: Mapping[str, GivenAnnotation] = field(default_factory=dict)


def place_namer(aligned: Sequence[AlignedDocument], layer: str = "") -> Callable[[int], Place]:
    """Return a function that maps an item of `place_labels` to its place.

    Places are named like their disagreements, and the names are made on request; a place without
    disagreement has only the document's name.

    aligned  (document, continuum, alignment), in the order of `place_labels`
    """
    sizes = [alignment.units.shape[0] for _, _, alignment in aligned]
    ends = np.cumsum(sizes)

    @lru_cache(maxsize=4096)
    def place_of(item: int) -> Place:
        number = int(np.searchsorted(ends, item, side="right"))
        document, continuum, alignment = aligned[number]
        row = item - int(ends[number]) + sizes[number]
        case = case_of_alignment_row(continuum, alignment, row, document, layer)
        if case is None:
            return Place(document, "", "")
        return Place(case.document, case.where, case.case, case.said)

    return place_of
