"""Probable errors: the model against enumeration, recovery on simulated annotators, evidence."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from accordeur.metrics.alignment.best_alignment import Alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.references import right_sets as model
from accordeur.metrics.references.label_list import LabelList
from accordeur.metrics.references.mistakes import (
    Audit,
    Judgments,
    Mistakes,
    find_mistakes,
    verdict_evidence,
)
from accordeur.metrics.references.place_labels import NOTHING, OTHER_BOUNDS, place_labels


def listed(codes: np.ndarray, width: int) -> LabelList:
    items, annotators = np.nonzero(codes >= 0)
    names = tuple(f"a{k}" for k in range(codes.shape[1]))
    tagset = tuple(f"c{k}" for k in range(width))
    return LabelList(items, annotators, codes[items, annotators], len(codes), names, tagset)


def simulated(
    n: int, rates: tuple[float, ...], width: int, varying: float, seed: int
) -> tuple[LabelList, np.ndarray, np.ndarray]:
    """Labels, which labels are wrong (n, width), and which items have two right labels."""
    rng = np.random.default_rng(seed)
    codes, wrong = np.empty((n, len(rates)), dtype=np.int64), np.ones((n, width), dtype=np.bool_)
    varies = rng.random(n) < varying
    for i in range(n):
        right = rng.choice(width, 1 + varies[i], replace=False)
        wrong[i, right] = False
        for a, rate in enumerate(rates):
            is_error = rng.random() < rate
            codes[i, a] = rng.choice(np.setdiff1d(np.arange(width), right) if is_error else right)
    return listed(codes, width), wrong, varies


def precision_and_recall(found: Mistakes, wrong: np.ndarray) -> tuple[float, float]:
    given = ~np.isnan(found.probability)
    suspected = given & (np.nan_to_num(found.probability) >= 0.5)
    n_found = (suspected & wrong).sum()
    return n_found / suspected.sum(), n_found / (given & wrong).sum()


def test_a_round_of_the_fit_equals_the_enumeration_of_the_right_sets() -> None:
    labels, _, _ = simulated(30, (0.1, 0.2, 0.3), 3, 0.3, seed=4)
    share, rates = 0.3, np.array([0.05, 0.1, 0.2])
    fit = model.RightSets(labels, np.ones(30), None, (), share)
    fit.rates = rates.copy()
    prevalence = fit.prevalence.copy()
    sets = [(k,) for k in range(3)] + list(combinations(range(3), 2))
    assert len(prevalence) == len(sets)  # each pair occurs
    right, likelihood = np.zeros((30, 3)), 0.0
    for i in range(30):
        weights = []
        for k, chosen in enumerate(sets):
            weight = prevalence[k]
            for a in range(3):
                code = int(labels.codes[3 * i + a])
                is_right = code in chosen
                weight *= (1 - rates[a]) / len(chosen) if is_right else rates[a] / (3 - len(chosen))
            weights.append(weight)
        likelihood += np.log(sum(weights))
        for weight, chosen in zip(weights, sets, strict=True):
            right[i, list(chosen)] += weight / sum(weights)
    assert fit.step() == pytest.approx(likelihood, rel=1e-12)
    assert fit.right == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize("seed", [0, 1])
def test_without_variation_the_errors_are_found_and_the_rates_recovered(seed: int) -> None:
    rates = (0.02, 0.05, 0.1, 0.1, 0.25)
    labels, wrong, _ = simulated(400, rates, 4, 0.0, seed)
    found = find_mistakes(labels)
    precision, recall = precision_and_recall(found, wrong)
    assert precision > 0.97
    assert recall > 0.9
    assert found.error_rates == pytest.approx(rates, abs=0.05)
    given = ~np.isnan(found.probability)
    assert np.nansum(found.probability) == pytest.approx((given & wrong).sum(), rel=0.15)


def test_labels_that_competent_annotators_share_are_variation_and_no_errors() -> None:
    labels, wrong, varies = simulated(300, (0.04,) * 6, 4, 0.4, seed=7)
    found = find_mistakes(labels)
    assert np.mean((found.variation >= 0.5) == varies) > 0.9
    precision, recall = precision_and_recall(found, wrong)
    assert precision > 0.65
    assert recall > 0.65


def test_three_annotators_leave_the_errors_uncertain_and_are_still_useful() -> None:
    labels, wrong, _ = simulated(300, (0.1,) * 3, 3, 0.0, seed=0)
    precision, recall = precision_and_recall(find_mistakes(labels), wrong)
    assert precision > 0.8
    assert 0.3 < recall < 0.9


def test_items_with_the_same_labels_count_as_often_as_they_occur() -> None:
    rows = np.array(list(product(range(2), repeat=3)))
    codes = np.repeat(rows, [40, 9, 6, 5, 5, 6, 9, 20], axis=0)
    order = np.random.default_rng(1).permutation(len(codes))
    found, shuffled = find_mistakes(listed(codes, 2)), find_mistakes(listed(codes[order], 2))
    assert shuffled.probability == pytest.approx(found.probability[order], abs=1e-9, nan_ok=True)
    alone = model.RightSets(listed(codes, 2), np.ones(len(codes)), None, (), 0.1)
    labels, weights, pattern = model.distinct_label_patterns(listed(codes, 2))
    assert labels.n_items == 8
    together = model.RightSets(labels, weights, None, (), 0.1)
    for _ in range(5):
        assert together.step() == pytest.approx(alone.step(), rel=1e-12)
    assert together.right[pattern] == pytest.approx(alone.right, abs=1e-12)


def test_near_categories_are_more_often_both_right() -> None:
    codes = np.array([[0, 0, 0]] * 6 + [[2, 2, 2]] * 6 + [[0, 0, 1], [0, 0, 2]])
    apart = np.array([[0, 0.1, 1.0], [0.1, 0, 1.0], [1.0, 1.0, 0]])
    found = find_mistakes(listed(codes, 3), distances=apart)
    assert found.probability[12, 1] < found.probability[13, 2]


def test_several_labels_of_one_annotator_are_each_judged() -> None:
    labels = LabelList(
        [0, 0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 0, 1, 2], [0, 1, 0, 0, 1, 1, 1], 2, ("a", "b", "c"),
        ("x", "y"),
    )  # fmt: skip
    found = find_mistakes(labels)
    assert found.probability[0, 1] > found.probability[0, 0]
    assert np.isnan(found.probability[1, 0])


def test_labels_of_systems_inform_but_are_not_listed() -> None:
    codes = np.array([[0, 0, 1, 1]] + [[0, 0, 0, 0], [1, 1, 1, 1]] * 10 + [[-1, -1, -1, 0]])
    humans = listed(codes[:, :3], 2)
    both = listed(codes, 2)
    both = LabelList(
        both.items, both.annotators, both.codes, both.n_items, both.annotator_names, both.tagset,
        roles=("human",) * 3 + ("system",),
    )  # fmt: skip
    found = find_mistakes(both)
    assert np.isnan(found.probability[-1]).all()
    assert found.probability[0, 1] < find_mistakes(humans).probability[0, 1]


def judged(rows: list[tuple[int, int, int, int, bool]]) -> Judgments:
    table = np.array(rows, dtype=np.int64)
    return Judgments(table[:, 0], table[:, 1], table[:, 2], table[:, 3], table[:, 4] == 1)


def test_verdicts_of_peers_count_and_those_on_own_labels_do_not() -> None:
    codes = np.array([[0, 0, 1], [1, 1, 0]] * 8)
    labels = listed(codes, 2)
    rejected = [
        (i, int(codes[i, 2]), 2, judge, i % 2 == 0) for i in range(16) for judge in range(2)
    ]
    accepted = [(i, int(codes[i, 0]), 0, 1, True) for i in range(16)]
    found = find_mistakes(labels, judgments=judged(rejected + accepted))
    assert found.probability[1, 0] > 0.5 > found.probability[0, 1]
    own = [(i, int(codes[i, 2]), 2, 2, True) for i in range(16)]
    again = find_mistakes(labels, judgments=judged(rejected + accepted + own))
    assert again.probability == pytest.approx(found.probability, nan_ok=True)
    assert (verdict_evidence(judged(own), labels) == 0).all()


def test_audited_items_show_that_an_annotator_who_stands_alone_is_right() -> None:
    """The others always take the first of two right labels, the last annotator the second."""
    rng = np.random.default_rng(3)
    codes = np.repeat(rng.integers(0, 3, (200, 1)), 4, axis=1)
    codes[::4, 3] = (codes[::4, 0] + 1) % 3
    codes[1::8, 0] = (codes[1::8, 1] + 1) % 3  # errors of the first annotator
    right = np.zeros((200, 3), dtype=np.bool_)
    right[np.arange(200)[:, None], codes[:, 1:]] = True
    before, chosen = find_mistakes(listed(codes, 3)), np.arange(60)
    after = find_mistakes(listed(codes, 3), audit=Audit(chosen, right[chosen]))
    rest = ~np.isnan(after.probability) & (np.arange(200) >= 60)[:, None]
    truth = ~right[rest]

    def ranked(found: Mistakes) -> float:
        scores = found.probability[rest]
        return float((scores[truth][:, None] > scores[~truth]).mean())

    assert ranked(after) > 0.999 > ranked(before)


def test_input_from_which_nothing_follows_is_refused() -> None:
    labels, _, _ = simulated(10, (0.1,) * 3, 3, 0.0, seed=0)
    with pytest.raises(MetricsError, match="three annotators or more, not 2"):
        find_mistakes(listed(np.array([[0, 1], [1, 1]]), 2))
    with pytest.raises(MetricsError, match="2 to 200 categories, not 1"):
        find_mistakes(listed(np.zeros((2, 3), dtype=np.int64), 1))
    with pytest.raises(MetricsError, match="both errors and right labels"):
        find_mistakes(labels, audit=Audit(np.array([0]), np.ones((1, 3), dtype=np.bool_)))


def test_places_of_units_say_what_each_annotator_has() -> None:
    continuum = Continuum(
        np.array([0.0, 0.0, 1.0, 30.0, 30.0, 38.0, 60.0]),
        np.array([10.0, 10.0, 11.0, 40.0, 40.0, 48.0, 70.0]),
        np.array([0, 0, 1, 0, 0, 0, 1], dtype=np.int32),
        np.array([0, 1, 2, 0, 1, 2, 1], dtype=np.int32),
        ("a", "b", "c"),
        ("x", "y"),
    )
    units = np.array([[0, 1, 2], [3, 4, 5], [-1, 6, -1]], dtype=np.int32)
    labels = place_labels([(continuum, Alignment(units, np.ones(3), 3.0, 7 / 3))], ("a", "b", "c"))
    said = [[labels.tagset[k] for k in labels.codes[labels.items == row]] for row in range(3)]
    assert said == [["x", "x", "y"], ["x", "x", OTHER_BOUNDS], [NOTHING, "y", NOTHING]]
