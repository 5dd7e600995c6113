"""Looks at the cells of a study: which have means that are precise enough to run no more trials.

A look takes the first trials in the order of their numbers, whatever is stored beyond, so that a
study stops at the same trials in every store and with any number of workers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...data.store.store import Store
from ...metrics.resampling.study import Cell, Rows
from ...metrics.resampling.trial_means import interval_of_means, level_of_looks, looks_at
from ...reports.study.study_results import CurvePoint
from .curves import model_part, synthetic_part
from .study_cells import CellSpec
from .trials import read_rows


@dataclass(frozen=True, slots=True)
class Looks:
    """When a cell stops: at the first of `counts` trials at which its means are precise enough.

    precision  half width of an interval, at most; 0: there is one look, at all trials
    """

    precision: float
    counts: tuple[int, ...]

    @classmethod
    def of(cls, precision: float, trials: int) -> Looks:
        return cls(precision, looks_at(trials) if precision else (trials,))

    @property
    def level(self) -> float:
        """The level of the interval of a mean, with which all looks hold together at .95."""
        return level_of_looks(len(self.counts))

    def is_enough(self, width: float, count: int) -> bool:
        """Return whether a half width stops a cell after `count` trials; `nan` does not.

        Nor do trials that are all equal, before the last look: a rare other value may follow.
        """
        return width <= self.precision and (width > 0 or count == self.counts[-1])


def imprecise_cells(
    store: Store,
    cells: Mapping[str, Cell],
    specs: Sequence[CellSpec],
    places: Mapping[str, str],
    observed: Mapping[str, float],
    looks: Looks,
    count: int,
) -> tuple[CellSpec, ...]:
    """Return the cells of `specs` that after `count` trials are not as precise as asked."""
    if not looks.precision:
        return ()
    return tuple(
        spec
        for spec in specs
        if not looks.is_enough(
            half_width(
                spec, cells[spec.name], read_rows(store, places[spec.name], count), observed, looks
            ),
            count,
        )
    )


def half_width(
    spec: CellSpec, cell: Cell, rows: Rows, observed: Mapping[str, float], looks: Looks
) -> float:
    """Return the half width of the widest interval that decides whether a cell stops.

    Of a reading grid, that of the mean; of a model, over all k; of a synthetic campaign, over all
    k in the bin of the campaign's own coefficient (the first), or in the bin that has most trials.
    `nan` where a mean has no interval.
    """
    if spec.kind == "reading_grid":
        known = np.asarray(rows["value"], dtype=np.float64)
        known = known[np.isfinite(known)]
        if known.size < 2:
            return math.nan
        bounds = interval_of_means(
            known.mean(), known.std(ddof=1), np.asarray(known.size), level=looks.level
        )
        return float(bounds[1] - bounds[0]) / 2
    if spec.kind == "reference_models":
        points = model_part(cell, rows, mean_level=looks.level)["curves"][0].points
    else:
        first = tuple(spec["coefficients"])[:1]
        curves = synthetic_part(rows, first, observed, mean_level=looks.level)["curves"]
        points = next((one.points for one in curves if one.name == "own"), None) or [
            max(one.points, key=lambda p: p.n) for one in curves if one.points
        ]
    return max((_half_width(one) for one in points), key=_undefined_last, default=math.nan)


def _half_width(point: CurvePoint) -> float:
    """Return the uncut side of an interval, of which 0 or 1 may cut the other."""
    return max(point.mean_high - point.y, point.y - point.mean_low)


def _undefined_last(width: float) -> float:
    return math.inf if math.isnan(width) else width
