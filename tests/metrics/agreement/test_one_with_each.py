"""One annotator with each of the others: values, and the interval of their mean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.one_with_each import one_with_each
from accordeur.metrics.options import Sampling

NONE = Sampling(replicates=0)


def matrix(codes: np.ndarray, documents: np.ndarray | None = None) -> LabelMatrix:
    names = tuple("jxyzw"[: codes.shape[1]])
    return LabelMatrix(
        codes=codes.astype(np.int32), tagset=("a", "b", "c"), annotators=names, documents=documents
    )


def drawn(rng: np.random.Generator, n: int, accuracy: float, annotators: int = 4) -> np.ndarray:
    truth = rng.integers(3, size=n)
    own = rng.integers(3, size=(n, annotators))
    return np.where(rng.random((n, annotators)) < accuracy, truth[:, None], own)


def cohen(first: np.ndarray, second: np.ndarray) -> float:
    """Cohen's κ by its definition (Cohen 1960), on the items that both labelled."""
    both = (first >= 0) & (second >= 0)
    first, second = first[both], second[both]
    observed = np.mean(first == second)
    expected = sum(np.mean(first == k) * np.mean(second == k) for k in range(3))
    return float((observed - expected) / (1 - expected))


def test_mean_of_cohen_by_hand() -> None:
    codes = drawn(np.random.default_rng(1), 80, 0.6)
    codes[50:, 2] = -1
    [found] = one_with_each(matrix(codes), 0, measures=["cohen_kappa"], sampling=NONE)
    each = [cohen(codes[:, 0], codes[:, a]) for a in (1, 2, 3)]
    assert [one.value for one in found.pairs.values()] == pytest.approx(each, abs=1e-12)
    assert found.mean.value == pytest.approx(np.mean(each), abs=1e-12)
    assert list(found.pairs) == ["x", "y", "z"]


def test_of_two_annotators_the_mean_is_the_pair() -> None:
    codes = drawn(np.random.default_rng(2), 60, 0.7, 2)
    [found] = one_with_each(matrix(codes), 1, measures=["gwet_ac1"], sampling=Sampling(seed=3))
    [pair] = found.pairs.values()
    assert found.mean.value == pair.value == compute_coefficient("gwet_ac1", matrix(codes)).value
    assert found.mean.interval == pytest.approx(pair.interval, abs=1e-12)


def test_undefined_pairs_are_left_out() -> None:
    codes = drawn(np.random.default_rng(4), 40, 0.7)
    codes[:, 3] = -1
    [found] = one_with_each(matrix(codes), 0, measures=["cohen_kappa"], sampling=Sampling())
    assert found.pairs["z"].reason is not None
    each = [cohen(codes[:, 0], codes[:, a]) for a in (1, 2)]
    assert found.mean.value == pytest.approx(np.mean(each), abs=1e-12)
    codes[:, 1:] = -1
    [nothing] = one_with_each(matrix(codes), 0, measures=["cohen_kappa"], sampling=Sampling())
    assert nothing.mean.reason is not None


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(6, 60), st.floats(0, 1), st.booleans())
def test_the_interval_contains_the_mean(
    seed: int, n: int, accuracy: float, with_documents: bool
) -> None:
    rng = np.random.default_rng(seed)
    homes = np.sort(rng.integers(4, size=n)) if with_documents else None
    given = matrix(drawn(rng, n, accuracy), homes)
    sampling = Sampling(replicates=100, seed=seed)
    for one in one_with_each(
        given, 0, measures=["cohen_kappa", "krippendorff_alpha"], sampling=sampling
    ):
        low, high = one.mean.interval
        if one.mean.reason is None and not np.isnan(low):
            assert -1 <= low <= one.mean.value <= high <= 1


def test_coverage_over_items() -> None:
    """95 % intervals of the mean cover it in at least 90 % of 120 campaigns of 50 items."""
    rng, accuracy, chance = np.random.default_rng(5), 0.8, 1 / 3
    truth = accuracy**2  # κ of two who copy the truth independently, else guess uniformly
    assert chance < truth
    covered = 0
    for seed in range(120):
        found = one_with_each(
            matrix(drawn(rng, 50, accuracy)),
            0,
            measures=["cohen_kappa"],
            sampling=Sampling(replicates=300, seed=seed),
        )
        low, high = found[0].mean.interval
        covered += low <= truth <= high
    assert covered >= 108
