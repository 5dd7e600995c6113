"""The cells of a study beside each other: one table, contrasts, shares, one figure a question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from markupsafe import Markup

from ..columns import Column, each, interval, number, text
from ..figures.svg import Chart, Scale, join_markup, line, path
from ..figures.svg import text as svg_text
from ..page.blocks import Block, Cell, Figure, Prose, Section
from ..page.page import Page
from ..page.tables import table
from .figures import RATES, caption_of, shared_range, symbol_or_name, x_title
from .settings import factor_name, setting_text, setting_value
from .study_results import (
    CellContrast,
    CellValue,
    StudyCurve,
    StudyPart,
    StudyQuestion,
    StudyResults,
)

MANY_CELLS = 6  # above: figures of small panels, and the details of each cell in a file of its own
_COLUMNS, _WIDTH, _HEIGHT, _GAP = 8, 84.0, 56.0, 14.0


def cell_file(number: int) -> str:
    """Return the file of a cell's details beside the page; cells are numbered from 1."""
    return f"cells/{number:03d}.html"


def cells_section(page: Page, study: StudyResults) -> Section | None:
    """Show all cells in one table, what their settings change, and how much they explain."""
    say = page.say
    if not study.questions:
        return None
    has_files = len(study.parts) > MANY_CELLS
    by_cell = [{one.cell: one for one in question.cells} for question in study.questions]

    def setting(key: str) -> Column[int]:
        return text(
            factor_name(say, key), lambda n: setting_value(say, key, study.parts[n - 1].apart[key])
        )

    columns: list[Column[int]] = [
        text(
            say("study.cell"),
            lambda n: Cell(str(n), kind="number", sort=n, href=cell_file(n) if has_files else ""),
        ),
        *each(study.parts[0].apart, setting),
    ]
    if study.looks:
        columns.append(text(say("study.trials_of_cell"), lambda n: _trials(page, study, n)))
    for question, values in zip(study.questions, by_cell, strict=True):
        columns += _value_columns(page, study, question, values)
    numbers = range(1, len(study.parts) + 1)
    blocks: list[Block] = [
        table(say, say("study.cells"), numbers, *columns, css="sortable", n_shown=100)
    ]
    for question in study.questions:
        blocks += _contrast_blocks(page, study, question)
    lead = say("study.cells_lead")
    p_values = [one.p_holm for asked in study.questions for one in asked.contrasts]
    if any(map(math.isfinite, p_values)):
        lead += " " + say("study.cells_means", n=say.integer(len(p_values)))
    return Section("cells", say("study.cells"), blocks, lead=lead)


def _trials(page: Page, study: StudyResults, number: int) -> str:
    """Return the trials of a cell, marked if it ended below the precision."""
    part, say = study.parts[number - 1], page.say
    n = say.integer(part.n_trials)
    return f"{n} {say('study.imprecise_mark')}" if part.n_imprecise else n


def precision_sentence(page: Page, study: StudyResults) -> str:
    """Say when cells stop, and how many end below the precision."""
    say = page.say
    said = say(
        "study.stops",
        precision=say.plain(study.precision, 4),
        looks=", ".join(map(say.integer, study.looks)),
    )
    short = sum(1 for part in study.parts if part.n_imprecise)
    key = "study.imprecise" if short else "study.all_precise"
    return f"{said} {say(key, n=say.integer(short), of=say.integer(len(study.parts)))}"


def _value_columns(
    page: Page, study: StudyResults, question: StudyQuestion, values: Mapping[int, CellValue]
) -> list[Column[int]]:
    shape = "%" if question.y in RATES else ""

    def value(cell: int) -> float:
        return values[cell].value if cell in values else math.nan

    def bounds(cell: int) -> tuple[float, float]:
        return (values[cell].low, values[cell].high) if cell in values else (math.nan, math.nan)

    return [
        number(_question_name(page, study, question), value, shape),
        interval(page.say("study.interval"), bounds, shape),
    ]


def _question_name(page: Page, study: StudyResults, question: StudyQuestion) -> str:
    say = page.say
    if question.y not in RATES:
        measure = symbol_or_name(page, question.y)
        return say("study.at_magnitude", measure=measure, x=say.plain(question.x, 2))
    rate = f"M({question.k or say.integer(question.x)})"
    own = question.curve == "own"
    if own or question.curve == "by_coefficient":
        x = study.observed[question.x_name] if own else question.x
        at = f"{symbol_or_name(page, question.x_name)} = {say.plain(x, 2)}"
        return say("study.at", rate=rate, at=at)
    return rate


def _contrast_blocks(page: Page, study: StudyResults, question: StudyQuestion) -> list[Block]:
    say, shape = page.say, "%" if question.y in RATES else ""
    if not question.contrasts:
        return []
    name = _question_name(page, study, question)
    difference = say("study.difference_points" if shape else "study.difference")
    is_sampled = any(math.isfinite(one.p_holm) for one in question.contrasts)

    def levels(one: CellContrast) -> str:
        values = (setting_text(say, one.setting, value) for value in (one.second, one.first))
        return say("study.minus", first=next(values), second=next(values))

    found: list[Block] = [
        table(
            say, say("study.contrasts", name=name), question.contrasts,
            text(say("study.contrast"), levels),
            number(difference, lambda one: one.difference, shape),
            Column(
                say("study.interval"), lambda one: (one.low, one.high), "interval", shape,
                when=is_sampled,
            ),
            number(say("study.p_holm"), lambda one: one.p_holm, say.p_value, when=is_sampled),
            number(say("study.n_pairs"), lambda one: one.n_pairs),
            Column(
                say("study.pair_range"), lambda one: (one.lowest, one.highest), "interval", shape,
                when=any(one.n_pairs > 1 for one in question.contrasts),
            ),
            n_shown=40,
        )
    ]  # fmt: skip
    if question.curve == "exact":
        found.append(Prose(say("study.exact_contrasts"), "note"))
    if len(study.parts[0].apart) > 1 and question.shares:
        shares = [
            f"{factor_name(say, key)} {say.percent(share, 0)}"
            for key, share in sorted(question.shares.items(), key=lambda one: -one[1])
        ]
        said = say("study.shares", name=name, shares=say.listed(shares))
        found.append(Prose(said, "note"))
    return found


def sentences_on_cells(page: Page, study: StudyResults) -> list[str]:
    """Say for each question how far the cells lie apart, and what explains most of it."""
    say, found = page.say, []
    for question in study.questions:
        known = sorted(
            (one for one in question.cells if math.isfinite(one.value)), key=lambda one: one.value
        )
        name = _question_name(page, study, question)
        low, high = (
            say.percent(one.value) if question.y in RATES else say.number(one.value)
            for one in (known[0], known[-1])
        )
        found.append(
            say(
                "study.range",
                name=name,
                low=low,
                first=say.integer(known[0].cell),
                high=high,
                last=say.integer(known[-1].cell),
            )
        )
        settings = study.parts[0].apart
        shares = {key: one for key, one in question.shares.items() if key in settings}
        if len(settings) > 1 and shares:
            key, share = max(shares.items(), key=lambda one: one[1])
            factor = factor_name(say, key)
            found.append(
                say("study.explains", name=name, factor=factor, share=say.percent(share, 0))
            )
    return found


def small_multiples(page: Page, study: StudyResults) -> list[Block]:
    """Return one figure per curve, a small panel for each cell with its number, on shared axes."""
    asked: dict[tuple[str, str, str], list[tuple[int, list[StudyCurve]]]] = {}
    for cell, part in enumerate(study.parts, start=1):
        own: dict[tuple[str, str, str], list[StudyCurve]] = {}
        for one in part.curves:
            own.setdefault((one.name, one.y, one.x_name), []).append(one)
        for key, curves in own.items():
            asked.setdefault(key, []).append((cell, three_curves(curves)))
    return [_panels(page, panels) for panels in asked.values()]


def three_curves(curves: Sequence[StudyCurve]) -> list[StudyCurve]:
    """Return a small, a middle and a large k of the curves over a coefficient."""
    return [curves[k] for k in sorted({0, len(curves) // 2, len(curves) - 1})]


def _panels(page: Page, panels: Sequence[tuple[int, list[StudyCurve]]]) -> Figure:
    say, first = page.say, panels[0][1][0]
    curves = [one for _, own in panels for one in own]
    xs = [p.x for one in curves for p in one.points] or [0.0, 1.0]
    low, high = shared_range(curves)
    low = max(low, 0.0) if first.y in RATES else low
    columns = min(_COLUMNS, len(panels))
    n_rows = math.ceil(len(panels) / columns)
    parts: list[Markup] = []
    for place, (cell, own) in enumerate(panels):
        row, column = divmod(place, columns)
        left, top = 34 + column * (_WIDTH + _GAP), 16 + row * (_HEIGHT + 2 * _GAP)
        x = Scale(min(xs), max(xs), left, left + _WIDTH)
        y = Scale(low, high, top + _HEIGHT, top)
        parts += [
            line(left, top + _HEIGHT, left + _WIDTH, top + _HEIGHT, "axis"),
            line(left, top, left, top + _HEIGHT, "axis"),
            svg_text(left + 3, top - 3, str(cell), "tick"),
        ]
        if column == 0:
            shown, digits = (say.percent, 0) if first.y in RATES else (say.number, 1)
            for value, at in ((low, top + _HEIGHT), (high, top + 6)):
                parts.append(svg_text(left - 3, at, shown(value, digits), "tick", "end"))
        if row == n_rows - 1:
            for value, at, anchor in ((min(xs), left, "start"), (max(xs), left + _WIDTH, "end")):
                tick = say.integer(value) if first.x == "k" else say.plain(value, 1)
                parts.append(svg_text(at, top + _HEIGHT + 11, tick, "tick", anchor))
        for one in own:
            known = [p for p in one.points if math.isfinite(p.y)]
            banded = [p for p in known if math.isfinite(p.low) and math.isfinite(p.high)]
            if len(banded) > 1 and len(own) == 1:
                outline = [(x(p.x), y(p.high)) for p in banded]
                outline += [(x(p.x), y(p.low)) for p in reversed(banded)]
                parts.append(path(outline, "band", closed=True))
            if len(known) > 1:
                parts.append(path([(x(p.x), y(p.y)) for p in known], "curve"))
    ks, caption = sorted({one.k for one in curves if one.k}), caption_of(page, first)
    if len(ks) > 1:  # M(2), M(5), M(8) in each panel
        every = ", ".join(f"M({k})" for k in ks)
        measure = symbol_or_name(page, first.x_name)
        caption = say("study.figure_lines", ks=every, measure=measure)
    caption = say("study.panels", caption=caption, x=x_title(page, first))
    chart = Chart(
        width=40 + columns * (_WIDTH + _GAP),
        height=16 + n_rows * (_HEIGHT + 2 * _GAP) + 4,
        body=join_markup(parts),
    )
    return Figure(chart.named(page.identifier("f"), caption, caption), caption, wide=True)


def of_one_cell(study: StudyResults, number: int) -> StudyResults:
    """Return the results of one cell, for its own file."""
    part: StudyPart = study.parts[number - 1]
    return study.model_copy(update={"parts": [part], "questions": [], "validation": None})
