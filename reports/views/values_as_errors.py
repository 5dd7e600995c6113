"""What the disagreement costs: values as errors, and what each kind of error costs in γ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from ...metrics.coded_warning import CodedWarning
from ...metrics.estimate import Estimate
from ...metrics.reason import Reason
from ..figures.curve import Level, Point, curve, value_range
from ..language import Language
from ..page.blocks import Block, Bullets, Figure, Fold, Grid, Prose, Section
from ..page.page import Page, blocks_by_layer
from ..page.values import symbol_of
from ..results import GridCurve, UnitAgreement
from ..warnings import warning_sentence
from .resampling import reading_table_blocks
from .units import error_cost_blocks


def values_as_errors_section(page: Page) -> Section | None:
    results, say = page.results, page.say
    read = [(said, "") for said in _meanings(page) if said]
    explained = (found_text(say, layer) for layer in results.units)
    read += [(said, "") for said in explained if said]
    read += [_unlabelled(say, one) for reading in results.readings for one in reading.sentences]
    read += [
        (reading_sentence(page, grid.measure, grid.degradation, grid.reading), "")
        for grid in results.grids
        if grid.reading is not None and not grid.n_units
    ]
    read += [(said, "") for said in _standard_readings(page)]
    blocks: list[Block] = [Bullets(read)] if read else []
    costly = [layer for layer in results.units if layer.error_costs]
    blocks += blocks_by_layer(page, costly, error_cost_blocks)
    basis = _basis(page)
    blocks += [Fold(say("reading.basis"), basis)] if basis else []
    return page.section("reading", blocks, is_open=True)


def _unlabelled(say: Language, warning: CodedWarning) -> tuple[str, str]:
    """Return a sentence without the name of its layer, which the section has."""
    if "layer" not in warning.figures:
        return warning_sentence(say, warning)
    return warning_sentence(say, replace(warning, figures={**warning.figures, "layer": ""}))


def _basis(page: Page) -> list[Block]:
    """Show the simulated campaigns from which the sentences were read."""
    results, blocks = page.results, list[Block]()
    drawn = [one for one in results.grids if one.magnitudes and not one.n_units]
    if drawn:
        figures = [_error_curve_figure(page, one, _shared_range(drawn, one)) for one in drawn]
        blocks += [Prose(page.say("reading.grids")), Grid(figures)]
    for table in results.reading_tables:
        blocks += reading_table_blocks(page, table)
    return blocks


def _meanings(page: Page) -> list[str]:
    """Describe each layer's main value, or γ, with its observed and expected parts."""
    values = [(one.values[0], "items") for one in page.results.items if one.values]
    of_units = (value for one in page.results.units for value in one.values)
    values += [(value, "units") for value in of_units if value.measure == "gamma"]
    return [_meaning(page, value, kind) for value, kind in values]


def found_text(say: Language, layer: UnitAgreement) -> str:
    """Return the values that explain γ in a sentence; "" without them."""
    if not layer.explained or any(math.isnan(one.value) for one in layer.explained):
        return ""
    values = {
        one.measure: " ".join(filter(None, (say.number(one.value), say.interval(one.interval))))
        for one in layer.explained
    }
    return say("meaning.found", **values)


def _meaning(page: Page, value: Estimate, kind: str) -> str:
    say = page.say
    if not all(map(math.isfinite, (value.value, value.observed, value.expected))):
        return ""
    distance = value.how.distance or "nominal"
    weighted = "_weighted" if kind == "items" and distance != "nominal" else ""
    shown = say.percent if kind == "items" else say.number
    figures = {
        "observed": shown(value.observed),
        "expected": shown(value.expected),
        "share": say.percent(abs(value.value), 0),
    }
    sign = "" if value.value >= 0 else "_negative"
    return say(f"meaning.{kind}{weighted}{sign}", **figures)


def _standard_readings(page: Page) -> list[str]:
    """Describe per layer which single error gives such a value in a small simulated campaign."""
    say, found = page.say, []
    standard = [one for one in page.results.grids if one.n_units and one.reading]
    for layer in dict.fromkeys(one.layer for one in standard):
        of_layer = [one for one in standard if one.layer == layer]
        known = [
            _error(say, one.degradation, one.reading.magnitude)
            for one in of_layer
            if one.reading is not None and not one.reading.reason
        ]
        first = of_layer[0]
        if known and first.reading is not None:
            said = say(
                "reading.standard",
                symbol=symbol_of(say, first.measure),
                value=say.number(first.reading.value),
                errors=say.listed_or(known),
                units=say.counted("unit", first.n_units),
                trials=say.integer(first.trials),
            )
            found.append(said)
    return found


def _error(say: Language, degradation: str, magnitude: float) -> str:
    key = f"errors.{degradation}"
    if not say.knows(key):  # of another package
        key = "errors.other"
    return say(key, n=_magnitude(say, degradation, magnitude), name=degradation.replace("_", " "))


def _magnitude(say: Language, degradation: str, magnitude: float) -> str:
    if degradation == "shift":  # magnitude m moves a bound by up to m / 2 in either direction
        return say.number(magnitude / 2, 2)
    return say.percent(magnitude, 0)  # all other magnitudes are probabilities


class InverseReading(Protocol):
    """A reading of a run or of a study."""

    @property
    def value(self) -> float: ...
    @property
    def magnitude(self) -> float: ...
    @property
    def interval(self) -> tuple[float, float]: ...
    @property
    def reason(self) -> Reason | None: ...


def reading_sentence(page: Page, measure: str, degradation: str, reading: InverseReading) -> str:
    """Return the inverse reading.

    For example: "γ of 0.62 is that of annotators who leave out 18 % of the units".
    """
    say = page.say
    figures = {"symbol": symbol_of(say, measure), "value": say.number(reading.value)}
    if reading.reason:
        name = _degradation(page, degradation)
        return say("reading.off", degradation=name, **figures)
    low, high = reading.interval
    return say(
        "reading.sentence",
        errors=_error(say, degradation, reading.magnitude),
        low=_magnitude(say, degradation, low),
        high=_magnitude(say, degradation, high),
        **figures,
    )


def _degradation(page: Page, degradation: str) -> str:
    key = f"degradation.{degradation}"
    return page.say(key) if page.say.knows(key) else degradation


def _shared_range(grids: Sequence[GridCurve], grid: GridCurve) -> tuple[float, float]:
    """One axis for all the curves of a measure on a layer, so that they compare."""
    those = [g for g in grids if (g.layer, g.measure) == (grid.layer, grid.measure)]
    heights = [
        *(height for one in those for height in one.means),
        *(bound for one in those for interval in one.intervals for bound in interval),
        *(one.reading.value for one in those if one.reading is not None),
    ]
    return value_range(*heights)


def _error_curve_figure(page: Page, grid: GridCurve, y_range: tuple[float, float]) -> Figure:
    say = page.say
    symbol = symbol_of(say, grid.measure)
    name, is_shift = _degradation(page, grid.degradation), grid.degradation == "shift"
    nothing = (math.nan, math.nan)
    intervals = grid.intervals or [nothing] * len(grid.magnitudes)
    points = [
        Point(x, y, low, high)
        for x, y, (low, high) in zip(grid.magnitudes, grid.means, intervals, strict=False)
    ]
    current = math.nan if grid.reading is None else grid.reading.value
    level = Level(current, say("reading.yours", symbol=symbol, value=say.number(current)))
    caption = say("reading.figure", symbol=symbol, degradation=name)
    svg = curve(
        points,
        x_title=say("reading.magnitude_shift" if is_shift else "reading.magnitude"),
        y_title=symbol,
        say=say,
        y_range=y_range,
        levels=[level],
    ).named(page.identifier("f"), caption, _description(page, points, symbol))
    if grid.reading is not None:
        caption += f". {reading_sentence(page, grid.measure, grid.degradation, grid.reading)}"
    return Figure(svg, caption, signature=grid.signature)


def _description(page: Page, points: list[Point], symbol: str) -> str:
    say = page.say
    drawn = [p for p in points if p.drawn]
    if not drawn:
        return say("value.undefined")
    first, last = drawn[0], drawn[-1]
    return say(
        "reading.description",
        symbol=symbol,
        first=say.number(first.y),
        start=say.number(first.x, 2),
        last=say.number(last.y),
        end=say.number(last.x, 2),
    )
