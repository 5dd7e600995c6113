"""Intervals over few items: the posterior over profiles of labels."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from agreement_cases import from_confusion, from_strings
from agreement_intervals import bootstrap
from agreement_samples import sample
from agreement_strategies import matrices
from hypothesis import given, settings

from accordeur.metrics.agreement import coefficient_posterior
from accordeur.metrics.agreement import resampling_units as units_module
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.counts import count
from accordeur.metrics.agreement.formulas.spread import NominalSpread
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.resampling_units import resampling_units
from accordeur.metrics.agreement.summands import CountedSummands
from accordeur.metrics.agreement.sums import Feature, sums_of_each
from accordeur.metrics.intervals.interval import add_interval
from accordeur.metrics.measures import COEFFICIENTS

MANY = tuple(name for name, spec in COEFFICIENTS.items() if not spec.generalisation)
OTHERS = {name for name in MANY if COEFFICIENTS[name].confusions} | {"finn_r", "aickin_alpha"}
CLOSED = tuple(name for name in MANY if name not in OTHERS)
ADDED = (
    "n_paired", "n_labelled", "paired", "shares", "pooled", "marginals", "complete", "n_complete",
    "n_unanimous", "pair_items", "pair_labels",
)  # fmt: skip


def held(
    n: int, prevalence: list[float], accuracy: float, n_campaigns: int, **options: object
) -> float:
    """Share of simulated campaigns of two annotators whose interval holds the true κ.

    A single category leaves κ undefined, which is no miss.
    """
    k = len(prevalence)
    confusions = np.full((k, k), (1 - accuracy) / (k - 1))
    np.fill_diagonal(confusions, accuracy)
    cells = np.einsum("t,ta,tb->ab", prevalence, confusions, confusions)
    margins = cells.sum(axis=1)
    chance = float(margins @ margins)
    truth = (np.trace(cells) - chance) / (1 - chance)
    rng = np.random.default_rng(n)
    count = 0
    for table in rng.multinomial(n, cells.ravel(), size=n_campaigns):
        matrix = from_confusion(table.reshape(k, k), list("ABCD"[:k]))
        found = bootstrap(matrix, measures=["cohen_kappa"], seed=1, n_replicates=400, **options)
        count += not (found["cohen_kappa"].lower > truth or found["cohen_kappa"].upper < truth)
    return count / n_campaigns


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "prevalence", "accuracy"),
    [(10, [0.5, 0.5], 0.85), (10, [0.9, 0.1], 0.95), (25, [0.8, 0.1, 0.1], 0.9)],
)
def test_coverage_over_few_items(n: int, prevalence: list[float], accuracy: float) -> None:
    """400 campaigns: 3 standard errors around .93 to .97 are .89 and .996."""
    assert 0.89 <= held(n, prevalence, accuracy, 400) <= 0.996


def test_a_bootstrap_holds_the_value_less_often_over_few_items() -> None:
    assert held(10, [0.9, 0.1], 0.95, 200, method="expanded-percentile") < 0.8


@settings(max_examples=40)
@given(matrices(max_items=8))
def test_an_interval_is_defined_has_width_and_holds_the_value(matrix: LabelMatrix) -> None:
    found = bootstrap(matrix, measures=CLOSED, n_replicates=200, seed=1)
    for measure, interval in found.items():
        estimate = compute_coefficient(measure, matrix)
        n_paired = ((matrix.codes >= 0).sum(axis=1) >= 2).sum()
        if n_paired < 2 or math.isnan(estimate.value):
            assert interval.reason is not None
            assert math.isnan(interval.lower)
            continue
        assert interval.method == "dirichlet-profiles"
        assert interval.lower < interval.upper <= 1 + 1e-9, measure
        if (matrix.codes >= 0).all():  # with labels missing, chance is of other items
            assert interval.lower >= -1 - 1e-9
        assert interval.lower - 1e-9 <= estimate.value <= interval.upper + 1e-9


@settings(max_examples=15)
@given(matrices(max_items=8))
def test_the_order_of_items_and_the_names_of_categories_change_nothing(matrix: LabelMatrix) -> None:
    options = {"measures": CLOSED, "n_replicates": 100, "seed": 3}
    turned = replace(
        matrix, codes=matrix.codes[::-1].copy(), tagset=tuple("zyxw"[: len(matrix.tagset)])
    )
    first, second = (bootstrap(one, **options) for one in (matrix, turned))
    for measure in CLOSED:
        assert first[measure].bounds == pytest.approx(second[measure].bounds, nan_ok=True)


def test_the_order_of_categories_and_annotators_changes_the_draws_only() -> None:
    """Draws fall otherwise, so bounds differ by their Monte Carlo error."""
    matrix = from_strings("AAABBCAB.C", "AABBBCAABC", "AAABBC.BBA", tagset="ABC")
    swapped = np.array([2, 0, 1, -1], dtype=np.int32)[matrix.codes][:, [1, 2, 0]]
    options = {"measures": CLOSED, "n_replicates": 20_000, "seed": 5}
    first = bootstrap(matrix, **options)
    second = bootstrap(replace(matrix, codes=swapped), **options)
    for measure in CLOSED:
        assert first[measure].bounds == pytest.approx(second[measure].bounds, abs=0.015)


@pytest.mark.parametrize(("n", "lower"), [(10, 0.49), (25, 0.76), (50, 0.87), (100, 0.94)])
def test_lower_limits_where_nothing_disagrees(n: int, lower: float) -> None:
    """κ of two categories in equal parts."""
    half = n // 2
    matrix = from_strings("A" * half + "B" * (n - half), "A" * half + "B" * (n - half))
    found = bootstrap(matrix, measures=["cohen_kappa"], n_replicates=20_000, seed=1)["cohen_kappa"]
    assert found.upper == 1
    assert found.lower == pytest.approx(lower, abs=0.04)


def test_one_category_leaves_kappa_open_and_ac1_high() -> None:
    """κ may lie anywhere, so that its undefined value has no interval; AC1 may not."""
    matrix = from_strings("A" * 20, "A" * 20, tagset="AB")
    found = bootstrap(matrix, measures=["conger_kappa", "gwet_ac1"], seed=1)
    kappa, ac1 = found["conger_kappa"], found["gwet_ac1"]
    assert kappa.reason is not None
    assert math.isnan(kappa.upper)
    assert (ac1.lower > 0.7, ac1.upper) == (True, 1.0)
    estimate = add_interval(compute_coefficient("conger_kappa", matrix), kappa)
    assert math.isnan(estimate.value)
    assert np.isnan(estimate.interval).all()
    assert math.isnan(float(estimate.detail.standard_error))


@pytest.mark.parametrize("n_annotators", [2, 3, 4])
def test_pseudo_items_are_means_of_items_of_two_categories(n_annotators: int) -> None:
    """By enumeration: any number of labels of the one category is as likely, by any annotators."""
    n_categories = 3
    names = tuple(map(str, range(n_annotators)))
    nothing = LabelMatrix(
        codes=np.zeros((1, n_annotators), np.int32), tagset=("A", "B", "C"), annotators=names
    )
    pseudo = coefficient_posterior.pseudo_items(
        sums_of_each(CountedSummands(count(nothing))), np.arange(n_categories)
    )
    rows = np.array(list(product(range(n_categories), repeat=n_annotators)), dtype=np.int32)
    of_rows = CountedSummands(count(replace(nothing, codes=rows), by="items"))
    spread = NominalSpread(n_categories)
    features = [Feature(name, spread.key, spread) for name in ("observed", "coincident")]
    features += [Feature(name) for name in (*ADDED, "observed_cells", "coincident_cells")]
    each, found = (
        np.concatenate([units.feature_matrix(one) for one in features], axis=1)
        for units in (of_rows, pseudo)
    )
    for k in range(n_categories):
        assert found[k] == pytest.approx(each[(rows == k).all(axis=1)][0])
    for p, (j, k) in enumerate(combinations(range(n_categories), 2)):
        weights = np.zeros(len(rows))
        for r, row in enumerate(rows.tolist()):
            if set(row) == {j, k}:
                weights[r] = 1 / math.comb(n_annotators, row.count(j)) / (n_annotators - 1)
        assert found[n_categories + p] == pytest.approx(weights @ each)


def test_the_mass_of_disagreement_follows_the_distances() -> None:
    nominal = coefficient_posterior.pseudo_item_weights(1 - np.eye(3))
    assert nominal == pytest.approx([1 / 3] * 3 + [0.25] * 3)
    steps = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    assert coefficient_posterior.pseudo_item_weights(steps)[3:] == pytest.approx(
        0.75 * np.array([1, 2, 1]) / 4
    )


def test_one_declared_category_leaves_room_for_another() -> None:
    """A tagset found in the labels may hold one category only."""
    matrix = from_strings("A" * 20, "A" * 20, tagset="A")
    found = bootstrap(matrix, measures=CLOSED, seed=1)
    assert compute_coefficient("gwet_ac1", matrix).value == 1
    for measure, interval in found.items():
        if math.isnan(compute_coefficient(measure, matrix).value):
            assert interval.reason is not None, measure
            continue
        assert interval.lower < interval.upper == 1, measure
    assert found["gwet_ac1"].lower > 0.7


def test_many_items_have_the_interval_of_a_bootstrap() -> None:
    matrix = replace(sample(5, n_items=3000), documents=None)
    for posterior, drawn in zip(
        bootstrap(matrix, seed=1).values(),
        bootstrap(matrix, seed=1, method="expanded-percentile").values(),
        strict=True,
    ):
        assert posterior.method == "dirichlet-profiles"
        assert posterior.bounds == pytest.approx(drawn.bounds, abs=0.01)


def test_many_profiles_or_categories_take_a_bootstrap(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = replace(sample(6), documents=None)
    wide = replace(matrix, tagset=tuple(map(str, range(100))))
    assert bootstrap(wide, n_replicates=20, seed=1)["gwet_ac1"].method.startswith("bootstrap")
    monkeypatch.setattr(coefficient_posterior, "MOST_PROFILES", 3)
    assert bootstrap(matrix, n_replicates=20, seed=1)["gwet_ac1"].method.startswith("bootstrap")


def test_documents_stay_what_is_drawn_again() -> None:
    found = bootstrap(sample(6), n_replicates=20, seed=1)["gwet_ac1"]
    assert (found.method, found.over) == ("dirichlet-documents", "documents")


def test_draws_do_not_depend_on_how_many_are_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    units = resampling_units(replace(sample(3), documents=None))
    options = {"measures": MANY[:5], "n_draws": 60, "seed": 1}
    whole = coefficient_posterior.posterior_draws(units, **options)
    monkeypatch.setattr(units_module, "BATCH", 7)
    assert coefficient_posterior.posterior_draws(units, **options) == pytest.approx(
        whole, abs=1e-12
    )


@pytest.mark.parametrize("distance", ["ordinal", "interval", "gwet_linear"])
def test_weights_and_distances_have_intervals(distance: str) -> None:
    matrix = from_strings("1122334455", "1122334554", tagset="12345")
    measures = ("krippendorff_alpha", "weighted_kappa", "gwet_ac2")
    for measure, found in bootstrap(matrix, measures=measures, distance=distance, seed=1).items():
        value = compute_coefficient(measure, matrix, distance=distance).value
        assert found.lower < value < found.upper


def test_the_signature_names_the_method_and_its_prior() -> None:
    matrix = replace(sample(4), documents=None)
    found = bootstrap(matrix, measures=["gwet_ac1"], seed=2)["gwet_ac1"]
    line = add_interval(compute_coefficient("gwet_ac1", matrix), found).signature
    assert (
        "|interval:dirichlet-profiles/items/0.95|prior:1+0.75/labels|replicates:1000|seed:2|"
        in line
    )


def test_coverage_over_few_documents() -> None:
    """200 campaigns of three documents of unlike prevalence and difficulty, ten items each."""
    kinds = {"spread": 0.25, "difficulty": 0.12}
    population = sample(0, n_items=200_000, n_documents=20_000, **kinds)
    truth = compute_coefficient("fleiss_kappa", population).value
    held = {"auto": 0, "expanded-percentile": 0}
    for seed in range(1, 201):
        matrix = sample(seed, n_items=30, n_documents=3, **kinds)
        for method in held:
            found = bootstrap(
                matrix, measures=["fleiss_kappa"], seed=seed, n_replicates=300, method=method
            )["fleiss_kappa"]
            held[method] += found.lower <= truth <= found.upper
    assert held["auto"] / 200 > 0.88
    assert held["auto"] > held["expanded-percentile"]


@pytest.mark.parametrize("documents", [None, np.arange(10) // 2])
def test_two_annotators_have_the_whole_prior(documents: np.ndarray | None) -> None:
    matrix = replace(from_strings("AAABBCABAC", "AABBBCAABC"), documents=documents)
    measures = ("krippendorff_alpha", "cohen_kappa", "gwet_ac1")
    found = bootstrap(matrix, measures=measures, seed=3, n_replicates=200)
    units = resampling_units(matrix)
    drawn = coefficient_posterior.posterior_draws(units, measures=measures, n_draws=200, seed=3)
    tails = coefficient_posterior.tail_probabilities(0.95, units, share=1.0)
    for measure, draws in zip(measures, drawn.T, strict=True):
        assert found[measure].bounds == pytest.approx(np.quantile(draws, tails), abs=1e-12)


@pytest.mark.parametrize(
    ("n_items", "n_annotators", "accuracy", "n_categories"),
    [(10, 16, 0.45, 3), (10, 25, 0.45, 5), (20, 9, 0.9, 2)],
)
def test_coverage_of_crowds(
    n_items: int, n_annotators: int, accuracy: float, n_categories: int
) -> None:
    """Of 100 campaigns; 3 standard errors below .95 are .885. The whole prior has .47 or more."""
    measures = ("krippendorff_alpha", "conger_kappa", "gwet_ac1")
    observed = accuracy**2 + (1 - accuracy) ** 2 / (n_categories - 1)
    truth = (observed - 1 / n_categories) / (1 - 1 / n_categories)
    count = np.zeros(3)
    for seed in range(100):
        rng = np.random.default_rng(seed)
        true = rng.integers(0, n_categories, (n_items, 1))
        other = (true + rng.integers(1, n_categories, (n_items, n_annotators))) % n_categories
        codes = np.where(rng.random(other.shape) < accuracy, true, other).astype(np.int32)
        matrix = LabelMatrix(
            codes=codes,
            tagset=tuple("ABCDE"[:n_categories]),
            annotators=tuple(map(str, range(n_annotators))),
        )
        found = bootstrap(matrix, measures=measures, seed=seed, n_replicates=200)
        count += [found[one].lower <= truth <= found[one].upper for one in measures]
    assert (count >= 88).all()
