"""`accordeur formats`: what sources may be, with the options of each."""

from __future__ import annotations

import json

import typer

from .options import Json


def formats(json_: Json = False) -> None:
    """List the formats that sources may have."""
    from ...data.readers.registry import readers

    known = readers()
    if json_:
        rows = [
            {
                "format": name,
                "description": reader.DESCRIPTION,
                "patterns": list(reader.PATTERNS),
                "options": dict(reader.OPTIONS),
            }
            for name, reader in known.items()
        ]
        typer.echo(json.dumps({"formats": rows}, ensure_ascii=False, indent=1))
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.padding import Padding

    console = Console(highlight=False)
    for name, reader in known.items():
        console.print(f"[bold]{name}[/bold]  [dim]{escape(' '.join(reader.PATTERNS))}[/dim]")
        console.print(Padding(escape(reader.DESCRIPTION), (0, 0, 0, 4)))
        for key, text in reader.OPTIONS.items():
            console.print(Padding(f"[dim]{escape(key)}[/dim]: {escape(text)}", (0, 0, 0, 4)))
