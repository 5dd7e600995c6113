"""The light path of the quick commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from tests.read_labels import read_labels


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
        ("Our campaign\nitem\n1\n", "first line has one cell.*lines above the header"),
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


def test_the_light_path_imports_no_heavy_parser(corpora):
    code = (
        "import sys; from pathlib import Path;"
        "from tests.read_labels import read_labels;"
        f"read_labels(Path({str(corpora / 'formats/tables/long.csv')!r}));"
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
