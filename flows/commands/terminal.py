"""The terminal to which commands print tables and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def terminal(*, soft_wrap: bool = False) -> Console:
    """Return the terminal for output, in which a label such as `:heart:` is printed as written."""
    from rich.console import Console

    return Console(highlight=False, emoji=False, soft_wrap=soft_wrap)
