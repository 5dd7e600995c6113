"""Found, where, what: the values that explain γ, from its alignments."""

from __future__ import annotations

import math

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.options import Sampling
from accordeur.metrics.reason import ReasonCode
from accordeur.metrics.signature import How
from accordeur.metrics.units.found_units import count_found_units, found_estimates
from accordeur.metrics.units.observed import align_documents

HOW = How(measure="units_found")
NAMES = ("ann", "ben", "cid")


def document(units: list[tuple[int, int, int, int]], n: int = 2) -> Continuum:
    """Units as (annotator, start, end, category)."""
    owners, starts, ends, codes = np.array(units).reshape(-1, 4).T
    return Continuum(starts, ends, codes, owners, NAMES[:n], ("x", "y"), length=200)


def found(corpus: list[Continuum], **options: bool) -> list[float]:
    rows = count_found_units(corpus, align_documents(corpus, Dissimilarity()), NAMES)
    return [one.value for one in found_estimates(rows, how=HOW, **options)]


def test_values_by_hand() -> None:
    """Two aligned pairs (8 of 10 positions, the same category; equal bounds, another one)."""
    one = document([(0, 0, 10, 0), (1, 0, 8, 0), (0, 40, 50, 0), (1, 40, 50, 1), (0, 90, 99, 1)])
    assert found([one]) == pytest.approx([4 / 5, (0.8 + 1) / 2, 1 / 2], abs=1e-15)
    lone = document([(0, 0, 10, 0), (1, 0, 10, 0), (1, 70, 80, 0)])
    expected = [(4 + 2) / (5 + 3), (0.8 + 1 + 1) / 3, 2 / 3]
    assert found([one, lone]) == pytest.approx(expected, abs=1e-15)
    assert found([lone, one]) == pytest.approx(expected, abs=1e-15)


def test_three_annotators_count_each_pair() -> None:
    """ann and ben alike, cid nothing: 2 of 2, 0 of 1 and 0 of 1 units are found."""
    one = document([(0, 0, 10, 0), (1, 0, 10, 0)], n=3)
    assert found([one]) == pytest.approx([2 / 4, 1, 1], abs=1e-15)


def test_intervals_over_documents_and_for_new_annotators() -> None:
    rng = np.random.default_rng(4)
    corpus = [
        document(
            [
                (a, 20 * u, 20 * u + int(rng.integers(5, 12)), int(rng.integers(2)))
                for a in range(3)
                for u in range(6)
                if rng.random() < 0.8
            ],
            n=3,
        )
        for _ in range(12)
    ]
    rows = count_found_units(corpus, align_documents(corpus, Dissimilarity()), NAMES)
    sampling = Sampling(replicates=400)
    narrow = found_estimates(rows, sampling, how=HOW)
    wide = found_estimates(rows, sampling, how=HOW, new_annotators=True)
    for one, other in zip(narrow, wide, strict=True):
        assert one.value == other.value
        assert 0 <= one.interval[0] < one.value < one.interval[1] <= 1
        assert other.is_for_new_annotators
        assert np.diff(other.interval)[0] > np.diff(one.interval)[0]


def test_what_is_undefined() -> None:
    nothing = count_found_units([document([])], [None], NAMES)
    apart = document([(0, 0, 10, 0), (1, 150, 160, 0)])
    unlabelled = document([(0, 0, 10, -1), (1, 0, 10, -1)])
    assert found([unlabelled])[:2] == [1, 1]
    assert found([apart])[0] == 0
    reasons = [
        [one.reason and one.reason.code for one in found_estimates(rows, how=HOW)]
        for rows in (
            nothing,
            count_found_units([apart], align_documents([apart], Dissimilarity()), NAMES),
            count_found_units([unlabelled], align_documents([unlabelled], Dissimilarity()), NAMES),
        )
    ]
    codes = [ReasonCode.NO_UNIT, ReasonCode.NO_ALIGNED_PAIR, ReasonCode.NO_ALIGNED_CATEGORY]
    assert reasons == [codes, [None, *codes[1:]], [None, None, codes[2]]]
    assert math.isnan(found([apart])[2])
