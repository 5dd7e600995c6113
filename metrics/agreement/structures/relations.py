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

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...errors import MetricsError
from ...estimate import Estimate
from ...reason import Reason, ReasonCode
from ...signature import Signature, input_hash
from ..distances import Distance, NamedTable
from ..label_matrix import LabelMatrix
from ..registry import compute
from ..universes import significant_only

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


def relation_matrix(
    documents: list[Relations], *, directed: bool = True, loops: bool = False
) -> LabelMatrix:
    """Pairs of places as items: the category of the relation between them, or NO_RELATION.

    An annotator without a unit at one of the two places has no label there. Undirected pairs are
    taken once. A second relation of one annotator on a pair is counted in `n_duplicates`, the first
    stays. All documents must have one tagset and the same annotators.
    """
    if not documents:
        raise MetricsError("no document with relations")
    tagset, annotators = documents[0].tagset, documents[0].annotators
    blocks, homes, n_duplicates = [], [], 0
    for d, document in enumerate(documents):
        if document.tagset != tagset or document.annotators != annotators:
            raise MetricsError("documents must have the same tagset and annotators")
        codes, repeated = _document_codes(document, directed=directed, loops=loops)
        blocks.append(codes)
        homes.append(np.full(codes.shape[0], d, dtype=np.int64))
        n_duplicates += repeated
    return LabelMatrix(
        codes=np.concatenate(blocks),
        tagset=(*tagset, NO_RELATION),
        annotators=annotators,
        documents=np.concatenate(homes),
        n_duplicates=n_duplicates,
    )


def relation_agreement(
    documents: list[Relations],
    *,
    measure: str = "krippendorff_alpha",
    distance: Distance = "nominal",
    directed: bool = True,
    loops: bool = False,
) -> dict[str, Estimate]:
    """The measure on `presence`, `category` and `typing`, and the `mutual_f` of both.

    `distance` is between categories of relations; "no relation" is at distance 1 from each of them
    in `category`.
    """
    matrix = relation_matrix(documents, directed=directed, loops=loops)
    full = distance
    if not isinstance(distance, str):
        table = distance.table if isinstance(distance, NamedTable) else distance
        full = np.pad(table, (0, 1), constant_values=1.0)
        full[-1, -1] = 0.0
    presence = _presence(matrix)
    return {
        "presence": compute(measure, presence),
        "category": compute(measure, matrix, distance=full),
        "typing": compute(measure, significant_only(matrix, null=NO_RELATION), distance=distance),
        "presence_f": mutual_f(presence),
        "category_f": mutual_f(matrix),
    }


def mutual_f(matrix: LabelMatrix) -> Estimate:
    """F of the relations of each annotator against those of each other, counts of pairs added.

    2 · (relations both drew, alike) / (relations of one + relations of the other), over the pairs
    of places that both could have linked. nan when nobody drew a relation.
    """
    matrix.require_humans("The agreement on relations")
    null = matrix.tagset.index(NO_RELATION)
    alike = drawn = 0
    for a, b in combinations(range(matrix.n_annotators), 2):
        first, second = matrix.codes[:, a], matrix.codes[:, b]
        both = (first >= 0) & (second >= 0)
        first, second = first[both], second[both]
        alike += int(((first == second) & (first != null)).sum())
        drawn += int((first != null).sum() + (second != null).sum())
    return Estimate(
        "mutual_f",
        2 * alike / drawn if drawn else math.nan,
        reason=None if drawn else Reason(ReasonCode.NO_RELATION),
        n_items=matrix.n_items,
        n_annotators=matrix.n_annotators,
        signature=Signature("mutual_f", input=input_hash([matrix.codes])),
        detail={"n_alike": alike, "n_drawn": drawn},
    )


def _document_codes(
    document: Relations, *, directed: bool, loops: bool
) -> tuple[NDArray[np.int32], int]:
    n_places = document.present.shape[0]
    sources, targets = np.asarray(document.sources), np.asarray(document.targets)
    if not directed:
        sources, targets = np.minimum(sources, targets), np.maximum(sources, targets)
    left, right = np.divmod(np.arange(n_places * n_places), max(1, n_places))
    wanted = left != right if directed else left < right
    if loops:
        wanted |= left == right
    if (sources == targets).any() and not loops:
        raise MetricsError("a relation links a unit to itself: pass loops=True to allow it")
    row_of = np.cumsum(wanted) - 1
    left, right = left[wanted], right[wanted]
    possible = document.present[left] & document.present[right]
    codes = np.where(possible, len(document.tagset), -1).astype(np.int32)
    row, owner = row_of[sources * n_places + targets], np.asarray(document.owners)
    _, first = np.unique(row * len(document.annotators) + owner, return_index=True)
    codes[row[first], owner[first]] = np.asarray(document.categories)[first]
    return codes, int(sources.size - first.size)


def _presence(matrix: LabelMatrix) -> LabelMatrix:
    null = matrix.tagset.index(NO_RELATION)
    codes = np.where(matrix.codes < 0, -1, (matrix.codes == null).astype(np.int32))
    return LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=(ANY_RELATION, NO_RELATION),
        annotators=matrix.annotators,
        documents=matrix.documents,
        roles=matrix.roles,
    )
