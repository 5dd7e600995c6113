"""Drift alerts: false alarms in a year of weekly runs, and detected declines.

Simulated campaigns of three annotators and four categories, with eight items per document and
documents of varying difficulty. Each week has a run, evaluated with the tests of campaign runs
(`tasks.reporting.drift_between_runs`). Three kinds of campaign:

grows      40 documents, and 10 more each week
delivery   30 new documents each week, without the earlier ones
again      the same 40 documents, annotated again each week

    python -m benchmarks.drift [YEARS]          prints the tables of results/drift.md
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.linearized_variance import influences_of_units
from accordeur.metrics.agreement.resampling_units import resampling_units
from accordeur.metrics.influence import Influences, combine_influences
from accordeur.metrics.measures import coefficient_of
from accordeur.reports.views.control_limits import N_LIMITS, control_limits
from accordeur.tasks.influences import Key
from accordeur.tasks.reporting.drift_between_runs import MOST_RUNS, changes_since_earlier_runs

WEEKS, N_ITEMS, N_ANNOTATORS, N_CATEGORIES = 52, 8, 3, 4
ERROR = 0.15  # mean error rate of a label over documents
KEY: Key = ("labels", "krippendorff_alpha")
WAYS = ("again", "delivery", "grows")

Codes = NDArray[np.int32]
Ints = NDArray[np.int64]


def annotated(rng: np.random.Generator, difficulty: NDArray[np.float64], error: float) -> Codes:
    """Labels (documents · items, annotators) of documents of these difficulties, mean 1."""
    rates = np.clip(np.repeat(difficulty, N_ITEMS) * error, 0, 1)[:, None]
    truth = rng.integers(0, N_CATEGORIES, rates.size)[:, None]
    guessed = rng.integers(0, N_CATEGORIES, (rates.size, N_ANNOTATORS))
    return np.where(rng.random(guessed.shape) < rates, guessed, truth).astype(np.int32)


def difficulties(rng: np.random.Generator, n: int) -> NDArray[np.float64]:
    return rng.gamma(2.0, 0.5, n)


def weeks(way: str, rng: np.random.Generator, errors: list[float]) -> Iterator[tuple[Codes, Ints]]:
    """Yield labels and document numbers of each run; `errors` are the weekly error rates."""
    n_first = 30 if way == "delivery" else 40
    first = difficulties(rng, n_first)
    codes, documents = annotated(rng, first, errors[0]), np.arange(n_first)
    yield codes, documents
    for error in errors[1:]:
        if way == "again":
            codes = annotated(rng, first, error)
        else:
            n = 10 if way == "grows" else n_first
            new, start = annotated(rng, difficulties(rng, n), error), documents[-1] + 1
            more = np.arange(start, start + n)
            is_kept = way == "grows"
            codes = np.concatenate([codes, new]) if is_kept else new
            documents = np.concatenate([documents, more]) if is_kept else more
        yield codes, documents


def runs(way: str, seed: int, errors: list[float]) -> Iterator[Influences]:
    """Yield the value of each week with the influences of its documents."""
    rng = np.random.default_rng(seed)
    for codes, documents in weeks(way, rng, errors):
        matrix = LabelMatrix(
            codes=codes,
            tagset=tuple("abcd"),
            annotators=("x", "y", "z"),
            documents=np.repeat(documents, N_ITEMS),
        )
        [value], moved = influences_of_units(resampling_units(matrix), [coefficient_of(KEY[1])])
        yield Influences(float(value), documents, moved[:, 0])


def weeks_outside(way: str, seed: int, errors: list[float]) -> list[int]:
    """Return the weeks whose value is outside the control limits of the preceding weeks."""
    values, standard_errors, found = [], [], []
    for week, one in enumerate(runs(way, seed, errors)):
        values.append(one.value)
        standard_errors.append(combine_influences([one], [1.0]).standard_error)
        limits = control_limits(values, standard_errors, n_baseline=week)
        if limits is not None:
            low, high = limits.bounds[-1]
            found += [week] if not low <= one.value <= high else []
    return found


def alarm_weeks(way: str, seed: int, errors: list[float]) -> list[tuple[int, bool, bool]]:
    """Return the weeks with an alarm, with flags for step and slope."""
    found = []
    earlier: deque[tuple[str, dict[Key, Influences]]] = deque(maxlen=MOST_RUNS - 1)
    for week, one in enumerate(runs(way, seed, errors)):
        now = {KEY: one}
        judged = changes_since_earlier_runs(now, list(earlier))
        found += [(week, d.fell, d.is_falling) for d in judged if d.fell or d.is_falling]
        earlier.append((f"run {week}", now))
    return found


def main() -> None:
    years = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    print("| campaign | years with a false alarm | of the step | of the slope |")
    print("|---|--:|--:|--:|")
    for way in WAYS:
        alarms = [alarm_weeks(way, seed, [ERROR] * WEEKS) for seed in range(years)]
        shares = [
            sum(any(test(one) for one in found) for found in alarms) / years
            for test in (lambda one: True, lambda one: one[1], lambda one: one[2])
        ]
        print(f"| {way} | " + " | ".join(f"{share:.1%}" for share in shares) + " |", flush=True)
    print()
    print("| campaign | years with a value outside the control limits | weeks |")
    print("|---|--:|--:|")
    for way in WAYS:
        outside = [weeks_outside(way, seed, [ERROR] * WEEKS) for seed in range(years)]
        weekly = sum(map(len, outside)) / years / (WEEKS - N_LIMITS)
        print(f"| {way} | {sum(map(bool, outside)) / years:.1%} | {weekly:.2%} |", flush=True)
    print()
    print("| campaign | error more each week, of five | seen by the step | by either test |")
    print("|---|--:|--:|--:|")
    for way in WAYS:
        for more in (0.02, 0.04, 0.08):
            errors = [ERROR] + [ERROR + more * week for week in range(1, 6)]
            alarms = [alarm_weeks(way, seed, errors) for seed in range(years)]
            step = sum(any(fell for _, fell, _ in found) for found in alarms) / years
            either = sum(bool(found) for found in alarms) / years
            print(f"| {way} | +{more:.2f} | {step:.0%} | {either:.0%} |", flush=True)


if __name__ == "__main__":
    main()
