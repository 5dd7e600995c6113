"""Packages that only some formats need: extras of the installation."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .errors import MissingPackageError


def needed(package: str, extra: str, purpose: str) -> Any:
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
