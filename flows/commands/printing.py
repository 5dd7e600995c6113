"""Terminal and JSON output of the commands on exports."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import typer

from ...tasks.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from ...data.row_account import RowAccount
    from ...data.schema import Rejected
    from ...metrics.agreement.annotator_groups import AttributeComparison
    from ...metrics.coded_warning import CodedWarning
    from ...metrics.estimate import Estimate
    from ...tasks.exports.results import ExportResults
    from ...tasks.items.comparison import Compared, Differences

_PLACES = 3  # places listed for further rows rejected by the same rule


def print_groups(console: Console, found: Sequence[AttributeComparison]) -> None:
    """Print one row per group of annotators; groups that are too small are only counted."""
    from rich.markup import escape
    from rich.table import Table

    for one in found:
        if one.groups:
            columns = ("annotators", "α within", "κ_x with the others", "normalised", "p")
            table = Table(escape(one.attribute), *columns)
            for group in one.groups:
                values = (group.within, group.between, group.normalized)
                cells = [
                    f"{_format_number(v.value)} "
                    f"[{_format_number(v.interval[0])}, {_format_number(v.interval[1])}]"
                    for v in values
                ]
                p_value = f"{group.p_corrected:.3f}" if math.isfinite(group.p_corrected) else "–"
                table.add_row(escape(group.name), str(group.n_annotators), *cells, p_value)
            console.print(table)
        else:
            console.print(f"{one.attribute}: no two groups are large enough to be compared")
        if one.n_hidden:
            console.print(
                f"{one.attribute}: {counted(one.n_hidden, 'smaller group')} with "
                f"{counted(one.n_hidden_annotators, 'annotator')} not shown and not compared "
                "(--smallest-group)"
            )
        if one.n_unknown:
            console.print(f"{one.attribute}: unknown for {counted(one.n_unknown, 'annotator')}")
        least = max((g.least_p for g in one.groups if math.isfinite(g.least_p)), default=0.0)
        if least > 0.01:
            console.print(
                f"{one.attribute}: with so few annotators the permutation test cannot give a p "
                f"below {least:.3f}"
            )


def print_estimates(found: ExportResults, *, as_json: bool, signatures: bool) -> None:
    """Print values with intervals, warnings, the account of the rows, and signatures; or JSON."""
    if as_json:
        typer.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=1))
        return
    estimates = found.estimates
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Column, Table

    from ...metrics.measures import UNITS

    is_study = all(one.measure == "modification_rate" for one in estimates)
    on_units = any(one.measure in UNITS for one in estimates)
    console = Console(highlight=False)
    names = max((len(_measure_name(one)) for one in estimates), default=0)
    named = Column("k" if is_study else "measure", min_width=0 if is_study else names)
    value = "M(k)" if is_study else "value"
    level = level_text(one.level for one in estimates)
    if any(one.is_for_new_annotators for one in estimates):
        level += ", new annotators"
    table = Table(named, value, level)
    on_labels = not is_study and not on_units
    distances = on_labels and any(_distance_text(one) not in ("", "nominal") for one in estimates)
    if distances:
        table.add_column("distance")
    for name in [] if is_study else ["observed", "expected"]:
        table.add_column(name)
    abstaining = is_study and any(one.how.ties == "abstain" for one in estimates)
    if abstaining:
        table.add_column("no label (tie)")
    prevalent = str(estimates[0].detail.get("prevalent", "")) if is_study and estimates else ""
    if prevalent:
        table.add_column(f"M(k) without {escape(prevalent)}")
    if any(one.reason for one in estimates):
        table.add_column("why undefined")
    for one in estimates:
        lower, upper = one.interval
        interval = (
            "–" if math.isnan(lower) else f"{_format_number(lower)} … {_format_number(upper)}"
        )
        row = [
            str(one.detail["k"]) if is_study else escape(_measure_name(one)),
            _format_number(one.value),
            interval,
        ]
        row += [_distance_text(one)] if distances else []
        row += [] if is_study else [_format_number(one.observed), _format_number(one.expected)]
        row += [_format_number(float(one.detail["abstained"]))] if abstaining else []
        row += [_format_number(float(one.detail["rate_of_others"]))] if prevalent else []
        table.add_row(*row, *([escape(str(one.reason))] if one.reason else []))
    console.print(table)
    print_groups(console, found.groups)
    if not estimates:
        return
    first = estimates[0]
    n_items = counted(first.n_items, "unit" if on_units else "item")
    if first.n_compared_items != first.n_items:
        n_items += f" ({first.n_compared_items:,} with two or more labels)"
    console.print(f"{n_items}, {_annotators_text(first)}", soft_wrap=True)
    if first.how.chosen:
        console.print(_chance_text(first), soft_wrap=True)
    print_warnings(console, found.warnings)
    print_rows(console, found.rows, found.rejected)
    if signatures:
        print_signatures(console, (one.signature for one in estimates))


def _chance_text(one: Estimate) -> str:
    """Return the settings of γ in which packages differ: its chance model and Δ∅."""
    models = (one.how.processes or "").split("+")
    lowest = f", the lowest expected disorder of {' and '.join(models)}" if models[1:] else ""
    return f"chance model: {one.how.chosen}{lowest}; Δ∅ {one.how.delta_empty:g}"


def print_reliability(estimates: Sequence[Estimate], *, signatures: bool) -> None:
    """Print the reliability of k annotators, one row for each k."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    name = f"{estimates[0].detail['of']} of k annotators together"
    table = Table("k", name, level_text(one.level for one in estimates))
    error = "monte_carlo_standard_error"
    drawn = any(error in one.detail for one in estimates)
    if drawn:
        table.add_column("Monte Carlo s.e.")
    if any(one.reason for one in estimates):
        table.add_column("why undefined")
    for one in estimates:
        lower, upper = one.interval
        interval = (
            "–" if math.isnan(lower) else f"{_format_number(lower)} … {_format_number(upper)}"
        )
        row = [str(one.detail["k"]), _format_number(one.value), interval]
        if drawn:
            row.append(f"{one.detail[error]:.4f}" if error in one.detail else "–")
        table.add_row(*row, *([escape(str(one.reason))] if one.reason else []))
    console.print(table)
    if signatures:
        print_signatures(console, (one.signature for one in estimates if one.signature))


def level_text(levels: Iterable[float]) -> str:
    """Return the heading of the confidence interval column."""
    return f"{100 * next(iter(levels), 0.95):g}% CI"


def print_signatures(console: Console, lines: Iterable[str]) -> None:
    for line in dict.fromkeys(lines):
        console.print(line, style="dim", soft_wrap=True, markup=False)


def _annotators_text(one: Estimate) -> str:
    most = int(one.detail.get("most_annotators", one.n_annotators))
    people = counted(one.n_compared_annotators, "annotator")
    return people if most >= one.n_annotators else f"{people}, at most {most:,} per document"


def print_compared(found: Differences, *, as_json: bool, signatures: bool) -> None:
    """Print the values of two annotations side by side, with their differences; or JSON."""
    if as_json:
        typer.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=1))
        return
    compared = found.compared
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Column, Table

    console = Console(highlight=False)
    named = Column("measure", min_width=max((len(one.measure) for one in compared), default=0))
    table = Table(
        named,
        "first",
        "second",
        "difference",
        level_text(one.difference.level for one in compared),
        "p",
    )
    if any(one.difference.reason for one in compared):
        table.add_column("why undefined")
    for one in compared:
        difference = one.difference
        bounds = f"{_format_number(difference.lower)} … {_format_number(difference.upper)}"
        row = [
            one.measure,
            _format_number(one.first),
            _format_number(one.second),
            _format_number(difference.value),
        ]
        row += ["–" if math.isnan(difference.lower) else bounds, _format_number(difference.p_value)]
        table.add_row(*row, *([escape(str(difference.reason))] if difference.reason else []))
    console.print(table)
    for one in compared[:1]:
        console.print(_compared_units_text(one), soft_wrap=True)
    for reason in dict.fromkeys(one.difference.p_reason for one in compared):
        if reason:
            console.print(f"no p: {reason}", soft_wrap=True)
    print_warnings(console, found.warnings)
    for side, rows in zip(("first", "second"), found.rows, strict=True):
        _print_account(console, rows, f"{side}: ")
    print_rejected(console, found.rejected)
    if signatures:
        print_signatures(console, (one.how.signature for one in compared))


def _measure_name(one: Estimate) -> str:
    """Return the name of the measure, with the category of a value by category."""
    from ...metrics.measures import BY_CATEGORY

    return f"{one.measure} {one.detail['category']}" if one.measure in BY_CATEGORY else one.measure


def _distance_text(one: Estimate) -> str:
    return one.how.distance or ""


def _compared_units_text(one: Compared) -> str:
    if one.n_documents is None:
        return f"{one.n_items[0]:,} and {counted(one.n_items[1], 'item')}"
    units = f"{one.n_items[0]:,} and {counted(one.n_items[1], 'unit')}"
    if one.difference.method != "bootstrap-paired":
        documents = f"{one.n_documents[0]:,} and {counted(one.n_documents[1], 'document')}"
        return f"two campaigns of {documents}, not paired; {units}"
    return f"paired on {counted(one.n_documents[0], 'document')}; {units}"


def print_rows(console: Console, rows: RowAccount, rejected: Sequence[Rejected]) -> None:
    """Print the fates of the rows in one sentence, and the first rejected row of each rule."""
    _print_account(console, rows)
    print_rejected(console, rejected)


def print_warnings(console: Console, warnings: Sequence[CodedWarning]) -> None:
    if not warnings:
        return
    from ...reports.warnings import english

    for one in warnings:
        console.print(f"warning: {english(one)}", soft_wrap=True, markup=False)


def _print_account(console: Console, rows: RowAccount, whose: str = "") -> None:
    from ...reports.account import account_sentence
    from ...reports.language import Language

    sentence = account_sentence(rows, Language("en", ("account",)))
    console.print(f"{whose}{sentence}", soft_wrap=True, markup=False)


def print_rejected(console: Console, rejected: Sequence[Rejected]) -> None:
    """Print the number of rejected rows, and for each rule the first row and further places."""
    if not rejected:
        return
    from ...data.in_memory.accepted import rejection_sentence

    by_rule: dict[str, list[Rejected]] = {}
    for row in rejected:
        by_rule.setdefault(row.rule, []).append(row)
    console.print(
        f"[bold]{counted(len(rejected), 'row')} rejected[/bold] (as in a run; --json lists all, "
        "--strict stops at the first):",
        soft_wrap=True,
    )
    for rows in by_rule.values():
        others = len(rows) - 1
        more = f" – and {others:,} more: {_places_of_other_rows(rows)}" if others else ""
        console.print(f"  {rejection_sentence(rows[0])}{more}", soft_wrap=True, markup=False)


def _places_of_other_rows(rows: Sequence[Rejected]) -> str:
    """List the places of further rows: lines of one file, or counts by file."""
    files = Counter(row.source for row in rows)
    if len(files) == 1 or len(files) == len(rows):
        places = [f"{row.source} {row.location}".strip() for row in rows[1 : 1 + _PLACES]]
        return ", ".join(places) + (" …" if len(rows) - 1 > _PLACES else "")
    places = [f"{n:,} in {source}" for source, n in files.most_common(_PLACES)]
    more = len(files) - _PLACES
    return (
        "in all " + ", ".join(places) + (f" and {counted(more, 'more file')}" if more > 0 else "")
    )


def _format_number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value + 0.0:.4f}".replace("-0.0000", "0.0000")


def format_interval(interval: tuple[float, float], shape: str) -> str:
    """Format as `lower…upper`, each in the format `shape`; – if undefined."""
    lower, upper = interval
    return "–" if math.isnan(lower) else f"{lower:{shape}}…{upper:{shape}}"
