"""Findings: what the diagnosis saw, its figures, what to do."""

from __future__ import annotations

import math

from reports.language import Language
from reports.results import Finding
from reports.views.blocks import Block, FindingBlock, Section
from reports.views.page import Page


def findings_section(page: Page) -> Section | None:
    say = page.say
    found = [(layer.layer, finding) for layer in page.results.items for finding in layer.findings]
    found += [(layer.layer, finding) for layer in page.results.units for finding in layer.findings]
    if not found:
        return None
    found.sort(key=lambda entry: entry[1].severity != "warning")
    blocks: list[Block] = [_finding(say, layer, finding) for layer, finding in found]
    return Section("findings", say("findings.title"), blocks, lead=say("findings.lead"))


def _finding(say: Language, layer: str, finding: Finding) -> FindingBlock:
    warning = finding.severity == "warning"
    title, language = f"finding.{finding.rule}", "en" if say.code != "en" else ""
    return FindingBlock(
        title=say(title) if say.knows(title) else finding.title,
        title_language=say.code if say.knows(title) else language,
        text=finding.text,
        advice=finding.advice,
        severity="warning" if warning else "note",
        severity_label=say("findings.warning" if warning else "findings.note"),
        figures=[(_key(key), _figure(say, figure)) for key, figure in finding.figures.items()],
        language=language,
        layer=layer,
    )


def _key(key: str) -> str:
    """The name of a figure, as a reader writes it."""
    return key.replace("p_o", "pₒ").replace("p_e", "pₑ").replace("_", " ")


def _figure(say: Language, figure: float | int | str) -> str:
    if isinstance(figure, str):
        return figure
    if isinstance(figure, int):
        return say.integer(figure)
    return say.number(figure) if math.isfinite(figure) else say("value.undefined")
