"""`accordeur ratings`, and what `agree` and `resample` say of groups, panels and new annotators."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.flows.in_process import found, said, values


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Six annotators rate 40 items; ann rates the first ten again."""
    rng = np.random.default_rng(6)
    items = rng.normal(5, 2, 40)
    rows = ["item,annotator,label,pass"]
    for name in ("ann", "ben", "cat", "dan", "eve", "fay"):
        for k, of_pass in enumerate((range(40), range(10 if name == "ann" else 0)), 1):
            rows += [
                f"q{i},{name},{round(float(np.clip(items[i] + rng.normal(), 1, 9)))},{k}"
                for i in of_pass
            ]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_a_study_of_ratings_has_every_part(table: Path):
    study = found("ratings", table, "--annotators", "1-3", "--replicates", "100")
    assert [one["measure"] for one in study["reliability"]][:2] == ["icc_1_1", "icc_2_1"]
    alphas = {one["signature"].split("|")[1]: one["value"] for one in study["scales"]}
    assert alphas["distance:nominal"] < alphas["distance:ordinal"]
    assert alphas["distance:interval"] == pytest.approx(
        values("agree", table, "--measure", "krippendorff_alpha", "--distance", "interval")[
            "krippendorff_alpha"
        ]
    )
    assert [one["detail"]["k"] for one in study["forecast"]] == [1, 2, 3] * 2
    assert len(study["pairs"]) == 15
    assert (study["repeatability"]["n_items"], study["repeatability"]["n_annotators"]) == (10, 1)
    assert len(study["widest"]) == 40


def test_it_is_printed_in_sentences(table: Path):
    code, text = said("ratings", table, "--annotators", "1-3", "--replicates", "100")
    assert code == 0
    assert "if the labels are categories" in text
    assert "The within-annotator standard deviation is" in text
    assert "ICC(2,1)" in text
    assert "ICC(2,·): the same annotators, whose shifts count as errors." in text
    assert "Φ for absolute ones (how good is an item?)" in text


def test_labels_that_are_no_numbers_are_refused(tmp_path: Path):
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,label\n1,a,yes\n1,b,no\n2,a,no\n2,b,no\n", encoding="utf-8")
    code, error = said("ratings", path)
    assert code == 2
    assert "the ratings must be numbers" in error


def test_two_groups_are_compared(table: Path):
    groups = ("--group", "ann,ben,cat", "--group", "dan,eve,fay", "--distance", "interval")
    of_groups = values("agree", table, *groups)
    assert list(of_groups) == ["cross_replication", "normalized_cross_replication"]
    assert of_groups["normalized_cross_replication"] == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--group", "ann,ben"), "give --group twice"),
        (("--group", "ann", "--group", "zoe"), "no annotator 'zoe'; the annotators are ann, ben"),
        (("--group", "ann", "--group", "ann"), "ann is named twice"),
        (
            ("--group", "ann", "--group", "ben", "--measure", "cohen_kappa"),
            "remove --measure and --interval",
        ),
    ],
)
def test_mistakes_in_groups_are_named(table: Path, options: tuple[str, ...], words: str):
    assert words in said("agree", table, *options)[1]


def test_intervals_for_new_annotators_are_wider(table: Path):
    options = ("--measure", "krippendorff_alpha", "--distance", "interval")
    widths = []
    for interval in ("bootstrap", "annotators"):
        [row] = found("agree", table, *options, "--interval", interval)["results"]
        widths.append(row["interval"][1] - row["interval"][0])
    assert widths[1] > widths[0]


def test_resample_adds_the_reliability_of_k_annotators(table: Path):
    options = ("--reliability", "krippendorff_alpha", "--distance", "interval")
    rows = found("resample", table, *options)["results"]
    of_k = {
        one["detail"]["k"]: one["value"] for one in rows if one["measure"] == "k_rater_reliability"
    }
    assert of_k[2] == pytest.approx(2 * of_k[1] / (1 + of_k[1]))
    assert "krippendorff_alpha of k annotators together" in said("resample", table, *options)[1]
