"""Formats of text spans against one text of emoji, line ends, combining and Hebrew letters."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from accordeur.data.readers.notes import SourceNotes

TEXT = "Le 😀 chat\r\nnoir de\u0301ja\u0300 dort.\r\nשלום 👩\u200d👧 fin"
SURFACES = ["😀", "chat\r\nnoir", "שלום", "👩\u200d👧", "fin"]
CATEGORIES = ["EMOJI", "ANIMAL", "WORD", "EMOJI", "WORD"]


@pytest.fixture(scope="module")
def formats(corpora: Path) -> Path:
    return corpora / "formats"


def surfaces(tables, **wanted: str) -> list[str]:
    """What the documents have at the units' offsets."""
    texts = {d.document: d.text for d in tables.documents}
    return [texts[u.document][u.start_offset : u.end_offset] for u in tables.by("units", **wanted)]


@pytest.mark.parametrize(
    ("file", "format", "annotator", "line_end"),
    [
        ("prodigy.jsonl", "prodigy", "animals-anna", "\r\n"),
        ("doccano/anna.jsonl", "doccano", "anna", "\r\n"),
        ("argilla.json", "argilla", "u-anna", "\r\n"),
        ("label_studio.json", "label_studio", "1", "\r\n"),
        ("label_studio.json", "label_studio", "2", "\r\n"),
        ("gate.xml", "gate", "anna", "\n"),
        ("glozz", "glozz", "anna", " "),
        ("glozz", "glozz", "GOLD", " "),
    ],
)
def test_units_stand_on_their_characters(formats, read, file, format, annotator, line_end) -> None:
    for chosen in (format, "auto"):
        tables = read(formats / file, chosen)
        first = tables.documents[0]
        assert first.text == TEXT.replace("\r\n", line_end)
        units = tables.by("units", annotator=annotator, document=first.document)
        assert [u.category for u in units] == CATEGORIES
        found = surfaces(tables, annotator=annotator, document=first.document)[:5]
        assert found == [s.replace("\r\n", line_end) for s in SURFACES]


def test_prodigy_answers(formats, read) -> None:
    tables = read(formats / "prodigy.jsonl", "prodigy", extra={"dataset": "animals"})
    states = {(a.document, a.annotator): (a.state, a.role) for a in tables.assignments}
    assert states == {
        ("-1001", "anna"): ("finished", "human"),
        ("-1001", "ben"): ("finished_empty", "human"),
        ("-1001", "zoe"): ("unfinished", "human"),
        ("1002", "ben"): ("finished", "human"),
        ("1003", "anna"): ("finished", "human"),
        ("1004", "anna"): ("finished", "human"),
        ("1005", "head"): ("finished", "reference"),
    }
    by_token = tables.by("units", document="1002")
    assert [(u.start_offset, u.end_offset, u.category) for u in by_token] == [
        (0, 3, "X")
    ]  # token_end inclusive
    labels = {(x.item, x.layer): x.labels for x in tables.labels}
    assert labels == {("1003", "SPAM"): ("reject",), ("1004", ""): ("a", "c")}
    (relation,) = tables.relations
    assert (relation.from_unit, relation.to_unit, relation.category) == ("1:1", "1:2", "SAYS")
    rules = [r.rule for r in tables.rejected]
    assert rules == ["repeated_task", "token_mismatch", "no_annotator"]
    assert [d.document for d in tables.documents] == ["-1001", "1002", "1003", "1004", "1005"]


def test_doccano_states_and_refusals(formats, read) -> None:
    notes = SourceNotes()
    tables = read(formats / "doccano" / "anna.jsonl", notes=notes)
    assert notes.n_empty_missing == 1
    assert {a.document: a.state for a in tables.assignments} == {
        "7": "finished",
        "8": "unfinished",
        "9": "finished",
    }
    assert [r.rule for r in tables.rejected] == ["outside_document", "zero_length"]
    notes = SourceNotes()
    done = read(formats / "doccano" / "anna.jsonl", extra={"empty": "finished"}, notes=notes)
    assert notes.n_empty_missing == 0
    assert done.by("assignments", document="8")[0].state == "finished_empty"


def test_doccano_relations_and_old_layout(formats, read) -> None:
    tables = read(formats / "doccano" / "ben.jsonl")
    assert [(r.from_unit, r.to_unit) for r in tables.relations] == [("1", "2")]
    assert [r.rule for r in tables.rejected] == ["unknown_unit"]
    assert {x.document: x.labels for x in tables.labels} == {"7": ("story",), "8": ("a", "b")}
    old = read(formats / "doccano_old.jsonl")
    assert [(u.annotator, u.start_offset, u.end_offset) for u in old.units] == [
        ("1", 0, 3),
        ("2", 4, 10),
    ]


def test_doccano_zip_has_one_file_a_user(formats, read, tmp_path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for user in ("anna", "ben"):
            archive.write(formats / "doccano" / f"{user}.jsonl", f"{user}.jsonl")
        archive.writestr("__MACOSX/._anna.jsonl", "junk")
        archive.writestr("../evil.jsonl", "{}")
    tables = read(path, "doccano")
    assert {a.annotator for a in tables.assignments} == {"anna", "ben"}
    assert len(tables.by("units", annotator="anna")) == 6
    assert {u.source for u in tables.units} == {"export.zip/anna.jsonl", "export.zip/ben.jsonl"}
    assert "unsafe_path" in {r.rule for r in tables.rejected}
    assert not list(tmp_path.parent.glob("evil*"))


def test_doccano_utf16_option(read, tmp_path) -> None:
    path = tmp_path / "anna.jsonl"
    path.write_text('{"id": 1, "text": "😀 ab", "label": [[3, 5, "X"], [1, 3, "Y"]]}\n', "utf-8")
    tables = read(path, "doccano", extra={"offsets": "utf16"})
    assert [(u.start_offset, u.end_offset, u.source_offsets) for u in tables.units] == [
        (2, 4, "3 5")
    ]
    assert [r.rule for r in tables.rejected] == ["negative_offset"]  # inside the emoji's pair


def test_argilla_layouts(formats, read) -> None:
    nested = read(formats / "argilla.json")
    labels = {(x.annotator, x.layer, x.item): x.labels for x in nested.labels}
    assert labels == {
        ("u-anna", "topic", "r1"): ("story",),
        ("u-anna", "topics", "r1"): ("a", "b"),
        ("u-ben", "topic", "r1"): ("news",),
        ("u-ben", "stars", "r1"): ("4",),
        ("u-ben", "rank", "r1/x"): ("1",),
        ("u-ben", "rank", "r1/y"): ("2",),
        ("model-a", "topic", "r1"): ("story",),
    }
    assert {a.annotator: a.role for a in nested.assignments}["model-a"] == "system"
    assert [r.rule for r in nested.rejected] == ["duplicate_id"]
    flat = read(formats / "argilla_flat.json", extra={"suggestions": "skip"})
    assert {a.annotator: a.state for a in flat.assignments} == {
        "u-anna": "finished",
        "u-ben": "finished",
        "u-zoe": "unfinished",  # a draft
        "u-max": "unfinished",  # discarded
    }
    assert {x.annotator: x.labels for x in flat.labels} == {
        "u-anna": ("story",),
        "u-ben": ("news",),
    }


def test_layers_are_kept_as_asked(formats, read) -> None:
    tables = read(formats / "argilla.json", layers=("topic",))
    assert not tables.units
    assert {x.layer for x in tables.labels} == {"topic"}


def test_gate_sets(formats, read) -> None:
    tables = read(formats / "gate.xml")
    assert {(a.annotator, a.role, a.state) for a in tables.assignments} == {
        ("anna", "human", "finished"),
        ("ben", "human", "finished_empty"),
        ("Key", "reference", "finished"),
    }
    assert tables.units[0].attributes == (("sure", "yes & no"),)
    assert [u.source_offsets for u in tables.by("units", annotator="anna")][3] == "34 39"
    assert [(r.rule, r.annotator) for r in tables.rejected] == [("unknown_node", "Key")]


def test_gate_unnamed_set_is_a_system(read, tmp_path) -> None:
    path = tmp_path / "doc.xml"
    path.write_text(
        '<GateDocument><TextWithNodes><Node id="0"/>ab<Node id="2"/></TextWithNodes>'
        '<AnnotationSet><Annotation Id="1" Type="Token" StartNode="0" EndNode="2"/>'
        "</AnnotationSet></GateDocument>"
    )
    (who,) = read(path).assignments
    assert (who.annotator, who.role) == ("default", "system")


def test_glozz_hashcode_tells_the_offset_unit(formats, read) -> None:
    tables = read(formats / "glozz")
    anna, gold = tables.by("units", annotator="anna"), tables.by("units", annotator="GOLD")
    assert [(u.start_offset, u.end_offset) for u in anna] == [
        (u.start_offset, u.end_offset) for u in gold
    ]
    assert [u.source_offsets for u in anna] != [u.source_offsets for u in gold]
    assert {a.annotator: a.role for a in tables.assignments} == {
        "anna": "human",
        "GOLD": "reference",
    }


def test_glozz_relations_and_schemas(formats, read) -> None:
    links = {
        r.relation: (r.from_unit, r.to_unit, r.attributes)
        for r in read(formats / "glozz").relations
    }
    assert links == {
        "anna_r1": ("anna_2", "anna_3", (("to", "anna_s1"),)),
        "anna_s1.1": ("anna_3", "anna_4", (("schema", "anna_s1"),)),
        "anna_s1.2": ("anna_4", "anna_5", (("schema", "anna_s1"),)),
        "anna_s2.1": ("anna_3", "anna_3", (("schema", "anna_s2"),)),
    }


@pytest.mark.parametrize("depth", [2, 300])
def test_glozz_schemas_of_schemas(formats, read, tmp_path, depth) -> None:
    """A relation to a schema of schemas is one to its first unit; a cycle of schemas has none."""
    (tmp_path / "anna").mkdir()
    for ending in ("aa", "ac"):
        data = (formats / "glozz" / "anna" / f"story.{ending}").read_bytes()
        (tmp_path / "anna" / f"story.{ending}").write_bytes(data)
    story = tmp_path / "anna" / "story.aa"

    def linked(first: str) -> list[str]:
        chain = [(f"z{k}", f"z{k + 1}") for k in range(depth)] + [(f"z{depth}", first)]
        inside = "<{0} id='{1}'><positioning>{2}</positioning></{0}>".format
        schemas = "".join(
            inside("schema", name, f"<embedded-schema id='{inner}'/>") for name, inner in chain
        )
        link = inside("relation", "q", "<term id='z0'/><term id='anna_2'/>")
        text = (formats / "glozz" / "anna" / "story.aa").read_text("utf-8")
        story.write_text(text.replace("</annotations>", schemas + link + "</annotations>"), "utf-8")
        tables = read(story)
        ends = [r.from_unit for r in tables.relations if r.relation == "q"]
        return ends or [r.rule for r in tables.rejected if r.location == "q"]

    assert linked("anna_3") == ["anna_3"]
    assert linked("z0") == ["cyclic_members"]


def test_glozz_refuses_another_text(formats, read, tmp_path) -> None:
    story = (formats / "glozz" / "anna" / "story.aa").read_text("utf-8")
    (tmp_path / "anna").mkdir()
    (tmp_path / "anna" / "story.aa").write_text(story, "utf-8")
    (tmp_path / "anna" / "story.ac").write_text("another text", "utf-8")
    tables = read(tmp_path / "anna" / "story.aa")
    assert [r.rule for r in tables.rejected] == ["corpus_hashcode"]
    assert [a.state for a in tables.assignments] == ["unfinished"]
    assert not tables.units
    kept = read(tmp_path / "anna" / "story.aa", extra={"hashcode": "ignore"})
    assert {r.rule for r in kept.rejected} == {"outside_document"}
    assert [u.unit for u in kept.units] == ["anna_1"]


def test_glozz_by_author_and_by_feature(formats, read) -> None:
    tables = read(
        formats / "glozz" / "GOLD" / "story.aa",
        extra={"annotator_from": "author", "category": "feature:sure", "references": "head"},
    )
    assert {(u.annotator, u.category) for u in tables.units} == {("head", "yes")}
    assert [(a.annotator, a.role) for a in tables.assignments] == [("head", "reference")]
