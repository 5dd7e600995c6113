"""Reliability of numeric ratings: intraclass correlations of exports and of campaigns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...metrics.agreement.distances import Distance, category_values, compares_numbers
from ...metrics.agreement.intraclass import intraclass_correlations
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.reason import Reason, ReasonCode

if TYPE_CHECKING:
    from ..options import ItemSettings


def ratings_of(matrix: LabelMatrix) -> NDArray[np.float64]:
    """Convert labels to numbers, shape (items, annotators), nan where missing.

    Raises MetricsError for labels that are not numbers, RoleError for systems and references.
    """
    matrix.require_humans("An ICC")
    numbers = category_values(matrix.tagset)
    if numbers is None or matrix.members is not None:
        shown = [label for label in matrix.tagset if category_values([label]) is None][:3]
        raise MetricsError(
            f"the ratings must be numbers, not {', '.join(shown or matrix.tagset[:3])}: "
            "leave out or correct these labels, or, if the categories are ranks, use "
            "krippendorff_alpha with an ordinal distance and the categories in order"
        )
    return np.where(matrix.codes >= 0, numbers[matrix.codes], math.nan)


def intraclass_forms(
    matrix: LabelMatrix,
    measures: Sequence[str],
    *,
    level: float = 0.95,
    seed: int = 0,
) -> list[Estimate]:
    """Compute the named forms of the ICC, in the given order."""
    if not measures:
        return []
    same_raters = any(not name.startswith("icc_1") for name in measures)
    found = intraclass_correlations(
        ratings_of(matrix), same_raters=same_raters, level=level, seed=seed
    )
    by_name = {one.measure: one for one in found}
    return [by_name[name] for name in measures]


def intraclass_of_layer(
    matrix: LabelMatrix, settings: ItemSettings, distance: Distance
) -> list[Estimate]:
    """Compute the ICCs of a campaign's layer; undefined, with the reason, if it has no ratings."""
    reason = Reason(ReasonCode.NOT_RATINGS)
    if compares_numbers(distance):
        try:
            of = settings.sampling
            return intraclass_forms(
                matrix, settings.ratings, level=of.confidence_level, seed=of.seed
            )
        except MetricsError as error:
            reason = Reason(ReasonCode.NOT_COMPUTABLE, error=str(error))
    return [Estimate(name, math.nan, reason=reason) for name in settings.ratings]
