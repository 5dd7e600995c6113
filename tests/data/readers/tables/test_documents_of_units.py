"""What a table of units says of its documents: who found nothing in them, and how long they are."""

from __future__ import annotations

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from tests.data.readers.both_ways import read_both_ways

HEADER = "document,layer,annotator,start,end,category\n"


def written(tmp_path, rows: str, header: str = HEADER):
    path = tmp_path / "units.csv"
    path.write_text(header + rows, encoding="utf-8")
    return path


def test_a_row_without_a_unit_says_that_the_document_was_gone_through(tmp_path, read):
    path = written(tmp_path, "d,l,anna,3,7,x\nd,,boris,,,\nd,l,anna,,,\ne,l,boris,,,\n")
    found = read(path)
    assert not found.rejected
    assert [unit.annotator for unit in found.units] == ["anna"]
    done = [(a.document, a.annotator, str(a.state)) for a in found.assignments]
    assert done == [
        ("d", "anna", "finished"),
        ("d", "boris", "finished"),
        ("e", "boris", "finished"),
    ]


def test_a_row_with_a_category_wants_bounds(tmp_path, read):
    found = read(written(tmp_path, "d,l,anna,,,x\nd,l,boris,3,,\n"))
    assert [r.rule for r in found.rejected] == ["not_an_offset"] * 2


def test_of_a_layer_that_is_not_kept_nothing_is_said(tmp_path, read):
    path = written(tmp_path, "d,l,anna,,,\nd,m,boris,,,\nd,,carla,,,\n")
    found = read(path, "table", layers=("l",))
    assert [a.annotator for a in found.assignments] == ["anna", "carla"]


def test_documents_have_the_length_of_their_column(tmp_path, read):
    header = "document,annotator,start,end,length\n"
    rows = "d,anna,1.5,2,20\nd,boris,,,20.0\ne,anna,1,2,\ne,boris,1,2,7.25\nd,anna,3,4,21\n"
    path = written(tmp_path, rows + "d,anna,5,6,0\n", header)
    assert {d.length for d in read(path, "table", extra={"offset_unit": "s"}).documents} == {-1}
    found = read(path, "table", extra={"offset_unit": "s", "length": "length"})
    assert [(r.rule, r.location) for r in found.rejected] == [
        ("other_length", "line 6"),
        ("bad_length", "line 7"),
    ]
    lengths = [(d.document, d.length) for d in found.documents]
    assert lengths == [("d", 20_000), ("e", -1), ("e", 7250)]
    options = SourceOptions(extra={"offset_unit": "s", "length": "length"})
    read_both_ways(path, "table", options)


def test_a_row_that_is_rejected_does_not_take_the_length_with_it(tmp_path, read):
    header = "document,annotator,start,end,category,length\n"
    path = written(tmp_path, "d,anna,5,1,x,20\nd,boris,1,5,x,20\n", header)
    found = read(path, "table", extra={"length": "length"})
    assert [one.location for one in found.rejected] == ["line 2"]
    assert [d.length for d in found.documents] == [20]


def test_only_units_have_documents_of_a_length(tmp_path, read):
    path = written(tmp_path, "1,anna,x,7\n", "item,annotator,label,length\n")
    with pytest.raises(DataError, match="gives the length of documents of units"):
        read(path, "table", extra={"length": "length"})


def test_rows_of_a_unit_that_the_option_names_are_its_fragments(tmp_path, read):
    rows = "d,anna,T1,3,7,x\nd,anna,T2,4,6,y\nd,anna,T1,9,12,x\nd,boris,T1,9,12,x\nd,anna,,1,2,z\n"
    path = written(tmp_path, rows, "document,annotator,id,start,end,category\n")
    assert len(read(path).units) == 5
    found = read(path, extra={"unit": "id"})
    assert [(u.annotator, u.start_offset, u.end_offset, u.fragments) for u in found.units] == [
        ("anna", 3, 12, ((3, 7), (9, 12))),
        ("anna", 4, 6, ()),
        ("boris", 9, 12, ()),
        ("anna", 1, 2, ()),
    ]
    header = "document,annotator,id,start,end,category\n"
    overlapping = written(tmp_path, "d,anna,T1,3,7,x\nd,anna,T1,5,9,x\n", header)
    assert [u.fragments for u in read(overlapping, extra={"unit": "id"}).units] == [(), ()]
