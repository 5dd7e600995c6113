"""Which samples are still missing for an asked precision: the wheel that a scheduler turns.

`plan_samples` says which samples to draw, `metrics.chance.expected.sample_disorders` draws a batch
of them, `add_samples` keeps them, until the plan is empty; `expected_from` then concludes. Plans
depend on the samples kept and on nothing else, so the result is the same however it was spread.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import MetricsError
from ..options import Chance, Process
from .samples import ChanceSample, ExpectedDisorder, Weighting


@dataclass(frozen=True, slots=True, order=True)
class SampleJob:
    """A batch of samples to draw: indices first, …, first + count - 1."""

    process: Process
    n_annotators: int
    first: int
    count: int


NO_SAMPLE = np.empty((0, 3))
Kept: TypeAlias = Mapping[tuple[Process, int], NDArray[np.float64]]


def plan_samples(
    kept: Kept,
    chance: Chance,
    *,
    processes: Sequence[Process],
    annotator_counts: Iterable[int],
    weighting: Weighting = "units",
    batch: int = 50,
) -> list[SampleJob]:
    """The samples still missing for the asked precision, in batches; empty when it is reached.

    The first round has `min_samples` of each process and number of annotators; each later one
    what the variation seen so far asks for, at most three times as many as are there. The plan
    depends on the samples kept and on nothing else.
    """
    check_precision(chance)
    least, most = chance.min_samples, chance.max_samples
    jobs = []
    for process in processes:
        for n in annotator_counts:
            counts = kept.get((process, n), NO_SAMPLE)
            have = counts.shape[0]
            needed = ChanceSample(process, n, counts, weighting).needed(chance.precision)
            wanted = min(max(needed, least), most, max(least, 3 * have))
            jobs += [
                SampleJob(process, n, first, min(batch, wanted - first))
                for first in range(have, wanted, batch)
            ]
    return jobs


def check_precision(chance: Chance) -> None:
    """Raise MetricsError unless the sampling settings make sense."""
    precision, min_samples, max_samples = chance.precision, chance.min_samples, chance.max_samples
    if not 0 < precision < 1:
        raise MetricsError(
            f"the precision is {precision:g}: it is relative and must lie between 0 and 1 "
            "(0.01 for 1 %)"
        )
    if not 2 <= min_samples <= max_samples:
        raise MetricsError(
            f"min_samples is {min_samples} and max_samples {max_samples}: give at least 2 "
            "samples, and a maximum that is not below the minimum"
        )


def add_samples(
    kept: Kept, jobs: Sequence[SampleJob], results: Iterable[NDArray[np.float64]]
) -> dict[tuple[Process, int], NDArray[np.float64]]:
    """The samples kept with those of the jobs of one plan, in the order of their indices."""
    grown: dict[tuple[Process, int], NDArray[np.float64]] = dict(kept)
    for job, counts in sorted(zip(jobs, results, strict=True), key=lambda pair: pair[0]):
        key = (job.process, job.n_annotators)
        before = grown.get(key, NO_SAMPLE)
        if before.shape[0] != job.first or counts.shape != (job.count, 3):
            raise MetricsError(
                f"samples {job.first} to {job.first + job.count - 1} of {job.process} do not "
                f"follow the {before.shape[0]} samples so far: give every batch of the plan "
                "once, in order"
            )
        grown[key] = np.concatenate([before, counts])
    return grown


def expected_from(
    kept: Kept,
    *,
    shares: Mapping[int, float],
    precision: float = 0.01,
    weighting: Weighting = "units",
) -> ExpectedDisorder:
    """The expected disorder from samples drawn elsewhere; the least process is chosen."""
    samples = tuple(
        ChanceSample(process, n, counts, weighting) for (process, n), counts in kept.items()
    )
    if not samples:
        raise MetricsError("no sample was given: an expected disorder needs at least one sample")
    processes = list(dict.fromkeys(s.process for s in samples))
    expected = ExpectedDisorder(samples, dict(shares), processes[0], precision)
    means = [expected.pooled(process) for process in processes]
    chosen = processes[int(np.nanargmin(means))] if not all(map(math.isnan, means)) else None
    return ExpectedDisorder(samples, dict(shares), chosen or processes[0], precision)
