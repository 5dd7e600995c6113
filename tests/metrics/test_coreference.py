"""Coreference scores: published examples, definitions by sets, symmetry."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.coreference import (
    coreference_counts,
    coreference_f,
    coreference_shares,
)
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.measures import COREFERENCE
from accordeur.metrics.options import Sampling
from accordeur.metrics.scores.coreference import coreference_score, system_coreference_counts

# Luo 2005, figure 1 and table 1: twelve mentions in chains of 5, 2 and 5, and four other chainings.
TRUTH = np.array([0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 2])
LUO = {
    "a": ([0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1], 0.947, 0.865, 0.833, 0.733),
    "b": ([0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0], 0.947, 0.737, 0.583, 0.667),
    "c": ([0] * 12, 0.900, 0.545, 0.417, 0.294),
    "d": (list(range(12)), 0.0, 0.400, 0.250, 0.178),
}


@pytest.mark.parametrize("name", sorted(LUO))
def test_luo_2005_table_1(name: str) -> None:
    other, *published = LUO[name]
    counts = coreference_counts(TRUTH, np.array(other))[None]
    found = [coreference_f(counts, one)[0] for one in ("muc", "b_cubed", "ceaf_m", "ceaf_e")]
    assert found == pytest.approx(published, abs=6e-4)


def test_vilain_1995() -> None:
    """One chain A–B–C–D against A–B and C–D: two of three links found, both drawn links right."""
    counts = coreference_counts(np.array([0, 0, 0, 0]), np.array([0, 0, 1, 1]))[None]
    assert coreference_shares(counts, "muc") == (2 / 3, 1.0)


chainings = st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 4)), min_size=1, max_size=9).map(
    lambda pairs: np.array(pairs).T
)


@given(chainings)
@settings(max_examples=80)
def test_f_is_symmetric_in_bounds_and_does_not_know_numbers_of_chains(both: np.ndarray) -> None:
    """Mentions that neither side marked, which a third annotator did, change nothing."""
    first, second = both
    there = coreference_counts(first, second)
    renamed = np.where(second >= 0, 7 - second, -1)
    back = coreference_counts(renamed, first)
    assert there[:, [2, 3, 0, 1]] == pytest.approx(back)
    same = coreference_counts(first, first)[None]
    for score in COREFERENCE:
        f = float(coreference_f(there[None], score)[0])
        assert math.isnan(f) or 0 <= f <= 1 + 1e-12
        alone = float(coreference_f(same, score)[0])
        assert math.isnan(alone) or alone == pytest.approx(1)


def arrays(key: list[str], response: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Chains given as words of one-letter mentions."""
    mentions = sorted(set("".join(key + response)))
    return tuple(
        np.array([next((c for c, chain in enumerate(side) if m in chain), -1) for m in mentions])
        for side in (key, response)
    )


def score(key: list[str], response: list[str], metric: str):
    r, s = arrays(key, response)
    counts = system_coreference_counts(r, s, documents=np.zeros(r.size, dtype=int), n_documents=1)
    return coreference_score(counts, metric=metric)


KEY, RESPONSE = ["abc", "defg"], ["ab", "cd", "fghi"]


@pytest.mark.parametrize(
    ("metric", "recall", "precision"),
    [
        ("muc", 2 / 5, 2 / 5),
        ("b_cubed", (4 / 3 + 1 / 3 + 1 / 4 + 1) / 7, (2 + 1 / 2 + 1 / 2 + 1) / 8),
        ("ceaf_m", 4 / 7, 4 / 8),
        ("ceaf_e", (4 / 5 + 4 / 8) / 2, (4 / 5 + 4 / 8) / 3),
    ],
)
def test_pradhan_2014(metric: str, recall: float, precision: float) -> None:
    found = score(KEY, RESPONSE, metric)
    assert found.detail.recall == pytest.approx(recall)
    assert found.detail.precision == pytest.approx(precision)
    assert found.value == pytest.approx(2 * recall * precision / (recall + precision))


def test_blanc_of_pradhan_2014() -> None:
    """Coreferent links 2 of 9 and of 8; others 8 of 12 and of 20."""
    f_links, f_others = 2 * 2 / (9 + 8), 2 * 8 / (12 + 20)
    assert score(KEY, RESPONSE, "blanc").value == pytest.approx((f_links + f_others) / 2)


def test_conll_is_the_mean_of_three() -> None:
    parts = [score(KEY, RESPONSE, m).value for m in ("muc", "b_cubed", "ceaf_e")]
    assert score(KEY, RESPONSE, "conll").value == pytest.approx(np.mean(parts))


@given(
    st.lists(
        st.tuples(st.integers(-1, 3), st.integers(-1, 3)).filter(lambda p: max(p) >= 0),
        min_size=1,
        max_size=8,
    )
)
@settings(max_examples=80)
def test_against_sets(pairs: list[tuple[int, int]]) -> None:
    reference, system = np.array(pairs).T
    counts = system_coreference_counts(reference, system, documents=np.zeros(len(pairs), dtype=int))
    key = [{m for m, (r, _) in enumerate(pairs) if r == c} for c in range(4)]
    response = [{m for m, (_, s) in enumerate(pairs) if s == c} for c in range(4)]
    key, response = [c for c in key if c], [c for c in response if c]

    def best(similarity) -> float:
        shorter, longer = sorted((key, response), key=len)
        return max(
            (
                sum(similarity(a, b) for a, b in zip(shorter, chosen, strict=True))
                for chosen in itertools.permutations(longer, len(shorter))
            ),
            default=0.0,
        )

    def links(chains) -> set:
        return {p for c in chains for p in itertools.combinations(sorted(c), 2)}

    def all_links(chains) -> set:
        return set(itertools.combinations(sorted(set().union(*chains)), 2))

    assert counts[0, 2, 0] == best(lambda a, b: len(a & b))
    assert counts[0, 3, 0] == pytest.approx(best(lambda a, b: 2 * len(a & b) / (len(a) + len(b))))
    assert counts[0, 4, 0] == len(links(key) & links(response))
    others = [all_links(side) - links(side) for side in (key, response)]
    assert counts[0, 5].tolist() == [
        len(others[0] & others[1]),
        len(others[0]),
        len(others[0] & others[1]),
        len(others[1]),
    ]
    b_cubed = sum(len(k & s) / len(k) for k in key for s in response for _ in k & s)
    assert counts[0, 1, 0] == pytest.approx(b_cubed)


def test_perfect_documents_and_sums() -> None:
    r, s = arrays(KEY, KEY)
    homes = np.zeros(r.size, dtype=int)
    same = system_coreference_counts(r, s, documents=homes)
    for metric in COREFERENCE:
        assert coreference_score(same, metric=metric).value == 1.0
    r2, s2 = arrays(KEY, RESPONSE)
    both = system_coreference_counts(
        np.concatenate([r, r2]),
        np.concatenate([s, s2]),
        documents=np.concatenate([homes, np.ones(r2.size, dtype=int)]),
        n_documents=2,
    )
    assert np.array_equal(both[0], same[0])
    assert 0 < coreference_score(both, metric="conll", sampling=Sampling(50)).value < 1


def test_undefined_and_refused() -> None:
    singletons = score(["a", "b"], ["a", "b"], "muc")
    assert math.isnan(singletons.value)
    assert singletons.reason
    assert score(["ab"], [], "muc").value == 0.0
    with pytest.raises(MetricsError, match="mention 0 is in no chain"):
        system_coreference_counts([-1], [-1], documents=[0])
    with pytest.raises(MetricsError, match="the scores are muc"):
        score(KEY, KEY, "lea")
    with pytest.raises(MetricsError, match="one number per mention"):
        coreference_counts(TRUTH, TRUTH[:3])
