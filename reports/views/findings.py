"""Findings: what the diagnosis saw, its figures, what to do.

A finding known by its code is worded by the catalogue of messages; any other stays in English.
"""

from __future__ import annotations

from ...metrics.coded_warning import Finding
from ..language import Language
from ..page.blocks import Block, FindingBlock, Section
from ..page.page import Page
from ..warnings import finding_parts


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
    title, text, advice, language = finding_parts(say, finding)
    known = not finding.read_text
    # What the sentence says already is not said twice.
    named = say.names_of(f"finding.{finding.code}.text") if known else set()
    return FindingBlock(
        title=title,
        text=text,
        advice=advice,
        severity=finding.severity,
        severity_label=say(f"findings.{finding.severity}"),
        figures=[
            (_name(say, name), say.figure(figure))
            for name, figure in finding.figures.items()
            if name not in named and (not known or say.knows(f"figure.{name}"))
        ],
        language=language,
        layer=layer,
    )


def _name(say: Language, name: str) -> str:
    """The name of a figure, as a reader writes it."""
    key = f"figure.{name}"
    if say.knows(key):
        return say(key)
    return name.replace("p_o", "pₒ").replace("p_e", "pₑ").replace("_", " ")
