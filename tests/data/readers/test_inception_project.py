"""INCEpTION and WebAnno projects: states, curation, nested zips, what cannot be read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from tests.data.readers.uima import samples as uima

TSV = "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Span|value\n\n\n#Text=The sea\n1-1\t0-3\tThe\tA\n"


@pytest.fixture
def save(tmp_path: Path):
    def written(entries, states, documents=None) -> Path:
        path = tmp_path / "project.zip"
        path.write_bytes(uima.project(entries, states, **(documents or {})))
        return path

    return written


def states_of(found) -> dict[tuple[str, str], str]:
    return {(a.document, a.annotator): str(a.state) for a in found.assignments}


def test_states_of_work_and_curation(save, read):
    path = save(
        {
            "annotation/a.txt/1.zip": uima.work_zip("anna"),
            "annotation/a.txt/2.zip": uima.work_zip("boris", empty=True),
            "annotation/a.txt/3.zip": uima.work_zip("carla"),
            "annotation/a.txt/dora.json": uima.as_json(annotator="dora"),
            "annotation/a.txt/4.zip": uima.work_zip("INITIAL_CAS"),
            "annotation/b.txt/5.zip": uima.work_zip("anna"),
            "curation/a.txt/6.zip": uima.work_zip("CURATION_USER"),
            "curation/b.txt/7.zip": uima.work_zip("CURATION_USER"),
            "__MACOSX/annotation/a.txt/._1.zip": b"x",
        },
        {
            ("a.txt", "anna"): "FINISHED",
            ("a.txt", "boris"): "FINISHED",
            ("a.txt", "carla"): "IN_PROGRESS",
            ("a.txt", "dora"): "FINISHED",
            ("b.txt", "boris"): "NEW",
            ("b.txt", "carla"): "FINISHED",
        },
        {"a.txt": "CURATION_FINISHED", "b.txt": "CURATION_IN_PROGRESS", "c.txt": "NEW"},
    )
    found = read(path)
    assert not found.rejected
    states = states_of(found)
    assert {who: state for (home, who), state in states.items() if home == "a.txt"} == {
        "anna": "finished",
        "boris": "finished_empty",
        "carla": "unfinished",
        "dora": "finished",
        "CURATION_USER": "finished",
    }
    assert states["b.txt", "anna"] == "unfinished"  # begun, and never said to be finished
    assert states["b.txt", "boris"] == "not_assigned"
    assert states["b.txt", "carla"] == "unfinished"  # finished there, but there is nothing to read
    assert states["b.txt", "CURATION_USER"] == "unfinished"
    assert states["c.txt", "anna"] == "not_assigned"
    roles = {(a.annotator, str(a.role)) for a in found.assignments}
    assert ("CURATION_USER", "reference") in roles
    assert ("anna", "human") in roles
    (finished,) = [
        a for a in found.assignments if a.annotator == "boris" and a.state == "finished_empty"
    ]
    assert finished.time == "2021-08-27T19:53:04+00:00"
    length = len(uima.TEXT)
    lengths = {d.document: d.length for d in found.documents}
    assert lengths == {"a.txt": length, "b.txt": length, "c.txt": -1}


def test_rows_of_the_initial_copy_are_excluded_and_counted(save, read):
    states = {("a.txt", "anna"): "FINISHED"}
    entries = {"annotation/a.txt/1.zip": uima.work_zip("anna")}
    n_rows = len(read(save(entries, states)).units)
    for role in (None, "system"):
        entries["annotation/a.txt/2.zip"] = uima.work_zip("INITIAL_CAS")
        found = read(save(entries, states), role=role)
        assert {one.annotator for one in (*found.assignments, *found.units)} == {"anna"}
        units = [one for one in found.excluded if one.table_name == "units"]
        assert [(one.reason, one.n_rows, one.annotator) for one in units] == [
            ("not_an_annotator", n_rows, "INITIAL_CAS")
        ]
    entries["annotation/a.txt/2.zip"] = uima.zipped({"INITIAL_CAS.xmi": b"<no"})
    found = read(save(entries, states))
    assert [(one.reason, one.n_rows) for one in found.excluded] == [("not_an_annotator", 1)]
    assert not found.rejected


def test_the_reference_stays_one_whatever_the_role_of_the_source(save, read):
    path = save(
        {"annotation/a.txt/1.zip": uima.work_zip("tagger"), "curation/a.txt/2.tsv": TSV.encode()},
        {("a.txt", "tagger"): "FINISHED"},
        {"a.txt": "CURATION_FINISHED"},
    )
    found = read(path, "inception_project", role="system")
    assert {(a.annotator, str(a.role)) for a in found.assignments} == {
        ("tagger", "system"),
        ("CURATION_USER", "reference"),
    }


def test_another_text_is_refused(save, read):
    path = save(
        {
            "annotation/a.txt/1.zip": uima.work_zip("anna"),
            "annotation/a.txt/2.zip": uima.work_zip("boris", text=uima.TEXT.replace("met", "saw")),
        },
        {("a.txt", "anna"): "FINISHED", ("a.txt", "boris"): "FINISHED"},
    )
    found = read(path)
    assert {u.annotator for u in found.units} == {"anna"}
    assert {(r.rule, r.annotator) for r in found.rejected} == {("text_differs", "boris")}


def test_what_cannot_be_read_is_said_and_the_rest_goes_on(save, read):
    path = save(
        {
            "/annotation/a.tsv/a.tsv": b"1\tThe\t_\n",
            "/annotation/a.tsv/1.zip": uima.work_zip("anna"),
            "/annotation/a.tsv/2.zip": b"no zip",
            "/annotation/a.tsv/3.zip": uima.zipped({"carla.xmi": b"<no", "TypeSystem.xml": b""}),
            "/annotation/a.tsv/4.zip": uima.zipped({"dora.xmi": uima.xmi()}),
            "/annotation/a.tsv/5.zip": uima.zipped({"emil.tcf": b""}),
            "/annotation_ser/a.tsv/anna.ser": b"",
            "/annotation_ser/a.tsv/fred.ser": b"",
            "/curation/a.tsv/a.tcf": b"<x/>",
            "/../evil": b"",
        },
        {("a.tsv", "anna"): "FINISHED", ("a.tsv", "fred"): "FINISHED"},
    )
    with pytest.raises(DataError, match=r"5 of 6 files cannot be read .*max_unreadable"):
        read(path)
    found = read(path, extra={"max_unreadable": "1"})
    assert {u.annotator for u in found.units} == {"anna"}
    rules = Counter(r.rule for r in found.rejected)
    assert rules == {
        "no_annotator": 1,
        "unreadable_file": 5,
        "serialised_java": 1,
        "unsafe_path": 1,
    }
    (java,) = [r for r in found.rejected if r.rule == "serialised_java"]
    assert java.source.endswith("fred.ser")  # anna's stands beside in a readable form
    assert states_of(found)["a.tsv", "fred"] == "unfinished"


def test_tsv_of_a_project(save, read):
    path = save({"annotation/a.txt/anna.tsv": TSV.encode()}, {("a.txt", "anna"): "FINISHED"})
    (unit,) = read(path).units
    assert (unit.document, unit.annotator, unit.category) == ("a.txt", "anna", "A")
    assert unit.source == "project.zip/annotation/a.txt/anna.tsv"


def test_a_zip_that_is_no_project(tmp_path, read):
    path = tmp_path / "x.zip"
    path.write_bytes(uima.zipped({"a.txt": b""}))
    with pytest.raises(DataError, match="not a project export"):
        read(path, "inception_project")
    path.write_bytes(uima.zipped({"exportedproject1.json": b"[1]"}))
    with pytest.raises(DataError, match="not the JSON of a project"):
        read(path, "inception_project")


@pytest.mark.shared
def test_the_pos_project(shared_data, read):
    """Entries in a folder, with `__MACOSX` twins; states from the project's own JSON."""
    found = read(shared_data / "inception_pos_project" / "Example_Project_POS.zip")
    assert not found.rejected
    assert (len(found.documents), len(found.assignments), len(found.units)) == (3, 13, 371)
    counts = Counter(states_of(found).values())
    assert counts == {"finished": 9, "unfinished": 2, "not_assigned": 2}
    by = Counter((u.document, u.annotator) for u in found.units)
    assert by["test1.txt", "ia-test1"] == 40
    assert by["test3.txt", "CURATION_USER"] == 16
    assert {u.layer for u in found.units} == {"POS"}
    assert states_of(found)["test1.txt", "zesch"] == "unfinished"
    texts = {d.document: d.text for d in found.documents}
    assert all(texts[u.document][u.start_offset : u.end_offset] == u.surface for u in found.units)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "units", "relations", "rules"),
    [
        ("demo-de", 0, 0, {"serialised_java": 6, "no_annotator": 2, "unreadable_file": 1}),
        ("demo-chunk", 0, 0, {"serialised_java": 2, "no_annotator": 1, "unreadable_file": 1}),
        (
            "demo-unicode",
            *(5835, 5834),
            {"serialised_java": 3, "no_annotator": 1, "unreadable_file": 1},
        ),
        ("inception_curated_project_3_6_1", 1, 0, {"unreadable_file": 1}),
    ],
)
def test_webannos_projects(shared_data, read, name, units, relations, rules):
    found = read(shared_data / "webanno_projects" / f"{name}.zip", extra={"max_unreadable": "1"})
    assert (len(found.units), len(found.relations)) == (units, relations)
    assert Counter(r.rule for r in found.rejected) == rules
    if name == "demo-unicode":  # the inner file is named by the document, the annotator inside it
        assert {u.annotator for u in found.units} == {"admin", "anno1"}
