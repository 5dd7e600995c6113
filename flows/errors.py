"""The exception class of `flows`, and the sentences of errors that a user can fix."""

from __future__ import annotations

from ..data.sentences import shorten

_ENGINES = ("prefect", "prefect_dask", "dask", "distributed", "great_expectations")
"""What a light installation lacks: the packages that run campaigns."""


class UserError(ValueError):
    """Bad configuration or installation: the message says what, where and what to do.

    Several mistakes are several sentences, each on a line.
    """

    def __init__(self, *sentences: str) -> None:
        super().__init__(*map(shorten, sentences))

    def __str__(self) -> str:
        return "\n".join(self.args)


def is_user_error(error: Exception) -> bool:
    """Whether the user can fix the error: bad input, configuration, installation or machine."""
    from ..data.errors import DataError, MissingPackageError
    from ..metrics.errors import MetricsError

    classes = (DataError, MetricsError, MissingPackageError, UserError, OSError)
    return isinstance(error, classes) or bool(_missing_engine(error))


def error_sentence(error: Exception) -> str:
    """Return the message of an error that the user can fix."""
    from ..data.errors import os_sentence

    if package := _missing_engine(error):
        return (
            f"this command needs the full installation, with the package {package}: "
            "pip install accordeur"
        )
    return os_sentence(error) if isinstance(error, OSError) else str(error)


def _missing_engine(error: Exception) -> str:
    """Return the package of a campaign that is not installed, "" if that is not the error."""
    missing = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
    return missing if missing.partition(".")[0] in _ENGINES else ""
