"""What a pilot of units says of the width of γ's interval."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.resampling.planning_error import interval_of_plan_figure
from accordeur.metrics.resampling.unit_planning import (
    UnitPilot,
    scale_to_gamma,
    unit_pilot,
    unit_pilots_without_each_group,
)
from accordeur.metrics.units.annotator_sample import gamma_for_new_annotators
from accordeur.metrics.units.gamma import GAMMA_2015, gamma
from accordeur.metrics.units.gamma_settings import GammaSettings


def documents(n: int, n_annotators: int, seed: int) -> list[Continuum]:
    """People who see the same units, in some documents well, in others badly."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n):
        n_units, blur, omission = rng.integers(4, 10), rng.uniform(0, 12), rng.uniform(0, 0.4)
        rows = [
            (start := 30 * u + rng.uniform(0, blur), start + 14, u % 2, a)
            for u in range(n_units)
            for a in range(n_annotators)
            if rng.random() > omission
        ]
        columns = list(zip(*rows, strict=True)) if rows else [(), (), (), ()]
        names = tuple(f"p{a}" for a in range(n_annotators))
        found.append(Continuum(*columns, names, ("x", "y"), length=30.0 * n_units + 40))
    return found


def test_the_variance_of_a_ratio_by_hand() -> None:
    """Three documents: T = 1, 2, 3 against C = 4, 4, 4; R = 1/2, residuals −1, 0, 1."""
    sums = {2: np.array([[[1.0, 4], [2, 4], [3, 4]]])}
    pilot = UnitPilot(sums, np.empty((0, 3, 2)), np.array([5.0, 6, 7])).variance()
    assert pilot.value == 0.5
    # var(γ) = D/(D − 1) · Σ residuals² / (ΣC)² = 3/2 · 2/144, V is D times that
    assert pilot.variance.tolist() == [pytest.approx(3 * 1.5 * 2 / 144)]
    assert (pilot.n_documents, pilot.items_per_document) == (3, 6)
    assert np.isnan(pilot.of_annotators)


@pytest.mark.parametrize(
    ("n", "n_annotators"), [(20, 3), pytest.param(40, 2, marks=pytest.mark.long)]
)
def test_the_planned_width_is_that_of_the_intervals_to_come(n: int, n_annotators: int) -> None:
    pilot = unit_pilot(documents(200, 3, 0)).variance()
    widths = [
        np.ptp(gamma(documents(n, n_annotators, 100 + seed), precision=0.02).corpus.interval)
        for seed in range(12)
    ]
    assert pilot.width(n, n_annotators) == pytest.approx(np.mean(widths), rel=0.2)


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "level", "interval"),
    [(3, 0.9, "bootstrap"), (7, 0.95, "bootstrap"), (7, 0.95, "annotators")],
)
def test_a_plan_at_the_size_of_the_pilot_has_the_interval_of_its_gamma(
    n: int, level: float, interval: str
) -> None:
    campaign, settings = (
        documents(n, 3, 5),
        GammaSettings(confidence_level=level, seed=2, precision=0.05),
    )
    result = gamma(campaign, settings=settings)
    value, new_annotators = result.corpus, interval == "annotators"
    if new_annotators:
        value = gamma_for_new_annotators(value, campaign, result.expected, GAMMA_2015, settings)
    pilot = scale_to_gamma(
        unit_pilot(campaign).variance(),
        campaign,
        GAMMA_2015,
        settings,
        new_annotators=new_annotators,
    )
    planned = pilot.width(n, 3, level=level, new_annotators=new_annotators)
    assert planned == pytest.approx(value.interval[1] - value.interval[0], rel=1e-9)
    with pytest.raises(MetricsError, match="at least 3 documents"):
        pilot.width(2, 3)


@pytest.mark.parametrize("n", [2, 7])
def test_the_value_of_a_pilot_is_that_of_its_gamma(n: int) -> None:
    campaign, settings = documents(n, 3, 5), GammaSettings(seed=2, precision=0.05)
    pilot = scale_to_gamma(unit_pilot(campaign).variance(), campaign, GAMMA_2015, settings)
    assert pilot.value == gamma(campaign, settings=settings).corpus.value


@pytest.mark.long
def test_how_sure_such_a_plan_is() -> None:
    truth = unit_pilot(documents(600, 3, 1)).variance().width(20, 3)
    held = 0
    for seed in range(30):
        pilot = unit_pilot(documents(20, 3, 10 + seed))
        low, high = interval_of_plan_figure(
            lambda one: one.width(20, 3), pilot.variance(), unit_pilots_without_each_group(pilot)
        )
        held += low <= truth <= high
    assert held >= 24


def test_documents_of_fewer_annotators_count_where_they_can() -> None:
    mixed = [*documents(6, 4, 2), *documents(6, 2, 3), documents(1, 1, 4)[0]]
    pilot = unit_pilot(mixed, draws=3)
    assert pilot.n_documents == 12
    assert {a: sums.shape for a, sums in pilot.sums.items()} == {
        2: (3, 12, 2),
        3: (3, 12, 2),
        4: (1, 12, 2),
    }
    assert np.isnan(pilot.sums[4][0, 6:]).all()
    assert np.isnan(pilot.variance().of_annotators)  # not everybody annotated everything
    assert unit_pilot(documents(8, 3, 5)).variance().of_annotators > 0


def test_a_pilot_that_says_nothing_is_refused() -> None:
    with pytest.raises(MetricsError, match="two documents of two annotators; found 1"):
        unit_pilot([documents(1, 2, 0)[0], documents(1, 1, 0)[0]])
    perfect = [
        Continuum(
            [k, k, 30, 30], [k + 9, k + 9, 39 + k, 39 + k], [0] * 4, [0, 1] * 2, ("a", "b"), ("x",)
        )
        for k in range(6)
    ]
    with pytest.raises(MetricsError, match="does not vary"):
        unit_pilot(perfect).variance()
    with pytest.raises(MetricsError, match="no standard error"):  # nor is there any by chance
        unit_pilot([perfect[0]] * 6).variance()
