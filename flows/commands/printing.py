"""What the quick looks print."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from flows.wording import ALIGNMENT_MEASURES, counted

if TYPE_CHECKING:
    from rich.console import Console

    from data.schema import Rejected
    from flows.quick.against import Compared
    from metrics.estimate import Estimate

ROUNDING = 5e-5  # of what is printed
_PLACES = 3  # that are named of the rows set aside by one rule, after the first

LEFT_OUT = (
    ("n_unpaired", "item", "with one label only"),
    ("n_unpaired_units", "unit", "left out, in documents of one annotator"),
    ("n_unresolved", "item", "without a reference label"),
)


def print_estimates(
    estimates: Sequence[Estimate],
    refused: Sequence[Rejected],
    remarks: Sequence[str],
    *,
    as_json: bool,
) -> None:
    """Values with intervals and signatures, what was set aside, and remarks; or JSON."""
    if as_json:
        from flows.quick.json_output import as_json as plain

        typer.echo(json.dumps(plain(estimates, refused, remarks), ensure_ascii=False, indent=1))
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Column, Table

    is_study = all(one.measure == "modification_rate" for one in estimates)
    on_units = any(one.measure in ALIGNMENT_MEASURES for one in estimates)
    console = Console(highlight=False)
    columns = ["observed", "expected"] if on_units else ["p_o", "p_e"]
    names = max((len(one.measure) for one in estimates), default=0)
    named = Column("k" if is_study else "measure", min_width=0 if is_study else names)
    table = Table(named, "value", "95 % interval")
    on_labels = not is_study and not on_units
    distances = on_labels and any(_distance(one) not in ("", "nominal") for one in estimates)
    if distances:
        table.add_column("distance")
    for name in [] if is_study else columns:
        table.add_column(name)
    abstaining = is_study and any("ties:abstain" in one.signature for one in estimates)
    if abstaining:
        table.add_column("no label (tie)")
    if any(one.reason for one in estimates):
        table.add_column("why undefined")
    for one in estimates:
        lower, upper = one.interval
        interval = "–" if math.isnan(lower) else f"{_number(lower)} … {_number(upper)}"
        row = [str(one.detail["k"]) if is_study else one.measure, _number(one.value), interval]
        row += [_distance(one)] if distances else []
        row += [] if is_study else [_number(one.observed), _number(one.expected)]
        row += [_number(float(one.detail["abstained"]))] if abstaining else []
        table.add_row(*row, *([escape(one.reason)] if one.reason else []))
    console.print(table)
    if not estimates:
        return
    first = estimates[0]
    parts = [counted(first.n_items, "unit" if on_units else "item")]
    parts.append(counted(first.n_annotators, "annotator"))
    if on_units:
        from metrics.unitizing.breakdown import FEWEST_UNITS

        if 0 < first.n_items < FEWEST_UNITS:
            parts.append(f"of fewer than {FEWEST_UNITS} units γ is mostly chance")
    parts += [
        f"{counted(int(first.detail[key]), noun)} {what}"
        for key, noun, what in LEFT_OUT
        if first.detail.get(key)
    ]
    if first.detail.get("interval_from") == "chance" and not math.isnan(first.interval[0]):
        name = "γ" if first.measure == "gamma" else first.measure
        parts.append(f"the interval of {name} holds the error of the expected disorder only")
    parts += [_of_greedy(one) for one in estimates if one.measure == "holistic_greedy"]
    parts += dict.fromkeys(
        f"no interval: {one.detail['interval_reason']}"
        for one in estimates
        if one.detail.get("interval_reason") and not math.isnan(one.value)
    )
    outside = [one.measure for one in estimates if _is_outside(one)]
    if outside:
        parts.append(
            f"the interval of {' and '.join(outside)} does not hold its value: items drawn again "
            "repeat their labels, so that more agreement is expected than of new items"
        )
    if any(one.interval[0] == one.interval[1] for one in estimates):
        parts.append("an interval without width: no resample differs, which makes nothing sure")
    console.print(f"{', '.join(parts)}; signatures:", soft_wrap=True)
    for line in dict.fromkeys(one.signature for one in estimates):
        console.print(line, style="dim", soft_wrap=True, markup=False)
    print_set_aside(console, refused)
    for remark in remarks:
        console.print(f"note: {remark}", soft_wrap=True, markup=False)


def print_compared(
    compared: Sequence[Compared],
    refused: Sequence[Rejected],
    remarks: Sequence[str],
    *,
    as_json: bool,
) -> None:
    """Values of two annotations side by side, their differences, and what was left out."""
    if as_json:
        from flows.quick.against import as_rows
        from flows.quick.json_output import rows_set_aside

        plain = {
            "differences": as_rows(compared),
            "set_aside": rows_set_aside(refused),
            "remarks": list(remarks),
        }
        typer.echo(json.dumps(plain, ensure_ascii=False, indent=1))
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Column, Table

    console = Console(highlight=False)
    named = Column("measure", min_width=max((len(one.measure) for one in compared), default=0))
    table = Table(named, "first", "second", "difference", "95 % interval", "p")
    if any(one.difference.reason for one in compared):
        table.add_column("why undefined")
    for one in compared:
        found = one.difference
        bounds = f"{_number(found.lower)} … {_number(found.upper)}"
        row = [one.measure, _number(one.first), _number(one.second), _number(found.value)]
        row += ["–" if math.isnan(found.lower) else bounds, _number(found.p_value)]
        table.add_row(*row, *([escape(found.reason)] if found.reason else []))
    console.print(table)
    for one in compared[:1]:
        console.print(f"{_what_is_compared(one)}; signatures:", soft_wrap=True)
    for one in compared:
        console.print(one.signature, style="dim", soft_wrap=True, markup=False)
    print_set_aside(console, refused)
    for remark in remarks:
        console.print(f"note: {remark}", soft_wrap=True, markup=False)


def _is_outside(one: Estimate) -> bool:
    """Whether the bootstrap of a coefficient on labels has moved away from its value."""
    lower, upper = one.interval
    is_drawn = "bootstrap" in one.signature and one.detail.get("interval_reason") == ""
    return is_drawn and not lower - ROUNDING <= one.value <= upper + ROUNDING


def _distance(one: Estimate) -> str:
    found = (part for part in one.signature.split("|") if part.startswith("distance:"))
    return next(found, "").partition(":")[2]


def _of_greedy(one: Estimate) -> str:
    n, largest = one.detail["n_documents_not_ideal"], one.detail["largest_excess_of_disorder"]
    ideal = (
        f"its alignment is not ideal in {counted(int(n), 'document')}, where its disorder is up to "
        f"{float(largest):.1%} greater"
        if n
        else "its alignments are all ideal, those by chance apart"
    )
    difference = float(one.detail["difference_from_exact"])
    return f"the greedy algorithm of 2011 gives {difference:+.4f} beside the exact one: {ideal}"


def _what_is_compared(one: Compared) -> str:
    if one.n_documents is None:
        told = f"{one.n_items[0]:,} and {counted(one.n_items[1], 'item')}"
        return told + (f"; {one.n_left_out} in one table only, left out" if one.n_left_out else "")
    units = f"{one.n_items[0]:,} and {counted(one.n_items[1], 'unit')}"
    if one.difference.method != "bootstrap-paired":
        documents = f"{one.n_documents[0]:,} and {counted(one.n_documents[1], 'document')}"
        return f"two campaigns of {documents}, not paired; {units}"
    left_out = (
        f"; {counted(one.n_left_out, 'document')} not annotated by two people in both, left out"
        if one.n_left_out
        else ""
    )
    return f"paired on {counted(one.n_documents[0], 'document')}; {units}{left_out}"


def print_set_aside(console: Console, refused: Sequence[Rejected]) -> None:
    """How many rows were not measured; of each rule the first one, and how many in which files."""
    if not refused:
        return
    from data.readers.quick.accepted import told

    by_rule: dict[str, list[Rejected]] = {}
    for row in refused:
        by_rule.setdefault(row.rule, []).append(row)
    console.print(
        f"[bold]{counted(len(refused), 'row')} set aside, not measured[/bold] (as in a run; --json "
        "lists all, --strict refuses the export):",
        soft_wrap=True,
    )
    for rows in by_rule.values():
        others = len(rows) - 1
        more = f" – and {others:,} more: {_places(rows)}" if others else ""
        console.print(f"  {told(rows[0])}{more}", soft_wrap=True, markup=False)


def _places(rows: Sequence[Rejected]) -> str:
    """Where the rows after the first stand: lines of one file, or how many in which files."""
    files = Counter(row.source for row in rows)
    if len(files) == 1 or len(files) == len(rows):
        places = [f"{row.source} {row.where}".strip() for row in rows[1 : 1 + _PLACES]]
        return ", ".join(places) + (" …" if len(rows) - 1 > _PLACES else "")
    places = [f"{n:,} in {source}" for source, n in files.most_common(_PLACES)]
    more = len(files) - _PLACES
    return (
        "in all " + ", ".join(places) + (f" and {counted(more, 'more file')}" if more > 0 else "")
    )


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value + 0.0:.4f}".replace("-0.0000", "0.0000")
