"""The page that compares two runs: values, the documents that changed them, other changes."""

from __future__ import annotations

from collections.abc import Sequence

from ..language import PORTFOLIO, Code, Language
from ..page.blocks import Block, Cell, Facts, Prose, Section, Table, numeric_cell
from ..page.page import Page, folded_table
from ..page.values import interval_heading, interval_text, name_with_variant, symbol_of
from ..render import render_page
from ..results import Campaign, Results, Run
from ..warnings import reason_text
from .figures import effect_strip
from .results import ComparedRun, Comparison, JudgeDrift, Setting, ValueChange

_NAMES = 20  # documents of each kind that the page lists


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
    columns = [
        Cell(say("table.measure")),
        numeric_cell(_run_name(page, found.first)),
        numeric_cell(_run_name(page, found.second)),
        numeric_cell(say("compare.change")),
        numeric_cell(interval_heading(say, level)),
        numeric_cell(say("compare.shared")),
        numeric_cell(say("compare.on_shared")),
        numeric_cell(interval_heading(say, level)),
    ]
    rows = [_value_row(page, one) for one in found.values]
    note = say("compare.interval_holds_zero") if any(one.paired for one in found.values) else ""
    blocks: list[Block] = [
        Facts(
            [
                (_run_name(page, one), say.moment(one.started) or "–")
                for one in (found.first, found.second)
            ]
        ),
        Table(say("compare.table"), columns, rows, note=note),
    ]
    if found.judges:
        said = " ".join(judge_sentence(say, one) for one in found.judges)
        blocks += [page.heading(say("compare.judges")), Prose(said)]
    without = [one for one in found.values if one.unpaired]
    if without:
        why = [(_name(page, one), say(f"compare.unpaired_{one.unpaired}")) for one in without]
        blocks += [page.heading(say("compare.without_interval")), Facts(why)]
    return Section("values", say("compare.values"), blocks, lead=say("compare.values_lead"))


def judge_sentence(say: Language, drift: JudgeDrift) -> str:
    """Describe how far a system changed from the first run to the second."""
    changed, advantage = drift.changed, drift.advantage
    if changed.reason or advantage.reason:
        reason = reason_text(say, changed.reason or advantage.reason)
        return say("compare.judge_undefined", system=drift.system, reason=reason)
    return say(
        "compare.judge",
        system=drift.system,
        layer=drift.layer,
        items=say.counted("item", changed.n_items),
        changed=say.percent(changed.value, 0),
        changed_interval=interval_text(say, changed.interval, lambda v: say.percent(v, 0)),
        advantage=say.signed(advantage.value),
        advantage_interval=interval_text(say, advantage.interval, say.signed),
        level=say.percent(changed.level, 0),
    )


def _run_name(page: Page, run: ComparedRun) -> str:
    return page.say("index.run_number", n=run.number) if run.number else run.name


def _name(page: Page, change: ValueChange) -> str:
    value = change.second or change.first
    assert value is not None  # a value that one of the runs has
    return f"{name_with_variant(page.say, value)} ({change.layer})"


def _value_row(page: Page, change: ValueChange) -> list[Cell]:
    say, paired = page.say, change.paired
    values = [
        numeric_cell("–" if one is None else say.number(one.value))
        for one in (change.first, change.second)
    ]
    whole = numeric_cell(interval_text(say, change.interval, say.signed) or "–")
    row = [Cell(_name(page, change)), *values, _signed_change_cell(page, change.change), whole]
    if paired is None:
        return [*row, numeric_cell("–"), numeric_cell("–"), numeric_cell("–")]
    interval = interval_text(say, paired.interval, say.signed)
    documents = numeric_cell(say.integer(paired.n_documents), paired.n_documents)
    return [*row, documents, _signed_change_cell(page, paired.change), numeric_cell(interval)]


def _signed_change_cell(page: Page, change: float) -> Cell:
    return numeric_cell(page.say.signed(change) if change == change else "–")


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
    columns = [
        Cell(say("compare.document")),
        Cell(say("compare.scale"), kind="strip"),
        numeric_cell(say("compare.effect")),
        Cell(say("compare.fate")),
    ]
    rows = [
        [
            Cell(one.document),
            Cell(picture=effect_strip(one.effect, largest), kind="strip"),
            _signed_change_cell(page, one.effect),
            Cell(say(f"compare.fate_{one.fate}")),
        ]
        for one in change.effects
    ]
    caption = say("compare.moved_table", symbol=symbol_of(say, change.measure), layer=change.layer)
    return folded_table(
        page, caption, columns, rows, n_total=change.n_effects, more="compare.more", css="forest"
    )


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
        return [Prose(say("compare.no_fingerprints"), tone="note")]
    renamed = [say("changes.pair", before=before, now=now) for before, now in changes.renamed]
    rows = [
        [
            Cell(say(f"changes.{kind}")),
            numeric_cell(say.integer(len(names)), len(names)),
            Cell(", ".join(names[:_NAMES]) + (", …" if len(names) > _NAMES else "")),
        ]
        for kind, names in (
            ("added", changes.added),
            ("changed", changes.changed),
            ("renamed", renamed),
            ("removed", changes.removed),
        )
        if names
    ]
    columns = [
        Cell(say("changes.what")),
        numeric_cell(say("compare.documents")),
        Cell(say("changes.names")),
    ]
    return [Table(say("compare.documents"), columns, rows)] if rows else []


def _setting_table(
    page: Page, found: Comparison, caption: str, settings: Sequence[Setting]
) -> Table:
    nothing = page.say("compare.nothing")
    columns = [Cell(page.say("compare.what"))]
    columns += [Cell(_run_name(page, run)) for run in (found.first, found.second)]
    rows = [
        [Cell(setting_name(page.say, one)), Cell(one.first or nothing), Cell(one.second or nothing)]
        for one in settings
    ]
    return folded_table(page, caption, columns, rows)


def setting_name(say: Language, setting: Setting) -> str:
    return say(f"compare.setting_{setting.kind}", of=setting.of)
