"""What commands on exports print: what was asked, once, in one notation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flows.command_line import accordeur

LABELS = [
    *(f"d{k % 4},{k},{who},{'xyz'[k % 3]}" for k in range(24) for who in ("ana", "bo")),
    *(f"d{k % 4},{k},cy,{'xyz'[k % 3] if k % 5 else 'x'}" for k in range(24)),
]


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(["document,item,annotator,label", *LABELS]), encoding="utf-8")
    return path


@pytest.fixture
def units(tmp_path: Path) -> Path:
    path = tmp_path / "units.csv"
    places = [(d, who, 10 * i) for d in range(4) for who in ("ana", "bo", "cy") for i in range(5)]
    rows = [f"d{d},{who},{s + (who == 'cy')},{s + 5},{'xy'[s // 10 % 2]}" for d, who, s in places]
    path.write_text("\n".join(["document,annotator,start,end,category", *rows]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("by", "named"),
    [
        ("category", ["x", "y", "z"]),
        ("pair", ["ana – bo", "ana – cy", "bo – cy"]),
        ("annotator", ["ana", "bo", "cy"]),
    ],
)
def test_the_first_measure_by_part(labels: Path, by: str, named: list[str]) -> None:
    said = json.loads(accordeur("agree", labels, "--by", by, "--json", "--replicates", 50).stdout)
    assert [one["part"] for one in said["parts"]] == named
    assert {one["measure"] for one in said["parts"]} == {"krippendorff_alpha"}
    if by != "category":
        best = max(said["parts"], key=lambda one: one["value"])
        assert (best["part"], best["value"]) == (named[2 if by == "annotator" else 0], 1.0)
    printed = accordeur("agree", labels, "--by", by, "--replicates", 50).stdout
    assert all(name in printed for name in named)
    assert "parts" not in json.loads(accordeur("agree", labels, "--json").stdout)


def test_gamma_by_pair(units: Path) -> None:
    found = json.loads(accordeur("gamma", units, "--by", "pair", "--json").stdout)["parts"]
    assert [one["part"] for one in found] == ["ana – bo", "ana – cy", "bo – cy"]
    assert found[0]["value"] == 1.0 > found[1]["value"]
    refused = accordeur("gamma", units, "--by", "pair", "--measure", "u_alpha")
    assert "--by is for the measures gamma, pairwise_f, " in refused.stderr


def test_scores_are_f_with_precision_and_recall_and_all_on_request(units: Path) -> None:
    arguments = ("score", "--reference", f"{units}#ana", "--system", f"{units}#cy")
    short = accordeur(*arguments, "--single-annotator", "--replicates", 0).stdout
    assert "exact_f" in short
    assert "slot_error_rate" not in short
    assert "more measures with --all" in short
    every = accordeur(*arguments, "--single-annotator", "--replicates", 0, "--all").stdout
    assert "slot_error_rate" in every
    asked = ("--single-annotator", "--replicates", 0, "--measure", "slot_error_rate")
    assert "slot_error_rate" in accordeur(*arguments, *asked).stdout


def test_a_category_outside_the_tagset_is_compared_with_the_declared_ones(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    rows = ["1,a,politics", "1,b,politcs", "2,a,sport", "2,b,Sport ", "3,a,sport", "3,b,politics"]
    path.write_text("\n".join(["item,annotator,label", *rows]), encoding="utf-8")
    said = accordeur("agree", path, "--categories", "politics,sport", "--replicates", 0).stdout
    assert "(politcs; did you mean “politics”?)" in said


def test_a_word_that_is_no_command_names_one() -> None:
    said = " ".join(accordeur("report").stderr.replace("│", " ").split())
    assert "Did you mean `accordeur run campaign.toml`?" in said
    assert "did you mean" in accordeur("agree", "none.csv", "--measure", "kappa").stderr
