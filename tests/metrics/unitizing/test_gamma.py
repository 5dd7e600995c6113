from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity
from metrics.chance.corpus import corpus_of
from metrics.chance.expected import unit_shares
from metrics.chance.plan import expected_from
from metrics.errors import MetricsError, RoleError
from metrics.unitizing.from_counts import expected_per_document
from metrics.unitizing.gamma import documents_from, gamma, gamma_from
from metrics.unitizing.observed import Observed, observed

FAST = {"precision": 0.05, "n_bootstrap": 200}


def moved(continuum: Continuum, *, factor: float = 1.0, shift: float = 0.0) -> Continuum:
    return replace(
        continuum,
        starts=continuum.starts * factor + shift,
        ends=continuum.ends * factor + shift,
        length=math.nan,
        origin=math.nan,
    )


def counts_with(total: float, weight: float, n_annotators: int = 3) -> Observed:
    return Observed(
        np.array([total]),
        np.array([weight]),
        np.array([n_annotators]),
        np.array([10]),
        np.array([0.0]),
    )


def constant(value: float, n_annotators: int = 3, process: str = "random2"):
    """An expected disorder without sampling error."""
    return expected_from(
        {(process, n_annotators): np.tile([value, 1.0, 0.0], (30, 1))},
        shares={n_annotators: 1.0},
    )


@pytest.mark.parametrize(
    ("e", "e_random1", "a1", "e_random2", "a2"),
    [
        (3.44, 3.76, 0.09, 3.48, 0.01),
        (3.20, 3.76, 0.15, 3.48, 0.08),
        (2.81, 3.72, 0.24, 3.34, 0.16),
        (2.79, 3.76, 0.25, 3.48, 0.20),
        (2.67, 3.76, 0.29, 3.48, 0.23),
        (2.37, 3.76, 0.36, 3.48, 0.32),
        (2.18, 3.76, 0.42, 3.48, 0.37),
    ],
)
def test_the_formula_on_table_3_of_2011(e, e_random1, a1, e_random2, a2) -> None:
    """Mathet & Widlöcher 2011, table 3 (agreements printed to two digits, truncated or rounded)."""
    for expected, agreement in ((e_random1, a1), (e_random2, a2)):
        estimate = gamma_from(counts_with(e * 5, 5.0), constant(expected))
        assert estimate.value == pytest.approx(agreement, abs=0.0101)
        assert estimate.observed == pytest.approx(e)
        assert estimate.expected == pytest.approx(expected)


def test_perfect_agreement_is_1(degraded) -> None:
    perfect = degraded(shift=0, omission=0, confusion=0)
    result = gamma(perfect, **FAST)
    assert result.corpus.value == 1.0
    assert result.corpus.interval == (1.0, 1.0)
    assert all(e.value == 1.0 for e in result.documents)


def test_chance_is_0(degraded) -> None:
    """Annotators each of whom reads another document agree as chance does."""
    documents = degraded(60, n_annotators=2, seed=3)
    rng = np.random.default_rng(0)
    strangers = []
    for d in range(0, 60, 2):
        a, b = documents[d], documents[d + 1]
        mine, theirs = a.owners == 0, b.owners == rng.integers(2)
        strangers.append(
            Continuum(
                np.concatenate([a.starts[mine], b.starts[theirs]]),
                np.concatenate([a.ends[mine], b.ends[theirs]]),
                np.concatenate([a.categories[mine], b.categories[theirs]]),
                np.repeat([0, 1], [mine.sum(), theirs.sum()]),
                ("a", "b"),
                a.tagset,
                length=a.length,
            )
        )
    corpus = gamma(strangers, precision=0.02, n_bootstrap=500).corpus
    assert corpus.interval[0] < 0 < corpus.interval[1]
    assert abs(corpus.value) < 0.06


def test_agreement_falls_as_the_campaign_is_degraded(degraded) -> None:
    values = [
        gamma(degraded(shift=s, omission=o, confusion=c), **FAST).corpus.value
        for s, o, c in ((0.05, 0, 0), (0.2, 0.1, 0.1), (0.4, 0.3, 0.3))
    ]
    assert values[0] > values[1] > values[2] > 0


def test_the_corpus_comes_from_added_counts(degraded) -> None:
    documents = degraded(7) + degraded(5, n_annotators=2, seed=1)
    result = gamma(documents, **FAST)
    counts = result.observed
    expected = result.expected
    by_chance = sum(
        w * expected.sample(int(n)).mean
        for w, n in zip(counts.weights, counts.n_annotators, strict=True)
    )
    assert result.corpus.value == pytest.approx(1 - counts.totals.sum() / by_chance)
    batches = observed(documents[:3], Dissimilarity()) + observed(documents[3:], Dissimilarity())
    np.testing.assert_allclose(batches.totals, counts.totals, rtol=1e-12)
    again = gamma_from(batches, expected, n_bootstrap=200)
    assert again.value == pytest.approx(result.corpus.value, rel=1e-12)
    for d, estimate in enumerate(documents_from(batches, expected)):
        n = int(counts.n_annotators[d])
        assert estimate.value == pytest.approx(
            1 - counts.disorders[d] / expected.sample(n).mean, rel=1e-12
        )


def test_alignments_and_batch_counts_agree(degraded) -> None:
    for objective in ("sum", "mean", "soft"):
        documents = degraded(4, n_units=5)
        result = gamma(documents, objective=objective, **FAST)
        counts = observed(documents, Dissimilarity(), objective=objective)
        np.testing.assert_allclose(counts.totals, result.observed.totals, rtol=1e-9)
        np.testing.assert_allclose(counts.weights, result.observed.weights, rtol=1e-12)


def test_soft_disorder_is_no_greater(degraded) -> None:
    documents = degraded(6, n_units=6, shift=0.5)
    hard = observed(documents, Dissimilarity())
    soft = observed(documents, Dissimilarity(), objective="soft")
    assert (soft.totals <= hard.totals + 1e-9).all()


@pytest.mark.parametrize("processes", [("shuffle",), ("statistical",), ("random1",), ("random2",)])
def test_time_scale_and_shift_change_nothing(processes, degraded) -> None:
    """Faults known of a peer: 10⁸ added to every offset, or another unit of time."""
    documents = [moved(c) for c in degraded(12, n_units=5)]
    reference = gamma(documents, processes=processes, **FAST).corpus.value
    for change in ({"shift": 1e8}, {"factor": 1000.0}, {"factor": 2.0**-20}):
        value = gamma([moved(c, **change) for c in documents], processes=processes, **FAST)
        assert value.corpus.value == pytest.approx(reference, abs=1e-6)


def test_the_seed_and_only_the_seed_changes_the_sample(degraded) -> None:
    documents = degraded(10)
    first, same = (gamma(documents, seed=7, **FAST).corpus for _ in range(2))
    assert first == same
    assert gamma(documents, seed=8, **FAST).corpus.expected != first.expected


def test_an_annotator_who_marked_nothing_counts(degraded) -> None:
    document = degraded(1, n_annotators=2)[0]
    silent = replace(document, annotators=(*document.annotators, "silent"), roles=())
    two, three = (gamma([c], processes=["shuffle"], **FAST) for c in (document, silent))
    assert three.corpus.n_annotators == 3
    assert three.corpus.observed > two.corpus.observed
    assert three.observed.weights[0] == pytest.approx(document.n_units / 3)


def test_documents_in_which_nobody_or_one_annotator_marked_units() -> None:
    nobody = Continuum([], [], [], [], ("a", "b"), ("x",), length=50)
    one = Continuum([3, 20], [9, 30], [0, 0], [0, 0], ("a", "b"), ("x",), length=50)
    both = Continuum([3, 20], [9, 30], [0, 0], [0, 1], ("a", "b"), ("x",), length=50)
    result = gamma([nobody, one, both], processes=["random1"], **FAST)
    assert math.isnan(result.documents[0].value)
    assert result.documents[0].reason == "no annotator marked a unit"
    # two lone units of disorder Δ∅ = 1, one unit per annotator in the mean
    assert result.documents[1].observed == pytest.approx(2.0)
    assert not result.documents[1].reason
    assert result.corpus.detail["n_documents_without_units"] == 1
    empty = gamma([nobody, nobody], processes=["random1"], **FAST).corpus
    assert math.isnan(empty.value)
    assert empty.reason == "no annotator marked a unit"


def test_a_document_of_one_annotator_is_counted_and_left_out(degraded) -> None:
    single = Continuum([3], [9], [0], [0], ("annotator 0",), ("x", "y", "z"), length=50)
    documents = degraded(11)
    result = gamma([*documents, single], processes=["random1"], **FAST)
    assert result.corpus.detail["n_unpaired_documents"] == 1
    assert result.documents[-1].reason == "fewer than two annotators"
    assert result.alignments[-1] is None
    without = observed(documents, Dissimilarity())
    assert result.observed.totals.sum() == pytest.approx(without.totals.sum())
    with pytest.raises(MetricsError, match="no document has two annotators"):
        gamma([single], processes=["random1"], **FAST)


def test_chance_that_always_agrees_is_undefined() -> None:
    same = Continuum([0, 0], [10, 10], [0, 0], [0, 1], ("a", "b"), ("x",), length=10)
    estimate = gamma([same] * 3, processes=["random2"], **FAST).corpus
    assert math.isnan(estimate.value)
    assert "chance achieves disorder 0" in estimate.reason


def test_a_corpus_with_next_to_no_unit_is_sampled_until_one_is_drawn() -> None:
    empty = Continuum([], [], [], [], ("a", "b"), ("x",), length=50)
    one = Continuum([3, 4], [9, 10], [0, 0], [0, 1], ("a", "b"), ("x",), length=50)
    result = gamma([*[empty] * 300, one], precision=0.5, n_bootstrap=0)
    assert result.corpus.expected == pytest.approx(2.0)  # each unit stands alone
    assert result.corpus.value > 0.9
    assert int(result.corpus.detail["n_samples"]) > 30
    capped = gamma([*[empty] * 300, one], max_samples=2, min_samples=2, n_bootstrap=0).corpus
    assert math.isnan(capped.value)
    assert capped.reason.startswith("no virtual document holds a unit")


def test_per_document_expectations(degraded) -> None:
    documents = degraded(4)
    result = gamma(documents, per="document", **FAST)
    assert len(result.expected) == 4
    alone = gamma(documents[2:3], per="document", **FAST)
    assert alone.documents[0].expected == pytest.approx(result.documents[2].expected)
    weights, totals = result.observed.weights, result.observed.totals
    chance = sum(w * e.expected for w, e in zip(weights, result.documents, strict=True))
    assert result.corpus.value == pytest.approx(1 - totals.sum() / chance)
    with pytest.raises(MetricsError, match="random2 takes each virtual annotator"):
        gamma(documents, per="document", processes=["random2"], **FAST)


def test_the_interval_carries_the_sampling_error_of_chance(degraded) -> None:
    document = degraded(1)
    loose = gamma(document, processes=["shuffle"], precision=0.1, seed=1).corpus
    tight = gamma(document, processes=["shuffle"], precision=0.005, seed=1).corpus
    width = loose.interval[1] - loose.interval[0]
    assert 5 * (tight.interval[1] - tight.interval[0]) < width
    # half width of γ = (1 − γ) · relative half width of the expected disorder
    reached = float(loose.detail["precision_reached"])
    assert width / 2 == pytest.approx((1 - loose.value) * reached, rel=1e-6)
    assert tight.interval[0] < tight.value < tight.interval[1]
    assert tight.detail["interval_from"] == "chance"
    many = gamma(degraded(4), precision=0.1, n_bootstrap=20).corpus
    assert many.detail["interval_from"] == "documents and chance"


def test_the_interval_narrows_with_documents(degraded) -> None:
    few, many = (gamma(degraded(n), **FAST).corpus for n in (12, 120))
    assert many.interval[1] - many.interval[0] < 0.6 * (few.interval[1] - few.interval[0])
    assert many.interval[0] < many.value < many.interval[1]


def test_the_bootstrap_interval_covers(degraded) -> None:
    """γ of many campaigns drawn alike: the interval of one is about as wide as their spread."""
    expected = constant(1.5)
    values, widths = [], []
    rng = np.random.default_rng(0)
    for seed in range(200):
        weights = rng.integers(3, 9, 40).astype(float)
        counts = Observed(
            weights * rng.normal(0.6, 0.2, 40),
            weights,
            np.full(40, 3),
            np.full(40, 10),
            np.zeros(40),
        )
        estimate = gamma_from(counts, expected, n_bootstrap=400, seed=seed)
        values.append(estimate.value)
        widths.append(estimate.interval[1] - estimate.interval[0])
    assert np.mean(widths) == pytest.approx(2 * 1.96 * np.std(values), rel=0.15)


@settings(max_examples=10, deadline=None)
@given(st.permutations([0, 1, 2]), st.permutations([0, 1, 2]))
def test_names_and_order_do_not_matter(annotators, categories) -> None:
    rng = np.random.default_rng(5)
    starts = rng.integers(0, 80, 12)
    owners, codes = np.repeat([0, 1, 2], 4), rng.integers(0, 3, 12)
    document = Continuum(starts, starts + 9, codes, owners, tuple("abc"), tuple("xyz"), length=100)
    renamed = Continuum(
        starts,
        starts + 9,
        np.array(categories)[codes],
        np.array(annotators)[owners],
        tuple("abc"),
        tuple("xyz"),
        length=100,
    )
    d = Dissimilarity()
    assert observed(renamed, d).totals[0] == pytest.approx(observed(document, d).totals[0])


def test_delta_empty_rescales_the_categorical_part(degraded) -> None:
    """A fault known of a peer: with Δ∅ = 3 everything is three times as much, and γ the same."""
    documents = degraded(12, confusion=0.4)
    one, three = (
        gamma(documents, Dissimilarity(alpha=2, delta_empty=delta), **FAST).corpus
        for delta in (1.0, 3.0)
    )
    assert three.observed == pytest.approx(3 * one.observed)
    assert three.value == pytest.approx(one.value)


def test_the_hamming_dissimilarity_takes_the_mean_length_of_the_campaign(degraded) -> None:
    documents = degraded(12)
    result = gamma(documents, Dissimilarity("hamming"), **FAST)
    sizes = np.concatenate([c.ends - c.starts for c in documents])
    assert f"mean_length:{sizes.mean():g}" in result.corpus.signature
    by_hand = gamma(documents, Dissimilarity("hamming", mean_length=float(sizes.mean())), **FAST)
    assert by_hand.corpus.value == pytest.approx(result.corpus.value)


def test_more_categories_than_a_byte_holds() -> None:
    """A fault known of a peer: more than 127 categories."""
    n = 300
    starts = np.tile(20.0 * np.arange(n), 2)
    tagset = tuple(f"category {k}" for k in range(n))
    same, shifted = (
        Continuum(
            starts,
            starts + 10,
            np.concatenate([np.arange(n), (np.arange(n) + by) % n]),
            np.repeat([0, 1], n),
            ("a", "b"),
            tagset,
        )
        for by in (0, 128)
    )
    d = Dissimilarity()
    assert observed(same, d).disorders[0] == 0.0
    assert observed(shifted, d).disorders[0] == pytest.approx(1.0)  # d_cat of every pair


def test_units_without_category_differ_from_the_labelled_ones() -> None:
    document = Continuum(
        [0, 0, 20, 20], [9, 9, 29, 29], [-1, -1, 0, -1], [0, 1, 0, 1], ("a", "b"), ("x",)
    )
    assert observed(document, Dissimilarity()).totals[0] == pytest.approx(1.0)
    blind = Dissimilarity(unlabelled_distance=0.0)
    assert observed(document, blind).totals[0] == pytest.approx(0.0)


def test_a_pair_function_of_the_user(degraded) -> None:
    def by_start(continuum, u, v):
        return np.abs(continuum.starts[u] - continuum.starts[v]) / 20

    d = Dissimilarity(pair_function=by_start)
    documents = degraded(4, n_units=4)
    result = gamma(documents, d, processes=["shuffle"], precision=0.2, n_bootstrap=10)
    assert 0 < result.corpus.value < 1
    assert "dissimilarity:function by_start" in result.corpus.signature


def test_the_signature_says_what_was_done(degraded) -> None:
    line = gamma(degraded(12), Dissimilarity(alpha=3), **FAST).corpus.signature
    for setting in (
        "gamma|",
        "dissimilarity:positional",
        "alpha:3",
        "delta_empty:1",
        "expected_per:corpus",
        "processes:random2",
        "precision:0.05",
        "seed:0",
        "samples:",
        "input:",
    ):
        assert setting in line
    other = gamma(degraded(12, seed=1), Dissimilarity(alpha=3), **FAST).corpus.signature
    assert line.split("input:")[1] != other.split("input:")[1]


def test_few_documents_take_shuffle_and_statistical(degraded) -> None:
    assert "processes:shuffle+statistical" in gamma(degraded(4), **FAST).corpus.signature
    assert "processes:random2" in gamma(degraded(10), **FAST).corpus.signature


def test_a_system_among_the_annotators_is_refused(degraded) -> None:
    document = degraded(1)[0]
    mixed = replace(document, roles=("human", "human", "system"))
    with pytest.raises(RoleError, match="'annotator 2' is a system"):
        gamma([mixed])
    with pytest.raises(RoleError):
        observed([mixed], Dissimilarity())


def test_bad_settings_are_refused(degraded) -> None:
    documents = degraded(3)
    for wrong, message in (
        ({"precision": 2.0}, "relative"),
        ({"processes": []}, "no chance process"),
        ({"processes": ["dice"]}, "choose one of"),
        ({"per": "page"}, "corpus or document"),
        ({"level": 1.0}, "level"),
        ({"n_bootstrap": -1}, "at least 0"),
        ({"processes": ["random2"], "reconcile": "stretch"}, "rescale, tile or truncate"),
    ):
        with pytest.raises(MetricsError, match=message):
            gamma(documents, **wrong)
    with pytest.raises(MetricsError, match="at least one"):
        gamma([])
    with pytest.raises(MetricsError, match="3 virtual annotators"):
        gamma(documents[:2], processes=["random2"])


def test_expectations_must_fit_the_documents(degraded) -> None:
    documents = degraded(3)
    counts = observed(documents, Dissimilarity())
    with pytest.raises(MetricsError, match="1 expected disorders for 3"):
        expected_per_document(counts, [None])
    with pytest.raises(MetricsError, match="sample it"):
        expected_per_document(counts, [None] * 3)


def test_shares_are_those_of_the_observed_weights(degraded) -> None:
    documents = degraded(4) + degraded(3, n_annotators=2)
    counts = observed(documents, Dissimilarity())
    for n, share in unit_shares(corpus_of(documents)).items():
        assert share == pytest.approx(counts.weights[counts.n_annotators == n].sum())
