"""The best alignment: edge cases, invariances, proofs, and the ways round the fast path."""

from __future__ import annotations

import math

import numpy as np
import pytest

import accordeur.metrics.alignment.best_alignment as module
import accordeur.metrics.alignment.fallback.solver as fallback
from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity, pair_costs
from accordeur.metrics.alignment.greedy import greedy_alignment
from accordeur.metrics.compiling import drop_stale_kernels
from accordeur.metrics.errors import MetricsError
from tests.metrics.alignment.brute_force import oracle, random_case, random_continuum

OBJECTIVES = ("sum", "mean", "soft")


def changed(continuum: Continuum, **fields: object) -> Continuum:
    values = {
        name: getattr(continuum, name)
        for name in ("starts", "ends", "categories", "owners", "annotators", "tagset")
    }
    return Continuum(**(values | fields))  # type: ignore[arg-type]


def no_prices(*_: object) -> None:
    """In place of `choose_by_pricing`: all tuples are listed."""


def value_of(continuum: Continuum, settings: Dissimilarity, objective: str) -> float:
    found = best_alignment(continuum, settings, objective=objective)  # type: ignore[arg-type]
    assert found.optimal
    return found.holistic_disorder if objective == "mean" else found.gamma_disorder


def test_without_a_unit_the_disorders_are_undefined_with_a_reason() -> None:
    nobody = Continuum([], [], [], [], ("a", "b"), ("k",))
    for found in (best_alignment(nobody), greedy_alignment(nobody)):
        assert math.isnan(found.gamma_disorder)
        assert math.isnan(found.holistic_disorder)
        assert str(found.reason) == "no unit in the continuum"
        assert found.units.shape == (0, 2)
        assert found.total == 0.0


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_units_of_one_annotator_only_stand_alone(objective: str) -> None:
    alone = Continuum([0, 5, 5], [4, 9, 9], [0, 0, 0], [1, 1, 1], ("a", "b", "c"), ("k",))
    found = best_alignment(alone, Dissimilarity(delta_empty=2.0), objective=objective)  # type: ignore[arg-type]
    assert found.disorders.tolist() == [2.0, 2.0, 2.0]
    assert found.holistic_disorder == 2.0  # 2011: Δ∅
    assert found.gamma_disorder == 6.0  # 3 · Δ∅ over one unit per annotator
    assert found.optimal
    assert found.reason is None


def test_an_annotator_without_units_counts() -> None:
    two = Continuum([0, 0], [4, 4], [0, 0], [0, 1], ("a", "b"), ("k",))
    three = changed(two, annotators=("a", "b", "c"))
    assert best_alignment(two).total == 0.0
    assert best_alignment(three).total == pytest.approx(2 / 3)
    assert best_alignment(three).mean_units == pytest.approx(2 / 3)


def test_identical_annotations_have_no_disorder_at_all() -> None:
    starts = np.tile(np.arange(20.0) * 7 + 0.1, 5)
    found = best_alignment(
        Continuum(
            starts, starts + 3.3, np.tile(np.arange(20) % 4, 5), np.repeat(range(5), 20),
            tuple("abcde"), tuple("wxyz"),
        )
    )  # fmt: skip
    assert found.total == 0.0
    assert len(found.disorders) == 20


def test_duplicates_of_one_annotator_are_two_units() -> None:
    twice = Continuum([0, 0, 0], [4, 4, 4], [0, 0, 0], [0, 0, 1], ("a", "b"), ("k",))
    assert best_alignment(twice).total == 1.0
    assert best_alignment(twice, objective="soft").total == 0.0


def test_more_than_127_categories() -> None:
    K = 300
    starts = np.repeat(np.arange(K) * 10.0, 2)
    labels = np.repeat(np.arange(K), 2)
    units = (starts, starts + 5, labels, np.tile([0, 1], K), ("a", "b"))
    tagset = tuple(str(k) for k in range(K))
    assert best_alignment(Continuum(*units, tagset)).total == 0.0
    labels = labels.copy()
    labels[1::2] = (labels[1::2] + 128) % K
    shifted = Continuum(units[0], units[1], labels, units[3], units[4], tagset)
    assert best_alignment(shifted).total == K


def test_fewer_than_two_annotators_are_refused() -> None:
    with pytest.raises(MetricsError, match="at least two annotators"):
        best_alignment(Continuum([0], [1], [0], [0], ("a",), ("k",)))


def test_an_unknown_objective_is_refused() -> None:
    continuum, settings = random_case(1)
    with pytest.raises(MetricsError, match="choose one of sum, mean, soft"):
        best_alignment(continuum, settings, objective="median")  # type: ignore[arg-type]


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("seed", range(8))
def test_order_names_shift_and_scale_change_nothing(objective: str, seed: int) -> None:
    continuum = random_continuum(3, 15, np.random.default_rng(seed))
    settings = Dissimilarity(alpha=1.5, beta=0.7, category_distances=ordinal())
    value = value_of(continuum, settings, objective)
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(continuum.n_units)
    annotators, labels = rng.permutation(3), rng.permutation(4)
    variants = [
        changed(
            continuum,
            **{
                name: getattr(continuum, name)[shuffled]
                for name in ("starts", "ends", "categories", "owners")
            },
        ),
        changed(continuum, owners=annotators[continuum.owners]),
        changed(continuum, starts=continuum.starts + 1e8, ends=continuum.ends + 1e8),
        changed(continuum, starts=continuum.starts / 1000, ends=continuum.ends / 1000),
        changed(continuum, starts=continuum.starts * 4096, ends=continuum.ends * 4096),
    ]
    for variant in variants:
        assert value_of(variant, settings, objective) == pytest.approx(value, abs=1e-9)
    renamed = changed(continuum, categories=labels[continuum.categories])
    back = np.argsort(labels)
    moved = Dissimilarity(alpha=1.5, beta=0.7, category_distances=ordinal()[np.ix_(back, back)])
    assert value_of(renamed, moved, objective) == pytest.approx(value, abs=1e-9)


def ordinal() -> np.ndarray:
    return np.abs(np.subtract.outer(np.arange(4), np.arange(4))) / 3


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_delta_empty_scales_every_disorder(objective: str) -> None:
    continuum = random_continuum(4, 8, np.random.default_rng(5))
    one = value_of(continuum, Dissimilarity(), objective)
    four = value_of(continuum, Dissimilarity(delta_empty=4.0), objective)
    assert four == pytest.approx(4 * one)
    assert value_of(continuum, Dissimilarity.sporadic(), objective) == pytest.approx(4 * one)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_pair_function_gives_what_the_built_in_gives(objective: str) -> None:
    for seed in range(20):
        continuum, settings = random_case(seed)
        if not continuum.n_units:
            continue
        same = Dissimilarity(
            delta_empty=settings.delta_empty,
            pair_function=lambda c, u, v, s=settings: pair_costs(c, u, v, s),  # type: ignore[misc]
        )
        assert value_of(continuum, same, objective) == pytest.approx(
            value_of(continuum, settings, objective), abs=1e-9
        )


@pytest.mark.long
@pytest.mark.parametrize("covering", [False, True])
@pytest.mark.parametrize("n_annotators", [4, 5])
def test_dense_continua_equal_the_oracle(n_annotators: int, covering: bool) -> None:
    """Wide overlaps, so that states overflow and the dual has to prove the optimum."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        size = {4: 8, 5: 5}[n_annotators]
        continuum = random_continuum(n_annotators, size, rng, span=25.0)
        settings = Dissimilarity(beta=0.4)
        best = best_alignment(continuum, settings, objective="soft" if covering else "sum")
        assert best.optimal
        least = oracle(continuum, settings).least_sum(covering=covering)
        assert best.total == pytest.approx(least, abs=1e-9)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_fallback_agrees_with_the_fast_path(
    objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n, size in ((2, 30), (3, 20), (5, 8)):
        continuum = random_continuum(n, size, np.random.default_rng(n), span=60.0)
        fast = value_of(continuum, Dissimilarity(), objective)
        with monkeypatch.context() as patch:
            patch.setattr(module, "TUPLES_A_UNIT", 0)
            patch.setattr(fallback, "choose_by_pricing", no_prices)
            patch.setattr(fallback, "EASY_STATES", 0)
            assert value_of(continuum, Dissimilarity(), objective) == pytest.approx(fast, abs=1e-9)


@pytest.mark.parametrize("covering", [False, True])
def test_highs_closes_what_the_sweep_cannot(
    covering: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    continuum = random_continuum(4, 12, np.random.default_rng(3), span=40.0)
    objective = "soft" if covering else "sum"
    fast = best_alignment(continuum, objective=objective)
    monkeypatch.setattr(module, "TUPLES_A_UNIT", 0)
    monkeypatch.setattr(fallback, "choose_by_pricing", no_prices)
    monkeypatch.setattr(fallback, "EASY_STATES", 0)
    monkeypatch.setattr(fallback, "SCHEDULE", np.array([[0.3, 0.05, 3, 0]]))
    slow = best_alignment(continuum, objective=objective)
    assert slow.optimal
    assert slow.total == pytest.approx(fast.total, abs=1e-9)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_too_many_tuples_give_an_honest_gap(
    objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    continuum = random_continuum(4, 12, np.random.default_rng(3), span=40.0)
    best = value_of(continuum, Dissimilarity(), objective)
    monkeypatch.setattr(module, "TUPLES_A_UNIT", 0)
    monkeypatch.setattr(fallback, "choose_by_pricing", no_prices)
    monkeypatch.setattr(fallback, "MAX_TUPLES_HELD", 60)
    found = best_alignment(continuum, objective=objective)  # type: ignore[arg-type]
    value = found.holistic_disorder if objective == "mean" else found.gamma_disorder
    assert not found.optimal
    assert value >= best - 1e-9
    assert value * (1.0 - found.gap) <= best + 1e-9


def test_a_time_limit_gives_the_best_found_with_its_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    continuum = random_continuum(5, 10, np.random.default_rng(0), span=40.0)
    best = best_alignment(continuum)
    monkeypatch.setattr(module, "TUPLES_A_UNIT", 0)
    monkeypatch.setattr(fallback, "choose_by_pricing", no_prices)
    monkeypatch.setattr(fallback, "EASY_STATES", 0)
    monkeypatch.setattr(fallback, "SCHEDULE", np.array([[0.3, 0.05, 3, 0]] * 50))
    found = best_alignment(continuum, time_limit=0.0)
    assert best.optimal
    assert found.total >= best.total - 1e-9
    assert found.total * (1.0 - found.gap) <= best.total + 1e-9
    assert found.optimal == (found.gap == 0.0)


def test_stale_kernels_are_dropped(tmp_path: object) -> None:
    import os
    from pathlib import Path

    package = Path(str(tmp_path))
    room = package / "choice"
    for folder in (package, room):
        (folder / "__pycache__").mkdir(parents=True)
    (room / "__init__.py").write_text("")
    source = package / "engine.py"
    source.write_text("")
    old, new = package / "__pycache__" / "old.nbi", package / "__pycache__" / "new.nbc"
    in_room = room / "__pycache__" / "old.nbc"
    for path, age in ((old, -100), (in_room, -100), (new, 100)):
        path.write_text("")
        stamp = source.stat().st_mtime + age
        os.utime(path, (stamp, stamp))
    assert drop_stale_kernels(package) == 2
    assert not old.exists()
    assert not in_room.exists()
    assert new.exists()
