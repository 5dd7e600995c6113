"""Labels against a reference: tables 5 and 6 of Mathet & Widlöcher, counts, baselines, the wall."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from accordeur.metrics.agreement.coefficients import distance_name
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.options import Sampling
from accordeur.metrics.scores.accuracy import accuracy, count_labels
from accordeur.metrics.scores.baseline import (
    chance_of_reference,
    majority_class_accuracy,
    observed_agreement,
)
from accordeur.metrics.scores.precision_recall_f import precision_recall_f, rates_by_category
from accordeur.metrics.validity_separation import (
    is_chance_corrected,
    reject_system_as_annotator,
    require_no_chance_correction,
)

TAGSET = ("A", "B", "C")


def codes(labels: str) -> np.ndarray:
    return np.array([TAGSET.index(c) if c != "-" else -1 for c in labels])


# Mathet & Widlöcher 2016, table 5: the score, not κ, orders the systems.
TABLE_5 = "AAAABBBB"
# Table 6: score by majority (M), by collegial revision (RC).
MAJORITY, REVISED = "ABCABB", "ABCAAB"


@pytest.mark.parametrize(("system", "score"), [("AACCCCCC", 0.25), ("AABBBBAA", 0.50)])
def test_table_5(system: str, score: float) -> None:
    counts = count_labels(codes(TABLE_5), codes(system), tagset=TAGSET)
    assert accuracy(counts).value == score


@pytest.mark.parametrize(
    ("who", "labels", "by_majority", "by_revision"),
    [
        ("human 1", "ABCAAB", 5 / 6, 6 / 6),
        ("human 2", "ABCBBB", 5 / 6, 4 / 6),
        ("human 3", "ABCABA", 5 / 6, 4 / 6),
        ("system 1", "ABCAAC", 4 / 6, 5 / 6),
        ("system 2", "ABCBBA", 4 / 6, 3 / 6),
    ],
)
def test_table_6(who: str, labels: str, by_majority: float, by_revision: float) -> None:
    for reference, expected in ((MAJORITY, by_majority), (REVISED, by_revision)):
        counts = count_labels(codes(reference), codes(labels), tagset=TAGSET)
        assert accuracy(counts).value == pytest.approx(expected)


def test_confusion_and_rates() -> None:
    counts = count_labels(codes("AABBC-"), codes("AB-BCA"), tagset=TAGSET)
    assert counts.confusion.tolist() == [[1, 1, 0, 0], [0, 1, 0, 1], [0, 0, 1, 0]]
    assert counts.n_unreferenced == 1
    score = accuracy(counts)
    assert score.value == 3 / 5
    assert score.detail.n_unlabelled == 1
    micro = precision_recall_f(counts.categories)
    assert (micro.precision.value, micro.recall.value) == (3 / 4, 3 / 5)
    of_a = rates_by_category(counts.categories)["A"]
    assert (of_a.precision.value, of_a.recall.value) == (1.0, 0.5)
    assert of_a.f.value == pytest.approx(2 / 3)


@given(
    hnp.arrays(np.int64, st.integers(1, 30), elements=st.integers(-1, 2)),
    st.data(),
)
@settings(max_examples=60)
def test_counts_add_over_documents_and_order_does_not_matter(reference, data) -> None:
    n = reference.size
    system = data.draw(hnp.arrays(np.int64, n, elements=st.integers(-1, 2)))
    homes = data.draw(hnp.arrays(np.int64, n, elements=st.integers(0, 3)))
    whole = count_labels(reference, system, tagset=TAGSET, documents=homes, n_documents=4)
    by_item = count_labels(reference, system, tagset=TAGSET)
    assert np.array_equal(whole.confusion, by_item.confusion)
    assert whole.confusion.trace() == whole.categories.found.sum()
    assert (whole.categories.reference.sum(axis=0) == whole.confusion.sum(axis=1)).all()
    assert (whole.categories.system.sum(axis=0) == whole.confusion.sum(axis=0)[:-1]).all()
    for d in range(4):
        part = count_labels(
            reference[homes == d],
            system[homes == d],
            tagset=TAGSET,
            documents=homes[homes == d],
            n_documents=4,
        )
        assert np.array_equal(part.categories.found[d], whole.categories.found[d])
    order = data.draw(st.permutations(range(n)))
    again = count_labels(reference[order], system[order], tagset=TAGSET, documents=homes[order])
    assert accuracy(again).value == pytest.approx(accuracy(whole).value, nan_ok=True)


def test_batches_add_up() -> None:
    first = count_labels(codes("AAB"), codes("ABB"), tagset=TAGSET, documents=[0, 0, 1])
    second = count_labels(codes("C-"), codes("CC"), tagset=TAGSET, documents=[0, 0])
    whole = count_labels(codes("AABC-"), codes("ABBCC"), tagset=TAGSET, documents=[0, 0, 1, 2, 2])
    added = first + second
    assert np.array_equal(added.confusion, whole.confusion)
    assert np.array_equal(added.categories.found, whole.categories.found)
    assert added.n_unreferenced == 1
    assert (
        accuracy(added, sampling=Sampling(50)).interval
        == accuracy(whole, sampling=Sampling(50)).interval
    )
    with pytest.raises(MetricsError, match="cannot be combined"):
        first + count_labels(codes("C"), codes("C"), tagset=TAGSET)


def test_nothing_to_score() -> None:
    score = accuracy(count_labels(codes("--"), codes("AB"), tagset=TAGSET), sampling=Sampling(10))
    assert math.isnan(score.value)
    assert str(score.reason) == "the reference labels no item"


def test_refusals() -> None:
    with pytest.raises(MetricsError, match="the reference has 2 items and the system 1"):
        count_labels(codes("AA"), codes("A"), tagset=TAGSET)
    with pytest.raises(MetricsError, match=r"system codes must lie in -1\.\.2, found 0\.\.7"):
        count_labels(codes("AA"), np.array([0, 7]), tagset=TAGSET)
    with pytest.raises(MetricsError, match="integers"):
        count_labels(np.array([0.5]), codes("A"), tagset=TAGSET)
    with pytest.raises(MetricsError, match=r"outside 0\.\.0"):
        count_labels(codes("AA"), codes("AA"), tagset=TAGSET, documents=[0, 1], n_documents=1)


def test_baselines() -> None:
    reference = codes("AAAABBBB")
    counts = count_labels(reference, reference, tagset=TAGSET)
    assert majority_class_accuracy(counts).value == 0.5
    assert majority_class_accuracy(counts).detail.category == "A"
    # Σ p² with p = (½, ½): the same for every system, unlike κ's (.125 and .5 in table 5).
    assert chance_of_reference(counts.categories.reference).value == 0.5
    near = np.array([[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]])
    assert chance_of_reference(counts.categories.reference, distances=near).value == 0.75
    assert observed_agreement(
        reference, codes("AABBBBAA"), tagset=TAGSET, distances=near
    ).value == pytest.approx(0.75)
    by_name = observed_agreement(
        reference, codes("AABBBBAA"), tagset=TAGSET, distances=near, distance="ordinal"
    )
    assert by_name.how.distance == "ordinal"
    without = chance_of_reference(counts.categories.reference, distances=near)
    assert without.how.distance == distance_name(near, TAGSET)
    assert observed_agreement(reference, codes("AACCCCCC"), tagset=TAGSET).value == 0.25
    assert observed_agreement(reference, codes("AACCCCC-"), tagset=TAGSET).value == 0.25
    by_document = observed_agreement(
        reference,
        codes("AABBBBAA"),
        tagset=TAGSET,
        documents=[0] * 4 + [1] * 4,
        sampling=Sampling(50),
    )
    assert by_document.value == 0.5
    lower, upper = by_document.interval  # two equal documents do not show that others are equal
    assert 0 < lower < 0.1
    assert upper == pytest.approx(1 - lower)
    with pytest.raises(MetricsError, match="symmetric"):
        chance_of_reference(counts.categories.reference, distances=np.triu(near))


@pytest.mark.parametrize(
    "measure",
    [
        "cohen_kappa",
        "krippendorff_alpha",
        "gamma",
        "Fleiss' kappa",
        "scott_pi",
        "gwet_ac1",
        "S",
        "pi",
    ],
)
def test_chance_corrected_coefficients_are_refused_for_a_system(measure: str) -> None:
    with pytest.raises(RoleError, match=r"accuracy \.25 gets κ \.143 .* accuracy \.50 gets κ 0"):
        require_no_chance_correction(measure, system="'parser'")


@pytest.mark.parametrize("measure", ["accuracy", "f", "precision", "pk", "observed_agreement"])
def test_direct_scores_pass(measure: str) -> None:
    require_no_chance_correction(measure)
    assert not is_chance_corrected(measure)


def test_a_system_is_not_one_more_annotator() -> None:
    with pytest.raises(RoleError, match=r"\.503"):
        reject_system_as_annotator("parser")
