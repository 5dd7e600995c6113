"""The light path of the quick commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.in_memory.labels import read_labels
from accordeur.data.in_memory.units import read_unit_tables


def test_long(corpora):
    table = read_labels(corpora / "formats" / "tables" / "long.csv")
    assert table.items == ["1", "1", "2", "1"]
    assert table.annotators == ["anna", "boris", "anna", "boris"]
    assert table.labels == ["01", "1", "a, b", "01"]
    assert table.documents == ["d1", "d1", "d1", "d2"]
    assert table.rejected == []


def test_wide_and_bregeon(corpora):
    wide = read_labels(corpora / "formats" / "tables" / "wide.csv")
    assert (len(wide.labels), wide.rejected, wide.documents) == (5, [], None)
    bregeon = read_labels(corpora / "formats" / "tables" / "bregeon.csv")
    assert (len(bregeon.labels), bregeon.rejected, bregeon.documents) == (10, [], None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("item,annotator,label\n", "has a header and no row"),
        ("item,annotator,label", "has a header and no row"),
        ("item,ann,boris\n1,,\n", "has no label"),
        (
            "item,rater,rating\n1,2,3\n",
            "missing columns: annotator, label.*item, rater.*--annotator rater --label rating",
        ),
        ("item,annotator,label\n1,2\n", "x.csv line 2: the row has no label"),
        ("item,annotator,label\n1,a,caf\xe9\n", "line 2: byte 7 of the line is not UTF-8"),
        ("annotator,start,end\na,1,2\n", "accordeur gamma"),
        (
            "item,item,label\n1,2,3\n",
            "the column 'item' occurs twice in the first line",
        ),
        ("Our campaign\nitem,a,b\n1,x,y\n", "first line has one cell.*lines above the header"),
        (",Round 1,,\nitem,a,b,c\n1,x,y,x\n", "delete the line if the header is below it"),
    ],
)
def test_errors_are_one_sentence(tmp_path: Path, text, message):
    path = tmp_path / "x.csv"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(DataError, match=message) as caught:
        read_labels(path)
    assert "\n" not in str(caught.value)


def test_no_such_file(tmp_path):
    with pytest.raises(DataError, match="no such file or folder"):
        read_labels(tmp_path / "x.csv")


def test_blank_lines_byte_order_mark_and_missing_labels(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes("\ufeff\nitem;annotator;label\n1;anna;é\n\n2;anna;\n".encode())
    table = read_labels(path)
    assert (table.items, table.labels, table.documents) == (["1"], ["é"], None)
    assert [(row.location, row.message) for row in table.rejected] == [
        ("line 5", "the row has no label")
    ]


def test_named_columns(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("item,rater,rating\n1,2,3\n")
    table = read_labels(path, options={"annotator": "rater", "label": "rating"})
    assert table.labels == ["3"]


def test_unit_tables(corpora):
    folder = corpora / "formats"
    paths = [folder / "pygamma" / "whole.csv", folder / "tables" / "units.tsv", folder / "brat"]
    tables, account = read_unit_tables(paths)
    assert sorted(t.document for t in tables if t.units.num_rows) == [
        "d1",
        "emoji",
        "suite/events",
        "whole",
        "windows",
    ]
    emoji = next(t for t in tables if t.document == "emoji")
    assert sorted(emoji.annotators) == ["anna", "boris"]  # boris marked nothing, and counts
    assert {*emoji.units["annotator"].to_pylist()} == {"anna"}
    assert next(t for t in tables if t.document == "suite/events").annotators == ["anna"]
    assert [r.rule for r in account.rejected] == ["zero_length"]


@pytest.mark.parametrize("with_systems", [False, True])
def test_later_passes_leave_no_document_empty(tmp_path, with_systems: bool):
    path = tmp_path / "spans.csv"
    path.write_text(
        "document,annotator,role,start,end,pass\nd,ann,human,0,3,1\nd,ben,human,0,3,2\n"
        "d,gpt,system,0,3,1\nd,gpt,system,1,3,2\n"
    )
    [table], account = read_unit_tables([path], with_systems=with_systems)
    assert table.annotators == ["ann", "gpt"]  # ben has nothing in the first pass
    later = {who: units["start_offset"].to_pylist() for who, units in table.later.items()}
    assert later == ({("gpt", 2): [1]} if with_systems else {})
    assert (account.tally.excluded["later_pass"], account.tally.system) == (1, 2)


def test_nothing_to_measure(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("annotator,start,end\n")
    with pytest.raises(DataError, match="no unit"):
        read_unit_tables([path])


def test_the_light_path_imports_no_heavy_parser(corpora, tmp_path):
    plain, headed = tmp_path / "plain.csv", tmp_path / "headed.csv"
    plain.write_text("".join(f"a,X,{k},{k + 9}\nb,X,{k + 1},{k + 9}\n" for k in range(200)))
    headed.write_text("annotator,category,start,end\na,X,0,10\nb,X,1,10\n")
    code = (
        "import sys; from pathlib import Path;"
        "from accordeur.data.in_memory.labels import *;"
        "from accordeur.data.in_memory.units import *;"
        f"read_labels(Path({str(corpora / 'formats/tables/long.csv')!r}));"
        f"read_unit_tables([{str(plain)!r}]); read_unit_tables([{str(headed)!r}]);"
        "heavy = {'cassis', 'lxml', 'openpyxl', 'pandas', 'numba'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.shared
def test_real_tables(shared_data):
    assert len(read_labels(shared_data / "bluebirds" / "bluebirds_long.csv").labels) == 4212
    anxiety = read_labels(shared_data / "irr_R" / "anxiety.csv")
    assert (len(anxiety.labels), len(set(anxiety.items))) == (60, 20)
