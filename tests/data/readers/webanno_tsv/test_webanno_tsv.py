"""WebAnno TSV 3: UTF-16 offsets, stacks, slots, chains, relations, escapes; WebAnno's own files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.formats.webanno_tsv.parse_lines import (
    chain_place,
    parse_tsv,
    split_bracket,
    split_cell,
    unescaped_value,
)
from accordeur.data.readers.sources import read_source
from accordeur.data.validation.preparation import accepted_rows

HEADER = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Span|value\n\n\n"


@pytest.fixture
def meeting(corpora: Path, read):
    return read(corpora / "formats" / "webanno_tsv")


def units_of(tables, annotator: str = "anna"):
    return {u.unit: u for u in tables.by("units", annotator=annotator)}


def test_text_and_offsets(meeting):
    (document,) = meeting.documents
    assert document.text == "👑 Anna # [sic] met Bob .\nShe left\\ ."
    assert not meeting.rejected
    for unit in meeting.units:
        assert document.text[unit.start_offset : unit.end_offset] == unit.surface
    bob = units_of(meeting)["1-6:NamedEntity"]
    assert (bob.surface, bob.source_offsets, bob.start_offset) == ("Bob", "20 23", 19)


def test_joined_tokens_escapes_null_and_sub_tokens(meeting):
    units = units_of(meeting)
    assert (units["[1]"].surface, units["[1]"].category) == ("👑 Anna", "ROYAL")
    assert units["1-4:NamedEntity"].category == "a|b_c\\ [d]"
    assert units["2-1:NamedEntity"].category == ""
    assert units["2-2.1:NamedEntity"].surface == "le"
    assert units["1-6:NamedEntity"].attributes == (("identifier", "Q1"),)


def test_slots_chains_and_relations(meeting):
    links = {(r.layer, r.category, r.from_unit, r.to_unit) for r in meeting.relations}
    assert links == {
        ("Event", "agent", "1-5:Event", "[1]"),
        ("Event", "patient", "1-5:Event", "1-6:NamedEntity"),
        ("Coreference", "coref", "Coreference->1-1", "Coreference->1-2"),
        ("Knows", "met", "[1]", "1-6:NamedEntity"),
    }
    assert units_of(meeting)["Coreference->1-1"].category == "person"
    assert units_of(meeting)["Coreference->1-2"].category == ""


def test_an_annotator_who_marked_nothing(meeting):
    states = {a.annotator: str(a.state) for a in meeting.assignments}
    assert states == {"anna": "finished", "boris": "finished_empty"}


def test_one_document_record_for_all_its_annotators(meeting):
    assert [d.document for d in meeting.documents] == ["meeting"]


def test_layers_and_category_options(corpora, read):
    path = corpora / "formats" / "webanno_tsv"
    found = read(path, "webanno_tsv", layers=("NamedEntity",))
    assert {u.layer for u in found.units} == {"NamedEntity"}
    found = read(path, "webanno_tsv", extra={"category": "NamedEntity.identifier"})
    assert units_of(found)["1-6:NamedEntity"].category == "Q1"


def write(tmp_path: Path, body: str, header: str = HEADER) -> Path:
    path = tmp_path / "doc" / "anna.tsv"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes((header + body).encode())
    return path


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ("1-1\t0-3\tThe\t_", None),
        ("1-1\t0-x\tThe\tA", "not_an_offset"),
        ("1-1\t0-3\tThe", "wrong_number_of_columns"),
        ("1-1\t0-3\tSea\tA", "surface_mismatch"),
        ("1-1\t0-99\tThe\tA", "outside_document"),
        ("1-1\t0-0\tThe\tA", "zero_length"),
        ("1-1", "not_an_offset"),
    ],
)
def test_a_bad_row_is_refused_alone(tmp_path, read, row, rule):
    path = write(tmp_path, f"#Text=The sea\n{row}\n1-2\t4-7\tsea\tB\n")
    found = read(path, "webanno_tsv")
    assert [r.rule for r in found.rejected] == ([rule] if rule else [])
    assert [u.category for u in found.units] == ["B"]


def test_an_offset_inside_a_pair_is_refused(tmp_path, read):
    found = read(write(tmp_path, "#Text=👑 x\n1-1\t0-2\t👑\tA\n1-2\t1-2\t👑\tB\n"), "webanno_tsv")
    assert [r.rule for r in found.rejected] == ["inside_character"]


def test_a_hostile_offset_makes_no_text_of_gigabytes(tmp_path, read):
    found = read(write(tmp_path, "#Text=x\n1-1\t900000000000-900000000001\tx\tA\n"), "webanno_tsv")
    assert len(found.documents[0].text) < 10
    assert [r.rule for r in found.rejected] == ["outside_document"]


def test_java_escapes_of_version_3_1(tmp_path, read):
    header = HEADER.replace("3.3", "3.1")
    body = "#Text=\\uD83D\\uDC51 \\u00e9t\\u00e9\n1-1\t0-2\t👑\tA\n1-2\t3-6\tété\tB\n"
    found = read(write(tmp_path, body, header), "webanno_tsv")
    assert [u.surface for u in found.units] == ["👑", "été"]


def test_several_text_lines_are_one_sentence(tmp_path, read):
    body = "#Text=one\n#Text=two\n1-1\t0-3\tone\tA[1]\n1-2\t4-7\ttwo\tA[1]\n"
    found = read(write(tmp_path, body), "webanno_tsv")
    assert found.units[0].surface == "one\ntwo"


def test_a_gap_between_sentences_keeps_the_offsets(tmp_path, read):
    body = "#Text=one\n1-1\t0-3\tone\tA\n\n#Text=two\n2-1\t7-10\ttwo\tB\n"
    found = read(write(tmp_path, body), "webanno_tsv")
    assert found.documents[0].text == "one\n   two"
    assert [(u.start_offset, u.end_offset) for u in found.units] == [(0, 3), (7, 10)]


def test_relation_to_a_unit_that_is_not_there(tmp_path, read):
    header = "#FORMAT=WebAnno TSV 3.2\n#T_SP=x.Span|value\n#T_RL=x.Link|kind|BT_x.Span\n\n\n"
    body = "#Text=one two\n1-1\t0-3\tone\t_\t_\t_\n1-2\t4-7\ttwo\tB\tk\t1-1\n"
    found = read(write(tmp_path, body, header), "webanno_tsv")
    assert [r.rule for r in found.rejected] == ["rejected_unit"]
    assert found.rejected[0].table_name == "relations"


def test_older_versions_are_refused_with_a_sentence(tmp_path, read):
    path = write(tmp_path, "#id=1\n#text=x\n1-1\tx\tA\n", " # Layer | value\n")
    with pytest.raises(DataError, match="versions 1 and 2 have no offsets"):
        read(path, "webanno_tsv")


def test_another_text_by_another_annotator(tmp_path):
    for name, text in (("anna", "The sea"), ("boris", "The sky")):
        path = tmp_path / "doc" / f"{name}.tsv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{HEADER}#Text={text}\n1-1\t0-3\tThe\tA\n")
    found = accepted_rows(read_source(tmp_path, "webanno_tsv", SourceOptions()))
    assert found.tables["units"]["annotator"].to_pylist() == ["anna"]
    assert {*found.rejected["rule"].to_pylist()} == {"text_agrees"}


def test_cells():
    assert split_cell("a\\|b|c", "|") == ["a\\|b", "c"]
    assert split_cell("a\\\\|c", "|") == ["a\\\\", "c"]
    assert unescaped_value("\\*\\->\\t\\q") == "*->\t\\q"
    assert split_bracket("ORG[3]") == ("ORG", "3")
    assert split_bracket("x\\]") == ("x\\]", "")
    assert chain_place("coref->2-13") == ("coref", (2, 13))
    assert chain_place("no") == ("no", None)


def test_no_header():
    with pytest.raises(DataError, match="not WebAnno TSV 3"):
        parse_tsv(iter([]), "x.tsv")


@pytest.mark.shared
def test_webannos_own_test_files(shared_data: Path, read):
    """48 files of version 3; 23 of version 2 and 2 empty ones are rejected one by one."""
    files = shared_data / "webanno_projects" / "testsuite" / "**" / "*.tsv"
    with pytest.raises(DataError, match=r"layer Multivalrel .*rel1 \(10 values, 5 different"):
        read(files, "webanno_tsv")
    found = read(files, "webanno_tsv", extra={"category": "f1, rel1"})
    assert Counter(r.rule for r in found.rejected) == {"unreadable_file": 25}
    assert len(found.documents) == 16
    assert len(found.assignments) == 48
    assert (len(found.units), len(found.relations)) == (141, 94)  # 52 lemmas are not read
    assert [r.reason for r in found.excluded] == ["coincides"] * 2
    lemmas = read(files, "webanno_tsv", layers=("Lemma",))
    assert len(lemmas.units) == 52
    texts = {d.document: d.text for d in found.documents}
    assert all(texts[u.document][u.start_offset : u.end_offset] == u.surface for u in found.units)


def test_slots_of_stacked_annotations(tmp_path, read):
    """The id of a stacked annotation is in the cell of its roles, and is no part of a role."""
    layers = (
        "#T_SP=custom.Who|\n#T_SP=custom.Event|ROLE_custom.Event:links_custom.Link|custom.Who\n"
    )
    rows = [
        "1-1\t0-4\tThey\t*\t_\t_\t",
        "1-2\t5-9\tmeet\t_\tagent;*[1]|agent[2]|*[3]\t1-1;1-3|1-1|*\t",
        "1-3\t10-12\tus\t*\t_\t_\t",
    ]
    text = (
        "#FORMAT=WebAnno TSV 3.3\n" + layers + "\n\n#Text=They meet us\n" + "\n".join(rows) + "\n"
    )
    (tmp_path / "slots.tsv").write_text(text, encoding="utf-8")
    found = read(tmp_path / "slots.tsv")
    assert not found.rejected  # the third event has no slot
    assert [(r.from_unit, r.category, r.to_unit) for r in found.relations] == [
        ("[1]", "agent", "1-1:Who"),
        ("[1]", "", "1-3:Who"),
        ("[2]", "agent", "1-1:Who"),
    ]
