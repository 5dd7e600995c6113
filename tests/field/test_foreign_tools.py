"""Exports of tools without a reader: the sentence names the tool and the way out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.registry import detect_reader
from tests.flows.in_process import said

ARGILLA_1 = {
    "text": "one",
    "inputs": {"text": "one"},
    "prediction": None,
    "prediction_agent": None,
    "annotation": "a",
    "annotation_agent": "ana",
    "id": "1",
    "status": "Validated",
}
FEEDBACK = {
    "fields": {"text": "one"},
    "responses": [{"user_id": "u", "values": {"q": {"value": "a"}}, "status": "submitted"}],
}
UIMA = {"_context": {"_types": {}}, "_views": {"_InitialView": {}}, "_referenced_fss": {}}
LABELBOX = {"data_row": {"id": "1"}, "projects": {"p": {"labels": []}}}
UBIAI = {"documentName": "a", "document": "one", "tokens": [], "relations": []}
DATASAUR = {"id": "d", "document": {"name": "a"}, "labelSets": [], "sentences": []}


@pytest.mark.parametrize(
    ("file", "content", "tool"),
    [
        ("a.jsonl", ARGILLA_1, "Argilla 1"),
        ("a.json", [ARGILLA_1], "Argilla 1"),
        ("f.json", [FEEDBACK], "Argilla 1"),
        ("u.json", UIMA, "old UIMA JSON"),
        ("l.ndjson", LABELBOX, "Labelbox"),
        ("old.json", [{"ID": "1", "Labeled Data": "x", "Label": {}}], "Labelbox"),
        ("l.json", {"schema": {}, "examples": [], "relations": []}, "LightTag"),
        ("t.json", {"annotatable": {"parts": []}, "anncomplete": True, "entities": []}, "tagtog"),
        ("d.json", DATASAUR, "Datasaur"),
        ("b.json", [UBIAI], "UBIAI"),
        ("user_state.json", {"user_id": "a", "instance_id_to_label_to_value": {}}, "Potato"),
        ("d.jsonl", {"content": "x", "annotation": [], "extras": None}, "Dataturks"),
        ("output.manifest", {"source": "x", "t": 0, "t-metadata": {}}, "SageMaker"),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_json_of_tools_without_a_reader(
    tmp_path: Path, file: str, content: Any, tool: str, indent: int | None
) -> None:
    path = tmp_path / file
    path.write_text(json.dumps(content, indent=indent), encoding="utf-8")
    with pytest.raises(DataError) as told:
        detect_reader(path)
    message = str(told.value).removeprefix(str(tmp_path))
    assert f"an export of {tool}" in message.replace("the old", "old")
    assert len(message) <= 400


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("m.xml", "<Task>\n<TEXT><![CDATA[one]]></TEXT>\n<TAGS/>\n</Task>", "an export of MAE"),
        ("p.csv", "annotation_id,annotator,id,lead_time,tone\n1,a@x,1,2.0,warm\n", "Label Studio"),
        ("old.tsv", "#id=1\n#text=one two\n1\tone\t_\tA\n2\ttwo\t_\tO\n\n", "WebAnno TSV 3"),
        ("two.tsv", " # de.tudarmstadt.POS | PosValue\n#id=1\n1-1\tone\tA\n", "WebAnno TSV 3"),
        ("s.sav", "$FL2@(#) SPSS DATA FILE", "export the table as .csv"),
        ("rows.json", '[{"post": 1, "who": "ana", "tone": "warm"}]', "missing columns"),
        ("p.tsv", '"annotation_id"\t"annotator"\t"id"\t"lead_time"\n', "Label Studio"),
    ],
)
def test_other_files_of_tools_without_a_reader(
    tmp_path: Path, file: str, text: str, words: str
) -> None:
    path = tmp_path / file
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=words):
        detect_reader(path)
    code, sentence = said("agree", path)
    assert (code, words in sentence) == (2, True)
