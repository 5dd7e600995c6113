"""Intervals over very many units: drawn from the normal limit of the sums, like the weights'."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from agreement_intervals import bootstrap

from accordeur.metrics.agreement import interval_methods, normal_limit
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.resampling_units import resampling_units
from accordeur.metrics.measures import coefficient_of
from accordeur.metrics.options import Sampling
from accordeur.metrics.reason import ReasonCode

MEASURES = ("krippendorff_alpha", "fleiss_kappa", "conger_kappa", "gwet_ac1")


def in_documents(n: int) -> LabelMatrix:
    rng = np.random.default_rng(0)
    truth = rng.choice(3, 2 * n, p=(0.6, 0.3, 0.1))[:, None]
    codes = np.where(rng.random((2 * n, 3)) < 0.7, truth, rng.integers(0, 3, (2 * n, 3)))
    codes[rng.random(codes.shape) < 0.2] = -1
    return LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=tuple("abc"),
        annotators=tuple("xyz"),
        documents=np.repeat(np.arange(n), 2),
    )


@pytest.mark.parametrize("distance", ["nominal", "ordinal"])
def test_limits_of_sums_are_those_of_weights(
    distance: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix = in_documents(10_000)
    options = {"measures": MEASURES, "n_replicates": 4000, "seed": 1, "distance": distance}
    found = bootstrap(matrix, **options)
    with monkeypatch.context() as patched:
        patched.setattr(normal_limit, "FEWEST", 20_000)
        weights = bootstrap(matrix, method="expanded-percentile", **options)
    for name in MEASURES:
        assert found[name].method == "bootstrap-normal-sums"
        width = weights[name].upper - weights[name].lower
        # both ends have a Monte Carlo error of 2 % of the width
        assert np.subtract(found[name].bounds, weights[name].bounds) == pytest.approx(
            [0, 0], abs=0.08 * width
        )
        assert found[name].standard_error == pytest.approx(weights[name].standard_error, rel=0.05)


def test_limits_of_sums_do_not_depend_on_the_order_of_documents() -> None:
    """Sums in another order differ by rounding, as they do on another processor."""
    items = in_documents(10_000)
    order = np.arange(items.n_items)
    matrix = replace(items, documents=order)
    turned = replace(items, documents=np.random.default_rng(0).permutation(order))
    options = {"measures": MEASURES, "n_replicates": 200, "seed": 1}
    one, other = bootstrap(matrix, **options), bootstrap(turned, **options)
    for name in MEASURES:
        assert one[name].bounds == pytest.approx(other[name].bounds, abs=1e-13)


def test_below_ten_thousand_units_weights_are_drawn() -> None:
    found = bootstrap(in_documents(9_999), measures=MEASURES, n_replicates=20, seed=1)
    assert {one.method for one in found.values()} == {"dirichlet-documents"}


@pytest.mark.parametrize(("fewest", "has_interval"), [(20, True), (10_000, False)])
def test_frequencies_that_are_too_many_to_resample_are_the_reason_of_no_interval(
    fewest: int, has_interval: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit of the sums needs no frequency of a replicate."""
    monkeypatch.setattr(interval_methods, "MOST_FREQUENCIES", 8)  # of 3 categories, 3 annotators
    monkeypatch.setattr(normal_limit, "FEWEST", fewest)
    matrix = in_documents(2000)
    sampling = Sampling(replicates=50)
    specs = [coefficient_of("krippendorff_alpha")]
    [found] = interval_methods.bootstrap_intervals(resampling_units(matrix), specs, sampling)
    assert (found.reason is None, math.isfinite(found.lower)) == (has_interval, has_interval)
    if not has_interval:
        assert found.reason.code is ReasonCode.TOO_MANY_FREQUENCIES
