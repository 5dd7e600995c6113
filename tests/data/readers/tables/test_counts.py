"""Tables that count the annotators of each category: the values need no names of annotators."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import accordeur as acc
from accordeur.metrics.errors import MetricsError
from tests.flows.in_process import found, said, texts, values

COUNTS = ("--option", "layout=counts", "--replicates", "0")
DIAGNOSES = "Subject,Depression,Personality,Schizophrenia,Neurosis,Other\n"
# the first 15 patients of Fleiss (1971), table 1: six psychiatrists each
PATIENTS = [
    *("0,0,0,6,0", "0,3,0,0,3", "0,1,4,0,1", "0,0,0,0,6", "0,3,0,3,0"),
    *("2,0,4,0,0", "0,0,4,0,2", "2,0,3,1,0", "2,0,0,4,0", "0,0,0,0,6"),
    *("1,0,0,5,0", "1,1,0,4,0", "0,3,3,0,0", "1,0,0,5,0", "0,2,0,3,1"),
]


def table(folder: Path, text: str) -> Path:
    path = folder / "counts.csv"
    path.write_text(text, encoding="utf-8")
    return path


def patients(folder: Path) -> Path:
    rows = (f"{number},{row}\n" for number, row in enumerate(PATIENTS, start=1))
    return table(folder, DIAGNOSES + "".join(rows))


def test_published_values_of_irrcac(tmp_path: Path) -> None:
    """README of irrCAC (Gwet), `fleiss.kappa.dist` and others of `distrib.6raters`."""
    found_values = values("agree", patients(tmp_path), *COUNTS)
    assert found_values == {
        "gwet_ac1": pytest.approx(0.4448007, abs=5e-8),
        "fleiss_kappa": pytest.approx(0.4139265, abs=5e-8),
        "krippendorff_alpha": pytest.approx(0.4204384, abs=5e-8),
        "bennett_s": pytest.approx(0.4388889, abs=5e-8),
        "percent_agreement": pytest.approx(0.5511111, abs=5e-8),
    }


def test_counts_give_the_values_of_the_labels_that_they_count(tmp_path: Path) -> None:
    rows = [("x", "aaab"), ("y", "bbc"), ("z", "cc"), ("w", "a"), ("v", "abca")]
    counts = "".join(f"{item},{','.join(str(ls.count(c)) for c in 'abc')}\n" for item, ls in rows)
    labels = [f"{item},{k},{one}\n" for item, given in rows for k, one in enumerate(given)]
    long = tmp_path / "long.csv"
    long.write_text("item,annotator,label\n" + "".join(labels), encoding="utf-8")
    of_labels = values("agree", long, "--replicates", "0")
    of_counts = values("agree", table(tmp_path, "text,a,b,c\n" + counts), *COUNTS)
    assert of_counts == {name: of_labels[name] for name in of_counts}
    assert of_labels.keys() - of_counts.keys() == {"conger_kappa"}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--measure", "cohen_kappa"), "cohen_kappa depends on who gave a label"),
        (("--measure", "icc_2_1"), "icc_2_1 depends on who gave a label"),
        (("--by", "pair"), "--by pair needs to know who gave a label"),
        (("--by", "annotator"), "--by annotator needs to know"),
        (("--interval", "annotators"), "--interval annotators needs to know"),
    ],
)
def test_what_needs_names_is_refused(
    tmp_path: Path, options: tuple[str, str], sentence: str
) -> None:
    code, output = said("agree", patients(tmp_path), *COUNTS, *options)
    assert (code, sentence in output) == (2, True), output


def test_only_agree_and_resample_read_counts(tmp_path: Path) -> None:
    path = patients(tmp_path)
    assert said("resample", path, *COUNTS)[0] == 0
    code, output = said("ratings", path, "--option", "layout=counts")
    assert (code, "does not say who gave a label" in output) == (2, True), output
    code, output = said("agree", path, "--replicates", "0")
    assert (code, "`--option layout=counts`" in output) == (2, True), output


def test_columns_beside_the_counts_are_not_categories(tmp_path: Path) -> None:
    rows = "".join(f"{'AB'[k % 2]},{k},{row},6\n" for k, row in enumerate(PATIENTS))
    path = table(tmp_path, f"arm,{DIAGNOSES.strip()},total\n{rows}")
    whole = found("agree", path, *COUNTS)
    assert whole["results"][0]["value"] == pytest.approx(0.4204384, abs=5e-8)
    said_of = " ".join(texts(whole))
    assert "not used (2): arm, total" in said_of
    assert "read as the item, because it has a different value in each row: Subject" in said_of
    assert "does not name them" in said_of


def test_a_row_whose_counts_cannot_be_read_is_rejected(tmp_path: Path) -> None:
    text = "item,yes,no\na,3,1\nb,2,two\nc,0,4\nd,2,-2\ne,2,2\nf,20000,0\n"
    whole = found("agree", table(tmp_path, text), *COUNTS)
    assert whole["rows"]["measured"] == 12
    assert {row["rule"] for row in whole["rejected"]} == {"bad_count"}
    assert len(whole["rejected"]) == 3
    code, output = said("agree", table(tmp_path, "item,yes\na,3\nb,2\n"), *COUNTS)
    assert (code, "two columns or more" in output) == (2, True), output


def test_frames_and_arrays_of_counts(tmp_path: Path) -> None:
    """A frame without an item was five annotators, α .04: the output of `aggregate_raters`."""
    frame = pd.read_csv(patients(tmp_path)).drop(columns="Subject")
    with pytest.raises(MetricsError, match="annotator=None"):
        acc.agreement(frame, replicates=0)
    for data in (frame, frame.to_numpy(), frame.astype(float), frame.to_numpy().tolist()):
        found_values = acc.agreement(data, annotator=None, replicates=0)
        assert found_values["fleiss_kappa"].value == pytest.approx(0.4139265, abs=5e-8)
    assert acc.modification_rate(frame, annotator=None, replicates=0)[0].value > 0
    with pytest.raises(MetricsError, match="conger_kappa depends on who gave a label"):
        acc.agreement(frame, annotator=None, measures=["conger_kappa"])
    with pytest.raises(
        MetricsError, match="only agreement, modification_rate and the coefficients take"
    ):
        acc.consensus(frame, annotator=None)
