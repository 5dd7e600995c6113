"""Questions of a study: one point of each cell beside that of all others, with its contrasts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...metrics.arrays import Floats
from ...metrics.differences import holm
from ...metrics.resampling.cell_contrasts import (
    correlations_of_means,
    paired_contrasts,
    variance_shares,
)
from ...metrics.resampling.study import Rows
from ...metrics.resampling.trial_means import error_of_mean
from ...reports.study.study_results import (
    CellContrast,
    CellValue,
    CurvePoint,
    StudyCurve,
    StudyPart,
    StudyQuestion,
)
from .curves import trials_of_point

_USUAL_K = 3
_NOT_ASKED = ("subsets", "coverage")  # curves beside another one of the same cell


@dataclass(frozen=True, slots=True)
class CellTrials:
    """The rows of a cell, and the name that its trials are drawn by; those of one name are one."""

    rows: Rows
    drawn: str


def questions_of_study(
    parts: Sequence[StudyPart],
    trials: Sequence[CellTrials] = (),
    observed: Mapping[str, float] | None = None,
) -> list[StudyQuestion]:
    """Return what the cells of a study are compared by; none for a study of one cell.

    trials, observed  of the parts of synthetic cells, whose trials may be those of other cells

    A curve over k is compared at k = 3 (or the next k that all cells have), a grid at the middle of
    the magnitudes above 0 at which most cells have a value, and a curve over a coefficient, if
    there is none over k, in the bin that has most trials in every cell.
    p-values are Holm's over all contrasts of the study.
    """
    if len(parts) < 2:
        return []
    asked: dict[tuple[str, str, str, int], dict[int, StudyCurve]] = {}
    for number, part in enumerate(parts):
        for curve in part.curves:
            if curve.name not in _NOT_ASKED and curve.x != "share":
                axis = "" if curve.name == "grid" else curve.x_name
                asked.setdefault((curve.name, curve.y, axis, curve.k), {})[number] = curve
    has_own_curve = any(name in ("own", "exact") for name, *_ in asked)
    kept = _middle_k_only(
        {
            key: curves
            for key, curves in asked.items()
            if key[0] != "by_coefficient" or not has_own_curve
        }
    )
    found = []
    for (name, y, axis, k), curves in kept.items():
        x = _compared_x(list(curves.values()))
        curves = {n: own for n, own in curves.items() if any(p.x == x for p in own.points)}
        if x is not None and len(curves) > 1:
            correlations = None
            if trials:
                values = [
                    trials_of_point(one, x, trials[number].rows, observed or {})
                    for number, one in curves.items()
                ]
                correlations = correlations_of_means(values, [trials[n].drawn for n in curves])
            found.append(_question(name, y, axis, k, x, curves, parts, correlations))
    p_values = holm([one.p_value for question in found for one in question.contrasts])
    numbers = iter(p_values.tolist())
    return [
        question.model_copy(
            update={
                "contrasts": [
                    one.model_copy(update={"p_holm": next(numbers)}) for one in question.contrasts
                ]
            }
        )
        for question in found
    ]


Asked = Mapping[tuple[str, str, str, int], dict[int, StudyCurve]]


def _middle_k_only(asked: Asked) -> Asked:
    """Keep the middle k of the curves over a coefficient."""
    ks: dict[tuple[str, str, str], list[int]] = {}
    for name, y, axis, k in asked:
        ks.setdefault((name, y, axis), []).append(k)
    return {
        key: curves
        for key, curves in asked.items()
        if key[3] == sorted(ks[key[:3]])[len(ks[key[:3]]) // 2]
    }


def _compared_x(curves: Sequence[StudyCurve]) -> float | None:
    """Return the place at which all curves are compared; None if they have none in common."""
    n = Counter[float]()
    for curve in curves:
        n.update({p.x for p in curve.points if math.isfinite(p.y)})
    if curves[0].x == "magnitude":  # without errors, all cells are alike
        n = Counter({x: count for x, count in n.items() if x > 0}) or n
        most = [x for x, count in n.items() if count == max(n.values())]
        return sorted(most)[(len(most) - 1) // 2] if most else None
    common = sorted(x for x, count in n.items() if count == len(curves))
    if not common:
        return None
    if curves[0].x == "k":
        return min((x for x in common), key=lambda x: (abs(x - _USUAL_K), x))
    if curves[0].x == "coefficient":
        fewest = {x: min(p.n for curve in curves for p in curve.points if p.x == x) for x in common}
        return max(common, key=lambda x: (fewest[x], x))
    return common[len(common) // 2]


def _question(
    name: str, y: str, axis: str, k: int, x: float, curves: Mapping[int, StudyCurve],
    parts: Sequence[StudyPart], correlations: Floats | None,
) -> StudyQuestion:  # fmt: skip
    numbers = list(curves)
    points = [next(p for p in curves[one].points if p.x == x) for one in numbers]
    cells = [
        {
            key: value
            for key, value in parts[one].apart.items()
            if not (name == "grid" and key == "measure")
        }
        for one in numbers
    ]
    means, df = np.array([p.y for p in points]), np.array([p.n - 1 for p in points])
    errors = np.array([_standard_error(p) for p in points])
    contrasts = paired_contrasts(cells, means, errors, df, correlations=correlations)
    return StudyQuestion(
        curve=name, y=y, x_name=axis, k=k, x=x,
        cells=[
            CellValue(cell=one + 1, value=p.y, low=low, high=high, n=p.n)
            for one, p in zip(numbers, points, strict=True)
            for low, high in [_interval(p)]
        ],
        contrasts=[
            CellContrast(
                setting=one.factor, first=one.first, second=one.second, n_pairs=one.n_pairs,
                difference=one.difference, low=one.interval[0], high=one.interval[1],
                p_value=one.p_value, lowest=one.pair_range[0], highest=one.pair_range[1],
            )
            for one in contrasts
        ],
        shares=variance_shares(cells, means, errors),
    )  # fmt: skip


def _interval(point: CurvePoint) -> tuple[float, float]:
    """Return the interval of the mean over trials; that of an exact value over its items."""
    if math.isfinite(point.mean_low):
        return point.mean_low, point.mean_high
    return (point.low, point.high) if point.n == 0 else (math.nan, math.nan)


def _standard_error(point: CurvePoint) -> float:
    """Return the error of a mean over trials from its interval, of which 0 or 1 may cut one end."""
    if point.n < 2 or not math.isfinite(point.mean_low):
        return math.nan
    return error_of_mean(point.y, (point.mean_low, point.mean_high), point.n)
