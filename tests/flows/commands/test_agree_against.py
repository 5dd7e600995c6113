"""`accordeur agree --against` and `--interval analytic`: paired and independent differences."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from accordeur.data.errors import DataError
from accordeur.flows.cli import app
from accordeur.metrics.agreement.coefficient_difference import (
    bootstrap_difference,
    paired_difference,
)
from accordeur.metrics.errors import MetricsError
from accordeur.tasks.agreement.agreement_differences import agree_against
from accordeur.tasks.inputs.label_options import LabelOptions
from tests.read_labels import measured_labels

# Gwet, Handbook of Inter-Rater Reliability, 4th ed. 2014: 12 subjects, 4 raters.
GWET = [
    "11-1", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "-555", "--11", "--3-",
]  # fmt: skip
# Standard errors that R irrCAC gives for it (known_values.json).
STANDARD_ERRORS = {"gwet_ac1": 0.14295, "conger_kappa": 0.14917, "fleiss_kappa": 0.15302}


def table(path: Path, rows: list[str], *, skip: int = 0, documents: bool = False) -> Path:
    lines = ["item,annotator,label" + (",document" if documents else "")]
    lines += [
        f"i{i:03d},r{a},{label}" + (f",d{i // 5:02d}" if documents else "")
        for i, row in enumerate(rows)
        for a, label in enumerate(row)
        if label != "-" and i >= skip
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def team(accuracy: float, *, seed: int, n: int = 120) -> list[str]:
    rng = np.random.default_rng(seed)
    truth = np.random.default_rng(0).integers(1, 4, n)
    right = rng.random((n, 3)) < accuracy
    codes = np.where(right, truth[:, None], rng.integers(1, 4, (n, 3)))
    return ["".join(map(str, row)) for row in codes.tolist()]


def printed(*arguments: str | Path) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["agree", *map(str, arguments), "--json"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.output)
    return found


def test_gwets_published_standard_errors(tmp_path: Path) -> None:
    found = printed(table(tmp_path / "gwet.csv", GWET), "--interval", "analytic")["results"]
    rows = {row["measure"]: row for row in found}
    for measure, published in STANDARD_ERRORS.items():
        assert rows[measure]["detail"]["standard_error"] == pytest.approx(published, abs=6e-6)
        assert "|interval:gwet/items/0.95|" in rows[measure]["signature"]
    assert rows["gwet_ac1"]["interval"] == pytest.approx([0.461, 1.0], abs=6e-4)


def test_two_teams_on_the_same_items(tmp_path: Path) -> None:
    good = table(tmp_path / "good.csv", team(0.9, seed=1))
    poor = table(tmp_path / "poor.csv", team(0.6, seed=2)[::1], skip=20)
    for options in ((), ("--interval", "analytic")):
        rows = printed(good, "--against", poor, *options)["differences"]
        for row in rows:
            assert row["difference"] == pytest.approx(row["first"] - row["second"])
            assert 0 < row["interval"][0] < row["difference"] < row["interval"][1]
            assert row["p_value"] < 0.01
            assert (row["n_items"], row["n_left_out"]) == ([100, 100], 20)
            assert "|first:" in row["signature"]
    cut = measured_labels(table(tmp_path / "cut.csv", team(0.9, seed=1), skip=20)).matrix
    analytic = paired_difference(cut, measured_labels(poor).matrix, measures=("conger_kappa",) * 2)
    [row] = printed(good, "--against", poor, "--measure", "conger_kappa", "--interval", "analytic")[
        "differences"
    ]
    assert row["interval"] == pytest.approx([analytic.lower, analytic.upper])
    assert row["standard_error"] == pytest.approx(analytic.standard_error)


def test_the_order_of_rows_does_not_matter_and_documents_are_drawn(tmp_path: Path) -> None:
    first = table(tmp_path / "first.csv", team(0.9, seed=1), documents=True)
    second = table(tmp_path / "second.csv", team(0.7, seed=3), documents=True)
    head, *lines = second.read_text(encoding="utf-8").splitlines()
    mixed = tmp_path / "mixed.csv"
    mixed.write_text("\n".join([head, *lines[::-1]]) + "\n", encoding="utf-8")
    asked = LabelOptions(measures=("fleiss_kappa",))
    found = [agree_against(first, path, options=asked).compared for path in (second, mixed)]
    assert found[0] == found[1]
    [one] = found[0]
    drawn = bootstrap_difference(
        measured_labels(first).matrix,
        measured_labels(second).matrix,
        measures=("fleiss_kappa",) * 2,
        seed=0,
    )
    assert one.difference == drawn
    assert one.difference.over == "documents"


def test_campaigns_that_share_nothing(tmp_path: Path) -> None:
    first = table(tmp_path / "first.csv", team(0.9, seed=1))
    other = tmp_path / "other.csv"
    table(other, team(0.6, seed=2))
    other.write_text(other.read_text(encoding="utf-8").replace("\ni", "\nx"), encoding="utf-8")
    with pytest.raises(DataError, match=r"no item in common.*--independent"):
        agree_against(first, other)
    asked = LabelOptions(measures=("krippendorff_alpha",))
    [one] = agree_against(first, other, options=asked, independent=True).compared
    assert one.difference.method == "dirichlet-profiles-independent"
    assert one.difference.lower > 0
    with pytest.raises(MetricsError, match="remove --independent"):
        agree_against(first, other, options=LabelOptions(interval="analytic"), independent=True)


def test_what_cannot_be_paired_is_told(tmp_path: Path) -> None:
    plain = table(tmp_path / "plain.csv", GWET)
    placed = table(tmp_path / "placed.csv", GWET, documents=True)
    with pytest.raises(DataError, match=r"only .*placed\.csv has a column of documents"):
        agree_against(plain, placed)
    alone = table(tmp_path / "alone.csv", [row[-1] for row in GWET])
    with pytest.raises(DataError, match="one annotator only"):
        agree_against(plain, alone)
    [one] = agree_against(plain, plain, options=LabelOptions(measures=("gwet_ac1",))).compared
    same = one.difference
    assert same.value == 0
    assert same.lower < 0 < same.upper  # other items may differ
    assert same.p_value > 0.8


def test_a_row_set_aside_of_either_table_is_told(tmp_path: Path) -> None:
    plain, holed = table(tmp_path / "plain.csv", GWET), table(tmp_path / "holed.csv", GWET)
    holed.write_text(holed.read_text(encoding="utf-8") + "i001,,2\n", encoding="utf-8")
    found = printed(plain, "--against", holed, "--replicates", "10")
    assert [(row["source"], row["rule"]) for row in found["rejected"]] == [
        ("holed.csv", "empty_value")
    ]
    assert all(row["difference"] == 0 for row in found["differences"])


def test_tables_of_one_name_are_told_apart(tmp_path: Path) -> None:
    paths = []
    for side in ("old", "new"):
        (tmp_path / side).mkdir()
        paths.append(table(tmp_path / side / "labels.csv", GWET))
    paths[1].write_text(paths[1].read_text(encoding="utf-8") + "i001,,2\n", encoding="utf-8")
    found = printed(paths[0], "--against", paths[1], "--replicates", "10")
    assert [row["source"] for row in found["rejected"]] == ["second: labels.csv"]


def test_equal_annotations_are_said_to_be_equal(tmp_path: Path) -> None:
    first = table(tmp_path / "first.csv", GWET)
    second = table(tmp_path / "second.csv", GWET)
    other = table(tmp_path / "other.csv", ["11-2", *GWET[1:]])
    [warning] = printed(first, "--against", second)["warnings"]
    assert warning["code"] == "nothing_changed"
    assert printed(first, "--against", other)["warnings"] == []
