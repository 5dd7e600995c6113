"""The private folder of a run: working directory of its processes, and place of its database.

Processes may import files from their working directory or use them as settings (Python modules,
Prefect's `.env` and `prefect.toml`, Numba's `.numba_config.yaml`). A run therefore works in an
empty folder that only its user can enter, so that no file of a campaign is executed or used as
settings.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from ..errors import UserError

_SHORT = Path("/tmp")  # noqa: S108 - only private folders are created there
_ROOM = 4_000_000  # bytes of Prefect's database in a small run
_PREFIX = "accordeur-"
# A socket path has at most 107 bytes; multiprocessing creates its sockets in this folder.
_LONGEST = 107 - len(f"/{_PREFIX}12345678/pymp-12345678/listener-12345678")


def work_in_private_folder() -> None:
    """Make it the working directory of this process and its children.

    Temporary files of libraries are also created there, so that none remains.
    """
    folder = str(private_folder())
    os.chdir(folder)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    os.environ["PYTHONSAFEPATH"] = "1"


@lru_cache(maxsize=1)
def private_folder() -> Path:
    """Return the folder of this process, created on first use and deleted at exit.

    Raises UserError if no temporary folder can be created.
    """
    try:
        places = _parent_folder()
        _delete_abandoned(places)
        # Lock the folder before renaming it, so that no other run considers it abandoned.
        made = Path(tempfile.mkdtemp(prefix=f".{_PREFIX}", dir=places))
        descriptor = os.open(made, os.O_RDONLY | os.O_DIRECTORY)
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        folder = made.with_name(made.name.removeprefix("."))
        made.rename(folder)
    except OSError as error:
        raise UserError(
            f"no temporary folder can be made ({error.strerror or error}): set TMPDIR to a folder "
            "that exists, is writable and has space"
        ) from None
    _made[os.getpid()] = folder
    return folder


def check_room() -> None:
    """Raise UserError if the private folder has no room for the run's own database."""
    try:
        with tempfile.TemporaryFile(dir=private_folder()) as file:
            file.write(bytes(_ROOM))
            file.flush()
    except OSError as error:
        raise UserError(
            f"no space is left for temporary files in {private_folder().parent} "
            f"({error.strerror}): make room, set TMPDIR to another folder or raise the limit on "
            "the size of files (ulimit -f), and start again"
        ) from None


def _parent_folder() -> Path:
    """Return the temporary directory, or /tmp if its path is too long for a socket address."""
    place = Path(tempfile.gettempdir())
    return place if len(os.fsencode(place)) <= _LONGEST else _SHORT


def delete(folder: Path) -> None:
    """Delete a private folder and its contents."""
    with suppress(OSError):
        os.chdir(folder.parent)
    shutil.rmtree(folder, ignore_errors=True)


_made: dict[int, Path] = {}  # by process, so that a fork does not delete its parent's folder


@atexit.register  # registered before multiprocessing's handlers, so it runs after them
def _delete_at_exit() -> None:
    if os.getpid() in _made:
        delete(_made[os.getpid()])


def _delete_abandoned(places: Path) -> None:
    """Delete the folders of killed runs."""
    for folder in places.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(descriptor).st_uid == os.geteuid():
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(descriptor)
