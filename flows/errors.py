"""The exception class of `flows`: what a user can mend."""

from __future__ import annotations


class UserError(ValueError):
    """Bad configuration or installation: the message says what, where and what to do."""
