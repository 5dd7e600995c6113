"""Disagreements as cases to discuss, the costliest first, each with a key that outlives the run.

The key of a case is a digest of the layer, the document, the item and the annotations on it: their
categories and fragments, in any order and without their annotators. So it is the same under
pseudonyms, it says nothing about anyone, and a changed annotation makes it another case.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..agreement.label_matrix import LabelMatrix
from ..alignment.continuum import Continuum, Fragments
from ..arrays import Floats
from ..errors import MetricsError

if TYPE_CHECKING:  # only for types: the engine compiles kernels when it is imported
    from ..alignment.best_alignment import Alignment

NOTHING = ""  # category of a missing unit, or of a unit without a category
_KEY = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class GivenAnnotation:
    """One annotator's annotation at the place of a case: a category, and the bounds of a unit.

    fragments  of a discontinuous unit; () for others
    """

    category: str
    start: float = float("nan")
    end: float = float("nan")
    fragments: Fragments = ()

    @property
    def is_missing(self) -> bool:
        """Whether the annotator has no unit there."""
        return self.category == NOTHING and math.isnan(self.start)

    @property
    def spans(self) -> list[list[float]]:
        """Start and end of each fragment of a unit; [] for a label."""
        if math.isnan(self.start):
            return []
        return [[float(a), float(b)] for a, b in self.fragments or [(self.start, self.end)]]

    @property
    def bounds_text(self) -> str:
        """Return its bounds, of each fragment: `16–20;31–39`; "" for a label."""
        return ";".join(f"{start:g}–{end:g}" for start, end in self.spans)


@dataclass(frozen=True, slots=True)
class Case:
    """One disagreement.

    case   its key (`case_key`)
    where  the item, or the outer bounds of the units
    row    of the matrix, or of the alignment
    cost   labels: mean distance of the pairs of labels; units: disorder of the unitary alignment
    said   annotator → annotation; annotators without a label are omitted, annotators without a unit
           have the category ""
    """

    case: str
    document: str
    where: str
    cost: float
    said: dict[str, GivenAnnotation]
    layer: str = ""
    context: str = ""
    row: int = -1

    @property
    def bounds(self) -> tuple[float, float]:
        """The first start and the last end of its units; nan for a case of labels."""
        units = [one for one in self.said.values() if not math.isnan(one.start)]
        if not units:
            return float("nan"), float("nan")
        return min(one.start for one in units), max(one.end for one in units)


def label_cases(
    matrix: LabelMatrix,
    *,
    places: Callable[[int], tuple[str, str]] | None = None,
    distances: Floats | None = None,
    layer: str = "",
) -> tuple[Case, ...]:
    """Return the items whose labels differ, the costliest first, then in the matrix's order.

    places     row → document and item; default: no document, and the items of the matrix
    distances  float64 (K, K), in [0, 1]; None: nominal

    Raises MetricsError for distances of another shape.
    """
    width = len(matrix.tagset)
    delta = 1.0 - np.eye(width) if distances is None else np.asarray(distances, dtype=np.float64)
    if delta.shape != (width, width):
        raise MetricsError(f"distances have shape {delta.shape}; expected ({width}, {width})")
    counts = matrix.counts()
    n_labels = counts.sum(axis=1)
    pairs = n_labels * (n_labels - 1)
    total = np.einsum("ic,ck,ik->i", counts, delta, counts)
    costs = np.divide(total, pairs, out=np.zeros(total.shape), where=pairs > 0)
    # Categories at distance 0 are still different categories of the reference.
    disputed = np.nonzero((counts > 0).sum(axis=1) > 1)[0]
    cases = []
    for i in disputed[np.argsort(-costs[disputed], kind="stable")]:
        row = int(i)
        document, item = places(row) if places else ("", _item_name(matrix, row))
        said = labels_of_item(matrix, row)
        key = case_key(layer, document, item, said.values())
        cases.append(Case(key, document, item, float(costs[row]), said, layer, row=row))
    return tuple(cases)


def _item_name(matrix: LabelMatrix, row: int) -> str:
    return matrix.items[row] if matrix.items else str(row)


def labels_of_item(matrix: LabelMatrix, item: int) -> dict[str, GivenAnnotation]:
    """Map the annotators who labelled an item, given by its row, to their labels."""
    return {
        name: GivenAnnotation(matrix.tagset[code])
        for name, code in zip(matrix.annotators, matrix.codes[item], strict=True)
        if code >= 0
    }


def cases_by_alignment_row(
    continuum: Continuum, alignment: Alignment, document: str, layer: str
) -> dict[int, Case]:
    """Map the rows of the alignment to their cases, the costliest first.

    Units that differ are a case even if the dissimilarity does not see it, as it sees no fragments.
    """
    cases = {}
    for row in np.argsort(-alignment.disorders, kind="stable").tolist():
        case = case_of_alignment_row(continuum, alignment, row, document, layer)
        if case is not None:
            cases[row] = case
    return cases


def case_of_alignment_row(
    continuum: Continuum, alignment: Alignment, row: int, document: str, layer: str
) -> Case | None:
    """Return the case of one row of the alignment; None where its annotators agree."""
    cost = float(alignment.disorders[row])
    members = alignment.units[row]
    said: dict[str, GivenAnnotation] = {}
    for name, u in zip(continuum.annotators, members.tolist(), strict=True):
        if u < 0:
            said[name] = GivenAnnotation(NOTHING)
            continue
        code = int(continuum.categories[u])
        category = continuum.tagset[code] if code >= 0 else NOTHING
        said[name] = GivenAnnotation(
            category,
            float(continuum.starts[u]),
            float(continuum.ends[u]),
            continuum.fragments_of(u),
        )
    if cost <= 0 and len({(one.category, *map(tuple, one.spans)) for one in said.values()}) < 2:
        return None
    real = members[members >= 0]
    start, end = continuum.starts[real].min(), continuum.ends[real].max()
    key = case_key(layer, document, "", said.values())
    return Case(key, document, f"{start:.0f}–{end:.0f}", cost, said, layer, row=row)


def case_key(layer: str, document: str, item: str, annotations: Iterable[GivenAnnotation]) -> str:
    """Return the key of the case of these annotations; those that are missing do not count.

    item  name of the item; "" for units, which are identified by their fragments
    """
    said = sorted([one.category, *one.spans] for one in annotations if not one.is_missing)
    content = json.dumps([layer, document, item, said], ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def is_case_key(text: str) -> bool:
    """Whether this is a key of a case, and not the name that a case had in version 0.2.0."""
    return _KEY.fullmatch(text) is not None
