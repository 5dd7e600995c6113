"""The pages of an index of campaigns: an overview, and one page per campaign."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup

from ..causes import cause_words, effect_words
from ..columns import each, interval, number, text
from ..figures.curve import Level
from ..figures.sparkline import sparkline
from ..figures.svg import join_markup
from ..language import PORTFOLIO, Code, Language
from ..page.blocks import Block, Bullets, Cell, Facts, Figure, Grid, Prose, Section
from ..page.page import Page, relative_link
from ..page.tables import table
from ..page.values import interval_heading, symbol_of
from ..render import render_page
from ..results import Campaign, Gate, Results, Run, RunPoint
from ..views.series import Event, events_of, events_table, series_figure
from ..views.trend import points_by_date
from ..views.verdict import name_of_tested, threshold_text
from ..warnings import finding_parts, warning_sentence
from .portfolio_results import Index, IndexedCampaign, IndexedRun

INDEX_PAGE = "index.html"
_WORST_FIRST = ("fail", "undecided", "open", "pass")
_GATE_STATES = {"passed": "pass", "failed": "fail", "undecided": "undecided"}


def render_index(index: Index, *, language: Code = "en") -> str:
    """Render the page with one row per campaign, those furthest from a threshold first."""
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
            index.campaigns,
            key=lambda one: (_WORST_FIRST.index(one.outcome), one.worst_margin(), one.name),
        )
        named = Counter(one.name for one in chosen)
        blocks = [
            table(
                page.say,
                say("index.table"),
                chosen,
                text(
                    say("index.campaign"),
                    lambda one: Cell(
                        one.name + (_place(one) if named[one.name] > 1 else ""), href=one.page
                    ),
                ),
                text(say("index.status"), lambda one: _status_cell(say, one.outcome)),
                text(say("index.values"), lambda one: Cell(picture=_values_with_trends(say, one))),
                text(say("index.distance"), lambda one: _worst_margin(say, one)),
                text(say("index.finding"), lambda one: _finding(say, one)),
                text(
                    say("index.last_run"),
                    lambda one: _report_cell(one.last, _start_text(say, one.last)),
                ),
                note=say("index.note"),
                n_shown=None,
            )
        ]
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


def _worst_margin(say: Language, campaign: IndexedCampaign) -> Cell | None:
    gate = campaign.worst_gate()
    if gate is None:
        return None
    return Cell(picture=_stacked(_margin(say, gate), _gate_name(say, gate)))


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
            f"{say.interval(point.interval)}"
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
        of = (gate.measure, gate.layer, gate.on)
        if of == (point.measure, point.layer, "value") and not gate.is_of_part:
            return gate.threshold
    return math.nan


def _margin(say: Language, gate: Gate) -> str:
    margin = gate.worst_margin
    return say.signed(margin) if math.isfinite(margin) else say("value.undefined")


def _gate_name(say: Language, gate: Gate) -> str:
    is_of_last = gate.over != "campaign" or gate.worst_margin < gate.margin
    last = gate.last.run if gate.last is not None and is_of_last else ""
    place = [part for part in (gate.layer, gate.of, last) if part]
    return name_of_tested(say, gate, " ".join([symbol_of(say, gate.measure), *place]))


def _finding(say: Language, campaign: IndexedCampaign) -> str:
    """Return a likely cause, of the worst gate if it has one, else falling values and a finding.

    Without any of these, return the first warning, which is about the data.
    """
    worst = campaign.worst_gate()
    worst_first = sorted(campaign.actions, key=lambda one: worst is None or not one.is_on(worst))
    for action in worst_first:
        if action.cause is not None and math.isfinite(action.distance):
            text = cause_words(say, action.cause, system=action.of)
            if action.cause.overstates:
                return f"{text}: {effect_words(say, action, 'action', is_passed=False)}"
            return say(
                "cause.short",
                text=text,
                symbol=symbol_of(say, action.measure),
                difference=say.signed(action.gain),
                interval=say.interval(action.interval, say.signed),
            )
    found = [
        say.filled(f"index.{one.code}", one.figures)
        for one in campaign.alerts
        if say.knows(f"index.{one.code}")
    ]
    if campaign.finding is not None:
        found.append(finding_parts(say, campaign.finding)[0])
    found += [warning_sentence(say, one)[0] for one in campaign.alerts[:1] if not found]
    return say.semicolon_list(found) or "–"


def _start_text(say: Language, run: IndexedRun) -> str:
    named = say("index.run_number", n=run.number)
    return f"{say.moment(run.started)} ({named})" if run.started else named


def _report_cell(run: IndexedRun, text: str) -> Cell:
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
    start = _start_text(say, campaign.last)
    links = table(
        say, say("index.links"), [campaign.last],
        text(say("index.report"), lambda run: _report_cell(run, start)),
        text(say("index.campaigns"), lambda _: Cell(say("index.back"), href=INDEX_PAGE)),
    )  # fmt: skip
    blocks = [Facts([(term, known) for term, known in facts if known]), links]
    return Section("last", say("index.last_run"), blocks)


def _gate_section(page: Page, campaign: IndexedCampaign) -> Section | None:
    say = page.say
    if not campaign.gates:
        return None
    gates = table(
        say, say("index.gates_table"), campaign.gates,
        text(say("index.gate"), lambda gate: _gate_name(say, gate)),
        text(say("index.status"), lambda gate: _status_cell(say, _GATE_STATES[gate.outcome.value])),
        number(say("table.value"), lambda gate: gate.value),
        interval(interval_heading(say, campaign.gates[0].level), lambda gate: gate.interval),
        number(say("index.asked"), lambda gate: threshold_text(say, gate)),
        number(say("index.distance"), lambda gate: gate.margin, "+"),
        n_shown=None,
    )  # fmt: skip
    return Section("gates", say("index.gates"), [gates])


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
    return Section("time", say("index.time"), [Grid(figures), *events_table(page, events)])


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

    def value(run: IndexedRun, key: tuple[str, str]) -> str:
        known = {(one.layer, one.measure): one for one in run.values}
        if key not in known:
            return ""
        return f"{say.number(known[key].value)} {say.interval(known[key].interval)}".strip()

    def status(run: IndexedRun) -> Cell | str:
        return _status_cell(say, run.outcome) if run.outcome else say("index.unread")

    def report(run: IndexedRun) -> Cell | str:
        return _report_cell(run, say("index.kept")) if run.report else say("index.no_report")

    runs = table(
        say, say("index.runs_table"), reversed(campaign.runs),
        number(say("index.run"), lambda run: run.number),
        text(say("index.started"), lambda run: say.moment(run.started)),
        text(say("index.status"), status),
        text(say("index.guideline"), lambda run: run.guideline),
        *each(
            keys,
            lambda key: number(f"{symbol_of(say, key[1])} {key[0]}", lambda run: value(run, key)),
        ),
        text(say("index.report"), report),
    )  # fmt: skip
    return Section("runs", say("index.runs"), [runs])


def _warning_section(page: Page, campaign: IndexedCampaign) -> Section | None:
    found = [warning_sentence(page.say, alert) for alert in campaign.alerts]
    return Section("warnings", page.say("index.warnings"), [Bullets(found)]) if found else None
