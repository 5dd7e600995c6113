"""The private folder of a run: working directory of its processes, and place of its database.

Processes may import files from their working directory or use them as settings (Python modules,
Prefect's `.env` and `prefect.toml`, Numba's `.numba_config.yaml`). A run therefore works in an
empty folder that only its user can enter, so that no file of a campaign is executed or used as
settings.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from ..errors import UserError
from .semaphores import delete_recorded_semaphores

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_SHORT = Path("/tmp")  # noqa: S108 - only private folders are created there
_ROOM = 4_000_000  # bytes of Prefect's database in a small run
_MARKER = ".made-by-a-run"
_LONGEST_SOCKET = 107  # bytes of its path; multiprocessing creates its sockets in this folder


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

    Raises UserError if no temporary folder can be created, and on Windows, where neither the lock
    of the folder nor the end of a run's processes is known to work.
    """
    if fcntl is None:
        raise UserError(
            "campaigns and studies run on Linux and macOS, and on Windows inside the Windows "
            "Subsystem for Linux; commands on single exports and the Python interface work on "
            "every system"
        )
    try:
        folder = _make_folder()
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


def delete_private_folder(folder: Path) -> None:
    """Delete the private folder of a run; anything else is left alone."""
    if folder not in _made.values() and not _is_of_a_run(folder):
        return
    with suppress(OSError):
        os.chdir(folder.parent.parent)
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        folder.parent.rmdir()  # removes it only if it is empty


_made: dict[int, Path] = {}  # by process, so that a fork does not delete its parent's folder


@atexit.register  # registered before multiprocessing's handlers, so it runs after them
def _delete_at_exit() -> None:
    if os.getpid() in _made:
        delete_private_folder(_made[os.getpid()])


def _make_folder() -> Path:
    """Return a new folder that is locked before it is marked, so that no other run deletes it."""
    places = Path(tempfile.gettempdir())
    sockets = places / _parent_name() / "12345678/pymp-12345678/listener-12345678"
    if len(os.fsencode(sockets)) > _LONGEST_SOCKET:
        places = _SHORT
    while True:
        try:
            parent = _parent_folder(places)
            _delete_abandoned(parent)
            folder = Path(tempfile.mkdtemp(prefix="", dir=parent))
            break
        except FileNotFoundError:  # another run has just ended and removed the parent
            if not places.is_dir():
                raise
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    with suppress(OSError):  # a file system without locks
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    (folder / _MARKER).touch(exist_ok=False)
    return folder


def _parent_folder(places: Path) -> Path:
    """Return the folder of this user's runs, or a new one if the name is taken by something else.

    Nobody else can put anything into it.
    """
    parent = places / _parent_name()
    with suppress(FileExistsError):
        parent.mkdir(mode=0o700)
    if _is_private(parent):
        return parent
    return Path(tempfile.mkdtemp(prefix=f"{parent.name}-", dir=places))


def _parent_name() -> str:
    return f".accordeur-{os.geteuid()}"  # hidden from 0.1.0, which deletes every `accordeur-*`


def _is_private(folder: Path) -> bool:
    found = folder.lstat()
    is_own = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
    return is_own and found.st_mode & 0o777 == 0o700


def _is_of_a_run(folder: Path) -> bool:
    """Whether a run made this folder: it is marked, and only this user can have marked it."""
    try:
        is_marked = stat.S_ISREG((folder / _MARKER).lstat().st_mode)
        return is_marked and _is_private(folder) and _is_private(folder.parent)
    except OSError:
        return False


def _delete_abandoned(parent: Path) -> None:
    """Delete the folders of killed runs: they are marked, and no process holds their lock."""
    with suppress(OSError):
        for folder in parent.iterdir():
            if not _is_of_a_run(folder):
                continue
            with suppress(OSError):
                descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    delete_recorded_semaphores(folder)
                    shutil.rmtree(folder, ignore_errors=True)
                finally:
                    os.close(descriptor)
