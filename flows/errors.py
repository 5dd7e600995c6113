"""The exception class of `flows`, for errors that a user can fix."""

from __future__ import annotations

from ..data.sentences import brief


class UserError(ValueError):
    """Bad configuration or installation: the message says what, where and what to do."""

    def __init__(self, message: str = "") -> None:
        super().__init__(brief(message))


def is_users(error: Exception) -> bool:
    """Whether the user can fix the error: bad input, configuration or installation."""
    from ..data.errors import DataError, MissingPackageError
    from ..metrics.errors import MetricsError

    return isinstance(error, (DataError, MetricsError, MissingPackageError, UserError))
