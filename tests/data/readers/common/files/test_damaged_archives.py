"""Archives and workbooks that are damaged, protected or strange: one sentence from any reader."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source

TABLE = b"item,annotator,label\n1,anna,A\n1,ben,B\n"
LINES = b'{"id": 1, "text": "The sea", "label": [[0, 3, "A"]]}\n'
OLE = b"\xd0\xcf\x11\xe0" + bytes(600)  # of an encrypted workbook
READERS = {
    "table": ("a.csv", TABLE),
    "doccano": ("anna.jsonl", LINES),
    "uima_xmi": ("anna.xmi", b""),
}


def _zipped(entries: list[tuple[str, bytes]]) -> bytearray:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return bytearray(packed.getvalue())


def _encrypted(data: bytearray) -> bytearray:
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = 0
        while (header := data.find(signature, start)) >= 0:
            struct.pack_into("<H", data, header + at, 1)
            start = header + 4
    return data


def _damaged(kind: str, how: str) -> bytes:
    name, data = READERS[kind]
    if how == "crc":
        packed = _zipped([(name, data)])
        packed[packed.index(data[:20]) + 5] ^= 1
        return bytes(packed)
    if how == "encrypted":
        return bytes(_encrypted(_zipped([(name, data)])))
    names = {
        "unnamed": "",
        "absolute": f"/{name}",
        "outside": f"../{name}",
        "drive": f"C:/{name}",
        "nested": "inner.zip",
    }
    if how == "nested":
        return bytes(_zipped([("inner.zip", bytes(_zipped([(name, data)])))]))
    if how == "twice":
        with pytest.warns(UserWarning, match="Duplicate"):
            return bytes(_zipped([(name, data), (name, data)]))
    if how == "unnamed":  # the library refuses to write it
        packed = _zipped([("x" * len(name), data)])
        for signature, at in ((b"PK\x03\x04", 26), (b"PK\x01\x02", 28)):
            header = packed.index(signature)
            length = 30 if at == 26 else 46
            struct.pack_into("<H", packed, header + at, 0)
            del packed[header + length : header + length + len(name)]
        end = packed.index(b"PK\x05\x06")
        struct.pack_into("<I", packed, end + 12, 46)
        struct.pack_into("<I", packed, end + 16, packed.index(b"PK\x01\x02"))
        return bytes(packed)
    return bytes(_zipped([(names[how], data)]))


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize(
    "how", ["crc", "encrypted", "unnamed", "absolute", "outside", "drive", "nested", "twice"]
)
@pytest.mark.parametrize("format", ["auto", "named"])
def test_a_damaged_archive_is_one_sentence_or_rejected_rows(
    tmp_path: Path, kind: str, how: str, format: str
) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(_damaged(kind, how))
    try:
        chosen = "auto" if format == "auto" else kind
        rows = list(read_source(path, chosen, SourceOptions()))
    except DataError as error:
        sentence = str(error)
        assert len(sentence) <= 400
        assert "\n" not in sentence
        assert how != "absolute" or kind == "uima_xmi", sentence  # a name that WebAnno writes
        if how == "encrypted":
            assert "encrypted" in sentence
        return
    assert how in ("absolute", "twice") or {row.TABLE for row in rows} <= {"rejected"}, rows


@pytest.mark.parametrize("suffix", [".xlsx", ".csv.gz", ".xmi.gz", ".xlsm"])
@pytest.mark.parametrize(
    "data", [b"", b"\xd0\xcf\x11\xe0" + bytes(600), b"PK\x03\x04", b"\x1f\x8b\x08"]
)
def test_files_that_are_no_archive(tmp_path: Path, suffix: str, data: bytes) -> None:
    path = tmp_path / f"export{suffix}"
    path.write_bytes(data)
    with pytest.raises(DataError) as raised:
        list(read_source(path, "auto", SourceOptions()))
    assert len(str(raised.value)) <= 400
    if suffix == ".xlsx" and data.startswith(b"\xd0"):
        assert "password" in str(raised.value)


def test_workbooks_without_cells(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    from openpyxl.chart import BarChart, Reference

    workbook = openpyxl.Workbook()
    sheet = workbook.active
    for row in (("item", "annotator", "label"), (1, "anna", "A"), (1, "ben", "B")):
        sheet.append(row)
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=1, min_row=1, max_row=2))
    workbook.create_chartsheet("Figure").add_chart(chart)
    both, charts = tmp_path / "both.xlsx", tmp_path / "charts.xlsx"
    workbook.save(both)
    assert sum(row.TABLE == "labels" for row in read_source(both, "auto", SourceOptions())) == 2
    with pytest.raises(DataError, match=r"both\.xlsx: no sheet 'Figure'; it has Sheet"):
        list(read_source(both, "table", SourceOptions(extra={"sheet": "Figure"})))
    workbook.remove(sheet)
    workbook.save(charts)
    for format in ("table", "auto"):
        with pytest.raises(DataError, match=r"charts\.xlsx.*no sheet of cells"):
            list(read_source(charts, format, SourceOptions()))
