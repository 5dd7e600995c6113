"""The store over the real S3 protocol, on loopback."""

from __future__ import annotations

import pyarrow as pa
import pytest

from accordeur.data.errors import DataError
from accordeur.data.store.receipts import read_kept, write_receipt
from accordeur.data.store.store import Store, locks, ownership

pytestmark = pytest.mark.services


def test_tables_and_json_come_back(object_store: str) -> None:
    store = Store(object_store)
    table = pa.table({"a": [1, 2]})
    store.write_table("folder/one.parquet", table)
    store.write_json("folder/two.json", {"é": 1})
    assert store.read_table("folder/one.parquet").equals(table)
    assert store.read_json("folder/two.json") == {"é": 1}
    assert store.list("folder") == ["folder/one.parquet", "folder/two.json"]
    assert not store.is_local


def test_a_damaged_object_is_one_sentence(object_store: str) -> None:
    store = Store(object_store)
    store.write_bytes("bad.parquet", b"PAR1 not really")
    with pytest.raises(DataError, match=r"bad\.parquet in the store .* is damaged"):
        store.read_table("bad.parquet")


def test_a_place_is_kept_with_its_hashes(object_store: str) -> None:
    store = Store(object_store)
    store.write_table("place/one.parquet", pa.table({"a": [1]}))
    write_receipt(store, "place", {"n": 1})
    found = read_kept(Store(object_store), "place").receipt
    assert found is not None
    assert found.facts == {"n": 1}
    store.write_bytes("place/one.parquet", b"something else")
    assert read_kept(Store(object_store), "place").damaged == ("place/one.parquet",)
    ownership.claim(store)
    store.delete_folder("place")
    assert store.list("place") == []


def test_a_second_run_is_refused_and_a_dead_one_s_claim_removed(object_store: str) -> None:
    store = Store(object_store)
    store.write_json("locks/dead.json", {"beat": 3})
    with locks.lock_object_store(store, beat=0.2) as held:
        with (
            pytest.raises(DataError, match="another run is writing to the store s3://corpora"),
            locks.lock_object_store(Store(object_store), beat=0.2),
        ):
            pass
        held.check()
    assert store.list("locks") == []


def test_a_bucket_that_is_not_there_is_one_sentence(object_store: str) -> None:
    store = Store(object_store.replace("corpora", "nowhere"))
    with pytest.raises(DataError, match="s3://nowhere/campaign refuses the request"):
        store.write_json("a.json", {})


def test_a_password_does_not_belong_in_the_url() -> None:
    with pytest.raises(DataError, match="credentials in the environment"):
        Store("s3://key:secret@corpora/campaign")


def test_the_location_is_an_url(object_store: str) -> None:
    assert (
        Store(object_store).location("reports/report.html")
        == "s3://corpora/campaign/reports/report.html"
    )
