"""Drift of main values: changes since earlier runs, tested against chance.

Two one-sided tests, paired over documents (`metrics.influence`), are made per run and value: the
change since the last run, and the slope over the last runs, which detects a slow decline that no
single step shows. The levels are chosen so that a campaign with constant quality, measured weekly,
has a false alarm in at most one of twenty years (simulated in `benchmarks/drift.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...data.store.manifest import read_if_intact
from ...data.store.parquet_format import table_of_bytes
from ...data.store.store import Store
from ...metrics.coded_warning import CodedWarning, Figures
from ...metrics.influence import Influences, combine_influences
from ...metrics.measures import measure_of
from ...reports import results as page
from ..influences import FILE, Key, read_influences

# At most 5 % of years may have a false alarm; the tails of changes are slightly heavier than
# Student’s, so the levels target 4 %. A sudden drop is large and needs only a small share.
STEP_SHARE, SLOPE_SHARE = 0.008, 0.032
RUNS_A_YEAR = 52
MOST_RUNS = 6  # used for the slope, including the current run
FEWEST_RUNS = 3


def earlier_influences(
    store: Store, folders: Mapping[str, str]
) -> list[tuple[str, dict[Key, Influences]]]:
    """Return the influences of the last runs whose files are intact.

    folders  run → folder of its report, in order
    """
    found = []
    for run, folder in list(folders.items())[-(MOST_RUNS - 1) :]:
        content = read_if_intact(store, folder, FILE)
        if content is not None:
            found.append((run, read_influences(table_of_bytes(content))))
    return found


def changes_since_earlier_runs(
    now: Mapping[Key, Influences], earlier: Sequence[tuple[str, Mapping[Key, Influences]]]
) -> list[page.Drift]:
    """Return the change of each main value that an earlier run has, too."""
    of_each = RUNS_A_YEAR * max(1, len(now))
    found = []
    for key, own in now.items():
        before = [(run, values[key]) for run, values in earlier if key in values]
        if not before:
            continue
        layer, measure = key
        since, last = before[-1]
        step = combine_influences([own, last], [1.0, -1.0])
        series = [*(values for _, values in before), own]
        drift = page.Drift(
            layer=layer,
            measure=measure,
            since=since,
            difference=step.value,
            interval=step.interval(),
            n_documents=step.n_documents,
            fell=step.p_value_of_fall() < STEP_SHARE / of_each,
        )
        if len(series) >= FEWEST_RUNS:
            slope = combine_influences(series, _slope_weights(len(series)))
            drift = drift.model_copy(
                update={
                    "n_runs": len(series),
                    "slope": slope.value,
                    "slope_interval": slope.interval(),
                    "is_falling": slope.p_value_of_fall() < SLOPE_SHARE / of_each,
                }
            )
        found.append(drift)
    return found


def _slope_weights(n: int) -> list[float]:
    """Return the weights of the least-squares slope over n consecutive runs."""
    centred = np.arange(n) - (n - 1) / 2
    weights: list[float] = (centred / (centred**2).sum()).tolist()
    return weights


def drift_warnings(drifts: Sequence[page.Drift]) -> list[CodedWarning]:
    """Return a warning for each value that fell by more than chance allows, steps before slopes."""
    found = []
    for one in drifts:
        named: Figures = {
            "layer": one.layer,
            "symbol": measure_of(one.measure).symbol or one.measure,
        }
        if one.fell:
            run = one.since.removeprefix("run ")
            figures = {**named, "difference": one.difference, "run": run}
            found.append(CodedWarning("value_fell", figures))
        elif one.is_falling:
            figures = {**named, "slope": one.slope, "n": one.n_runs}
            found.append(CodedWarning("value_falling", figures))
    return found
