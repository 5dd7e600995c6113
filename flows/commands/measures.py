"""`accordeur measures`: list of measures, and description of a single measure."""

from __future__ import annotations

from typing import Annotated

import typer

from .terminal import print_json, terminal, text_tables
from .typer_options import JsonOrTables


def measures(
    name: Annotated[
        str | None, typer.Argument(help="Measure to explain; without it, all are listed.")
    ] = None,
    bibtex: Annotated[
        bool, typer.Option("--bibtex", help="Print the BibTeX of its publications alone.")
    ] = False,
    json_: JsonOrTables = False,
) -> None:
    """List the measures, or explain one: formula, chance model, range, names in other packages."""
    from ...metrics.close_names import did_you_mean
    from ...metrics.measure_text import MeasureText
    from ...metrics.measures import MEASURES, split_variant
    from ...reports.bibliography import bibtex_of
    from ..errors import UserError

    if name is None:
        _print_list(as_json=json_)
        return
    base = split_variant(MeasureText.read(name).name)[1]
    if base not in MEASURES:
        hint = did_you_mean(base, MEASURES) or "`accordeur measures` lists all"
        raise UserError(f"unknown measure {name!r}; {hint.rstrip()}")
    if bibtex:
        for line in bibtex_of(MEASURES[base].sources).splitlines():
            terminal().print(line, soft_wrap=True, markup=False)
        return
    _print_measure(base, as_json=json_)


def _print_list(*, as_json: bool) -> None:
    from rich.markup import escape

    from ...reports.language import Language
    from ...reports.measure_facts import measure_groups
    from ...reports.page.values import measure_name

    groups, say = measure_groups(), Language("en")
    if as_json:
        names = {title: [one.name for one in members] for title, members in groups.items()}
        print_json(names)
        return
    if (tables := text_tables()) is not None:
        rows = [(title, one.name) for title, members in groups.items() for one in members]
        words = [measure_name(say, name) for _, name in rows]
        columns = {"group": [title for title, _ in rows], "name": [name for _, name in rows]}
        tables.print({**columns, "words": words})
        return
    console = terminal()
    width = max(len(one.name) for members in groups.values() for one in members)
    for title, members in groups.items():
        console.print(f"[bold]{title}[/bold]")
        for one in members:
            console.print(
                f"  {one.name:{width}}  {escape(measure_name(say, one.name))}", soft_wrap=True
            )


def _print_measure(name: str, *, as_json: bool) -> None:
    from rich.padding import Padding
    from rich.table import Table

    from ...metrics.measures import MEASURES
    from ...reports.bibliography import bibliography, formatted_reference
    from ...reports.language import Language
    from ...reports.measure_facts import example, facts, formulas
    from ...reports.page.values import measure_name

    one, say = MEASURES[name], Language("en")
    found = facts(one, say)
    works = [formatted_reference(bibliography()[source]) for source in one.sources]
    if as_json:
        as_dict = {"name": name, "symbol": one.symbol, "formulas": formulas(one), **found}
        print_json(as_dict | {"publications": works})
        return
    rows = [(heading, text.replace("`", "")) for heading, text in found.items()]
    rows += [("" if number else "Publications", work) for number, work in enumerate(works)]
    if command := example(one):
        rows.append(("Example", command))
    if (tables := text_tables()) is not None:
        tables.print({"": [heading for heading, _ in rows], name: [text for _, text in rows]})
        return
    console = terminal()
    symbol = f", {one.symbol}" if one.symbol else ""
    console.print(f"[bold]{measure_name(say, name)}[/bold]  ({name}{symbol})")
    for line in formulas(one):
        console.print(Padding(line, (0, 0, 0, 2)), markup=False)
    table = Table.grid(padding=(0, 2))
    for row in rows:
        table.add_row(*row)
    console.print(Padding(table, (1, 0, 0, 0)), markup=False)
