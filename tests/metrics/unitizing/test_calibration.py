from __future__ import annotations

import numpy as np
import pytest

from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity
from metrics.errors import MetricsError
from metrics.unitizing.calibration import (
    delta_empty_curve,
    propose_category_distances,
    weight_curve,
)
from metrics.unitizing.settings import GammaSettings

FAST = GammaSettings(precision=0.1, n_bootstrap=20)


def test_a_greater_delta_empty_aligns_more(degraded) -> None:
    points = delta_empty_curve(
        degraded(10, shift=0.5), Dissimilarity.sporadic(), [0.5, 2, 4, 16], settings=FAST
    )
    aligned = [p.aligned_units for p in points]
    assert aligned == sorted(aligned)
    assert aligned[0] < aligned[-1] <= 1
    assert [p.n_unitary for p in points] == sorted((p.n_unitary for p in points), reverse=True)
    present = points[2]
    assert present.kept_pairs == 1.0
    assert points[0].kept_pairs < 1


def test_delta_empty_is_a_mere_unit_in_the_2015_dissimilarity(degraded) -> None:
    points = delta_empty_curve(degraded(10), Dissimilarity(), [0.5, 1, 3], settings=FAST)
    values = [p.gamma.value for p in points]
    assert values == pytest.approx([values[0]] * 3)
    assert all(p.kept_pairs == 1.0 for p in points)


def test_the_weight_of_position(degraded) -> None:
    documents = degraded(10, shift=0.4, confusion=0)
    points = weight_curve(documents, Dissimilarity(), [0.5, 1, 3], settings=FAST)
    values = [p.gamma.value for p in points]
    assert values[0] > values[1] > values[2]
    assert points[1].kept_pairs == 1.0
    beta = weight_curve(documents, Dissimilarity(), [0, 1], weight="beta", settings=FAST)
    assert beta[0].gamma.value >= beta[1].gamma.value - 0.05
    with pytest.raises(MetricsError, match=r"alpha .* or beta"):
        weight_curve(documents, Dissimilarity(), [1], weight="gamma", settings=FAST)
    with pytest.raises(MetricsError, match="at least one value"):
        weight_curve(documents, Dissimilarity(), [], settings=FAST)


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
