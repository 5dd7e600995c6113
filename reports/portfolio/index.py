"""The pages of an index of campaigns: an overview, and one page per campaign."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup

from ..figures.curve import Level
from ..figures.sparkline import sparkline
from ..figures.svg import join_markup
from ..language import PORTFOLIO, Code, Language
from ..page.blocks import (
    Block,
    Bullets,
    Cell,
    Facts,
    Figure,
    Grid,
    Prose,
    Section,
    Table,
    numeric_cell,
)
from ..page.page import Page, folded_table, relative_link
from ..page.values import interval_heading, interval_text, symbol_of
from ..render import render_page
from ..results import Campaign, Gate, Results, Run, RunPoint
from ..views.series import Event, events_of, events_table, series_figure
from ..views.trend import points_by_date
from ..views.verdict import OPERATORS
from ..warnings import finding_parts, sentence
from .results import Index, IndexedCampaign, IndexedRun

INDEX_PAGE = "index.html"
_WORST_FIRST = ("fail", "undecided", "open", "pass")
_GATE_STATES = {"passed": "pass", "failed": "fail", "undecided": "undecided"}


def render_index(index: Index, *, language: Code = "en") -> str:
    """Render the page with one row per campaign, failed campaigns first."""
    say = Language(language, PORTFOLIO)
    page = _page(say("index.name"), index.version, say)
    numbers = Counter(one.outcome for one in index.campaigns)
    lead = say(
        "index.lead",
        campaigns=say.counted("campaign", len(index.campaigns)),
        failed=say.integer(numbers["fail"]),
        undecided=say.integer(numbers["undecided"]),
        passed=say.integer(numbers["pass"]),
        open=say.integer(numbers["open"]),
    )
    blocks: list[Block] = [Prose(say("index.none"))]
    if index.campaigns:
        chosen = sorted(
            index.campaigns, key=lambda one: (_WORST_FIRST.index(one.outcome), one.name)
        )
        names = ("campaign", "status", "values", "distance", "finding", "last_run")
        columns = [Cell(say(f"index.{name}")) for name in names]
        names_used = Counter(one.name for one in chosen)
        rows = [
            _campaign_row(page, one, place=_place(one) if names_used[one.name] > 1 else "")
            for one in chosen
        ]
        blocks = [Table(say("index.table"), columns, rows, note=say("index.note"))]
    section = Section("campaigns", say("index.title"), blocks, lead=lead)
    return render_page(page, [section], kind="index")


def render_campaign(campaign: IndexedCampaign, version: str, *, language: Code = "en") -> str:
    """Render the page of one campaign: its gates, its values over time, its runs, its warnings."""
    say = Language(language, PORTFOLIO)
    page = _page(campaign.name, version, say)
    sections = [
        _last_run_section(page, campaign),
        _gate_section(page, campaign),
        _time_section(page, campaign),
    ]
    sections += [_run_section(page, campaign), _warning_section(page, campaign)]
    kept = [one for one in sections if one is not None]
    return render_page(page, kind="index", sections=kept, simulated="_campaign")


def _page(name: str, version: str, say: Language) -> Page:
    run = Run(version=version, input_hash="")
    return Page(Results(campaign=Campaign(name=name), run=run), say)


def _place(campaign: IndexedCampaign) -> str:
    """Return the end of the store's address, which distinguishes campaigns of the same name."""
    return " (" + "/".join(campaign.store.partition("?")[0].rstrip("/").split("/")[-2:]) + ")"


def _campaign_row(page: Page, campaign: IndexedCampaign, place: str) -> list[Cell]:
    say = page.say
    gate = campaign.worst_gate()
    distance = Cell("–")
    if gate is not None:
        distance = Cell(picture=_stacked(_margin(say, gate), _gate_name(say, gate)))
    return [
        Cell(campaign.name + place, href=campaign.page),
        _status_cell(say, campaign.outcome),
        Cell(picture=_values_with_trends(say, campaign)),
        distance,
        Cell(_finding(say, campaign)),
        _report_cell(say, campaign.last, _start_text(say, campaign.last)),
    ]


def _status_cell(say: Language, outcome: str) -> Cell:
    word = say(f"index.status_{outcome}")
    return Cell(picture=Markup('<span class="mark {}">{}</span>').format(outcome, word))


def _values_with_trends(say: Language, campaign: IndexedCampaign) -> Markup:
    """Show the main values, each above a small line of its history."""
    parts = []
    for point in campaign.last.values:
        line = _history(campaign, point)
        places = points_by_date([one.started for one in line], [one.value for one in line])
        trend = sparkline(places, _gate_threshold(campaign, point))
        value = (
            f"{symbol_of(say, point.measure)} {say.number(point.value)} "
            f"{interval_text(say, point.interval)}"
        )
        parts.append(_stacked(value, point.layer) + trend)
    return join_markup(parts)


def _stacked(value: str, below: str) -> Markup:
    return Markup('<span class="over">{}</span><span class="under">{}</span>').format(value, below)


def _history(campaign: IndexedCampaign, point: RunPoint) -> list[RunPoint]:
    """Return the same value in all runs that have it, in order."""
    return [
        one
        for run in campaign.runs
        for one in run.values
        if (one.measure, one.layer) == (point.measure, point.layer)
    ]


def _gate_threshold(campaign: IndexedCampaign, point: RunPoint) -> float:
    """Return the threshold of the gate on this value; nan without a gate."""
    for gate in campaign.gates:
        if (gate.measure, gate.layer, gate.on) == (point.measure, point.layer, "value"):
            return gate.threshold
    return math.nan


def _margin(say: Language, gate: Gate) -> str:
    return say.signed(gate.margin) if math.isfinite(gate.margin) else say("value.undefined")


def _gate_name(say: Language, gate: Gate) -> str:
    place = [part for part in (gate.layer, gate.of) if part]
    return " ".join([symbol_of(say, gate.measure), *place])


def _finding(say: Language, campaign: IndexedCampaign) -> str:
    """Return the likely cause of a gate that did not pass, else falling values and a finding.

    Without any of these, return the first warning, which is about the data.
    """
    for gate in sorted(campaign.gates, key=lambda one: one.margin):
        if gate.cause is not None:
            return say(
                f"index.cause_{gate.cause.kind.value}",
                name=gate.cause.names[0],
                second=gate.cause.names[-1],
                symbol=symbol_of(say, gate.measure),
                difference=say.signed(gate.cause.difference),
                interval=interval_text(say, gate.cause.interval, say.signed),
            )
    found = [
        say.filled(f"index.{one.code}", one.figures)
        for one in campaign.alerts
        if say.knows(f"index.{one.code}")
    ]
    if campaign.finding is not None:
        found.append(finding_parts(say, campaign.finding)[0])
    found += [sentence(say, one)[0] for one in campaign.alerts[:1] if not found]
    return say.semicolon_list(found) or "–"


def _start_text(say: Language, run: IndexedRun) -> str:
    named = say("index.run_number", n=run.number)
    return f"{say.moment(run.started)} ({named})" if run.started else named


def _report_cell(say: Language, run: IndexedRun, text: str) -> Cell:
    """Return the text linked to the run's report, or its address if a page cannot link it."""
    href = relative_link(run.report)
    return Cell(text if href or not run.report else f"{text}, {run.report}", href=href)


def _last_run_section(page: Page, campaign: IndexedCampaign) -> Section:
    say = page.say
    facts = [
        (say("index.status"), say(f"index.status_{campaign.outcome}")),
        (say("index.description"), campaign.description),
        (say("index.guideline"), campaign.guideline),
        (say("index.finding"), _finding(say, campaign)),
        (say("index.store"), campaign.store),
    ]
    links = [
        [
            _report_cell(say, campaign.last, _start_text(say, campaign.last)),
            Cell(say("index.back"), href=INDEX_PAGE),
        ]
    ]
    columns = [Cell(say("index.report")), Cell(say("index.campaigns"))]
    blocks = [Facts([(term, known) for term, known in facts if known])]
    return Section(
        "last", say("index.last_run"), [*blocks, Table(say("index.links"), columns, links)]
    )


def _gate_section(page: Page, campaign: IndexedCampaign) -> Section | None:
    say = page.say
    if not campaign.gates:
        return None
    columns = [
        Cell(say("index.gate")),
        Cell(say("index.status")),
        numeric_cell(say("table.value")),
        numeric_cell(interval_heading(say, campaign.gates[0].level)),
        numeric_cell(say("index.asked")),
        numeric_cell(say("index.distance")),
    ]
    rows = [
        [
            Cell(_gate_name(say, gate)),
            _status_cell(say, _GATE_STATES[gate.outcome.value]),
            numeric_cell(say.number(gate.value)),
            numeric_cell(interval_text(say, gate.interval) or "–"),
            numeric_cell(_threshold_text(say, gate)),
            numeric_cell(_margin(say, gate)),
        ]
        for gate in campaign.gates
    ]
    table = Table(say("index.gates_table"), columns, rows)
    return Section("gates", say("index.gates"), [table])


def _threshold_text(say: Language, gate: Gate) -> str:
    threshold = f"{gate.threshold:g}".replace(".", say("value.decimal_mark"))
    return f"{OPERATORS.get(gate.operator, gate.operator)} {threshold}"


def _time_section(page: Page, campaign: IndexedCampaign) -> Section | None:
    say = page.say
    runs = [(run.started, run.guideline) for run in campaign.runs if run.outcome]
    events = events_of(say, campaign.notes, campaign.batches, runs)
    figures = [
        _figure(page, campaign, point, events)
        for point in campaign.last.values
        if sum(math.isfinite(one.value) for one in _history(campaign, point)) > 1
    ]
    if not figures:
        return None
    return Section("time", say("index.time"), [Grid(figures), *events_table(say, events)])


def _figure(
    page: Page, campaign: IndexedCampaign, point: RunPoint, events: Sequence[Event]
) -> Figure:
    say, bar = page.say, _gate_threshold(campaign, point)
    levels = []
    if math.isfinite(bar):
        levels = [Level(bar, say("index.threshold", threshold=say.number(bar, 2)), "limit")]
    caption = say("index.caption", symbol=symbol_of(say, point.measure), layer=point.layer)
    return series_figure(page, _history(campaign, point), caption, events=events, levels=levels)


def _run_section(page: Page, campaign: IndexedCampaign) -> Section:
    say = page.say
    keys = list(
        dict.fromkeys((v.layer, v.measure) for run in reversed(campaign.runs) for v in run.values)
    )
    columns = [
        numeric_cell(say("index.run")),
        Cell(say("index.started")),
        Cell(say("index.status")),
        Cell(say("index.guideline")),
        *(numeric_cell(f"{symbol_of(say, measure)} {layer}") for layer, measure in keys),
        Cell(say("index.report")),
    ]
    rows = [_run_row(page, run, keys) for run in reversed(campaign.runs)]
    table = folded_table(page, say("index.runs_table"), columns, rows)
    return Section("runs", say("index.runs"), [table])


def _run_row(page: Page, run: IndexedRun, keys: Sequence[tuple[str, str]]) -> list[Cell]:
    say = page.say
    known = {(one.layer, one.measure): one for one in run.values}
    status = _status_cell(say, run.outcome) if run.outcome else Cell(say("index.unread"))
    values = []
    for key in keys:
        one = known.get(key)
        text = "–" if one is None else f"{say.number(one.value)} {interval_text(say, one.interval)}"
        values.append(numeric_cell(text.strip()))
    report = (
        _report_cell(say, run, say("index.kept")) if run.report else Cell(say("index.no_report"))
    )
    return [
        numeric_cell(say.integer(run.number), run.number),
        Cell(say.moment(run.started) or "–"),
        status,
        Cell(run.guideline or "–"),
        *values,
        report,
    ]


def _warning_section(page: Page, campaign: IndexedCampaign) -> Section | None:
    found = [sentence(page.say, alert) for alert in campaign.alerts]
    return Section("warnings", page.say("index.warnings"), [Bullets(found)]) if found else None
