"""Secrets that a campaign file names and does not contain: $NAME or block:NAME."""

from __future__ import annotations

import os
import re
from typing import Any

ELSEWHERE = re.compile(r"^(\$[A-Za-z_][A-Za-z0-9_]*|block:[a-z0-9-]+(/[a-z0-9-]+)?)$")
"""`$NAME`: a variable of the run's environment; `block:NAME`: a Secret block of Prefect;
`block:TYPE/NAME`: a block of another type."""


class MissingSecretError(Exception):
    """Why a secret could not be found, in words without it."""


def require_elsewhere(value: str, what: str) -> str:
    """Return the setting if it is "" or names a secret. Raises ValueError."""
    if value and not ELSEWHERE.match(value):
        raise ValueError(
            f"a {what} does not belong in this file: give $NAME (a variable of the environment) or "
            "block:NAME (a Secret block of Prefect)"
        )
    return value


def resolve_setting(setting: str) -> str:
    """Return the value of `$NAME` or `block:NAME`, or else the setting itself.

    Raises MissingSecretError if the value does not exist.
    """
    if setting.startswith("$"):
        value = os.environ.get(setting[1:])
        if not value:
            raise MissingSecretError(
                f"the variable {setting[1:]} is not set in the run's environment"
            )
        return value
    if setting.startswith("block:"):
        return str(load_block(setting.removeprefix("block:")).get())
    return setting


def load_block(name: str) -> Any:
    """Load a Secret block (NAME) or one of another type (TYPE/NAME). Raises MissingSecretError."""
    from prefect.blocks import notifications, system  # noqa: F401 - registers the types
    from prefect.blocks.core import Block

    try:
        return Block.load(name if "/" in name else f"secret/{name}")
    except ValueError:
        raise MissingSecretError(f"the Prefect server has no block {name}") from None
