"""The study of numeric ratings, for an export or for a layer of a campaign."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.agreement.distances import Distance, compares_numbers
from ...metrics.agreement.evaluate import evaluate_matrix
from ...metrics.agreement.generalizability import decision_study
from ...metrics.agreement.intraclass import intraclass_correlations
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.agreement.limits_of_agreement import limits_of_agreement, repeatability
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate, add_reading_settings
from ...metrics.item_name import name_in_words
from ...metrics.options import Sampling
from ...reports import results as page
from ..inputs.exported_labels import MeasuredLabels, read_exported_labels
from ..inputs.label_options import RatingOptions
from ..inputs.reading_options import Reading
from ..inputs.results_of_exports import ExportSummary
from ..layers import LayerSpec
from ..options import ItemSettings
from ..passes import passes_of_layer
from .intraclass import ratings_of

SCALES: tuple[Distance, ...] = ("nominal", "ordinal", "interval")
_MOST_PAIRS = 45  # all pairs of ten annotators
_MOST_DOTS = 500
_MOST_ANNOTATORS, _MOST_ITEMS = 100, 200_000  # per campaign, to limit the time of a run
_FORECAST = tuple(range(1, 11))


def rating_study(
    matrix: LabelMatrix,
    passes: Mapping[str, LabelMatrix],
    sampling: Sampling,
    *,
    annotators: Sequence[int] = _FORECAST,
) -> page.RatingStudy:
    """Compute the study of a matrix of ratings.

    passes      for annotators who rated items again, a matrix whose columns are the passes
    annotators  numbers of annotators to forecast for

    Raises MetricsError for labels that are not numbers, and if the variance model cannot be fitted.
    """
    ratings = ratings_of(matrix)
    level, seed = sampling.confidence_level, sampling.seed
    pairs: list[Estimate] = []
    if matrix.n_annotators * (matrix.n_annotators - 1) // 2 <= _MOST_PAIRS:
        pairs = limits_of_agreement(ratings, matrix.annotators, level=level)
    again = [ratings_of(replace(one, roles=())) for one in passes.values()]
    return page.RatingStudy(
        reliability=intraclass_correlations(ratings, level=level, seed=seed),
        scales=alpha_by_scale(matrix, sampling),
        forecast=decision_study(ratings, annotators=annotators, level=level, seed=seed),
        pairs=pairs,
        repeatability=repeatability(again, level=level) if again else None,
        widest=_items_of_widest_pair(ratings, matrix, pairs),
    )


def alpha_by_scale(matrix: LabelMatrix, sampling: Sampling) -> list[Estimate]:
    """Compute Krippendorff's α with nominal, ordinal and interval distance."""
    return [
        evaluate_matrix(matrix, measures=["krippendorff_alpha"], distance=scale, sampling=sampling)[
            0
        ]
        for scale in SCALES
    ]


def ratings_in_exports(
    paths: Any, reading: Reading, options: RatingOptions
) -> ExportSummary[page.RatingStudy]:
    """Study an export of ratings; later annotation passes give the repeatability.

    Raises DataError if there are no labels, and MetricsError as `rating_study` does.
    """
    labels = read_exported_labels(paths, reading)
    measured = MeasuredLabels(labels)
    matrix, account = measured.matrix, measured.account
    found = rating_study(matrix, labels.passes(), options, annotators=options.annotators)
    names = ("reliability", "scales", "forecast", "pairs")
    read = {name: add_reading_settings(getattr(found, name), account.settings) for name in names}
    remarks = labels.warnings(matrix=matrix, distance=None)
    return ExportSummary(found.model_copy(update=read), account.rows, account.rejected, remarks)


def _items_of_widest_pair(
    ratings: NDArray[np.float64], matrix: LabelMatrix, pairs: Sequence[Estimate]
) -> list[page.RatedItem]:
    """Return evenly spaced items, at most 500, of the annotator pair with the widest limits."""
    known = [one for one in pairs if math.isfinite(one.value)]
    if not known:
        return []
    pair = max(known, key=lambda one: one.detail.sd)
    first, second = (
        ratings[:, matrix.annotators.index(name)]
        for name in (pair.detail.first, pair.detail.second)
    )
    both = np.flatnonzero(np.isfinite(first) & np.isfinite(second))
    shown = both[:: max(1, math.ceil(both.size / _MOST_DOTS))]
    names = matrix.items or [str(i + 1) for i in range(matrix.n_items)]
    return [
        page.RatedItem(
            item=name_in_words(names[i], " "),
            mean=float(first[i] + second[i]) / 2,
            difference=float(first[i] - second[i]),
        )
        for i in shown.tolist()
    ]


def rating_study_of_layer(
    store: Store,
    keys: Sequence[str],
    matrix: LabelMatrix,
    layer: LayerSpec,
    settings: ItemSettings,
    distance: Distance,
) -> page.RatingStudy | None:
    """Study a campaign's layer; None if its distance is not numeric or the model cannot be fitted.

    Also None above 100 annotators or 200,000 items, for which the model takes too long. The reason
    for a failed fit is stated with the values of the layer (`intraclass_of_layer`).
    """
    is_small = 2 <= matrix.n_annotators <= _MOST_ANNOTATORS and matrix.n_items <= _MOST_ITEMS
    if not compares_numbers(distance) or matrix.members is not None or not is_small:
        return None
    try:
        return rating_study(matrix, passes_of_layer(store, keys, layer), settings.sampling)
    except MetricsError:
        return None
