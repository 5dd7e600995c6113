"""Curves of each kind of study from the rows of a cell, as parts of the results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ...metrics.arrays import Flags, Floats, Ints
from ...metrics.options import Ties
from ...metrics.resampling.grids.reading_grid import curve_of_values, read_value
from ...metrics.resampling.study import Cell, Rows
from ...metrics.resampling.subsets.modification_rate import ModificationRate, modification_rate
from ...metrics.resampling.subsets.subset_totals import (
    BIN_WIDTH,
    SubsetDistribution,
    collect_distribution,
)
from ...metrics.resampling.synthetic.trials import bin_rates
from ...metrics.resampling.trial_means import interval_of_means
from ...reports.study.study_results import (
    CurvePoint,
    GridReading,
    OtherTies,
    StudyCurve,
    WorstSubset,
)
from .campaign_cells import SubsetCell, subset_totals
from .study_cells import CellSpec

_PROBABILITIES = (0.025, 0.25, 0.5, 0.75, 0.975)
_LEVEL = 0.95


def _mean_rate(
    y: float, sd: float, n: int, *, error: float | None = None, is_sampled: bool = True,
    together: int = 0, level: float = _LEVEL,
) -> dict[str, Any]:  # fmt: skip
    """Return a mean rate over n trials, their standard deviation, and the mean's interval.

    error     standard deviation of what the interval is made of, where the mean is a ratio of sums
    together  points of a curve over k, whose intervals shall also hold together (Bonferroni)
    level     of the mean's interval; above .95 if there was more than one look at the trials
    """
    found: dict[str, Any] = {"y": y, "sd": sd, "n": n}
    if not is_sampled:
        return found
    spread = np.asarray(sd if error is None else error)
    for name, count in (("mean", 1), ("all", together)):
        if count:
            bounds = interval_of_means(
                np.asarray(y), spread, np.asarray(n), level=1 - (1 - level) / count
            )
            low, high = np.clip(bounds, 0.0, 1.0)
            found |= {f"{name}_low": float(low), f"{name}_high": float(high)}
    return found


def _points(**fields: Floats | Ints) -> list[CurvePoint]:
    """Return points from an array of each of their fields."""
    rows = zip(*(values.tolist() for values in fields.values()), strict=True)
    return [CurvePoint(**dict(zip(fields, row, strict=True))) for row in rows]


def _sizes_in_names(rows: Rows, prefix: str) -> list[int]:
    return sorted(int(name.removeprefix(prefix)) for name in rows if name.startswith(prefix))


def _three_sizes(sizes: Sequence[int]) -> list[int]:
    """Return a small, a middle and a large subset size, for the curves over the coefficient."""
    return sorted({sizes[0], sizes[len(sizes) // 2], sizes[-1]})


def synthetic_part(
    rows: Rows, names: Sequence[str], observed: Mapping[str, float], *, mean_level: float = _LEVEL
) -> dict[str, Any]:
    """Return M(k) against each of the coefficients `names`; mean_level: of means' intervals."""
    sizes = _sizes_in_names(rows, "modification_rate_")
    rate = np.column_stack([rows[f"modification_rate_{k}"] for k in sizes]).astype(np.float64)
    curves, n_undefined = [], 0
    for name in names:
        values = np.asarray(rows[name], dtype=np.float64)
        binned = bin_rates(values, rate)
        n_undefined = max(n_undefined, binned.n_undefined)
        if name in observed and math.isfinite(observed[name]):
            curves += _curve_at_own_coefficient(
                name, values, rate, sizes, observed[name], mean_level
            )
        curves += [
            _curve_by_coefficient(
                name, k, binned.edges, binned.n, binned.mean[:, q], binned.sd[:, q],
                mean_level=mean_level,
            )
            for q, k in enumerate(sizes)
        ]  # fmt: skip
    return {"curves": curves, "n_undefined": n_undefined}


def _curve_at_own_coefficient(
    name: str, values: NDArray[np.float64], rate: NDArray[np.float64], sizes: Sequence[int],
    observed: float, mean_level: float,
) -> list[StudyCurve]:  # fmt: skip
    """Return M(k) of the trials in the bin of the campaign's coefficient: its reading table."""
    inside = _in_bin_of(observed, values)
    if not inside.any():
        return []
    own = rate[inside]
    bounds = np.quantile(own, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], axis=0)
    sd = own.std(axis=0, ddof=1) if own.shape[0] > 1 else np.full(len(sizes), math.nan)
    points = [
        CurvePoint(
            x=k, low=float(bounds[0, q]), high=float(bounds[1, q]),
            **_mean_rate(
                float(own[:, q].mean()), float(sd[q]), own.shape[0], together=len(sizes),
                level=mean_level,
            ),
        )
        for q, k in enumerate(sizes)
    ]  # fmt: skip
    return [
        StudyCurve(
            name="own", x="k", y="modification_rate", x_name=name, points=points, spread="trials"
        )
    ]


def _in_bin_of(coefficient: float, values: Floats) -> Flags:
    low = math.floor(coefficient / BIN_WIDTH + 1e-9) * BIN_WIDTH
    return (values >= low - 1e-12) & (values < low + BIN_WIDTH - 1e-12)


def trials_of_point(
    curve: StudyCurve, x: float, rows: Rows, observed: Mapping[str, float]
) -> Floats:
    """Return M(k) of each trial of a synthetic cell, in order; nan if the point leaves it out."""
    is_own = curve.name == "own"
    k, coefficient = (int(x), observed[curve.x_name]) if is_own else (curve.k, x)
    inside = _in_bin_of(coefficient, np.asarray(rows[curve.x_name], dtype=np.float64))
    return np.where(inside, np.asarray(rows[f"modification_rate_{k}"], np.float64), math.nan)


def _curve_by_coefficient(
    name: str, k: int, edges: NDArray[np.float64], n: NDArray[np.int64],
    mean: NDArray[np.float64], sd: NDArray[np.float64], *, is_sampled: bool = True,
    mean_level: float = _LEVEL,
) -> StudyCurve:  # fmt: skip
    """Return M(k) by bin of a coefficient; a mean of all subsets has no interval."""
    sd = np.where(n > 1, sd, math.nan)
    points = [
        CurvePoint(
            x=float((edges[b] + edges[b + 1]) / 2),
            low=max(float(mean[b] - sd[b]), 0.0) if math.isfinite(sd[b]) else math.nan,
            high=float(mean[b] + sd[b]),
            **_mean_rate(
                float(mean[b]), float(sd[b]), int(n[b]), is_sampled=is_sampled, level=mean_level
            ),
        )
        for b in np.nonzero(n)[0]
    ]
    return StudyCurve(
        name="by_coefficient", x="coefficient", y="modification_rate", x_name=name, k=k,
        points=points, spread="sd",
    )  # fmt: skip


def subsets_part(cell: Cell, rows: Rows) -> dict[str, Any]:
    if not isinstance(cell, SubsetCell):
        raise TypeError(f"{cell.name} is not a cell of subsets")
    found = collect_distribution(subset_totals(rows), probabilities=_PROBABILITIES)
    exact = modification_rate(
        cell.matrix, ks=cell.ks, ties=cell.ties, ordered=cell.ordered, values=cell.values,
        n_replicates=500, seed=cell.seed, draw="annotators",
    )  # fmt: skip
    curves = [
        StudyCurve(
            name="exact",
            x="k",
            y="modification_rate",
            spread="items" if cell.matrix.documents_to_resample is None else "documents",
            points=_points(
                x=exact.k, y=exact.rate, low=exact.interval[:, 0], high=exact.interval[:, 1]
            ),
        ),
        _subsets_curve(found),
    ]
    untied = 1.0 - exact.n_unresolved / max(exact.n_items - exact.n_unlabelled, 1)
    tied = exact.abstained if cell.ties == "abstain" else 0.0
    labelled = untied * (1.0 - exact.empty - tied)
    if (labelled < 1).any():  # a crowd, or ties without a label
        points = _points(x=exact.k, y=labelled)
        curves.append(StudyCurve(name="coverage", x="k", y="coverage", points=points))
    shown = _three_sizes(found.k.tolist())
    curves += [
        _curve_by_coefficient(
            cell.coefficient, int(k), found.bin_edges, found.bin_n[q], found.bin_mean[q],
            found.bin_sd[q], is_sampled=not found.enumerated[q],
        )
        for q, k in enumerate(found.k.tolist())
        if k in shown and k > 1
    ]  # fmt: skip
    worst = [
        WorstSubset(
            k=int(found.k[q]),
            rate=float(found.worst[q]),
            annotators=[cell.matrix.annotators[a] for a in found.worst_members[q]],
        )
        for q in range(found.k.size)
    ]
    return {
        "curves": curves, "worst": worst, "other_ties": _other_ties(cell, exact.rate),
        "redrawn": float(_exact(cell, cell.ties, [cell.matrix.n_annotators]).rate[0]),
    }  # fmt: skip


def _exact(cell: SubsetCell, ties: Ties, ks: Sequence[int]) -> ModificationRate:
    return modification_rate(
        cell.matrix, ks=ks, ties=ties, ordered=cell.ordered, values=cell.values, n_replicates=0,
        seed=cell.seed, draw="annotators",
    )  # fmt: skip


def _other_ties(cell: SubsetCell, own: Floats) -> list[OtherTies]:
    """Return for each other rule for ties the exact M(k) that differs most from `own` (Q,)."""
    is_scale = cell.ordered or cell.values is not None
    rules = [one for one in get_args(Ties) if one != "nearest_mean" or is_scale]
    found = []
    for ties in rules:
        if ties != cell.ties:
            other = _exact(cell, ties, cell.ks)
            apart = np.abs(other.rate - own)
            if np.isfinite(apart).any():
                q = int(np.nanargmax(apart))
                found.append(
                    OtherTies(
                        ties=ties, k=int(other.k[q]), rate=float(other.rate[q]),
                        own_rate=float(own[q]),
                    )
                )  # fmt: skip
    return found


def _subsets_curve(found: SubsetDistribution) -> StudyCurve:
    points = [
        CurvePoint(
            x=int(found.k[q]),
            low=float(found.quantiles[q, 0]),
            high=float(found.quantiles[q, -1]),
            **_mean_rate(
                float(found.mean[q]),
                float(found.sd[q]) if found.n_subsets[q] > 1 else math.nan,
                int(found.n_subsets[q]),
                is_sampled=not found.enumerated[q],
                together=found.k.size,
            ),
        )
        for q in range(found.k.size)
    ]
    return StudyCurve(name="subsets", x="k", y="modification_rate", spread="subsets", points=points)


def model_part(cell: Cell, rows: Rows, *, mean_level: float = _LEVEL) -> dict[str, Any]:
    change, coverage = [], []
    sizes = _sizes_in_names(rows, "changed_")
    n_labelled = int(rows["n_labelled"][0])
    for k in sizes:
        changed = rows[f"changed_{k}"].astype(np.float64)
        compared = rows[f"compared_{k}"].astype(np.float64)
        own = changed[compared > 0] / compared[compared > 0]
        if not own.size:
            change.append(CurvePoint(x=k, y=math.nan))
            coverage.append(CurvePoint(x=k, y=0.0, n=int(changed.size)))
            continue
        low, high = np.quantile(own, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2])
        rate = float(changed.sum() / compared.sum())
        residuals = (changed - rate * compared)[compared > 0] / compared[compared > 0].mean()
        sd, error = (
            float(one.std(ddof=1)) if own.size > 1 else math.nan for one in (own, residuals)
        )
        change.append(
            CurvePoint(
                x=k,
                low=float(low),
                high=float(high),
                **_mean_rate(
                    rate, sd, int(own.size), error=error, together=len(sizes), level=mean_level
                ),
            )
        )
        coverage.append(
            CurvePoint(
                x=k,
                y=float(compared.sum() / (changed.size * max(n_labelled, 1))),
                n=int(changed.size),
            )
        )
    return {
        "curves": [
            StudyCurve(name="model", x="k", y="modification_rate", points=change, spread="samples"),
            StudyCurve(name="coverage", x="k", y="coverage", points=coverage),
        ]
    }


def grid_part(
    group: Sequence[CellSpec], rows: Mapping[str, Rows], observed: Mapping[str, float], *,
    mean_level: float = _LEVEL,
) -> dict[str, Any]:  # fmt: skip
    ordered = sorted(group, key=lambda spec: float(spec["magnitude"]))
    measure, degradation = ordered[0]["measure"], ordered[0]["degradation"]
    own = [np.asarray(rows[s.name]["value"], dtype=np.float64) for s in ordered]
    values = np.full((len(own), max(one.size for one in own)), math.nan)  # cells may have stopped
    for row, one in zip(values, own, strict=True):
        row[: one.size] = one
    curve = curve_of_values(
        degradation, [float(s["magnitude"]) for s in ordered], values, mean_level=mean_level
    )
    points = _points(
        x=curve.magnitudes,
        y=curve.mean,
        low=curve.band[:, 0],
        high=curve.band[:, 1],
        sd=curve.sd,
        n=curve.n,
        mean_low=curve.interval[:, 0],
        mean_high=curve.interval[:, 1],
    )
    readings = []
    if measure in observed:
        reading = read_value(curve, float(observed[measure]))
        readings.append(
            GridReading(
                measure=measure,
                degradation=degradation,
                value=reading.value,
                magnitude=reading.magnitude,
                low=reading.interval[0],
                high=reading.interval[1],
                reason=reading.reason,
            )
        )
    return {
        "curves": [
            StudyCurve(
                name="grid", x="magnitude", y=measure, x_name=degradation, points=points,
                spread="campaigns", rises_from=curve.rises_from,
            )
        ],
        "readings": readings,
        "n_undefined": sum(int((~np.isfinite(one)).sum()) for one in own),
    }  # fmt: skip
