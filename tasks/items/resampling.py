"""The modification rate of a layer's labels with fewer annotators, and readings of its value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.resampling.subsets.modification_rate import modification_rate
from ...reports import results as page
from ..layers import LayerSpec
from ..options import ItemSettings
from .readings import label_readings


def resampling_of(matrix: LabelMatrix, layer: LayerSpec, settings: ItemSettings) -> page.Resampling:
    """Compute M(k) for every k, or for at most 60 evenly spread sizes of a large crowd."""
    n = matrix.n_annotators
    empty = page.Resampling(
        layer=layer.name, ties=settings.ties, n_annotators=n, n_items=matrix.n_items, points=[]
    )
    if n < 2 or n > settings.max_annotators or not matrix.n_items:
        return empty
    ks = sorted({int(k) for k in np.linspace(1, n, min(n, 60)).round()})
    rate = modification_rate(
        matrix,
        ks=ks,
        ties=settings.ties,
        ordered=layer.ordered,
        n_replicates=min(settings.replicates, 500),
        level=settings.level,
        seed=settings.seed,
    )
    points = [
        page.ModificationPoint(
            k=int(rate.k[q]),
            modification_rate=float(rate.rate[q]),
            interval=(float(rate.interval[q, 0]), float(rate.interval[q, 1])),
            reason=rate.reasons[q],
        )
        for q in range(rate.k.size)
    ]
    n_labelled = matrix.n_items - rate.n_unlabelled
    found = {
        "points": points,
        "level": rate.level,
        "signature": rate.signature,
        "labels_per_item": int((matrix.codes >= 0).sum()) / n_labelled if n_labelled else math.nan,
        "tied": rate.n_tied_reference / n_labelled if n_labelled else math.nan,
    }
    return empty.model_copy(update=found)


def readings_of(
    matrix: LabelMatrix, layer: LayerSpec, settings: ItemSettings, distance: Distance
) -> dict[str, list[dict[str, Any]]]:
    """Return the readings of the layer's main value, and the table they are based on."""
    found = label_readings(
        matrix,
        layer=layer.name,
        measure=settings.measures[0],
        distance=distance,
        ties=settings.ties,
        ordered=layer.ordered,
        seed=settings.seed,
    )
    return {
        "readings": [one.model_dump(mode="json") for one in found.readings],
        "reading_tables": [one.model_dump(mode="json") for one in found.tables],
    }
