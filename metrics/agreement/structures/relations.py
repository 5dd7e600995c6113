"""Agreement on relations between units that the alignment engine has aligned.

A relation goes from a unit to a unit and has a category. Once units are aligned, every annotator's
relation runs between two *places* (unitary alignments), and three questions can be asked:

* presence   on every pair of places where an annotator could have drawn one: relation or not;
* category   the same pairs, with "no relation" as one more category;
* typing     only pairs where annotators drew one: which category.

Pairs without a relation are far more numerous, which raises p_o and the share of one category (see
`universes`): `mutual_f` does not depend on them (Hripcsak & Rothschild 2005) and is given beside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import MetricsError

Ints = NDArray[np.integer]

NO_RELATION = "(none)"
ANY_RELATION = "(relation)"


@dataclass(frozen=True, slots=True)
class Relations:
    """The relations of one document, by all annotators, between aligned places.

    present     bool (P, A): annotator a has a unit at place p
    sources     int (R,), targets int (R,): places that relation r runs between
    categories  int (R,): index in `tagset`;  owners int (R,): index of the annotator
    """

    present: NDArray[np.bool_]
    sources: Ints
    targets: Ints
    categories: Ints
    owners: Ints
    tagset: tuple[str, ...]
    annotators: tuple[str, ...]

    def __post_init__(self) -> None:
        n_relations = np.asarray(self.sources).shape
        for name in ("targets", "categories", "owners"):
            if np.asarray(getattr(self, name)).shape != n_relations:
                raise MetricsError(f"{name} must have one entry a relation, {n_relations}")
        for name, size in (
            ("sources", self.present.shape[0]),
            ("targets", self.present.shape[0]),
            ("categories", len(self.tagset)),
            ("owners", len(self.annotators)),
        ):
            column = np.asarray(getattr(self, name))
            if column.size and (column.min() < 0 or column.max() >= size):
                raise MetricsError(f"{name} must lie in 0..{size - 1}")
        for end in (self.sources, self.targets):
            absent = ~self.present[end, self.owners]
            if absent.any():
                r = int(np.nonzero(absent)[0][0])
                raise MetricsError(
                    f"relation {r} of {self.annotators[int(self.owners[r])]} ends at a place where "
                    "that annotator has no unit: check the alignment"
                )
