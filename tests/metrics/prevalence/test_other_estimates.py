"""Differences, means, documents, savings, refusals, and the corrections of the literature."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

from accordeur.metrics.prevalence.audit_counts import AuditCounts, audit_table
from accordeur.metrics.prevalence.corrected_share import (
    corrected_share_interval,
    equivalent_item_audit,
)
from accordeur.metrics.prevalence.correction_limits import (
    audit_sample_p_value,
    why_interval_only,
    why_no_corrected_share,
    why_no_correction,
)
from accordeur.metrics.prevalence.differences import (
    accuracy_difference_interval,
    paired_counts,
    share_difference_interval,
)
from accordeur.metrics.prevalence.savings import (
    audits_for_width,
    lower_correlation_limit,
    saved_share,
)
from accordeur.metrics.prevalence.scale_mean import corrected_mean
from accordeur.metrics.prevalence.textbook import (
    has_enough_errors,
    prediction_powered,
    rogan_gladen,
    rogan_gladen_of_rates,
)
from tests.metrics.prevalence.test_corrected_share import audit


def test_rogan_gladen_with_known_rates():
    # epiR's example: 23 of 150 positive, sensitivity .96, specificity .89: (.1533 − .11) / .85
    found = rogan_gladen_of_rates(
        np.array(23 / 150),
        sensitivity=np.array(0.96),
        specificity=np.array(0.89),
        n_items=np.array(150.0),
    )
    assert float(found.share) == pytest.approx(0.05098, abs=1e-5)
    half = 1.959964 * np.sqrt(23 / 150 * 127 / 150 / 150) / 0.85
    assert float(found.bounds.upper) == pytest.approx(0.05098 + half, abs=1e-5)


def test_corrections_of_the_literature_agree_with_their_own_package():
    # ppi-python 0.2.3, ppi_mean_ci with lam=1 and lam=None, on these labels
    counts = audit(40, 15, 12, 133)
    plain, tuned = prediction_powered(counts), prediction_powered(counts, tuned=True)
    assert float(plain.share) == pytest.approx(0.28777778, abs=1e-8)
    assert float(plain.bounds.lower) == pytest.approx(0.23264895, abs=1e-8)
    assert float(plain.bounds.upper) == pytest.approx(0.34290661, abs=1e-8)
    assert float(tuned.share) == pytest.approx(0.27528997, abs=2e-5)
    assert float(tuned.bounds.lower) == pytest.approx(0.22759168, abs=2e-5)
    assert float(tuned.bounds.upper) == pytest.approx(0.32298826, abs=2e-5)
    corrected = rogan_gladen(counts)
    assert float(corrected.share) == pytest.approx(
        (0.3 + 133 / 148 - 1) / (40 / 52 + 133 / 148 - 1)
    )


def test_corrections_of_the_literature_need_ten_audited_items_of_each_kind():
    assert has_enough_errors(audit(10, 10, 10, 50))
    for few in ((9, 10, 10, 50), (10, 9, 10, 50), (10, 10, 9, 50)):
        assert not has_enough_errors(audit(*few))


def test_the_saving_is_the_squared_correlation_without_the_audited_share():
    counts = audit(40, 15, 12, 133)
    a, b, c, d = 40, 15, 12, 133
    phi = (a * d - b * c) / np.sqrt((a + b) * (c + d) * (a + c) * (b + d))
    assert float(saved_share(np.array(phi), counts.n_audited, counts.n_items)) == pytest.approx(
        phi**2 * 0.9
    )
    assert 0.4 < float(lower_correlation_limit(counts)) < phi
    assert float(saved_share(np.array(-0.5), counts.n_audited, counts.n_items)) == 0


def test_the_audits_for_a_width_give_that_width():
    counts = audit(40, 15, 12, 133)
    needed = float(audits_for_width(counts, 0.06, corrected_share_interval))
    reached = corrected_share_interval(counts.scale_sizes(needed / 200)).width
    assert needed > 200
    assert 0.0595 < float(reached) <= 0.06
    assert float(audits_for_width(counts, 0.5, corrected_share_interval)) == 200
    assert float(audits_for_width(counts, 0.0001, corrected_share_interval)) == 2000


def test_the_difference_of_two_systems_has_the_moments_of_its_posterior():
    counts = paired_counts(
        np.array([0, 0, 1, 1, 1, 0, 0, 1] * 5),
        np.array([0, 1, 0, 1, 0, 0, 1, 1] * 5),
        np.array([0, 0, 1, 1, -1, 0, 1, -1] * 5),
    )
    assert counts.weights.tolist() == [0.25, 0.5, 0.25]
    assert float(counts.n_discordant) == 15
    # strata: first smaller (5 gains, 5 losses), tied, first larger (5 gains; 5 not audited)
    assert float(counts.difference) == pytest.approx(0.25 * 0 + 0.25 * 1)
    mean = 0.25 * 5 / 6.5
    variance = 0.25**2 * (11 / 11.5 / 12.5) + 0.5**2 * (1 / 16.5 / 17.5)
    variance += 0.25**2 * (6 / 6.5 - (5 / 6.5) ** 2) / 7.5
    variance += (0.25 * (5 / 6.5) ** 2 - mean**2) / 40
    middle, total = (mean + 1) / 2, (mean + 1) / 2 * (1 - mean) / 2 / (variance / 4) - 1
    expected = 2 * beta.ppf([0.025, 0.975], middle * total, (1 - middle) * total) - 1
    found = accuracy_difference_interval(counts)
    assert [float(found.lower), float(found.upper)] == pytest.approx(expected.tolist(), abs=1e-9)


def test_systems_that_label_alike_hardly_differ():
    same = np.array([0, 1] * 200)
    found = accuracy_difference_interval(
        paired_counts(same, same, np.where(np.arange(400) < 200, same, -1))
    )
    assert float(found.upper) == pytest.approx(-float(found.lower))
    assert float(found.upper) < 0.02


def test_a_batch_does_not_differ_from_itself():
    found = share_difference_interval(audit(40, 15, 12, 133), audit(40, 15, 12, 133))
    assert float(found.lower) == pytest.approx(-float(found.upper))


def test_the_mean_of_two_values_is_the_share():
    system = np.array([1.0, 0.0] * 500)
    human = np.where(np.arange(1000) < 200, np.where(np.arange(1000) % 7 == 0, 1.0, 0.0), np.nan)
    share = corrected_share_interval(
        audit_table(
            system.astype(int), np.where(np.isnan(human), -1, human).astype(int), 2
        ).one_against_rest()
    )
    found = corrected_mean(system, human, scale=np.array([0.0, 1.0]))
    assert found.interval == pytest.approx((float(share.lower[1]), float(share.upper[1])))
    assert found.naive == 0.5


def test_the_mean_moves_with_the_unit_of_the_values():
    rng = np.random.default_rng(2)
    truth = rng.integers(1, 6, 800).astype(float)
    system = np.clip(truth + rng.integers(-1, 2, 800), 1, 5)
    human = np.where(np.arange(800) < 100, truth, np.nan)
    one, other = corrected_mean(system, human), corrected_mean(10 * system + 3, 10 * human + 3)
    assert other.corrected == pytest.approx(10 * one.corrected + 3)
    assert other.interval == pytest.approx(tuple(10 * x + 3 for x in one.interval))
    assert one.interval[0] < truth.mean() < one.interval[1]
    alone = one.humans_interval[1] - one.humans_interval[0]
    assert one.interval[1] - one.interval[0] < 0.8 * alone


def test_the_mean_of_an_audit_of_all_items_is_exact():
    values = np.array([1.0, 2, 3, 4] * 10)
    found = corrected_mean(np.roll(values, 1), values)
    assert found.corrected == 2.5
    assert found.interval == (2.5, 2.5)


def test_a_value_that_the_audit_did_not_meet_widens_the_interval():
    system, human = np.zeros(500), np.where(np.arange(500) < 50, 0.0, np.nan)
    system[400:], human[:5] = 1.0, 1.0
    short = corrected_mean(system, human, scale=np.array([0.0, 1.0]))
    long = corrected_mean(system, human, scale=np.array([0.0, 1.0, 9.0]))
    assert long.interval[1] > short.interval[1] + 0.1
    assert long.corrected == short.corrected


def documents(sizes: np.ndarray, hits: np.ndarray, n_items: float = 5000.0) -> AuditCounts:
    return equivalent_item_audit(np.array([0.3, 0.7]), sizes, hits, np.asarray(n_items))


def test_documents_that_err_as_a_whole_are_worth_one_item_each():
    rng = np.random.default_rng(4)
    sizes = np.full((40, 2), 5.0)
    whole = np.where(rng.random((40, 2)) < 0.5, 5.0, 0.0)
    spread = rng.binomial(5, 0.5, (40, 2)).astype(float)
    assert float(documents(sizes, whole).n_audited) < 110
    assert 250 < float(documents(sizes, spread).n_audited) <= 400


def test_documents_without_errors_are_not_worth_more_than_their_number():
    sizes = np.full((40, 2), 5.0)
    hits = np.tile([5.0, 0.0], (40, 1))
    found = documents(sizes, hits)
    assert float(found.n_audited) < 40
    assert float(found.share) == pytest.approx(0.3)


def test_refusals_name_what_the_audit_lacks():
    system = np.array([0] * 900 + [1] * 100)
    human = np.full(1000, -1)
    human[:19] = 0
    few = audit_table(system, human, 2)
    assert (
        str(why_no_correction(few, drawn_by="item"))
        == "19 audited items, and a correction needs 20"
    )
    human[:100] = 0
    biased = audit_table(system, human, 2)
    assert audit_sample_p_value(biased) < 0.001
    assert "no random sample" in str(why_no_correction(biased, drawn_by="item"))
    assert why_no_correction(biased, drawn_by="label") is None
    assert "9 audited documents" in str(
        why_no_correction(biased, drawn_by="document", n_documents=9)
    )
    first = AuditCounts(
        *(getattr(biased.one_against_rest(), name)[0] for name in ("weights", "sizes", "hits")),
        np.asarray(1000.0),
    )
    assert "no audited item among those" in str(why_no_corrected_share(first))
    assert "2 audited items of the rarer class" in str(why_interval_only(audit(1, 9, 1, 90)))
    assert why_interval_only(audit(2, 9, 1, 90)) is None


def test_a_random_audit_looks_like_the_corpus():
    rng = np.random.default_rng(5)
    system = rng.choice(4, 4000, p=[0.6, 0.3, 0.09, 0.01])
    p = []
    for _ in range(400):
        human = np.full(4000, -1)
        human[rng.choice(4000, 300, replace=False)] = 0
        p.append(audit_sample_p_value(audit_table(system, human, 4)))
    assert 0.02 < np.mean(np.array(p) < 0.05) < 0.09
