"""Tables read by columns give the same records as tables read row by row, whatever the rows."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accordeur.data.blocks import Block
from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.common.files import lines as byte_lines
from accordeur.data.readers.sources import read_rows
from accordeur.data.readers.tables import delimited, rows_without_checks
from accordeur.data.schema import Rejected
from tests.data.readers.both_ways import read_both_ways

RELAXED = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    """Few rows a batch, and pieces of two rows, so that small tables meet every way."""
    monkeypatch.setattr(delimited, "ROWS", 5)
    monkeypatch.setattr(rows_without_checks, "_PIECE", 2)


def assert_same(path: Path, **extra: str):
    options = SourceOptions(layers=tuple(extra.pop("layers", "").split()), extra=extra)
    with suppress(DataError):
        read_both_ways(path, "table", options)


NAMES = st.sampled_from(["a", "b", "É", "😀", "01", "1.50", "NA", "x|y", "", " ", 'q"q', "l\nl"])
NUMBERS = st.sampled_from(
    ["0", "3", "7", "12", "007", "+4", "-2", " 5", "2.5", "1e3", "", "x", "²"]
)
PASSES = st.sampled_from(["1", "2", "02", "0", "-1", "", "9" * 12, "x"])
LONG = {"document": NAMES, "item": NAMES, "annotator": NAMES, "label": NAMES, "layer": NAMES}
UNITS = {"annotator": NAMES, "start": NUMBERS, "end": NUMBERS, "category": NAMES, "unit": NAMES}
PIECES = {"fragments": st.sampled_from(["", "", "3 7", "0 3;7 12", "x"]), "surface": NAMES}
RELATIONS = {"annotator": NAMES, "relation": NAMES, "from_unit": NAMES, "to_unit": NAMES}


@st.composite
def tables(draw):
    """A table's header and its rows, some of another width."""
    kinds = draw(
        st.sampled_from(
            [LONG, UNITS, UNITS | PIECES, RELATIONS, {"item": NAMES, "ann": NAMES, "boris": NAMES}]
        )
    )
    kinds = kinds | draw(st.sampled_from([{}, {"pass": PASSES}]))
    if kinds.keys() >= {"annotator"} and draw(st.booleans()):
        kinds = {k: v for k, v in kinds.items() if k not in ("document", "layer", "unit")}
    whole = st.tuples(*kinds.values()).map(list)
    odd = st.lists(NAMES, max_size=9)
    rows = draw(st.lists(st.one_of(whole, whole, whole, odd), max_size=40))
    return list(kinds), rows


EXTRA = st.fixed_dictionaries(
    {},
    optional={
        "missing": st.just("NA"),
        "separator": st.just("|"),
        "repeats": st.just("pass"),
        "layers": st.just("a b"),
        "offset_unit": st.sampled_from(["s", "ms", "token"]),
    },
)
BYTES = st.sampled_from(
    [
        *(b"", b"", b"\xff\xfe,,\n", b'"open,\n', b"\n\n", b"a\rb,c\n", b"x,y,z,1,2,3"),
        *(b"a\0b,c,d,e,f\n", b'a,"b,c",d,"e""e",f\n', b'a,b"c,d,e,f\n', b'"a\nb",c,d,e,f\n'),
        *(
            b'"a" ,b,c,d,e\n',
            b'"a\tb"\t"c"\t"\t""\te\n',
            b'"",,"","",\n',
            b"a,b,c,d,e\r\r\n",
            b" \n",
        ),
    ]
)
ENCODINGS = st.sampled_from(["", "", "", "utf-8-sig", "utf-16", "latin-1", "UTF8"])


@RELAXED
@given(table=tables(), extra=EXTRA, quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
       end=st.sampled_from(["\n", "\r\n", "\r"]), delimiter=st.sampled_from(",\t;|"),
       damage=BYTES, at=st.floats(0, 1), encoding=ENCODINGS,
       block=st.sampled_from([1, 40, 1 << 17]))  # fmt: skip
def test_delimited(
    tmp_path, monkeypatch, table, extra, quoting, end, delimiter, damage, at, encoding, block
):
    monkeypatch.setattr(byte_lines, "BLOCK_BYTES", block)
    header, rows = table
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(
        [header, *rows]
    )
    lines = stream.getvalue().encode(encoding or "utf-8", "replace").splitlines(keepends=True)
    place = 1 + int(at * (len(lines) - 1))
    path = tmp_path / "x.csv"
    damage = damage.replace(b",", delimiter.encode())
    path.write_bytes(b"".join([*lines[:place], damage, *lines[place:]]))
    if encoding in ("latin-1", "UTF8"):
        extra["encoding"] = encoding
    assert_same(path, **extra)


CELLS = st.one_of(
    NAMES, st.none(), st.integers(), st.floats(), st.booleans(), st.lists(NAMES, max_size=2)
)
BAD_LINES = ["", "{", "[1]", "NaN", '{"item": "\\ud800"}', '{"item": 1e400}']
LINES = st.one_of(
    st.fixed_dictionaries(dict.fromkeys(LONG, NAMES)),
    st.fixed_dictionaries(dict.fromkeys(LONG, NAMES)),
    st.dictionaries(st.sampled_from([*LONG, "note"]), CELLS),
).map(json.dumps) | st.sampled_from(
    ["", "{", "[1]", "NaN", '{"item": "\\ud800"}', '{"item": 1e400}']
)


@RELAXED
@given(lines=st.lists(LINES, max_size=30), extra=EXTRA)
def test_json_lines(tmp_path, lines, extra):
    first = json.dumps(dict.fromkeys(LONG, "a"))
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join([first, *lines]))
    assert_same(path, **extra)


@pytest.mark.long
@settings(RELAXED, max_examples=15)  # each file is read in a process of its own
@given(table=tables(), extra=EXTRA)
def test_parquet(tmp_path, table, extra):
    header, rows = table
    rows = [row for row in rows if len(row) == len(header)]
    cells = {name: pa.array([row[k] or None for row in rows]) for k, name in enumerate(header)}
    cells = {k: v.cast(pa.string()) for k, v in cells.items()}
    pq.write_table(pa.table(cells), tmp_path / "x.parquet")
    assert_same(tmp_path / "x.parquet", **extra)


def test_plain_rows_make_one_block(tmp_path, monkeypatch):
    monkeypatch.undo()
    path = tmp_path / "x.csv"
    rows = [f"d{k // 20},{k % 20},a{k % 3},L\n" for k in range(3000)]
    rows[1000] = "d50,0,a1,\n"
    path.write_text("document,item,annotator,label\n" + "".join(rows))
    found = list(read_rows(path, "table", SourceOptions()))
    labels = [row for row in found if isinstance(row, Block) and row.TABLE == "labels"]
    assert sum(map(len, labels)) == 2999
    (rejected,) = [row for row in found if getattr(row, "TABLE", "") == "rejected"]
    assert (rejected.location, rejected.rule, rejected.value) == (
        "line 1002",
        "empty_value",
        "label",
    )


@pytest.mark.long
@pytest.mark.parametrize("line", ["d0,1,a1\n", "d0,1,a1,L,more\n"])
def test_another_width_from_some_line_on(tmp_path, line):
    """As many lines of it as make a block of bytes of their own."""
    path = tmp_path / "x.csv"
    path.write_text("document,item,annotator,label\n" + "d0,1,a1,L\n" * 15_000 + line * 30_000)
    records = read_both_ways(path, "table", SourceOptions())
    rules = {record.rule for record in records if isinstance(record, Rejected)}
    assert len(rules) == 1
    assert len([r for r in records if isinstance(r, Rejected)]) == 30_000


def test_empty_lines_are_no_rows_and_count_as_lines(tmp_path):
    path = tmp_path / "x.csv"
    rows = [f"{k},a{k % 2},L\n" for k in range(100)]
    rows[50] = ",a,L\n"
    path.write_text("\nitem,annotator,label\n\n" + "".join(rows) + "\n\n")
    records = read_both_ways(path, "table", SourceOptions())
    [rejected] = [record for record in records if isinstance(record, Rejected)]
    assert (rejected.location, rejected.value) == ("line 54", "item")
