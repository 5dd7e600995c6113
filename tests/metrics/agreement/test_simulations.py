"""Simulations: exact values against a large sample, Bonnardel's curve, a campaign's own margins."""

from __future__ import annotations

import numpy as np
import pytest
from agreement_cases import from_strings

from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.simulations.known_annotators import (
    MEASURES,
    coefficients_by_prevalence,
    coefficients_by_tagset_size,
    coefficients_of_rates,
    coefficients_of_tables,
    evenly_spread_errors,
)
from accordeur.metrics.agreement.simulations.simulated_campaign import (
    CampaignMargins,
    margins_of,
    vary_campaign_prevalence,
    vary_campaign_tagset_size,
)
from accordeur.metrics.errors import MetricsError, RoleError


def test_bonnardel_curve() -> None:
    """Bonnardel 1996: at sensitivity and specificity .9, κ .64 at prevalence ½, then towards 0."""
    curve = coefficients_by_prevalence([0.5, 0.3, 0.1, 0.01, 0.0001])
    kappa = curve.values_of("cohen_kappa")
    assert kappa[0] == pytest.approx(0.64)
    assert (np.diff(kappa) < 0).all()
    assert kappa[-1] < 1e-3
    # The annotators' quality does not move, and neither does p_o; AC1 goes the other way.
    assert curve.values_of("percent_agreement") == pytest.approx(0.82)
    assert (np.diff(curve.values_of("gwet_ac1")) > 0).all()
    assert curve.values_of("bennett_s") == pytest.approx(0.64)
    assert curve.values_of("krippendorff_alpha") == pytest.approx(
        curve.values_of("scott_pi"), abs=1e-9
    )


def test_exact_values_are_the_limit_of_samples() -> None:
    rng = np.random.default_rng(0)
    prevalence = np.array([0.6, 0.3, 0.1])
    errors = tuple(rng.dirichlet(np.full(3, 0.5) + 6 * row, 1)[0] for row in np.eye(3))
    first, second = np.array(errors), evenly_spread_errors(3, 0.8)
    truth = rng.choice(3, 400_000, p=prevalence)
    codes = np.stack(
        [
            (rng.random(truth.size)[:, None] > table[truth].cumsum(axis=1)).sum(axis=1)
            for table in (first, second)
        ],
        axis=1,
    )
    matrix = LabelMatrix(
        codes=codes.astype(np.int32), tagset=("a", "b", "c"), annotators=("x", "y")
    )
    expected = coefficients_of_rates(prevalence, (first, second))
    found = [compute_coefficient(measure, matrix).value for measure in MEASURES]
    assert found == pytest.approx(expected, abs=0.01)


def test_more_categories_do_not_lower_kappa_of_even_annotators() -> None:
    curve = coefficients_by_tagset_size([2, 3, 5, 10], accuracy=0.9)
    assert (np.diff(curve.values_of("percent_agreement")) < 0).all()
    assert (np.diff(curve.values_of("cohen_kappa")) > 0).all()
    with pytest.raises(MetricsError, match="two categories"):
        coefficients_by_tagset_size([1])


def test_a_campaigns_own_margins() -> None:
    matrix = from_strings("AAAAAAAABBC", "AAAAAAABBBC", "AAAAAAAABCC")
    curve = vary_campaign_prevalence(margins_of(matrix), shares=[0.4, 0.8, 0.98])
    assert curve.moved == "share of A"
    assert curve.values_of("percent_agreement") == pytest.approx(
        compute_coefficient("percent_agreement", matrix).value, abs=1e-9
    )
    assert (np.diff(curve.values_of("scott_pi")) < 0).all()
    with pytest.raises(MetricsError, match="one category"):
        margins_of(from_strings("AA", "AA", tagset="AB"))
    with pytest.raises(RoleError):
        margins_of(
            LabelMatrix(
                codes=matrix.codes,
                tagset=matrix.tagset,
                annotators=matrix.annotators,
                roles=("human", "human", "system"),
            )
        )


def test_accuracy_explains_the_observed_agreement() -> None:
    matrix = from_strings("AABBCCAB", "AABBCCBA")
    accuracy = margins_of(matrix).accuracy
    assert accuracy**2 + (1 - accuracy) ** 2 / 2 == pytest.approx(0.75)
    with pytest.raises(MetricsError, match="no item"):
        margins_of(from_strings("A.", ".B"))


def test_tables_must_be_distributions() -> None:
    with pytest.raises(MetricsError, match="sum to 1"):
        coefficients_of_rates(
            np.array([0.5, 0.6]), (evenly_spread_errors(2, 0.9), evenly_spread_errors(2, 0.9))
        )


def test_bands_hold_the_campaigns_they_are_of() -> None:
    """95 % of campaigns of as many items, drawn apart, lie in the band; a seed gives the same."""
    margins = CampaignMargins(("a", "b"), np.array([0.8, 0.2]), 0.82, 150)
    curve = vary_campaign_prevalence(margins, shares=[0.5, 0.8], trials=2000, seed=3)
    again = vary_campaign_prevalence(margins, shares=[0.5, 0.8], trials=2000, seed=3)
    assert (curve.bands == again.bands).all()
    assert (curve.n_defined == 2000).all()
    rng = np.random.default_rng(0)
    errors = evenly_spread_errors(2, margins.accuracy)
    joint = np.einsum("t,tc,tk->ck", margins.shares_with_largest_at(0.8), errors, errors).reshape(
        -1
    )
    tables = rng.multinomial(150, joint, 3000).reshape(-1, 2, 2).astype(float)
    kappa = coefficients_of_tables(tables, measures=["cohen_kappa"])[:, 0]
    low, high = curve.bands[1, MEASURES.index("cohen_kappa")]
    assert ((low <= kappa) & (kappa <= high)).mean() == pytest.approx(0.95, abs=0.015)
    assert np.isnan(vary_campaign_prevalence(margins, shares=[0.5]).bands).all()


def test_tagsets_of_other_sizes_with_the_campaigns_annotators() -> None:
    margins = CampaignMargins(("a", "b"), np.array([0.8, 0.2]), 0.82, 150)
    curve = vary_campaign_tagset_size(margins, sizes=[2, 5], trials=50)
    plain = coefficients_by_tagset_size([2, 5], accuracy=margins.accuracy)
    assert curve.values == pytest.approx(plain.values)
    assert curve.values_of("percent_agreement")[0] == pytest.approx(0.82)
