"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Tagset = Annotated[
    str, typer.Option(help="The categories, separated by commas, in the scale's order.")
]


def split_tagset(given: str) -> tuple[str, ...]:
    """The categories of the option, in its order."""
    return tuple(name.strip() for name in given.split(",") if name.strip())
