"""Annotators beside the others: what the values are, and what simulations with known truth show."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from accordeur.metrics.annotator_card import AnnotatorCard
from accordeur.metrics.options import Sampling
from accordeur.metrics.references.annotator_cards import CardInput, annotator_cards
from accordeur.metrics.references.equal_annotators import equality_p_values
from accordeur.metrics.references.label_list import LabelList
from accordeur.metrics.references.other_labels import (
    NO_DECISION,
    other_labels,
    shares_beside,
)
from benchmarks.annotator_cards import cards, planted_campaign, rank_correlation


def list_of(rows: list[tuple[int, int, int]], width: int = 3) -> LabelList:
    items, annotators, codes = (np.array(column) for column in zip(*rows, strict=True))
    names = tuple("ABCDEFGH"[: int(annotators.max()) + 1])
    return LabelList(items, annotators, codes, int(items.max()) + 1, names, tuple("xyz"[:width]))


def random_rows(seed: int) -> list[tuple[int, int, int]]:
    rng = np.random.default_rng(seed)
    return [
        (i, a, int(rng.integers(3)))
        for i in range(25)
        for a in rng.choice(6, rng.integers(1, 6), replace=False).tolist()
    ]


@pytest.mark.parametrize("seed", range(5))
def test_other_labels_are_what_counting_by_hand_gives(seed: int) -> None:
    rows = random_rows(seed)
    found = other_labels(list_of(rows))
    for r, (item, annotator, code) in enumerate(rows):
        others = [c for i, a, c in rows if i == item and a != annotator]
        assert found.n_others[r] == len(others)
        assert found.n_same[r] == others.count(code)
        pairs = [first == second for first, second in combinations(others, 2)]
        assert found.among_others[r] == pytest.approx(np.mean(pairs)) if pairs else True
        assert np.isnan(found.among_others[r]) != bool(pairs)
        wins = [c for c in range(3) if others.count(c) > 1 and 2 * others.count(c) > len(others)]
        assert found.decision[r] == (wins[0] if wins else NO_DECISION)
        if wins:
            assert found.n_decided[r] == others.count(wins[0])


@pytest.mark.parametrize("seed", range(5))
def test_shares_above_and_below_are_what_counting_by_hand_gives(seed: int) -> None:
    rows = random_rows(seed)
    items = np.array([item for item, _, _ in rows])
    values = np.array([code if code else np.nan for _, _, code in rows])
    above, below = shares_beside(items, values)
    for r, own in enumerate(values):
        others = [
            other
            for k, other in enumerate(values)
            if k != r and items[k] == items[r] and np.isfinite(other)
        ]
        if np.isnan(own) or len(others) < 2:
            assert np.isnan(above[r])
            continue
        assert above[r] == pytest.approx(np.mean([other > own for other in others]))
        assert below[r] == pytest.approx(np.mean([other < own for other in others]))
    assert np.isnan(shares_beside(items[:0], values[:0])[0]).size == 0


def test_differences_from_the_others_sum_to_zero_in_each_item() -> None:
    labels = list_of(random_rows(7))
    found = other_labels(labels)
    difference = found.agreement - found.among_others
    known = np.isfinite(difference)
    sums = np.bincount(labels.items[known], weights=difference[known])
    assert sums == pytest.approx(np.zeros(sums.size))


def cards_of(labels: LabelList, **known: object) -> dict[str, AnnotatorCard]:
    given = CardInput(labels, np.arange(labels.n_items), **known)  # type: ignore[arg-type]
    return {one.annotator: one for one in annotator_cards(given, Sampling(seed=1))}


def habit(n: int = 60) -> LabelList:
    """Five annotators agree, but B takes half of z for x."""
    return list_of(
        [
            (i, a, 0 if a == 1 and i % 3 == 2 and i % 2 else i % 3)
            for i in range(n)
            for a in range(5)
        ]
    )


def test_the_card_of_an_annotator_with_a_habit() -> None:
    found = cards_of(habit())
    assert next(iter(found)) == "B"
    card = found["B"]
    assert [name for name, one in found.items() if one.differs] == ["B"]
    [z] = [one for one in card.categories if one.category == "z"]
    assert (z.same.value, z.instead, z.n_instead, z.systematic) == (0.5, "x", 10, True)
    assert (card.decided.value, card.decided.n) == (50 / 60, 60)
    assert card.agreement.value == pytest.approx(50 / 60)
    assert card.others == 1.0
    assert card.gain[0] == pytest.approx(10)
    assert card.gain[1] < 10 < card.gain[2]
    assert {(one.own, one.decision, one.n_decided) for one in card.places} == {("x", "z", 4)}
    assert len(card.places) == 10
    assert found["A"].places == ()


def test_who_rates_lower_than_the_others_leans_and_equal_annotators_do_not() -> None:
    rng = np.random.default_rng(8)
    scale = rng.choice(5, 120, p=[0.6, 0.2, 0.1, 0.05, 0.05])  # skewed: most ratings are least
    n_leaning = 0
    for strict in (True, False):
        rows = [
            (i, a, int(np.clip(scale[i] + rng.integers(-1, 2) - (a == 0 and strict), 0, 4)))
            for i in range(120)
            for a in range(5)
        ]
        labels = list_of([(i, a, 0) for i, a, _ in rows])
        codes = np.array([code for _, _, code in rows], float)
        given = CardInput(labels, np.arange(120), ordered={"label": codes})
        found = {one.annotator: one for one in annotator_cards(given, Sampling())}
        [lower] = found["A"].directions
        assert lower.leans == strict
        assert (lower.below > 2 * lower.above) == strict
        n_leaning += sum(one.directions[0].leans for one in found.values())
    assert n_leaning == 1, "only the one who is lower, as most of the others are alike"


def test_rare_categories_have_a_share_without_limits() -> None:
    rows = [(i, a, 1 if i < 9 else 0) for i in range(60) for a in range(4)]
    found = cards_of(list_of(rows))["A"].categories
    assert [(one.category, one.same.n) for one in found] == [("x", 51), ("y", 9)]
    assert found[0].same.lower < found[0].same.value
    assert np.isnan(found[1].same.lower)


def test_accuracy_is_beside_that_of_the_others_on_the_same_items() -> None:
    labels = habit()
    reference = np.where(np.arange(60) < 30, np.arange(60) % 3, -1)
    found = cards_of(labels, reference=reference)
    assert found["B"].accuracy.n == 30
    assert found["B"].accuracy.value == pytest.approx(25 / 30)
    assert found["B"].accuracy_of_others == 1.0
    assert found["A"].accuracy_of_others == pytest.approx((3 + 25 / 30) / 4)
    assert cards_of(labels)["B"].accuracy.n == 0


def test_two_annotators_cannot_be_told_apart() -> None:
    found = cards_of(list_of([(i, a, (i * a) % 2) for i in range(40) for a in range(2)]))
    assert {one.differs for one in found.values()} == {False}
    assert all(np.isnan(one.p_value) and np.isnan(one.others) for one in found.values())
    assert all(one.agreement.n == 40 and one.places == () for one in found.values())


def test_an_annotator_far_below_does_not_put_the_equal_others_above() -> None:
    rng = np.random.default_rng(3)
    codes = rng.integers(3, size=(80, 5))
    rows = [
        (i, a, int(codes[i, a] if a == 4 or rng.random() < 0.1 else codes[i, 0]))
        for i in range(80)
        for a in range(5)
    ]
    assert [name for name, one in cards_of(list_of(rows)).items() if one.differs] == ["E"]


def test_units_found_and_alone_are_shares_of_units() -> None:
    """z is no unit: A misses every other unit of the three others, and has five alone."""
    rows = [(i, a, 2 if i >= 20 or (a == 0 and i % 2) else 0) for i in range(40) for a in range(4)]
    rows = [(i, a, 1 if a == 0 and i >= 35 else c) for i, a, c in rows]
    card = cards_of(list_of(rows), nothing=2)["A"]
    assert (card.found.value, card.found.n) == (0.5, 20)
    assert (card.alone.value, card.alone.n) == (5 / 15, 15)
    assert [one.category for one in card.categories] == ["x"]
    assert card.categories[0].instead == "z"


def test_a_p_value_counts_draws_as_far_from_the_others() -> None:
    """Two annotators, one unit of difference: of both draws, each is as far."""
    found = equality_p_values(np.zeros(2, int), np.arange(2), np.array([1.0, -1.0]), 3)
    assert found[:2] == pytest.approx([1.0, 1.0])
    assert np.isnan(found[2])


def test_ranks_of_planted_quality_are_found_although_items_differ() -> None:
    """Of 30 annotators, half get harder items, which plain agreement counts against them."""
    rng = np.random.default_rng(60)
    found = [rank_correlation(planted_campaign(rng, per_item=6)) for _ in range(4)]
    assert np.mean([one.of_cards for one in found]) >= 0.9
    assert np.mean([one.of_agreement for one in found]) < 0.85


@pytest.mark.long
def test_equal_annotators_are_seldom_called_different() -> None:
    """At most the upper 99 % limit of 5 % in 60 campaigns; 500 are in the benchmark."""
    rng = np.random.default_rng(20)
    campaigns = [planted_campaign(rng, n_annotators=20, equal=True) for _ in range(60)]
    called_different = [any(one.differs for one in cards(campaign)) for campaign in campaigns]
    assert sum(called_different) <= 8


def weekly(
    rng: np.random.Generator, errors: dict[int, list[float]], n: int = 240
) -> dict[str, AnnotatorCard]:
    """Six annotators who err in .1 of the items of four batches; errors: those of some."""
    batch, truth = np.arange(n) * 4 // n, rng.integers(0, 3, n)
    rows = []
    for a in range(6):
        limit = np.array(errors.get(a, [0.1] * 4))[batch]
        wrong = np.where(rng.random(n) < limit, 1 + rng.integers(0, 2, n), 0)
        rows += [(i, a, int(code)) for i, code in enumerate((truth + wrong) % 3)]
    return cards_of(list_of(rows), batches={f"week {b + 1}": batch == b for b in range(4)})


@pytest.mark.long
def test_who_agrees_less_and_less_declines_and_nobody_else_does() -> None:
    rng, n_false = np.random.default_rng(60), 0
    for _ in range(20):
        found = weekly(rng, {1: [0.05, 0.1, 0.3, 0.45], 4: [0.3] * 4})
        assert found["B"].declines
        assert [one.batch for one in found["B"].batches] == [f"week {b}" for b in (1, 2, 3, 4)]
        n_false += sum(card.declines for name, card in found.items() if name != "B")
    assert n_false <= 2  # one-sided .02 for all others of a campaign: 20 × .02 = 0.4
    rising = weekly(rng, {2: [0.5, 0.3, 0.1, 0.02]})
    assert rising["C"].p_decline == 1
    assert not any(card.declines for card in rising.values())


@pytest.mark.long
def test_of_equal_annotators_one_declines_in_one_campaign_of_fifty() -> None:
    rng = np.random.default_rng(61)
    hard = [0.05, 0.4, 0.05, 0.4]  # batches differ for all alike
    n = sum(
        any(card.declines for card in weekly(rng, dict.fromkeys(range(6), hard), 80).values())
        for _ in range(100)
    )
    assert n <= 7  # .02 expected: more than 7 of 100 has probability .0009


def test_a_difference_is_frequent_where_the_others_have_it_less_often() -> None:
    card = cards_of(habit())["B"]
    [z] = [one for one in card.categories if one.category == "z"]
    assert (z.share_of_others, z.is_frequent) == (0.0, True)
    rng = np.random.default_rng(62)
    alike = weekly(rng, {})
    assert sum(one.is_frequent for c in alike.values() for one in c.categories) <= 4  # of 18
