"""The check of judges as a section of the report, as Markdown, and as the checklist of a study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..data.option_names import in_campaign_file
from .columns import MISSING, Column, Table, is_missing, text
from .judge_checklist import checklist
from .judges import MAJORITY, MESSAGES, blocks, verdict_sentence
from .language import REPORT, Code, Language
from .page.blocks import Block, Fold, Heading, Prose, Section
from .page.tables import table
from .results.judges import MOST_ITEMS_OF_CELL, JudgeReport
from .summary import plain_markdown

OF_PAGE = (*REPORT, "judge")


@in_campaign_file()
def judge_sections(judged: Sequence[JudgeReport], language: Code = "en") -> list[Section]:
    """Return the section of the report of a run; [] if no system was checked."""
    say = Language(language, OF_PAGE)
    made: list[Block] = []
    for found in judged:
        if len(judged) > 1:
            made.append(Heading(say("judge.of_layer", layer=found.layer), f"judges-{found.layer}"))
        made += page_blocks(say, blocks(say, found))
        made += [
            Fold(one.title, [table(say, "", one.rows, *one.columns)])
            for one in checklists(say, found)
        ]
    if not made:
        return []
    inside = verdict_sentence(say, judged[0], judged[0].verdicts[0])
    lead = Prose(say.filled("judge.wall", {"most": MOST_ITEMS_OF_CELL}), "lead")
    return [Section("judges", say("judge.title"), [lead, *made], css="apart", inside=inside)]


def page_blocks(say: Language, found: Iterable[str | Table]) -> list[Block]:
    """Return sentences and tables as blocks of the page."""
    made: list[Block] = []
    for block in found:
        if isinstance(block, str):
            made.append(Prose(block))
        else:
            css = "forest" if any(one.kind == "picture" for one in block.columns) else ""
            made.append(table(say, block.title, block.rows, *block.columns, css=css))
    return made


@in_campaign_file()
def verdict_lines(judged: Sequence[JudgeReport]) -> list[str]:
    """Return the verdicts of a run for the terminal, each with its layer."""
    say = Language("en", MESSAGES)
    return [
        f"judge ({found.layer}): {verdict_sentence(say, found, verdict)}"
        for found in judged
        for verdict in found.verdicts
    ]


def checklists(say: Language, found: JudgeReport) -> Iterator[Table]:
    """Yield for each system what a study that uses it reports, filled in from the results."""
    n, all_of = say.integer(found.n_reference), say.counted("item", found.n_items)
    against = say("judge.majority") if found.reference == MAJORITY else found.reference
    ceiling = found.agreement[0] if found.agreement else None
    for one, verdict in zip(found.replacement.systems, found.verdicts, strict=True):
        by_bars = verdict.by == "bars"
        own = [
            (
                say("judge.point_reference"),
                say("judge.scores", reference=against, n=n, items=all_of),
            ),
            (
                say("judge.point_bars"),
                verdict_sentence(say, found, verdict)
                if by_bars
                else say.filled("judge.fill_bars", {}),
            ),
            (
                say("judge.point_audit"),
                say("judge.filled_audit" if found.corrected else "judge.fill_audit"),
            ),
        ]
        points = [
            (point.title, point.text) for point in checklist(say, found.replacement, one, ceiling)
        ]
        yield Table(
            say("judge.checklist", system=one.system),
            [*own, *points],
            (
                text(say("judge.point"), lambda row: row[0]),
                text(say("judge.to_report"), lambda row: row[1]),
            ),
        )


def markdown(say: Language, found: JudgeReport) -> str:
    """Return the same sentences and tables as Markdown, with the checklist of a study."""
    parts = []
    for block in (*blocks(say, found), *checklists(say, found)):
        if isinstance(block, str):
            parts.append(plain_markdown(block))
            continue
        columns = [column for column in block.columns if column.when]
        lines = [
            _line(column.heading for column in columns),
            _line("---" if column.kind == "text" else "--:" for column in columns),
            *(_line(_cell(say, column, row) for column in columns) for row in block.rows),
        ]
        parts += [f"**{plain_markdown(block.title)}**", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _line(cells: Any) -> str:
    return f"| {' | '.join(plain_markdown(str(cell)) for cell in cells)} |"


def _cell(say: Language, column: Column[Any], row: Any) -> str:
    value = column.value(row)
    if is_missing(value):
        return MISSING
    if column.kind == "interval":
        return say.interval(value, column.shape) or MISSING
    return say.figure(value, column.shape) if column.kind == "number" else str(value)
