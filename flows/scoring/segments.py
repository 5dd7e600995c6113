"""Scores of segmentations: where segments end, from labels of elements or from units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.errors import DataError
from ...metrics.measures import SEGMENTATION
from ...metrics.scoring.ratio import ratio
from ...tasks.validity.evaluation import Compared
from .scores import Options, Scores
from .sides import Work

Boundaries = list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]
_NO_END, _END = ("0", "false", "no", ""), ("1", "true", "yes")


def score_segments(
    boundaries_of: Callable[[Work, Work], Boundaries],
    gold: Work,
    systems: Mapping[str, Work],
    options: Options,
    result: Scores,
) -> None:
    """Add the segmentation measures that were asked for.

    boundaries_of  reference, system → for each document of the reference, in the order of their
                   names, the reference's and the system's bool (n − 1,), True where a segment ends

    A document that the system lacks has no boundary, and every window, place and edit of it is
    wrong.
    """
    asked = [measure for measure in SEGMENTATION if measure in options.measures]
    if not asked:
        return
    from ...metrics.scoring.segmentation import segmentation_counts, segmentation_score

    for name, work in systems.items():
        here = gold.without(work.not_scored(gold))
        references, segmentations = zip(*boundaries_of(here, work), strict=True)
        missing = [document not in work.documents for document in sorted(here.documents)]
        for measure in asked:
            counts = segmentation_counts(
                references,
                segmentations,
                measure=measure,  # type: ignore[arg-type]  # SEGMENTATION lists them
                k=options.window,
            )
            if measure != "ghd":  # a cost without a maximum
                counts.sums[missing, 0] = counts.sums[missing, 1]
            result.add(options, name, segmentation_score(counts, **options.sampling()))
            statistic = partial(_statistic, measure=measure)
            result.compared.setdefault(measure, {})[name] = Compared(counts.sums, statistic)


def _statistic(sums: NDArray[Any], *, measure: str) -> NDArray[np.float64]:
    if measure == "ghd":
        return sums[:, 0]
    return 1.0 - ratio(sums) if measure.endswith("similarity") else ratio(sums)


def of_labels(gold: Work, work: Work) -> Boundaries:
    """Items in the reference's order, label 1 where a segment ends after the item.

    What is said of the last item of a document is not a boundary. An item that the system leaves
    without a label is wrong; a document that it lacks has no boundary.
    """
    items: dict[str, list[str]] = {document: [] for document in sorted(gold.documents)}
    for document, item in gold.labels:
        if document in items:
            items[document].append(item)
    found: Boundaries = []
    for document, names in items.items():
        inner = [(document, name) for name in names[:-1]]
        reference = [_ends(gold, item) for item in inner]
        system = [
            _ends(work, item) if item in work.labels else not truth and document in work.documents
            for item, truth in zip(inner, reference, strict=True)
        ]
        found.append((np.array(reference, np.bool_), np.array(system, np.bool_)))
    return found


def _ends(work: Work, item: tuple[str, str]) -> bool:
    label = work.labels[item].strip().lower()
    if label not in _NO_END + _END:
        raise DataError(
            f"{work.source}: item {item[1]!r} is labelled {label!r}; for segmentation a label is 1 "
            "where a segment ends after the item, else 0"
        )
    return label in _END


def of_units(gold: Work, work: Work) -> Boundaries:
    """A boundary where a unit ends, in the document's own offset unit; its length is the last end
    where it is unknown."""
    ends: list[dict[str, set[int]]] = []
    for one in (gold, work):
        of_document: dict[str, set[int]] = {document: set() for document in gold.documents}
        for document, _, end, _ in one.units:
            if document in of_document:
                of_document[document].add(end)
        ends.append(of_document)
    found: Boundaries = []
    for document, length in sorted(gold.documents.items()):
        last = max((end for side in ends for end in side[document]), default=1)
        n = max(length, last)
        sides = np.zeros((2, n - 1), dtype=np.bool_)
        for places, side in zip(sides, ends, strict=True):
            places[[end - 1 for end in side[document] if end < n]] = True
        found.append((sides[0], sides[1]))
    return found
