"""JSON exports of Prodigy, doccano, Label Studio and Argilla: no answer vanishes or is nobody's."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Assignment, Excluded, Label, Record, Rejected, Relation, Unit
from accordeur.reports.warnings import in_english
from accordeur.tasks.agreement.agree import agree
from accordeur.tasks.inputs.assessment_options import ScoreOptions
from accordeur.tasks.inputs.distance_options import ChosenDistance
from accordeur.tasks.inputs.label_options import LabelOptions
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.inputs.reading_warnings import warnings_on_reading
from accordeur.tasks.inputs.results_of_exports import ExportResults
from accordeur.tasks.scores.score_exports import score_exports

CASES = Path(__file__).resolve().parent / "cases"
ROWS = (Label, Unit, Relation, Rejected, Excluded)
OPTION = re.compile(r"`--option ([a-z_]+)=([^`]+)`")


def agreed(path: Path, **options: str) -> ExportResults:
    return agree(path, Reading(options=options), LabelOptions(replicates=0))


def value(found: ExportResults, measure: str = "percent_agreement") -> float:
    return next(one.value for one in found.estimates if one.measure == measure)


def told(found: ExportResults) -> list[str]:
    return [in_english(one) for one in found.remarks]


def records_of(path: Path, **options: str) -> tuple[list[Record], SourceOptions]:
    source = SourceOptions(extra=options)
    return list(read_source(path, "auto", source)), source


def lines(path: Path, rows: Iterable[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def array(path: Path, rows: Iterable[Any]) -> Path:
    path.write_text(json.dumps(list(rows)), encoding="utf-8")
    return path


def test_an_accepted_answer_without_a_choice_is_the_empty_set() -> None:
    path = CASES / "prodigy_empty_accept" / "emo.jsonl"
    found = agreed(path)
    assert value(found) == 0.5
    assert found.rows.n_read == 10
    assert found.rows.measured == 8
    assert found.rows.excluded == {"rejected_task": 1, "single_annotator": 1}
    assert any("without a label or unit: 3" in one for one in told(found))
    missing = agreed(path, empty="unfinished")
    assert (missing.rows.n_read, missing.rows.measured) == (10, 4)
    assert missing.rows.excluded["empty_answer"] == 3
    assert not any("without a label" in one for one in told(missing))
    none = agreed(path, reject="empty")  # the rejected text against `joy`
    assert value(none) == pytest.approx(2 / 5)
    with pytest.raises(DataError, match="option empty = 'maybe': the allowed values are finished"):
        agreed(path, empty="maybe")
    masi = agree(path, Reading(), LabelOptions(replicates=0, distance=ChosenDistance("masi")))
    assert value(masi, "krippendorff_alpha") < 1


def prodigy_answer(who: str, answer: str, start: int, **task: Any) -> dict[str, Any]:
    span = {"start": start, "end": start + 4, "label": "LOC"}
    hashes = {"_input_hash": 1, "_task_hash": 10 + start}
    text = {"text": "Rome and Bonn met Oslo", "spans": [span]}
    return {**hashes, **text, "_annotator_id": who, "answer": answer, **task}


@pytest.mark.parametrize(
    "task",
    [
        {"_view_id": "ner"},
        {"_view_id": "spans"},
        {"_view_id": "classification", "label": "LOC"},
        {"_view_id": "review", "view_id": "ner"},
        {"spans": [{"start": 0, "end": 4, "label": "LOC", "answer": "accept"}], "_task_hash": 7},
    ],
)
def test_a_span_that_prodigy_asks_about_is_no_span_that_the_annotator_marked(
    task: dict[str, Any], tmp_path: Path
) -> None:
    answers = [
        prodigy_answer("ana", "accept", 0, **task),
        prodigy_answer("ben", "reject", 0, **task),
    ]
    records, _ = records_of(lines(tmp_path / "teach.jsonl", answers))
    labels = [record for record in records if isinstance(record, Label)]
    assert not [record for record in records if isinstance(record, Unit | Rejected | Excluded)]
    assert {(one.annotator, one.labels[0]) for one in labels} == {
        ("ana", "accept"),
        ("ben", "reject"),
    }
    assert {(one.item, one.layer) for one in labels} == {("1:0-4", "LOC")}


def test_questions_about_several_spans_of_a_text_are_several_items(tmp_path: Path) -> None:
    made = {"ana": ("accept", "accept", "reject"), "ben": ("accept", "reject", "ignore")}
    path = lines(
        tmp_path / "teach.jsonl",
        [
            prodigy_answer(who, answer, start, _view_id="ner")
            for who, answers in made.items()
            for answer, start in zip(answers, (0, 9, 18), strict=True)
        ],
    )
    found = agreed(path)
    assert value(found) == 0.5
    assert found.rows.excluded == {"ignored_task": 1, "single_annotator": 1}


def test_the_options_of_a_highlighted_span_are_labels_of_that_span(tmp_path: Path) -> None:
    task = {"_view_id": "choice", "options": [{"id": "Q1"}, {"id": "Q2"}]}
    answers = [prodigy_answer(who, "accept", 9, accept=["Q1"], **task) for who in ("ana", "ben")]
    records, _ = records_of(lines(tmp_path / "link.jsonl", answers))
    assert not [record for record in records if isinstance(record, Unit)]
    items = [(one.item, one.labels) for one in records if isinstance(one, Label)]
    assert items == [("1:9-13", ("Q1",))] * 2
    manual = [{**one, "_view_id": "ner_manual"} for one in answers]
    records, _ = records_of(lines(tmp_path / "manual.jsonl", manual))
    assert len([record for record in records if isinstance(record, Unit)]) == 2


def test_the_annotator_of_doccano_s_first_export() -> None:
    found = agreed(CASES / "doccano_username" / "export.json1.jsonl")
    assert value(found) == pytest.approx(1 / 3)
    assert (found.rows.n_annotators, found.rows.measured) == (2, 6)


def project(path: Path, who: int, answers: dict[str, str], data: Callable[[str], Any]) -> None:
    """An export whose tasks are numbered from 1, in the order of the answers."""
    tasks = []
    for number, (content, label) in enumerate(answers.items(), start=1):
        result = [{"from_name": "nli", "type": "choices", "value": {"choices": [label]}}]
        made = [{"completed_by": who, "result": result}]
        tasks.append({"id": number, "data": data(content), "annotations": made})
    array(path, tasks)


@pytest.mark.parametrize(
    ("data", "other"),
    [
        (lambda one: {"premise": f"the {one}", "claim": "it is"}, None),
        (lambda one: {"premise": one, "claim": "it"}, None),
        (lambda one: {"dialogue": [{"author": "a", "text": one}], "turns": 1}, None),
        (
            lambda one: {"image": f"/data/upload/1/0123abcd-{one}.png", "by": "ana"},
            lambda one: {"image": f"/data/upload/2/89ef4567-{one}.png", "by": "ben"},
        ),
        (
            lambda one: {"image": f"https://a.org/{one}.png?key=1"},
            lambda one: {"image": f"https://b.org/{one}.png?key=2"},
        ),
    ],
)
def test_tasks_of_two_projects_with_one_number_are_not_one_item(
    data: Callable[[str], Any], other: Callable[[str], Any] | None, tmp_path: Path
) -> None:
    """The second project had the tasks in another order: α was of pairs of different tasks."""
    answers = {"cat": "yes", "dog": "no", "cow": "yes", "hen": "yes"}
    project(tmp_path / "ana.json", 1, answers, data)
    project(tmp_path / "ben.json", 2, answers, other or data)
    assert value(agreed(tmp_path)) == 1
    turned = dict(reversed(answers.items()))
    project(tmp_path / "ben.json", 2, turned, other or data)
    with pytest.raises(DataError, match="tasks of two projects that were numbered independently"):
        agreed(tmp_path)


def test_json_min_of_label_studio_names_the_annotators() -> None:
    found = agreed(CASES / "label_studio_json_min" / "project-1.json")
    assert value(found) == 0.5
    assert (found.rows.n_annotators, found.rows.measured) == (2, 4)


def json_min(path: Path, *, in_order: bool = True) -> Path:
    """Units, choices and a rating of two annotators, and a task that nobody annotated."""
    rows: list[dict[str, Any]] = []
    for number, who in ((1, "ana@x.org"), (2, "ben@x.org")):
        span = {"start": 0, "end": 2 + number, "text": "Anna"[: 2 + number], "labels": ["PER"]}
        rows.append(
            {
                "text": "Anna went",
                "source": "web",
                "id": 1,
                "names": [span],
                "topics": {"choices": ["a", "b"]} if number == 1 else "a",
                "stars": [{"rating": 4}],
                "annotator": who,
                "annotation_id": number,
                "created_at": "2024-01-01",
                "updated_at": "2024-01-01",
                "lead_time": 2.0,
            }
        )
    rows.append({"text": "t", "source": "web", "id": 2, "annotator": None, "annotation_id": None})
    if not in_order:
        rows = [dict(sorted(row.items())) for row in rows]
    return array(path, rows)


def test_units_sets_and_ratings_of_json_min(tmp_path: Path) -> None:
    records, _ = records_of(json_min(tmp_path / "p.json"))
    units = {r.annotator: (r.start_offset, r.end_offset) for r in records if isinstance(r, Unit)}
    assert units == {"ana": (0, 3), "ben": (0, 4)}
    labels = {(r.annotator, r.layer): r.labels for r in records if isinstance(r, Label)}
    assert labels == {
        ("ana", "topics"): ("a", "b"),
        ("ana", "stars"): ("4",),
        ("ben", "topics"): ("a",),
        ("ben", "stars"): ("4",),
    }
    assert not [r for r in records if isinstance(r, Rejected)]
    assert [r.reason for r in records if isinstance(r, Excluded)] == ["not_annotated"]


def test_recordings_in_json_min_are_in_seconds(tmp_path: Path) -> None:
    rows = [
        {
            "audio": "/data/a.wav",
            "id": 1,
            "who": [{"start": 0, "end": end, "labels": ["A"]}],
            "annotator": number,
            "annotation_id": number,
            "lead_time": 1.0,
        }
        for number, end in ((1, 10), (2, 10.25))
    ]
    records, _ = records_of(array(tmp_path / "p.json", rows))
    ends = [(r.annotator, r.end_offset) for r in records if isinstance(r, Unit)]
    assert ends == [("1", 10_000), ("2", 10_250)]


def test_the_first_annotation_is_the_same_in_json_and_json_min(tmp_path: Path) -> None:
    """JSON-MIN has the newest first."""
    rows = [
        {
            "text": "x",
            "id": 1,
            "tone": tone,
            "annotator": 1,
            "annotation_id": number,
            "created_at": f"2024-01-0{number}",
        }
        for number, tone in ((2, "cold"), (1, "warm"))
    ]
    records, _ = records_of(array(tmp_path / "p.json", rows))
    labels = {r.pass_: r.labels for r in records if isinstance(r, Label)}
    assert labels == {1: ("warm",), 2: ("cold",)}


def test_json_min_whose_keys_were_sorted_asks_for_the_layer(tmp_path: Path) -> None:
    path = json_min(tmp_path / "p.json", in_order=False)
    with pytest.raises(DataError, match=r"several layers of labels .*choose one with --layer"):
        agreed(path)
    found = agree(path, Reading(layer="stars"), LabelOptions(replicates=0))
    assert value(found) == 1


def doccano(path: Path, key: str, names: tuple[str, ...], *, shared: bool = True) -> Path:
    rows = [
        {
            "id": n if shared else f"{n}{name}",
            "text": f"text {n}",
            "label": ["ab"[n % 2]],
            key: name,
        }
        for n in range(4)
        for name in names
    ]
    return lines(path, rows)


@pytest.mark.parametrize("key", ["username", "user", "annotator", "annotated_by"])
def test_a_key_of_doccano_that_differs_within_a_document_names_the_annotator(
    tmp_path: Path, key: str
) -> None:
    found = agreed(doccano(tmp_path / "all.jsonl", key, ("ana", "ben")))
    assert value(found) == 1
    assert found.rows.n_annotators == 2


def test_metadata_of_doccano_are_not_annotators(tmp_path: Path) -> None:
    """Newer exports write the metadata of a text, such as its author, into the line."""
    doccano(tmp_path / "ana.jsonl", "username", ("author1",))
    doccano(tmp_path / "ben.jsonl", "username", ("author1",))
    found = agreed(tmp_path)
    assert (value(found), found.rows.n_annotators) == (1, 2)
    assert any("not used (1): username" in one for one in told(found))
    records, _ = records_of(tmp_path / "ana.jsonl", annotator_key="username")
    assert {r.annotator for r in records if isinstance(r, Assignment)} == {"author1"}


def test_annotations_of_doccano_that_name_their_user(tmp_path: Path) -> None:
    rows = [
        {
            "id": n,
            "text": "Ana is in Rome",
            "annotation_approver": "boss",
            "annotations": [
                {"id": 2 * n, "label": "A", "start_offset": 0, "end_offset": 3, "username": "ana"},
                {"id": 2 * n + 1, "label": "A", "start_offset": 0, "end_offset": 3, "user": 7},
            ],
        }
        for n in range(3)
    ]
    records, _ = records_of(lines(tmp_path / "old.jsonl", rows))
    assert {r.annotator for r in records if isinstance(r, Unit)} == {"ana", "7"}


def choice(item: int, who: str, accept: list[str], **more: object) -> dict[str, object]:
    return {
        "text": f"t{item}",
        "_input_hash": item,
        "_task_hash": item,
        "_view_id": "choice",
        "accept": accept,
        "answer": "accept",
        "_annotator_id": who,
        **more,
    }


@pytest.mark.parametrize(
    ("style", "measured"),
    [
        ({}, 4),
        ({"config": {"choice_style": "single"}}, 4),
        ({"config": {"choice_style": "multiple"}}, 6),
    ],
)
def test_a_single_choice_that_was_not_made_is_missing(
    tmp_path: Path, style: dict[str, object], measured: int
) -> None:
    rows = [choice(n, who, ["ab"[n]], **style) for n in (0, 1) for who in ("ana", "ben")]
    rows += [choice(2, "ana", [], **style), choice(2, "ben", [], **style)]
    path = lines(tmp_path / "x.jsonl", rows)
    found = agreed(path)
    assert (found.rows.n_read, found.rows.measured) == (6, measured)
    assert any("without a label or unit: 2" in one for one in told(found))
    assert agreed(path, empty="finished").rows.measured == 6


def test_several_choices_in_another_file_of_the_source_decide_too(tmp_path: Path) -> None:
    """Who never chose two options left an empty set all the same."""
    lines(tmp_path / "ana.jsonl", [choice(0, "ana", ["a", "b"]), choice(1, "ana", [])])
    lines(tmp_path / "ben.jsonl", [choice(0, "ben", ["a"]), choice(1, "ben", [])])
    found = agreed(tmp_path)
    assert (found.rows.measured, value(found)) == (4, 0.5)


def annotation(who: int, *results: dict[str, object], **more: object) -> dict[str, object]:
    return {"completed_by": who, "result": list(results), **more}


def chosen(*labels: str) -> dict[str, object]:
    value = {"choices": list(labels)}
    return {"from_name": "topic", "type": "choices", "value": value, "id": "".join(labels)}


def label_studio(path: Path, *, several: bool) -> Path:
    first = chosen("a", "b") if several else chosen("a")
    rows = [
        {
            "id": 1,
            "data": {"text": "x"},
            "annotations": [annotation(1, first), annotation(2, first)],
        },
        {"id": 2, "data": {"text": "y"}, "annotations": [annotation(1), annotation(2)]},
        {
            "id": 3,
            "data": {"text": "z"},
            "annotations": [annotation(1), annotation(2, chosen("a"))],
        },
        {"id": 4, "data": {"text": "z"}, "annotations": [annotation(1, was_cancelled=True)]},
        {"id": 5, "data": {"text": "z"}, "annotations": []},
    ]
    return array(path, rows)


def test_submitted_annotations_of_label_studio_without_results(tmp_path: Path) -> None:
    found = agreed(label_studio(tmp_path / "p.json", several=True))
    assert value(found) == pytest.approx(2 / 3)
    assert found.rows.excluded == {"cancelled": 1, "not_annotated": 1}
    assert found.rows.n_read == 8
    tasks = json.loads((tmp_path / "p.json").read_text())
    for task in tasks:
        for made in task["annotations"]:  # as programs write it
            made["result"] = made["result"] or [chosen()]
    assert value(agreed(array(tmp_path / "q.json", tasks))) == pytest.approx(2 / 3)
    single = agreed(label_studio(tmp_path / "s.json", several=False))
    assert single.rows.measured == 2
    assert single.rows.excluded["empty_answer"] == 3


def mood(label: str) -> dict[str, object]:
    return {"from_name": "mood", "type": "choices", "value": {"choices": [label]}, "id": "m"}


def test_an_optional_control_left_empty_is_missing_and_counted(tmp_path: Path) -> None:
    """Who answered another control of the task may not have meant the empty set of topics."""
    made = [
        [annotation(1, mood("x"), chosen("a", "b")), annotation(2, mood("x"), chosen("a"))],
        [annotation(1, mood("y")), annotation(2, mood("x"), chosen("a"))],
        [annotation(1), annotation(2, mood("x"), chosen("b"))],  # finished and empty
    ]
    rows = [
        {"id": n, "data": {"text": f"t{n}"}, "annotations": each} for n, each in enumerate(made, 1)
    ]
    path = array(tmp_path / "p.json", rows)

    def topics(**options: str) -> tuple[dict[tuple[str, str], tuple[str, ...]], int, int]:
        records, source = records_of(path, **options)
        labels = {
            (r.document, r.annotator): r.labels
            for r in records
            if isinstance(r, Label) and r.layer == "topic"
        }
        n_missing = sum(r.n_rows for r in records if isinstance(r, Excluded))
        return labels, n_missing, source.notes.n_empty_missing + source.notes.n_empty_finished

    labels, n_missing, n_told = topics()
    assert ("2", "1") not in labels
    assert labels["3", "1"] == ()
    assert (n_missing, n_told) == (2, 2)  # topics of task 2, mood of task 3
    labels, n_missing, _ = topics(empty="finished")
    assert (labels["2", "1"], n_missing) == ((), 0)
    labels, n_missing, _ = topics(empty="unfinished")
    assert (("3", "1") in labels, n_missing) == (False, 3)


def argilla(path: Path, empty: object = ()) -> Path:
    def answer(user: str, value: object, status: str = "submitted") -> dict[str, object]:
        return {"user_id": user, "value": value, "status": status}

    rows = [
        (answer("u1", ["a", "b"]), answer("u2", ["a"])),
        (answer("u1", []), answer("u2", [])),
        (answer("u1", ["a"], "draft"), answer("u2", ["b"], "discarded")),
        (),
    ]
    return array(
        path,
        [
            {"id": f"r{n}", "fields": {"text": f"t{n}"}, "responses": {"topics": list(given)}}
            for n, given in enumerate(rows)
        ],
    )


def test_submitted_responses_of_argilla_without_a_label(tmp_path: Path) -> None:
    found = agreed(argilla(tmp_path / "r.json"))
    assert value(found) == 0.5
    assert found.rows.n_read == 7
    assert found.rows.excluded == {"draft": 1, "cancelled": 1, "not_annotated": 1}


def test_empty_lists_of_doccano_do_not_say_what_they_mean(tmp_path: Path) -> None:
    for who in ("ana", "ben"):
        rows = [{"id": n, "text": f"t{n}", "label": ["a", "b"][:n]} for n in range(3)]
        lines(tmp_path / f"{who}.jsonl", rows)
    found = agreed(tmp_path)
    assert (found.rows.n_read, found.rows.measured) == (6, 4)
    assert found.rows.excluded == {"empty_answer": 2}
    assert agreed(tmp_path, empty="finished").rows.measured == 6


MAKERS: dict[str, Callable[[Path], Path]] = {
    "x.jsonl": lambda path: lines(path, [choice(0, "a", []), choice(0, "b", ["x"])]),
    "p.json": lambda path: label_studio(path, several=False),
    "r.json": argilla,
    "d.jsonl": lambda path: lines(path, [{"id": 1, "text": "t", "label": []}]),
}


@pytest.mark.parametrize("file", MAKERS)
def test_the_options_in_the_warning_work_when_typed(tmp_path: Path, file: str) -> None:
    path = MAKERS[file](tmp_path / file)
    _, source = records_of(path)
    n = source.notes.n_empty_finished + source.notes.n_empty_missing
    assert n
    (text,) = [one for one in map(in_english, warnings_on_reading(source.notes)) if "empty=" in one]
    assert len(text) <= 400
    typed = OPTION.findall(text)
    assert typed == [("empty", "finished"), ("empty", "unfinished")]
    for name, setting in typed:
        records, again = records_of(path, **{name: setting})
        assert warnings_on_reading(again.notes) == []
        empty = [r for r in records if isinstance(r, Excluded) and r.reason == "empty_answer"]
        assert bool(empty) == (setting == "unfinished")


SPAN = {"start": 0, "end": 1, "label": "A"}
TASK = {"text": "one two", "_task_hash": 1, "answer": "accept", "_annotator_id": "a"}
PRODIGY: list[dict[str, object]] = [
    {**TASK, "spans": [SPAN]},
    {**TASK, "spans": []},
    {**TASK, "spans": [SPAN], "answer": "reject"},
    {**TASK, "spans": [SPAN], "answer": "ignore"},
    {**TASK, "label": "SPAM"},
    {**TASK, "label": "SPAM", "answer": "ignore"},
    {**TASK, "accept": []},
    {**TASK, "accept": ["a"]},
    {**TASK, "accept": "a"},
    {**TASK, "accept": ["a"], "spans": [SPAN], "_view_id": "blocks"},
    {**TASK, "_view_id": "text_input", "user_input": "free"},
    {**TASK, "_view_id": "image_manual", "image_spans": [{"label": "A"}]},
    {**TASK, "spans": "x"},
    {**TASK, "spans": [], "relations": "x"},
    {**TASK, "spans": [], "relations": [{"head": 1}]},
    {**TASK, "answer": "later"},
    {**TASK, "_annotator_id": None},
    {**TASK, "_input_hash": None},
    {**TASK, "spans": []},
]
DOCCANO: list[object] = [
    {"text": "one two", "label": [[0, 3, "A"]]},
    {"text": "one two", "label": []},
    {"text": "one two", "label": ["a"]},
    {"text": "one two", "label": "a"},
    {"text": "one two", "entities": [], "relations": [{"from_id": 1, "to_id": 2}]},
    {"text": "one two", "label": [], "relations": [{"from_id": 1, "to_id": 2}]},
    {"text": "one two", "annotations": []},
    {"text": "one two", "annotations": "x"},
    {"text": "one two", "cats": [None]},
    {"filename": "a.png", "label": []},
    "junk",
]
LABEL_STUDIO: list[dict[str, object]] = [
    {"data": {"text": "one"}, "annotations": made, **more}
    for made, more in (
        ([annotation(1, chosen("a"))], {}),
        ([annotation(1)], {}),
        ([annotation(1, was_cancelled=True)], {}),
        ([annotation(1, chosen("a"), was_cancelled=True)], {}),
        ([], {}),
        ([], {"drafts": [{"user": 1, "result": []}]}),
        ([], {"predictions": [{"model_version": "m", "result": [chosen("a")]}]}),
        ([{"completed_by": 1, "result": "x"}], {}),
        ([{"completed_by": 1, "result": None}], {}),
        ([{"result": [chosen("a")]}], {}),
        ([annotation(1, {"type": "relation", "from_id": "q", "to_id": "r"})], {}),
        ([annotation(1, {"type": "odd", "value": {}})], {}),
        (None, {}),
    )
]
ARGILLA: list[dict[str, object]] = [
    {"fields": {"text": "one"}, "responses": given}
    for given in (
        {"q": [{"user_id": "u", "value": "a"}]},
        {"q": [{"user_id": "u", "value": []}]},
        {"q": [{"user_id": "u", "value": None}]},
        {"q": [{"user_id": "u", "value": "a", "status": "draft"}]},
        {"q": [{"user_id": "u", "value": "a", "status": "discarded"}]},
        {"q": [{"value": "a"}]},
        {"q": []},
        {},
        {"q": [{"user_id": "u", "value": [{"start": 0, "end": 2, "label": "A"}]}]},
        {"q": [{"user_id": "u", "value": [{"odd": 1}]}]},
    )
]


GOOD: dict[str, dict[str, Any]] = {
    "prodigy": {**TASK, "_input_hash": 500, "_task_hash": 500, "accept": ["b"]},
    "doccano": {"id": 500, "text": "good", "label": ["b"]},
    "label_studio": {
        "id": 500,
        "data": {"text": "good"},
        "annotations": [annotation(1, chosen("b"))],
    },
    "argilla": {
        "id": "500",
        "fields": {"text": "good"},
        "responses": {"q": [{"user_id": "u", "value": "b"}]},
    },
}


@pytest.mark.parametrize("layers", [(), ("other",)])
@pytest.mark.parametrize(
    ("format", "rows", "key"),
    [
        ("prodigy", PRODIGY, "_input_hash"),
        ("doccano", DOCCANO, "id"),
        ("label_studio", LABEL_STUDIO, "id"),
        ("argilla", ARGILLA, "id"),
    ],
)
def test_every_record_of_the_file_is_in_the_account(
    tmp_path: Path, format: str, rows: list[Any], key: str, layers: tuple[str, ...]
) -> None:
    """Each record, after a good one: it gives a row, or is counted as an answer without one."""
    before, _ = accounted(lines(tmp_path / "good.jsonl", [GOOD[format]]), format, layers)
    for number, row in enumerate(rows):
        record = {key: number + 1, **row} if isinstance(row, dict) else row
        path = lines(tmp_path / f"{number}.jsonl", [GOOD[format], record])
        n_rows, n_empty = accounted(path, format, layers)
        assert n_rows + n_empty > before, row


def accounted(path: Path, format: str, layers: tuple[str, ...]) -> tuple[int, int]:
    """The numbers of rows, and of answers without a label or unit."""
    source, n_rows = SourceOptions(layers=layers), 0
    with suppress(DataError):  # at the end, that the source has none of the layers
        for one in read_source(path, format, source):
            n_rows += isinstance(one, ROWS)
    return n_rows, source.notes.n_empty_finished + source.notes.n_empty_missing


def prodigy_answers(path: Path, spans: Iterable[tuple[int, int]], **more: Any) -> Path:
    common = {"_view_id": "ner_manual", "answer": "accept", "_session_id": None, **more}
    return lines(
        path,
        (
            {
                "text": "Ana met Bo in Rome.",
                "_input_hash": k,
                "_task_hash": k,
                "spans": [{"start": start, "end": end, "label": "X"}],
                **common,
            }
            for k, (start, end) in enumerate(spans)
        ),
    )


def test_prodigy_answers_of_sessions_without_a_name_are_the_work_of_their_file(
    tmp_path: Path,
) -> None:
    prodigy_answers(tmp_path / "anna.jsonl", [(0, 3), (8, 10)])
    system = prodigy_answers(tmp_path / "tagger.jsonl", [(0, 3), (14, 18)])
    records, _ = records_of(tmp_path)
    people = {one.annotator for one in records if isinstance(one, Unit)}
    assert people == {"anna", "tagger"}
    scores = score_exports(
        str(tmp_path / "anna.jsonl"), [str(system)], options=ScoreOptions(replicates=0)
    )
    rows = scores.evaluation.rows()
    values = {one.measure: one.value for _, category, one in rows if not category}
    assert values["exact_f"] == 0.5


def test_answers_that_cannot_be_read_are_not_called_something_else(tmp_path: Path) -> None:
    path = prodigy_answers(tmp_path / "anna.jsonl", [(0, 3)], answer="maybe")
    with pytest.raises(DataError, match="answer is 'maybe', not accept, reject or ignore"):
        records_of(path)
