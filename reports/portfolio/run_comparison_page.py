"""The page that compares two runs: values, the documents that changed them, other changes."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from ..columns import interval, number, picture, text
from ..figures.svg import Scale
from ..language import PORTFOLIO, Code, Language
from ..page.blocks import Block, Facts, Prose, Section, Table
from ..page.page import Page
from ..page.tables import table
from ..page.values import interval_heading, name_with_variant, symbol_of
from ..render import render_page
from ..results import Campaign, Results, Run
from ..views.changes import document_table
from ..warnings import reason_text
from .comparison_sentences import comparison_sentences
from .portfolio_results import ComparedRun, Comparison, JudgeChange, Setting, ValueChange


def render_comparison(found: Comparison, *, language: Code = "en") -> str:
    """Render the page that compares two runs; the same comparison gives the same page."""
    run = Run(version=found.second.version, input_hash="")
    frame = Results(campaign=Campaign(name=found.campaign), run=run)
    page = Page(frame, Language(language, PORTFOLIO))
    sections = (
        _value_section(page, found),
        _moved_value_section(page, found),
        _changed_setting_section(page, found),
    )
    return render_page(page, [one for one in sections if one is not None], kind="compare")


def _value_section(page: Page, found: Comparison) -> Section:
    say = page.say
    level = next((one.level for one in found.values), 0.95)
    values = table(
        say, say("compare.table"), found.values,
        text(say("table.measure"), lambda one: _name(page, one)),
        number(_run_name(page, found.first), lambda one: one.first and one.first.value),
        number(_run_name(page, found.second), lambda one: one.second and one.second.value),
        number(say("compare.change"), lambda one: one.change, "+"),
        interval(interval_heading(say, level), lambda one: one.interval, "+"),
        number(say("compare.shared"), lambda one: one.paired and one.paired.n_documents),
        number(say("compare.on_shared"), lambda one: one.paired and one.paired.change, "+"),
        interval(interval_heading(say, level), lambda one: one.paired and one.paired.interval, "+"),
        note=say("compare.interval_holds_zero") if any(one.paired for one in found.values) else "",
    )  # fmt: skip
    starts = [
        (_run_name(page, one), say.moment(one.started) or "–")
        for one in (found.first, found.second)
    ]
    first: list[Block] = [Prose(said, "lead") for said in comparison_sentences(say, found)]
    blocks: list[Block] = [*first, Facts(starts), values, Prose(say("compare.values_lead"), "note")]
    if found.judges:
        said = " ".join(judge_sentence(say, one) for one in found.judges)
        blocks += [page.heading(say("compare.judges")), Prose(said)]
    without = [one for one in found.values if one.unpaired]
    if without:
        why = [(_name(page, one), say(f"compare.unpaired_{one.unpaired}")) for one in without]
        blocks += [page.heading(say("compare.without_interval")), Facts(why)]
    return Section("values", say("compare.values"), blocks)


def judge_sentence(say: Language, drift: JudgeChange) -> str:
    """Describe how far a system changed from the first run to the second."""
    changed, advantage = drift.changed, drift.advantage
    if changed.reason:
        reason = reason_text(say, changed.reason)
        return say("compare.judge_undefined", system=drift.system, reason=reason)
    of_labels = {
        "system": drift.system,
        "layer": drift.layer,
        "items": say.counted("item", changed.n_items),
        "changed": say.percent(changed.value, 0),
        "changed_interval": say.interval(changed.interval, lambda v: say.percent(v, 0)),
        "level": say.percent(changed.confidence_level, 0),
    }
    if advantage.reason:
        reason = reason_text(say, advantage.reason)
        return say("compare.judge_changed", **of_labels, reason=reason)
    return say(
        "compare.judge",
        **of_labels,
        advantage=say.signed(advantage.value),
        advantage_interval=say.interval(advantage.interval, say.signed),
    )


def _run_name(page: Page, run: ComparedRun) -> str:
    return page.say("index.run_number", n=run.number) if run.number else run.name


def _name(page: Page, change: ValueChange) -> str:
    value = change.second or change.first
    assert value is not None  # a value that one of the runs has
    return f"{name_with_variant(page.say, value)} ({change.place})"


def _moved_value_section(page: Page, found: Comparison) -> Section:
    """Show the main value of each layer; the JSON has the documents of the other values."""
    say = page.say
    first_of_layer = {one.layer: one for one in reversed(found.values)}
    tables: list[Block] = [
        _effect_table(page, one)
        for one in found.values
        if first_of_layer[one.layer] is one and one.effects
    ]
    blocks = tables or [Prose(say("compare.none_moved"))]
    return Section("moved", say("compare.moved"), blocks, lead=say("compare.moved_lead"))


def _effect_table(page: Page, change: ValueChange) -> Table:
    say = page.say
    largest = max(abs(one.effect) for one in change.effects)
    return table(
        say,
        say("compare.moved_table", symbol=symbol_of(say, change.measure), layer=change.layer),
        change.effects,
        text(say("compare.document"), lambda one: one.document),
        picture(say("compare.scale"), None, lambda one: _effect_row(one.effect, largest)),
        number(say("compare.effect"), lambda one: one.effect, "+"),
        text(say("compare.fate"), lambda one: say(f"compare.fate_{one.fate}")),
        n_total=change.n_effects, more="compare.more", css="forest",
    )  # fmt: skip


def _changed_setting_section(page: Page, found: Comparison) -> Section:
    say = page.say
    blocks = [*_document_blocks(page, found)]
    for kind, settings in (("data", found.data), ("options", found.options), ("code", found.code)):
        if settings:
            blocks.append(_setting_table(page, found, say(f"compare.table_{kind}"), settings))
    if not blocks:
        blocks.append(Prose(say("compare.same")))
    return Section("changed", say("compare.data"), blocks, lead=say("compare.data_lead"))


def _document_blocks(page: Page, found: Comparison) -> list[Block]:
    say, changes = page.say, found.documents
    if changes is None:
        return [Prose(say("compare.no_ledger"), tone="note")]
    return [*document_table(page, say("compare.documents"), changes)]


def _setting_table(
    page: Page, found: Comparison, caption: str, settings: Sequence[Setting]
) -> Table:
    nothing = page.say("compare.nothing")
    return table(
        page.say, caption, settings,
        text(page.say("compare.what"), lambda one: setting_name(page.say, one)),
        text(_run_name(page, found.first), lambda one: one.first or nothing),
        text(_run_name(page, found.second), lambda one: one.second or nothing),
    )  # fmt: skip


def setting_name(say: Language, setting: Setting) -> str:
    return say(f"compare.setting_{setting.kind}", of=setting.of)


def _effect_row(effect: float, largest: float) -> Markup:
    """Draw one row of a plot of effects around 0; the table has the numbers."""
    scale = Scale(-largest, largest, 5.0, 95.0)
    return Markup(
        '<svg class="strip" aria-hidden="true" height="18">'
        '<line class="zero" x1="50%" x2="50%" y1="0" y2="18"/>'
        '<line class="interval" x1="50%" x2="{0:g}%" y1="9" y2="9"/>'
        '<circle class="point" cx="{0:g}%" cy="9" r="4"/></svg>'
    ).format(scale(effect))
