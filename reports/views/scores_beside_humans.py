"""Systems beside the annotators: both scored against the same references, on one axis."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import NamedTuple

from ...metrics.estimate import NO_INTERVAL, Estimate
from ..columns import interval, number, picture, text
from ..figures import forest_row
from ..page.blocks import Block, Prose, Table
from ..page.page import Page
from ..page.tables import table
from ..page.values import (
    interval_heading,
    measure_name,
)
from ..results import SystemScores, Validity


def blocks_beside_humans(page: Page, validity: Validity) -> list[Block]:
    """Show systems and annotators on one axis, scored against the same references.

    A table per layer, of accuracy or F: against the reference of the systems, and against each
    reference built without one annotator.
    """
    blocks: list[Block] = []
    for kind, humans, systems, note in (
        ("same", validity.humans, validity.systems, "validity.same_reference_note"),
        ("left_out", validity.human_range, validity.leave_one_out, "validity.left_out_note"),
    ):
        of_humans, of_systems = _by_measure(humans), _by_measure(systems)
        main = dict(of_humans.keys())  # layer → accuracy, or F after precision and recall
        shared = [of for of in main.items() if of in of_systems]
        tables = [
            _table_beside_humans(
                page, kind, of, _values_of_all(of_humans[of]), of_systems[of], validity.reference
            )
            for of in shared
        ]
        if tables:
            between = ""
            if kind == "left_out" and any(measure.startswith("exact_") for _, measure in shared):
                between = _between_note(page)
            blocks += [*tables, Prose(f"{page.say(note)} {between}".strip(), "note")]
    return blocks


def _between_note(page: Page) -> str:
    """That the bounds of a reference by an even number of annotators lie between theirs."""
    n_others = sum(one.role == "human" for one in page.results.annotators) - 1
    if n_others % 2:
        return ""
    return page.say("validity.human_range_between", n=page.say.integer(n_others))


def _by_measure(
    scores: Sequence[SystemScores],
) -> dict[tuple[str, str], dict[str, list[Estimate]]]:
    """(layer, measure) → name → defined values, one per reference."""
    found: dict[tuple[str, str], dict[str, list[Estimate]]] = {}
    for one in scores:
        for value in one.values:
            if math.isfinite(value.value):
                by_name = found.setdefault((one.layer, value.measure), {})
                by_name.setdefault(one.system, []).append(value)
    return found


def _values_of_all(by_name: Mapping[str, Sequence[Estimate]]) -> list[float]:
    return [value.value for values in by_name.values() for value in values]


def _table_beside_humans(
    page: Page,
    kind: str,
    of: tuple[str, str],
    humans: list[float],
    systems: Mapping[str, Sequence[Estimate]],
    reference: str,
) -> Table:
    """One row for the band of the annotators, and one per system.

    Against several references, each row has its mean and its range over them.
    """
    say, (layer, measure) = page.say, of
    several = kind == "left_out"
    points = {name: _mean_of(values) for name, values in systems.items()}
    scale = forest_row.shared_scale(points.values(), humans)
    rows = [
        _Compared(say("validity.annotators", n=say.counted("human", len(humans))), humans, None),
        *(
            _Compared(name, [one.value for one in systems[name]], point)
            for name, point in points.items()
        ),
    ]

    def span(values: Sequence[float]) -> str:
        return f"{say.number(min(values))} – {say.number(max(values))}"

    def spread(row: _Compared) -> str | tuple[float, float] | None:
        if several:
            return span(row.values)
        return None if row.point is None else row.point.interval

    level = next(iter(points.values())).confidence_level
    caption = say(
        f"validity.beside_humans_{kind}",
        measure=measure_name(say, measure), layer=layer, reference=reference,
    )  # fmt: skip
    return table(
        say, caption, rows,
        text(say("validity.scored"), lambda row: row.name),
        picture(
            say("table.scale"),
            forest_row.axis(scale, say),
            lambda row: forest_row.value_and_interval(row.point, scale, others=humans),
        ),
        number(
            say("validity.mean" if several else "table.value"),
            lambda row: fmean(row.values) if several or row.point else span(row.values),
        ),
        interval(say("validity.range") if several else interval_heading(say, level), spread),
        css="forest",
    )  # fmt: skip


class _Compared(NamedTuple):
    name: str
    values: Sequence[float]  # of all annotators, or of one system over the references
    point: Estimate | None  # of a system


def _mean_of(values: Sequence[Estimate]) -> Estimate:
    """The one value, or the mean of several without an interval."""
    if len(values) == 1:
        return values[0]
    return replace(values[0], value=fmean(one.value for one in values), interval=NO_INTERVAL)
