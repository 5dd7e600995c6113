"""Best alignment of a continuum, with a proof that it is optimal.

Source: Mathet & Widlöcher 2011 (`mean`); Mathet, Widlöcher & Métivier 2015 (`sum`);
pygamma-agreement (`soft`; Titeux & Riad 2021).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats, Ints32
from ..errors import MetricsError
from ..measure import OBJECTIVES, Objective
from ..reason import Reason, ReasonCode
from .continuum import Continuum
from .dissimilarity import Dissimilarity
from .engine import TUPLES_A_UNIT, align
from .fallback.solver import align_unsolved
from .kernel_input import RelativeCosts, SweepUnits, relative_costs_of_continuum, sweep_units
from .pair_graph import NO_POSITION
from .ties import merge_tied_alignments
from .without_position import align_without_position

SETTLED = 1e-13
"""Dinkelbach's method stops when λ (relative to Δ∅) decreases by no more than this."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """An alignment of U units by n annotators into m unitary alignments.

    units        int32 (m, n): index into the continuum, -1 for the empty unit
    disorders    float64 (m,): unitary disorders, the mean of d over the C(n, 2) pairs
    total        sum of the unitary disorders
    mean_units   U / n
    optimal      whether the alignment is proven to be optimal
    gap          proven relative gap (found - bound) / found of the objective, 0 when optimal
    """

    units: Ints32
    disorders: Floats
    total: float
    mean_units: float
    optimal: bool = True
    gap: float = 0.0

    @property
    def gamma_disorder(self) -> float:
        """total / mean_units, the disorder of γ (2015); `nan` without units (`reason`)."""
        return self.total / self.mean_units if self.mean_units else math.nan

    @property
    def holistic_disorder(self) -> float:
        """total / m, the disorder of 2011; at most Δ∅ for the best alignment, `nan` if empty."""
        return self.total / len(self.disorders) if len(self.disorders) else math.nan

    @property
    def reason(self) -> Reason | None:
        """Reason why the disorders are `nan`."""
        return None if self.mean_units else Reason(ReasonCode.NO_UNIT_IN_CONTINUUM)


DEFAULT_DISSIMILARITY = Dissimilarity()


def best_alignment(
    continuum: Continuum,
    dissimilarity: Dissimilarity = DEFAULT_DISSIMILARITY,
    *,
    objective: Objective = "sum",
    time_limit: float | None = None,
) -> Alignment:
    """Return the alignment of least disorder.

    objective   `sum`: least sum of unitary disorders over the partitions of the units (γ, 2015);
                `mean`: least mean unitary disorder over the same partitions (2011), exact by
                Dinkelbach's method; `soft`: least sum over the coverings, in which a unit may be in
                several unitary alignments
    time_limit  seconds after which the best alignment found so far is returned with its proven gap
                (the first enumeration and one round of bounds are always finished)

    If several alignments have the least disorder, the one returned depends on the units only, and
    no two of its unitary alignments can be merged at the same disorder (`sum`). An annotator
    without units counts in n. Without any unit the alignment is empty and its disorders are `nan`;
    if only one annotator marked units, each is alone, with disorder Δ∅. Raises MetricsError for
    fewer than two annotators or an unknown objective.
    """
    check_objective(continuum.n_annotators, objective)
    if continuum.n_units == 0:
        empty = np.empty((0, continuum.n_annotators), dtype=np.int32)
        return Alignment(empty, np.empty(0), 0.0, 0.0)
    deadline = math.inf if time_limit is None else time.monotonic() + time_limit
    costs = relative_costs_of_continuum(continuum, dissimilarity)
    sweep = sweep_units(continuum, costs.kind)
    n, covering = continuum.n_annotators, objective == "soft"
    rate = 1.0 if objective == "mean" else 0.0
    while True:
        units, disorders, gap = _align(sweep, n, costs, rate, covering, deadline)
        if objective != "mean":
            break
        mean = float(disorders.mean())
        if mean >= rate - SETTLED or time.monotonic() > deadline:
            break
        rate = mean
    if objective == "mean" and gap > 0.0:
        gap = _gap_of_mean(disorders, gap, rate, np.bincount(continuum.owners).max())
    if objective == "sum":
        n_left = merge_tied_alignments(
            units,
            disorders,
            continuum.starts,
            continuum.ends,
            continuum.categories,
            costs.kind,
            costs.position_weight,
            costs.category,
            costs.matrix,
        )
        units, disorders = units[:n_left], disorders[:n_left]
    if dissimilarity.delta_empty != 1.0:
        disorders *= dissimilarity.delta_empty
    mean_units = continuum.n_units / continuum.n_annotators
    return Alignment(units, disorders, float(disorders.sum()), mean_units, gap == 0.0, gap)


def _gap_of_mean(disorders: Floats, gap: float, rate: float, least_unitary: int) -> float:
    """Return the relative gap of the mean, from the gap of Σ (disorder - rate) over Σ disorder.

    No alignment has Σ (disorder - rate) below `lowest`, or fewer unitary alignments than the
    largest number of units of one annotator.
    """
    total, mean = float(disorders.sum()), float(disorders.mean())
    lowest = total * (1.0 - gap) - rate * len(disorders)
    bound = rate + min(0.0, lowest) / least_unitary
    return min(1.0, max(0.0, (mean - bound) / mean)) if mean > 0.0 else 0.0


def check_objective(n_annotators: int, objective: str) -> None:
    """Raise MetricsError for fewer than two annotators or an unknown objective."""
    if n_annotators < 2:
        raise MetricsError(
            f"an alignment needs at least two annotators, but there is {n_annotators}: declare "
            "everyone who annotated the document, even those who marked nothing"
        )
    if objective not in OBJECTIVES:
        raise MetricsError(
            f"objective {objective!r} is unknown: choose one of {', '.join(OBJECTIVES)}"
        )


def _align(
    sweep: SweepUnits,
    n_annotators: int,
    costs: RelativeCosts,
    rate: float,
    covering: bool,
    deadline: float,
) -> tuple[Ints32, Floats, float]:
    """Return (units, disorders relative to Δ∅, gap of Σ (disorder - rate) over Σ disorder)."""
    n_pairs = n_annotators * (n_annotators - 1) / 2.0
    if costs.kind == NO_POSITION:
        constant = n_pairs * (1.0 - rate)
        found = align_without_position(sweep, n_annotators, costs, constant, covering, deadline)
        if found is not None:
            return found
    c = np.full(len(sweep.order), n_pairs * (1.0 - rate))
    units, disorders, unsolved = align(
        sweep.kernel_arrays,
        n_annotators,
        costs.kernel_arguments,
        c,
        covering,
        TUPLES_A_UNIT * len(c),
    )
    n_unsolved = np.count_nonzero(unsolved)
    if not n_unsolved:
        return units, disorders, 0.0
    crowded = n_unsolved == len(c)
    return align_unsolved(sweep, n_annotators, costs, c, covering, deadline, crowded=crowded)
