"""UIMA CAS in XMI and JSON: offsets as written, layers, relations, slots, chains, damage."""

from __future__ import annotations

from pathlib import Path

import cassis
import pytest

from accordeur.data.errors import DataError
from tests.data.readers.uima import samples as uima


@pytest.fixture(params=["xmi", "json"])
def meeting(request, tmp_path, read):
    folder = tmp_path / "meeting.txt"
    folder.mkdir()
    if request.param == "xmi":
        (folder / "anna.xmi").write_bytes(uima.xmi())
        (tmp_path / "TypeSystem.xml").write_bytes(uima.typesystem_xml())
        return read(tmp_path, "uima_xmi")
    (folder / "anna.json").write_bytes(uima.as_json())
    return read(tmp_path, "uima_json")


def test_units(meeting):
    assert not meeting.rejected
    (document,) = meeting.documents
    assert (document.document, document.text) == ("meeting.txt", uima.TEXT)
    units = {(u.layer, u.surface): u for u in meeting.units}
    anna = units["NamedEntity", "👑 Anna"]
    assert (anna.start_offset, anna.end_offset, anna.source_offsets) == (0, 6, "0 7")
    assert (anna.category, anna.attributes) == ("PER", (("identifier", "Q1"),))
    assert units["NamedEntity", "Bob"].category == ""
    assert units["POS", "Anna"].category == "PROPN"
    assert units["POS", "met"].category == "VERB"
    assert units["Event", "met"].category == "meeting"
    assert units["Coreference", "She"].category == "pron"
    assert units["Token", "Bob"].category == ""  # a dependency stands on it, and it has no POS
    assert len(units) == len(meeting.units) == 8
    assert all(document.text[u.start_offset : u.end_offset] == u.surface for u in meeting.units)


def test_an_annotation_of_the_whole_document_is_a_label(meeting):
    (label,) = meeting.labels
    assert (label.document, label.item, label.annotator) == ("meeting.txt", "meeting.txt", "anna")
    assert (label.labels, label.layer) == (("news",), "Genre")


def test_relations(meeting):
    name = {u.unit: f"{u.layer}:{u.surface}" for u in meeting.units}
    links = {(r.layer, r.category, name[r.from_unit], name[r.to_unit]) for r in meeting.relations}
    assert links == {
        ("Dependency", "subj", "POS:met", "POS:Anna"),
        ("Dependency", "obj", "POS:met", "Token:Bob"),
        ("Event", "agent", "Event:met", "NamedEntity:👑 Anna"),
        ("Event", "other", "Event:met", "NamedEntity:Bob"),
        ("Coreference", "same", "Coreference:Anna", "Coreference:She"),
    }


@pytest.fixture
def one_xmi(tmp_path: Path):
    def written(data: bytes) -> Path:
        (tmp_path / "TypeSystem.xml").write_bytes(uima.typesystem_xml())
        (tmp_path / "anna.xmi").write_bytes(data)
        return tmp_path / "anna.xmi"

    return written


@pytest.mark.parametrize(
    ("begin", "rule"),
    [("1", "inside_character"), ("99", "end_before_start"), ("7", "")],
)
def test_an_impossible_offset_is_refused_where_the_library_keeps_it(one_xmi, read, begin, rule):
    data = uima.xmi()
    old = b'begin="0" end="7" identifier="Q1"'
    if data.count(old) != 1:
        at = data.index(b'identifier="Q1"')
        start = data.rindex(b"<", 0, at)
        element = data[start : data.index(b">", at)]
        changed = element.replace(b'begin="0"', f'begin="{begin}"'.encode())
        data = data.replace(element, changed)
    else:
        data = data.replace(old, old.replace(b'"0"', f'"{begin}"'.encode()))
    found = read(one_xmi(data), "uima_xmi")
    assert {r.rule for r in found.rejected} == {rule, "rejected_unit"} - {""}
    # without extent: valid markup that no measure of spans can use
    excluded = [(r.reason, r.n_rows, r.location) for r in found.excluded]
    assert excluded == ([] if rule else [("zero_length", 1, "layer NamedEntity")])
    assert not [u for u in found.units if u.attributes == (("identifier", "Q1"),)]
    # the slot that leads to the rejected unit is rejected too
    assert "rejected_unit" in {r.rule for r in found.rejected}


def test_no_type_system(tmp_path, read):
    (tmp_path / "anna.xmi").write_bytes(uima.xmi())
    with pytest.raises(DataError, match=r"put TypeSystem\.xml beside it"):
        read(tmp_path / "anna.xmi")


def test_entities_never_reach_the_parser(tmp_path, read, one_xmi):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    doctype = f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'.encode()
    data = uima.xmi()
    at = data.index(b"?>") + 2 if data.startswith(b"<?xml") else 0
    with pytest.raises(DataError, match="document type"):
        read(one_xmi(data[:at] + doctype + data[at:]), "uima_xmi")
    path = one_xmi(data)
    types = uima.typesystem_xml()
    at = types.index(b"?>") + 2 if types.startswith(b"<?xml") else 0
    (tmp_path / "TypeSystem.xml").write_bytes(types[:at] + doctype + types[at:])
    with pytest.raises(DataError, match="document type"):
        read(path, "uima_xmi")


def test_duplicate_ids(read, one_xmi):
    data = uima.xmi()
    at = data.index(b'identifier="Q1"')
    start = data.rindex(b"<", 0, at)
    element = data[start : data.index(b">", at) + 1]
    found = read(one_xmi(data.replace(element, element + element)), "uima_xmi")
    assert "duplicate_id" in {r.rule for r in found.rejected}


def test_a_zip_of_one_document(tmp_path, read):
    path = tmp_path / "export.zip"
    path.write_bytes(uima.work_zip("boris"))
    found = read(path)
    assert {(a.document, a.annotator) for a in found.assignments} == {("meeting.txt", "boris")}
    assert {u.document for u in found.units} == {"meeting.txt"}


def test_finished_and_empty(read, one_xmi):
    found = read(one_xmi(uima.xmi(empty=True)), "uima_xmi", annotator="anna")
    assert [str(a.state) for a in found.assignments] == ["finished_empty"]


def test_category_option(read, one_xmi):
    path = one_xmi(uima.xmi())
    found = read(path, "uima_xmi", extra={"category": "NamedEntity.identifier"})
    assert {u.category for u in found.units if u.layer == "NamedEntity"} == {"Q1", ""}
    found = read(path, "uima_xmi", extra={"category": "identifier"})
    assert {u.category for u in found.units if u.layer == "NamedEntity"} == {"Q1", ""}
    assert {u.category for u in found.units if u.layer == "POS"} == {"PROPN", "VERB"}
    with pytest.raises(DataError, match=r"write `feature` or `Layer\.feature`"):
        read(path, "uima_xmi", extra={"category": ".identifier"})


@pytest.mark.parametrize(
    "data", [b"{}", b"[]", b"{", b'{"%TYPES": 3}', b'{"%FEATURE_STRUCTURES": {}}']
)
def test_damaged_json(tmp_path, read, data):
    path = tmp_path / "anna.json"
    path.write_bytes(data)
    with pytest.raises(DataError, match=r"CAS|JSON"):
        read(path, "uima_json")


def test_each_json_has_its_own_types(tmp_path, read):
    """They are parsed once for all documents that have the same."""
    for k, feature in enumerate(("value", "kind", "value")):
        types = cassis.TypeSystem()
        entity = types.create_type("x.Entity", "uima.tcas.Annotation")
        types.create_feature(entity, feature, "uima.cas.String")
        cas = cassis.Cas(typesystem=types)
        cas.sofa_string, cas.sofa_mime = "Anna", "text/plain"
        cas.add(entity(begin=0, end=4, **{feature: "PER"}))
        (tmp_path / f"d{k}").mkdir()
        (tmp_path / f"d{k}" / "anna.json").write_text(cas.to_json())
    units = read(tmp_path, "uima_json", extra={"category": "Entity.value"}).units
    assert [(u.category, u.attributes) for u in units] == [
        ("PER", ()),
        ("", (("kind", "PER"),)),
        ("PER", ()),
    ]
