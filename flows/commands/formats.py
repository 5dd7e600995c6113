"""`accordeur formats`: the supported formats of exports, and their options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .terminal import print_json, terminal, text_tables
from .typer_options import JsonOrTables

if TYPE_CHECKING:
    from rich.console import Console


def formats(json_: JsonOrTables = False) -> None:
    """List the formats that sources may have."""
    from ...data.readers.base import GeneralOptions
    from ...data.readers.options import option_descriptions
    from ...data.readers.registry import readers

    known = readers()
    if json_:
        rows = [
            {
                "format": name,
                "description": reader.DESCRIPTION,
                "patterns": list(reader.PATTERNS),
                "options": option_descriptions(reader.OPTIONS),
            }
            for name, reader in known.items()
        ]
        listed = {"formats": rows, "options": GeneralOptions.descriptions()}
        print_json(listed)
        return
    if (tables := text_tables()) is not None:
        patterns = [" ".join(reader.PATTERNS) for reader in known.values()]
        words = [reader.DESCRIPTION for reader in known.values()]
        tables.print({"format": [*known], "patterns": patterns, "description": words})
        return
    from rich.markup import escape
    from rich.padding import Padding

    console = terminal()
    for name, reader in known.items():
        console.print(f"[bold]{name}[/bold]  [dim]{escape(' '.join(reader.PATTERNS))}[/dim]")
        console.print(Padding(escape(reader.DESCRIPTION), (0, 0, 0, 4)))
        _print_options(console, option_descriptions(reader.OPTIONS))
    console.print("[bold]every format[/bold]")
    _print_options(console, GeneralOptions.descriptions())


def _print_options(console: Console, options: Mapping[str, str]) -> None:
    from rich.markup import escape
    from rich.padding import Padding

    for key, text in options.items():
        console.print(Padding(f"[dim]{escape(key)}[/dim]: {escape(text)}", (0, 0, 0, 4)))
