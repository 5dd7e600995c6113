"""A store that does not answer is waited for; a file that is at fault is not."""

from __future__ import annotations

import errno
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from accordeur.data.errors import StoreError
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
    assert retries.until_it_answers(attempt, "s3://b/c", away, sleep=pauses.append) == "content"
    assert pauses == [0.5, 1, 2, 4, 8, 16, 20, 20]


def test_a_store_that_answers_is_not_waited_for() -> None:
    pauses: list[float] = []
    attempt = Failing(99, OSError("damaged file"))
    with pytest.raises(OSError, match="damaged file"):
        retries.until_it_answers(attempt, "s3://b/c", lambda: None, sleep=pauses.append)
    assert len(pauses) == 2


def test_patience_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORDEUR_STORE_PATIENCE", "0")
    attempt = Failing(99, OSError("no connection"))
    with pytest.raises(StoreError, match=r"s3://b/c has not answered for 0 s .*continues where"):
        retries.until_it_answers(attempt, "s3://b/c?region=x", away, sleep=lambda _: None)


def test_refused_credentials_are_told_at_once() -> None:
    attempt = Failing(99, OSError("AWS Error ACCESS_DENIED during HeadObject"))
    with pytest.raises(StoreError, match="credentials in the environment"):
        retries.until_it_answers(attempt, "s3://b/c", away)
    assert attempt.left == 98


def test_a_full_disk_is_one_sentence() -> None:
    with pytest.raises(StoreError, match="no space is left for the store runs"):
        retries.attempt_once(Failing(1, OSError(errno.ENOSPC, "No space left on device")), "runs")
    with pytest.raises(PermissionError):
        retries.attempt_once(Failing(1, PermissionError(errno.EACCES, "no")), "runs")


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
    assert done.stdout.startswith("no space is left for the store"), done.stderr
    store = Store(str(tmp_path))
    assert store.list("") == []
    assert store.sweep() == 0
