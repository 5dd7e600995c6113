"""What a coefficient would be without an annotator or batch, or with two categories as one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from accordeur.metrics.agreement.breakdown import coefficient_without_each_annotator
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.diagnosis.coefficient_effects import effects_on_coefficients
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.effect_of_omission import Effect, EffectKind

ALPHA = "krippendorff_alpha"


def campaign(seed: int, errors: tuple[float, ...], n_documents: int = 20) -> LabelMatrix:
    """Four categories, ten items a document; annotators guess with these probabilities."""
    rng = np.random.default_rng(seed)
    n_items = n_documents * 10
    truth = rng.integers(0, 4, n_items)
    given = [np.where(rng.random(n_items) < e, rng.integers(0, 4, n_items), truth) for e in errors]
    return LabelMatrix(
        codes=np.stack(given, axis=1).astype(np.int32),
        tagset=("a", "b", "c", "d"),
        annotators=tuple("wxyz"[: len(errors)]),
        documents=np.repeat(np.arange(n_documents), 10),
    )


def beyond_chance(effects: list[Effect]) -> list[Effect]:
    level = 1 - 0.05 / len(effects)
    return [one for one in effects if one.change.interval(level)[0] > 0]


def test_the_values_are_those_of_the_table_of_annotators_left_out():
    matrix = campaign(1, (0.2, 0.2, 0.4))
    table = dict(coefficient_without_each_annotator(ALPHA, matrix))
    effects = effects_on_coefficients(matrix, measures=[ALPHA])
    own = compute_coefficient(ALPHA, matrix).value
    found = {one.names[0]: one for one in effects if one.kind is EffectKind.annotator}
    assert found.keys() == table.keys()
    for name, one in found.items():
        assert one.value == pytest.approx(table[name].value)
        assert one.change.value == pytest.approx(table[name].value - own)


def test_the_annotator_who_guesses_is_the_one_effect_beyond_chance():
    effects = effects_on_coefficients(campaign(2, (0.15, 0.15, 0.15, 0.6)), measures=[ALPHA])
    [found] = beyond_chance(effects)
    assert (found.kind, found.names) == (EffectKind.annotator, ("z",))


def test_two_categories_that_are_confused_stand_out():
    matrix = campaign(3, (0.1, 0.1, 0.1))
    rng = np.random.default_rng(3)
    swapped = (matrix.codes < 2) & (rng.random(matrix.codes.shape) < 0.3)
    confused = replace(matrix, codes=np.where(swapped, 1 - matrix.codes, matrix.codes))
    best = max(
        effects_on_coefficients(confused, measures=[ALPHA]), key=lambda one: one.change.value
    )
    assert (best.kind, best.names) == (EffectKind.categories, ("a", "b"))
    assert best in beyond_chance([best])


def test_a_batch_of_guesses_stands_out():
    matrix = campaign(4, (0.1, 0.1))
    last = matrix.documents >= 15
    rng = np.random.default_rng(4)
    codes = np.where(last[:, None], rng.integers(0, 4, matrix.codes.shape), matrix.codes)
    worse = replace(matrix, codes=codes.astype(np.int32))
    effects = effects_on_coefficients(worse, measures=[ALPHA], batches={"one": ~last, "two": last})
    found = {one.names: one for one in effects if one.kind is EffectKind.batch}
    assert found[("two",)].value == pytest.approx(
        compute_coefficient(ALPHA, worse.select_items(~last)).value
    )
    assert found[("two",)].change.interval()[0] > 0
    assert found[("one",)].change.value < 0


def test_annotators_of_equal_quality_are_rarely_singled_out():
    """At most one campaign of twenty has an effect whose corrected interval excludes zero."""
    n_found = sum(
        bool(
            beyond_chance(effects_on_coefficients(campaign(seed, (0.2,) * 4, 12), measures=[ALPHA]))
        )
        for seed in range(60)
    )
    assert n_found <= 4


def test_two_annotators_and_two_categories_leave_nothing_to_compare():
    matrix = campaign(5, (0.2, 0.2))
    two = replace(matrix, codes=matrix.codes % 2, tagset=("a", "b"))
    assert effects_on_coefficients(two, measures=[ALPHA]) == []
