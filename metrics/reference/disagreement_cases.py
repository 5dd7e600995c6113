"""Disagreements as cases to discuss, the costliest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..agreement.label_matrix import LabelMatrix
from ..alignment.continuum import Continuum
from ..arrays import Floats
from ..errors import MetricsError

if TYPE_CHECKING:  # only for types: the engine compiles kernels when it is imported
    from ..alignment.best_alignment import Alignment

NOTHING = ""  # category of a missing unit, or of a unit without a category


@dataclass(frozen=True, slots=True)
class GivenAnnotation:
    """One annotator's annotation at the place of a case: a category, and the bounds of a unit."""

    category: str
    start: float = float("nan")
    end: float = float("nan")


@dataclass(frozen=True, slots=True)
class Case:
    """One disagreement; `case` is its permanent name: the item, or document and bounds of units.

    cost  labels: mean distance of the pairs of labels; units: disorder of the unitary alignment
    said  annotator → annotation; annotators without a label are omitted, annotators without a unit
          have the category ""
    """

    case: str
    document: str
    where: str
    cost: float
    said: dict[str, GivenAnnotation]
    layer: str = ""
    context: str = ""


def label_cases(
    matrix: LabelMatrix,
    *,
    document_names: Sequence[str] = (),
    distances: Floats | None = None,
    layer: str = "",
) -> tuple[Case, ...]:
    """Return the items whose labels differ, the costliest first, then in the matrix's order.

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
        item = matrix.items[i] if matrix.items else str(i)
        document = ""
        if document_names and matrix.documents is not None:
            document = document_names[int(matrix.documents[i])]
        said = {
            name: GivenAnnotation(matrix.tagset[code])
            for name, code in zip(matrix.annotators, matrix.codes[i], strict=True)
            if code >= 0
        }
        cases.append(Case(item, document, item, float(costs[i]), said, layer))
    return tuple(cases)


def unit_cases(
    continuum: Continuum, alignment: Alignment, *, document: str, layer: str = ""
) -> tuple[Case, ...]:
    """Return the unitary alignments with disagreement (disorder above 0), the costliest first.

    Annotators without a unit there have the category "".
    """
    return tuple(cases_by_alignment_row(continuum, alignment, document, layer).values())


def cases_by_alignment_row(
    continuum: Continuum, alignment: Alignment, document: str, layer: str
) -> dict[int, Case]:
    """Map the rows of the alignment to their cases, the costliest first."""
    cases = {}
    for row in np.argsort(-alignment.disorders, kind="stable"):
        cost = float(alignment.disorders[row])
        members = alignment.units[row]
        if cost <= 0:
            continue
        said = {}
        for name, u in zip(continuum.annotators, members, strict=True):
            if u < 0:
                said[name] = GivenAnnotation(NOTHING)
                continue
            code = int(continuum.categories[u])
            category = continuum.tagset[code] if code >= 0 else NOTHING
            said[name] = GivenAnnotation(
                category, float(continuum.starts[u]), float(continuum.ends[u])
            )
        real = members[members >= 0]
        start, end = continuum.starts[real].min(), continuum.ends[real].max()
        where = f"{start:g}–{end:g}"
        name = unit_case_name(document, said)
        cases[int(row)] = Case(name, document, where, cost, said, layer)
    return cases


def unit_case_name(document: str, said: Mapping[str, GivenAnnotation]) -> str:
    """Return the name of a case of units, which includes the annotations.

    Several cases may have the same place; the annotations distinguish them.
    """
    named = ";".join(
        f"{name}={one.start:g}-{one.end:g}:{one.category}"
        for name, one in said.items()
        if not np.isnan(one.start)
    )
    return f"{document}|{named}"
