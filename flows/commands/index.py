"""`accordeur index`: one page on all campaigns of one or several stores."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ...tasks.wording import counted
from .terminal import print_document, print_line, text_tables
from .typer_options import JsonOrTables

DEFAULT = "accordeur-index"


def index(
    places: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH…",
            help="Stores, folders or URLs that contain stores, or campaign files.",
        ),
    ],
    to: Annotated[str, typer.Option(help="Folder or URL to write the index to.")] = DEFAULT,
    language: Annotated[Literal["en", "fr"], typer.Option(help="Language of the pages.")] = "en",
    json_: JsonOrTables = False,
) -> None:
    """Write an index of campaigns: status, values, trend, distance to the gates, last run."""
    from ...data.store.store import Store
    from ..portfolio import build_index, write_index

    where = Store(to)
    found = build_index(places, where)
    page = write_index(found, where, language)
    if json_:
        print_document(found.model_dump_json(indent=1))
        return
    if (tables := text_tables()) is not None:
        rows = [(one.outcome, one.name, len(one.runs)) for one in found.campaigns]
        heads = ("outcome", "campaign", "runs")
        tables.print({head: [row[k] for row in rows] for k, head in enumerate(heads)})
    for campaign in found.campaigns:
        runs = counted(len(campaign.runs), "run")
        print_line(f"{campaign.outcome:9}  {campaign.name}  ({runs})")
    print_line(f"index: {page}")
