"""The exception class of `flows`, and the sentences of errors that a user can fix."""

from __future__ import annotations

from ..data.sentences import brief


class UserError(ValueError):
    """Bad configuration or installation: the message says what, where and what to do."""

    def __init__(self, message: str = "") -> None:
        super().__init__(brief(message))


def is_users(error: Exception) -> bool:
    """Whether the user can fix the error: bad input, configuration, installation or machine."""
    from ..data.errors import DataError, MissingPackageError
    from ..metrics.errors import MetricsError

    return isinstance(error, (DataError, MetricsError, MissingPackageError, UserError, OSError))


def sentence_of(error: Exception) -> str:
    """Return the message of an error that the user can fix."""
    from ..data.errors import os_sentence

    return os_sentence(error) if isinstance(error, OSError) else str(error)
