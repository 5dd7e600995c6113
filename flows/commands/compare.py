"""`accordeur compare`: changes between two runs of a campaign, and causes of changed values."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...reports.cell_texts import interval_text, number_text, value_text
from ...reports.columns import interval, number, text, values_by_column
from ...tasks.wording import counted
from .terminal import print_document, print_line, text_tables
from .typer_options import JsonOrTables

if TYPE_CHECKING:
    from ...reports.language import Language
    from ...reports.portfolio.portfolio_results import Comparison, Setting, ValueChange

_WIDTH, _SHOWN = 80, 5


def compare(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN RUN",
            help="Two folders of runs, or a campaign file with the numbers of two of its runs; "
            "default: its last two. Or two exports, as `agree` and `gamma` with --against.",
        ),
    ],
    to: Annotated[
        str, typer.Option(help="HTML file or URL to write the comparison to.", show_default=False)
    ] = "",
    json_: JsonOrTables = False,
) -> None:
    """Compare two runs: data, options, code, values, and the documents with the largest effect."""
    from ...data.store.file_systems import split_place
    from ...data.store.store import Store
    from ...reports.language import Language
    from ...reports.portfolio.run_comparison_page import render_comparison
    from ...tasks.run_comparison.compare_runs import compare_runs
    from ..campaign.earlier.finished_runs import runs_named
    from ..errors import UserError

    if to and Path(to).is_dir():
        raise UserError(f"--to {to}: is a folder; give an HTML file")
    if len(runs) == 2 and all(map(_is_export, runs)) and not to:
        _compare_exports(*map(Path, runs), as_json=json_)
        return
    (first, second), language = runs_named(runs)
    found = compare_runs(first, second)
    page = ""
    if to:
        folder, name = split_place(to)
        store = Store(folder)
        store.write_bytes(name, render_comparison(found, language=language).encode())
        page = store.location(name)
    if json_:
        print_document(found.model_dump_json(indent=1))
        return
    if (tables := text_tables()) is not None:
        tables.print(_columns(found))
    for line in comparison_lines(found, Language("en", ("", "account", "portfolio"))):
        print_line(line)
    if page:
        print_line(f"page: {page}")


def _is_export(place: str) -> bool:
    return (
        Path(place).is_file()
        and Path(place).name != "results.json"
        and Path(place).suffix != ".toml"
    )


def _compare_exports(first: Path, second: Path, *, as_json: bool) -> None:
    from ...tasks.agreement.agreement_differences import agree_against
    from ...tasks.inputs.exported_labels import UnitsOnlyError
    from ...tasks.units.gamma_differences import gamma_against
    from .printing.estimates import print_compared

    try:
        found = agree_against(first, second)
    except UnitsOnlyError:
        found = gamma_against([first], [second])
    print_compared(found, [first], [second], as_json=as_json, signatures=False)


def _columns(found: Comparison) -> dict[str, list[Any]]:
    """Return the table of the values in both runs."""
    return values_by_column(
        found.values,
        text("layer", lambda one: one.layer),
        text("of", lambda one: one.of, when=any(one.of for one in found.values)),
        text("measure", lambda one: one.measure),
        number("first", lambda one: math.nan if one.first is None else one.first.value),
        number("second", lambda one: math.nan if one.second is None else one.second.value),
        number("change", lambda one: one.change),
        interval("", lambda one: one.interval),
    )


def comparison_lines(found: Comparison, say: Language) -> Iterator[str]:
    """Format the comparison in lines of at most 80 columns: values first, then other changes."""
    from ...reports.portfolio.comparison_sentences import comparison_sentences
    from ...reports.portfolio.run_comparison_page import judge_sentence

    yield from _wrap_lines(f"{found.campaign}: {found.first.name} to {found.second.name}", "")
    for said in comparison_sentences(say, found):
        yield from _wrap_lines(said, "")
    named = [f"{one.measure} ({one.place})" for one in found.values]
    width = min(max(map(len, named), default=0), 44)
    yield f"{'':{width}}  {found.first.name:>9}  {found.second.name:>9}  {'change':>9}"
    for name, one in zip(named, found.values, strict=True):
        yield from _value_lines(name, one, width)
    without = [one for one in found.values if one.unpaired]
    for reason in dict.fromkeys(one.unpaired for one in without):
        whose = ", ".join(
            f"{one.measure} ({one.place})" for one in without if one.unpaired == reason
        )
        yield from _wrap_lines(
            f"no interval for {whose}: {say(f'compare.unpaired_{reason}')}", "  "
        )
    for judge in found.judges:
        yield from _wrap_lines(judge_sentence(say, judge), "  ")
    main = {one.layer: one for one in reversed(found.values)}
    for one in (one for one in found.values if main[one.layer] is one and one.effects):
        yield f"documents with the largest effect on {one.measure} ({one.place})"
        for effect in one.effects[:_SHOWN]:
            fate = say(f"compare.fate_{effect.fate}")
            size = number_text(effect.effect, "+3")
            yield f"  {size}  {textwrap.shorten(effect.document, 40)}  {fate}"
    yield from _changed_lines(found, say)


def _value_lines(name: str, change: ValueChange, width: int) -> Iterator[str]:
    values = (one.value if one is not None else math.nan for one in (change.first, change.second))
    first, second = (number_text(value, "3") for value in values)
    if len(name) > width:
        yield name
        name = ""
    yield f"{name:{width}}  {first:>9}  {second:>9}  {number_text(change.change, '+3'):>9}"
    if math.isfinite(change.interval[0]):
        bounds = interval_text(change.interval, "+3")
        yield f"  change on all documents: {bounds}, {change.level:.0%} CI"
    if change.paired is not None:
        one = change.paired
        changed = value_text(one.change, one.interval, "+3")
        shared = counted(one.n_documents, "shared document")
        yield f"  on {shared}: {changed}, {one.level:.0%} CI"


def _changed_lines(found: Comparison, say: Language) -> Iterator[str]:
    changes = found.documents
    if changes is None:
        yield from _wrap_lines(say("compare.no_ledger"), "  ")
    else:
        renamed = [f"{before} → {now}" for before, now in changes.renamed]
        kinds = (
            ("added", changes.added),
            ("changed", changes.changed),
            ("renamed", renamed),
            ("removed", changes.removed),
        )
        for kind, names in kinds:
            if names:
                more = ", …" if len(names) > _SHOWN else ""
                shown = ", ".join(names[:_SHOWN])
                yield from _wrap_lines(f"documents {kind}: {len(names):,} ({shown}{more})", "  ")
    for kind, settings in (("data", found.data), ("options", found.options), ("code", found.code)):
        yield from _setting_lines(kind, settings, say)
    nothing = changes is not None and not any(
        (changes.n_added, changes.n_changed, changes.n_renamed, changes.n_removed)
    )
    if nothing and not (found.data or found.options or found.code):
        yield from _wrap_lines(say("compare.same"), "  ")


def _setting_lines(kind: str, settings: Sequence[Setting], say: Language) -> Iterator[str]:
    if settings:
        yield f"{kind}:"
    for one in settings:
        name = say(f"compare.setting_{one.kind}", of=one.of)
        yield from _wrap_lines(f"  {name}: {one.first or 'none'} → {one.second or 'none'}", "    ")


def _wrap_lines(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, subsequent_indent=indent, break_on_hyphens=False)
