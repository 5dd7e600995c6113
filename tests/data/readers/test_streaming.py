"""Memory does not grow with the input."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.readers.base import SourceOptions
from data.readers.registry import read_source
from data.schema import Record


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
    for k in range(n_documents):
        path = folder / "anna" / f"d{k:05d}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("the sea " * 500)
        path.with_suffix(".ann").write_text("T1\tA 4 7\tsea\n")
    return folder


@pytest.mark.parametrize(
    ("format", "write", "small", "bytes_a_document"),
    [("table", write_jsonl, 5000, 1000), ("brat", write_brat, 40, 1500)],
)
def test_ten_times_the_input(tmp_path, format, write, small, bytes_a_document):
    options = SourceOptions()
    peaks = []
    for n in (small, 10 * small):
        path = write(tmp_path / str(n), n)
        if path.is_file():
            path = path.rename(path.with_suffix(".jsonl"))
        n_records, peak = peak_of(read_source(path, format, options))
        assert n_records >= n
        peaks.append(peak)
    n_more = 9 * small if format == "brat" else 9 * small // 50
    # names and hashes of documents are held, their texts and rows are not
    assert peaks[1] - peaks[0] < n_more * bytes_a_document + 100_000


def test_the_first_record_comes_before_the_file_is_read(tmp_path):
    path = write_jsonl(tmp_path / "x.jsonl", 5000)
    with path.open("ab") as stream:
        stream.write(b"\xff" * 1000)
    first = next(iter(read_source(path, "table", SourceOptions())))
    assert first.TABLE == "documents"
