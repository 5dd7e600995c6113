"""A record or two of each known shape, as its publisher writes it, and the rows that it means."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.tables.known_shapes import SHAPES, Shape
from accordeur.data.readers.tables.options import TableOptions
from accordeur.data.readers.tables.preference_shapes import PREFERENCES
from accordeur.data.readers.tables.reader import open_table
from accordeur.data.readers.tables.shape_of_file import known_shape
from accordeur.data.untrusted.query import Query
from accordeur.tasks.inputs.reading_options import parse_query

LEWIDI = {"annotation task": "irony detection", "text": "…", "soft_label": {"0": 0.5, "1": 0.5}}
NLI = {"id": "7n", "context": "A", "statement": "B", "contradiction": []}
EMOTIONS = "text,id,author,subreddit,link_id,parent_id,created_utc,rater_id,example_very_unclear"
BORIS = "Observation id,Media file,Subject,Behavior,Behavior type,Start (s),Stop (s)\n"

SAMPLES: dict[str, tuple[str, object, list[tuple[object, ...]]]] = {
    "lewidi2025": (
        "a.json",
        {"12": {**LEWIDI, "annotators": "Ann1,Ann2", "annotations": {"Ann1": "1", "Ann2": "-3"}}},
        [("12", "Ann1", "1"), ("12", "Ann2", "-3")],
    ),
    "lewidi2023": (
        "a.json",
        {"12": {**LEWIDI, "annotators": "Ann1,Ann2", "annotations": "1,0"}, "13": {}},
        [("12", "Ann1", "1"), ("12", "Ann2", "0")],
    ),
    "hatexplain": (
        "a.json",
        {"9_gab": {"post_id": "9_gab", "annotators": [{"label": "hatespeech", "annotator_id": 4}]}},
        [("9_gab", "4", "hatespeech")],
    ),
    "snli": (
        "a.jsonl",
        [{"annotator_labels": ["neutral", "entailment"], "gold_label": "-", "pairID": "34#4r1n"}],
        [("34#4r1n", "1", "neutral"), ("34#4r1n", "2", "entailment")],
    ),
    "chaosnli": (
        "a.jsonl",
        [
            {"uid": "1n", "label_counter": {"e": 1, "n": 2}},
            {"uid": "2c", "label_counter": {"c": 1}},
        ],
        [("1n", "1", "e"), ("1n", "2", "n"), ("1n", "3", "n"), ("2c", "1", "c")],
    ),
    "label_counts": (
        "a.json",
        {"1n": {"label_counter": {"e": 1, "n": 2}, "old_label": "n"}, "2c": {}},
        [("1n", "1", "e"), ("1n", "2", "n"), ("1n", "3", "n")],
    ),
    "summeval": (
        "a.jsonl",
        [
            {
                "id": "dm-1",
                "model_id": "M0",
                "expert_annotations": [
                    {"coherence": 2, "consistency": 1, "fluency": 4, "relevance": 2},
                    {"coherence": 1, "consistency": 1, "fluency": 2, "relevance": 1},
                ],
            }
        ],
        [("M0/dm-1", "1", "coherence", "2"), ("M0/dm-1", "2", "relevance", "1")],
    ),
    "varierr": (
        "a.jsonl",
        [
            {
                **NLI,
                "entailment": [{"annotator": "1", "reason": "r"}],
                "neutral": [{"annotator": "1"}],
            }
        ],
        [("7n", "1", ["entailment", "neutral"])],
    ),
    "lists": (
        "a.jsonl",
        [{"text": "…", "annotators": ["a", "b"], "labels": ["x", "y"]}],
        [("1", "a", "x"), ("1", "b", "y")],
    ),
    "labelbuddy": (
        "a.jsonl",
        [
            {
                "utf8_text_md5_checksum": "f00",
                "metadata": {"pmcid": 3},
                "annotations": [{"start_char": 4, "end_char": 8, "label_name": "Word"}],
            }
        ],
        [("f00", "4", "8", "Word")],
    ),
    "catma": (
        "ann_0.json",
        [
            {
                "body": {
                    "tagset": "tagsets/T_1",
                    "tag": "tagsets/T_1/CATMA_2",
                    "properties": {
                        "system": {"CATMA_AB27F1D4-303A-3622-BB2C-72C310D0C1BF": ["ann"]},
                        "user": {},
                    },
                },
                "target": {
                    "items": [{"source": "D_1", "selector": {"start": 3, "end": 9}}],
                },
            }
        ],
        [("D_1", "ann", "3", "9", "CATMA_2")],
    ),
    "potato": (
        "a.jsonl",
        [{"id": "5", "displayed_text": "…", "label_annotations": {"tone": {"angry": "1"}}}],
        [("5", "tone", ["angry"])],
    ),
    "teamware": (
        "a.json",
        [
            {
                "text": "…",
                "annotations": {"user1": {"tone": "angry", "parts": ["a", "b"]}},
                "teamware_status": {"rejected_by": []},
            }
        ],
        [("1", "user1", "tone", "angry"), ("1", "user1", "parts", '["a","b"]')],
    ),
    "zooniverse": (
        "a.csv",
        (
            "classification_id,user_name,user_id,annotations,subject_data,subject_ids\n"
            '91,ann,7,"[{""task"":""T0"",""task_label"":""?"",""value"":""Yes""}]",{},45\n'
            '92,ben,8,"[{""task"":""T1"",""value"":[{""choice"":""DR"",""answers"":{""N"":""1""}}]},'
            '{""task"":""T2"",""value"":null},{""task"":""T3"",""value"":[{""x"":1,""y"":2}]}]",{},45\n'
            '93,cem,9,"[{""task"":""T3"",""value"":[]},{""task"":""T4"",""value"":4}]",{},45\n'
        ),
        [("45", "ann", "T0", ["Yes"]), ("45", "ben", "T1", ["DR"]), ("45", "cem", "T4", ["4"])],
    ),
    "mturk": (
        "a.csv",
        (
            '"HITId","WorkerId","AssignmentStatus","Answer.tone.label","Answer.is.a","Answer.is.b",'
            '"Answer.has.x","Answer.has.y"\n'
            '"H1","W1","Approved","warm","true","false","true","true"\n'
            '"H1","W2","Rejected","cold","false","true","true","true"\n'
            '"H1","W3","Approved","","false","true","false","true"\n'
        ),
        [  # one of `is` is chosen in each row; `has` are several questions
            ("H1", "W1", "Answer.has.x", "true"),
            ("H1", "W1", "Answer.has.y", "true"),
            ("H1", "W1", "Answer.is", "a"),
            ("H1", "W1", "Answer.tone.label", "warm"),
            ("H1", "W3", "Answer.has.x", "false"),
            ("H1", "W3", "Answer.has.y", "true"),
            ("H1", "W3", "Answer.is", "b"),
        ],
    ),
    "toloka": (
        "a.tsv",
        (
            "INPUT:image\tOUTPUT:result\tASSIGNMENT:task_id\tASSIGNMENT:worker_id\tASSIGNMENT:status\n"
            "x.png\tcat\tt1\tw1\tAPPROVED\nx.png\tdog\tt1\tw2\tREJECTED\n"
        ),
        [("t1", "w1", "OUTPUT:result", "cat")],
    ),
    "goemotions": (
        "a.csv",
        f"{EMOTIONS},admiration,neutral\n…,eda,u,s,t3,t1,1.5e9,37,False,0,1\n",
        [("eda", "37", "admiration", "0"), ("eda", "37", "neutral", "1")],
    ),
    "mqm": (
        "a.tsv",
        (
            "system\tdoc\tseg_id\trater\tcategory\tseverity\n"
            "S\td\t3\tr1\tFluency\tMinor\nS\td\t3\tr1\tAccuracy\tMajor\nS\td\t3\tr2\tNo-error\tNo-error\n"
        ),
        [("S/d/3", "r1", "Major"), ("S/d/3", "r2", "No-error")],
    ),
    "rayyan": (
        "a.csv",
        (
            "key,title,notes\n"
            'rayyan-1,T,"RAYYAN-INCLUSION: {""Ann""=>""Included"", ""Ben""=>""Excluded""} | …"\n'
        ),
        [("rayyan-1", "Ann", "Included"), ("rayyan-1", "Ben", "Excluded")],
    ),
    "boris": (
        "a.csv",
        (
            f"{BORIS}o1,v.mp4,No focal subject,Holding,STATE,1.5,2.25\n"
            "o1,v.mp4,No focal subject,Cry,POINT,3,3\n"
        ),
        [("o1", "1500", "2250", "Holding")],
    ),
    "bids": (
        "sub-01_events.tsv",
        "onset\tduration\ttrial_type\n0.5\t1.5\tface\n3\t0\tpress\n",
        [("500", "2000", "face")],
    ),
    "inspect": (
        "log.json",
        {
            "version": 2,
            "status": "success",
            "eval": {"task": "guide"},
            "samples": [
                {"id": n, "epoch": 1, "scores": {"model_graded_qa": {"value": value}}}
                for n, value in ((1, "C"), (2, "I"))
            ],
        },
        [("1", "1", "model_graded_qa", "C"), ("2", "1", "model_graded_qa", "I")],
    ),
    "promptfoo": (
        "results.json",
        {
            "evalId": "eval-1",
            "results": {
                "version": 3,
                "results": [
                    {
                        "testIdx": 0,
                        "promptIdx": 1,
                        "gradingResult": {
                            "pass": False,
                            "componentResults": [
                                {"pass": False, "score": 0, "assertion": {"type": "latency"}},
                                {"pass": True, "score": 1, "assertion": {"type": "llm-rubric"}},
                                {"pass": False, "score": 0, "assertion": {"type": "llm-rubric"}},
                                {"pass": True, "score": 1, "assertion": {"type": "factuality"}},
                            ],
                        },
                    }
                ],
            },
        },
        [  # two rubrics of one answer are two items
            ("0/1/2", "llm-rubric", "true"),
            ("0/1/3", "llm-rubric", "false"),
            ("0/1/4", "factuality", "true"),
        ],
    ),
    "pubtator": (
        "a.pubtator",
        "1|t|Title, of one\n1|a|Text.\n1\t0\t5\tTitle\tDisease\tD1\n",
        [("1", "0", "5", "Disease")],
    ),
}


def test_every_shape_has_a_sample() -> None:
    assert [shape.key for shape in SHAPES] == [*SAMPLES]
    assert all(parse_query(shape.key) == shape.query for shape in SHAPES)


@pytest.mark.parametrize(
    ("page", "shapes"), [("query.md", SHAPES), ("rank-systems.md", PREFERENCES)]
)
def test_the_documentation_lists_each_shape(page: str, shapes: tuple[Shape, ...]) -> None:
    path = Path(__file__).parents[3] / "docs" / "how-to" / page
    lines = path.read_text(encoding="utf-8").splitlines()
    for one in shapes:
        assert f"| `{one.key}` | {one.name} | {one.kind} | {one.note} |" in lines


@pytest.mark.parametrize("key", SAMPLES)
def test_a_sample_is_recognised_and_read(tmp_path: Path, key: str) -> None:
    pytest.importorskip("duckdb")
    name, content, expected = SAMPLES[key]
    if isinstance(content, list) and name.endswith(".jsonl"):
        content = "\n".join(map(json.dumps, content))
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    (tmp_path / name).write_text(text, encoding="utf-8")
    shape = known_shape(tmp_path / name)
    assert shape is not None
    assert shape.key == key
    batches = Query(tmp_path / name, shape.query).batches()
    found = [tuple(row.values()) for batch in batches for row in batch.to_pylist()]
    assert [row for row in found if row in expected] == expected
    assert key in ("summeval", "lewidi2023") or found == expected


def test_answers_of_turk_without_a_status(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    path = tmp_path / "a.csv"
    path.write_text("hitid,workerid,answer.tone\nh1,w1,warm\nh1,w2,\n", encoding="utf-8")
    shape = known_shape(path)
    assert shape is not None
    table = open_table(path, TableOptions(query=shape.query))
    rows = [row for batch in table.batches for row in batch.rows]
    assert rows == [["h1", "w1", "answer.tone", "warm"]]


def test_a_log_of_inspect_is_read_from_its_archive(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    path = tmp_path / "log.eval"
    samples = [
        {"id": "a/1", "epoch": 1, "messages": ["…"], "scores": {"match": {"value": "C"}}},
        {"id": 2, "epoch": 2, "scores": {"match": {"value": 0.5}, "graded": {"value": "I"}}},
        {"id": 3, "epoch": 1, "scores": None},
    ]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as log:
        log.writestr("header.json", "{}")
        for number, sample in enumerate(samples):
            log.writestr(f"samples/{number}_epoch_1.json", json.dumps(sample))
    shape = known_shape(path)
    assert shape is not None
    table = open_table(path, TableOptions(query=shape.query))
    rows = [tuple(row) for batch in table.batches for row in batch.rows]
    assert table.header == ["item", "pass", "annotator", "label"]
    assert rows == [
        ("a/1", "1", "match", "C"),
        ("2", "2", "match", "0.5"),
        ("2", "2", "graded", "I"),
    ]
    (tmp_path / "empty.eval").write_bytes(path.read_bytes()[:40])
    with pytest.raises(DataError, match=r"empty\.eval"):
        open_table(tmp_path / "empty.eval", TableOptions(query=shape.query))


def test_a_beginning_that_ends_within_a_character_is_recognised(tmp_path: Path) -> None:
    for at in range(4):
        path = tmp_path / f"{at}.csv"
        path.write_text(f"{BORIS}{'x' * at}{'é🎵' * 20_000}\n", encoding="utf-8")
        shape = known_shape(path)
        assert shape is not None
        assert shape.key == "boris"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "item,annotator,label\n1,a,x\n"),
        ("a.csv", ""),
        ("a.csv", "key,title,notes\n1,T,none\n"),
        ("a.json", "{"),
        ("a.json", '{"a": {"b": 1}}'),
        ("a.json", "[1, 2]"),
        ("a.jsonl", '{"annotators": [], "labels": []}'),
        ("a.txt", "classification_id,user_name,annotations,subject_ids\n"),
    ],
)
def test_other_files_have_no_known_shape(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert known_shape(tmp_path / name) is None
    assert known_shape(tmp_path) is None
    assert known_shape(tmp_path / "absent.json") is None
