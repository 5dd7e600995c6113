"""Label Studio: one name per person without an address, and every annotation read or counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.readers.base import SourceOptions
from accordeur.data.schema import Excluded
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.inputs.unit_options import GammaOptions
from accordeur.tasks.units.gamma_of_exports import gamma
from tests.data.readers.both_ways import read_both_ways

TEXT = "one two three four five six seven eight nine ten"
WORDS = [(start := TEXT.index(word), start + len(word)) for word in TEXT.split()]


def region(k: int, *labels: str) -> dict[str, Any]:
    start, end = WORDS[k]
    value = {"start": start, "end": end, "text": TEXT[start:end], "labels": list(labels or "A")}
    return {
        "id": f"r{k}",
        "type": "labels",
        "from_name": "label",
        "to_name": "text",
        "value": value,
    }


def by(who: object, *words: int, **more: Any) -> dict[str, Any]:
    return {"id": 7, "completed_by": who, "result": [region(k) for k in words], **more}


def export(path: Path, *annotations: dict[str, Any], **more: Any) -> Path:
    """One task a list of annotations."""
    task = {"id": 1, "data": {"text": TEXT}, "annotations": list(annotations), **more}
    path.write_text(json.dumps([task]), encoding="utf-8")
    return path


def names(path: Path, read, **extra: str) -> list[str]:
    return [a.annotator for a in read(path, "label_studio", extra=extra).assignments]


def test_a_person_has_one_name_however_the_export_refers_to_them(tmp_path: Path, read) -> None:
    path = export(
        tmp_path / "x.json",
        by("Anna@Example.org", 0),
        by({"email": "ben@example.org", "username": "ben"}, 1),
        by({"id": 3, "email": "anna@example.org"}, 2),
        by("ben@example.org", 3),
        by(3, 4),
        drafts=[{"id": 1, "user": "anna@example.org", "result": [region(5)]}],
    )
    assert names(path, read) == ["3", "ben", "3", "ben", "3"]
    assert [a.pass_ for a in read(path, "label_studio").assignments] == [1, 1, 2, 2, 3]


def test_addresses_are_shortened_and_never_confused(tmp_path: Path, read) -> None:
    people = ["zoe@a.org", "max@a.org", "max@b.org", "eve@a.org", "eve", "ZOE@a.org"]
    path = export(tmp_path / "x.json", *(by(who, k) for k, who in enumerate(people)))
    zoe, max_1, max_2, eve, plain, again = names(path, read)
    assert (zoe, again, plain) == ("zoe", "zoe", "eve")
    assert len({max_1, max_2, eve, plain}) == 4
    assert all("@" not in name for name in (max_1, max_2, eve))
    assert names(export(path, by("max@b.org", 0), by("max@a.org", 1)), read) == [max_2, max_1]
    assert names(path, read, email="keep") == ["max@b.org", "max@a.org"]


@pytest.mark.parametrize("by_blocks_too", [False, True])
def test_what_is_not_emitted_is_counted(tmp_path: Path, by_blocks_too: bool) -> None:
    path = export(
        tmp_path / "x.json",
        by(1, 0, 1, 2),
        by(2, 0, 1),
        *([by(3, 0, 1, 2, 3, was_cancelled=True)] if by_blocks_too else []),
        drafts=[{"id": 9, "user": 4, "result": [region(0), region(1)]}],
    )
    found = read_both_ways(path, "label_studio", SourceOptions())
    excluded = {(e.reason, e.annotator, e.n_rows) for e in found if isinstance(e, Excluded)}
    cancelled = {("cancelled", "3", 4)} if by_blocks_too else set()
    assert excluded == {("draft", "4", 2), *cancelled}


def test_labels_and_relations_of_a_cancelled_annotation_are_counted_apart(
    tmp_path: Path, read
) -> None:
    choice = {"id": "c", "type": "choices", "from_name": "t", "value": {"choices": ["x"]}}
    note = {**choice, "id": "r0"}
    link = {"type": "relation", "from_id": "r0", "to_id": "r1"}
    results = [region(0), region(1), choice, note, link]
    cancelled = {"completed_by": 3, "result": results, "was_cancelled": True}
    tables = read(export(tmp_path / "x.json", by(1, 0), cancelled), "label_studio")
    assert {e.table_name: e.n_rows for e in tables.excluded} == {
        "units": 2,
        "labels": 1,
        "relations": 1,
    }


def test_a_ground_truth_stays_in_the_measurement(tmp_path: Path) -> None:
    """γ of three coders is the same whether one of their annotations is marked or not."""
    work = [(0, 1, 3, 5), (0, 1, 4, 5), (0, 2, 3, 5, 7)]
    asked = GammaOptions(precision=0.1)
    values = []
    for marked in (False, True):
        path = tmp_path / f"{marked}.json"
        export(
            path, *(by(k, *words, ground_truth=marked and k == 1) for k, words in enumerate(work))
        )
        values.append([e.value for e in gamma([path], options=asked).estimates])
    assert values[0] == values[1]
    reading = Reading(options={"ground_truth": "reference"})
    assert [e.value for e in gamma([path], reading, asked).estimates] == values[0]


def test_several_labels_of_a_region_are_a_set(tmp_path: Path, read) -> None:
    results = [region(0, "B", "A"), region(1, "A", "B"), region(2, "A|B"), region(3, "C++"),
               region(4, "A + B")]  # fmt: skip
    path = export(tmp_path / "x.json", {"completed_by": 1, "result": results})
    categories = [u.category for u in read(path, "label_studio").units]
    assert categories == ["A + B", "A + B", "A|B", "C++", "A \\+ B"]
    read_both_ways(path, "label_studio", SourceOptions())


def test_nodes_of_a_taxonomy_may_hold_a_slash(tmp_path: Path, read) -> None:
    def tree(*path: str) -> dict[str, Any]:
        value = {"taxonomy": [list(path)]}
        return {"id": "-".join(path), "type": "taxonomy", "from_name": "t", "value": value}

    made = [{"completed_by": k, "result": [tree(*path)]} for k, path in enumerate(
        [("a", "b"), ("a/b",), ("a\\", "b"), ("a", "b/c")])]  # fmt: skip
    labels = [x.labels[0] for x in read(export(tmp_path / "x.json", *made), "label_studio").labels]
    assert labels[0] == "a/b"
    assert len({*labels}) == 4


def test_every_annotation_of_an_export_is_in_the_account(tmp_path: Path) -> None:
    path = export(
        tmp_path / "x.json",
        by(1, 0, 1, 2, ground_truth=True),
        by({"id": 2, "email": "ben@example.org"}, 0, 1),
        by(1, 3, 4),
        by(3, 0, was_cancelled=True),
        drafts=[{"id": 9, "user": "ben@example.org", "result": [region(5), region(6)]}],
        predictions=[{"model_version": "m", "result": [region(0)]}],
    )
    account = gamma([path], options=GammaOptions(precision=0.2)).rows
    assert (account.n_read, account.measured, account.system, account.reference_only) == (
        11,
        5,
        1,
        0,
    )
    assert account.excluded == {"later_pass": 2, "cancelled": 1, "draft": 2}
    assert account.n_annotators == 2
