"""Files that change between listing and reading: the run says so, and keeps no mixed rows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import accordeur.tasks.intake.ingest
from accordeur.data.blocks import Rows
from accordeur.data.errors import DataError
from accordeur.data.intake.input_files import Listing
from accordeur.data.store.store import Store
from accordeur.tasks.intake.ingest import SourceSpec, ingest

ROWS = "item,annotator,label\n1,anna,A\n1,ben,B\n"


def _replaced(folder: Path) -> None:
    (folder / "b.csv").write_text(ROWS.replace("B", "A"), encoding="utf-8")


def _replaced_with_its_time(folder: Path) -> None:
    times = (folder / "b.csv").stat()
    _replaced(folder)
    os.utime(folder / "b.csv", ns=(times.st_atime_ns, times.st_mtime_ns))


def _removed(folder: Path) -> None:
    (folder / "b.csv").unlink()


def _appended(folder: Path) -> None:
    with (folder / "b.csv").open("a", encoding="utf-8") as file:
        file.write("2,anna,A\n2,ben,A\n")


def _added(folder: Path) -> None:
    (folder / "c.csv").write_text(ROWS, encoding="utf-8")


@pytest.mark.parametrize(
    "change", [_replaced, _replaced_with_its_time, _removed, _appended, _added]
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_listing_exchanged_while_it_is_read(
    tmp_path: Path, change: Callable[[Path], None], when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    for name in ("a.csv", "b.csv"):
        (folder / name).write_text(ROWS, encoding="utf-8")
    source = SourceSpec(str(folder), "table", None, None, "", (), {}, {})
    store = str(tmp_path / "store")
    plain = accordeur.tasks.intake.ingest._rows

    def rows(*arguments: object) -> Iterator[Rows]:
        if when == "before":
            change(folder)
        yield from plain(*arguments)  # type: ignore[arg-type]
        if when == "after":
            change(folder)

    with monkeypatch.context() as patch:
        patch.setattr(accordeur.tasks.intake.ingest, "_rows", rows)
        with pytest.raises(DataError, match="changed while they were read: run again"):
            ingest(store, source)
    assert ingest(store, source).outcome.place  # nothing of the mixture is reused
    listed = Listing(str(folder))
    assert [path for path in Store(store).list("ingested") if path.endswith("receipt.json")]
    listed.require_unchanged()


def test_a_file_that_vanishes_while_it_is_hashed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.csv").write_text(ROWS, encoding="utf-8")
    monkeypatch.setattr("accordeur.data.intake.input_files.os.path.isfile", lambda _: True)
    (tmp_path / "gone.csv").symlink_to("nowhere")
    with pytest.raises(DataError, match="cannot be read"):
        Listing(str(tmp_path))
