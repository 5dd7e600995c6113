"""The store: whole files only, one run at a time, one sentence for damage."""

from __future__ import annotations

import pickle
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accordeur.data.errors import DataError
from accordeur.data.schema import SCHEMA_VERSION
from accordeur.data.store.hashes import content_hash, settings_hash
from accordeur.data.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path / "store"))


def test_a_table_comes_back_as_it_was_written(store: Store) -> None:
    table = pa.table({"a": [1, 2], "b": ["x", None]})
    store.write_table("folder/one.parquet", table)
    assert store.read_table("folder/one.parquet").equals(table)
    assert store.list("folder") == ["folder/one.parquet"]


@pytest.mark.parametrize("n_rows", [0, 10, 20, 23])
def test_many_tables_make_the_file_of_one(store: Store, n_rows: int) -> None:
    whole = pa.table({"a": range(n_rows), "b": [str(n // 3) for n in range(n_rows)]})
    whole = whole.cast(pa.schema([("a", pa.int64()), ("b", pa.string())]))
    parts = [whole.slice(first, 4) for first in range(0, n_rows, 4)]
    store.write_tables("parts.parquet", whole.schema, iter(parts), row_group_size=10)
    joined = pa.concat_tables([whole.schema.empty_table(), *parts])
    store.write_table("joined.parquet", joined, row_group_size=10)
    assert store.read_table("parts.parquet").equals(whole)
    assert store.read_bytes("parts.parquet") == store.read_bytes("joined.parquet")


def test_a_table_of_another_schema_version_is_refused_in_one_sentence(store: Store) -> None:
    store.write_table("now.parquet", pa.table({"a": [1, 2]}))
    metadata = pq.read_schema(store.local_path("now.parquet")).metadata
    assert metadata[b"accordeur.schema_version"] == SCHEMA_VERSION.encode()
    pq.write_table(pa.table({"a": [1, 2]}), store.local_path("before.parquet"))
    for read in (
        lambda: store.read_table("before.parquet", columns=["a"]),
        lambda: store.read_range("before.parquet", 0, 2),
        lambda: list(store.row_groups("before.parquet")),
    ):
        with pytest.raises(DataError, match=r"another version .* version 1, .*accordeur run"):
            read()


def test_a_store_travels_to_workers_as_its_url(store: Store) -> None:
    store.write_json("a.json", {"n": 1})
    assert pickle.loads(pickle.dumps(store)).read_json("a.json") == {"n": 1}


def test_a_missing_file_is_named(store: Store) -> None:
    with pytest.raises(DataError, match=r"nothing\.parquet is missing from the store"):
        store.read_table("nothing.parquet")


def test_a_cut_file_is_not_whole_and_is_named(store: Store) -> None:
    store.write_table("one.parquet", pa.table({"a": list(range(1000))}))
    place = store.local_path("one.parquet")
    place.write_bytes(place.read_bytes()[:200])
    with pytest.raises(DataError, match=r"one\.parquet in the store .* is damaged"):
        store.read_table("one.parquet")


def test_a_failed_write_leaves_nothing(store: Store) -> None:
    with pytest.raises(TypeError):
        store.write_bytes("one.bin", "not bytes")  # type: ignore[arg-type]
    assert store.list("") == []
    assert not store.exists("one.bin")


def test_two_runs_on_one_store_are_refused(store: Store) -> None:
    other = Store(store.url)
    with store.lock(), pytest.raises(DataError, match="another run is writing"), other.lock():
        pass
    with other.lock():
        pass


def test_an_unknown_scheme_is_one_sentence() -> None:
    with pytest.raises(DataError, match="cannot be opened"):
        Store("nonsense://somewhere")


def test_hashes_do_not_depend_on_chunks() -> None:
    whole = pa.table({"a": [1, 2, 3]})
    parts = pa.concat_tables([whole.slice(0, 1), whole.slice(1)])
    assert content_hash([whole]) == content_hash([parts])
    assert content_hash([whole]) != content_hash([pa.table({"a": [1, 2, 4]})])
    assert settings_hash({"b": 1, "a": 2}) == settings_hash({"a": 2, "b": 1})
