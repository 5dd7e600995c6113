"""A store that does not answer is waited for; a file that is at fault is not."""

from __future__ import annotations

import errno
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from accordeur.data.errors import DataError, StoreError
from accordeur.data.store.store import Store, retries


class Failing:
    """Fails as often as asked, then answers."""

    def __init__(self, times: int, error: OSError) -> None:
        self.left, self.error = times, error

    def __call__(self) -> str:
        if self.left:
            self.left -= 1
            raise self.error
        return "content"


def away() -> None:
    raise OSError("no connection")


def test_pauses_grow_until_the_store_answers() -> None:
    pauses: list[float] = []
    attempt = Failing(8, OSError("no connection"))
    assert (
        retries.attempt_until_answered(attempt, "s3://b/c", away, sleep=pauses.append) == "content"
    )
    assert pauses == [0.5, 1, 2, 4, 8, 16, 20, 20]


def test_a_store_that_answers_is_not_waited_for() -> None:
    pauses: list[float] = []
    attempt = Failing(99, OSError("damaged file"))
    with pytest.raises(OSError, match="damaged file"):
        retries.attempt_until_answered(
            attempt, "s3://b/c", lambda: None, reading=True, sleep=pauses.append
        )
    assert len(pauses) == 2
    with pytest.raises(StoreError, match=r"s3://b/c cannot be used \(damaged file\)"):
        retries.attempt_until_answered(
            attempt, "s3://b/c?region=x", lambda: None, sleep=pauses.append
        )


def test_patience_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORDEUR_STORE_PATIENCE", "0")
    attempt = Failing(99, OSError("no connection"))
    with pytest.raises(StoreError, match=r"s3://b/c has not answered for 0 s .*continues where"):
        retries.attempt_until_answered(attempt, "s3://b/c?region=x", away, sleep=lambda _: None)


def test_refused_credentials_are_told_at_once() -> None:
    attempt = Failing(99, OSError("AWS Error ACCESS_DENIED during HeadObject"))
    with pytest.raises(StoreError, match="credentials in the environment"):
        retries.attempt_until_answered(attempt, "s3://b/c", away)
    assert attempt.left == 98


def test_a_full_disk_is_one_sentence() -> None:
    with pytest.raises(
        StoreError, match=r"store runs cannot be used \(No space .*: free some space"
    ):
        retries.attempt_once(Failing(1, OSError(errno.ENOSPC, "No space left on device")), "runs")


def test_a_write_that_does_not_fit_leaves_nothing(tmp_path: Path) -> None:
    """A true limit of the operating system, in a process of its own."""
    code = (
        "import sys; from accordeur.data.store.store import Store\n"
        "from accordeur.data.errors import StoreError\n"
        "try: Store(sys.argv[1]).write_bytes('a/b.bin', b'x' * 100_000)\n"
        "except StoreError as error: print(error)\n"
    )

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=limit,
        cwd=Path(__file__).resolve().parents[3],
    )
    assert "cannot be used (File too large): free some space" in done.stdout, done.stderr
    store = Store(str(tmp_path))
    assert store.list("") == []
    assert store.delete_partial_files() == 0


@pytest.mark.parametrize("number", sorted(errno.errorcode))
def test_every_error_of_the_operating_system_is_one_sentence(number: int) -> None:
    """Whether it concerns one file that is read, or the store: a reader sees damage, or says so."""
    error = OSError(number, "")
    with pytest.raises(StoreError) as told:
        retries.attempt_once(Failing(1, error), "runs")
    sentence = str(told.value)
    assert sentence.startswith(f"the store runs cannot be used ({os.strerror(number)}): ")
    assert sentence.count("\n") == 0
    assert len(sentence) < 400


class DeadStore:
    """A clock, and a store on it that stops to answer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.is_dead = False
        self.store = Store("s3://bucket/campaign?region=x&endpoint_override=127.0.0.1:9")
        monkeypatch.setattr(retries, "_silences", {})
        monkeypatch.setattr(self.store, "_fs", self)
        for name in ("sleep", "monotonic"):
            monkeypatch.setattr(retries.time, name, getattr(self, name))

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def monotonic(self) -> float:
        return self.now

    def get_file_info(self, what: object) -> object:
        self.now += 1.0  # what a request takes until it fails
        if self.is_dead:
            raise OSError("no connection")
        return []

    open_output_stream = open_input_stream = get_file_info


def test_nested_repeated_and_final_requests_share_one_patience(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A task is tried three times, its error handling asks again, and the lock is released."""
    dead = DeadStore(monkeypatch)
    assert dead.store.list("") == []
    dead.is_dead = True

    def nested() -> object:
        return retries.attempt_until_answered(
            lambda: dead.store.exists("a"), dead.store.url, lambda: dead.get_file_info("")
        )

    for attempt in (nested, nested, nested, lambda: dead.store.delete("a")):
        with pytest.raises(StoreError, match="has not answered for 300 s"):
            attempt()
    assert dead.now < 1.1 * retries.PATIENCE
    dead.is_dead = False
    with pytest.raises(StoreError, match="not asked again yet"):
        dead.store.list("")
    dead.now += 20
    assert dead.store.list("") == []
    dead.is_dead, before = True, dead.now
    with pytest.raises(StoreError, match="has not answered for 300 s"):
        nested()
    assert 0.9 * retries.PATIENCE < dead.now - before < 1.1 * retries.PATIENCE


def test_a_later_run_of_a_process_waits_again(monkeypatch: pytest.MonkeyPatch) -> None:
    dead = DeadStore(monkeypatch)
    dead.is_dead = True
    for _ in range(2):
        before = dead.now
        with pytest.raises(StoreError, match="has not answered"):
            dead.store.exists("a")
        assert dead.now - before > 0.9 * retries.PATIENCE
        dead.now += 3600


def test_a_patience_that_is_no_number_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORDEUR_STORE_PATIENCE", "long")
    with pytest.raises(DataError, match="ACCORDEUR_STORE_PATIENCE is 'long'; give a number"):
        retries.attempt_until_answered(Failing(9, OSError("no connection")), "s3://b/e", away)
