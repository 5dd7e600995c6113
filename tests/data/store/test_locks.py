"""One run at a time on an object store: claims that live, claims that are left behind."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.store.store import Store, locks

BEAT = 0.05


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A folder, locked with claims as if it were an object store."""
    return Store(str(tmp_path))


def test_a_second_run_is_refused_while_the_first_lives(store: Store) -> None:
    with locks.lock_object_store(store, beat=BEAT) as held:
        with (
            pytest.raises(DataError, match="another run is writing"),
            locks.lock_object_store(Store(store.url), beat=BEAT),
        ):
            pass
        held.check()
    assert store.list(locks.CLAIMS) == []


def test_a_claim_of_a_killed_run_is_removed(store: Store) -> None:
    store.write_json("locks/dead.json", {"beat": 7})
    with locks.lock_object_store(store, beat=BEAT):
        assert "locks/dead.json" not in store.list(locks.CLAIMS)


def test_of_runs_that_start_together_one_goes_on_at_most(store: Store) -> None:
    inside: list[int] = []
    most: list[int] = []
    start = threading.Barrier(4)

    def run(number: int) -> None:
        start.wait()
        try:
            with locks.lock_object_store(Store(store.url), beat=BEAT):
                inside.append(number)
                most.append(len(inside))
                threading.Event().wait(10 * BEAT)
                inside.remove(number)
        except DataError:
            pass

    threads = [threading.Thread(target=run, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most, default=0) <= 1


def test_a_run_that_was_taken_over_is_told(store: Store) -> None:
    with locks.lock_object_store(store, beat=BEAT) as held:
        for path in store.list(locks.CLAIMS):
            store.delete(path)
        with pytest.raises(DataError, match="another run took over the store"):
            held.check()
