"""`accordeur mistakes` and `accordeur.mistakes`: probable errors of an export."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

import accordeur as acc
from accordeur.metrics.errors import MetricsError
from tests.flows.in_process import found as found_by_command
from tests.flows.in_process import said
from tests.flows.outcomes import results_of


def labels() -> pd.DataFrame:
    """Twenty items of four annotators, who agree but for dan on item q7."""
    rows = [
        (f"q{i}", name, "maybe" if (name, i) == ("dan", 7) else ("yes", "no", "maybe")[i % 3])
        for i in range(20)
        for name in ("ann", "ben", "cat", "dan")
    ]
    return pd.DataFrame(rows, columns=["item", "annotator", "label"])


def units() -> pd.DataFrame:
    """Ten documents with two units each; in the first, cat misses one and adds another one."""
    rows = []
    for d in range(10):
        for name in ("ann", "ben", "cat"):
            if (name, d) != ("cat", 0):
                rows.append((f"d{d}", name, 0, 10, "Person"))
            rows.append((f"d{d}", name, 20, 30, "Place"))
    rows.append(("d0", "cat", 70, 80, "Person"))
    return pd.DataFrame(rows, columns=["document", "annotator", "start", "end", "category"])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    labels().to_csv(path, index=False)
    return path


def test_the_label_that_stands_alone_is_listed_with_its_reason(table: Path) -> None:
    found = found_by_command("mistakes", table)
    [one] = found["mistakes"]
    assert (one["where"], one["annotators"], one["label"]) == ("q7", ["dan"], "maybe")
    assert (one["reason"], one["other"], one["n_other"], one["n_annotators"]) == (
        "category", "no", 3, 4,
    )  # fmt: skip
    assert found["rows"]["measured"] == 80
    _, shown = said("mistakes", table)
    assert "\nProbable errors: 1 of 21 distinct annotations" in shown
    assert "\nHow likely  annotators: annotation  (document, item or place)\n" in shown
    shown = " ".join(shown.replace("│", " ").split())
    assert "3 of 4 annotators have “no”. Estimated error rate of dan: " in shown


def test_the_whole_list_is_written_as_csv_or_parquet(table: Path, tmp_path: Path) -> None:
    csv, parquet = tmp_path / "queue.csv", tmp_path / "queue.parquet"
    for path in (csv, parquet):
        assert said("mistakes", table, "--at-least", "0.01", "--to", path)[0] == 0
    read = pd.read_csv(csv)
    assert read["item"].tolist() == pq.read_table(parquet)["item"].to_pylist()
    assert read["probability"].is_monotonic_decreasing
    code, rejected = said("mistakes", table, "--to", tmp_path / "queue.txt")
    assert (code, rejected) == (2, "--to queue.txt: give a file that ends in .csv or .parquet")


def test_the_python_interface_lists_what_the_command_lists(table: Path) -> None:
    found = acc.mistakes(labels())
    told = found_by_command("mistakes", table)
    assert found.to_frame()["probability"].tolist() == pytest.approx(
        [one["probability"] for one in told["mistakes"]], abs=1e-4
    )
    assert found[0].annotators == ["dan"]
    assert found.expected == pytest.approx(told["expected"])
    assert found.variation().columns.tolist() == ["document", "item", "probability", "annotations"]


def test_several_labels_of_an_item_are_given_as_a_list() -> None:
    frame = labels().groupby(["item", "annotator"]).label.agg(list).reset_index()
    at = (frame["annotator"] == "ann") & (frame["item"] == "q7")
    frame.loc[at, "label"] = pd.Series([["no", "yes"]], index=frame.index[at])
    found = acc.mistakes(frame, at_least=0.2)
    assert {(tuple(one.annotators), one.label) for one in found} == {
        (("dan",), "maybe"),
        (("ann",), "yes"),
    }


def test_verdicts_of_peers_raise_and_lower_the_probability(tmp_path: Path) -> None:
    frame = labels()
    rejected = [
        (row.item, row.annotator, row.label, judge, (row.annotator, row.item) != ("dan", "q7"))
        for row in frame.itertuples()
        for judge in ("ann", "ben", "cat")
        if judge != row.annotator
    ]
    columns = ["item", "annotator", "label", "judge", "verdict"]
    judgments = pd.DataFrame(rejected, columns=columns)
    with_verdicts, without = acc.mistakes(frame, judgments=judgments), acc.mistakes(frame)
    assert with_verdicts[0].probability > without[0].probability
    assert (with_verdicts[0].n_rejected, with_verdicts[0].n_judged) == (3, 3)
    path, verdicts = tmp_path / "labels.csv", tmp_path / "judgments.csv"
    frame.to_csv(path, index=False)
    judgments.assign(label="other").to_csv(verdicts, index=False)
    code, rejected = said("mistakes", path, "--judgments", verdicts)
    assert code == 2
    assert rejected == (
        "judgments.csv line 2: 'ann' did not give the label 'other' to item 'q0': a verdict must "
        "be on an annotation of the export"
    )


def test_audited_items_are_no_longer_listed() -> None:
    right = pd.DataFrame({"item": ["q7", "q1", "q2"], "label": ["no", "no", "maybe"]})
    found = acc.mistakes(labels(), audited=right, at_least=0.01)
    assert "q7" not in found.to_frame()["item"].tolist()
    with pytest.raises(MetricsError, match="both errors and right labels"):
        acc.mistakes(labels(), audited=right.iloc[1:])


def test_lone_and_missed_units_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "units.csv"
    units().to_csv(path, index=False)
    found = {
        (one["where"], *one["annotators"], one["label"], one["reason"])
        for one in found_by_command("mistakes", path)["mistakes"]
    }
    assert found == {("70–80", "cat", "Person", "alone"), ("0–10", "cat", "", "missed")}
    in_python = acc.mistakes(units(), start="start", end="end")
    assert {one.reason for one in in_python} == {"alone", "missed"}


def test_two_annotators_are_too_few() -> None:
    frame = labels()
    with pytest.raises(MetricsError, match="three annotators or more, not 2"):
        acc.mistakes(frame[frame["annotator"].isin(["ann", "dan"])])


@pytest.mark.long
@pytest.mark.services
def test_a_campaign_uses_verdicts_and_audited_items_as_the_command_does(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    frame = labels()
    frame.loc[(frame.annotator == "ben") & (frame.item == "q3"), "label"] = "maybe"
    frame.to_csv(tmp_path / "labels.csv", index=False)
    verdicts = frame[frame.item.isin(["q3", "q5"]) & (frame.annotator != "cat")]
    verdicts = verdicts.assign(judge="cat", verdict=(verdicts.annotator != "ben").astype(int))
    verdicts.to_csv(tmp_path / "verdicts.csv", index=False)
    right = pd.DataFrame({"item": ["q7", "q1", "q2"], "label": ["no", "no", "maybe"]})
    right.to_csv(tmp_path / "checked.csv", index=False)
    campaign = tmp_path / "campaign.toml"
    campaign.write_text(
        '[campaign]\nname = "c"\n[[sources]]\npath = "labels.csv"\n[annotators.ben]\n'
        'pseudonym = "B"\n[annotators.ann]\n[annotators.cat]\n[annotators.dan]\n'
        '[mistakes]\nat_least = 0.01\njudgments = "verdicts.csv"\naudited = "checked.csv"\n'
    )
    tables = ("--judgments", tmp_path / "verdicts.csv", "--audited", tmp_path / "checked.csv")
    of_command = found_by_command("mistakes", tmp_path / "labels.csv", "--at-least", 0.01, *tables)
    outcome, _ = run_campaign(campaign)
    [of_run] = results_of(outcome)["mistakes"]
    assert (of_run["n_judgments"], of_run["n_audited"]) == (6, 3)
    compared = ("where", "label", "n_rejected", "n_judged", "n_annotators")
    assert [[one[key] for key in compared] for one in of_run["mistakes"]] == [
        [one[key] for key in compared] for one in of_command["mistakes"]
    ]
    assert [one["probability"] for one in of_run["mistakes"]] == pytest.approx(
        [one["probability"] for one in of_command["mistakes"]], abs=1e-11
    )
    assert "B" in of_run["mistakes"][0]["annotators"]
    page = Path(outcome["report"]).read_text(encoding="utf-8")
    assert "6 verdicts" in page
    (tmp_path / "checked.csv").unlink()
    code, sentence = said("check", campaign)
    assert code == 2
    assert "mistakes.audited" in sentence
