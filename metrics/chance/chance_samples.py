"""Samples of virtual documents, their mean disorder and its precision."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ..arrays import Floats
from ..errors import MetricsError
from ..options import Process
from ..quantiles import two_sided_normal_quantile

Weighting = Literal["units", "equal"]


@dataclass(frozen=True, eq=False)
class ChanceSample:
    """Virtual documents of one chance model for one number of annotators.

    counts     float64 (n, 3): (total, weight, gap) of each, as in `metrics.chance.disorders`
    weighting  `units`: Σ total / Σ weight, where each virtual document has the weight of its units,
               as each document in the observed disorder of a corpus; `equal`: the mean of total /
               weight, as in the 2015 paper for one document
    """

    process: Process
    n_annotators: int
    counts: Floats
    weighting: Weighting = "units"

    @property
    def n(self) -> int:
        """Number of virtual documents, including those without units."""
        return self.counts.shape[0]

    @property
    def n_not_proven_optimal(self) -> int:
        """Virtual documents whose alignment has a gap, so that their disorder is an upper bound."""
        return int((self.counts[:, 2] > 0).sum())

    @cached_property
    def disorders(self) -> Floats:
        """Disorder of each virtual document with units, float64 (≤ n,), in sample order."""
        defined = self.counts[:, 1] > 0
        return self.counts[defined, 0] / self.counts[defined, 1]

    @cached_property
    def mean(self) -> float:
        """Mean disorder; `nan` if no virtual document has a unit."""
        if self.weighting == "equal":
            return float(self.disorders.mean()) if self.disorders.size else math.nan
        total, weight = self.counts[:, :2].sum(axis=0)
        return float(total / weight) if weight > 0 else math.nan

    @property
    def sd(self) -> float:
        """Standard deviation of the disorders (n - 1); `nan` with fewer than two of them."""
        return float(self.disorders.std(ddof=1)) if self.disorders.size > 1 else math.nan

    @cached_property
    def standard_error(self) -> float:
        """Standard error of the mean; for `units`, Cochran 1977, eq. 6.13; `nan` if n < 2."""
        if self.weighting == "equal":
            return self.sd / math.sqrt(self.disorders.size) if self.disorders.size else math.nan
        mean = self.mean
        if self.n < 2 or math.isnan(mean):
            return math.nan
        residuals = self.counts[:, 0] - mean * self.counts[:, 1]
        deviation = math.sqrt(float((residuals**2).sum()) / (self.n - 1))
        return deviation / float(self.counts[:, 1].mean()) / math.sqrt(self.n)

    @property
    def precision(self) -> float:
        """Precision reached: half the width of the 95 % CI over the mean; 0 without variation."""
        error, mean = self.standard_error, self.mean
        if error == 0:
            return 0.0
        return two_sided_normal_quantile(0.95) * error / mean if mean else math.nan

    def n_samples_needed(self, precision: float) -> int:
        """Estimate how many samples the required precision needs, from the samples so far.

        If no virtual document has a unit yet, nothing can be estimated, and three times as many are
        drawn.
        """
        if self.n < 2 or self.mean == 0:
            return self.n
        if math.isnan(self.mean):
            return 3 * self.n
        return math.ceil(self.n * (self.precision / precision) ** 2)


@dataclass(frozen=True, slots=True, eq=False)
class ExpectedDisorder:
    """Samples of every chance model and number of annotators, and the model of lowest disorder.

    samples  one per chance model and number of annotators
    shares   for each number of annotators in the corpus: Σ over its documents of the mean number of
             units per annotator; empty if there are no units
    process  the chosen chance model: lowest Σ shares · mean / Σ shares
    asked    required relative precision; `precision` of each sample is the precision reached
    """

    samples: tuple[ChanceSample, ...]
    shares: dict[int, float]
    process: Process
    asked: float

    @property
    def value(self) -> float:
        """Expected disorder of the corpus under the chosen chance model; `nan` without units."""
        return self.value_under_process(self.process)

    @property
    def precision(self) -> float:
        """Worst precision reached among the samples of the chosen chance model."""
        reached = [s.precision for s in self.samples if s.process == self.process]
        return max(reached, default=math.nan)

    @property
    def n_samples(self) -> int:
        """Number of samples of the chosen chance model, over all numbers of annotators."""
        return sum(s.n for s in self.samples if s.process == self.process)

    def sample(self, n_annotators: int, process: Process | None = None) -> ChanceSample:
        """Return the sample for `n_annotators`, of the chosen chance model by default."""
        wanted = process or self.process
        for found in self.samples:
            if (found.process, found.n_annotators) == (wanted, n_annotators):
                return found
        raise MetricsError(f"nothing was sampled by {wanted} for {n_annotators} annotators")

    def value_under_process(self, process: Process) -> float:
        """Expected disorder of the corpus under one chance model; `nan` without units."""
        total = math.fsum(self.shares.values())
        if total == 0:
            return math.nan
        by_chance = (share * self.sample(n, process).mean for n, share in self.shares.items())
        return math.fsum(by_chance) / total
