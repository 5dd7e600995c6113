"""Scores of segmentations: where segments end, from labels of elements or from units."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from data.errors import DataError
from flows.scoring.scores import SEGMENTATION, Compared, Options, Scores
from flows.scoring.sides import Work
from metrics.scoring.ratio import ratio

Boundaries = list[NDArray[np.bool_]]
_NO_END, _END = ("0", "false", "no", ""), ("1", "true", "yes")


def score_segments(
    of: Callable[[Work], Boundaries], systems: Mapping[str, Work], options: Options, result: Scores
) -> None:
    """Add the segmentation measures that were asked for.

    of  a work → for each document of the reference bool (n − 1,), True where a segment ends
    """
    asked = [measure for measure in SEGMENTATION if measure in options.measures]
    if not asked:
        return
    from metrics.scoring.segmentation import segmentation_counts, segmentation_score

    for name, work in systems.items():
        reference, system = of(work)[0::2], of(work)[1::2]
        for measure in asked:
            counts = segmentation_counts(reference, system, measure=measure, k=options.window)  # type: ignore[arg-type]  # SEGMENTATION lists them
            result.add(options, name, segmentation_score(counts, **options.sampling()))
            statistic = partial(_statistic, measure=measure)
            result.compared.setdefault(measure, {})[name] = Compared(counts.sums, statistic)


def _statistic(sums: NDArray[Any], *, measure: str) -> NDArray[np.float64]:
    if measure == "ghd":
        return sums[:, 0]
    return 1.0 - ratio(sums) if measure.endswith("similarity") else ratio(sums)


def of_labels(gold: Work, work: Work) -> Boundaries:
    """Reference, system, reference, … by document: items in the reference's order, label 1 where a
    segment ends after the item; what is said of the last item of a document is not a boundary."""
    items: dict[str, list[str]] = {document: [] for document in gold.documents}
    for document, item in gold.labels:
        if document in items:
            items[document].append(item)
    found: Boundaries = []
    for document, names in items.items():
        found += [
            np.array([_ends(one, document, name) for name in names[:-1]], dtype=np.bool_)
            for one in (gold, work)
        ]
    return found


def _ends(work: Work, document: str, item: str) -> bool:
    label = work.labels.get((document, item), "").strip().lower()
    if label not in _NO_END + _END:
        raise DataError(
            f"{work.source}: item {item!r} is labelled {label!r}; for segmentation a label is 1 "
            "where a segment ends after the item, else 0"
        )
    return label in _END


def of_units(gold: Work, work: Work) -> Boundaries:
    """Reference, system, reference, … by document: a boundary where a unit ends, in the document's
    own offset unit; its length is the last end where it is unknown."""
    ends: list[dict[str, set[int]]] = []
    for one in (gold, work):
        of_document: dict[str, set[int]] = {document: set() for document in gold.documents}
        for document, _, end, _ in one.units:
            if document in of_document:
                of_document[document].add(end)
        ends.append(of_document)
    found: Boundaries = []
    for document, length in gold.documents.items():
        last = max((end for side in ends for end in side[document]), default=1)
        n = max(length, last)
        for side in ends:
            places = np.zeros(n - 1, dtype=np.bool_)
            places[[end - 1 for end in side[document] if end < n]] = True
            found.append(places)
    return found
