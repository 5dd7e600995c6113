"""`accordeur look`: what files are, what can be measured, and the command that does it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...tasks.inputs.reading_options import Columns, parse_pairs
from .terminal import print_document, print_json, terminal
from .typer_options import Json


def look(
    files: Annotated[
        list[Path], typer.Argument(help="Files or folders of any format, or tables of any shape.")
    ],
    columns: Columns,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the format, KEY=VALUE; may be repeated.")
    ] = None,
    toml: Annotated[
        bool, typer.Option("--toml", help="Print the sources of a campaign file.")
    ] = False,
    json_: Json = False,
) -> None:
    """What files are, what can be measured, what is doubtful, and the command to copy."""
    from ...tasks.inputs.look import look as look_at

    found = look_at(files, {**columns.options, **parse_pairs(option)})
    if json_:
        print_json(found.as_json())
    elif toml:
        print_document(found.toml())
    else:
        from ...tasks.inputs.look_text import lines_of_look

        console = terminal(soft_wrap=True)
        for line in lines_of_look(found):
            console.print(line, markup=False)
