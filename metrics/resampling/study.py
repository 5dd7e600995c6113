"""Studies: a grid of cells by trials, planned, run in batches anywhere, resumed, collected.

Every trial has its own seed from (study, cell, trial), so its numbers do not depend on the batch,
worker or run. This module has the pure functions: `plan_batches` lists the batches that are not
done, `run_trials` computes the rows of a batch. The flow distributes the batches and stores the
rows.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..agreement.distances import Distance
from ..arrays import Flags, Floats
from ..errors import MetricsError
from ..options import Ties
from .grids.perfect_campaign import PerfectCampaign
from .grids.reading_grid import Measure, grid_trial
from .synthetic.synthetic_annotators import ItemProfile, Synthesis, error_share_by_chance
from .synthetic.trials import TRIALS, USUAL_OF_TRIALS, run_synthetic_trials

AS_REPORTED = Synthesis()
Rows = dict[str, NDArray[np.generic]]
"""Columns of equal length, one row per trial, as written to Parquet."""


class Cell(Protocol):
    """One setting of a study. `name` is unique in it; `settings` are plain values for display."""

    @property
    def name(self) -> str: ...
    @property
    def settings(self) -> Mapping[str, str | float | int]: ...
    def rows(self, study: str, first: int, count: int) -> Rows: ...


@dataclass(frozen=True, slots=True)
class SyntheticCell:
    """M(k) against coefficients on synthetic annotators (`metrics.resampling.synthetic.trials`).

    Rows: trial, p2, each of `measures`, and modification_rate_k for each k. Cells of the same
    `drawn` (default: the name) and profile have the same labels.
    """

    name: str
    profile: ItemProfile
    synthesis: Synthesis = AS_REPORTED
    ties: Ties = "random"
    ordered: bool = False
    values: Floats | None = None
    distances: Floats | None = None
    alpha_distance: Distance | None = None
    measures: tuple[str, ...] = USUAL_OF_TRIALS
    drawn: str = ""

    @property
    def settings(self) -> Mapping[str, str | float | int]:
        made = self.synthesis
        low, high = made.p2 or (0.0, error_share_by_chance(self.profile, made))
        return {
            "kind": "synthetic",
            "n_categories": len(self.profile.tagset),
            "n_items": int(self.profile.reference.size),
            "n_annotators": made.n_annotators,
            "generator": made.generator,
            "p2_low": low,
            "p2_high": high,
            "spread": made.spread,
            "wrong_class": made.wrong_class,
            "influence": made.influence,
            "ties": self.ties,
        }

    def rows(self, study: str, first: int, count: int) -> Rows:
        done = run_synthetic_trials(
            self.profile, self.synthesis, first=first, count=count, study=study,
            cell=self.drawn or self.name, ties=self.ties, ordered=self.ordered, values=self.values,
            distances=self.distances, alpha_distance=self.alpha_distance, measures=self.measures,
        )  # fmt: skip
        columns: Rows = {
            "trial": done.trial,
            "p2": done.p2,
            **{measure: done.values_of(measure) for measure in done.measures},
        }
        return columns | {
            f"modification_rate_{k}": done.rate[:, q] for q, k in enumerate(done.k.tolist())
        }


@dataclass(frozen=True, slots=True)
class GridCell:
    """A measure at one magnitude of one degradation (`metrics.resampling.grids.reading_grid`).

    Rows: trial, value (`nan` if undefined). `measure` must be picklable.
    """

    name: str
    measure: Measure
    model: PerfectCampaign
    degradation: str
    magnitude: float
    n_documents: int = 1
    n_annotators: int = 3
    n_perfect: int = 1

    @property
    def settings(self) -> Mapping[str, str | float | int]:
        return {
            "kind": "grid",
            "measure": getattr(self.measure, "name", type(self.measure).__name__),
            **getattr(self.measure, "settings", {}),
            "degradation": self.degradation,
            "magnitude": self.magnitude,
            "n_documents": self.n_documents,
            "n_annotators": self.n_annotators,
            "n_perfect": self.n_perfect,
        }

    def rows(self, study: str, first: int, count: int) -> Rows:
        trials = np.arange(first, first + count, dtype=np.int64)
        values = [
            grid_trial(
                self.measure, self.model, self.degradation, self.magnitude, trial=int(trial),
                study=f"{study}/{self.name}", n_documents=self.n_documents,
                n_annotators=self.n_annotators, n_perfect=self.n_perfect,
            )
            for trial in trials
        ]  # fmt: skip
        return {"trial": trials, "value": np.array(values, dtype=np.float64)}


@dataclass(frozen=True, slots=True)
class Study:
    """A study. Every trial's seed depends on `name` and `seed`; all cells have the same trials."""

    name: str
    cells: tuple[Cell, ...]
    trials: int = TRIALS
    seed: int = 0

    def __post_init__(self) -> None:
        names = [cell.name for cell in self.cells]
        if not names:
            raise MetricsError(f"study {self.name!r} has no cell: give it at least one")
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise MetricsError(f"study {self.name!r} has two cells named {twice[0]!r}")
        if self.trials < 1:
            raise MetricsError(f"trials is {self.trials}; it must be 1 or more")

    @property
    def root(self) -> str:
        """Prefix of the seeds of the study."""
        return f"{self.name}#{self.seed}"

    def cell(self, name: str) -> Cell:
        for cell in self.cells:
            if cell.name == name:
                return cell
        known = ", ".join(cell.name for cell in self.cells)
        raise MetricsError(f"study {self.name!r} has no cell {name!r}; it has {known}")


@dataclass(frozen=True, slots=True, order=True)
class Batch:
    """A batch, which is one task: trials first .. first + count - 1 of one cell."""

    cell: str
    first: int
    count: int


def plan_batches(
    study: Study, *, batch_size: int = 500, done: Mapping[str, Collection[int]] | None = None
) -> tuple[Batch, ...]:
    """Return the batches still to run, in the order of the cells, without the trials in `done`.

    done  for each cell's name, the numbers of the trials whose rows are stored
    """
    if batch_size < 1:
        raise MetricsError(f"batch_size is {batch_size}; it must be 1 or more")
    batches = []
    for cell in study.cells:
        missing = np.ones(study.trials, dtype=bool)
        kept = np.fromiter((done or {}).get(cell.name, ()), dtype=np.int64)
        missing[kept[(kept >= 0) & (kept < study.trials)]] = False
        for start, stop in _runs_of_true(missing):
            batches += [
                Batch(cell.name, first, min(batch_size, stop - first))
                for first in range(start, stop, batch_size)
            ]
    return tuple(batches)


def batch_size_for(seconds_per_trial: float, *, seconds: float = 15.0) -> int:
    """Number of trials in a batch of about `seconds`, so that scheduling cost is negligible."""
    if not seconds_per_trial > 0:
        return 10_000
    return max(1, min(math.ceil(seconds / seconds_per_trial), 10_000))


def bytes_per_row(rows: Rows) -> int:
    """Return the bytes per row of some rows, uncompressed."""
    n_rows = max(next(iter(rows.values())).size, 1)
    return sum(column.nbytes for column in rows.values()) // n_rows


def run_trials(cell: Cell, first: int, count: int, *, study: str) -> Rows:
    """Return the rows of trials first .. first + count - 1 of a cell; `study` is `Study.root`.

    The result does not depend on where or in which batch the trials run.
    """
    if first < 0 or count < 1:
        raise MetricsError(
            f"{count} trials from {first}: trials are counted from 0, and a batch has at least "
            "one trial"
        )
    return cell.rows(study, first, count)


def _runs_of_true(missing: Flags) -> list[tuple[int, int]]:
    """Return `[start, stop)` of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], missing, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
