"""Semaphores that a killed run leaves in shared memory, where they stay until the machine restarts.

Multiprocessing gives them names at random, and a process that kills all of a run also kills the one
that would remove them. A run therefore records in its private folder which semaphores it has
mapped, and the next run that deletes this folder deletes them too: by name and by number of the
file, so that none that another program made later is touched.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_SHARED = Path("/dev/shm")  # noqa: S108 - nothing is created there
_RECORD = "semaphores"
_PREFIX = "sem."


def record_semaphores(folder: Path) -> None:
    """Record the semaphores that this process uses in a private folder, beside earlier ones."""
    with suppress(OSError):
        found = {*_recorded(folder), *_mapped_semaphores()}
        lines = [f"{number} {name}" for number, name in sorted(found)]
        (folder / _RECORD).write_text("\n".join(lines), encoding="utf-8")


def delete_recorded_semaphores(folder: Path) -> int:
    """Delete the semaphores that a killed run recorded; return the number deleted."""
    n_deleted = 0
    with suppress(OSError):
        present = set(_present_semaphores())
        for one in _recorded(folder):
            if one in present:
                (_SHARED / one[1]).unlink()
                n_deleted += 1
    return n_deleted


def _recorded(folder: Path) -> list[tuple[int, str]]:
    try:
        lines = (folder / _RECORD).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    pairs = (line.partition(" ") for line in lines)
    return [(int(number), name) for number, _, name in pairs if number.isdigit()]


def _present_semaphores() -> list[tuple[int, str]]:
    """Return number and name of each semaphore of this user."""
    with os.scandir(_SHARED) as entries:
        return [
            (entry.stat(follow_symlinks=False).st_ino, entry.name)
            for entry in entries
            if entry.name.startswith(_PREFIX)
            and entry.stat(follow_symlinks=False).st_uid == os.geteuid()
        ]


def _mapped_semaphores() -> list[tuple[int, str]]:
    """Return those that this process has in memory: Linux shows the number of each file."""
    numbers = {
        int(parts[4])
        for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
        if len(parts := line.split(maxsplit=5)) == 6 and parts[5].startswith(f"{_SHARED}/")
    }
    return [one for one in _present_semaphores() if one[0] in numbers]
