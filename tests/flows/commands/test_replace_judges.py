"""`accordeur replace` on a judge that was run several times, and its checklist."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import accordeur as acc
from tests.flows.in_process import found, said

HEADER = "item,annotator,label,pass,role"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """40 pairs of answers; the judge chooses the first answer on every fourth, in both orders."""
    rows = [HEADER]
    for i in range(40):
        right = "AB"[i % 2]
        rows += [f"q{i},{name},{right},1,human" for name in ("ann", "ben", "cat")]
        judged = ("A", "B") if i % 4 == 0 else (right, right)
        rows += [f"q{i},judge,{label},{k},system" for k, label in enumerate(judged, 1)]
    path = tmp_path / "pairs.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_a_judge_that_prefers_the_first_answer_is_found(table: Path):
    [judge] = found("replace", table, "--positions", "A,B")["systems"]
    checks = {one["measure"]: one["value"] for one in judge["checks"]}
    assert checks == pytest.approx({"position_consistency": 0.75, "position_bias": 0.25})


def test_without_positions_the_passes_are_repeated_runs(table: Path):
    rows = found("replace", table)
    [judge] = rows["systems"]
    assert [(one["measure"], one["value"]) for one in judge["checks"]] == [
        ("self_consistency", 0.75)
    ]
    assert rows["rows"]["system"] == 80
    assert rows["rows"]["excluded"] == {}


def test_the_checklist_says_what_is_missing_and_how_to_give_it(table: Path):
    _, printed = said("replace", table, "--positions", "A,B", "--checklist")
    text = " ".join(printed.split())
    assert "Give version in [annotators.judge] of the campaign file." in text
    assert "✓ Position bias: judge chooses the same answer in both orders in 75%" in text
    assert "✓ Agreement between the annotators: Krippendorff’s α of the annotators alone" in text
    assert "– Drift: Keep the labels of an earlier run" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--positions", "A,C"), "'C' is not a category; the categories are A, B"),
        (("--positions", "A"), "the two categories that choose the answer shown first"),
        (("--earlier", "judge"), "give SYSTEM=EARLIER"),
        (("--earlier", "judge=old"), "'old' is not a system of the data"),
        (("--lengths", "none.csv"), "no file none.csv"),
    ],
)
def test_mistakes_are_named(table: Path, options: tuple[str, str], words: str):
    code, error = said("replace", table, *options)
    assert code == 2
    assert words in error


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("item,words\nq1,3\n", "there is no length; the columns are item, words"),
        ("item,length\nq1,long\n", "lengths.csv line 2: the length 'long' is not a number"),
        ("item,length\nq1,3\nq1,4\n", "lengths.csv line 3: item q1 has two lengths"),
    ],
)
def test_mistakes_in_lengths_are_named(table: Path, text: str, words: str):
    lengths = table.parent / "lengths.csv"
    lengths.write_text(text, encoding="utf-8")
    assert words in said("replace", table, "--lengths", lengths)[1]


def test_codes_of_categories_have_no_length_bias(tmp_path: Path):
    """Numbers that are only compared as equal or not may be codes; by rmse they are numbers."""
    rows = [HEADER]
    for i in range(45):
        rows += [f"q{i},{name},{i % 3},1,human" for name in ("ann", "ben", "cat")]
        rows.append(f"q{i},judge,{min(2, i % 3 + (i >= 30))},1,system")
    table, lengths = tmp_path / "labels.csv", tmp_path / "lengths.csv"
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    lengths.write_text("item,length\n" + "".join(f"q{i},{i}\n" for i in range(45)))
    [judge] = found("replace", table, "--lengths", lengths)["systems"]
    assert judge["checks"] == []
    assert len([part for part in judge["parts"] if part["kind"] == "length"]) == 3
    [judge] = found("replace", table, "--lengths", lengths, "--alignment", "rmse")["systems"]
    assert judge["checks"][0]["value"] == pytest.approx(2 / 3)


@pytest.fixture
def spans(tmp_path: Path) -> Path:
    """40 documents with three spans; the judge misses the last one in the longer half.

    Its spans are twice as long as the annotators'. Its second run is without d39, and finds only
    the first span in every other document.
    """
    rows = ["document,annotator,start,end,category,pass,role"]
    for d in range(40):
        places = [(10, 14), (40, 44), (70, 74)]
        for name in ("ann", "ben", "cat"):
            rows += [f"d{d},{name},{start},{end},x,1,human" for start, end in places]
        own = places[:2] if d >= 20 else places
        rows += [f"d{d},judge,{start},{end + 4},x,1,system" for start, end in own]
        if d < 39:
            again = own[:1] if d % 2 else own
            rows += [f"d{d},judge,{start},{end + 4},x,2,system" for start, end in again]
    path = tmp_path / "spans.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    (tmp_path / "lengths.csv").write_text(
        "document,length\n" + "".join(f"d{d},{90 + d / 10}\n" for d in range(40))
    )
    return path


def of_units(*arguments: str | Path) -> dict[str, dict[str, Any]]:
    [judge] = found("replace", *arguments, "--alignment", "overlap_f")["systems"]
    return {one["measure"]: one for one in judge["checks"]}


def test_a_judge_of_units_is_compared_with_itself(spans: Path):
    checks = of_units(spans)
    assert checks.keys() == {"self_consistency", "unit_count_ratio", "unit_length_ratio"}
    # F of the two runs: 1 in 20 documents, 2 · 1 / (3 + 1) in 10, 2 · 1 / (2 + 1) in 9.
    assert checks["self_consistency"]["value"] == pytest.approx((20 + 10 / 2 + 9 * 2 / 3) / 39)
    assert checks["unit_count_ratio"]["value"] == pytest.approx(100 / 120)
    assert checks["unit_length_ratio"]["value"] == pytest.approx(2)
    rows = found("replace", spans, "--alignment", "overlap_f")["rows"]
    assert rows["excluded"] == {}
    assert rows["system"] == 100 + (10 * 3 + 10 * 1) + (10 * 2 + 9 * 1)  # of its two runs


def test_units_of_another_layer_are_in_no_run(spans: Path):
    before = of_units(spans)
    header, *rows = spans.read_text(encoding="utf-8").splitlines()
    rows = [f"{row},main" for row in rows]
    rows += [f"d{d},judge,{d},{d + 3},z,2,system,other" for d in range(39)]
    spans.write_text("\n".join([f"{header},layer", *rows]) + "\n", encoding="utf-8")
    after = of_units(spans, "--layer", "main")
    assert {name: one["value"] for name, one in after.items()} == {
        name: one["value"] for name, one in before.items()
    }


def test_lengths_of_documents_show_where_a_judge_of_units_is_weak(spans: Path):
    lengths = spans.parent / "lengths.csv"
    checks = of_units(spans, "--lengths", lengths)
    assert checks["position_trend"]["value"] == pytest.approx(-0.5)
    assert checks["length_trend"]["value"] == pytest.approx(-1)
    _, printed = said("replace", spans, "--alignment", "overlap_f", "--lengths", lengths,
                      "--checklist")  # fmt: skip
    text = " ".join(printed.split())
    assert "judge marks 83% of the number of units that an annotator marks" in text
    assert "✓ Length bias: judge marks 83%" in text
    assert "✓ Position bias: From the first to the last third of the documents" in text
    assert "✓ Self-consistency: In two of its runs on a document" in text
    _, printed = said("replace", spans, "--alignment", "overlap_f", "--checklist")
    assert "– Position bias: Units are not answers that are presented" in " ".join(printed.split())


def test_mistakes_about_a_judge_of_units_are_named(spans: Path):
    options = ("replace", spans, "--alignment", "overlap_f")
    assert "units are not choices between answers" in said(*options, "--positions", "A,B")[1]
    lengths = spans.parent / "lengths.csv"
    lengths.write_text("document,length\nd3,50\n")
    assert "document 'd3' has the length 50, but a unit that ends at" in said(
        *options, "--lengths", lengths
    )[1]  # fmt: skip
    lengths.write_text("document,words\nd3,50\n")
    error = said(*options, "--lengths", lengths)[1]
    assert "lengths need the columns document and length, and there is no length" in error


def test_python_takes_runs_and_lengths_of_units(spans: Path):
    frame = pd.read_csv(spans).assign(length=90)
    found_ = acc.replacement(
        frame, systems=["judge"], start="start", end="end", category="category", pass_="pass",
        length="length", alignment="overlap_f",
    )  # fmt: skip
    checks = found_.checks().set_index("check")["value"]
    of_command = of_units(spans)
    assert checks["self_consistency"] == of_command["self_consistency"]["value"]
    assert {"position_trend", "length_trend"} <= set(checks.index)
