from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.units.krippendorff.segments import require_no_overlaps
from accordeur.metrics.units.krippendorff.u_alpha import u_alpha
from accordeur.metrics.units.krippendorff.unitized_counts import unitized_counts


def atoms(codes: np.ndarray, n_categories: int) -> Continuum:
    """m annotators by L atoms, each atom a unit of length 1, -1 for an atom left unmarked."""
    m, length = codes.shape
    owners, starts = np.nonzero(codes >= 0)
    return Continuum(
        starts,
        starts + 1,
        codes[owners, starts],
        owners,
        tuple(f"annotator {i}" for i in range(m)),
        tuple(f"category {k}" for k in range(n_categories)),
        length=length,
    )


def alpha_on_atoms(codes: np.ndarray, n_categories: int) -> float:
    """Krippendorff's nominal α, every annotator having given every atom a value."""
    counts = np.stack([(codes == k).sum(axis=0) for k in range(n_categories)], axis=1)
    coincidences = np.einsum("uc,uk->ck", counts, counts) - np.diag(counts.sum(axis=0))
    coincidences = coincidences / (codes.shape[0] - 1)
    margins = coincidences.sum(axis=1)
    n = margins.sum()
    differ = n - np.trace(coincidences)
    return 1 - (n - 1) * differ / (n**2 - (margins**2).sum())


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(2, 4), st.booleans())
def test_with_segments_of_length_1_it_is_alpha(seed, m, k, gaps) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, 30)
    codes = np.where(rng.random((m, 30)) < 0.6, truth, rng.integers(0, k, (m, 30)))
    if gaps:  # the last category is the gap: its atoms are not units
        marked = np.where(codes == k - 1, -1, codes)
        result = u_alpha([atoms(marked, k - 1)], n_replicates=0)
    else:
        result = u_alpha([atoms(codes, k)], n_replicates=0)
        assert result.cu_alpha.value == pytest.approx(result.u_alpha.value)
    assert result.u_alpha.value == pytest.approx(alpha_on_atoms(codes, k))
    if gaps:
        binary = (codes == k - 1).astype(int)
        assert result.u_alpha_binary.value == pytest.approx(alpha_on_atoms(binary, 2))


def test_ku_alpha_with_segments_of_length_1_is_alpha_of_k_against_the_rest() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 60)
    codes = np.where(rng.random((3, 60)) < 0.6, truth, rng.integers(0, 3, (3, 60)))
    result = u_alpha([atoms(codes, 3)], n_replicates=0)
    for k, estimate in enumerate(result.ku_alpha.values()):
        assert estimate.value == pytest.approx(alpha_on_atoms((codes == k).astype(int), 2))
        assert estimate.detail.coverage == 1.0


def test_by_hand_on_two_annotators() -> None:
    """a: x on [0, 4), gap on [4, 10); b: x on [2, 4), y on [4, 6), gaps elsewhere."""
    document = Continuum(
        [0, 2, 4], [4, 4, 6], [0, 0, 1], [0, 1, 1], ("a", "b"), ("x", "y"), length=10
    )
    result = u_alpha([document])
    coincidences = result.counts.coincidences
    x, y, gap = 0, 1, 3
    assert coincidences[x, x] == 2 * 2
    assert coincidences[x, gap] == coincidences[gap, x] == 2
    assert coincidences[y, gap] == coincidences[gap, y] == 2
    assert coincidences[gap, gap] == 2 * 4
    assert coincidences.sum() == 20
    assert result.counts.self_terms[0].tolist() == [16 + 4, 4, 0, 6 + 2 + 4]
    assert result.counts.covered[0].tolist() == [4 + 4, 0, 0, 0]
    margins = np.array([6, 2, 12])
    own = np.array([20, 4, 12])
    expected = np.outer(margins, margins) - np.diag(own)
    expected = expected / (20 - 36 / 20)
    d_e = expected.sum() - np.trace(expected)
    assert result.u_alpha.expected == pytest.approx(d_e)
    assert result.u_alpha.value == pytest.approx(1 - 8 / d_e)
    assert str(result.cu_alpha.reason) == "single category used"
    assert result.ku_alpha["x"].detail.coverage == pytest.approx(4 / 6)
    assert str(result.ku_alpha["y"].reason) == "no unit of one annotator meets a unit of another"


def test_by_hand_on_three_annotators_who_meet_in_part() -> None:
    """a: x on [0, 10); b: x on [0, 4); c: y on [6, 10): a meets one of the two others on 8."""
    document = Continuum(
        [0, 0, 6], [10, 4, 10], [0, 0, 1], [0, 1, 2], tuple("abc"), ("x", "y"), length=10
    )
    result = u_alpha([document])
    assert result.counts.with_units[0].tolist() == [4 + 2, 2, 0, 0]
    # a: 4 and 4, each met by half of the others; b and c: 4 met by half of the others
    assert result.counts.covered[0].tolist() == [(2 + 2) ** 2 + 2**2, 2**2, 0, 0]
    differ, by_chance = 4, 2 * 6 * 2 / (8 - 24 / 8)
    assert result.cu_alpha.value == pytest.approx(1 - differ / by_chance)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.integers(3, 6), st.data())
def test_cu_alpha_is_alpha_on_atoms_met_by_equally_many(seed, m, data) -> None:
    """Each atom is marked by q of m annotators: missing labels, as Krippendorff's α has them."""
    q = data.draw(st.integers(2, m))
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, 40)
    codes = np.where(rng.random((m, 40)) < 0.6, truth, rng.integers(0, 3, (m, 40)))
    absent = np.argsort(rng.random((m, 40)), axis=0) >= q
    marked = np.where(absent, -1, codes)
    matrix = LabelMatrix(
        codes=marked.T.astype(np.int32),
        tagset=("0", "1", "2"),
        annotators=tuple(f"a{i}" for i in range(m)),
    )
    found = u_alpha([atoms(marked, 3)], n_replicates=0).cu_alpha
    assert found.value == pytest.approx(compute_coefficient("krippendorff_alpha", matrix).value)


def test_units_that_touch_are_not_one_unit() -> None:
    """Cutting a unit in two changes what chance would do, and not what was observed."""
    one = Continuum([0, 0], [8, 8], [0, 0], [0, 1], ("a", "b"), ("x",), length=20)
    two = Continuum(
        [0, 4, 0, 4], [4, 8, 4, 8], [0] * 4, [0, 0, 1, 1], ("a", "b"), ("x",), length=20
    )
    counts = [unitized_counts([c]) for c in (one, two)]
    np.testing.assert_array_equal(counts[0].coincidences, counts[1].coincidences)
    assert counts[0].self_terms[0, 0] == 2 * 64
    assert counts[1].self_terms[0, 0] == 4 * 16


def test_counts_add_over_documents(degraded) -> None:
    rng = np.random.default_rng(0)
    documents = []
    for m in (2, 3, 2, 4, 3):
        truth = np.repeat(rng.integers(-1, 3, 12), 3)
        codes = np.where(rng.random((m, 36)) < 0.8, truth, rng.integers(-1, 3, (m, 36)))
        documents.append(atoms(codes, 3))
    whole = u_alpha(documents)
    parts = unitized_counts(documents[:2]) + unitized_counts(documents[2:])
    np.testing.assert_allclose(parts.coincidences, whole.counts.coincidences, rtol=1e-12)
    differ = parts.coincidences.sum() - np.trace(parts.coincidences)
    assert whole.u_alpha.observed == pytest.approx(differ)
    for estimate in (whole.u_alpha, whole.u_alpha_binary, whole.cu_alpha):
        assert estimate.interval[0] < estimate.value < estimate.interval[1]


def test_perfect_agreement_is_1_and_order_does_not_matter() -> None:
    starts = np.tile([0.0, 10, 30], 3)
    document = Continuum(
        starts,
        starts + 7,
        [0, 1, 0] * 3,
        np.repeat([0, 1, 2], 3),
        tuple("abc"),
        ("x", "y"),
        length=50,
    )
    result = u_alpha([document])
    for estimate in (result.u_alpha, result.u_alpha_binary, result.cu_alpha):
        assert estimate.value == 1.0
    assert all(e.value == 1.0 for e in result.ku_alpha.values())


def test_units_without_category_are_a_category() -> None:
    document = Continuum(
        [0, 0, 5, 5], [4, 4, 9, 9], [-1, 0, 0, 0], [0, 1, 0, 1], ("a", "b"), ("x",), length=20
    )
    result = u_alpha([document])
    assert set(result.ku_alpha) == {"x", "(no category)"}
    assert result.u_alpha.value < 1
    assert result.u_alpha_binary.value == 1.0


def test_each_of_the_family_has_a_signature_of_its_own_and_counts_what_takes_part() -> None:
    both, alone = (atoms(np.array(codes), 2) for codes in ([[0, 1, -1], [0, 0, 1]], [[0, 1, 0]]))
    result = u_alpha([both, both, alone])
    assert result.cu_alpha.signature.startswith("cu_alpha|")
    assert result.u_alpha_binary.signature.startswith("u_alpha_binary|")
    assert result.ku_alpha["category 1"].signature.startswith("ku_alpha|")
    assert "|category:category 1|" in result.ku_alpha["category 1"].signature
    assert result.u_alpha.n_items == 2 * both.n_units


def test_undefined_cases() -> None:
    nothing = Continuum([], [], [], [], ("a", "b"), ("x",), length=20)
    result = u_alpha([nothing])
    assert str(result.u_alpha.reason) == "no annotator marked a unit"
    assert math.isnan(result.cu_alpha.value)
    full = Continuum([0, 0], [20, 20], [0, 0], [0, 1], ("a", "b"), ("x", "y"), length=20)
    result = u_alpha([full])
    assert str(result.u_alpha.reason) == "single category used"
    assert (
        str(result.u_alpha_binary.reason) == "units fill every document: no gap to tell them from"
    )
    assert str(result.ku_alpha["y"].reason) == "no annotator used the category"
    apart = Continuum([0, 10], [5, 15], [0, 0], [0, 1], ("a", "b"), ("x",), length=20)
    result = u_alpha([apart])
    assert result.u_alpha.value < 0
    assert str(result.cu_alpha.reason) == "no unit of one annotator meets a unit of another"


def test_documents_of_one_annotator_take_no_part(degraded) -> None:
    apart = [c for c in degraded(40, n_units=3, seed=2) if _separate(c)]
    assert len(apart) > 5
    alone = Continuum([0, 1], [9, 5], [0, 1], [0, 0], ("a",), apart[0].tagset, length=40)
    found, without = u_alpha([*apart, *[alone] * 50]), u_alpha(apart)
    for name in ("u_alpha", "u_alpha_binary", "cu_alpha"):
        one, other = getattr(found, name), getattr(without, name)
        assert (one.value, one.interval) == (other.value, other.interval)
    assert found.u_alpha.detail.n_documents == len(apart)


def _separate(continuum: Continuum) -> bool:
    try:
        require_no_overlaps([continuum], "uα")
    except MetricsError:
        return False
    return True


def test_refusals() -> None:
    overlapping = Continuum([0, 3], [5, 9], [0, 1], [0, 0], ("a", "b"), ("x", "y"), length=20)
    with pytest.raises(MetricsError, match=r"uα is not defined .* in 1 of 1 documents \(by a\)"):
        u_alpha([overlapping])
    with pytest.raises(MetricsError, match="two annotators"):
        u_alpha([Continuum([0], [5], [0], [0], ("a",), ("x",))])
    with pytest.raises(RoleError):
        u_alpha([Continuum([0], [5], [0], [0], ("a", "b"), ("x",), roles=("human", "reference"))])
