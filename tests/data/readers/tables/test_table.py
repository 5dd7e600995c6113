"""Tables of labels and units in every container; labels stay strings."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accordeur.data.errors import DataError

LONG = [
    ("d1", "1", "anna", "01"),
    ("d1", "1", "boris", "1"),
    ("d1", "2", "anna", "a, b"),
    ("d2", "1", "boris", "01"),
]
NAMES = ("document", "item", "annotator", "label")


def labels_of(tables) -> list[tuple[str, str, str, str]]:
    return [(r.document, r.item, r.annotator, *r.labels) for r in tables.labels]


def containers(folder: Path) -> dict[str, Path]:
    """The long table of tests/corpora in every container."""
    made = {name: folder / f"long.{name}" for name in ("tsv", "jsonl", "parquet", "xlsx")}
    rows = [dict(zip(NAMES, row, strict=True)) for row in LONG]
    tsv = "\n".join("\t".join(row) for row in [NAMES, *LONG])
    made["tsv"].write_bytes(b"\xef\xbb\xbf" + tsv.replace("\n", "\r\n").encode())
    made["jsonl"].write_text("".join(json.dumps(row) + "\n" for row in rows))
    pq.write_table(pa.Table.from_pylist(rows), made["parquet"])
    book = openpyxl.Workbook()
    for row in [NAMES, *LONG]:
        book.active.append(row)
    book.save(made["xlsx"])
    return made


def test_long_csv(corpora, read):
    found = read(corpora / "formats" / "tables" / "long.csv")
    assert labels_of(found) == LONG
    assert [d.document for d in found.documents] == ["d1", "d2"]
    assert len(found.assignments) == 3
    assert {str(a.state) for a in found.assignments} == {"finished"}
    assert (found.labels[2].location, found.labels[2].source) == ("line 4", "long.csv")


@pytest.mark.parametrize("container", ["tsv", "jsonl", "parquet", "xlsx"])
def test_the_same_labels_from_every_container(tmp_path, read, container):
    assert labels_of(read(containers(tmp_path)[container])) == LONG


def test_utf16_as_excel_writes_it(tmp_path, read):
    path = tmp_path / "x.csv"
    path.write_text("item;annotator;label\n1;anna;été\n", encoding="utf-16")
    assert labels_of(read(path)) == [("x", "1", "anna", "été")]


def test_another_encoding_has_to_be_named(tmp_path, read):
    path = tmp_path / "x.csv"
    path.write_bytes("item,annotator,label\n1,anna,été\n2,anna,b\n".encode("cp1252"))
    found = read(path)
    assert [r.rule for r in found.rejected] == ["undecodable"]
    assert len(found.labels) == 1
    assert read(path, "table", extra={"encoding": "cp1252"}).labels[0].labels == ("été",)


def test_wide(corpora, read):
    found = read(corpora / "formats" / "tables" / "wide.csv")
    assert labels_of(found) == [
        ("wide", "1", "anna", "yes"),
        ("wide", "1", "boris", "no"),
        ("wide", "2", "anna", "no"),
        ("wide", "2", "boris", "no"),
        ("wide", "2", "carla", "yes"),
    ]


def test_units(corpora, read):
    found = read(corpora / "formats" / "tables" / "units.tsv")
    assert [(u.annotator, u.start_offset, u.end_offset, u.category) for u in found.units] == [
        ("anna", 0, 4, "Noun"),
        ("boris", 0, 5, "Verb"),
    ]
    (rejected,) = found.rejected
    assert (rejected.rule, rejected.location, rejected.annotator) == (
        "zero_length",
        "line 4",
        "boris",
    )


def test_named_columns_headerless_files_and_marks_of_missing_labels(tmp_path, read):
    path = tmp_path / "x.csv"
    path.write_text("w1,7,yes,0\nw2,7,NA,0\n")
    extra = {"columns": "annotator,item,answer,gold", "label": "answer", "missing": "NA"}
    assert labels_of(read(path, "table", extra=extra)) == [("x", "7", "w1", "yes")]


def test_numbers_in_json_keep_their_spelling(tmp_path, read):
    path = tmp_path / "x.jsonl"
    path.write_text(
        '{"item": 1, "annotator": 2, "label": 1.50}\n'
        '{"item": 1, "annotator": 3, "label": true}\n'
        '{"item": 1, "annotator": 4, "label": ["a", "b"]}\n'
        '{"item": 1, "annotator": 5, "label": 1e400}\n'
        '{"item": 1, "annotator": 6, "label": null}\n'
    )
    found = read(path)
    assert [r.labels for r in found.labels] == [("1.50",), ("true",), ("a", "b"), ("1e400",)]
    assert [r.rule for r in found.rejected] == ["empty_value"]


def test_several_labels_in_a_cell(tmp_path, read):
    path = tmp_path / "x.csv"
    path.write_text("item,annotator,label\n1,anna,a|b\n")
    found = read(path, "table", extra={"separator": "|", "delimiter": ","})
    assert found.labels[0].labels == ("a", "b")


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ("1,,x", "empty_value"),
        ("1,anna,", "empty_value"),
        (",anna,x", "empty_value"),
        ("1,anna,x,y", "wrong_number_of_columns"),
        ("1", "empty_value"),
        ("1,\xffx,x", "undecodable"),
    ],
)
def test_a_bad_row_is_refused_alone(tmp_path, read, row, rule):
    path = tmp_path / "x.csv"
    path.write_bytes(f"item,annotator,label\n{row}\n2,anna,b\n".encode("latin-1"))
    found = read(path)
    assert [(r.rule, r.location, r.table_name) for r in found.rejected] == [
        (rule, "line 2", "labels")
    ]
    assert len(found.labels) == 1


@pytest.mark.parametrize("line", ["{", "[1]", "[" * 100_000, '{"item": "\\ud83d"}', "1"])
def test_a_bad_json_line_is_refused_alone(tmp_path, read, line):
    path = tmp_path / "x.jsonl"
    good = '{"item": "1", "annotator": "a", "label": "x"}\n'
    path.write_text(good + line + "\n" + good.replace("1", "2"))
    found = read(path)
    assert len(found.labels) == 2
    assert len(found.rejected) == 1


def test_a_quote_that_is_never_closed_costs_its_own_line(tmp_path, read):
    path = tmp_path / "x.csv"
    rows = "".join(f"{k},anna,b\n" for k in range(1, 40_000))
    path.write_text(f'item,annotator,label\n0,anna,"x\n{rows}')
    found = read(path)
    assert [(r.rule, r.location) for r in found.rejected] == [("bad_row", "line 2")]
    assert "not closed" in found.rejected[0].message
    assert len(found.labels) == 39_999
    assert {r.location for r in found.labels} == {f"line {k}" for k in range(3, 40_002)}


def test_quotation_marks_in_tab_separated_files(tmp_path, read):
    path = tmp_path / "x.tsv"
    path.write_text('item\tannotator\tlabel\n1\tanna\t"5 inch\n2\tanna\t"a ""b"""\n')
    assert [r.labels[0] for r in read(path).labels] == ['"5 inch', 'a "b"']


@pytest.mark.parametrize(
    "header",
    ["item,rater,rating", "orig_id,response", "a,b,c", "item,annotator", "x,annotator,start"],
)
def test_the_error_names_what_is_missing_and_what_was_found(tmp_path, read, header):
    path = tmp_path / "x.csv"
    path.write_text(f"{header}\n1,2,3\n")
    with pytest.raises(DataError, match=f"Found: {header.replace(',', ', ')}"):
        read(path, "table")


def test_options_that_make_no_sense(corpora, read):
    path = corpora / "formats" / "tables" / "long.csv"
    for extra, message in (
        ({"layout": "tall"}, "the allowed values are long, wide, units"),
        ({"offset_unit": "hours"}, "the allowed values are char"),
        ({"delimiter": "ab"}, "one character"),
        ({"label": "nothing"}, "the columns are document, item"),
        ({"colour": "red"}, "format 'table' has no option"),
    ):
        with pytest.raises(DataError, match=message):
            read(path, "table", extra=extra)


def test_two_columns_of_one_name(tmp_path, read):
    path = tmp_path / "x.csv"
    path.write_text("item,annotator,label,label\n")
    with pytest.raises(DataError, match="occurs twice"):
        read(path, "table")


def test_passes(tmp_path, read):
    path = tmp_path / "x.csv"
    path.write_text("item,annotator,label,pass\n1,anna,a,1\n1,anna,b,2\n1,anna,c,two\n")
    found = read(path)
    assert [r.pass_ for r in found.labels] == [1, 2]
    assert [a.pass_ for a in found.assignments] == [1, 2]
    assert [r.rule for r in found.rejected] == ["bad_pass"]


def test_repeated_labels_as_passes(tmp_path, read):
    path = tmp_path / "x.csv"
    path.write_text("item,annotator,label\n1,anna,a\n1,anna,b\n1,boris,a\n2,anna,a\n")
    assert [r.pass_ for r in read(path).labels] == [1, 1, 1, 1]
    found = read(path, "table", extra={"repeats": "pass"})
    assert [r.pass_ for r in found.labels] == [1, 2, 1, 1]
    with pytest.raises(DataError, match="the allowed values are keep, pass, first and last"):
        read(path, "table", extra={"repeats": "drop"})


def test_a_damaged_workbook_and_a_bomb(tmp_path, read):
    path = tmp_path / "x.xlsx"
    path.write_bytes(b"PK\x03\x04 no")
    with pytest.raises(DataError):
        read(path, "table")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>')
    with pytest.raises(DataError, match="document type"):
        read(path, "table")


@pytest.mark.shared
def test_real_tables(shared_data, read):
    bluebirds = read(shared_data / "bluebirds" / "bluebirds_long.csv")
    assert (len(bluebirds.labels), len(bluebirds.assignments)) == (39 * 108, 39)
    brexit = read(shared_data / "hs_brexit" / "HS-Brexit_long.csv")
    assert len(brexit.labels) == 6 * 1120
    weather = read(
        shared_data / "weather_sentiment" / "CF_amt.csv",
        "table",
        extra={"columns": "annotator,item,label,gold,seconds"},
    )
    assert (len(weather.labels), len(weather.assignments)) == (6000 + 30, 110)
    diagnoses = read(shared_data / "irr_R" / "diagnoses.csv")
    assert len(diagnoses.labels) == 30 * 6
    assert {r.item for r in diagnoses.labels} == {str(k) for k in range(1, 31)}
    rte = read(
        shared_data / "snow2008" / "rte.standardized.tsv",
        "table",
        extra={"annotator": "!amt_worker_ids", "item": "orig_id", "label": "response"},
    )
    assert (len(rte.labels), len(rte.assignments)) == (8000, 164)
    dawid_skene = read(
        shared_data / "dawid_skene_1979" / "anesthesia.csv",
        "table",
        extra={"annotator": "rater", "label": "rating", "repeats": "pass"},
    )
    passes = Counter((r.annotator, r.pass_) for r in dawid_skene.labels)
    assert passes == {("1", 1): 45, ("1", 2): 45, ("1", 3): 45} | {
        (str(k), 1): 45 for k in (2, 3, 4, 5)
    }
    onsets = {"annotator": "set", "start": "segment_onset", "end": "segment_offset"}
    gamma = read(
        shared_data / "childproject" / "data" / "gamma.csv",
        "table",
        extra={**onsets, "category": "speaker_type", "offset_unit": "ms"},
    )
    assert len(gamma.units) == 16
    assert gamma.documents[0].offset_unit == "ms"


def test_a_table_of_labels_that_a_run_wrote_is_read_back(tmp_path: Path, read) -> None:
    """Its column is `labels`, with a list in each cell."""
    rows = [{**dict(zip(NAMES[:3], row[:3], strict=True)), "labels": [row[3]]} for row in LONG]
    path = tmp_path / "labels.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    assert labels_of(read(path, "auto")) == LONG
