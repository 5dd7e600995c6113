"""The ranking of systems: the result of `accordeur rank`. Agreement of the raters is apart."""

from __future__ import annotations

from pydantic import Field

from ..value import Model, Value

FILE = "ranking.json"  # of a run, beside its results, which never have it


class SystemRank(Model):
    """A system: its strength, the ranks that are not ruled out, the probability to be best."""

    system: str
    strength: Value
    first: int
    last: int
    best: float


class PairOfSystems(Model):
    """Two systems, the stronger one as the better.

    preferred      how often the better is preferred, ties as half, by the model of the strengths
    observed       the same in the `n_comparisons` of the two; None without any
    lower, upper   limits of the difference of strengths that hold for all pairs at once
    decided        the order is the same within these limits
    """

    better: str
    worse: str
    preferred: Value
    observed: float | None = None
    n_comparisons: int | None = None
    lower: float
    upper: float
    decided: bool


class WithoutRater(Model):
    """The order of the systems without a rater, from strongest to weakest; [] if undefined."""

    rater: str
    order: list[str]


class RankingReport(Model):
    """Strengths, pairs, what depends on single raters, and the agreement of the raters.

    has_items  whether the table names items; else each preference is an item of its own
    """

    ties: str
    n_comparisons: int
    n_items: int
    n_raters: int
    n_ties: int
    n_both_bad: int
    n_unanswered: int
    has_items: bool = True
    systems: list[SystemRank]
    pairs: list[PairOfSystems]
    order_effect: list[Value] = Field(default_factory=list)
    length_effect: list[Value] = Field(default_factory=list)
    without: list[WithoutRater] = Field(default_factory=list)
    agreement: list[Value] = Field(default_factory=list)
