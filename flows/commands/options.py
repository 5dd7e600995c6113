"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
Option = Annotated[
    list[str] | None,
    typer.Option(help="An option of the format, KEY=VALUE; may be repeated (`accordeur formats`)."),
]
Tagset = Annotated[
    str, typer.Option(help="The categories, separated by commas, in the scale's order.")
]


def split_tagset(given: str) -> tuple[str, ...]:
    """The categories of the option, in its order."""
    return tuple(name.strip() for name in given.split(",") if name.strip())


def pairs(texts: list[str] | None) -> dict[str, str]:
    """KEY=VALUE, each. Raises DataError for what is not."""
    from data.errors import DataError

    found = {}
    for text in texts or []:
        key, mark, value = text.partition("=")
        if not mark or not key:
            raise DataError(f"--option {text!r}: give KEY=VALUE")
        found[key] = value
    return found
