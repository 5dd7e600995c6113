"""Open regular files only: a pipe, device or socket among the exports could block for ever."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from ..errors import DataError
from .budget import budget

_CHUNK = 1 << 20
_NO_FILE = "it is a pipe, a device or a socket: save its contents to a file and give the file"


def open_regular(path: Path | str, *, buffering: int = -1) -> IO[bytes]:
    """Open a file for reading its bytes, without waiting. Raises OSError if it is not a file."""
    if is_special(path):
        raise OSError(errno.EINVAL, _NO_FILE, os.fspath(path))
    if isinstance(path, str):  # of a million files, whose names `Path` would intern
        return open(path, "rb", buffering)  # noqa: PTH123
    return path.open("rb", buffering)


def read_file(path: Path, source: str | None = None) -> bytes:
    """Return the bytes of a file that is read whole.

    source: its name in messages (None: the path). Raises DataError when it is missing, no regular
    file, unreadable, or larger than the budget allows.
    """
    name, limits = source or str(path), budget()
    try:
        with open_regular(path) as file:
            data = file.read(limits.file_bytes + 1)
    except FileNotFoundError:
        raise DataError(f"{name}: no such file") from None
    except IsADirectoryError:
        raise DataError(f"{name}: is a folder; give a file in it") from None
    except OSError as error:
        raise DataError(f"{name}: cannot be read ({error.strerror})") from None
    limits.require("file_bytes", len(data), name, "the file is too large")
    return data


def sha256_of_file(path: Path | str) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal. Raises DataError when unreadable."""
    digest = hashlib.sha256()
    try:
        with open_regular(path) as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error
    return digest.hexdigest()


def is_special(path: Path | str) -> bool:
    """Return whether there is something at the path that is neither a file nor a folder.

    A link is judged by what it leads to. A link that leads nowhere or to itself is special.
    """
    try:
        mode = (os.stat(path) if isinstance(path, str) else path.stat()).st_mode  # noqa: PTH116
    except (OSError, ValueError):  # ValueError: a null character in the name
        return os.path.islink(path)  # noqa: PTH114
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def require_regular(path: Path | str) -> None:
    """Raise DataError for a path at which there is neither a file, nor a folder, nor nothing."""
    try:
        os.stat(path)  # noqa: PTH116
    except FileNotFoundError:
        if os.path.islink(path):  # noqa: PTH114
            raise DataError(f"{path}: is a link that leads to no file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise DataError(f"{path}: cannot be read ({reason})") from error
    else:
        if is_special(path):
            raise DataError(f"{path}: {_NO_FILE}")


def files_hash(folder: Path, paths: Iterable[Path]) -> str:
    """Return the SHA-256 of files below a folder: their names there, in order, and contents.

    Raises DataError as `read_file`.
    """
    digest = hashlib.sha256()
    for name, path in sorted((one.relative_to(folder).as_posix(), one) for one in paths):
        content = read_file(path)
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
