"""The exceptions of `data`: invalid input, temporary failures of the store, missing packages."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .sentences import brief


class DataError(ValueError):
    """A source that cannot be read at all; the message says what is wrong, where, and what to do.

    A single invalid row never raises; it becomes a `data.schema.Rejected` record. The message is
    shortened (`data.sentences`).
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(brief(message))


class StoreError(DataError):
    """The store is full or does not answer; a new attempt may succeed later."""


class ChoiceError(DataError):
    """The source can be read in several ways and the user must choose one.

    In a source with several files, a `DataError` rejects one file and a `ChoiceError` rejects all.
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
