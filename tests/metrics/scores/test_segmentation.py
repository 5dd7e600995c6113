"""Segmentation measures: published cases, brute force, properties."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Sampling
from accordeur.metrics.scores.segmentation import (
    SEGMENTATION_MEASURES,
    Measure,
    boundaries_of_lengths,
    segmentation_counts,
    segmentation_score,
    window_size,
)

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
CASES = json.loads((CORPORA / "known_values_scoring.json").read_text(encoding="utf-8"))["cases"]


def as_places(segmentation: str | list[int]) -> np.ndarray:
    if isinstance(segmentation, str):
        return np.array([c == "1" for c in segmentation])
    return boundaries_of_lengths(segmentation)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_known_values(case: dict) -> None:
    params = case["params"]
    names = {"k": "k", "ins": "insertion", "del": "deletion", "shift": "shift"}
    counts = segmentation_counts(
        [as_places(params["reference"])],
        [as_places(params["hypothesis"])],
        measure=case["measure"],
        **{names[key]: value for key, value in params.items() if key in names},
    )
    value = segmentation_score(counts).value
    assert value == pytest.approx(case["expected"], abs=case["tolerance"])
    if "unrounded" in case:
        assert value == pytest.approx(case["unrounded"], abs=1e-12)


def test_all_known_values_are_there() -> None:
    assert len(CASES) == 34
    assert {case["measure"] for case in CASES} == set(SEGMENTATION_MEASURES)


@pytest.mark.shared
def test_pooled_boundary_similarity_of_kazantseva(shared_data: Path) -> None:
    """Kazantseva & Szpakowicz 2012, group 5: all pairs pooled, .25646 (Fournier 2013's tool)."""
    data = json.loads((shared_data / "segmentation" / "kazantseva2012_g5.json").read_text())
    first, second = [], []
    for codings in data["items"].values():
        for one, two in itertools.combinations(codings.values(), 2):
            first.append(boundaries_of_lengths(one))
            second.append(boundaries_of_lengths(two))
    counts = segmentation_counts(first, second, measure="boundary_similarity")
    assert segmentation_score(counts).value == pytest.approx(0.2564575645756457, abs=1e-12)


places = st.lists(st.booleans(), min_size=1, max_size=7)


def cheapest(
    system: tuple[int, ...], reference: tuple[int, ...], costs: tuple[float, ...]
) -> float:
    """Every partial one-to-one assignment of boundaries, crossing ones too."""
    insertion, deletion, shift = costs
    best = math.inf
    for n_moved in range(min(len(system), len(reference)) + 1):
        for kept in itertools.combinations(system, n_moved):
            for goals in itertools.permutations(reference, n_moved):
                moved = sum(abs(a - b) for a, b in zip(kept, goals, strict=True))
                best = min(
                    best,
                    shift * moved
                    + deletion * (len(system) - n_moved)
                    + insertion * (len(reference) - n_moved),
                )
    return best


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=7), st.integers(0, 3))
@settings(max_examples=80)
def test_generalised_hamming_distance_is_the_cheapest(pairs: list, which: int) -> None:
    reference, system = np.array(pairs).T
    costs = [(1.0, 1.0, 0.5), (1.0, 2.0, 0.25), (2.0, 2.0, 1.0), (1.0, 1.0, 3.0)][which]
    counts = segmentation_counts(
        [reference],
        [system],
        measure="ghd",
        insertion=costs[0],
        deletion=costs[1],
        shift=costs[2],
    )
    expected = cheapest(
        tuple(int(p) for p in np.nonzero(system)[0]),
        tuple(int(p) for p in np.nonzero(reference)[0]),
        costs,
    )
    assert segmentation_score(counts).value == pytest.approx(expected)


@given(
    st.lists(st.tuples(st.booleans(), st.booleans()), min_size=4, max_size=30),
    st.sampled_from(SEGMENTATION_MEASURES),
)
@settings(max_examples=120)
def test_identity_range_and_symmetry(pairs: list, measure: Measure) -> None:
    reference, system = np.array(pairs).T

    def score(a: np.ndarray, b: np.ndarray) -> float:
        return segmentation_score(segmentation_counts([a], [b], measure=measure, k=3)).value

    same, other = score(reference, reference), score(reference, system)
    if not math.isnan(same):
        assert same == (1.0 if "similarity" in measure else 0.0)
    if measure != "ghd" and not math.isnan(other):
        assert 0 <= other <= 1
    assert other == pytest.approx(score(system, reference), nan_ok=True)
    assert other == pytest.approx(score(reference[::-1], system[::-1]), nan_ok=True)


def test_window_diff_is_never_below_pk() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        one, two = rng.random((2, 25)) < 0.2
        pk, wd = (
            segmentation_score(segmentation_counts([one], [two], measure=m)).value
            for m in ("pk", "window_diff")
        )
        assert pk <= wd


def test_documents_add_up_and_resample() -> None:
    rng = np.random.default_rng(1)
    first, second = list(rng.random((12, 20)) < 0.2), list(rng.random((12, 20)) < 0.2)
    for measure in SEGMENTATION_MEASURES:
        whole = segmentation_counts(first, second, measure=measure)
        parts = [
            segmentation_counts(first[i : i + 4], second[i : i + 4], measure=measure).sums
            for i in (0, 4, 8)
        ]
        assert np.array_equal(whole.sums, np.concatenate(parts))
        score = segmentation_score(whole, sampling=Sampling(200))
        assert measure == "ghd" or score.interval[0] <= score.value <= score.interval[1]


def test_wider_span_takes_farther_near_misses() -> None:
    reference, system = boundaries_of_lengths([5, 10]), boundaries_of_lengths([7, 8])
    by_span = [
        segmentation_score(
            segmentation_counts([reference], [system], measure="boundary_similarity", span=span)
        ).value
        for span in (2, 3, 4)
    ]
    assert by_span == pytest.approx([0.0, 1 / 3, 1 / 2])


def test_undefined_and_refused() -> None:
    none = boundaries_of_lengths([4])
    b = segmentation_score(segmentation_counts([none], [none], measure="boundary_similarity"))
    assert math.isnan(b.value)
    assert "boundary" in str(b.reason)
    pk = segmentation_score(segmentation_counts([none], [none], measure="pk", k=9))
    assert math.isnan(pk.value)
    with pytest.raises(MetricsError, match="document 0: the reference has 4 elements"):
        segmentation_counts([none], [boundaries_of_lengths([5])], measure="pk")
    with pytest.raises(MetricsError, match="each 1 or more"):
        boundaries_of_lengths([3, 0])


def test_window_size() -> None:
    assert window_size(boundaries_of_lengths([6, 6])) == 3
    assert window_size(boundaries_of_lengths([1, 1, 1])) == 2
    assert window_size(boundaries_of_lengths([13])) == 7
