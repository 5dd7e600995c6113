"""Initial copies, missing names and templates are never human annotators without a word."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

import accordeur as acc
from accordeur.data.annotator_names import NOBODY, placeholder_annotators
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Assignment, Excluded, Label, Rejected, Role, Unit
from accordeur.reports.warnings import in_english
from accordeur.tasks.agreement.agree import agree
from accordeur.tasks.inputs.label_options import LabelOptions
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.inputs.reading_warnings import warnings_on_reading
from tests.data.readers.uima import samples as uima
from tests.flows.in_process import said

CORPORA = Path(__file__).resolve().parents[1] / "corpora" / "formats"


def table(path: Path, *names: str) -> Path:
    rows = [f"{n},{who},{'xy'[(n + k) % 3 % 2]}" for n in range(6) for k, who in enumerate(names)]
    path.write_text("item,annotator,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("nobody", sorted(NOBODY))
def test_names_that_no_annotator_has_are_excluded_and_counted(tmp_path: Path, nobody: str) -> None:
    path = table(tmp_path / "labels.csv", "ana", "ben", nobody)
    found = agree(path, Reading(), LabelOptions(replicates=0))
    assert found.rows.excluded == {"not_an_annotator": 6}
    assert (found.rows.n_read, found.rows.n_annotators) == (18, 2)
    stated = agree(path, Reading(roles={nobody: Role.HUMAN}), LabelOptions(replicates=0))
    assert stated.rows.n_annotators == 3


@pytest.mark.parametrize(
    "name",
    [
        "unknown",
        "template",
        "Original",
        "pre-annotation",
        "preannotations_2",
        "empty",
        "Null",
        "NA",
    ],
)
def test_names_that_may_be_nobody_s_are_told_with_an_option_that_works(
    tmp_path: Path, name: str
) -> None:
    path = table(tmp_path / "labels.csv", "ana", "ben", name)
    found = agree(path, Reading(), LabelOptions(replicates=0))
    assert found.rows.n_annotators == 3
    (text,) = [one for one in map(in_english, found.remarks) if "exclude_annotators" in one]
    assert f"“{name}”" in text
    assert len(text) <= 400
    typed = text.partition("`--option exclude_annotators=")[2].partition("`")[0]
    without = agree(path, Reading(options={"exclude_annotators": typed}), LabelOptions())
    assert without.rows.excluded == {"annotator_excluded": 6}


@pytest.mark.parametrize(
    "name", ["ana", "Emptyfield", "Ronan", "Anonciade", "templeton", "aut", "7"]
)
def test_other_names_are_annotators(name: str) -> None:
    assert placeholder_annotators([name]) == []


def test_frames_too() -> None:
    rows = [(n, who, "xy"[n % 2]) for n in range(6) for who in ("ana", "ben", "None", "unknown")]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "label"], orient="row")
    found = acc.agreement(frame, replicates=0)
    assert "6 excluded (of initial copies or without an annotator)" in found.account
    assert any("unknown" in one for one in found.warnings)


def test_the_copies_of_inception_in_loose_folders(tmp_path: Path) -> None:
    sample = CORPORA / "webanno_tsv" / "meeting" / "anna.tsv"
    for name in ("anna", "ben", "INITIAL_CAS", "CURATION_USER"):
        (tmp_path / "doc").mkdir(exist_ok=True)
        shutil.copy(sample, tmp_path / "doc" / f"{name}.tsv")
    records = list(read_source(tmp_path, "auto", SourceOptions()))
    roles = {r.annotator: r.role for r in records if isinstance(r, Assignment)}
    assert roles == {"anna": "human", "ben": "human", "CURATION_USER": "reference"}
    n_units = sum(isinstance(r, Unit) and r.annotator == "anna" for r in records)
    counted = [r for r in records if isinstance(r, Excluded) and r.reason == "not_an_annotator"]
    assert sum(r.n_rows for r in counted) >= n_units


def test_an_unpacked_project_of_inception(tmp_path: Path) -> None:
    for name, who in (("3", "anna"), ("4", "INITIAL_CAS"), ("5", "ben"), ("6", "CURATION_USER")):
        folder = tmp_path / ("curation" if name == "6" else "annotation") / "a.txt"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.zip").write_bytes(uima.work_zip(who))
    (tmp_path / "exportedproject1.json").write_text("{}")
    records = list(read_source(tmp_path, "auto", SourceOptions()))
    roles = {r.annotator: r.role for r in records if isinstance(r, Assignment)}
    assert roles == {"anna": "human", "ben": "human", "CURATION_USER": "reference"}
    (told,) = [r.message for r in records if isinstance(r, Rejected)]
    assert "give the zip instead of the unpacked folder" in told
    reasons = [r.reason for r in records if isinstance(r, Excluded)]
    assert "not_an_annotator" in reasons


def test_sessions_without_a_name_are_told(tmp_path: Path) -> None:
    names = ("emo-2024-05-17_10-33-05", "emo-2024-05-18_09-00-00")
    found = agree(table(tmp_path / "x.csv", *names), Reading(), LabelOptions(replicates=0))
    assert any("named after a time (2, such as" in in_english(one) for one in found.remarks)


def test_the_curator_is_a_reference_in_every_format(tmp_path: Path) -> None:
    path = table(tmp_path / "labels.csv", "ana", "ben", "CURATION_USER")
    records = list(read_source(path, "auto", SourceOptions()))
    roles = {r.annotator: r.role for r in records if isinstance(r, Assignment)}
    assert roles["CURATION_USER"] == "reference"
    assert sum(isinstance(r, Label) for r in records) == 18


def test_a_folder_of_brat_that_nobody_annotated(tmp_path: Path) -> None:
    for who in ("ana", "ben", "original"):
        (tmp_path / who).mkdir()
        (tmp_path / who / "a.txt").write_text("one two")
        (tmp_path / who / "a.ann").write_text("T1\tX 0 3\tone\n")
    code, output = said("gamma", tmp_path, "--measure", "u_alpha")
    assert code == 0, output
    assert "names of templates, pre-annotations or unknown annotators: “original”" in output


def test_suggestions_that_annotators_left_as_they_were_are_counted(tmp_path: Path) -> None:
    """A model's boxes and labels in two annotators' exports agree without a judgement."""
    shape = '<box label="car" source="{}" xtl="1" ytl="1" xbr="9" ybr="9"/>'
    image = (
        "<image id='0' name='x.jpg'>" + shape.format("auto") + shape.format("manual") + "</image>"
    )
    xml = f"<annotations><version>1.1</version>{image}</annotations>"
    choice = {"from_name": "mood", "type": "choices", "value": {"choices": ["good"]}}
    results = [{**choice, "origin": "prediction"}, {**choice, "from_name": "tone"}]
    made = [{"completed_by": who, "result": results} for who in (1, 2)]
    tasks = [{"id": 1, "data": {"text": "x"}, "annotations": made}]
    for name, content in (("a.xml", xml), ("b.json", json.dumps(tasks))):
        (tmp_path / name).write_text(content, encoding="utf-8")
    numbers = {}
    for name in ("a.xml", "b.json"):
        source = SourceOptions()
        list(read_source(tmp_path / name, "auto", source))
        numbers[name] = source.notes.n_suggested
        told = [in_english(one) for one in warnings_on_reading(source.notes)]
        assert any("took over from a model without a change" in one for one in told)
    assert numbers == {"a.xml": 1, "b.json": 2}
