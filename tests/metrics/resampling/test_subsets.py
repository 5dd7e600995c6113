"""M(k): exact against listing every subset in fractions, and its rules."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accordeur.metrics.agreement.label_matrix import LabelMatrix, table_matrix
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.fewest_annotators import fewest_annotators
from accordeur.metrics.intervals.share_and_rate_intervals import mean_bounds
from accordeur.metrics.resampling.majority import TIES
from accordeur.metrics.resampling.subsets.modification_rate import modification_rate
from accordeur.metrics.resampling.synthetic.synthetic_annotators import item_profile
from tests.metrics.resampling.whole_distribution import subset_distribution

RANKS = [Fraction(c) for c in range(12)]


@st.composite
def small_codes(draw: st.DrawFn, *, missing: bool = True) -> tuple[list[list[int]], int]:
    n_categories = draw(st.integers(2, 4))
    n = draw(st.integers(2, 6))
    label = st.integers(-1 if missing else 0, n_categories - 1)
    rows = draw(st.lists(st.lists(label, min_size=n, max_size=n), min_size=1, max_size=4))
    return rows, n_categories


@pytest.mark.parametrize("ties", TIES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=small_codes())
def test_exact_is_complete_enumeration(campaign, brute_force, ties, drawn):
    codes, n_categories = drawn
    result = modification_rate(
        campaign(codes, n_categories),
        ties=ties, ordered=True, ks=range(1, len(codes[0]) + 1), n_replicates=0,
        draw="annotators",
    )  # fmt: skip
    for q, k in enumerate(result.k.tolist()):
        modified, compared = brute_force(codes, k, ties, RANKS)
        assert result.modified[q] == pytest.approx(float(modified), abs=1e-12)
        assert result.compared[q] == pytest.approx(float(compared), abs=1e-12)
        if compared:
            assert result.rate[q] == pytest.approx(float(modified / compared), abs=1e-12)
        else:
            assert math.isnan(result.rate[q])
            assert result.reasons[q]


def test_nearest_mean_takes_the_given_values(campaign, brute_force):
    codes = [[0, 0, 1, 1, 2], [0, 1, 1, 2, 2], [2, 2, 0, 0, -1], [0, 1, 2, 2, 1]]
    values = [Fraction(0), Fraction(1), Fraction(5)]
    result = modification_rate(
        campaign(codes, 3), ties="nearest_mean", values=np.array([0.0, 1.0, 5.0]), n_replicates=0
    )
    for q, k in enumerate(result.k.tolist()):
        modified, compared = brute_force(codes, k, "nearest_mean", values)
        assert result.rate[q] == pytest.approx(float(modified / compared), abs=1e-12)


def test_bregeons_tie_goes_to_the_middle_class(campaign):
    # Brégeon 2018, 3.2.3: ten labels 0, ten labels 1, five labels 2 → 1, the nearest to the mean
    codes = [[0] * 10 + [1] * 10 + [2] * 5]
    result = modification_rate(
        campaign(codes, 3), ties="nearest_mean", ordered=True, ks=[25], n_replicates=0
    )
    assert result.kept[0, 1] == pytest.approx(1.0)
    assert result.n_tied_reference == 1


def test_one_hand_computed_value(campaign):
    # a a b: one annotator is off with probability 1/3; of two, ab ties (2 of 3), worth 1/2 each
    result = modification_rate(campaign([[0, 0, 1]], 2), n_replicates=0)
    assert result.rate.tolist() == pytest.approx([1 / 3, 1 / 3])
    # abstaining, the pairs that tie are counted apart and aa agrees
    result = modification_rate(campaign([[0, 0, 1]], 2), ties="abstain", n_replicates=0)
    assert result.rate.tolist() == pytest.approx([1 / 3, 0])
    assert result.abstained.tolist() == pytest.approx([0, 2 / 3])


def test_weighted_changes_cost_their_distance(campaign):
    codes = [[0, 0, 2], [1, 1, 2]]
    distance = np.abs(np.subtract.outer(np.arange(3), np.arange(3))) / 2
    result = modification_rate(campaign(codes, 3), ks=[1], distances=distance, n_replicates=0)
    assert result.rate[0] == pytest.approx(1 / 3)
    assert result.weighted[0] == pytest.approx((1 / 3 + 1 / 3 * 0.5) / 2)
    assert result.referenced[0].sum() == pytest.approx(2)


@pytest.mark.parametrize("ties", TIES)
def test_items_with_many_categories_are_counted_in_parts(emotion, ties, monkeypatch):
    options = {"ties": ties, "ordered": True, "n_replicates": 0}
    distance = np.abs(np.subtract.outer(np.arange(5), np.arange(5))) / 4
    whole = modification_rate(emotion, distances=distance, **options)
    monkeypatch.setattr(f"{modification_rate.__module__}._MOST_COUNTS", 0)
    parts = modification_rate(emotion, distances=distance, **options)
    for name in ("rate", "weighted", "by_category", "without_prevalent", "abstained", "empty"):
        assert getattr(parts, name) == pytest.approx(getattr(whole, name), abs=1e-12, nan_ok=True)
    assert parts.n_tied_reference == whole.n_tied_reference


def test_ratings_that_never_repeat_have_a_modification_rate():
    codes = np.arange(30_000).reshape(15_000, 2)
    ratings = table_matrix(items_by_annotators=codes.astype(float) / 7)
    result = modification_rate(ratings, n_replicates=0)
    assert result.rate.tolist() == [0.5]  # one label is right with probability 1/2
    assert result.n_tied_reference == 15_000


def test_changes_between_categories_add_up_to_the_rate(emotion):
    result = modification_rate(emotion, n_replicates=0)
    off = (result.referenced - result.kept).sum(axis=1)
    assert off == pytest.approx(result.modified)
    assert off / result.referenced.sum(axis=1) == pytest.approx(result.rate)


@pytest.mark.parametrize("ties", TIES)
def test_annotators_and_items_in_any_order(emotion, campaign, ties):
    rng = np.random.default_rng(1)
    other = emotion.codes[rng.permutation(emotion.n_items)][:, rng.permutation(25)]
    a = modification_rate(emotion, ties=ties, ordered=True, n_replicates=0)
    b = modification_rate(campaign(other, 5), ties=ties, ordered=True, n_replicates=0)
    assert a.rate == pytest.approx(b.rate, abs=1e-13)


@pytest.mark.parametrize("ties", ["random", "abstain"])
def test_names_of_categories_do_not_matter_without_a_scale(emotion, campaign, ties):
    renamed = np.random.default_rng(2).permutation(5)[emotion.codes]
    a = modification_rate(emotion, ties=ties, n_replicates=0)
    b = modification_rate(campaign(renamed, 5), ties=ties, n_replicates=0)
    assert a.rate == pytest.approx(b.rate, abs=1e-13)


def test_a_reversed_scale_changes_nothing(emotion, campaign):
    a = modification_rate(emotion, ties="nearest_mean", ordered=True, n_replicates=0)
    b = modification_rate(
        campaign(4 - emotion.codes, 5), ties="nearest_mean", ordered=True, n_replicates=0
    )
    assert a.rate == pytest.approx(b.rate, abs=1e-13)


def _plateaus(rate: np.ndarray) -> np.ndarray:
    """Step from 2j - 1 to 2j annotators over the mean of the steps around it, j = 2..5."""
    step = -np.diff(rate)
    return np.array([step[2 * j] / ((step[2 * j - 1] + step[2 * j + 1]) / 2) for j in range(1, 5)])


def test_plateaus_by_pairs_under_nearest_mean_and_none_under_random(campaign):
    # Brégeon 2018, 3.2.3: 25 annotators, 5 ordered classes
    rng = np.random.default_rng(3)
    latent = rng.uniform(0.5, 3.5, 300)
    noisy = np.clip(np.rint(latent[:, None] + rng.normal(0, 0.7, (300, 25))), 0, 4)
    matrix = campaign(noisy, 5)
    near = modification_rate(matrix, ties="nearest_mean", ordered=True, n_replicates=0)
    lot = modification_rate(matrix, ties="random", n_replicates=0)
    assert (_plateaus(near.rate) < 0.5).all()
    assert (_plateaus(lot.rate) > 0.7).all()


def test_two_categories_make_exact_plateaus_under_random(campaign):
    # A tie broken by lot is a majority of one annotator fewer: M(2j - 1) = M(2j) with two classes
    # and no tied reference. The report's plateaus on "opinion, 3 classes" come from there.
    rng = np.random.default_rng(4)
    rate = modification_rate(campaign(rng.integers(0, 2, (50, 21)), 2), n_replicates=0).rate
    assert rate[0::2] == pytest.approx(rate[1::2], abs=1e-13)


def test_draw_labels_is_annotators_where_everyone_labelled(emotion):
    a = modification_rate(emotion, n_replicates=0)
    b = modification_rate(emotion, draw="labels", n_replicates=0)
    assert a.rate == pytest.approx(b.rate, abs=1e-13)


def test_what_cannot_be_compared_is_counted(campaign):
    codes = [[-1, -1, -1, -1], [0, 1, -1, -1], [0, 0, 1, -1]]
    result = modification_rate(
        campaign(codes, 2), ties="abstain", draw="annotators", n_replicates=0
    )
    assert (result.n_unlabelled, result.n_unresolved, result.n_tied_reference) == (1, 1, 1)
    assert result.compared[0] == pytest.approx(3 / 4)
    assert result.empty[0] == pytest.approx(1 / 4)
    total = result.compared + result.abstained + result.empty
    assert total == pytest.approx(1.0)  # of one item with a reference label


def test_nothing_to_compare_is_nan_with_a_reason(campaign):
    empty = modification_rate(campaign([[-1, -1, -1]], 2))
    assert math.isnan(empty.rate[0])
    assert str(empty.reasons[0]) == "no item with a reference label"
    short = modification_rate(campaign([[0, 0, -1]], 2), draw="labels", ks=[3])
    assert [str(one) for one in short.reasons] == ["no subset gives a label"]
    assert str(short.estimates()[0].reason) == "no subset gives a label"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"ks": [9]}, "between 1 and the 3 annotators"),
        ({"ks": [0]}, "between 1 and the 3 annotators"),
        ({"ties": "nearest_mean"}, "needs ordered categories"),
        ({"ties": "coin"}, "must be one of random, nearest_mean, abstain"),
        ({"ties": "nearest_mean", "values": np.array([1.0])}, "2 finite numbers"),
        ({"distances": np.zeros((3, 3))}, r"of shape \(2, 2\)"),
        ({"draw": "items"}, "one of annotators, labels"),
        ({"level": 2.0}, "between 0 and 1"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(campaign, options, sentence):
    with pytest.raises(MetricsError, match=sentence):
        modification_rate(campaign([[0, 1, 1]], 2), **options)


def test_one_annotator_is_refused(campaign):
    with pytest.raises(MetricsError, match="at least two annotators; found 1"):
        modification_rate(campaign([[0]], 2))


def test_a_system_is_no_annotator():
    matrix = LabelMatrix(
        codes=np.zeros((2, 3)),
        tagset=("a", "b"),
        annotators=("x", "y", "tagger"),
        roles=("human", "human", "system"),
    )
    for measure in (modification_rate, subset_distribution, item_profile):
        with pytest.raises(RoleError, match="'tagger' is a system"):
            measure(matrix)


def test_interval_by_documents_contains_the_rate_and_does_not_depend_on_the_seed(emotion):
    inside = LabelMatrix(
        codes=emotion.codes,
        tagset=emotion.tagset,
        annotators=emotion.annotators,
        documents=np.arange(120) // 6,
    )
    a = modification_rate(inside, seed=7)
    assert (a.interval[:, 0] < a.rate).all()
    assert (a.rate < a.interval[:, 1]).all()
    assert (modification_rate(inside, seed=8).interval == a.interval).all()
    assert "interval:fay-feuer/documents/0.95" in a.estimates()[0].signature
    assert "interval:fay-feuer/items/0.95" in modification_rate(emotion).estimates()[0].signature


def test_items_of_one_document_are_the_units(emotion):
    one = replace(emotion, documents=np.zeros(emotion.n_items, dtype=np.int64))
    items = modification_rate(replace(emotion, documents=None), n_replicates=100, seed=1)
    found = modification_rate(one, n_replicates=100, seed=1)
    assert found.interval.tolist() == items.interval.tolist()
    assert (found.interval[:, 0] < found.rate).all()
    assert "interval:fay-feuer/items/0.95" in found.estimates()[0].signature


def test_enough_annotators_are_those_from_which_the_change_stays_small():
    rates = [(2, 0.04), (3, 0.06), (5, 0.03), (9, 0.01)]
    assert fewest_annotators(rates, n_reference=10) == 5
    assert fewest_annotators(rates[:2], n_reference=10) is None
    # Five of nine annotators are more than half of the reference, so M(5) is small by construction.
    assert fewest_annotators(rates, n_reference=9) is None


def test_a_prevalent_category_has_a_rate_of_its_own():
    """Of 95 tokens without a name, none changes; of five names, the only dissenter changes 1/3."""
    codes = np.zeros((100, 3), np.int32)
    codes[95:] = [1, 1, 0]
    matrix = LabelMatrix(codes=codes, tagset=("O", "name"), annotators=("a", "b", "c"))
    result = modification_rate(matrix, ks=[1], n_replicates=0)
    assert result.rate[0] == pytest.approx(5 / 300)
    assert result.by_category[0].tolist() == pytest.approx([0, 1 / 3])
    assert result.tagset[result.prevalent_category] == "O"
    assert result.without_prevalent[0] == pytest.approx(1 / 3)
    [one] = result.estimates()
    assert (one.detail.prevalent, one.detail.rate_of_others) == ("O", pytest.approx(1 / 3))
    balanced = LabelMatrix(codes=codes[90:], tagset=("O", "name"), annotators=("a", "b", "c"))
    assert modification_rate(balanced, ks=[1], n_replicates=0).prevalent_category is None


def test_any_number_of_annotators(campaign):
    # 2,000 annotators need several tilts of the binomial weights; M(1) is the share off majority
    codes = np.zeros((2, 2000), dtype=np.int32)
    codes[0, :700] = 1
    codes[1, :900] = 1
    codes[1, 900:1000] = 2
    ks = [1, 2, 1000, 1999]
    result = modification_rate(campaign(codes, 3), ks=ks, n_replicates=0)
    assert result.rate[0] == pytest.approx((0.35 + 0.5) / 2, abs=1e-12)
    assert result.rate[1] == pytest.approx(result.rate[0], abs=1e-12)  # two never outvote one
    labels = modification_rate(campaign(codes, 3), ks=ks, ties="abstain", n_replicates=0)
    assert labels.compared[1] == pytest.approx(
        (0.35**2 + 0.65**2 + 0.45**2 + 0.05**2 + 0.5**2) * 2000 / 1999 - 2 / 1999, abs=1e-10
    )


def test_signature_names_what_the_number_depends_on(emotion):
    line = modification_rate(emotion, ties="abstain", n_replicates=0).how.signature
    assert line.startswith("modification_rate|ties:abstain|draw:annotators|input:")
    assert modification_rate(emotion, n_replicates=0).how.signature != line


def test_a_module_for_quick_commands_imports_no_distributions_of_scipy():
    code = (
        "import sys, accordeur.metrics.resampling.subsets.modification_rate;"
        "print([m for m in ('scipy.stats', 'scipy.special', 'scipy.optimize') if m in sys.modules])"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )
    assert done.stdout.strip() == "[]"


def test_an_interval_is_that_of_the_items_shares_one_by_one(emotion) -> None:
    """M(k) is the mean of M(k) of each item alone."""
    rate = modification_rate(emotion, ks=[1, 5])
    alone = [
        modification_rate(replace(emotion, codes=row[None]), ks=[1, 5], n_replicates=0).rate
        for row in emotion.codes
    ]
    ones = np.ones((emotion.n_items, 2))
    expected = mean_bounds(np.array(alone), ones)
    assert rate.interval[:, 0] == pytest.approx(expected.lower)
    assert rate.interval[:, 1] == pytest.approx(expected.upper)


def test_no_change_of_few_items_is_no_certainty_but_all_annotators_make_their_reference() -> None:
    """20 items on which 3 annotators agree: the upper limit is that of a count of 0, 3.689."""
    matrix = LabelMatrix(
        codes=np.zeros((20, 3), np.int32), tagset=("x", "y"), annotators=tuple("abc")
    )
    rate = modification_rate(matrix, ks=[1, 3])
    assert rate.rate.tolist() == [0, 0]
    assert rate.interval[0].tolist() == [0, pytest.approx(3.689 / 20, rel=1e-4)]
    assert rate.interval[1].tolist() == [0, 0]  # of three labels of two categories, none is a tie
    even = modification_rate(matrix.select_annotators([0, 1]), ks=[2])
    assert even.interval[0, 1] > 0
