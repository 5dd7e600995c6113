"""Kinds of public files that `look` once refused or misread: its line gives their value."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Sequence

import pandas as pd
import pytest

from tests.field.test_look import command_for
from tests.flows.in_process import said, values

RANDOM = random.Random(7)
JUDGES = ("ann", "ben", "cem")
TONES = ("warm", "cold", "flat")
FEELINGS = ("joy", "fear", "anger", "trust")


def judgements(labels: Sequence[str], who: Sequence[str] = JUDGES) -> dict[str, list[str]]:
    """Labels of 40 items that agree mostly."""
    true = RANDOM.choices(labels, k=40)
    return {
        name: [one if RANDOM.random() < 0.8 else RANDOM.choice(labels) for one in true]
        for name in who
    }


def share_of_equal(given: dict[str, list[str]]) -> float:
    names = [*given]
    pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    equal = [x == y for a, b in pairs for x, y in zip(given[a], given[b], strict=True)]
    return sum(equal) / len(equal)


def measured(path) -> float:
    return values(*command_for(path), "--replicates", "0")["percent_agreement"]


TONE = judgements(TONES)


def test_a_batch_of_mechanical_turk_names_two_columns_more_than_its_rows_have(tmp_path):
    path = tmp_path / "batch.csv"
    names = ["HITId", "RequesterAnnotation", "WorkerId", "AssignmentStatus", "Answer.tone"]
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, quoting=csv.QUOTE_ALL)
        rows.writerow([*names, "Approve", "Reject"])
        for who, own in TONE.items():
            for k, tone in enumerate(own):
                rows.writerow([f"h{k}", "BatchId:5;Original:9;", who, "Submitted", tone])
    assert command_for(path)[-2:] == ["--query", "mturk"]
    assert measured(path) == pytest.approx(share_of_equal(TONE))
    by_hand = ("--item", "HITId", "--annotator", "WorkerId", "--label", "Answer.tone")
    found = values("agree", path, *by_hand, "--replicates", "0")["percent_agreement"]
    assert found == pytest.approx(share_of_equal(TONE))


def workbook(path, sheets: dict[str, pd.DataFrame]) -> None:
    with pd.ExcelWriter(path) as writer:
        for name, frame in sheets.items():
            frame.to_excel(writer, sheet_name=name, index=False)


def test_two_raters_of_a_sheet_beside_the_length_of_the_scale(tmp_path):
    path = tmp_path / "observed.xlsx"
    given = judgements("12345", ("Rater_1", "Rater_2"))
    about = {
        "when": ["May"] * 40,
        "scale": [5] * 40,
        "scene": [f"{k // 4}.{k % 4}" for k in range(40)],
    }
    frame = pd.DataFrame({**about, **{who: [*map(int, own)] for who, own in given.items()}})
    workbook(path, {"about": pd.DataFrame({"This book": ["see the next sheet"]}), "data": frame})
    command = command_for(path)
    assert command[command.index("--annotator") + 1] == "Rater_1,Rater_2"
    assert measured(path) == pytest.approx(share_of_equal(given))


def test_a_workbook_with_a_sheet_for_each_annotator(tmp_path):
    path = tmp_path / "codes.xlsx"
    docs = [f"d{k}" for k in range(40)]
    workbook(path, {who: pd.DataFrame({"doc": docs, "tone": own}) for who, own in TONE.items()})
    assert command_for(path)[-2:] == ["--option", "sheet={annotator}"]
    assert measured(path) == pytest.approx(share_of_equal(TONE))


def sets() -> dict[str, list[tuple[str, ...]]]:
    true = [RANDOM.sample(FEELINGS, RANDOM.choice([1, 2])) for _ in range(40)]
    return {
        who: [
            tuple(sorted(one if RANDOM.random() < 0.7 else RANDOM.sample(FEELINGS, 1)))
            for one in true
        ]
        for who in JUDGES
    }


FELT = sets()


@pytest.mark.parametrize("names", [("item", "annotator", "label"), ("doc", "user", "feeling")])
def test_several_rows_of_an_annotator_are_a_set(tmp_path, names):
    path = tmp_path / "feelings.csv"
    rows = [
        (f"d{k}", who, one)
        for who, own in FELT.items()
        for k, given in enumerate(own)
        for one in given
    ]
    pd.DataFrame(rows, columns=[*names]).to_csv(path, index=False)
    assert measured(path) == pytest.approx(share_of_equal(FELT))


def test_sets_in_columns_of_a_sheet_for_each_annotator(tmp_path):
    path = tmp_path / "feelings.xlsx"
    sheets = {
        who: pd.DataFrame(
            {
                "doc": [f"d{k}" for k in range(40)],
                **{f"code {n + 1}": [(*one, "", "")[n] for one in own] for n in range(2)},
            }
        )
        for who, own in FELT.items()
    }
    workbook(path, sheets)
    assert measured(path) == pytest.approx(share_of_equal(FELT))


@pytest.mark.long
@pytest.mark.parametrize("named", [True, False])
def test_lists_of_labels_in_cells(tmp_path, named):
    path = tmp_path / "lists.csv"
    frame = pd.DataFrame(
        {
            "text": [f"the words of text {k}" for k in range(40)],
            "tones": [str([own[k] for own in TONE.values()]) for k in range(40)],
            **({"annotators": [str([*TONE])] * 40} if named else {}),
        }
    )
    frame.to_csv(path, index=False)
    assert measured(path) == pytest.approx(share_of_equal(TONE))
    output = said("look", path)[1]
    assert ("ann 40, ben 40, cem 40" in output) == named
    assert ("The annotators have no names" in output) != named


@pytest.mark.parametrize(
    "cells",
    [
        [str(RANDOM.sample(FEELINGS, 2)) for _ in range(40)],  # sets of one annotator
        [str(["O"] * RANDOM.randint(3, 40) + ["B-PER"]) for _ in range(40)],  # tags of tokens
        ["[1, 2", *["[1, 1]"] * 39],
        [str([None, None, ("late", "lost")[k % 2]]) for k in range(40)],
        [str([[7, 7], [6, 5], [7, 7]]) for _ in range(40)],  # several scores of each answer
        ["[" * 9_000 + "]" * 9_000] * 40,
    ],
    ids=["sets", "tokens", "damaged", "nothing", "scores", "deep"],
)
def test_other_lists_are_refused(tmp_path, cells):
    path = tmp_path / "lists.csv"
    texts = [f"the words of text {k}" for k in range(40)]
    pd.DataFrame({"text": texts, "labels": cells}).to_csv(path, index=False)
    code, output = said("look", path)
    assert code == 2, output


def counts(cells: Sequence[Sequence[int]]) -> Iterator[dict[str, int | str]]:
    for k, row in enumerate(cells):
        yield {"id": f"t{k}", **dict(zip(TONES, row, strict=True))}


VOTES = [RANDOM.choice([(3, 0, 0), (0, 2, 1), (0, 0, 5), (1, 3, 0), (0, 4, 0)]) for _ in range(40)]


def test_numbers_of_votes_with_other_sums(tmp_path):
    path = tmp_path / "votes.csv"
    pd.DataFrame(counts(VOTES)).to_csv(path, index=False)
    pairs = [(sum(n * (n - 1) for n in row), sum(row) * (sum(row) - 1)) for row in VOTES]
    expected = sum(equal / of for equal, of in pairs) / len(pairs)
    assert "layout=counts" in command_for(path)
    assert measured(path) == pytest.approx(expected)
    code, output = said("agree", path, "--wide")
    assert code == 2
    assert "a high one goes with low ones in its row" in output


@pytest.mark.parametrize("many", [0, 40])
def test_what_two_coders_have_together_is_no_label(tmp_path, many):
    path = tmp_path / "overlap.csv"
    rows = [
        {"coder_a": a, "coder_b": b, "n_shared": (k * 7) % 90 + many, "n_unequal": (k * k) % 11}
        for k in range(40)
        for a, b in [RANDOM.sample(("ann", "ben", "cem", "dan"), 2)]
    ]
    pd.DataFrame(rows).to_csv(path, index=False)
    code, output = said("look", path)
    assert code == 2, output


@pytest.mark.parametrize("beside", [(), ("final",), ("clear", "short")])
def test_annotators_of_whom_some_have_names(tmp_path, beside):
    path = tmp_path / "mixed.csv"
    given = judgements(TONES, ("dan", "ben", "rater3", "rater4"))
    others = {name: RANDOM.choices(TONES, k=40) for name in beside}
    others |= {"final": given["dan"]} if "final" in beside else {}
    frame = pd.DataFrame({"id": [f"t{k}" for k in range(40)], **given, **others})
    frame.to_csv(path, index=False)
    command = command_for(path)
    assert command[command.index("--annotator") + 1] == "dan,ben,rater3,rater4"
    assert measured(path) == pytest.approx(share_of_equal(given))


@pytest.mark.parametrize("name", ["Codeur", "Kodierer", "annotatrice_id", "evaluador"])
def test_coders_in_other_languages_and_questions_that_few_answered(tmp_path, name):
    path = tmp_path / "codes.csv"
    rows = [
        {
            "ID": 100 + 3 * k,
            name: n,
            "page": k % 9 if (k + n) % 5 == 0 else " ",
            "zone": k % 9,
            "tone": own[k],
        }
        for n, own in enumerate(TONE.values())
        for k in range(40)
    ]
    pd.DataFrame(rows).to_csv(path, index=False, sep=";")
    assert measured(path) == pytest.approx(share_of_equal(TONE))


def test_files_of_judgements_that_blanks_separate(tmp_path):
    for who in JUDGES[:2]:
        rows = (f"q{k // 8} 0 p{k % 8} {one}" for k, one in enumerate(TONE[who]))
        (tmp_path / f"{who}.txt").write_text("\n".join(rows), encoding="utf-8")
    files = [tmp_path / f"{who}.txt" for who in JUDGES[:2]]
    found = values(*command_for(*files), "--replicates", "0")["percent_agreement"]
    assert found == pytest.approx(share_of_equal({who: TONE[who] for who in JUDGES[:2]}))


def test_two_times_two_of_many_marks_are_no_annotators(tmp_path):
    path = tmp_path / "marks.csv"
    names = ["Rel NP", "Rel Adj", "Trans NP", "Trans Adj", *map("mark {}".format, "abcdefgh")]
    marks = {name: RANDOM.choices("01", weights=[9, 1], k=40) for name in names}
    texts = [f"the sentence of row {k}" for k in range(40)]
    pd.DataFrame({"Sentence": texts, "Domain": ["in", "out"] * 20, **marks}).to_csv(
        path, index=False
    )
    assert "--annotator 'Rel NP,Rel Adj'" not in said("look", path)[1]


METRICS = [("R1", 7), ("R2", 11), ("RL", 13), ("BERT", 17)]
STAGES = [("in", RANDOM.choice(["in", "out"])) if k % 3 else ("out", "in") for k in range(200)]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(  # two measures of overlap and a third one
            {
                "id": [f"t{k}" for k in range(90)],
                "kind": ["news", "blog", "chat"] * 30,
                "is_fine": ["yes", "no"] * 45,
                **{name: [f"{k * n % 89 / 90:.2f}" for k in range(90)] for name, n in METRICS},
            }
        ),
        pd.DataFrame(  # who is out at first is in later
            {
                "pubmed": range(900, 1100),
                "label1": [one for one, _ in STAGES],
                "label2": [
                    "out" if one == "in" and k % 4 else "in" for k, (one, _) in enumerate(STAGES)
                ],
            }
        ),
    ],
    ids=["measures", "stages"],
)
def test_no_annotators_whatever_the_columns_are_called(tmp_path, frame):
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    code, output = said("look", path)
    assert code == 2, output


def test_the_item_of_a_platform_is_its_unit(tmp_path):
    path = tmp_path / "f1.csv"
    rows = [
        {
            "_unit_id": 7000 + k,
            "_worker_id": n,
            "_trust": 1,
            "factor": f"the {k} {own[k]}",
            "begin": 3 * k if (k + n) % 9 else 0,
            "tone": own[k],
        }
        for n, own in enumerate(TONE.values())
        for k in range(40)
    ]
    pd.DataFrame(rows).to_csv(path, index=False)
    assert command_for(path)[2:4] == ["--item", "_unit_id"]
