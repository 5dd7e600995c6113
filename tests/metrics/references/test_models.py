"""Dawid–Skene, GLAD, MACE, minimax entropy: published estimates, recovery, gradients."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import check_grad

from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.references.label_list import LabelList
from accordeur.metrics.references.label_models import glad as glad_module
from accordeur.metrics.references.label_models import minimax_entropy as minimax_module
from accordeur.metrics.references.label_models.dawid_skene import dawid_skene
from accordeur.metrics.references.label_models.glad import glad
from accordeur.metrics.references.label_models.mace import mace
from accordeur.metrics.references.label_models.minimax_entropy import minimax_entropy
from accordeur.metrics.references.votes import majority

MODELS = (dawid_skene, glad, mace, minimax_entropy)

# Dawid & Skene 1979: the published estimates, to two decimals. Probabilities of the classes;
# observers' error rates, rows the estimated class, columns the one given.
PREVALENCE = (0.40, 0.42, 0.11, 0.07)
ERROR_RATES = (
    ((0.89, 0.11, 0, 0), (0.07, 0.88, 0.05, 0), (0, 0.34, 0.66, 0), (0, 0, 0.56, 0.44)),
    ((0.83, 0.17, 0, 0), (0.05, 0.63, 0.31, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
    ((1, 0, 0, 0), (0.11, 0.79, 0.11, 0), (0, 0.40, 0.20, 0.40), (0, 0, 0.67, 0.33)),
    ((0.94, 0.06, 0, 0), (0.05, 0.84, 0.10, 0), (0, 0, 0.80, 0.20), (0, 0, 0.33, 0.67)),
    ((1, 0, 0, 0), (0.16, 0.73, 0.11, 0), (0, 0.21, 0.79, 0), (0, 0, 0.33, 0.67)),
)


def anaesthetists(path: Path) -> np.ndarray:
    """(315, 3): patient, observer, class, from 0."""
    return (
        np.loadtxt(
            path / "dawid_skene_1979" / "anesthesia.csv", delimiter=",", skiprows=1, dtype=int
        )
        - 1
    )


def as_list(table: np.ndarray) -> LabelList:
    return LabelList(*table.T, 45, tuple("12345"), tuple("1234"))


@pytest.mark.shared
def test_dawid_skene_1979(shared_data: Path) -> None:
    table = anaesthetists(shared_data)
    # The copy at hand has 1, 1, 2 for the first observer on patient 7; table 1 of the paper has
    # 1, 2, 2, without which its error rates of the first observer cannot be reached (.91 for .89).
    rows = np.nonzero((table[:, 0] == 6) & (table[:, 1] == 0))[0]
    assert table[rows, 2].tolist() == [0, 0, 1]
    table[rows[1], 2] = 1
    fit = dawid_skene(as_list(table))
    assert fit.converged
    assert fit.prevalence == pytest.approx(PREVALENCE, abs=0.0051)
    assert fit.consensuality == pytest.approx(np.array(ERROR_RATES), abs=0.0061)
    assert fit.reference.n_resolved == fit.reference.n_items
    assert np.bincount(fit.reference.codes).tolist() == [18, 19, 5, 3]


@pytest.mark.shared
def test_dawid_skene_of_the_copy_at_hand(shared_data: Path) -> None:
    fit = dawid_skene(as_list(anaesthetists(shared_data)))
    assert fit.prevalence == pytest.approx(PREVALENCE, abs=0.0051)
    assert fit.consensuality[1:] == pytest.approx(np.array(ERROR_RATES)[1:], abs=0.0061)


@pytest.mark.shared
def test_bluebirds(shared_data: Path) -> None:
    """Welinder et al. 2010: majority .759; Dawid–Skene .889 after two rounds, .898 at the maximum.

    .889 is where crowd-kit's stopping rule leaves the estimation; the likelihood still rises.
    """
    folder = shared_data / "bluebirds"
    with (folder / "bluebirds_long.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    with (folder / "bluebirds_gold.csv").open(encoding="utf-8") as lines:
        gold_of = {row["item"]: int(row["gold"]) for row in csv.DictReader(lines)}
    given = label_matrix(
        items=[r["item"] for r in rows],
        annotators=[r["annotator"] for r in rows],
        labels=[r["label"] for r in rows],
    )
    gold = np.array([gold_of[name] for name in given.items])

    def right(fit) -> float:
        return float(np.mean(fit.reference.codes == gold))

    assert np.mean(majority(given).codes == gold) == pytest.approx(82 / 108)
    early, late = dawid_skene(given, max_rounds=2), dawid_skene(given)
    assert right(early) == pytest.approx(96 / 108)
    assert early.reference.warnings[-1].code == "not_converged"
    assert right(late) == pytest.approx(97 / 108)
    assert late.objective[-1] > early.objective[-1]
    assert right(glad(given)) == pytest.approx(78 / 108)
    assert right(mace(given)) == pytest.approx(97 / 108)
    assert right(minimax_entropy(given)) == pytest.approx(100 / 108)


def simulated(
    n_items: int, n_annotators: int, width: int, seed: int
) -> tuple[LabelMatrix, np.ndarray]:
    """Annotators of accuracy .45 to .95, errors uniform, a third of the labels missing."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, width, n_items)
    accuracy = np.linspace(0.45, 0.95, n_annotators)
    right = rng.random((n_items, n_annotators)) < accuracy
    others = (truth[:, None] + rng.integers(1, width, right.shape)) % width
    codes = np.where(right, truth[:, None], others)
    codes[rng.random(codes.shape) < 1 / 3] = -1
    names = tuple(f"H{a}" for a in range(n_annotators))
    return LabelMatrix(codes=codes, tagset=tuple("ABCDE"[:width]), annotators=names), truth


def test_a_model_that_has_too_few_labels_says_so() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 12)
    codes = np.where(rng.random((12, 5)) < 0.7, truth[:, None], rng.integers(0, 3, (12, 5)))
    few = LabelMatrix(codes=codes.astype(np.int32), tagset=tuple("ABC"), annotators=tuple("abcde"))
    doubtful = minimax_entropy(few).reference  # its penalty outweighs sixty labels
    assert doubtful.warnings[-1].code == "model_in_doubt"
    assert 0.3 <= float(doubtful.warnings[-1].figures["sure"]) < 0.4
    for model in (dawid_skene, glad, mace):
        assert "model_in_doubt" not in [one.code for one in model(few).reference.warnings]


@pytest.mark.parametrize("model", MODELS)
def test_models_do_better_than_votes(model) -> None:
    given, truth = simulated(400, 7, 3, seed=1)
    fit = model(given)
    assert np.mean(fit.reference.codes == truth) > np.mean(majority(given).codes == truth)
    labelled = ~np.isnan(fit.posterior[:, 0])
    assert fit.posterior[labelled].sum(axis=1) == pytest.approx(1)
    # Those who were made more accurate are found more consensual.
    diagonal = fit.consensuality[:, range(3), range(3)].mean(axis=1)
    assert np.corrcoef(diagonal, np.linspace(0.45, 0.95, 7))[0, 1] > 0.9
    assert fit.caution.code == "consensuality"
    assert fit.caution in fit.reference.warnings


@pytest.mark.parametrize("model", MODELS)
def test_the_objective_never_falls(model) -> None:
    given, _ = simulated(150, 6, 3, seed=2)
    steps = np.diff(model(given).objective)
    assert (steps > -1e-6).all()


@pytest.mark.parametrize("model", MODELS)
def test_order_of_labels_and_names_of_categories_change_nothing(model) -> None:
    given, _ = simulated(120, 5, 3, seed=3)
    fit = model(given)
    rows, columns = np.nonzero(given.codes >= 0)
    order = np.random.default_rng(0).permutation(rows.size)
    shuffled = LabelList(
        rows[order],
        columns[order],
        given.codes[rows[order], columns[order]],
        given.n_items,
        given.annotators,
        given.tagset,
    )
    assert np.array_equal(model(shuffled).reference.codes, fit.reference.codes)
    renamed = np.where(given.codes >= 0, 2 - given.codes, -1)
    back = model(
        LabelMatrix(codes=renamed, tagset=given.tagset, annotators=given.annotators)
    ).posterior[:, ::-1]
    assert back == pytest.approx(fit.posterior, abs=0.02, nan_ok=True)


@pytest.mark.parametrize("model", MODELS)
def test_unlabelled_items_stay_open(model) -> None:
    given, _ = simulated(60, 5, 2, seed=4)
    codes = given.codes.copy()
    codes[7] = -1
    fit = model(LabelMatrix(codes=codes, tagset=given.tagset, annotators=given.annotators))
    assert fit.reference.codes[7] == -1
    assert np.isnan(fit.posterior[7]).all()


@pytest.mark.parametrize("model", MODELS)
def test_refusals(model) -> None:
    nothing = LabelMatrix(codes=np.full((3, 2), -1), tagset=("A", "B"), annotators=("H1", "H2"))
    with pytest.raises(MetricsError, match="needs labels"):
        model(nothing)
    with_system = LabelMatrix(
        codes=np.zeros((3, 2)), tagset=("A", "B"), annotators=("H1", "S"), roles=("human", "system")
    )
    with pytest.raises(RoleError, match="'S' is a system"):
        model(with_system)
    with pytest.raises(MetricsError, match=r"1 or more|at least one"):
        model(
            LabelMatrix(codes=np.zeros((3, 2)), tagset=("A", "B"), annotators=("H1", "H2")),
            max_rounds=0,
        )


def test_perfectly_opposed_annotators_are_tied() -> None:
    codes = np.array([[0, 1], [1, 0], [0, 1], [1, 0]])
    fit = dawid_skene(LabelMatrix(codes=codes, tagset=("A", "B"), annotators=("H1", "H2")))
    assert fit.reference.n_ties == 4
    assert fit.reference.n_resolved == 0


def test_dawid_skene_by_hand() -> None:
    """One round on three items, against the formulas written out."""
    codes = np.array([[0, 0, 0], [0, 1, 1], [1, 1, 0]])
    shares = np.array([[1, 0], [1 / 3, 2 / 3], [1 / 3, 2 / 3]])
    prevalence = shares.mean(axis=0)
    rates = np.zeros((3, 2, 2))
    for a in range(3):
        for k in range(2):
            for label in range(2):
                rates[a, k, label] = shares[codes[:, a] == label, k].sum() / shares[:, k].sum()
    expected = np.array(
        [
            [prevalence[k] * np.prod([rates[a, k, row[a]] for a in range(3)]) for k in range(2)]
            for row in codes
        ]
    )
    fit = dawid_skene(
        LabelMatrix(codes=codes, tagset=("A", "B"), annotators=("x", "y", "z")), max_rounds=1
    )
    assert fit.objective[0] == pytest.approx(np.log(expected.sum(axis=1)).sum())
    assert fit.posterior == pytest.approx(expected / expected.sum(axis=1, keepdims=True), abs=1e-8)


def test_gradients() -> None:
    rng = np.random.default_rng(0)
    annotators, items = rng.integers(0, 3, 20), rng.integers(0, 5, 20)
    codes, posterior = rng.integers(0, 2, 20), rng.dirichlet([1, 1], 5)
    chance = posterior[items, codes]
    loss = glad_module._expected_loss
    error = check_grad(
        lambda p: loss(p, annotators, items, chance, 3)[0],
        lambda p: loss(p, annotators, items, chance, 3)[1],
        rng.normal(size=8),
    )
    assert error < 1e-5
    penalties = np.full(3 * 4 + 5 * 2, 0.7)
    loss = minimax_module._loss
    error = check_grad(
        lambda p: loss(p, annotators, items, codes, posterior, penalties, 3)[0],
        lambda p: loss(p, annotators, items, codes, posterior, penalties, 3)[1],
        rng.normal(size=22),
    )
    assert error < 1e-5


def test_mace_finds_the_spammer_and_repeats_with_its_seed() -> None:
    given, _ = simulated(300, 6, 3, seed=6)
    codes = given.codes.copy()
    codes[:, 0] = 2  # always the same answer
    spammed = LabelMatrix(codes=codes, tagset=given.tagset, annotators=given.annotators)
    fit = mace(spammed, seed=5)
    assert fit.parameters["competence"][0] < 0.05
    assert fit.parameters["spam"][0, 2] > 0.95
    assert mace(spammed, seed=5).objective == fit.objective


def test_label_list_is_checked() -> None:
    with pytest.raises(MetricsError, match=r"codes must lie in 0\.\.1, found 0\.\.4"):
        LabelList([0, 1], [0, 0], [0, 4], 2, ("H",), ("A", "B"))  # type: ignore[arg-type] # lists
