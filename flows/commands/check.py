"""`accordeur check`: what a run would find in the exports, without running it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...data.sentences import LONGEST, shorten
from ...tasks.wording import counted
from .terminal import print_json, print_line, terminal
from .typer_options import Json

if TYPE_CHECKING:
    from rich.console import Console

    from ..check.check_findings import Findings
    from ..check.check_reading import CampaignRead, SourceRead
    from ..check.layer_findings import LayerFound

NOT_ALL, STOPS = 1, 2
_NOUNS = (("units", "unit"), ("labels", "label"), ("relations", "relation"))
_ROWS = (*_NOUNS, ("rejected", "unreadable row"))
_HEADINGS = (
    ("stops", "A run would stop:"),
    ("lost", "A run would be incomplete:"),
    ("note", "To look at:"),
)
_PEOPLE_TOLD = 12


def check(
    campaign: Annotated[Path, typer.Argument(help="Campaign file (TOML).")],
    why: Annotated[
        bool, typer.Option("--why", help="Explain how each format was recognised.")
    ] = False,
    baseline: Annotated[
        Path | None,
        typer.Option(
            help="File of the rejected rows that are known, by rule and file: only more than "
            "these are a problem. It is written if it does not exist."
        ),
    ] = None,
    json_: Json = False,
) -> None:
    """Read the exports as a run would, and report problems; nothing is measured or stored.

    Exit code 0: a run would measure everything. 1: rows are rejected (with --baseline, more than
    there), or a layer or a requested measure cannot be measured. 2: a run would stop. Annotators
    are shown by their names in the exports, even if the campaign file hides them; with privacy =
    true, rejected values are not.
    """
    from ..campaign.file.campaign_config import load_campaign
    from ..campaign.file.fetched_sources import fetch_sources
    from ..check.baseline import against_baseline
    from ..check.check_findings import findings_of
    from ..check.check_reading import read_campaign
    from ..check.workflow_annotations import workflow_annotations

    config = load_campaign(campaign)
    fetch_sources(config)
    read = read_campaign(config)
    found = findings_of(config, read)
    compared = against_baseline(baseline, read.total) if baseline else None
    if json_:
        from ..check.json_output import as_json

        print_json(as_json(read, found, compared))
    else:
        _print(read, found, why=why)
        for line in compared.lines() if compared else ():
            terminal(soft_wrap=True).print(line, markup=False)
        for line in () if json_ else workflow_annotations(read.sources):
            print_line(line)
    weights = {one.weight for one in found.said}
    if "stops" in weights:
        raise typer.Exit(STOPS)
    is_worse = read.total.n_rejected > 0
    if compared is not None and not compared.is_new:  # a misspelt path is no baseline
        is_worse = bool(compared.more)
    if "lost" in weights or is_worse:
        raise typer.Exit(NOT_ALL)


def _print(read: CampaignRead, found: Findings, *, why: bool) -> None:

    console = terminal(soft_wrap=True)
    for source in read.sources:
        _print_source(console, source, found, why=why)
    console.print("All sources", style="bold")
    rows = read.rows
    of_tables = [counted(read.total.rows[table], noun) for table, noun in _ROWS]
    parts = ", ".join(text for text in of_tables if not text.startswith("0 "))
    several = len(rows.excluded) > 1
    excluded = ", ".join(
        f"{n:,} {reason}" if several else reason for reason, n in sorted(rows.excluded.items())
    )
    _print_line(
        console,
        f"{counted(rows.n_read, 'row')}{f' ({parts})' if parts else ''} = "
        f"{rows.n_accepted:,} accepted + {rows.rejected.total():,} rejected"
        + (f" + {rows.excluded.total():,} excluded ({excluded})" if excluded else "")
        + f"; {counted(len(read.documents), 'document')}, {counted(len(found.roles), 'annotator')}",
    )
    for layer in found.layers:
        _print_line(console, _layer_line(layer))
    for weight, heading in _HEADINGS:
        texts = [one.text for one in found.said if one.weight == weight]
        if texts:
            console.print(heading, style="bold")
        for text in texts:
            for line in text.splitlines():
                _print_line(console, line)


def _print_source(console: Console, source: SourceRead, found: Findings, *, why: bool) -> None:
    from ...data.row_account import rejection_sentence

    console.print(shorten(source.path), style="bold", markup=False)
    counts = source.counts
    formats = [
        name + (f" ({counted(n, 'file')})" if n > 1 else "") + (f": {source.why[name]}" * why)
        for name, n in source.formats.items()
    ]
    if formats:
        _print_line(console, f"format {'; '.join(formats)}")
        rows = [counted(counts.rows[table], noun) for table, noun in _NOUNS if counts.rows[table]]
        _print_line(console, ", ".join([counted(source.n_documents, "document"), *rows]))
        people = [f"{who} ({found.roles[who]})" for who in sorted(counts.roles)]
        more = f" … {len(people):,} in all" if len(people) > _PEOPLE_TOLD else ""
        _print_line(console, f"annotators: {', '.join(people[:_PEOPLE_TOLD]) or 'none'}{more}")
    for table, noun in _NOUNS:
        for layer, of_layer in sorted(counts.read[table].items()):
            n = counted(sum(of_layer.values()), noun)
            given = sum(1 for name in of_layer if name)
            what = f"{given:,} categor{'y' if given == 1 else 'ies'}"
            if feature := source.read_as.features.get(layer):
                what += f" (feature {feature})"
            _print_line(console, f"layer {layer or 'without a name'}: {n}, {what}")
    if counts.rejected:
        total = sum(one.n_records for one in counts.rejected.values())
        _print_line(console, f"{counted(total, 'row')} rejected:")
    for rule, aside in counts.rejected.items():
        own = aside.n_records
        what = f"{own:,} {rule}" if own else f"{rule} (documents or assignments: {aside.n:,})"
        first = "" if (own or aside.n) == 1 else ", the first"
        files = f" in {len(aside.files):,} files" if len(aside.files) > 1 else ""
        _print_line(console, f"  {what}{files}{first}: {rejection_sentence(aside.first)}")
    if source.error:
        _print_line(console, f"not read: {source.error}")


def _layer_line(layer: LayerFound) -> str:
    several = f"{layer.fewest}–{layer.most}" if layer.fewest < layer.most else f"{layer.most}"
    single = f" ({layer.n_single:,} with one annotator only)" if layer.n_single else ""
    measured = ", ".join(layer.measures) or "nothing"
    return (
        f"layer {layer.name} ({layer.kind}): {counted(layer.n_documents, 'document')}, {several} "
        f"of {counted(len(layer.humans), 'human annotator')} each{single}; measured: {measured}"
    )


def _print_line(console: Console, text: str) -> None:
    console.print(f"  {shorten(text, LONGEST - 2)}", markup=False)
