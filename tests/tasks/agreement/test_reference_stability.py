"""What a campaign's own labels say of its reference."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.beyond_chance import share_of_guesses
from accordeur.reports.warnings import in_english
from accordeur.tasks.agreement.reference_stability import label_readings
from tests.flows.small import labels_csv


def test_readings_of_a_campaign(tmp_path: Path) -> None:
    codes = labels_csv(tmp_path, n=5, n_items=80)
    matrix = LabelMatrix(
        codes=codes.astype(np.int32), tagset=tuple("01234"), annotators=tuple("abcde")
    )
    found = label_readings(matrix, layer="emotion")
    [reading], [table] = found.readings, found.tables
    assert reading.value == table.value
    assert [p.k for p in table.points] == list(range(2, 25))
    rate = next(p.modification_rate for p in table.points if p.k == 5)
    assert f"about {rate:.1%} of the reference would change" in in_english(reading.sentences[0])
    assert f"(α {table.value:.3f}, distance: nominal)" in in_english(reading.sentences[0])
    assert all(math.isnan(p.weighted) for p in table.points)
    # Only 13 or more of the 25 keep the change below 5 %, as they are most of them.
    assert next(p.modification_rate for p in table.points if p.k == 12) >= 0.05
    assert table.points[-1].modification_rate < 0.05
    assert "at least 5% of the labels change, even with 12 annotators" in in_english(
        reading.sentences[1]
    )


def test_fewer_than_half_of_the_simulated_annotators_may_be_enough() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 200)
    codes = np.where(rng.random((200, 9)) < 0.03, 1 - truth[:, None], truth[:, None])
    matrix = LabelMatrix(
        codes=codes.astype(np.int32), tagset=("x", "y"), annotators=tuple("abcdefghi")
    )
    found = label_readings(matrix, layer="mood")
    [reading], [table] = found.readings, found.tables
    above = [p.k for p in table.points if p.modification_rate >= 0.05]
    enough = in_english(reading.sentences[1])
    assert "Compared with a reference by 25 annotators like these, less than 5%" in enough
    assert f"on average with {max(above, default=1) + 1} annotators or more" in enough
    assert "not how many annotators the campaign needs" in enough


@pytest.mark.parametrize(
    ("measure", "distance"),
    [
        ("krippendorff_alpha", "ordinal"),
        ("krippendorff_alpha", "nominal"),
        ("fleiss_kappa", "nominal"),
        ("conger_kappa", "nominal"),
    ],
)
def test_the_share_of_guesses_of_simulated_annotators_is_read_off_their_value(
    measure: str, distance: Literal["ordinal", "nominal"]
) -> None:
    rng = np.random.default_rng(4)
    truth = rng.choice(3, p=[0.6, 0.3, 0.1], size=20_000)
    guesses = rng.choice(3, p=[0.6, 0.3, 0.1], size=(20_000, 3))
    codes = np.where(rng.random((20_000, 3)) < 0.3, guesses, truth[:, None]).astype(np.int32)
    matrix = LabelMatrix(codes=codes, tagset=("x", "y", "z"), annotators=("a", "b", "c"))
    value = compute_coefficient(measure, matrix, distance=distance).value
    assert share_of_guesses(value) == pytest.approx(0.3, abs=0.01)


def test_only_coefficients_with_the_chance_of_guesses_are_read_as_guesses() -> None:
    codes = np.array([[0, 0], [0, 0], [1, 1], [1, 1], [0, 1], [0, 0]], dtype=np.int32)
    matrix = LabelMatrix(codes=codes, tagset=("x", "y"), annotators=("a", "b"))
    [of_alpha] = label_readings(matrix, layer="l").readings
    share = share_of_guesses(of_alpha.value)
    assert f"guess on {share:.0%} of the items" in in_english(of_alpha.sentences[-1])
    [of_ac1] = label_readings(matrix, layer="l", measure="gwet_ac1").readings
    assert not any(one.code == "share_of_guesses" for one in of_ac1.sentences)
    assert math.isnan(share_of_guesses(-0.1))


def test_the_table_is_at_the_layers_own_coefficient_and_distance(tmp_path: Path) -> None:
    codes = labels_csv(tmp_path, n=5, n_items=80)
    matrix = LabelMatrix(
        codes=codes.astype(np.int32), tagset=tuple("01234"), annotators=tuple("abcde")
    )
    [table] = label_readings(matrix, layer="l", distance="ordinal", ordered=True).tables
    own = compute_coefficient("krippendorff_alpha", matrix, distance="ordinal").value
    assert (table.value, table.distance) == (own, "ordinal")
    for point in table.points:  # a change on a scale costs less than one to anywhere
        low, high = point.weighted_interval
        assert 0 < low <= point.weighted <= high
        assert point.weighted < point.modification_rate / 2
    [of_kappa] = label_readings(matrix, layer="l", measure="gwet_ac1").tables
    assert of_kappa.value == compute_coefficient("gwet_ac1", matrix).value
    [other] = label_readings(matrix, layer="l", measure="aickin_alpha").tables
    assert other.measure == "krippendorff_alpha"


@pytest.mark.parametrize(
    ("codes", "sentence"),
    [([[0, 0], [0, 0]], "single category used"), ([[0, 0], [1, 1]], "do not reach")],
)
def test_readings_say_why_there_is_no_table(codes: list[list[int]], sentence: str) -> None:
    matrix = LabelMatrix(
        codes=np.array(codes, dtype=np.int32), tagset=("x", "y"), annotators=("a", "b")
    )
    found = label_readings(matrix, layer="l")
    assert found.tables == []
    assert sentence in in_english(found.readings[0].sentences[0])
    alone = LabelMatrix(codes=np.zeros((3, 1), np.int32), tagset=("x", "y"), annotators=("a",))
    assert label_readings(alone, layer="l").readings == []
