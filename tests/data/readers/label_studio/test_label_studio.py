"""Label Studio: who, which state, which reading of the offsets; the vendor's own files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from accordeur.data.errors import DataError


@pytest.fixture
def tables(corpora: Path, read):
    return read(corpora / "formats" / "label_studio.json")


def test_states_passes_and_roles(tables) -> None:
    found = {
        (a.annotator, a.pass_): (a.role, a.state) for a in tables.by("assignments", document="1")
    }
    assert found == {
        ("1", 1): ("human", "finished"),
        ("2", 1): ("human", "finished"),
        ("2", 2): ("human", "finished_empty"),  # the second annotation of the same person
        ("3", 1): ("human", "unfinished"),  # cancelled
        ("4", 1): ("human", "finished"),  # the only region was rejected
        ("5", 1): ("human", "finished"),  # marked as ground truth: its annotator's all the same
        ("6", 1): ("human", "unfinished"),  # a draft
        ("prediction:1", 1): ("system", "finished"),
    }
    assert {a.time for a in tables.by("assignments", annotator="1")} == {"2024-05-01T10:00:00Z"}


def test_the_reading_that_fits_is_kept(tables) -> None:
    browser, program = (tables.by("units", annotator=a, document="1") for a in ("1", "2"))
    assert [(u.start_offset, u.end_offset) for u in browser] == [
        (u.start_offset, u.end_offset) for u in program
    ]
    assert browser[3].source_offsets == "36 41"
    assert program[3].source_offsets == "35 38"
    (rejected,) = tables.by("rejected", rule="surface_mismatch")
    assert "' cha'" in rejected.message
    assert "'chat'" in rejected.message  # both readings


def test_an_ambiguous_region_follows_its_annotation(read, tmp_path) -> None:
    text = "😀 aaaa b"

    def region(start: int, end: int, surface: str) -> dict:
        value = {"start": start, "end": end, "text": surface, "labels": ["X"]}
        return {"id": f"{start}", "type": "labels", "from_name": "l", "value": value}

    def annotation(by: int, *regions: dict) -> dict:
        return {"completed_by": by, "result": list(regions)}

    made = [
        annotation(1, region(4, 5, "a"), region(8, 9, "b")),  # UTF-16
        annotation(2, region(4, 5, "a"), region(7, 8, "b")),  # code points
        annotation(3, region(4, 5, "a")),  # either: the tool's own unit
    ]
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([{"id": 1, "data": {"text": text}, "annotations": made}]))
    units = read(path, "label_studio").units
    assert [u.start_offset for u in units] == [3, 7, 4, 7, 3]


def test_audio_is_in_milliseconds(tables) -> None:
    (document,) = tables.by("documents", document="2")
    (unit,) = tables.by("units", document="2")
    assert (document.offset_unit, document.length) == ("ms", 12346)
    assert (unit.start_offset, unit.end_offset, unit.layer) == (500, 1235, "speaker")


def test_labels_notes_and_relations(tables) -> None:
    assert {x.layer: x.labels for x in tables.by("labels", document="3")} == {
        "topic": ("a", "b"),
        "tree": ("x/y",),
        "stars": ("4",),
    }
    assert tables.by("units", annotator="1", unit="r1")[0].attributes == (("mood", "calm"),)
    (relation,) = tables.relations
    assert (relation.from_unit, relation.to_unit) == ("r2", "r1")  # direction "left"
    assert Counter(r.rule for r in tables.rejected) == {
        "surface_mismatch": 1,
        "free_text": 1,
        "not_a_span": 1,
        "duplicate_id": 1,
        "no_annotator": 1,
    }


def test_options(corpora: Path, read) -> None:
    path = corpora / "formats" / "label_studio.json"
    tables = read(path, "label_studio", extra={"predictions": "skip"})
    assert {a.annotator for a in tables.by("assignments", document="1")} == set("123456")
    assert {a.role for a in tables.assignments} == {"human"}
    assert {(e.reason, e.n_rows) for e in tables.by("excluded", annotator="prediction:1")} == {
        ("annotator_excluded", 1)
    }
    with pytest.raises(
        DataError, match="ground_truth = 'gold': the allowed values are annotator and refer"
    ):
        read(path, "label_studio", extra={"ground_truth": "gold"})


def test_a_ground_truth_is_its_annotators_and_the_references_where_one_is_wanted(
    corpora: Path, read
) -> None:
    path = corpora / "formats" / "label_studio.json"
    tables = read(path, "label_studio", extra={"ground_truth": "reference"})
    own, truth = (tables.by("units", annotator=name) for name in ("5", "ground_truth"))
    assert [(u.start_offset, u.end_offset, u.category) for u in own] == [
        (u.start_offset, u.end_offset, u.category) for u in truth
    ]
    assert {u.attributes for u in truth} == {(("completed_by", "5"),)}
    roles = {a.annotator: a.role for a in tables.by("assignments", document="1")}
    assert (roles["5"], roles["ground_truth"]) == ("human", "reference")


def test_regions_of_hypertext_and_dialogues(read, tmp_path) -> None:
    value = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 1, "endOffset": 3}
    page = {
        **value,
        "globalOffsets": {"start": 7, "end": 9},
        "hypertextlabels": ["X"],
        "text": "bc",
    }
    turn = {"start": "0", "end": "1", "startOffset": 1, "endOffset": 3, "paragraphlabels": ["X"]}
    results = [
        {"id": "h", "type": "hypertextlabels", "from_name": "l", "value": page},
        {"id": "p", "type": "paragraphlabels", "from_name": "l", "value": turn},
    ]
    path = tmp_path / "tasks.json"
    task = {"id": 1, "data": {"text": "<p>abc</p>"}}
    path.write_text(json.dumps([{**task, "annotations": [{"completed_by": 1, "result": results}]}]))
    tables = read(path, "label_studio")
    assert [(u.unit, u.start_offset, u.end_offset) for u in tables.units] == [("h", 7, 9)]
    assert tables.documents[0].length == -1
    assert [r.rule for r in tables.rejected] == ["not_a_span"]


@pytest.mark.shared
def test_vendor_files(shared_data: Path, read) -> None:
    folder = shared_data / "labelstudio_samples"
    old = read(folder / "test_old_format.json")  # completions, aggregated
    assert [(x.annotator, x.pass_, x.labels) for x in old.labels] == [
        ("103", 1, ("Neutral",)),
        ("103", 2, ("Evil",)),
        ("103", 3, ("Evil", "Neutral")),
    ]
    assert [d.document for d in old.documents] == ["6057960", "6057964"]
    boxes = read(folder / "test_bbox.json")
    assert len(boxes.documents) == 5
    assert Counter(a.role for a in boxes.assignments) == {"human": 15, "system": 5}
    assert Counter(r.rule for r in boxes.rejected) == {"not_a_span": 121}
    samples = {
        "csv_test": (2, 0, 5),
        "csv_test2": (1, 1, 0),
        "csv_test_colliding_keys": (1, 1, 0),
        "csv_test_colliding_keys_mixed": (2, 1, 0),
        "csv_test_history": (1, 1, 0),
    }
    for name, counts in samples.items():
        found = read(folder / "sdk" / "test_export_csv" / f"{name}.json")
        assert (len(found.documents), len(found.labels), len(found.rejected)) == counts
    cyrillic = read(folder / "sdk" / "test_export_csv" / "csv_test2.json").labels[0]
    assert cyrillic.labels == ('Yes " "" \n \t \t а б в \n',)


def test_rectangles_and_free_texts_are_labels_where_objects_are_read(read, tmp_path) -> None:
    def box(id_: str, x: float, **more: object) -> dict:
        value = {"x": x, "y": 2.5, "width": 10, "height": 4, "rotation": 0, **more}
        return {"id": id_, "type": "rectanglelabels", "from_name": "cars", "value": value}

    def text(id_: str, found: object) -> dict:
        return {"id": id_, "type": "textarea", "from_name": "heard", "value": {"text": found}}

    results = [
        box("a", 1, rectanglelabels=["car"]),
        box("b", 2.25, rectanglelabels=["old; car", "bus"]),
        box("c", 3),
        box("drawn upwards to the left", 15.5, y=9.5, width=-10.5, height=-4),
        box("d", 4, rotation=30),
        box("e", 5, width=0),
        text("f", ["le chat", "dort"]),
        text("a", "about the first box"),
    ]
    path = tmp_path / "tasks.json"
    made = [{"completed_by": 1, "result": results}, {"completed_by": 2, "result": []}]
    path.write_text(json.dumps([{"id": 7, "data": {"image": "x.png"}, "annotations": made}]))
    tables = read(path, "label_studio", extra={"objects": "read"})
    assert [(x.layer, x.item, x.labels) for x in tables.labels] == [
        ("cars", "7", ("1 2.5 10 4 car; 2.25 2.5 10 4 bus + old, car; 3 2.5 10 4; 5 5.5 10.5 4",)),
        ("heard", "7", ("le chat\ndort",)),
    ]
    rejected = {"not_a_box": 2, "free_text": 1}
    assert Counter(r.rule for r in tables.rejected) == rejected
    without = read(path, "label_studio")
    assert Counter(r.rule for r in without.rejected) == {"not_a_span": 6, "free_text": 2}
    assert not without.labels


def test_the_results_of_one_region_of_a_picture_are_one_box(read, tmp_path) -> None:
    def part(id_: str, kind: str, control: str, **value: object) -> dict:
        return {"id": id_, "type": kind, "from_name": control, "value": value}

    box = {"x": 1, "y": 2, "width": 10, "height": 4, "rotation": 0}
    round_ = {"x": 1, "y": 2, "radiusX": 3, "radiusY": 3}
    corners = {"points": [[0, 0], [5, 0], [5, 5]], "closed": True}
    results = [
        part("a", "choices", "colour", **box, choices=["red"]),
        part("a", "rectangle", "shape", **box),
        part("a", "labels", "kind", **box, labels=["car"]),
        part("b", "rectangle", "shape", **box),
        part("b", "choices", "colour", **box, choices=["blue"]),
        part("c", "ellipse", "round", **round_),
        part("c", "labels", "kind", **round_, labels=["car"]),
        part("d", "polygonlabels", "area", **corners, polygonlabels=["road"]),
        part("e", "choices", "light", choices=["day"]),
    ]
    path = tmp_path / "tasks.json"
    made = [{"completed_by": 1, "result": results}]
    path.write_text(json.dumps([{"id": 7, "data": {"image": "x.png"}, "annotations": made}]))
    tables = read(path, "label_studio", extra={"objects": "read"})
    assert [(x.layer, x.labels) for x in tables.labels] == [
        ("shape", ("1 2 10 4 car; 1 2 10 4 blue",)),
        ("light", ("day",)),
    ]
    assert [(r.rule, r.message) for r in tables.rejected] == [
        ("not_a_box", "a region of type ellipse is no rectangle"),
        ("not_a_box", "a region of type polygonlabels is no rectangle"),
    ]
    without = read(path, "label_studio")
    assert [(x.layer, x.labels) for x in without.labels] == [("light", ("day",))]
    assert Counter(r.rule for r in without.rejected) == {"not_a_span": 8}


def test_numbers_of_predictions_are_no_rows(tmp_path, read):
    """Exports without the predictions themselves list their numbers."""
    result = [{"from_name": "mood", "type": "choices", "value": {"choices": ["good"]}}]
    made = [{"completed_by": 1, "result": result}]
    task = {"id": 7, "data": {"text": "x"}, "annotations": made, "predictions": [61, 62]}
    empty = {"id": 8, "data": {"text": "y"}, "annotations": [], "predictions": [63]}
    (tmp_path / "tasks.json").write_text(json.dumps([task, empty]))
    tables = read(tmp_path / "tasks.json", "label_studio")
    assert (len(tables.labels), tables.rejected) == (1, [])
    assert [row.reason for row in tables.excluded] == ["not_annotated"]
