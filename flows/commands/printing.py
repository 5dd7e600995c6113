"""Terminal and JSON output of the commands on exports."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, cast

import typer

from ...reports.columns import (
    MISSING,
    Column,
    Row,
    Shape,
    interval,
    is_missing,
    number,
    reasons,
    text,
)
from ...tasks.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from ...data.row_account import RowAccount
    from ...data.schema import Rejected
    from ...metrics.agreement.annotator_groups import AttributeComparison
    from ...metrics.coded_warning import CodedWarning
    from ...metrics.estimate import Estimate
    from ...metrics.reason import Reason
    from ...reports.language import Language
    from ...tasks.inputs.export_results import ExportResults
    from ...tasks.items.agreement_differences import Compared, Differences

_PLACES = 3  # places listed for further rows rejected by the same rule


def print_table(
    console: Console, rows: Iterable[Row], *columns: Column[Row], title: str | None = None
) -> None:
    """Print a table declared by its columns.

    In a narrow terminal headings and texts are wrapped. No word or number is cut: a table that
    needs more columns than the terminal has is wider. The only reason of several rows is printed
    once, below the table.
    """
    from rich.markup import escape
    from rich.table import Table

    every = list(rows)
    wanted = [column for column in columns if column.when]
    common = {one.heading: said for one in wanted if (said := one.only_reason(every))}
    shown = [column for column in wanted if column.heading not in common]
    table = Table(title=title)
    cells = [[_cell_text(column, row) for column in shown] for row in every]
    widest = [max(len(cell) for cell in each) for each in _texts_by_column(shown, cells)]
    is_narrow = sum(widest) + 3 * len(shown) + 1 > console.width
    least = _least_widths(shown, cells)
    if is_narrow and sum(least) + 3 * len(shown) + 1 > console.width:
        table.padding = 0
    for column, width in zip(shown, least, strict=True):
        fixed = width if is_narrow and _is_whole(column) else None
        table.add_column(escape(column.heading), min_width=width, width=fixed)
    for line in cells:
        table.add_row(*map(escape, line))
    needed = sum(least) + len(shown) + 1
    table.width = needed if needed > console.width else None
    console.print(table, crop=False)
    for heading, reason in common.items():
        console.print(f"{heading}: {reason}", soft_wrap=True, markup=False)


def _texts_by_column(shown: Sequence[Column[Row]], cells: Sequence[list[str]]) -> list[list[str]]:
    return [[column.heading, *(line[k] for line in cells)] for k, column in enumerate(shown)]


def _least_widths(shown: Sequence[Column[Row]], cells: Sequence[list[str]]) -> list[int]:
    """Return the width of each column below which a word or a whole cell would be cut."""
    found = []
    for column, (heading, *texts) in zip(shown, _texts_by_column(shown, cells), strict=True):
        parts = texts if _is_whole(column) else [word for cell in texts for word in cell.split()]
        found.append(max(map(len, (*parts, *heading.split())), default=1))
    return found


def _is_whole(column: Column[Row]) -> bool:
    return column.whole or column.kind in ("number", "interval")


def _cell_text(column: Column[Row], row: Row) -> str:
    value = column.value(row)
    if is_missing(value):
        return MISSING
    if isinstance(value, tuple):
        return interval_text(value, column.shape)
    return number_text(value, column.shape) if column.kind == "number" else str(value)


def number_text(value: float | str, shape: Shape = "") -> str:
    """Format a number for the terminal as on the pages, with three digits by default.

    `shape` is as in the columns of a table: "2" (digits), "0%", "+4", or a function. An undefined
    number is –.
    """
    if is_missing(value):
        return MISSING
    if isinstance(value, str):
        return value
    if callable(shape):
        return shape(value)
    if isinstance(value, int):
        return f"{value:,}"
    return _english().figure(float(value), shape)


def interval_text(bounds: tuple[float, float], shape: Shape = "") -> str:
    """Format two bounds for the terminal: `[0.455, 0.858]`; – if undefined."""
    return _english().interval(bounds, shape) or MISSING


def value_text(value: float, bounds: tuple[float, float], shape: Shape = "") -> str:
    """Format a value with its interval, if there is one: `0.760 [0.455, 0.858]`."""
    parts = (number_text(value, shape), _english().interval(bounds, shape))
    return " ".join(filter(None, parts))


@cache
def _english() -> Language:
    from ...reports.language import Language

    return Language("en", ("account",))


def why_undefined(rows: Iterable[Row], reason: Callable[[Row], Reason | None]) -> Column[Row]:
    """Return the column of the reasons, for tables with an undefined value."""
    return reasons("why undefined", reason, when=any(map(reason, rows)))


def print_groups(console: Console, found: Sequence[AttributeComparison]) -> None:
    """Print one row per group of annotators; groups that are too small are only counted."""

    def with_interval(value: Estimate) -> str:
        return value_text(value.value, value.interval)

    for one in found:
        if one.groups:
            print_table(
                console, one.groups,
                text(one.attribute, lambda group: group.name),
                number("annotators", lambda group: group.n_annotators),
                text("α within", lambda group: with_interval(group.within)),
                text("κ_x with the others", lambda group: with_interval(group.between)),
                text("normalised", lambda group: with_interval(group.normalized)),
                number("p", lambda group: group.p_corrected, "3"),
            )  # fmt: skip
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

    from ...metrics.measures import OBJECTS, UNITS
    from .reading_guide import explained_text, reading_guide

    is_study = all(one.measure == "modification_rate" for one in estimates)
    on_units = any(one.measure in UNITS for one in estimates)
    console = Console(highlight=False)
    is_new = any(one.is_for_new_annotators for one in estimates)
    level = level_text(one.level for one in estimates) + ", new annotators" * is_new
    distances = len({_distance_text(one) for one in estimates} - {""}) > 1
    on_objects = any(one.measure in OBJECTS and math.isnan(one.observed) for one in estimates)
    has_chance = any(math.isfinite(_by_chance("expected", one)) for one in estimates)
    abstaining = is_study and any(one.how.ties == "abstain" for one in estimates)
    meaning = "; M(k): share of the majority labels that change with k annotators" * is_study
    if estimates:
        heading = _heading(estimates, on_units=on_units)
        console.print(heading + meaning, soft_wrap=True, markup=False)
    prevalent = estimates[0].detail.get("prevalent", "") if is_study and estimates else ""
    print_table(
        console, estimates,
        text("k", lambda one: one.detail["k"], when=is_study),
        text("measure", _measure_name, whole=True, when=not is_study),
        number("M(k)" if is_study else "value", lambda one: one.value),
        interval(level, lambda one: one.interval),
        text("distance", _distance_text, when=distances and not is_study and not on_units),
        *[
            number(which + " distance" * on_objects, partial(_by_chance, which), when=has_chance)
            for which in ("observed", "expected")
        ],
        number("no label (tie)", lambda one: one.detail["abstained"], when=abstaining),
        number(
            f"M(k) without {prevalent}",
            lambda one: one.detail["rate_of_others"],
            when=bool(prevalent),
        ),
        why_undefined(estimates, lambda one: one.reason),
    )  # fmt: skip
    for sentence in (*explained_text(found.explained, value_text), *reading_guide(estimates)):
        console.print(sentence, soft_wrap=True, markup=False)
    if found.by:
        _print_parts(console, found, on_units=on_units)
    print_groups(console, found.groups)
    if not estimates:
        return
    print_warnings(console, found.warnings, found.rejected)
    print_rows(console, found.rows, found.rejected)
    if signatures:
        print_signatures(console, (one.signature for one in estimates))


def _by_chance(which: str, one: Estimate) -> float:
    """Return p_o or p_e ("expected") of an estimate, or the mean distance of objects in α."""
    detail = cast("Mapping[str, float]", one.detail)
    has_distances = math.isnan(one.observed) and "expected_disagreement" in detail
    return detail[f"{which}_disagreement"] if has_distances else float(getattr(one, which))


def _print_parts(console: Console, found: ExportResults, *, on_units: bool) -> None:
    """Print the main measure for each category, each pair, or without each annotator."""
    how = "without each annotator" if found.by == "annotator" else f"by {found.by}"
    parts = found.parts
    print_table(
        console, parts,
        text("without" if found.by == "annotator" else str(found.by), lambda row: row[0]),
        number("value", lambda row: row[1].value),
        interval(level_text(one.level for _, one in parts), lambda row: row[1].interval),
        number("units" if on_units else "items", lambda row: row[1].n_items),
        why_undefined(parts, lambda row: row[1].reason),
        title=f"{next((one.measure for _, one in parts), '')} {how}",
    )  # fmt: skip
    mean = found.estimates[0].detail.get("mean_of_pairs")
    if mean is not None and found.by == "pair":
        console.print(f"mean over pairs of annotators: {number_text(mean)}")


def _heading(estimates: Sequence[Estimate], *, on_units: bool) -> str:
    """Return what was measured: counts, and the settings in which packages differ.

    For γ these are its chance model and Δ∅; for coefficients on items their one distance.
    """
    first = estimates[0]
    measured = counted(first.n_items, "unit" if on_units else "item")
    if first.n_compared_items != first.n_items:
        measured += f" ({first.n_compared_items:,} with two or more labels)"
    said = [f"{measured}, {_annotators_text(first)}"]
    distances = {_distance_text(one) for one in estimates} - {""}
    if len(distances) == 1 and not on_units:
        said.append(f"distance: {distances.pop()}")
    if first.how.chosen:
        models = (first.how.processes or "").split("+")
        others = " and ".join(one for one in models if one != first.how.chosen)
        lowest = f", with a lower expected disorder than {others}" if others else ""
        said += [f"chance model: {first.how.chosen}{lowest}", f"Δ∅ {first.how.delta_empty:g}"]
    return "; ".join(said)


def print_reliability(estimates: Sequence[Estimate], *, signatures: bool) -> None:
    """Print the reliability of k annotators, one row for each k."""
    from rich.console import Console

    console = Console(highlight=False)

    def error(one: Estimate) -> float | None:
        return one.detail.get("monte_carlo_standard_error")

    print_table(
        console, estimates,
        text("k", lambda one: one.detail["k"]),
        number(f"{estimates[0].detail['of']} of k annotators together", lambda one: one.value),
        interval(level_text(one.level for one in estimates), lambda one: one.interval),
        number("Monte Carlo s.e.", error, when=any(error(one) is not None for one in estimates)),
        why_undefined(estimates, lambda one: one.reason),
    )  # fmt: skip
    if signatures:
        print_signatures(console, (one.signature for one in estimates if one.signature))


def level_text(levels: Iterable[float]) -> str:
    """Return the heading of the confidence interval column."""
    return f"{100 * next(iter(levels), 0.95):g}% CI"


def print_signatures(console: Console, lines: Iterable[str]) -> None:
    for line in dict.fromkeys(lines):
        console.print(line, style="dim", soft_wrap=True, markup=False)


def _annotators_text(one: Estimate) -> str:
    most = one.detail.get("most_annotators", one.n_annotators)
    people = counted(one.n_compared_annotators, "annotator")
    return people if most >= one.n_annotators else f"{people}, at most {most:,} per document"


def print_compared(found: Differences, *, as_json: bool, signatures: bool) -> None:
    """Print the values of two annotations side by side, with their differences; or JSON."""
    if as_json:
        typer.echo(json.dumps(found.as_json(), ensure_ascii=False, indent=1))
        return
    compared = found.compared
    from rich.console import Console

    console = Console(highlight=False)
    print_table(
        console, compared,
        text("measure", lambda one: one.measure, whole=True),
        number("first", lambda one: one.first),
        number("second", lambda one: one.second),
        number("difference", lambda one: one.difference.value),
        interval(
            level_text(one.difference.level for one in compared),
            lambda one: (one.difference.lower, one.difference.upper),
        ),
        number("p", lambda one: one.difference.p_value),
        why_undefined(compared, lambda one: one.difference.reason),
    )  # fmt: skip
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
    """Return the name of the measure, with the category or the annotator of its value."""
    from ...metrics.measures import BY_CATEGORY

    part = one.detail["category"] if one.measure in BY_CATEGORY else one.detail.get("annotator")
    return f"{one.measure} {part}" if part else one.measure


def _distance_text(one: Estimate) -> str:
    """The name of the distance; of a table without the hash that its signature has."""
    return (one.how.distance or "").partition("-")[0]


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


def print_warnings(
    console: Console, warnings: Sequence[CodedWarning], rejected: Sequence[Rejected] = ()
) -> None:
    """Print the warnings, except those about rows that are listed as rejected."""
    if not warnings:
        return
    from ...reports.warnings import english
    from ...tasks.inputs.data_warnings import without_rejected

    for one in without_rejected(warnings, rejected):
        console.print(f"warning: {english(one)}", soft_wrap=True, markup=False)


def _print_account(console: Console, rows: RowAccount, whose: str = "") -> None:
    from ...reports.account import account_sentence

    sentence = account_sentence(rows, _english(), rules=False)
    console.print(f"{whose}{sentence}", soft_wrap=True, markup=False)


def print_rejected(console: Console, rejected: Sequence[Rejected]) -> None:
    """Print the number of rejected rows, and for each rule the first row and further places."""
    if not rejected:
        return
    from ...data.row_account import rejection_sentence

    by_rule: dict[str, list[Rejected]] = {}
    for row in rejected:
        by_rule.setdefault(row.rule, []).append(row)
    console.print(
        f"[bold]{counted(len(rejected), 'row')} rejected[/bold] (as in a run; --json lists all, "
        "--strict stops at the first):",
        soft_wrap=True,
    )
    for rows in by_rule.values():
        more = f" – {_places_of_other_rows(rows)}" if len(rows) > 1 else ""
        console.print(f"  {rejection_sentence(rows[0])}{more}", soft_wrap=True, markup=False)


def _places_of_other_rows(rows: Sequence[Rejected]) -> str:
    """List the places of further rows: lines of one file, rows of several, or counts by file."""
    files = Counter(row.source for row in rows)
    if len(files) == 1 or len(files) == len(rows):
        return f"and {len(rows) - 1:,} more: {_places(rows[1:], named=len(files) > 1)}"
    places = [f"{n:,} in {source}" for source, n in files.most_common(_PLACES)]
    more = len(files) - _PLACES
    others = f" and {counted(more, 'more file')}" if more > 0 else ""
    return f"{len(rows):,} in all: {', '.join(places)}{others}"


def _places(rows: Sequence[Rejected], *, named: bool) -> str:
    """Return `lines 4, 7, 9 …`, or each place with the name of its file."""
    shown, more = rows[:_PLACES], " …" if len(rows) > _PLACES else ""
    words, numbers = zip(*(row.location.rpartition(" ")[::2] for row in shown), strict=True)
    if not named and len({*words}) == 1 and words[0] in ("line", "row"):
        return f"{words[0]}{'s' if len(rows) > 1 else ''} {', '.join(numbers)}{more}"
    places = [f"{row.source if named else ''} {row.location}".strip() for row in shown]
    return ", ".join(places) + more
