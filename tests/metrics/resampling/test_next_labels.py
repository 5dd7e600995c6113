"""What to annotate next: the random share is a design that never looks at a label."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.references.label_models.dawid_skene import dawid_skene
from accordeur.metrics.resampling.next_labels import (
    Limits,
    class_and_label_posteriors,
    consensus_error_limit,
    next_documents,
    next_labels,
)


def matrix_of(codes: np.ndarray) -> LabelMatrix:
    n_items, n_annotators = codes.shape
    return LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=("a", "b"),
        annotators=tuple(f"ann{a}" for a in range(n_annotators)),
        items=tuple(f"item{i}" for i in range(n_items)),
        roles=("human",) * n_annotators,
    )


def crowd(n_items: int, abilities: list[float], seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n_items)
    right = rng.random((n_items, len(abilities))) < np.array(abilities)
    return np.where(right, truth[:, None], 1 - truth[:, None]), truth


def collected(full: np.ndarray, n: int, share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A campaign of n labels in rounds: codes, and the labels of the random share."""
    codes, design = np.full(full.shape, -1), np.zeros(full.shape, bool)
    while (left := n - int((codes >= 0).sum())) > 0:
        size = full.shape[0] if (codes < 0).all() else full.shape[0] // 10
        limits = Limits(random_share=share, seed=seed)
        for one in next_labels(matrix_of(codes), min(left, size), limits, design=design):
            codes[one.item, one.annotator] = full[one.item, one.annotator]
            design[one.item, one.annotator] |= one.purpose == "random"
    return codes, design


def test_the_most_uncertain_items_come_first_and_go_to_the_best_annotators() -> None:
    full, _ = crowd(200, [0.95, 0.9, 0.9, 0.55, 0.55], 1)
    codes = full.copy()
    codes[:40, :3] = -1  # labelled by the two guessers only
    chosen = next_labels(matrix_of(codes), 20, Limits(random_share=0))
    assert {one.purpose for one in chosen} == {"informative"}
    assert all(one.item < 40 and one.annotator < 3 for one in chosen)
    posterior, _ = class_and_label_posteriors(matrix_of(codes))
    assert chosen[0].error == pytest.approx(max(1 - posterior.max(axis=1)), abs=1e-12)


def test_a_round_keeps_to_its_budget_and_to_who_may_label_what() -> None:
    full, _ = crowd(30, [0.9, 0.8, 0.7, 0.6], 2)
    codes = np.where(np.arange(4) < 1, full, -1)
    allowed = np.ones(full.shape, bool)
    allowed[:15, 1] = False
    limits = Limits(random_share=0.5, per_annotator=8, per_item=2)
    chosen = next_labels(matrix_of(codes), 20, limits, allowed=allowed)
    cells = [(one.item, one.annotator) for one in chosen]
    assert len(cells) == len(set(cells)) == 20
    assert all(allowed[cell] and codes[cell] < 0 for cell in cells)
    assert np.bincount([a for _, a in cells]).max() <= 8
    assert np.bincount([i for i, _ in cells]).max() <= 1
    assert sum(one.purpose == "random" for one in chosen) == 10
    assert all(0 < one.probability <= 1 for one in chosen)


def test_items_without_a_label_get_a_random_one_first() -> None:
    full, _ = crowd(20, [0.9, 0.8, 0.7], 3)
    codes = np.full(full.shape, -1)
    codes[:12, 0] = full[:12, 0]
    chosen = next_labels(matrix_of(codes), 8, Limits(random_share=0))
    assert {one.item for one in chosen} == set(range(12, 20))
    assert {one.purpose for one in chosen} == {"random"}


def test_the_random_share_is_the_same_whatever_the_labels_say() -> None:
    """Labels decide what is informative, never what the design draws."""
    full, _ = crowd(60, [0.95, 0.9, 0.7, 0.6], 4)
    start = np.where(np.arange(4) < 1, full, -1)

    def drawn(codes: np.ndarray) -> list[tuple[int, int]]:
        chosen = next_labels(matrix_of(codes), 30, Limits(random_share=0.5, seed=7))
        return [(one.item, one.annotator) for one in chosen if one.purpose == "random"]

    assert drawn(start) == drawn(np.where(start >= 0, 1 - start, -1))


def test_probabilities_weight_the_design_to_the_labels_of_all_annotators() -> None:
    """Horvitz & Thompson 1952: Σ label / probability is unbiased for the sum over annotators."""
    n_items, n_annotators = 3000, 5
    allowed = np.random.default_rng(1).random((n_items, n_annotators)) < 0.6
    allowed[:, 0] = True
    nothing = matrix_of(np.full(allowed.shape, -1))
    limits = Limits(random_share=1, random_depth=2, seed=3)
    chosen = next_labels(nothing, 2 * n_items, limits, allowed=allowed)
    left = allowed.sum(axis=1)
    weighted = np.zeros(n_annotators)
    for one in chosen:
        assert one.probability == pytest.approx(1 / left[one.item])
        left[one.item] -= 1
    first = {one.item: one for one in reversed(chosen)}
    for one in first.values():
        weighted[one.annotator] += 1 / one.probability
    assert len(first) == n_items
    assert weighted == pytest.approx(allowed.sum(axis=0), rel=0.1)


def test_a_label_that_the_design_reaches_later_joins_it_at_no_cost() -> None:
    full, _ = crowd(40, [0.9, 0.8, 0.7], 5)
    design = np.zeros(full.shape, bool)
    design[:, 0] = True
    codes = full.copy()
    codes[:, 2] = -1  # column 1 was collected as informative
    chosen = next_labels(matrix_of(codes), 10, Limits(random_share=1), design=design)
    assert sum(not one.exists for one in chosen) == 10
    joined = [one for one in chosen if one.exists]
    assert joined
    assert all(one.annotator == 1 and one.purpose == "random" for one in joined)


@pytest.mark.long
def test_alpha_of_the_random_share_is_unbiased_and_of_all_labels_is_not() -> None:
    random, naive, whole = [], [], []
    for seed in range(25):
        full, _ = crowd(200, [0.95, 0.9, 0.75, 0.65, 0.55, 0.5], seed)
        codes, design = collected(full, 520, 0.3, seed)
        share = np.where(design, codes, -1)
        random.append(compute_coefficient("krippendorff_alpha", matrix_of(share)).value)
        naive.append(compute_coefficient("krippendorff_alpha", matrix_of(codes)).value)
        whole.append(compute_coefficient("krippendorff_alpha", matrix_of(full)).value)
    error = np.array(random) - whole
    assert abs(error.mean()) < 2.5 * error.std() / 5
    assert np.mean(np.array(naive) - whole) > 0.05


def test_adaptive_labels_make_a_better_consensus_than_uniform_ones() -> None:
    right = {0.2: [], 1.0: []}
    for share, found in right.items():
        for seed in range(8):
            full, truth = crowd(200, [0.95, 0.9, 0.75, 0.65, 0.55, 0.5], seed)
            codes, _ = collected(full, 500, share, seed)
            posterior, _ = class_and_label_posteriors(matrix_of(codes))
            found.append((posterior.argmax(axis=1) == truth).mean())
    assert np.mean(right[0.2]) > np.mean(right[1.0]) + 0.02


def test_documents_of_high_disorder_go_to_annotators_of_low_disorder() -> None:
    given = np.array([[True, True, False, False]] * 10)
    disorders = np.arange(10.0)
    disorders[9] = np.nan  # as the mean, 4
    chosen = next_documents(
        given, disorders, 3, Limits(random_share=0),
        documents=[f"d{i}" for i in range(10)], annotators=list("abcd"),
        annotator_disorders=np.array([0.5, 0.5, 0.9, 0.2]),
    )  # fmt: skip
    assert [(one.item, one.annotator) for one in chosen] == [(8, 3), (7, 3), (8, 2)]


def test_bounds_of_an_audit() -> None:
    """0 of n wrong: 1 − .05^(1/n), the rule of three."""
    assert consensus_error_limit(0, 60) == pytest.approx(1 - 0.05 ** (1 / 60), abs=1e-12)
    assert consensus_error_limit(3, 3) == consensus_error_limit(0, 0) == 1
    with pytest.raises(MetricsError, match="4 wrong of 3"):
        consensus_error_limit(4, 3)


def test_shrinkage_draws_error_rates_to_those_of_all_annotators() -> None:
    full, _ = crowd(300, [0.95, 0.9, 0.6], 6)
    plain, shrunk, drawn = (
        dawid_skene(matrix_of(full), strength=one).parameters["rates"] for one in (0.0, 4.0, 1e9)
    )
    assert plain.sum(axis=2) == pytest.approx(np.ones((3, 2)))
    assert np.ptp(drawn, axis=0) == pytest.approx(np.zeros((2, 2)), abs=1e-6)
    assert (np.ptp(plain, axis=0) > np.ptp(shrunk, axis=0)).all()
    with pytest.raises(MetricsError, match="strength is -1"):
        dawid_skene(matrix_of(full), strength=-1)


def test_with_one_category_so_far_the_round_is_filled_all_the_same() -> None:
    labels = matrix_of(np.where(np.arange(3) < 1, 0, np.full((8, 3), -1)))
    one = LabelMatrix(
        codes=labels.codes,
        tagset=("a",),
        annotators=labels.annotators,
        items=labels.items,
        roles=labels.roles,
    )
    assert len(next_labels(one, 6)) == 6


@pytest.mark.parametrize(
    ("budget", "share", "sentence"),
    [(0, 0.2, "budget is 0"), (5, 1.5, "random_share is 1.5")],
)
def test_impossible_settings_are_refused(budget: int, share: float, sentence: str) -> None:
    with pytest.raises(MetricsError, match=sentence):
        next_labels(matrix_of(np.zeros((3, 2))), budget, Limits(random_share=share))
