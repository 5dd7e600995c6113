"""M(k) of campaigns that are shared: what was published of them, or holds for them."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.resampling.subsets.modification_rate import modification_rate


@pytest.mark.shared
def test_bluebirds(bluebirds):
    # 39 annotators, two categories, complete: no reference can tie
    result = modification_rate(bluebirds)
    assert (result.n_items, result.n_annotators, result.n_tied_reference) == (108, 39, 0)
    off = 1 - bluebirds.counts().max(axis=1) / 39
    assert result.rate[0] == pytest.approx(off.mean(), abs=1e-12)
    assert result.rate[0::2] == pytest.approx(result.rate[1::2], abs=1e-12)
    assert (np.diff(result.rate[::2]) < 0).all()


@pytest.mark.shared
def test_weather_sentiment(weather_sentiment):
    # 110 annotators, at least 20 labels an item; five labels given twice
    assert weather_sentiment.n_duplicates == 5
    by_label = modification_rate(weather_sentiment, draw="labels", ks=range(1, 20), n_replicates=0)
    assert by_label.n_duplicates == 5
    assert (by_label.empty == 0).all()
    assert (np.diff(by_label.rate[1:]) < 0).all()
    by_annotator = modification_rate(
        weather_sentiment, ks=[1, 50], draw="annotators", n_replicates=0
    )
    n_labels = (weather_sentiment.codes >= 0).sum(axis=1)
    assert by_annotator.empty[0] == pytest.approx(1 - n_labels.mean() / 110)
    assert by_annotator.empty[1] < 1e-4


@pytest.mark.shared
def test_snow_rte_and_hs_brexit_ties(snow_rte, hs_brexit):
    rte = modification_rate(snow_rte, draw="labels", ks=range(1, 11), n_replicates=0)
    assert (rte.n_items, rte.n_annotators, rte.n_tied_reference) == (800, 164, 65)
    assert rte.rate[9] == pytest.approx(65 / 800 / 2)  # ten of ten: the tied references alone
    brexit = modification_rate(hs_brexit, ties="abstain", n_replicates=0)
    assert (brexit.n_tied_reference, brexit.n_unresolved) == (84, 84)


@pytest.mark.shared
def test_of_a_crowd_k_counts_the_labels_of_an_item(snow_rte: LabelMatrix) -> None:
    """RTE (Snow et al. 2008): 164 workers, ten labels an item, by enumeration of C(10, 5)."""
    usual = modification_rate(snow_rte, ks=[5], n_replicates=0)
    assert usual.how.draw == "labels"
    changed = compared = 0.0
    for row in snow_rte.codes:
        labels = row[row >= 0].tolist()
        ones = sum(labels)
        ways = [1.0] if 2 * ones != len(labels) else [0.5, 0.5]  # of a tied reference
        references = [int(2 * ones > len(labels))] if len(ways) == 1 else [0, 1]
        total = 0.0
        for chosen in combinations(labels, 5):
            majority = int(2 * sum(chosen) > 5)
            total += sum(
                w * (majority != reference) for w, reference in zip(ways, references, strict=True)
            )
        changed += total / comb(len(labels), 5)
        compared += 1
    assert usual.rate[0] == pytest.approx(changed / compared, abs=1e-12)
    assert usual.rate[0] == pytest.approx(0.1117, abs=5e-5)
    of_workers = modification_rate(snow_rte, ks=[5], n_replicates=0, draw="annotators")
    assert of_workers.empty[0] == pytest.approx(0.73, abs=0.01)
    assert of_workers.rate[0] == pytest.approx(0.25, abs=0.001)


@pytest.mark.shared
def test_three_of_the_annotators_of_bluebirds_by_enumeration(bluebirds: LabelMatrix) -> None:
    usual = modification_rate(bluebirds, ks=[3], n_replicates=0)
    assert usual.how.draw == "annotators"
    reference = 2 * bluebirds.codes.sum(axis=1) > 39
    of_three = np.array(
        [bluebirds.codes[:, some].sum(axis=1) for some in combinations(range(39), 3)]
    )
    assert usual.rate[0] == pytest.approx(((of_three >= 2) != reference).mean(), abs=1e-12)


@pytest.mark.shared
def test_three_of_the_labels_of_weather_by_enumeration(weather_sentiment: LabelMatrix) -> None:
    """110 annotators, five categories, 20 labels an item or more: ties count in shares."""
    usual = modification_rate(weather_sentiment, ks=[3], n_replicates=0)
    assert usual.how.draw == "labels"
    changed = 0.0
    for row in weather_sentiment.codes:
        labels = row[row >= 0]
        votes = np.bincount(labels, minlength=5)
        reference = (votes == votes.max()) / (votes == votes.max()).sum()
        a, b, c = labels[np.array(list(combinations(range(labels.size), 3)))].T
        alone = (a != b) & (b != c) & (a != c)
        majority = np.where((a == b) | (a == c), a, b)
        kept = np.where(
            alone, (reference[a] + reference[b] + reference[c]) / 3, reference[majority]
        )
        changed += 1 - kept.mean()
    assert usual.rate[0] == pytest.approx(changed / weather_sentiment.n_items, abs=1e-12)


@pytest.mark.parametrize(
    ("given", "draw"),
    [
        ([[0, 1, -1, -1], [-1, -1, 0, 1], [0, -1, 1, -1]], "annotators"),  # half: 6 of 12
        ([[0, 1, -1, -1, -1], [-1, -1, 0, 1, -1], [0, -1, 1, -1, 0]], "labels"),  # 7 of 15
        ([[0, 1, -1], [1, 1, -1]], "annotators"),  # nobody's column does not count
        ([[0, 1, 0]], "annotators"),
    ],
)
def test_the_rule_what_k_counts(given: list[list[int]], draw: str) -> None:
    matrix = LabelMatrix(
        codes=np.array(given, np.int32),
        tagset=("a", "b"),
        annotators=tuple(map(str, range(len(given[0])))),
    )
    assert modification_rate(matrix, n_replicates=0).how.draw == draw
