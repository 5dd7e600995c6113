"""Memory does not grow with the input."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Record


def peak_of(records: Iterator[Record]) -> tuple[int, int]:
    """The number of records, and the most bytes that were held while they went by."""
    tracemalloc.start()
    try:
        n_records = sum(1 for _ in records)
        return n_records, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def write_jsonl(path: Path, n_rows: int) -> Path:
    row = '{"document": "d%d", "item": "%d", "annotator": "a%d", "label": "x", "note": "%s"}\n'
    with path.open("w") as stream:
        for k in range(n_rows):
            stream.write(row % (k // 50, k % 50, k % 3, "n" * 200))
    return path


def write_brat(folder: Path, n_documents: int) -> Path:
    for annotator in ("anna", "ben"):
        for k in range(n_documents):
            path = folder / annotator / f"d{k:05d}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("the sea " * 500)
            path.with_suffix(".ann").write_text("T1\tA 4 7\tsea\n")
    return folder


def write_tsv(folder: Path, n_documents: int) -> Path:
    for k in range(n_documents):
        path = folder / "anna" / f"d{k:05d}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#FORMAT=WebAnno TSV 3.3\n\n\n#Text=sea\n1-1\t0-3\tsea\t\n")
    return folder


@pytest.mark.long
@pytest.mark.parametrize(
    ("format", "write", "small", "bytes_a_document"),
    [
        ("table", write_jsonl, 5000, 1000),
        ("brat", write_brat, 100, 120),
        ("webanno_tsv", write_tsv, 100, 250),
    ],
)
def test_ten_times_the_input(tmp_path, format, write, small, bytes_a_document):
    options = SourceOptions()
    peaks = []
    for n in (small, 10 * small):
        path = write(tmp_path / str(n), n)
        if path.is_file():
            path = path.rename(path.with_suffix(".jsonl"))
        found = [peak_of(read_source(path, format, options)) for _ in range(2)]
        assert found[0][0] == found[1][0] >= n
        peaks.append(min(peak for _, peak in found))  # tables of the interpreter grow at times
    n_more = 9 * small // 50 if format == "table" else 9 * small
    # hashes and names of documents are held (`copied_documents`); texts, rows and paths are not,
    # but for the sample from which a table is understood (at most 50,000 rows)
    sample = 45_000_000 if format == "table" else 0
    assert peaks[1] - peaks[0] < n_more * bytes_a_document + 20_000 + sample


def test_the_first_record_comes_before_the_file_is_read(tmp_path):
    path = write_jsonl(tmp_path / "x.jsonl", 5000)
    with path.open("ab") as stream:
        stream.write(b"\xff" * 1000)
    first = next(iter(read_source(path, "table", SourceOptions())))
    assert first.TABLE == "documents"
