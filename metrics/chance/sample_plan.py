"""Planning of the samples that are still missing for a required precision, for schedulers.

`plan_samples` returns the samples to draw, `metrics.chance.expected_disorder.sample_disorders`
draws a batch of them, and `add_samples` stores them; these steps repeat until the plan is empty.
Then `expected_disorder_of_samples` computes the result. Plans depend only on the stored samples, so
the result does not depend on how the work was distributed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ..arrays import Floats
from ..errors import MetricsError
from ..options import Chance, Process
from .chance_samples import ChanceSample, ExpectedDisorder, Weighting


@dataclass(frozen=True, slots=True, order=True)
class SampleJob:
    """A batch of samples to draw: indices first, …, first + count - 1."""

    process: Process
    n_annotators: int
    first: int
    count: int


NO_SAMPLE = np.empty((0, 3))
Kept: TypeAlias = Mapping[tuple[Process, int], Floats]


def plan_samples(
    stored: Kept,
    chance: Chance,
    *,
    processes: Sequence[Process],
    annotator_counts: Iterable[int],
    weighting: Weighting = "units",
    batch: int = 50,
) -> list[SampleJob]:
    """Return the samples still missing for the required precision, in batches; empty if none are.

    The first round has `min_samples` for each chance model and number of annotators; later rounds
    have as many as the observed variation requires, at most three times the number already drawn.
    The plan depends only on the stored samples.
    """
    check_precision(chance)
    least, most = chance.min_samples, chance.max_samples
    jobs = []
    for process in processes:
        for n in annotator_counts:
            counts = stored.get((process, n), NO_SAMPLE)
            have = counts.shape[0]
            needed = ChanceSample(process, n, counts, weighting).n_samples_needed(chance.precision)
            wanted = min(max(needed, least), most, max(least, 3 * have))
            jobs += [
                SampleJob(process, n, first, min(batch, wanted - first))
                for first in range(have, wanted, batch)
            ]
    return jobs


def check_precision(chance: Chance) -> None:
    """Raise MetricsError unless the sampling settings are valid."""
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
    stored: Kept, jobs: Sequence[SampleJob], results: Iterable[Floats]
) -> dict[tuple[Process, int], Floats]:
    """Add the samples of one plan's jobs to the stored samples, in the order of their indices."""
    grown: dict[tuple[Process, int], Floats] = dict(stored)
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


def expected_disorder_of_samples(
    stored: Kept,
    *,
    shares: Mapping[int, float],
    precision: float = 0.01,
    weighting: Weighting = "units",
) -> ExpectedDisorder:
    """Return the expected disorder from samples drawn elsewhere, choosing the lowest model."""
    samples = tuple(
        ChanceSample(process, n, counts, weighting) for (process, n), counts in stored.items()
    )
    if not samples:
        raise MetricsError("no sample was given: an expected disorder needs at least one sample")
    processes = list(dict.fromkeys(s.process for s in samples))
    expected = ExpectedDisorder(samples, dict(shares), processes[0], precision)
    means = [expected.value_under_process(process) for process in processes]
    chosen = processes[int(np.nanargmin(means))] if not all(map(math.isnan, means)) else None
    return ExpectedDisorder(samples, dict(shares), chosen or processes[0], precision)
