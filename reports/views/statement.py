"""Data statement, limits, licence, and everything needed to reproduce the numbers."""

from __future__ import annotations

from collections.abc import Mapping

from ...metrics.estimate import Estimate
from ..bibliography import bibliography, formatted_reference
from ..columns import Column, code, number, text
from ..language import Language
from ..page.blocks import Block, Bullets, Cell, Code, Facts, Fold, Prose, Reference, Section
from ..page.page import Page
from ..page.tables import table
from ..page.values import symbol_of
from ..results import ItemAgreement, Results, Stage, UnitAgreement


def statement_section(page: Page) -> Section | None:
    """Show the data statement: licence, language, guideline, and what a release still lacks."""
    campaign, say = page.results.campaign, page.say
    facts = [
        (say(f"statement.{key}"), text)
        for key, text in (
            ("licence", campaign.licence),
            ("language", campaign.language),
            ("guideline", campaign.guideline),
            ("contact", campaign.contact),
        )
        if text
    ]
    blocks: list[Block] = [Facts(facts)] if facts else []
    if campaign.statement:
        blocks.append(Facts(list(campaign.statement.items()), page.language_of_texts))
    release = page.results.release
    if release is not None and release.missing:
        blocks += [
            Prose(say("release.missing"), "warning"),
            Bullets(missing_statement_parts(page)),
        ]
    elif release is not None:
        blocks.append(Prose(say("release.complete"), "note"))
    blocks += [
        page.heading(say("limits.title")),
        Bullets([(say(f"limits.{key}"), say.code) for key in limit_keys(page.results)]),
    ]
    n = say.integer(len(limit_keys(page.results)))
    return page.section("statement", blocks, inside=say("statement.inside", n=n))


def missing_statement_parts(page: Page) -> list[tuple[str, str]]:
    """Return what the data statement lacks, each with its language: headings as in the file."""
    say, release = page.say, page.results.release
    return [
        (say(f"statement.{name}"), say.code) if say.knows(f"statement.{name}") else (name, "en")
        for name in (release.missing if release is not None else [])
    ]


def limit_keys(results: Results) -> list[str]:
    """Return the limits of the numbers in these results, as keys of the messages `limits`."""
    keys = ["agreement"]
    if results.items or results.units:
        layers: list[ItemAgreement | UnitAgreement] = [*results.items, *results.units]
        is_wide = any(value.is_for_new_annotators for one in layers for value in one.values)
        keys.append("interval_annotators" if is_wide else "interval")
    if any(_resamples_items(value) for layer in results.items for value in layer.values):
        keys.append("interval_of_items")
    if any(layer.chance for layer in results.units):
        keys.append("chance")
    if any(len(layer.annotators) < 3 for layer in results.items):
        keys.append("two")
    are_decided = {one.rule == "adjudicated" for one in results.references}
    keys += ["reference"] if False in are_decided else []
    keys += ["reference_decided"] if True in are_decided else []
    if results.campaign.privacy:
        keys.append("privacy")
    return keys


def _resamples_items(value: Estimate) -> bool:
    """Return whether the interval is over items: there is one document, or none is known."""
    interval = value.how.interval
    return interval is not None and "items" in interval.over.split()


def reproduce_section(page: Page) -> Section | None:
    run, say = page.results.run, page.say
    blocks: list[Block] = []
    if run.command:
        blocks.append(Code(run.command, page.identifier("k"), say("reproduce.command")))
    facts = [
        (say("reproduce.version"), run.version),
        (say("reproduce.seed"), str(run.seed)),
        (say("reproduce.input"), run.input_hash),
        (say("reproduce.config"), run.config_hash),
        (say("reproduce.started"), say.moment(run.started)),
        (say("reproduce.schema"), page.results.schema_version),
    ]
    blocks.append(Facts([(term, known) for term, known in facts if known]))
    mains = _main_values(page)
    if mains:
        signatures = table(
            say, say("reproduce.signatures"), mains,
            text(
                say("table.measure"),
                lambda row: f"{symbol_of(say, row[1].measure)} {row[0]}".strip(),
            ),
            code(say("card.signature"), lambda row: row[1].signature),
        )  # fmt: skip
        blocks.append(signatures)
    if run.stages:
        blocks.append(_stage_block(page))
    blocks += _folded_pairs(
        page, say("reproduce.versions"), run.versions,
        text(say("reproduce.package"), lambda row: row[0]),
        code(say("reproduce.version"), lambda row: row[1]),
    )  # fmt: skip
    if run.inputs:
        blocks.append(Prose(say("reproduce.inputs", n=say.integer(len(run.inputs))), "note"))
    known = {"version": run.version, "seed": str(run.seed), "n": say.integer(len(run.inputs))}
    inside = say("reproduce.inside", **known)
    return page.section("reproduce", blocks, lead=say("reproduce.lead"), inside=inside)


def _folded_pairs(
    page: Page, caption: str, pairs: Mapping[str, str], *columns: Column[tuple[str, str]]
) -> list[Block]:
    rows = table(page.say, caption, pairs.items(), *columns, n_shown=60)
    return [Fold(caption, [rows])] if pairs else []


def _main_values(page: Page) -> list[tuple[str, Estimate]]:
    """Return the main value of each layer; the others are on the cards of their values."""
    results = page.results
    agreements: list[ItemAgreement | UnitAgreement] = [*results.items, *results.units]
    mains = [(one.layer, one.values[0]) for one in agreements if one.values]
    mains += [(one.layer, one.values[0].value) for one in results.relations if one.values]
    return [(layer, value) for layer, value in mains if value.signature]


def _stage_block(page: Page) -> Block:
    say = page.say

    def tenths(seconds: float) -> str:
        return say.plain(seconds, 1)

    return table(
        say, say("stage.title"), page.results.run.stages,
        text(say("stage.name"), lambda stage: _stage_name(page, stage.name)),
        number(say("stage.seconds"), lambda stage: stage.seconds, tenths),
        number(say("stage.worker_seconds"), lambda stage: stage.worker_seconds, tenths),
        number(say("stage.tasks"), lambda stage: stage.n_tasks),
        number(say("stage.reused"), lambda stage: _reused(say, stage)),
    )  # fmt: skip


def _reused(say: Language, stage: Stage) -> Cell | int:
    """Return how many of the stage's parts (sources, shards, batches of samples) were reused."""
    if not stage.n_parts:
        return stage.n_reused
    words = f"{say.integer(stage.n_reused)} / {say.integer(stage.n_parts)}"
    return Cell(words, kind="number", sort=stage.n_reused)


def _stage_name(page: Page, name: str) -> str:
    """Return the stage's name in the page's language: `align entities` is a stage and a layer."""
    say = page.say
    words = name.split(" ")
    for n in range(len(words), 0, -1):
        key = f"stage_name.{'_'.join(words[:n])}"
        if say.knows(key):
            layer = " ".join(words[n:])
            return f"{say(key)}, {layer}" if layer else say(key)
    return name


def bibliography_section(page: Page) -> Section | None:
    """Show BibTeX of the measures on this page; made last, when all of them are known."""
    entries = bibliography()
    say = page.say
    blocks: list[Block] = [
        Reference(formatted_reference(entries[key]), entries[key], f"bib-{key}")
        for key in page.cited
        if key in entries
    ]
    title, lead = say("bibliography.title"), say("bibliography.lead")
    inside = say("bibliography.inside", n=say.integer(len(blocks)))
    return page.section("references", blocks, title=title, lead=lead, inside=inside)
