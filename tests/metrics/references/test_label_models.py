"""Which model the labels support, and Dawid–Skene with known items and partial pooling."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.errors import MetricsError
from accordeur.metrics.references.gold_training import gold_improves_predictions
from accordeur.metrics.references.label_list import LabelList
from accordeur.metrics.references.label_models.dawid_skene import (
    POOLED_STRENGTH,
    consensus_of_labels,
    dawid_skene,
    is_crowd_of_few_labels,
)
from accordeur.metrics.references.label_models.glad import glad
from accordeur.metrics.references.label_models.held_out_loss import (
    best_held_out_model,
    compare_label_models,
)


def drawn(
    n_items: int, rates: np.ndarray, seed: int, per_item: int | None = None
) -> tuple[LabelList, np.ndarray]:
    """Labels of annotators with rates (A, K, K), each item by `per_item` of them; and the truth."""
    rng = np.random.default_rng(seed)
    n_annotators, width = rates.shape[:2]
    truth = rng.integers(width, size=n_items)
    rows = [
        (i, a, rng.choice(width, p=rates[a, truth[i]]))
        for i in range(n_items)
        for a in sorted(rng.permutation(n_annotators)[: per_item or n_annotators])
    ]
    items, annotators, codes = np.array(rows).T
    names = tuple(f"a{a}" for a in range(n_annotators))
    tagset = tuple("XYZ"[:width])
    return LabelList(items, annotators, codes, n_items, names, tagset), truth


def alike(accuracy: float, n: int, width: int = 2) -> np.ndarray:
    wrong = (1 - accuracy) / (width - 1)
    one = np.full((width, width), wrong) + (accuracy - wrong) * np.eye(width)
    return np.repeat(one[None], n, axis=0)


def test_differences_between_annotators_are_supported_where_there_are_some() -> None:
    rates = np.concatenate([alike(0.95, 2), alike(0.55, 3)])
    fits = {one.rule: one for one in compare_label_models(drawn(200, rates, 0)[0])}
    assert set(fits) == {"majority", "dawid_skene", "consensus", "glad", "mace"}
    assert not fits["majority"].is_supported
    assert fits["consensus"].log_loss < fits["majority"].log_loss - 0.02
    by_annotator = np.array([*fits["consensus"].by_annotator.values()])
    assert by_annotator[:2].max() < by_annotator[2:].min()


def test_annotators_alike_with_few_labels_support_no_rates_of_their_own() -> None:
    given, _ = drawn(120, alike(0.8, 40, 3), 1, per_item=4)
    fits = {one.rule: one for one in compare_label_models(given)}
    assert fits["consensus"].log_loss < fits["dawid_skene"].log_loss
    assert not fits["dawid_skene"].is_supported
    assert min(one.excess for one in fits.values()) == 0


def test_the_comparison_is_the_same_with_the_same_seed() -> None:
    given, _ = drawn(40, alike(0.8, 4), 2)
    first, second = compare_label_models(given, seed=3), compare_label_models(given, seed=3)
    assert [one.log_loss for one in first] == [one.log_loss for one in second]


def test_pooled_rates_lie_between_the_own_and_the_common_ones() -> None:
    given, _ = drawn(200, np.concatenate([alike(0.95, 2), alike(0.6, 2)]), 4)
    own = dawid_skene(given).parameters["rates"][:, 0, 0]
    pooled = dawid_skene(given, strength=1e6).parameters["rates"][:, 0, 0]
    some = dawid_skene(given, strength=30).parameters["rates"][:, 0, 0]
    assert np.ptp(pooled) < 1e-3
    assert np.ptp(pooled) < np.ptp(some) < np.ptp(own)


def test_known_items_keep_their_category_and_show_an_error_that_annotators_share() -> None:
    """Three of four annotators take the same 80 % of the Xs for Ys; known items show it."""
    rng = np.random.default_rng(5)
    truth = rng.integers(2, size=300)
    believed = np.where((truth == 0) & (rng.random(300) < 0.8), 1, truth)
    right = rng.random((300, 4)) < (0.97, 0.95, 0.95, 0.95)
    meant = np.column_stack([truth, believed, believed, believed])
    items, annotators = np.divmod(np.arange(1200), 4)
    codes = np.where(right, meant, 1 - meant).ravel()
    given = LabelList(items, annotators, codes, 300, tuple("abcd"), ("X", "Y"))
    known = np.where(np.arange(300) < 60, truth, -1)
    plain, trained = dawid_skene(given), dawid_skene(given, gold=known)
    assert (trained.reference.codes[:60] == truth[:60]).all()
    assert "gold_not_training" not in [one.code for one in trained.reference.warnings]
    rest = slice(60, None)
    accuracy = [(one.reference.codes[rest] == truth[rest]).mean() for one in (plain, trained)]
    assert accuracy[1] > accuracy[0] + 0.03


def test_gold_that_shows_no_gain_leaves_the_other_items_as_they_are() -> None:
    given, truth = drawn(150, alike(0.8, 5), 8)
    known = np.where(np.arange(150) < 30, truth, -1)
    plain, kept = dawid_skene(given, strength=5), dawid_skene(given, strength=5, gold=known)
    assert kept.posterior[30:] == pytest.approx(plain.posterior[30:], abs=1e-12)
    assert (kept.reference.codes[:30] == truth[:30]).all()
    assert kept.reference.warnings[-1].code == "gold_not_training"


def test_gold_helps_if_held_out_losses_fall_by_two_standard_errors() -> None:
    losses = np.random.default_rng(9).random(50)
    assert gold_improves_predictions(losses, lambda fold: losses[fold] - 0.1)
    assert not gold_improves_predictions(losses, lambda fold: losses[fold])
    assert not gold_improves_predictions(losses, lambda fold: losses[fold] + 0.1)
    noise = np.random.default_rng(10).normal(size=50)
    assert not gold_improves_predictions(losses, lambda fold: losses[fold] + noise[fold])
    assert not gold_improves_predictions(losses[:9], lambda fold: losses[fold] - 0.1)


def test_a_known_item_without_a_label_is_resolved() -> None:
    given, _ = drawn(20, alike(0.9, 3), 6)
    wider = LabelList(
        given.items, given.annotators, given.codes, 21, given.annotator_names, given.tagset
    )
    known = np.full(21, -1)
    known[20] = 1
    made = dawid_skene(wider, gold=known).reference
    assert made.codes[20] == 1


@pytest.mark.parametrize("gold", [np.array([0]), np.full(20, 7)])
def test_gold_that_fits_no_item_or_category_is_refused(gold: np.ndarray) -> None:
    given, _ = drawn(20, alike(0.9, 3), 7)
    with pytest.raises(MetricsError, match="gold has shape"):
        dawid_skene(given, gold=gold)
    with pytest.raises(MetricsError, match="strength"):
        dawid_skene(given, strength=-1)


def crowd(seed: int, n_labels: int) -> tuple[LabelList, np.ndarray]:
    """400 items, 60 annotators, four categories, each annotator right with one probability."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(4, 400, p=[0.4, 0.3, 0.2, 0.1])
    right = rng.beta(4, 2, 60)
    items = np.repeat(np.arange(400), n_labels)
    who = np.concatenate([rng.choice(60, n_labels, replace=False) for _ in range(400)])
    wrong = (truth[items] + rng.integers(1, 4, items.size)) % 4
    codes = np.where(rng.random(items.size) < right[who], truth[items], wrong)
    names = tuple(f"a{k}" for k in range(60))
    return LabelList(items, who, codes, 400, names, ("p", "q", "r", "s")), truth


@pytest.mark.parametrize("seed", range(3))
def test_a_crowd_of_few_labels_has_one_rate_per_annotator(seed: int) -> None:
    given, truth = crowd(seed, 4)  # 27 labels per annotator for 12 rates of error
    assert is_crowd_of_few_labels(given)
    made, pooled = consensus_of_labels(given), dawid_skene(given, strength=POOLED_STRENGTH)
    rates = made.parameters["rates"]
    assert np.allclose(rates.sum(axis=2), 1)
    assert np.allclose(rates[:, ~np.eye(4, dtype=bool)].std(axis=1), 0)
    is_right = made.reference.codes == truth
    assert is_right.mean() >= (pooled.reference.codes == truth).mean()
    assert "one_coin" in made.reference.signature


def test_a_crowd_of_many_labels_and_a_few_annotators_keep_their_rates() -> None:
    many, _ = crowd(0, 20)
    assert not is_crowd_of_few_labels(many)
    assert "one_coin" not in consensus_of_labels(many).reference.signature
    chosen = many.annotators < 3
    few = LabelList(
        many.items[chosen], many.annotators[chosen], many.codes[chosen], 400, ("a", "b", "c"),
        many.tagset,
    )  # fmt: skip
    assert not is_crowd_of_few_labels(few)


def test_the_model_that_predicts_held_out_labels_best_is_fitted() -> None:
    """On two kinds of items, easy and hard, which only GLAD knows; and where all are alike."""
    rng = np.random.default_rng(5)
    rows = [
        (i, a, int(rng.random() < (0.97 if i % 2 else 0.6)) ^ (i // 2 % 2))
        for i in range(300)
        for a in range(12)
    ]
    items, annotators, codes = np.array(rows).T
    names = tuple(f"a{a}" for a in range(12))
    hard = LabelList(items, annotators, codes, 300, names, ("X", "Y"))
    made = best_held_out_model(hard)
    assert made is not None
    assert made.reference.rule == compare_label_models(hard)[0].rule == "glad"
    assert (made.reference.codes == glad(hard).reference.codes).all()
    same, _ = drawn(60, alike(0.8, 30), 1, per_item=3)
    assert compare_label_models(same)[0].rule == "majority"
    assert best_held_out_model(same) is None
