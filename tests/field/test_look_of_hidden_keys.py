"""`accordeur look` finds what an item is where no name says it: in columns, files and records."""

from __future__ import annotations

import gzip
import json
import random
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import pytest

from tests.field.generated_tables import alpha_of
from tests.field.test_look import command_for
from tests.field.test_look_of_columns_together import measured
from tests.flows.in_process import said

Judgement = tuple[tuple[str, ...], str, str]
TONES = ("warm", "cold", "none")


def judgements(
    items: Sequence[tuple[str, ...]], who: Sequence[str], each: int, *, of_two: float = 1.0
) -> list[Judgement]:
    """Labels of `each` of the annotators, of whom all but the first label a share of the items."""
    draw = random.Random(7)
    found = []
    for item in items:
        usual = draw.choice(TONES)
        n = each if draw.random() < of_two else 1
        found += [
            (item, one, usual if draw.random() < 0.75 else draw.choice(TONES))
            for one in draw.sample(who, n)
        ]
    return found


def saved(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    frame = pd.DataFrame(rows)
    if path.suffix == ".xlsx":
        frame.to_excel(path, index=False)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False)
    return path


def test_an_item_of_three_columns_of_which_few_were_given_twice(tmp_path):
    draw = random.Random(1)
    names = [f"{a}{b}" for a in "KLMNPRST" for b in ("im", "ea", "ou", "ya", "en", "ir", "os")]
    pairs = [(f"book {k % 9}", *draw.sample(names, 2)) for k in range(400)]
    again = [(f"book {k % 9 + 9}", *pairs[k][1:]) for k in range(8)]  # the same two in another
    given = judgements([*dict.fromkeys([*pairs, *again])], "PQR", 2, of_two=0.5)
    rows = [
        {"annotator": who, "title": t, "character_1": a, "character_2": b, "affinity": label}
        for (t, a, b), who, label in given
    ]
    command = command_for(saved(tmp_path / "t.csv", rows))
    assert command[command.index("--item") + 1] == "title,character_1,character_2"
    assert measured(tmp_path / "t.csv") == pytest.approx(alpha_of(given), abs=1e-9)


def test_experts_by_number_and_an_item_of_two_ids(tmp_path):
    items = [(f"s{k}", str(test)) for k in range(12) for test in range(5)]
    given = judgements(items, [str(k) for k in range(7)], 3)
    rows = [
        {"story_id": s, "expert_idx": who, "test_idx": t, "verdict": label}
        for (s, t), who, label in given
    ]
    assert measured(saved(tmp_path / "t.csv", rows)) == pytest.approx(alpha_of(given), abs=1e-9)


def test_rows_that_are_there_twice(tmp_path):
    given = judgements([(str(k),) for k in range(60)], ["1", "2"], 2)
    rows = [{"patient": item, "rater": who, "score": label} for (item,), who, label in given]
    assert measured(saved(tmp_path / "t.csv", rows * 2)) == pytest.approx(alpha_of(given), abs=1e-9)


def test_one_of_several_columns_has_1_in_each_row(tmp_path):
    texts = [(f"c{k % 40}", f"what is {k}", f"it is number {k}") for k in range(120)]
    given = judgements(texts, ["A1", "A2", "A3", "A4"], 2)
    rows = [
        {
            "example_no": n,
            "annotator_id": who,
            **dict(zip(("conv_id", "user", "agent"), item, strict=True)),
            **{f"tone.{tone}": int(tone == label) for tone in TONES},
        }
        for n, (item, who, label) in enumerate(given)
    ]
    assert measured(saved(tmp_path / "t.csv", rows)) == pytest.approx(alpha_of(given), abs=1e-9)


def test_counts_beside_their_sum_under_any_name(tmp_path):
    given = judgements([(str(k),) for k in range(80)], "abcdefgh", 6)
    rows = []
    for k in range(80):
        own = [label for (item,), _, label in given if item == str(k)]
        counts = {letter: own.count(tone) for letter, tone in zip("ADF", TONES, strict=True)}
        clip, channel = f"clip {k // 2}", k % 2
        rows.append({"clip": clip, **counts, "numResponses": len(own) - channel})
        rows[-1]["A"] -= channel and counts["A"] > 0
        rows[-1]["numResponses"] = sum(rows[-1][name] for name in "ADF")
    places = [
        ((str(k),), str(n), label)
        for k, row in enumerate(rows)
        for n, label in enumerate(name for name in "ADF" for _ in range(row[name]))
    ]
    assert measured(saved(tmp_path / "t.csv", rows)) == pytest.approx(alpha_of(places), abs=1e-9)


def test_marks_between_commas_in_a_cell(tmp_path):
    draw = random.Random(2)
    marks = [[str(draw.choice((3, 3, 3, 2, 4))) for _ in range(3)] for _ in range(60)]
    rows = []
    for k, own in enumerate(marks):
        rows += [{"role": "SYSTEM", "text": f"how do you like {k}", "marks": ""}]
        rows += [{"role": "USER", "text": f"I like the {k} very much", "marks": ",".join(own)}]
    given = [((str(k),), str(n), one) for k, own in enumerate(marks) for n, one in enumerate(own)]
    assert measured(saved(tmp_path / "t.csv", rows)) == pytest.approx(alpha_of(given), abs=1e-9)


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_questions_of_which_some_were_coded_again(tmp_path, suffix):
    draw = random.Random(4)
    rows: list[dict[str, object]] = []
    for k in range(60):
        row: dict[str, object] = {"dyad.nr": f"d{k // 2}", "trial": k % 2 + 1, "age": 4 + k % 3}
        for question in ("reason.giving", "talk.given", "box.chosen"):
            label = draw.choice(("yes", "no"))
            row[question] = label
            row[f"{question}.reli"] = (label if draw.random() < 0.9 else "no") if k < 30 else None
        rows.append(row)
    path = saved(tmp_path / f"t.{suffix}", rows)
    command = command_for(path)
    assert command[command.index("--annotator") + 1] == "reason.giving,reason.giving.reli"
    given = [
        ((str(k),), who, str(row[who]))
        for k, row in enumerate(rows)
        for who in ("reason.giving", "reason.giving.reli")
        if row[who]
    ]
    assert measured(path) == pytest.approx(alpha_of(given), abs=1e-9)


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_file_for_each_annotator_with_an_item_of_two_columns(tmp_path, suffix, named):
    items = [(f"p{k}", str(turn)) for k in range(15) for turn in range(4)]
    given = judgements(items, ["des", "jl", "km"], 3)
    for who in ("des", "jl", "km"):
        rows = [
            {
                "persona_id": item[0],
                "t_index": item[1],
                **({"annotator_id": who} if named else {}),
                "shown_label": f"answer {hash(item[0]) % 5}",  # the same for everybody
                "tone": label,
                "notes": f"{who} on {item}",
            }
            for item, own, label in given
            if own == who
        ]
        saved(tmp_path / f"{who}.{suffix}", rows)
    files = [tmp_path / f"{who}.{suffix}" for who in ("des", "jl", "km")]
    assert measured(*files) == pytest.approx(alpha_of(given), abs=1e-9)


def test_a_label_that_all_but_agree_on_is_one(tmp_path):
    for who, viewed in (("LB", "1"), ("LD", "TRUE")):
        rows = [
            {"title": f"on {k}", "viewed": viewed, "response": 2 if k == 7 else 1, "ID": k}
            for k in range(200)
        ]
        rows[50]["response"] = 2 if who == "LB" else 1
        saved(tmp_path / f"{who}.csv", rows)
    command = command_for(tmp_path / "LB.csv", tmp_path / "LD.csv")
    assert command[command.index("--label") + 1] == "response"


def by_item_and_worker(given: Sequence[Judgement]) -> object:
    found: dict[str, dict[str, object]] = {}
    for (item,), who, label in given:
        found.setdefault(item, {})[f"en_worker_{who}"] = {"Fluency": label, "Length": len(item)}
    return found


def by_question_and_system(given: Sequence[Judgement]) -> object:
    passages: dict[str, dict[str, dict[str, dict[str, list[object]]]]] = {}
    for k, ((item,), who, label) in enumerate(given):
        passage, question, system = f"p{int(item) % 5}", item, "xy"[int(item) % 2]
        own = passages.setdefault(passage, {}).setdefault(question, {})
        review = {"worker_id": who, "tone": label, "annotations": [{"selection": f"word {k}"}]}
        own.setdefault(system, {"reviews": []})["reviews"].append(review)
    return [{"passage-id": name, "questions": own} for name, own in passages.items()]


def by_item_with_votes(given: Sequence[Judgement]) -> object:
    found: dict[str, dict[str, str]] = {}
    for (item,), who, label in given:
        found.setdefault(item, {})[f"r{who}"] = label
    return [
        {"sentence": "It is so", "label": "warm", "identifier": item, "evals": own}
        for item, own in found.items()
    ]


@pytest.mark.parametrize(
    "structure", [by_item_and_worker, by_question_and_system, by_item_with_votes]
)
def test_labels_deep_in_records(tmp_path, structure):
    given = judgements([(str(k),) for k in range(60)], [str(k) for k in range(8)], 3)
    content = structure(given)
    lines = content if isinstance(content, list) else [content]
    path = tmp_path / ("t.jsonl" if isinstance(content, list) else "t.json")
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert measured(path) == pytest.approx(alpha_of(given), abs=1e-9)


def test_systems_under_their_names_are_no_annotators(tmp_path):
    records = [
        {"id": f"t{k}", "scores": dict.fromkeys(("bart", "pegasus", "human"), k % 3)}
        for k in range(40)
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    assert said("look", tmp_path / "t.jsonl")[0] != 0


def test_units_of_recordings_under_another_name_are_not_laid_over_each_other(tmp_path):
    rows = [
        {"media_file": f"m{k}", "annotator": who, "start": s, "end": s + 20 + (who == "b")}
        for k in range(6)
        for who in "ab"
        for s in range(0, 300, 50)
    ]
    path = saved(tmp_path / "t.csv", [{**row, "label": "talk"} for row in rows])
    code, output = said("gamma", path)
    assert code == 2
    assert "`--document media_file`" in output
    command = command_for(path)
    assert command[command.index("--document") + 1] == "media_file"
    assert said("gamma", path, "--option", "document=", "--option", "annotator=annotator")[0] == 0


def test_what_cannot_be_seen_is_asked_for_and_the_answer_is_taken(tmp_path):
    given = judgements([(str(k),) for k in range(60)], ["Ana P", "Ben Q", "Eva R"], 2)
    rows = [{"wer": who, "satz": item, "ton": label} for (item,), who, label in given]
    rows = [{**row, "stimmung": "xyz"[len(row["ton"]) % 3]} for row in rows]
    path = saved(tmp_path / "t.csv", rows)
    code, output = said("look", path, "--annotator", "wer")
    assert code == 0
    assert "--annotator wer" in output
    assert "annotator wer (3); label ton" in output


def test_what_an_item_is_is_asked_for_where_a_column_says_who(tmp_path):
    rows = [{"rater": f"r{k % 3}", "a": f"a{k % 4}", "c": k * k % 7} for k in range(80)]
    code, output = said("look", saved(tmp_path / "t.csv", rows))
    assert code == 2
    assert "`rater` seems to say who gave each label" in output
    assert "--annotator rater --item NAME,NAME`" in output
    assert "Without `--wide`" not in output


def without_agreement(names: Sequence[str], values: Sequence[str]) -> pd.DataFrame:
    draw = random.Random(5)
    return pd.DataFrame({name: [draw.choice(values) for _ in range(60)] for name in names})


@pytest.mark.parametrize(
    "frame",
    [
        without_agreement(["violence", "gender", "race", "religion"], ["0", "0", "0", "0.5", "1"]),
        without_agreement([f"v_{k:03}" for k in range(12)], ["0", "0", "0", "1"]),
        pd.DataFrame(
            {
                "q1_label": ["a", "b", "a", "c"] * 10,
                "q2_label": ["a", "b", "b", "c"] * 10,
                "q1_text": [f"t{k}" for k in range(40)],
                "q2_text": [f"u{k}" for k in range(40)],
            }
        ),
    ],
)
def test_properties_of_items_are_no_annotators(tmp_path, frame):
    frame.insert(0, "name", [f"one {k}" for k in range(len(frame))])
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    code, output = said("look", path)
    assert code == 2, output


def test_columns_that_may_be_questions_are_said_to_be_so(tmp_path):
    draw = random.Random(6)
    rows = []
    for k in range(60):
        usual = draw.choice(("yes", "no", "maybe"))
        row = {"who": f"p{k}"}
        for first in ("mental_health", "physical_health"):
            for last in ("consequence", "interview"):
                row[f"{first}_{last}"] = (
                    usual if draw.random() < 0.7 else draw.choice(("yes", "no"))
                )
        rows.append(row)
    _, output = said("look", saved(tmp_path / "t.csv", rows))
    assert "accordeur agree" not in output or "no name says that these columns are" in output


def test_a_property_of_annotators_is_no_part_of_an_item(tmp_path):
    items = [(f"{k}", tone) for k in range(20) for tone in ("loud", "calm")]
    given = judgements(items, [str(k) for k in range(12)], 4)
    rows = [
        {"annID": who, "age": 20 + int(who) % 3, "postId": post, "kind": kind, "rude": label}
        for (post, kind), who, label in given
    ]
    assert measured(saved(tmp_path / "t.csv", rows)) == pytest.approx(alpha_of(given), abs=1e-9)


def test_a_condition_is_no_annotator(tmp_path):
    draw = random.Random(8)
    rows = [
        {"question_id": f"q{k}", "style": style, "score": draw.choice("12345")}
        for k in range(30)
        for style in ("formal", "plain", "warm")
    ]
    code, output = said("look", saved(tmp_path / "t.csv", rows))
    assert code == 2, output


def test_what_two_agreed_on_is_no_third_annotator(tmp_path):
    draw = random.Random(9)
    rows = []
    for k in range(60):
        row: dict[str, object] = {"title": f"paper {k} on it"}
        for question in ("claim", "proof", "data"):
            usual = draw.choice("01")
            row[question] = usual
            row |= {f"{question}_{who}": usual if draw.random() < 0.8 else "0" for who in "ew"}
        rows.append(row)
    command = command_for(saved(tmp_path / "t.csv", rows))
    assert command[command.index("--annotator") + 1] == "claim_e,claim_w"


def test_grades_in_letters_are_ordered(tmp_path):
    given = judgements([(str(k),) for k in range(40)], "PQR", 3)
    grades = {"warm": "A+", "cold": "B", "none": "B-"}
    rows = [{"work": w, "rater": who, "grade": grades[label]} for (w,), who, label in given]
    rows[0]["grade"] = "NAN"
    path = saved(tmp_path / "t.csv", rows)
    _, output = said("look", path)
    assert "--distance ordinal --categories B-,B,A+ --option missing=NAN" in output


def test_records_in_a_packed_file_are_those_of_the_file(tmp_path):
    given = judgements([(str(k),) for k in range(60)], [str(k) for k in range(8)], 3)
    text = json.dumps(by_item_and_worker(given))
    with gzip.open(tmp_path / "t.json.gz", "wt", encoding="utf-8") as file:
        file.write(text)
    assert measured(tmp_path / "t.json.gz") == pytest.approx(alpha_of(given), abs=1e-9)


def test_named_columns_are_taken_and_the_line_of_a_judge_runs(tmp_path):
    draw = random.Random(10)
    rows = [
        {"model_a": draw.choice("xyz"), "gold_label": gold, "gpt_label": gold if k % 4 else "tie"}
        for k in range(60)
        for gold in [draw.choice(("a", "b", "tie"))]
    ]
    path = saved(tmp_path / "t.csv", rows)
    code, output = said("look", path, "--annotator", "gold_label,gpt_label")
    assert code == 0, output
    line = next(one for one in output.splitlines() if one.startswith("accordeur judge"))
    assert "confusion" in said(*shlex.split(line)[1:])[1].casefold()


def test_the_command_of_units_gives_a_reference_its_role(tmp_path):
    for who in ("ann", "ben", "gold"):
        lines = [
            {"id": k, "text": f"Kim saw town {k}.", "label": [[0, 3 + (who == "ben"), "PER"]]}
            for k in range(4)
        ]
        text = "\n".join(map(json.dumps, lines))
        (tmp_path / f"{who}.jsonl").write_text(text, encoding="utf-8")
    command = command_for(tmp_path)
    assert "gold=reference" in command
