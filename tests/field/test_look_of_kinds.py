"""Kinds of public files that no option reads by itself: the line of `look` gives their value."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import accordeur as acc
from tests.field.test_look import command_for
from tests.flows.in_process import said

ROOT = Path(__file__).resolve().parents[2]
JUDGES = ("ann", "ben", "cem")
RNG = np.random.default_rng(5)
TRUE = RNG.integers(0, 2, 40)
GIVEN = {who: np.where(RNG.random(40) < 0.8, TRUE, 1 - TRUE) for who in JUDGES}
TONES = {who: [("warm", "cold")[k] for k in own] for who, own in GIVEN.items()}
PAIRS = [(0, 1), (0, 2), (1, 2)]


def percent(rows: Sequence[Sequence[object]]) -> float:
    return float(np.mean([one[a] == one[b] for one in rows for a, b in PAIRS]))


def measured(path) -> Mapping[str, float]:
    code, output = said(*command_for(path), "--replicates", "0", "--json")
    assert code == 0, output
    return {one["measure"]: one["value"] for one in json.loads(output)["results"]}


def records(answers: Mapping[str, object]) -> str:
    return "\n".join(json.dumps({"text": f"t{k}", **answers_of(answers, k)}) for k in range(40))


def answers_of(kind: Mapping[str, object], k: int) -> dict[str, object]:
    if kind["kind"] == "objects":
        votes = [{"worker_id": who, "response": own[k], "s": 1} for who, own in TONES.items()]
        return {"parts": [{"part": "p", "responses": votes}]}
    return {"uid": f"u{k}", "about": {"tone_labels": [own[k] for own in TONES.values()]}}


TABLES = {
    "numbered": pd.DataFrame(
        {
            "kind": ["a", "b"] * 20,
            "case_id": [f"c{k}" for k in range(40)],
            "text": [f"some text of the case {k}" for k in range(40)],
            **{f"label_{n}": own for n, own in enumerate(TONES.values(), 1)},
            "n_warm": 2,
        }
    ),
    "called": pd.DataFrame(
        {
            "gram": [f"of the {k}" for k in range(40)],
            "freq": [7 * k % 31 for k in range(40)],
            **{f"rater{n}": own for n, own in enumerate(TONES.values(), 1)},
        }
    ),
    "beside data of the items": pd.DataFrame(
        {
            "number": 10_000 + (k * 7) % 997,
            "system": "xyz"[k % 3],
            "summary": f"summary {k // 2}",
            "is_fine": own[k],
            "worker_id": who,
        }
        for k in range(40)
        for who, own in TONES.items()
    ).sample(frac=1, random_state=1),
    "blank names": pd.DataFrame(
        {
            "URL": [f"u{k}" for k in range(40)],
            " ": [f"x{k % 7}" for k in range(40)],
            "  ": [f"y{k % 5}" for k in range(40)],
            **{f"A{n} tone": own for n, own in enumerate(TONES.values(), 1)},
            **{f"A{n} sort": [f"s{(k + (k % 9 == n)) % 3}" for k in range(40)] for n in (1, 2, 3)},
            "mean of all": [f"{k % 13}.5" for k in range(40)],
        }
    ).rename(columns=str.strip),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_annotators_beside_other_columns(tmp_path, name):
    path = tmp_path / "table.csv"
    TABLES[name].to_csv(path, index=False)
    expected = percent([*zip(*TONES.values(), strict=True)])
    assert measured(path)["percent_agreement"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", ["objects", "labels"])
def test_answers_in_records(tmp_path, kind):
    path = tmp_path / "records.jsonl"
    path.write_text(records({"kind": kind}), encoding="utf-8")
    expected = percent([*zip(*TONES.values(), strict=True)])
    assert measured(path)["percent_agreement"] == pytest.approx(expected, abs=1e-12)


def test_columns_of_0_and_1_are_the_set_of_their_categories(tmp_path):
    path = tmp_path / "posts.csv"
    marks = {
        who: [frozenset(np.flatnonzero(RNG.random(5) < 0.4)) for _ in range(40)] for who in JUDGES
    }
    pd.DataFrame(
        {"user_id": who, "post_id": f"p{k}", **{f"class_{n}": int(n in own[k]) for n in range(5)}}
        for who, own in marks.items()
        for k in range(40)
    ).to_csv(path, index=False)
    expected = percent([*zip(*marks.values(), strict=True)])
    assert measured(path)["percent_agreement"] == pytest.approx(expected, abs=1e-12)


def test_items_that_are_compared_in_a_row_are_no_annotators(tmp_path):
    path = tmp_path / "pairs.csv"
    left = RNG.integers(0, 9, 900)
    pairs = zip(left, (left + RNG.integers(1, 9, 900)) % 9, strict=True)
    path.write_text("\n".join(f"{one},{other}" for one, other in pairs), encoding="utf-8")
    code, output = said("look", path)
    assert code == 2, output


def test_a_table_without_a_header_of_labels_beside_texts(tmp_path):
    path = tmp_path / "judged.txt"
    rows = zip(GIVEN["ann"], GIVEN["ben"], range(40), strict=True)
    path.write_text("\n".join(f"{a},{b},The boat {k} sank." for a, b, k in rows), encoding="utf-8")
    equal = float(np.mean(GIVEN["ann"] == GIVEN["ben"]))
    assert measured(path)["percent_agreement"] == pytest.approx(equal, abs=1e-12)


@pytest.mark.long
def test_a_query_reads_workbooks_archives_and_frames_as_files(tmp_path):
    frame = TABLES["beside data of the items"]
    query = "select number as item, worker_id as annotator, is_fine as label from source"
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_excel(tmp_path / "a.xlsx", index=False)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(tmp_path / "a.csv", "a.csv")
    found = [acc.read(tmp_path / f"a.{kind}", query=query) for kind in ("csv", "xlsx", "zip")]
    values = {acc.agreement(one)["krippendorff_alpha"].value for one in found}
    assert values == {acc.agreement(acc.read(frame, query=query))["krippendorff_alpha"].value}


ANSWERS = pd.DataFrame(
    {
        "post": f"p{k}",
        "survey_record": f"r{n}",
        "answer_of": own[k],
        "age": (31, 42, 53)[n],
        "physician_id": n + 20,
    }
    for k in range(40)
    for n, own in enumerate(TONES.values())
)


@pytest.mark.parametrize(
    "frame",
    [
        ANSWERS.drop(columns="physician_id").rename(columns={"survey_record": "survey_record_id"}),
        ANSWERS.drop(columns=["age", "survey_record"]),
        ANSWERS.drop(columns=["age", "physician_id"]).rename(columns={"survey_record": "coded_by"}),
        pd.DataFrame(
            {
                "model_1": ["x", "y"] * 20,
                "model_2": ["z", "x", "y", "z"] * 10,
                **{f"winner{n}": own for n, own in enumerate(TONES.values(), 1)},
            }
        ),
    ],
    ids=["age of each annotator", "number of an expert", "coded by", "winners beside models"],
)
def test_columns_that_say_who_judged(tmp_path, frame):
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    expected = percent([*zip(*TONES.values(), strict=True)])
    assert measured(path)["percent_agreement"] == pytest.approx(expected, abs=1e-12)


def test_questions_that_were_coded_twice(tmp_path):
    path = tmp_path / "coded.csv"
    first, second, third = TONES.values()
    frame = pd.DataFrame({"dyad": [f"d{k // 2}" for k in range(40)], "minutes": range(7, 47)})
    for name, own in {"tone": first, "topic": second, "talk": third}.items():
        frame[name] = own
        frame[f"{name}.reli"] = [one if k % 4 else "" for k, one in enumerate(first)]
    frame.to_csv(path, index=False)
    assert "--annotator tone,tone.reli" in " ".join(command_for(path))
    assert measured(path)["percent_agreement"] == 1


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(  # a log of a game, with a user in each row
            {
                "user": [f"u{k % 6}" for k in range(40)],
                "seconds": [k * 37 % 101 + 0.5 for k in range(40)],
                **{
                    f"{act}_{what}": [(k * n) % 3 for k in range(40)]
                    for n, act in enumerate(("dragged", "dropped"), 1)
                    for what in ("button", "signal", "lamp")
                },
            }
        ),
        pd.DataFrame(  # summaries of labels that are not here
            {
                "participant": range(40),
                **{
                    f"{who} {what}": [(k * n) % 5 + 1 for k in range(40)]
                    for n, who in enumerate(("phase 1", "phase 2"), 1)
                    for what in ("mean", "mode", "max")
                },
                "p-value": [k / 41 for k in range(40)],
            }
        ),
    ],
    ids=["log", "summaries"],
)
def test_tables_without_labels_are_refused(tmp_path, frame):
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"different value in each row|combination of"):
        acc.look(path)


@pytest.mark.long
def test_labels_of_tokens_are_items_of_the_annotator_of_the_file(tmp_path):
    given = {
        name: [
            ["O" if (j + k) % 4 or k == own else "I-X" for j in range(4 + k % 5)] for k in range(20)
        ]
        for name, own in (("ann", 0), ("ben", 3))
    }
    for name, lists in given.items():
        made = [
            {"text": "w " * len(own), "text_id": k, "labels": own} for k, own in enumerate(lists)
        ]
        (tmp_path / f"{name}.json").write_text(json.dumps(made), encoding="utf-8")
    one, other = (np.concatenate(lists) for lists in given.values())
    assert measured(tmp_path)["percent_agreement"] == pytest.approx(np.mean(one == other))
    code, output = said("look", tmp_path / "ann.json")
    assert "accordeur agree" not in output, (code, output)


def test_files_of_annotators_with_one_number_are_read_by_their_names(tmp_path):
    for name in ("ann", "ben"):
        tasks = [
            {
                "id": k,
                "data": {"text": f"Kim saw town {k}."},
                "annotations": [
                    {
                        "id": k,
                        "completed_by": 1,
                        "result": [
                            {
                                "id": f"r{k}",
                                "type": "labels",
                                "from_name": "label",
                                "to_name": "text",
                                "value": {
                                    "start": 0,
                                    "end": 3 + (name == "ben"),
                                    "labels": ["PER"],
                                },
                            }
                        ],
                    }
                ],
            }
            for k in range(4)
        ]
        (tmp_path / f"{name}.json").write_text(json.dumps(tasks), encoding="utf-8")
    found = acc.look([tmp_path / "ann.json", tmp_path / "ben.json"]).to_dict()
    assert [*found["layers"][0]["annotators"]] == ["ann", "ben"]
    assert found["layers"][0]["command"].endswith("--option 'paths={annotator}'")


def test_the_label_of_files_differs_between_annotators_and_is_rare(tmp_path):
    for name, yes in (("ann", (1, 5, 9)), ("ben", (1, 5, 30))):
        pd.DataFrame(
            {
                "ID": range(200),
                "seen": 1 if name == "ann" else ["TRUE" if k % 9 else "1" for k in range(200)],
                "length": [k % 7 for k in range(200)],
                "response": [2 - (k in yes) for k in range(200)],
            }
        ).to_csv(tmp_path / f"{name}.csv", index=False)
    assert "--label response" in " ".join(command_for(tmp_path))
    assert measured(tmp_path)["percent_agreement"] == pytest.approx(0.99)


def test_annotators_before_the_name_of_the_question(tmp_path):
    path = tmp_path / "screened.csv"
    notes = {
        f"{who}_notes": [f"{who} {k}" if k % 3 else "" for k in range(40)] for who in ("a", "b")
    }
    given = {f"{who}_full_response": own for who, own in zip("ab", TONES.values(), strict=False)}
    pd.DataFrame({"title": [f"t{k}" for k in range(40)], **given, **notes}).to_csv(
        path, index=False
    )
    assert "--annotator a_full_response,b_full_response" in " ".join(command_for(path))


def test_columns_called_by_sentences_are_items(tmp_path):
    path = tmp_path / "answers.csv"
    names = [f"{k}. How does text {k} sound to you?" for k in range(12)]
    rows = [[(k * 3 + r % 3) % 5 for k in range(12)] for r in range(6)]
    pd.DataFrame(rows, columns=names).to_csv(path)
    assert "layout=transposed" in command_for(path)


def test_workers_with_one_row_each_label_the_named_item(tmp_path):
    path = tmp_path / "rated.csv"
    pd.DataFrame(
        {
            "answer_ids": [f"A{k % 8}" for k in range(40)],
            "worker_ids": [f"W{k}" for k in range(40)],
            "relevance": [(k + k // 8) % 4 for k in range(40)],
            "age": [f"{20 + k} years" for k in range(40)],
            "why": [f"because of the text {k}" for k in range(40)],
        }
    ).to_csv(path, index=False)
    assert " ".join(command_for(path)).endswith(
        "--item answer_ids --annotator worker_ids --label relevance"
    )


def test_a_decision_is_the_reference_of_the_command(tmp_path):
    path = tmp_path / "coded.csv"
    frame = pd.DataFrame({"id": range(40), **TONES})
    frame.assign(결론=frame["ann"]).to_csv(path, index=False)
    expected = percent([*zip(*TONES.values(), strict=True)])
    assert measured(path)["percent_agreement"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(  # entries of two sources that are compared
            {
                "key": [f"k{k}" for k in range(40)],
                **{
                    f"entry_{n}_{what}": [values(k, n) for k in range(40)]
                    for n in (1, 2)
                    for what, values in (
                        ("id", lambda k, n: f"{n}/{k}"),
                        ("name", lambda k, n: f"n{n}{k}"),
                        ("page", lambda k, n: f"http://{n}/{k}"),
                        ("source", lambda k, n: "xyz"[(k + n) % 3]),
                    )
                },
                "human_decision": [("same", "other")[k % 2] for k in range(40)],
            }
        ),
        pd.DataFrame(  # bounds of units without names of columns
            [[k * 40 + 7, k * 40 + 20 + k % 9, 13 + k % 9, k % 5, k % 3] for k in range(60)]
        ),
        pd.DataFrame(  # statistics of each annotator
            {
                "annotator": [f"ann{k}" for k in range(9)],
                "items": [200 + 7 * k for k in range(9)],
                "precision": [0.71 + k / 50 for k in range(9)],
                "recall": [0.69 + k / 40 for k in range(9)],
                "f1": [0.70 + k / 45 for k in range(9)],
            }
        ),
    ],
    ids=["entries", "bounds", "statistics"],
)
def test_other_things_than_labels_are_not_measured(tmp_path, frame):
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False, header=isinstance(frame.columns[0], str))
    code, output = said("look", path)
    assert "accordeur agree" not in output, (code, output)


def test_numbers_of_rows_count_no_items(tmp_path):
    path = tmp_path / "table.csv"
    pd.DataFrame({"num": [k + 11 for k in range(40)], **TONES}).to_csv(path, index=False)
    assert "--count" not in command_for(path)


ALARMS = {"key_incomplete", "unshared_columns", "label_of_items", "derived_columns"}
CLEAN = [
    *sorted((ROOT / "tests/corpora/formats/tables").glob("*")),
    ROOT / "docs/tutorials/data/weather_sentiment.csv",
]


@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.name)
def test_no_alarm_for_the_tables_that_other_tests_read(path):
    found = acc.look(path).to_dict()
    assert not ALARMS & {one["code"] for one in found["warnings"]}
    assert any(one["command"] for one in found["layers"])
