"""How the places of a document's best alignment are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...metrics.reference.disagreements import cases_by_row
from .queue import Place

if TYPE_CHECKING:
    from ...metrics.alignment.best_alignment import Alignment
    from ...metrics.alignment.continuum import Continuum


def places_of(
    document: str, continuum: Continuum, alignment: Alignment, layer: str = ""
) -> list[Place]:
    """The place of each row of the alignment; a row on which all agree has no name."""
    cases = cases_by_row(continuum, alignment, document, layer)
    agreed = Place(document, "", "")
    return [
        Place(document, cases[row].where, cases[row].case, cases[row].said)
        if row in cases
        else agreed
        for row in range(alignment.units.shape[0])
    ]
