"""The exceptions of `data`: invalid input, temporary failures of the store, missing packages."""

from __future__ import annotations

import errno
import os
from importlib import import_module
from typing import Any

from .sentences import shorten

_REMEDIES = {
    (errno.ENOSPC, errno.EDQUOT, errno.EFBIG): (
        "free some space, also for temporary files (TMPDIR, /dev/shm), or raise the limit (quota, "
        "ulimit)"
    ),
    (errno.EACCES, errno.EPERM, errno.EROFS): "give a place that you may read and write",
    (errno.EMFILE, errno.ENFILE): "raise the limit on open files (ulimit -n)",
    (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST): "check the path",
}
_REMEDY = "check the disk or the connection"
_LONGEST = 200  # characters of a reason


class DataError(ValueError):
    """A source that cannot be read at all; the message says what is wrong, where, and what to do.

    A single invalid row never raises; it becomes a `data.schema.Rejected` record. The message is
    shortened (`data.sentences`).
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(shorten(message))


class StoreError(DataError):
    """The store cannot be used or does not answer; a new attempt may succeed later."""


class SilentStoreError(StoreError):
    """The store did not answer for as long as a run waits for it; it is not asked again."""


class StoreBusyError(DataError):
    """Another run holds the store; a later attempt may succeed."""


class OptionError(DataError):
    """An option of the source is missing, unknown, or has a value that is not allowed.

    In a source with several files, a `DataError` rejects one file and an `OptionError` refuses the
    source, because correcting files would not help.
    """


class MissingPackageError(RuntimeError):
    """A package that only some formats need is not installed; the input is not at fault."""


def import_optional(package: str, extra: str, purpose: str) -> Any:
    """Import and return a package. Raises MissingPackageError when it is not installed.

    purpose  what needs the package, for the message: "Excel files are read"
    """
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise MissingPackageError(
            f"{purpose} with the package {package}, which is not installed: "
            f'pip install "accordeur[{extra}]"'
        ) from None


def os_reason(error: OSError) -> str:
    """Return what the operating system reports, in its own words, for any error."""
    known = os.strerror(error.errno) if error.errno else error.strerror or str(error)
    return (known or type(error).__name__).splitlines()[0][:_LONGEST]


def os_remedy(error: OSError) -> str:
    """Return what to do about an error of the operating system, for any error."""
    return next((said for numbers, said in _REMEDIES.items() if error.errno in numbers), _REMEDY)


def os_sentence(error: OSError) -> str:
    """Return one sentence for any error of the operating system: where, what, and what to do."""
    files = [os.fsdecode(one) for one in (error.filename, error.filename2) if one is not None]
    return shorten(": ".join([*files[:1], os_reason(error), os_remedy(error)]))
