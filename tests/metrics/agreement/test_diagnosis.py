"""Each finding appears where its cause is planted, with its figures, and not elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agreement_cases import from_confusion, from_strings

from accordeur.metrics.agreement.counts import count
from accordeur.metrics.agreement.diagnosis.diagnose import (
    atoms_against_gamma,
    diagnose,
    few_documents_with_units,
    few_units,
    merge_neighbouring_categories,
)
from accordeur.metrics.agreement.diagnosis.document_findings import short_documents
from accordeur.metrics.agreement.diagnosis.thresholds_and_shares import (
    Thresholds,
    agreement_between_items,
)
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.coded_warning import Finding
from accordeur.metrics.errors import RoleError
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.estimate_detail import Detail
from accordeur.reports.language import TERMINAL, Language
from accordeur.reports.warnings import finding_parts


def findings(matrix: LabelMatrix, **options: object) -> dict[str, Finding]:
    return {finding.code: finding for finding in diagnose(matrix, **options)}


def noisy(
    rng: np.random.Generator, truth: np.ndarray, n_categories: int, accuracy: float
) -> np.ndarray:
    return np.where(
        rng.random(truth.size) < accuracy, truth, rng.integers(0, n_categories, truth.size)
    )


def campaign(
    seed: int = 0, *, n_items: int = 400, accuracies: tuple[float, ...] = (0.9,) * 4
) -> LabelMatrix:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n_items)
    codes = np.stack([noisy(rng, truth, 3, accuracy) for accuracy in accuracies], axis=1)
    names = tuple(f"a{a}" for a in range(len(accuracies)))
    return LabelMatrix(codes=codes.astype(np.int32), tagset=("A", "B", "C"), annotators=names)


def test_a_sound_campaign_has_no_finding() -> None:
    assert diagnose(campaign()) == []


def test_rare_disease() -> None:
    """Mathet & Widlöcher, table 2: agreement .999, κ .4995, on the rare category .4995."""
    found = findings(from_confusion(np.array([[5, 5], [5, 9985]]), ["+", "-"]))
    assert set(found) == {"prevalence"}
    figures = found["prevalence"].figures
    assert figures["p_o"] == pytest.approx(0.999)
    assert figures["dominant_category"] == "-"
    assert figures["worst_category"] == "+"
    assert figures["worst_category_pi"] == pytest.approx(0.4995, abs=1e-4)
    assert figures["gwet_ac1"] > 0.99


def test_annotators_with_other_frequencies() -> None:
    """Mathet & Widlöcher, table 1, first example: κ .077 above π −.333."""
    found = findings(from_strings("AAAAAB", "ABBBBB"))
    figures = found["bias"].figures
    assert figures["kappa"] - figures["pi"] == pytest.approx(0.410, abs=1e-3)
    assert {figures["first_share"], figures["second_share"]} == {5 / 6, 1 / 6}
    assert figures["total_variation"] == pytest.approx(2 / 3)


def test_few_labels_an_annotator_are_no_bias() -> None:
    """A crowd where each annotator gives six labels: κ is above π by accident."""
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 2, 60)
    codes = np.full((60, 40), -1, dtype=np.int32)
    for i in range(60):
        who = rng.choice(40, 4, replace=False)
        codes[i, who] = noisy(rng, np.repeat(truth[i], 4), 2, 0.6)
    crowd = LabelMatrix(codes=codes, tagset=("A", "B"), annotators=tuple(map(str, range(40))))
    assert "bias" not in findings(crowd, thresholds=Thresholds(bias=0.01))
    assert "bias" in findings(crowd, thresholds=Thresholds(bias=0.01, bias_p_value=1.1))


def test_unused_categories_move_s() -> None:
    """Mathet & Widlöcher, table 1: S .111 with ABCD declared, −.333 with AB."""
    found = findings(from_strings("AAAAAB", "ABBBBB", tagset="ABCD"))
    figures = found["unused_categories"].figures
    assert figures["unused"] == "C, D"
    assert figures["bennett_s"] == pytest.approx(1 / 9)
    assert figures["bennett_s_used"] == pytest.approx(-1 / 3)


def test_two_pages_with_other_distributions() -> None:
    """Mathet & Widlöcher, section 3.5: p_e .5 and .82 on the pages, .58 together; π .762."""
    pages = [np.array([[45, 5], [5, 45]]), np.array([[5, 5], [5, 85]])]
    codes = np.concatenate([from_confusion(page, ["A", "B"]).codes for page in pages] * 40)
    matrix = LabelMatrix(
        codes=codes,
        tagset=("A", "B"),
        annotators=("x", "y"),
        documents=np.repeat(np.tile([0, 1], 40), 100),
    )
    figures = findings(matrix)["inhomogeneous_documents"].figures
    assert figures["pi"] == pytest.approx(0.762, abs=5e-4)
    assert figures["p_e_global"] == pytest.approx(0.58, abs=5e-3)
    assert figures["p_e_local_min"] == pytest.approx(0.5, abs=5e-3)
    assert figures["p_e_local_max"] == pytest.approx(0.82, abs=5e-3)
    assert figures["pi_within_documents"] == pytest.approx((0.9 - 0.66) / (1 - 0.66), abs=5e-3)


def test_short_documents_of_one_kind_are_not_called_inhomogeneous() -> None:
    """Two items a document: a naive local p_e would be far above the global one."""
    matrix = campaign()
    paired = replace(matrix, documents=np.repeat(np.arange(200), 2))
    assert "inhomogeneous_documents" not in findings(paired)


def test_ten_grades_one_step_apart() -> None:
    """Mathet & Widlöcher, table 4: α .0447 nominal, .9469 interval, .5220 halved, .8081 in two."""
    codes = np.array([list(range(10)), [*range(1, 10), 9]]).T.astype(np.int32)
    matrix = LabelMatrix(codes=codes, tagset=tuple("0123456789"), annotators=("strict", "lenient"))
    figures = findings(matrix)["fine_scale"].figures
    assert figures["alpha_nominal"] == pytest.approx(0.0447, abs=1e-4)
    assert figures["alpha_interval"] == pytest.approx(0.9469, abs=1e-4)
    assert figures["alpha_halved"] == pytest.approx(0.5220, abs=1e-4)
    assert figures["alpha_two_classes"] == pytest.approx(0.8081, abs=1e-4)


def test_confused_categories_come_with_a_proposal() -> None:
    table = np.array([[40, 30, 0], [25, 40, 2], [1, 0, 80]])
    finding = findings(from_confusion(table, ["X", "Y", "Z"]))["confused_categories"]
    assert {finding.figures["first"], finding.figures["second"]} == {"X", "Y"}
    assert finding.figures["second_given_first"] == pytest.approx(55 / 136)
    assert set(finding.tables) == {"P(column | row)", "proposed d_α", "proposed d_κω"}
    assert "proposed" in finding_parts(Language("en", TERMINAL), finding)[2]


def test_an_annotator_apart() -> None:
    found = findings(campaign(accuracies=(0.9, 0.9, 0.4, 0.9)))
    figures = found["annotator_apart"].figures
    assert figures["annotator"] == "a2"
    assert figures["alpha_without"] > figures["alpha"] + 0.05
    assert figures["mean_pi_with_others"] < figures["alpha"]


def test_an_annotator_with_other_categories() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (30, 3)).astype(np.int32)
    codes[:, 2] += 2
    matrix = LabelMatrix(
        codes=codes, tagset=("no", "yes", "non", "oui"), annotators=("anna", "ben", "chloé")
    )
    found = findings(matrix)["other_categories"].figures
    assert (found["annotator"], found["own"], found["others"]) == ("chloé", "non, oui", "no, yes")
    assert "other_categories" not in findings(replace(matrix, codes=codes % 2))
    in_common = codes.copy()
    in_common[0, 2] = 0
    assert "other_categories" not in findings(replace(matrix, codes=in_common))


def test_atoms_beside_gamma() -> None:
    """Mathet & Widlöcher, table 3: κ .804 on atoms where γ is −.03."""
    atoms = from_strings("A" * 9 + "B", "A" * 8 + "BB")
    finding = atoms_against_gamma(atoms, Estimate("gamma", -0.03))
    assert finding.code == "atoms"
    assert finding.figures["gamma"] == -0.03
    same = atoms_against_gamma(atoms, Estimate("gamma", float(finding.figures["kappa_on_atoms"])))
    assert same is None


def test_a_layer_of_a_few_units_is_told() -> None:
    finding = few_units(Estimate("gamma", -24.5, n_items=3), 10)
    assert finding.figures == {"n_units": 3, "fewest": 10}
    assert few_units(Estimate("gamma", 0.5, n_items=10), 10) is None
    assert few_units(Estimate("gamma", float("nan"), "no annotator marked a unit"), 10) is None


@pytest.mark.parametrize(("n_with", "told"), [(0, False), (1, True), (4, True), (5, False)])
def test_few_documents_with_another_category_are_told(n_with: int, told: bool) -> None:
    """Of 60 documents of three items, some hold one item that one of two annotators calls B."""
    codes = np.zeros((180, 2), np.int32)
    codes[: 3 * n_with : 3, 0] = 1
    codes[179] = (1, -1)  # nobody to compare it with
    documents = np.repeat(np.arange(60), 3)
    matrix = LabelMatrix(codes=codes, tagset=("A", "B"), annotators=("a", "b"), documents=documents)
    found = findings(matrix).get("few_documents")
    assert (found is not None) == told
    if found is not None:
        assert found.figures["n_with_others"] == n_with
        assert found.figures["n_documents"] == 60
        assert found.figures["dominant_category"] == "A"
    alone = replace(matrix, documents=np.zeros(180, np.int64))
    assert "few_documents" not in findings(alone)  # items are drawn


@pytest.mark.parametrize(("size", "told"), [(1, True), (3, True), (5, True), (6, False)])
def test_documents_of_few_items_are_told(size: int, told: bool) -> None:
    """Over documents of 2 to 5 items, CIs are rather too wide (coverage-items.md)."""
    codes = np.tile(np.array([[0, 0], [1, 1], [0, 1]], np.int32), (20 * size, 1))
    documents = np.repeat(np.arange(60), size)
    matrix = LabelMatrix(codes=codes, tagset=("A", "B"), annotators=("a", "b"), documents=documents)
    found = short_documents(matrix, Thresholds())
    assert (found is not None) == told
    if found is not None:
        assert found.figures == {"items_per_document": size, "n_documents": 60, "most": 5}
    assert short_documents(replace(matrix, documents=None), Thresholds()) is None
    few = replace(matrix, documents=np.minimum(documents, 2))
    assert short_documents(few, Thresholds()) is None  # few documents say another thing


def test_few_documents_with_units_are_told() -> None:
    def of(n: int, n_without: int) -> Finding | None:
        detail = Detail(n_documents=n, n_documents_without_units=n_without)
        return few_documents_with_units(Estimate("gamma", 0.7, detail=detail))

    found = of(9, 5)
    assert found is not None
    assert found.figures == {"n_documents": 4, "fewest": 5}
    assert of(9, 4) is None
    assert of(4, 3) is None  # one document has no interval over documents


def test_thresholds_are_the_users() -> None:
    matrix = from_confusion(np.array([[5, 5], [5, 9985]]), ["+", "-"])
    assert diagnose(matrix, thresholds=Thresholds(dominant_share=0.9999)) == []


def test_every_finding_says_what_is_seen_and_what_to_do() -> None:
    for finding in diagnose(from_strings("AAAAAB", "ABBBBB", tagset="ABCD")):
        title, seen, advice, _ = finding_parts(Language("en"), finding)
        assert title
        assert seen.endswith(".")
        assert advice.endswith(".")
        assert finding.figures


def test_systems_are_not_diagnosed() -> None:
    with pytest.raises(RoleError):
        diagnose(replace(campaign(), roles=("human", "human", "human", "system")))


def test_an_empty_campaign_has_no_finding() -> None:
    assert (
        diagnose(
            LabelMatrix(
                codes=np.full((3, 2), -1, np.int32), tagset=("A", "B"), annotators=("x", "y")
            )
        )
        == []
    )


def test_merged_neighbours_keep_missing_labels() -> None:
    merged = merge_neighbouring_categories(count(from_strings("12345", "1.345")), 2)
    assert merged.tagset == ("1/2", "3/4", "5")
    assert sorted(merged.codes.tolist()) == [[0, -1], [0, 0], [1, 1], [1, 1], [2, 2]]


@pytest.mark.parametrize("dense", [1, 10_000])  # cells of a table that is not sparse
def test_chance_between_items_is_that_of_the_pairs_one_by_one(
    monkeypatch: pytest.MonkeyPatch, dense: int
) -> None:
    monkeypatch.setattr("accordeur.metrics.agreement.counts.DENSE_UP_TO", dense)
    rng = np.random.default_rng(8)
    codes = rng.integers(-1, 3, (24, 4)).astype(np.int32)
    documents = rng.permutation(np.arange(24) % 4)
    codes[documents == 3] = -1
    matrix = LabelMatrix(
        codes=codes, tagset=("A", "B", "C"), annotators=tuple("abcd"), documents=documents
    )
    local, n, of_all = agreement_between_items(count(matrix, by="documents"))
    for d, found in [*enumerate(local), (-1, of_all)]:
        chosen = np.flatnonzero((documents == d) | (d < 0))
        labels = [(i, c) for i in chosen for c in codes[i] if c >= 0]
        pairs = [(c, k) for i, c in labels for j, k in labels if i != j]
        expected = np.mean([c == k for c, k in pairs]) if pairs else np.nan
        assert found == pytest.approx(expected, nan_ok=True)
        assert d < 0 or n[d] == len(labels)


def test_numbers_are_not_taken_for_confused_categories_or_a_nominal_scale() -> None:
    rng = np.random.default_rng(0)
    codes = np.clip(rng.integers(0, 9, (60, 1)) + rng.integers(0, 2, (60, 3)), 0, 9)
    matrix = LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=tuple("0123456789"),
        annotators=("anna", "ben", "chloé"),
    )
    assert {"fine_scale", "confused_categories"} <= findings(matrix).keys()
    assert not {"fine_scale", "confused_categories"} & findings(matrix, distance="interval").keys()
    ordered = findings(matrix, distance="ordinal").keys()
    assert "fine_scale" not in ordered
    assert "confused_categories" in ordered


def test_four_pairs_of_labels_are_no_confusion() -> None:
    few = from_confusion(np.array([[2, 2, 0], [2, 2, 0], [0, 0, 80]]), ["X", "Y", "Z"])
    assert "confused_categories" not in findings(few)
    enough = from_confusion(np.array([[2, 3, 0], [2, 2, 0], [0, 0, 80]]), ["X", "Y", "Z"])
    assert "confused_categories" in findings(enough)
