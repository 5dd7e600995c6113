"""The modification rate of a layer's labels with fewer annotators, and readings of its value."""

from __future__ import annotations

import math

import numpy as np

from ...metrics.agreement.distances import Distance
from ...metrics.agreement.k_rater import k_rater_reliability
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.estimate import Estimate
from ...metrics.resampling.subsets.majority_of_subsets import max_labels_per_item
from ...metrics.resampling.subsets.modification_rate import modification_rate, usual_draw
from ...reports import results as page
from ..layers import LayerSpec
from ..options import ItemSettings
from .reference_stability import Readings, label_readings

_MOST_CATEGORIES = 60  # on the page


def modification_rates(
    matrix: LabelMatrix, layer: LayerSpec, settings: ItemSettings, distance: Distance
) -> page.Resampling:
    """M(k) for every k, or for a spread of at most 60 sizes of a large crowd; with
    `settings.resampling.reliability`, also the reliability of k annotators together."""
    draw = settings.resampling.draw or usual_draw(matrix)
    n = matrix.n_annotators if draw == "annotators" else max_labels_per_item(matrix)
    empty = page.Resampling(
        layer=layer.name,
        ties=settings.resampling.ties,
        draw=draw,
        most_labels=max_labels_per_item(matrix),
        n_annotators=matrix.n_annotators,
        n_items=matrix.n_items,
        points=[],
        reliability=_reliability_of(matrix, distance, settings),
    )
    if matrix.n_annotators < 2 or n > settings.resampling.max_annotators or not matrix.n_items:
        return empty
    ks = sorted({int(k) for k in np.linspace(1, n, min(n, 60)).round()})
    rate = modification_rate(
        matrix,
        ks=ks,
        ties=settings.resampling.ties,
        ordered=layer.ordered,
        draw=draw,
        n_replicates=min(settings.sampling.replicates, 500),
        level=settings.sampling.confidence_level,
        seed=settings.sampling.seed,
    )
    of_others = rate.without_prevalent
    points = [
        page.ModificationPoint(
            k=int(rate.k[q]),
            modification_rate=float(rate.rate[q]),
            interval=(float(rate.interval[q, 0]), float(rate.interval[q, 1])),
            reason=rate.reasons[q],
            unlabelled=float(rate.abstained[q] + rate.empty[q]),
            of_others=float(of_others[q]),
        )
        for q in range(rate.k.size)
    ]
    shown = max(0, int(np.searchsorted(rate.k, n // 2, side="right")) - 1)
    of_reference = rate.referenced[-1]
    n_labelled = matrix.n_items - rate.n_unlabelled
    found = {
        "points": points,
        "k": int(rate.k[shown]),
        "prevalent": None
        if rate.prevalent_category is None
        else matrix.tagset[rate.prevalent_category],
        "by_category": [
            page.CategoryChange(category=name, n_items=float(n_items), modification_rate=float(one))
            for name, n_items, one in zip(
                matrix.tagset, of_reference, rate.by_category[shown], strict=True
            )
            if n_items
        ][:_MOST_CATEGORIES],
        "level": rate.level,
        "signature": rate.estimates()[0].signature,
        "labels_per_item": int((matrix.codes >= 0).sum()) / n_labelled if n_labelled else math.nan,
        "tied": rate.n_tied_reference / n_labelled if n_labelled else math.nan,
    }
    return empty.model_copy(update=found)


def _reliability_of(
    matrix: LabelMatrix, distance: Distance, settings: ItemSettings
) -> list[Estimate]:
    if settings.resampling.reliability is None or matrix.n_annotators < 2 or not matrix.n_items:
        return []
    return k_rater_reliability(
        matrix,
        measure=settings.resampling.reliability,
        distance=distance,
        sampling=settings.sampling,
    )


def readings_of_layer(
    matrix: LabelMatrix, layer: LayerSpec, settings: ItemSettings, distance: Distance
) -> Readings:
    """Return the readings of the layer's main value, and the table they are based on."""
    return label_readings(
        matrix,
        layer=layer.name,
        measure=settings.measures[0],
        distance=distance,
        ties=settings.resampling.ties,
        ordered=layer.ordered,
        seed=settings.sampling.seed,
    )
