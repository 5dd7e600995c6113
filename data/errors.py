"""The exceptions of `data`: bad input, a store that may be well again later, a missing package."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class DataError(ValueError):
    """A source that cannot be read at all: the message says what, where and what to do.

    A single bad row never raises; it becomes a `data.schema.Rejected` record.
    """


class StoreError(DataError):
    """The store is full, or does not answer: the same attempt may succeed later."""


class ChoiceError(DataError):
    """The source can be read in several ways and the user must choose: no file of it is measured.

    Where a source has several files, a `DataError` rejects one of them and this refuses all.
    """


class MissingPackageError(RuntimeError):
    """A package that only some formats need is not installed; no fault of the input's."""


def import_optional(package: str, extra: str, purpose: str) -> Any:
    """The package, imported. Raises MissingPackageError where it is absent.

    purpose  what cannot be done without it: "Excel files are read"
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
