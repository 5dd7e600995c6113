"""What `accordeur agree` says beside the values: distances, missing intervals, odd categories."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.flows.command_line import accordeur, results


def table(path: Path, given: list[tuple[str, ...]]) -> Path:
    rows = [f"{i},{who},{x}" for i, item in enumerate(given) for who, x in zip("abc", item)]  # noqa: B905
    path.write_text("\n".join(["item,annotator,label", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty measurements by three people; nobody gives a number twice."""
    rng = np.random.default_rng(0)
    given = [tuple(f"{i + rng.normal(0, 1):.3f}" for _ in "abc") for i in range(30)]
    return table(tmp_path_factory.mktemp("m") / "measured.csv", given)


def test_numbers_compared_as_names_are_told(measured: Path) -> None:
    told = " ".join(accordeur("agree", measured, "--replicates", "20").stdout.split())
    assert "categories are all numbers" in told
    assert "gave no category that anybody else gave" not in told  # as nobody repeats a number
    assert "ends at its value" in told  # of α: resamples repeat labels, and chance rises
    told = accordeur("agree", measured, "--replicates", "20", "--distance", "interval").stdout
    assert "all numbers" not in told
    assert "interval for krippendorff_alpha" not in told


def test_each_value_says_its_distance_where_they_differ(measured: Path) -> None:
    lines = accordeur("agree", measured, "--distance", "interval", "--replicates", "0").stdout
    rows = {line.split("│")[1].strip(): line for line in lines.splitlines() if "│" in line}
    assert "interval" in rows["krippendorff_alpha"]
    assert "nominal" in rows["fleiss_kappa"]
    said = accordeur("agree", measured, "--replicates", "0").stdout
    assert said.partition("\n")[0] == "30 items, 3 annotators; distance: nominal"
    assert said.split("warning")[0].count("nominal") == 1  # in the heading, for all rows


def test_a_sign_for_no_label_is_told(tmp_path: Path) -> None:
    path = table(tmp_path / "l.csv", [("x", "x"), ("y", "NA"), ("x", "y"), ("y", "y")])
    assert "'NA' is counted as a category" in accordeur("agree", path).stdout
    done = accordeur("agree", path, "--option", "missing=NA")
    assert "(1 without a label or unit, 1 with one annotator only), 0 rejected" in done.stdout
    assert "counted as a category" not in done.stdout


def test_a_single_item_has_no_interval_and_says_why(tmp_path: Path) -> None:
    path = table(tmp_path / "l.csv", [("x", "y")])
    assert "fewer than 2 documents or items" in accordeur("agree", path).stdout
    signature = results("agree", path)["krippendorff_alpha"]["signature"]
    assert "interval:" not in signature
    assert "replicates:" not in signature


def test_annotators_without_a_common_item_are_told_to_compare_names(tmp_path: Path) -> None:
    path = tmp_path / "apart.csv"
    rows = [f"{i},{who},x" for who, items in (("a", "123"), ("b", "456")) for i in items]
    path.write_text("\n".join(["item,annotator,label", *rows]), encoding="utf-8")
    told = accordeur("agree", path, "--replicates", "0").stdout
    assert "0 items with two or more labels (6 with one), 2 annotators; distance: nominal\n" in told
    assert "no item in common (a: '1', '2', '3'; b: '4', '5', '6'): compare how" in told
    path.write_text("\n".join(["item,annotator,label", *rows, "1,b,x", "2,b,y"]), encoding="utf-8")
    told = accordeur("agree", path, "--replicates", "0").stdout
    assert "2 items with two or more labels (4 with one), 2 annotators; distance: nominal\n" in told
    assert "in common" not in told


def test_a_coefficient_that_was_added_says_why(tmp_path: Path) -> None:
    one = table(tmp_path / "one.csv", [("x", "x")] * 3)
    asked = ("agree", one, "--replicates", "0", "--measure", "krippendorff_alpha")
    assert "gwet_ac1 was not requested and was added, because" in accordeur(*asked).stdout
    assert "not requested" not in accordeur(*asked, "--measure", "gwet_ac1").stdout
