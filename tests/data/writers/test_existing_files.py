"""A writer never replaces work that is in a file already."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.schema import Document, Unit
from accordeur.data.writers.registry import writer
from accordeur.data.writers.tool_imports import QueuedLabel, write_tool_imports


def test_a_queue_with_labels_that_were_filled_in_is_kept(tmp_path: Path) -> None:
    rows = [QueuedLabel("d", "i", "anna", "random")]
    write_tool_imports(rows, {"d": "text"}, tmp_path)
    queue = tmp_path / "queue.csv"
    write_tool_imports(rows, {"d": "text"}, tmp_path)  # the same again changes nothing
    filled = queue.read_text("utf-8").replace(",human,,", ",human,yes,")
    queue.write_text(filled, encoding="utf-8")
    with pytest.raises(DataError, match=r"queue\.csv: exists already with other contents"):
        write_tool_imports(rows, {"d": "text"}, tmp_path)
    assert queue.read_text("utf-8") == filled


def test_annotations_of_a_brat_folder_are_kept(tmp_path: Path) -> None:
    records = [
        Document("d", 4, text="text"),
        Unit("d", "anna", "u", 0, 4, "X"),
    ]
    [annotations] = [one for one in writer("brat").write(records, tmp_path) if one.suffix == ".ann"]
    annotations.write_text("T1\tMine 0 4\ttext\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(DataError, match="exists already"):
        writer("brat").write(records, tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_folder_in_the_place_of_a_file_is_kept(tmp_path: Path) -> None:
    (tmp_path / "queue.csv").mkdir()
    with pytest.raises(DataError, match="exists already"):
        write_tool_imports([QueuedLabel("d", "i", "anna", "random")], {}, tmp_path)
