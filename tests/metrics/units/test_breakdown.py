from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.chance.corpus import in_one_order
from accordeur.metrics.units.breakdown import (
    FEWEST_UNITS,
    effects_of_annotators,
    gamma_by_category,
    gamma_by_pair,
    gamma_without_each,
)
from accordeur.metrics.units.gamma import gamma
from accordeur.metrics.units.gamma_settings import GammaSettings

FAST = GammaSettings(precision=0.05, replicates=50)


def with_a_stranger(documents: list[Continuum], seed: int = 0) -> list[Continuum]:
    """The last annotator's units put anywhere."""
    rng = np.random.default_rng(seed)
    changed = []
    for c in documents:
        last = c.owners == c.n_annotators - 1
        sizes = c.ends - c.starts
        starts = np.where(last, rng.uniform(0, c.length - 40, c.n_units), c.starts)
        changed.append(replace(c, starts=starts, ends=starts + sizes))
    return changed


def test_keeping_annotators() -> None:
    document = Continuum(
        [0, 10, 20], [5, 15, 25], [0, 1, 0], [0, 2, 1], ("a", "b", "c"), ("x", "y"), length=40
    )
    kept = document.select_annotators(["c", "a", "nobody"])
    assert kept.annotators == ("a", "c")
    assert kept.starts.tolist() == [0, 10]
    assert kept.owners.tolist() == [0, 1]
    assert kept.length == 40
    assert document.select_units(document.categories == 1).annotators == ("a", "b", "c")
    assert document.select_units(document.categories == 1).starts.tolist() == [10]


def test_parts_keep_the_origin_of_their_document() -> None:
    document = Continuum(
        [1e8, 1e8 + 20], [1e8 + 5, 1e8 + 25], [0, 1], [0, 1], ("a", "b"), ("x", "y")
    )
    assert document.select_units(document.categories == 1).origin == 1e8
    assert document.select_annotators(["b"]).length == document.length


def test_pairs_show_who_disagrees(degraded) -> None:
    documents = with_a_stranger(degraded(14))
    pairs = gamma_by_pair(documents, settings=FAST)
    names = documents[0].annotators
    assert set(pairs) == {(names[0], names[1]), (names[0], names[2]), (names[1], names[2])}
    assert pairs[names[0], names[1]].value > 0.4
    assert pairs[names[0], names[2]].value < 0.2
    without = gamma_without_each(documents, settings=FAST)
    assert max(without, key=lambda name: without[name].value) == names[2]
    assert without[names[2]].value == pytest.approx(pairs[names[0], names[1]].value)


def test_a_pair_is_the_campaign_of_two_in_the_order_of_the_whole(degraded) -> None:
    documents = in_one_order(degraded(12))
    pair = gamma_by_pair(documents, settings=FAST)["annotator 0", "annotator 2"]
    alone = [c.select_annotators(["annotator 0", "annotator 2"]) for c in documents]
    assert pair == gamma(alone, Dissimilarity(), FAST).corpus


def test_annotators_who_share_no_document(degraded) -> None:
    first = degraded(6, n_annotators=2)
    second = [
        replace(c, annotators=("annotator 0", "annotator 2")) for c in degraded(6, n_annotators=2)
    ]
    pairs = gamma_by_pair([*first, *second], settings=FAST)
    apart = pairs["annotator 1", "annotator 2"]
    assert math.isnan(apart.value)
    assert str(apart.reason) == "no document in common"
    without = gamma_without_each([*first, *second], settings=FAST)
    assert str(without["annotator 0"].reason) == "no document in common"
    # chance may still draw from the documents that annotator 0 is alone on
    assert without["annotator 1"].observed == pairs["annotator 0", "annotator 2"].observed


def test_a_category_is_its_units_alone(degraded) -> None:
    documents = degraded(14, confusion=0, omission=0)
    rng = np.random.default_rng(1)
    blurred = []
    for c in documents:  # nobody agrees where units of z stand
        z = c.categories == 2
        starts = np.where(z, rng.uniform(0, c.length - 40, c.n_units), c.starts)
        blurred.append(replace(c, starts=starts, ends=starts + c.ends - c.starts))
    by_category = gamma_by_category(blurred, settings=FAST)
    assert by_category["x"].value > 0.5
    assert by_category["z"].value < 0.2
    unused = [replace(c, tagset=(*c.tagset, "unused")) for c in documents]
    estimate = gamma_by_category(unused, settings=FAST)["unused"]
    assert str(estimate.reason) == "no annotator marked a unit"


def test_a_part_of_few_units_has_its_count_and_no_value() -> None:
    """One annotator alone found the only unit of y: chance has no disorder to compare with."""
    names, tagset = ("a", "b", "c"), ("x", "y")
    documents = [
        Continuum([10, 11, 12], [20, 21, 22], [0, 0, 0], [0, 1, 2], names, tagset, length=60)
        for _ in range(4)
    ]
    lone = Continuum([5, 30], [25, 50], [1, 0], [0, 1], names, tagset, length=60)
    found = gamma_by_category([*documents, lone], settings=FAST)
    assert found["x"].value > 0.5
    assert math.isnan(found["y"].value)
    assert str(found["y"].reason) == f"too few units (1): γ of a part needs {FEWEST_UNITS}"
    assert (found["y"].n_items, found["y"].n_annotators) == (1, 3)
    pairs = gamma_by_pair([*documents[:2], lone], settings=FAST)
    assert {pair: value.n_items for pair, value in pairs.items()} == {
        ("a", "b"): 6,
        ("a", "c"): 5,
        ("b", "c"): 5,
    }
    assert all(str(value.reason).startswith("too few units") for value in pairs.values())


def test_parts_are_judged_by_the_processes_of_the_settings(degraded) -> None:
    documents = degraded(6)
    shuffled = replace(FAST, processes=("shuffle",))
    for found in (
        *gamma_by_pair(documents, settings=shuffled).values(),
        *gamma_by_category(documents, settings=shuffled).values(),
        *gamma_without_each(documents, settings=shuffled).values(),
    ):
        assert found.detail.process == "shuffle"


def test_a_part_that_random2_cannot_draw_takes_the_other_processes(degraded) -> None:
    """Two documents in which three took part, and two more of other people."""
    others = [replace(c, annotators=("d", "e", "f")) for c in degraded(2, n_units=24, seed=1)]
    documents = [*degraded(2, n_units=24), *others]
    asked = replace(FAST, processes=("random2", "random1"))
    alone = gamma_by_category(documents[:2], settings=asked)
    assert {found.detail.process for found in alone.values()} == {"random1"}
    only = gamma_by_category(documents[:2], settings=replace(FAST, processes=("random2",)))
    assert {found.detail.process for found in only.values()} <= {"shuffle", "statistical"}
    whole = gamma_by_category(documents, settings=replace(FAST, processes=("random2",)))
    assert {found.detail.process for found in whole.values()} == {"random2"}


def test_the_effect_of_an_annotator_is_paired_with_the_value_of_all(degraded) -> None:
    documents = with_a_stranger(degraded(14))
    whole = gamma(documents, settings=FAST)
    values, effects = effects_of_annotators(documents, whole.observed, settings=FAST)
    assert values == gamma_without_each(documents, settings=FAST)
    stranger = documents[0].annotators[-1]
    found = {one.names[0]: one for one in effects}
    own = whole.corpus.value
    for name, one in found.items():
        assert one.value == pytest.approx(values[name].value)
        assert one.change.value == pytest.approx(one.value - own, abs=0.02)
    level = 1 - 0.05 / len(effects)
    helpful = [name for name, one in found.items() if one.change.interval(level)[0] > 0]
    assert helpful == [stranger]
