"""Damage that no parser stumbles over: what it takes away is told, never lost in silence."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.schema import Rejected
from tests.data.readers.both_ways import read_both_ways

FORMATS = Path(__file__).resolve().parents[2] / "corpora" / "formats"


def _rejected(path: Path, format: str) -> list[Rejected]:
    records = read_both_ways(path, format, SourceOptions())
    return [record for record in records if isinstance(record, Rejected)]


@pytest.mark.parametrize("stated", ["0", "2"])
def test_tiers_behind_the_number_that_a_textgrid_states(tmp_path, stated):
    sample = (FORMATS / "short_utf16.TextGrid").read_text(encoding="utf-16")
    assert "<exists>\n3\n" in sample
    path = tmp_path / "a.TextGrid"
    path.write_text(sample.replace("<exists>\n3\n", f"<exists>\n{stated}\n"), encoding="utf-8")
    told = [row.message for row in _rejected(path, "textgrid") if row.rule == "damaged"]
    assert len(told) == 1
    assert f"the file continues after the {stated} tiers that the file declares" in told[0]


def test_intervals_behind_the_number_that_the_last_tier_states(tmp_path):
    sample = (FORMATS / "short_utf16.TextGrid").read_text(encoding="utf-16").rstrip()
    path = tmp_path / "a.TextGrid"
    path.write_text(sample + '\n3.2\n3.4\n"more"\n', encoding="utf-8")
    assert [row.rule for row in _rejected(path, "textgrid")].count("damaged") == 1


def test_a_layer_announced_after_the_first_token_of_a_webanno_tsv(tmp_path):
    """It was an IndexError: the tokens before it lack its columns."""
    sample = (FORMATS / "webanno_tsv" / "meeting" / "anna.tsv").read_text(encoding="utf-8")
    late = next(line for line in sample.splitlines() if line.startswith("#T_SP"))
    path = tmp_path / "anna.tsv"
    path.write_text(sample + late + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="declared after the first token"):
        read_both_ways(path, "webanno_tsv", SourceOptions())


@pytest.mark.parametrize("key", ["annotations", "predictions"])
@pytest.mark.parametrize("junk", ["x", [], None, 3.5])
def test_an_annotation_of_label_studio_that_is_no_object(tmp_path, key, junk):
    tasks = json.loads((FORMATS / "label_studio.json").read_text(encoding="utf-8"))
    path = tmp_path / "a.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    before = len(_rejected(path, "label_studio"))
    task = next(task for task in tasks if task.get(key))
    task[key].append(junk)
    path.write_text(json.dumps(tasks), encoding="utf-8")
    found = _rejected(path, "label_studio")
    assert len(found) == before + 1
    assert any(f"one of `{key}` is not an object" in row.message for row in found)


@pytest.mark.parametrize("key", ["entities", "relations", "cats"])
def test_a_list_of_doccano_that_is_none(tmp_path, key):
    lines = (FORMATS / "doccano" / "ben.jsonl").read_text(encoding="utf-8").splitlines()
    line = json.loads(next(line for line in lines if f'"{key}"' in line))
    path = tmp_path / "ben.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    before = {row.message for row in _rejected(path, "doccano")}
    line[key] = "lost"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    after = {row.message for row in _rejected(path, "doccano")}
    assert after - before == {f"`{key}` is not a list"}


@pytest.mark.parametrize("how", ["no value", "no object", "no list"])
def test_an_answer_of_argilla_that_is_none(tmp_path, how):
    records = json.loads((FORMATS / "argilla.json").read_text(encoding="utf-8"))
    path = tmp_path / "a.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    before = len(_rejected(path, "argilla"))
    responses = copy.deepcopy(records[0]["responses"])
    question, given = next((q, g) for q, g in responses.items() if g)
    if how == "no value":
        given[0]["value"] = None
    responses[question] = {"no value": given, "no object": ["x", *given], "no list": 3}[how]
    records[0]["responses"] = responses
    path.write_text(json.dumps(records), encoding="utf-8")
    assert len(_rejected(path, "argilla")) == before + 1
    records[0]["responses"] = ["lost"]
    path.write_text(json.dumps(records), encoding="utf-8")
    assert "no user id" in {row.message for row in _rejected(path, "argilla")}
