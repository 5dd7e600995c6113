"""Small files that describe much: each is a file name and a function that writes it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

TABLE = "item,annotator,label\n1,a,x\n1,b,x\n2,a,y\n2,b,y\n"
CAMPAIGN = '[campaign]\nname = "t"\n[store]\nurl = "store"\n[[sources]]\npath = "good.csv"\n'


def _sheet(path: Path, change: Callable[[str], str]) -> None:
    """Write a workbook whose sheet is changed as text, without its declared size."""
    book, made = openpyxl.Workbook(), io.BytesIO()
    for line in TABLE.splitlines():
        book.active.append(line.split(","))
    book.save(made)
    with (
        zipfile.ZipFile(made) as before,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as after,
    ):
        for name in before.namelist():
            text = before.read(name).decode()
            if name.endswith("sheet1.xml"):
                text = change(text.replace('<dimension ref="A1:C5" />', "", 1))
                text = text.replace('<dimension ref="A1:C5"/>', "", 1)
            after.writestr(name, text)


def _cell(place: str, row: int) -> str:
    return f'<row r="{row}"><c r="{place}{row}" t="inlineStr"><is><t>3</t></is></c></row>'


def far_row(path: Path) -> None:
    _sheet(path, lambda text: text.replace("</sheetData>", f"{_cell('A', 2 * 10**9)}</sheetData>"))


def large_dimension(path: Path) -> None:
    whole = '<dimension ref="A1:XFD1048576"/><sheetData>'
    _sheet(path, lambda text: text.replace("<sheetData>", whole))


def far_columns(path: Path) -> None:
    rows = "".join(_cell("XFD", k) for k in range(6, 60_000))
    _sheet(path, lambda text: text.replace("</sheetData>", f"{rows}</sheetData>"))


def long_text_of_a_dictionary(path: Path) -> None:
    n = 6000
    long = pa.DictionaryArray.from_arrays(np.zeros(n, np.int32), pa.array(["x" * 1_000_000]))
    columns = {"item": [str(k // 2) for k in range(n)], "annotator": ["a", "b"] * (n // 2)}
    pq.write_table(pa.table({**columns, "label": long}), path, compression="zstd")


def many_equal_rows(path: Path) -> None:
    names = ("item", "annotator", "label")
    schema = pa.schema([(name, pa.dictionary(pa.int32(), pa.string())) for name in names])
    one = pa.DictionaryArray.from_arrays(np.zeros(10_000_000, np.int32), pa.array(["x"]))
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        file.write_table(pa.table([one] * 3, schema=schema), row_group_size=10_000_000)


def long_text_of_prefixes(path: Path) -> None:
    """Each text is all of the one before it, which takes two bytes a row."""
    plain = {"item": "PLAIN", "annotator": "PLAIN", "label": "DELTA_BYTE_ARRAY"}
    n = 100
    table = pa.table(
        {
            "item": [str(k // 2) for k in range(n)],
            "annotator": ["a", "b"] * (n // 2),
            "label": ["x" * 700_000] * n,
        }
    )
    with pq.ParquetWriter(
        path, table.schema, use_dictionary=False, column_encoding=plain, compression="zstd"
    ) as file:
        for _ in range(20):
            file.write_table(table)


def long_lists(path: Path) -> None:
    n = 12_000_000
    ones = pa.DictionaryArray.from_arrays(np.zeros(2 * n, np.int32), pa.array(["x"]))
    labels = pa.ListArray.from_arrays(pa.array([0, n, 2 * n], pa.int32()), ones)
    table = pa.table({"item": ["1", "1"], "annotator": ["a", "b"], "label": labels})
    pq.write_table(table, path, compression="zstd")


def _entries(path: Path, n: int, content: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for k in range(n):
            archive.writestr(f"{k:06d}.csv", content)


def many_empty_entries(path: Path) -> None:
    _entries(path, 200_000, "")


def many_small_entries(path: Path) -> None:
    _entries(path, 5_000, "x")


def blank_lines(path: Path) -> None:
    path.write_bytes(TABLE.encode() + b"\n" * 60_000_000)


def blank_lines_of_conll(path: Path) -> None:
    path.write_bytes(b"\n" * 60_000_000)


EXPORTS = {
    "far.xlsx": far_row,
    "columns.xlsx": far_columns,
    "dictionary.parquet": long_text_of_a_dictionary,
    "rows.parquet": many_equal_rows,
    "prefixes.parquet": long_text_of_prefixes,
    "lists.parquet": long_lists,
    "blank.csv": blank_lines,
    "blank.txt": blank_lines,
    "blank.conll": blank_lines_of_conll,
}
ARCHIVES = {"empty.zip": many_empty_entries, "small.zip": many_small_entries}
DISTANCES = {
    "deep.txt": "".join(" " * k + f"c{k}\n" for k in range(3000)).encode(),
    "deep.json": b'{"x":' * 100_000 + b"1" + b"}" * 100_000,
    "digits.json": b'{"x": {"y": ' + b"9" * 400 + b"}}",
    "more_digits.json": b'{"x": {"y": ' + b"9" * 5000 + b"}}",
    "latin.json": '{"x": {"é": 1}}'.encode("latin-1"),
    "latin.csv": "x,é,1\nx,y,1\n".encode("latin-1"),
    "latin.txt": "x\n é\ny\n".encode("latin-1"),
}
CAMPAIGNS = {
    "dots": ".".join("a" * 100_000) + " = 1\n" + CAMPAIGN,
    "digits": "x = " + "9" * 5000 + "\n" + CAMPAIGN,
    "brackets": "x = " + "[" * 100_000 + "]" * 100_000 + "\n" + CAMPAIGN,
    "tables": "x = " + "{a = " * 20_000 + "1" + "}" * 20_000 + "\n" + CAMPAIGN,
    "pattern": CAMPAIGN.replace("good.csv", "exports/**.csv"),
}
