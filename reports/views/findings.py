"""Findings: what moves the gated values most, then what the diagnosis saw and what to do.

A finding known by its code is worded by the catalogue of messages; any other stays in English.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...metrics.coded_warning import Finding
from ...metrics.effect import EffectKind
from ..figures import strip
from ..language import Language
from ..page.blocks import Block, Cell, FindingBlock, Section, Table, numeric
from ..page.page import Page, folded_table
from ..page.values import interval_text, symbol_of
from ..results import Effect, ItemAgreement, UnitAgreement
from ..warnings import finding_parts

_SHOWN = 5  # effects before the fold


def findings_section(page: Page) -> Section | None:
    say = page.say
    layers: list[ItemAgreement | UnitAgreement] = [*page.results.items, *page.results.units]
    found = [(layer, finding) for layer in layers for finding in layer.findings]
    blocks: list[Block] = [
        _effects(page, layer, measure) for layer in layers for measure in _measures(page, layer)
    ]
    found.sort(key=lambda entry: (entry[1].severity != "warning", -_size(*entry)))
    blocks += [_finding(say, layer.layer, finding) for layer, finding in found]
    if not blocks:
        return None
    return Section("findings", say("findings.title"), blocks, lead=say("findings.lead"))


def _measures(page: Page, layer: ItemAgreement | UnitAgreement) -> list[str]:
    """Gated measures of the layer that effects are known on; else its first."""
    known = list(dict.fromkeys(effect.measure for effect in layer.effects))
    gated = [
        gate.measure
        for gate in page.results.gates
        if gate.layer == layer.layer and gate.measure in known
    ]
    return list(dict.fromkeys(gated)) or known[:1]


def _effects(page: Page, layer: ItemAgreement | UnitAgreement, measure: str) -> Table:
    """What the measure would be without an annotator or batch, or with categories merged."""
    say = page.say
    effects = [one for one in layer.effects if one.measure == measure]
    symbol = symbol_of(say, measure)
    scale = strip.difference_scale((one.difference, *one.interval) for one in effects)
    rows = [
        [
            Cell(_effect_name(say, one)),
            Cell(picture=strip.difference_bar(one.difference, one.interval, scale), kind="strip"),
            numeric(say.number(one.value), one.value),
            numeric(say.signed(one.difference), one.difference),
            numeric(interval_text(say, one.interval, say.signed) or "–"),
            Cell(say("effects.clear" if one.is_clear else "effects.unclear")),
        ]
        for one in effects
    ]
    columns = [
        Cell(say("effects.variant")),
        Cell(say("effects.scale"), picture=strip.axis(scale, say), kind="strip"),
        numeric(say("effects.value", symbol=symbol)),
        numeric(say("effects.difference")),
        numeric(say("effects.interval")),
        Cell(say("effects.reading")),
    ]
    caption = say("effects.caption", symbol=symbol, layer=layer.layer or say("items.the_items"))
    note = say("effects.note", n=say.integer(len(effects)))
    return folded_table(page, caption, columns, rows, note=note, n_shown=_SHOWN)


def _effect_name(say: Language, effect: Effect) -> str:
    return say(f"effects.{effect.kind.value}", name=effect.names[0], second=effect.names[-1])


def _size(layer: ItemAgreement | UnitAgreement, finding: Finding) -> float:
    """How far what the finding names moves the layer's values; 0 where that is not known."""
    figures = finding.figures
    if finding.code == "inhomogeneous_batches":
        those = [one for one in layer.effects if one.kind is EffectKind.batch]
    else:
        named = {str(figures[name]) for name in ("annotator", "first", "second") if name in figures}
        those = [one for one in layer.effects if named and set(one.names) == named]
    return _largest(those)


def _largest(effects: Sequence[Effect]) -> float:
    return max((abs(one.difference) for one in effects), default=0.0)


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
