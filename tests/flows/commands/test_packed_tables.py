"""Tables inside .zip and .gz are read as if they were unpacked, and bombs are rejected."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import openpyxl
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from accordeur.data.readers.base import SourceOptions
from tests.data.readers.both_ways import read_both_ways
from tests.flows.in_process import said, values

ALPHA = ("--measure", "krippendorff_alpha", "--replicates", "0")


def _tables(folder: Path) -> list[Path]:
    """The labels of a day in each of the formats that a table may have."""
    rows = [
        (str(k), who, "AB"[(k + (who == "ben" and k == 3)) % 2])
        for k in range(8)
        for who in ("anna", "ben")
    ]
    folder.mkdir(parents=True)
    lines = ["item,annotator,label", *map(",".join, rows)]
    (folder / "a.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "b.tsv").write_text("\n".join(lines).replace(",", "\t") + "\n", encoding="utf-8")
    line = '{{"item": "{}", "annotator": "{}", "label": "{}"}}\n'
    (folder / "c.jsonl").write_text("".join(line.format(*row) for row in rows), encoding="utf-8")
    book = openpyxl.Workbook()
    for row in [("item", "annotator", "label"), *rows]:
        book.active.append(row)
    book.save(folder / "d.xlsx")
    pq.write_table(pyarrow.csv.read_csv(folder / "a.csv"), folder / "e.parquet")
    return sorted(folder.iterdir())


@pytest.mark.long
def test_a_folder_and_its_zip_and_its_gz_say_the_same(tmp_path: Path) -> None:
    tables = _tables(tmp_path / "plain" / "day1")
    with zipfile.ZipFile(tmp_path / "plain.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in tables:
            archive.write(path, f"day1/{path.name}")
        archive.writestr("README.md", "about")
    packed = tmp_path / "packed" / "day1"
    packed.mkdir(parents=True)
    for path in tables:
        (packed / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
    plain = read_both_ways(tmp_path / "plain", "table", SourceOptions())
    assert read_both_ways(tmp_path / "plain.zip", "table", SourceOptions()) == plain
    assert read_both_ways(tmp_path / "packed", "table", SourceOptions()) == plain
    assert values("agree", tmp_path / "plain.zip", *ALPHA) == values(
        "agree", tmp_path / "plain", *ALPHA
    )


@pytest.mark.parametrize("number", range(5))
def test_one_packed_table_alone(tmp_path: Path, number: int) -> None:
    path = _tables(tmp_path / "plain")[number]
    packed = tmp_path / f"{path.name}.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert values("agree", packed, *ALPHA) == values("agree", path, *ALPHA)


def test_zips_and_files_in_one_folder(tmp_path: Path) -> None:
    [first, second, *_] = _tables(tmp_path / "plain")
    with zipfile.ZipFile(tmp_path / "plain" / "more.zip", "w") as archive:
        archive.write(second, "b.tsv")
    for path in sorted((tmp_path / "plain").iterdir()):
        if path.name not in (first.name, "more.zip"):
            path.unlink()
    documents = {
        one.document
        for one in read_both_ways(tmp_path / "plain", "table", SourceOptions())
        if one.TABLE == "labels"
    }
    assert documents == {"a", "more/b"}


def test_bombs_and_damage_are_one_sentence(tmp_path: Path) -> None:
    bomb = b"item,annotator,label\n" + b"1,anna,A\n" + b"\n" * 9_000_000
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(bomb))
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", bomb)
    cut = gzip.compress(bytes(range(256)) * 4000 + b"item,annotator,label\n")
    (tmp_path / "cut.csv.gz").write_bytes(cut[: len(cut) // 2])
    (tmp_path / "none.csv.gz").write_bytes(b"item,annotator,label\n1,anna,A\n")
    (tmp_path / "none.zip").write_bytes(b"PK\x03\x04 nothing")
    for name, wrong in (
        ("bomb.csv.gz", "the limit is"),
        ("bomb.zip", "times its size"),
        ("cut.csv.gz", ""),
        ("none.csv.gz", "cannot be unpacked"),
        ("none.zip", "not a readable zip"),
    ):
        code, sentence = said("agree", tmp_path / name)
        assert code == 2, name
        assert wrong in sentence, name
        assert "\n" not in sentence.strip(), name
