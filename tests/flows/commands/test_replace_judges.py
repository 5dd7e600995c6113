"""`accordeur replace` on a judge that was run several times, and its checklist."""

from __future__ import annotations

from pathlib import Path

import pytest

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
