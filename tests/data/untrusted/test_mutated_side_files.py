"""Side files that are damaged at random: a value, or an error of one sentence; never another error.

A failure names the file and the number that make it: `mutated(FILES[name], f"{name} {number}")`.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accordeur.data.annotator_attributes import read_attributes
from accordeur.data.distance_files import read_category_tree, read_distance_file
from accordeur.data.errors import DataError
from accordeur.data.store.store import Store
from accordeur.data.untrusted.archives import open_archive
from accordeur.data.untrusted.parquet import open_parquet
from accordeur.flows.campaign.file.campaign_config import load_campaign
from accordeur.flows.errors import UserError
from accordeur.flows.release.bundle_check import listed_files, read_results
from tests.data.readers.mutations import mutated
from tests.data.untrusted.bombs import CAMPAIGN

FEW, MANY, SECONDS = 40, 1500, 10
TREE = b"animal\n dog\n cat\n  lion\nplant\n tree\n"
SQUARE = b",x,y,z\nx,0,0.5,1\ny,0.5,0,1\nz,1,1,0\n"
PAIRS = json.dumps({"x": {"y": 0.5, "z": 1}, "y": {"z": 1}}).encode()
ATTRIBUTES = b"annotator,age,language\nanna,30,fr\nben,40,de\n"
SETTINGS = b"""
[annotators]
anna = { pseudonym = "P1" }
[layers.topic]
categories = ["a", "b"]
[intervals]
replicates = 20
"""
MANIFEST = {"files": {"audits/audit-0001/values.parquet": {"size": 3, "sha256": "a" * 64}}}


def _parquet() -> bytes:
    made = io.BytesIO()
    columns = {"item": ["1", "2"], "labels": [["a"], []], "number": [1.5, None]}
    pq.write_table(pa.table(columns), made)
    return made.getvalue()


def _unpack(path: Path) -> None:
    with open_archive(path, path.name) as archive:
        for name in archive.names:
            archive.read(name)


def _zip() -> bytes:
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/SHA256SUMS", "x" * 100)
        archive.writestr("a/results.json", "{}")
    return made.getvalue()


FILES: dict[str, tuple[bytes, Callable[[Path], object]]] = {
    "tree.txt": (TREE, read_category_tree),
    "square.csv": (SQUARE, read_distance_file),
    "pairs.json": (PAIRS, read_distance_file),
    "attributes.csv": (ATTRIBUTES, read_attributes),
    "campaign.toml": (CAMPAIGN.encode() + SETTINGS, load_campaign),
    "manifest.json": (json.dumps(MANIFEST).encode(), lambda path: listed_files(_store(path))),
    "results.json": (
        b'{"version": 1, "campaign": {"name": "x"}}',
        lambda p: read_results(p.parent),
    ),
    "table.parquet": (_parquet(), lambda path: open_parquet(path).table()),
    "bundle.zip": (_zip(), _unpack),
}


def _store(path: Path) -> Store:
    return Store(str(path.parent))


def _read_all(folder: Path, name: str, numbers: range) -> None:
    data, read = FILES[name]
    for number in numbers:
        path = folder / name
        path.write_bytes(mutated(data, f"side {name} {number}"))
        begun = time.process_time()
        try:
            with suppress(DataError, UserError):
                read(path)
        except Exception as error:
            raise AssertionError(f"{name}, number {number}: {error!r}") from error
        assert time.process_time() - begun < SECONDS, (name, number)


@pytest.mark.parametrize("name", FILES)
def test_some_damages(tmp_path: Path, name: str) -> None:
    _read_all(tmp_path, name, range(FEW))


@pytest.mark.long
@pytest.mark.parametrize("name", FILES)
def test_many_damages(tmp_path: Path, name: str) -> None:
    _read_all(tmp_path, name, range(FEW, MANY))
