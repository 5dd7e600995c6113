"""Errors of the operating system in one sentence, and retries while an object store is silent.

A failed request is repeated with growing pauses as long as the store itself does not answer, up to
`PATIENCE` seconds (`ACCORDEUR_STORE_PATIENCE`) of silence. All requests of a process share this
time, so that requests within others, after others or in several threads do not multiply it. If the
store answers and the request still fails, the cause is the file or the permissions, and waiting
would not help. After this time the store is given up: what a failed run still asks of it fails at
once, in every process of the run. Pauses are measured by a monotonic clock.
"""

from __future__ import annotations

import errno
import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ..errors import DataError, SilentStoreError, StoreError, os_reason, os_remedy

PATIENCE = 300.0
_SURE = 3  # failures while the store answers
_LONGEST_PAUSE = 20.0
_REFUSED = ("ACCESS_DENIED", "INVALID_ACCESS_KEY", "SIGNATURE_DOES_NOT_MATCH", "NO_SUCH_BUCKET")
_ABOUT_ONE_FILE = (  # it is missing, damaged or unreadable, which says nothing about the store
    None, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.EIO,
    errno.ELOOP, errno.EINVAL,
)  # fmt: skip
_T = TypeVar("_T")


@dataclass(slots=True)
class _Silence:
    """Times since a store last answered: of the first request and of the last failure.

    not_before  when the store that was given up may be asked again
    """

    first: float
    last: float
    not_before: float = -math.inf


_silences: dict[str, _Silence] = {}


def attempt_once(attempt: Callable[[], _T], store: str, *, reading: bool = False) -> _T:
    """Return the attempt's result. Raises StoreError for any error of the operating system.

    reading  whether an error that concerns one file only is raised as it is
    """
    try:
        return attempt()
    except OSError as error:
        if reading and error.errno in _ABOUT_ONE_FILE:
            raise
        raise _unusable(store, error) from error


def attempt_until_answered(
    attempt: Callable[[], _T],
    store: str,
    probe: Callable[[], object],
    *,
    reading: bool = False,
    sleep: Callable[[float], object] | None = None,
) -> _T:
    """Return the attempt's result, retrying while `probe` fails too.

    Raises SilentStoreError when the store has not answered for `PATIENCE` seconds or was given up,
    StoreError when it rejects the credentials or answers with any other error; with `reading`, the
    last of these as it is.
    """
    name = without_query(store)
    pause, n_answered = 0.5, 0
    if is_given_up(name):
        raise _silent(name, "it is not asked again yet")
    while True:
        begun = time.monotonic()
        try:
            found = attempt()
        except FileNotFoundError:
            _silences.pop(name, None)
            raise
        except OSError as error:
            if any(word in str(error) for word in _REFUSED):
                raise StoreError(
                    f"the store {name} refuses the request ({os_reason(error)}); check the "
                    "bucket's name and the credentials in the environment"
                ) from error
            if _store_answers(probe):
                _silences.pop(name, None)
                n_answered += 1
                if n_answered >= _SURE:
                    if reading:
                        raise
                    raise _unusable(name, error) from error
            elif (left := _patience_left(name, begun)) <= 0:
                give_up(name)
                raise _silent(name, os_reason(error)) from error
            else:
                pause = min(pause, left)
        else:
            _silences.pop(name, None)
            return found
        (sleep or time.sleep)(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def give_up(store: str) -> None:
    """Let requests to the store fail at once for a while: it was waited for, in some process."""
    now = time.monotonic()
    silence = _silences.setdefault(without_query(store), _Silence(now, now))
    silence.not_before = now + min(_patience(), _LONGEST_PAUSE)


def is_given_up(store: str) -> bool:
    """Return whether the store was given up so recently that it is not asked."""
    silence = _silences.get(without_query(store))
    return silence is not None and time.monotonic() < silence.not_before


def _silent(name: str, reason: str) -> SilentStoreError:
    return SilentStoreError(
        f"the store {name} has not answered for {_patience():.0f} s ({reason}); start the run "
        "again when the store answers; it continues where it stopped"
    )


def without_query(store: str) -> str:
    """Return a store's URL without its options, which may contain credentials."""
    return store.partition("?")[0]


def _unusable(store: str, error: OSError) -> StoreError:
    return StoreError(
        f"the store {without_query(store)} cannot be used ({os_reason(error)}): "
        f"{os_remedy(error)}, and start again; a run continues where it stopped"
    )


def _patience() -> float:
    text = os.environ.get("ACCORDEUR_STORE_PATIENCE", str(PATIENCE))
    try:
        return float(text)
    except ValueError:
        raise DataError(f"ACCORDEUR_STORE_PATIENCE is {text!r}; give a number of seconds") from None


def _patience_left(store: str, begun: float) -> float:
    """Note a failure without answer; return the seconds until patience with this silence ends.

    begun  when the request that failed was made. A failure long after the last one begins another
           silence.
    """
    now, silence = time.monotonic(), _silences.get(store)
    if silence is None or begun - silence.last > max(_patience(), 2 * _LONGEST_PAUSE):
        silence = _silences[store] = _Silence(begun, now)
    silence.last = now
    return silence.first + _patience() - now


def _store_answers(probe: Callable[[], object]) -> bool:
    try:
        probe()
    except OSError:
        return False
    return True
