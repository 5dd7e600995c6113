"""Main values against those of earlier runs: alerts, and causes of gates that did not pass."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.effect_of_omission import EffectKind
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.influence import Influences
from accordeur.reports import results as page
from accordeur.reports.warnings import in_english
from accordeur.tasks.effects import bonferroni_corrected
from accordeur.tasks.influences import influences_of_layer, influences_table, read_influences
from accordeur.tasks.reporting.drift_between_runs import changes_since_earlier_runs, drift_warnings

KEY = ("roles", "krippendorff_alpha")


def run_of(values: np.ndarray, first: int = 0) -> dict[tuple[str, str], Influences]:
    """A mean over documents, numbered from `first`."""
    documents = np.array([f"d{first + k}" for k in range(values.size)])
    return {
        KEY: Influences(float(values.mean()), documents, (values - values.mean()) / values.size)
    }


def noise(seed: int, n: int = 30) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.0, 0.05, n)


def test_a_run_of_the_same_data_did_not_change():
    values = 0.7 + noise(1)
    [found] = changes_since_earlier_runs(run_of(values), [("run 1", run_of(values))])
    assert (found.difference, found.n_documents, found.fell) == (0.0, 0, False)
    assert drift_warnings([found]) == []


def test_a_sudden_fall_is_an_alert_that_names_the_run():
    before = 0.7 + noise(1)
    [found] = changes_since_earlier_runs(
        run_of(before - 0.1 + noise(2)), [("run 6", run_of(before))]
    )
    assert found.fell
    assert found.interval[1] < 0
    [alarm] = drift_warnings([found])
    assert in_english(alarm).startswith("roles: α fell since run 6 (−0.")


def test_a_slow_fall_over_five_weeks_is_an_alert_that_no_single_step_gives():
    weeks = [run_of(0.7 - 0.02 * week + noise(week), 100 * week) for week in range(6)]
    earlier = [(f"run {week + 1}", one) for week, one in enumerate(weeks[:-1])]
    [found] = changes_since_earlier_runs(weeks[-1], earlier)
    assert (found.fell, found.is_falling, found.n_runs) == (False, True, 6)
    assert found.slope == pytest.approx(-0.02, abs=0.01)
    [alarm] = drift_warnings([found])
    assert "is falling" in in_english(alarm)


def test_a_rise_is_no_alert():
    before = 0.5 + noise(1)
    [found] = changes_since_earlier_runs(
        run_of(before + 0.2 + noise(2)), [("run 1", run_of(before))]
    )
    assert found.interval[0] > 0
    assert drift_warnings([found]) == []


def test_a_value_that_no_earlier_run_has_is_not_compared():
    assert changes_since_earlier_runs(run_of(noise(1)), [("run 1", {})]) == []


def test_influences_are_read_as_they_were_written():
    [own] = run_of(0.7 + noise(3)).values()
    own = Influences(own.value, own.documents, own.by_document, noise=0.01)
    table = influences_table(influences_of_layer(*KEY, own))
    [(key, found)] = read_influences(table).items()
    assert key == KEY
    assert (found.value, found.noise) == (own.value, 0.01)
    assert found.documents.tolist() == own.documents.tolist()
    assert found.by_document.tolist() == own.by_document.tolist()


def layer_with(*differences: float, error: float = 0.01) -> page.ItemAgreement:
    return bonferroni_corrected(
        page.ItemAgreement(
            layer="roles",
            tagset=["a", "b"],
            annotators=["x", "y", "z"],
            n_items=80,
            values=[Estimate(KEY[1], 0.5, interval=(0.45, 0.55))],
            effects=[
                page.Effect(
                    kind=EffectKind.annotator,
                    names=(name,),
                    measure=KEY[1],
                    value=0.5 + difference,
                    difference=difference,
                    standard_error=error,
                    n_documents=20,
                )
                for name, difference in zip("xyz", differences, strict=True)
            ],
        )
    )


def test_intervals_of_more_candidates_are_wider():
    low, high = layer_with(0.1, 0.0, 0.0).effects[0].interval
    assert low < 0.1 - 2.09 * 0.01 < 0.1 + 2.09 * 0.01 < high  # t(19) at 95 % is 2.093
