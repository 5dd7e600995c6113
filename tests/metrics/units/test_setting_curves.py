from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.units.category_proposal import propose_category_distances
from accordeur.metrics.units.gamma_settings import GammaSettings
from accordeur.metrics.units.setting_curves import setting_curves

FAST = GammaSettings(precision=0.1, replicates=20)


def test_a_greater_delta_empty_aligns_more(degraded) -> None:
    curves = setting_curves(
        degraded(10, shift=0.5),
        Dissimilarity.sporadic(),
        {"delta_empty": [0.5, 2, 4, 16]},
        settings=FAST,
    )
    points = curves["delta_empty"]
    aligned = [p.aligned.value for p in points]
    assert aligned == sorted(aligned)
    assert aligned[0] < aligned[-1] <= 1
    assert all(p.aligned.interval[0] <= p.aligned.value <= p.aligned.interval[1] for p in points)
    assert points[0].aligned.interval[0] < points[0].aligned.interval[1]
    assert [p.n_unitary for p in points] == sorted((p.n_unitary for p in points), reverse=True)
    assert points[2].kept == (1.0, (1.0, 1.0))  # the present setting
    assert points[0].kept.value < 1


def test_shares_by_hand() -> None:
    """Two documents: three units of which two meet, and two that are far apart."""
    document = Continuum([0, 1, 50], [10, 11, 60], [0] * 3, [0, 1, 0], ("a", "b"), ("x",))
    apart = Continuum([0, 50], [10, 60], [0] * 2, [0, 1], ("a", "b"), ("x",))
    tried = {"alpha": [1.0, 1e6]}  # the second lets nothing meet
    near, none = setting_curves([document, apart], Dissimilarity(), tried, settings=FAST)["alpha"]
    assert near.aligned.value == 2 / 5
    assert (near.n_unitary, none.n_unitary) == (4, 5)
    assert none.aligned.value == 0
    assert (near.kept.value, none.kept.value) == (1, 0)
    alone = setting_curves([document], Dissimilarity(), {"beta": [2]}, settings=FAST)["beta"][0]
    assert alone.aligned.value == 2 / 3
    assert np.isnan(alone.aligned.interval).all()  # of one document there is none


def test_delta_empty_is_a_mere_unit_in_the_2015_dissimilarity(degraded) -> None:
    tried = {"delta_empty": [0.5, 1, 3]}
    points = setting_curves(degraded(10), Dissimilarity(), tried, settings=FAST)["delta_empty"]
    values = [p.gamma.value for p in points]
    assert values == pytest.approx([values[0]] * 3)
    assert all(p.kept.value == 1.0 for p in points)


def test_the_weights_of_position_and_category(degraded) -> None:
    documents = degraded(10, shift=0.4, confusion=0)
    curves = setting_curves(
        documents, Dissimilarity(), {"alpha": [0.5, 1, 3], "beta": [0, 1]}, settings=FAST
    )
    values = [p.gamma.value for p in curves["alpha"]]
    assert min(values[:2]) > values[2]  # the first two are alike within their chance samples
    assert "|alpha:0.5|beta:1|" in curves["alpha"][0].gamma.signature
    assert curves["alpha"][1].kept.value == 1.0
    assert curves["alpha"][1].gamma == curves["beta"][1].gamma  # the present setting
    assert curves["beta"][0].gamma.value >= curves["beta"][1].gamma.value - 0.05
    with pytest.raises(MetricsError, match="one of delta_empty, alpha, beta"):
        setting_curves(documents, Dissimilarity(), {"gamma": [1]}, settings=FAST)
    with pytest.raises(MetricsError, match="at least one value"):
        setting_curves(documents, Dissimilarity(), {"alpha": []}, settings=FAST)


def pairs_of(confusion: list[list[int]], tagset: tuple[str, ...]) -> Continuum:
    """Two annotators who mark the same places; confusion[c][k] times c against k."""
    first, second = [], []
    for c, row in enumerate(confusion):
        for k, count in enumerate(row):
            first += [c] * count
            second += [k] * count
    starts = np.tile(20.0 * np.arange(len(first)), 2)
    return Continuum(
        starts,
        starts + 10,
        first + second,
        np.repeat([0, 1], len(first)),
        ("a", "b"),
        tagset,
    )


def test_the_proposal_is_the_formula_of_fort_2010() -> None:
    """On items the two forms are d_α and d_κω: the T1 table in small."""
    confusion = [[71, 13, 23], [8, 69, 15], [7, 8, 40]]
    n = np.array(confusion, dtype=float)
    margins = n.sum(axis=1) + n.sum(axis=0)
    p = (n + n.T) / margins[:, None]
    document = pairs_of(confusion, ("Former", "New", "Rien"))
    mean = propose_category_distances([document], Dissimilarity()).distances
    product = propose_category_distances([document], Dissimilarity(), form="product").distances
    for c in range(3):
        for k in range(3):
            if c == k:
                assert mean[c, k] == product[c, k] == 0
                continue
            assert mean[c, k] == pytest.approx(((1 - p[c, k]) + (1 - p[k, c])) / 2)
            assert product[c, k] == pytest.approx((1 - p[c, k]) * (1 - p[k, c]))


def test_confused_categories_are_proposed_nearer_and_the_unseen_are_named() -> None:
    document = pairs_of([[20, 10, 0, 0], [0, 20, 1, 0], [0, 0, 20, 0], [0] * 4], tuple("wxyz"))
    proposal = propose_category_distances([document], Dissimilarity(beta=5))
    assert proposal.distances[0, 1] < proposal.distances[1, 2] < proposal.distances[0, 2] == 1
    assert proposal.unseen == ("z",)
    assert (proposal.distances[3, :3] == 1).all()
    Dissimilarity(category_distances=proposal.distances)  # a person may put it in as it is
    with pytest.raises(MetricsError, match="mean or product"):
        propose_category_distances([document], Dissimilarity(), form="max")
    with pytest.raises(MetricsError, match="alpha 0"):
        propose_category_distances([document], Dissimilarity(alpha=0))


def test_proposals_name_what_they_rest_on() -> None:
    """Distances nearest first, with weight and an interval over documents."""
    often, seldom = [[8, 4, 0], [0, 8, 0], [0, 0, 9]], [[9, 0, 1], [0, 9, 0], [0, 0, 9]]
    documents = [pairs_of(often, tuple("xyz")) for _ in range(6)]
    documents += [pairs_of(seldom, tuple("xyz"))]
    proposal = propose_category_distances(documents, Dissimilarity(), n_replicates=500)
    near, far = proposal.seen
    assert (near.first, near.second, near.weight) == ("x", "y", 24)
    # x has 2·57 labels in its pairs + 24 + 1, y 2·57 + 24: P(y|x) = 24/139, P(x|y) = 24/138
    assert near.distance == pytest.approx(1 - (24 / 139 + 24 / 138) / 2)
    assert near.interval[0] < near.distance < near.interval[1] < 0.95
    assert (far.first, far.second, far.weight) == ("x", "z", 1)
    assert far.interval[1] > 0.999  # without the seventh document nobody has seen it
    assert np.isnan(
        propose_category_distances(documents[:1], Dissimilarity()).seen[0].interval
    ).all()
