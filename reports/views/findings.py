"""Findings: diagnosed causes and what to do, then what changes the values with gates most.

The first of them are at the top of the report and in its printed brief, the others in a separate
section. A finding with a known code is worded by the message catalogue; any other stays in English.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...metrics.coded_warning import Finding
from ...metrics.effect_of_omission import EffectKind
from ..columns import interval, number, picture, text
from ..figures import forest_row
from ..language import Language
from ..page.blocks import Block, FindingBlock, Fold, Prose, Section, Table
from ..page.page import Page
from ..page.tables import table
from ..page.values import symbol_of
from ..results import Effect, ItemAgreement, UnitAgreement
from ..warnings import finding_parts
from .verdict import WORST_FIRST

_N_EFFECTS = 5  # effects of a value, at the top
_N_TABLES = 3
_N_FINDINGS = 3


def findings_section(page: Page) -> Section | None:
    """Show the first effects and findings, which fill at most one printed page."""
    say, of_values, findings = page.say, _effects(page), _findings(page)
    shown = of_values[:_N_TABLES]
    blocks: list[Block] = [*findings[:_N_FINDINGS]]
    for layer, measure, effects in shown:
        said = {"symbol": symbol_of(say, measure), "layer": layer or say("items.the_items")}
        own = _table(page, layer, measure, effects[:_N_EFFECTS], n=len(effects))
        is_clear = any(one.is_clear and one.difference > 0 for one in effects)
        tried = say("effects.tried", n=say.integer(len(effects)), **said)
        blocks.append(own if is_clear else Fold(tried, [own]))
    if not blocks:
        return None
    is_cut = any(len(effects) > _N_EFFECTS for _, _, effects in of_values)
    if is_cut or len(of_values) > _N_TABLES or len(findings) > _N_FINDINGS:
        blocks.append(Prose(say("findings.further"), "note"))
    lead = say("findings.lead")
    return Section("findings", say("findings.title"), blocks, lead=lead, is_brief=True)


def further_findings_section(page: Page) -> Section | None:
    """Show what the first section omits."""
    blocks: list[Block] = []
    for k, (layer, measure, effects) in enumerate(_effects(page)):
        shown = _N_EFFECTS if k < _N_TABLES else 0
        if effects[shown:]:
            blocks.append(
                _table(page, layer, measure, effects[shown:], n=len(effects), others=shown > 0)
            )
    blocks += _findings(page)[_N_FINDINGS:]
    say = page.say
    inside = say("further_findings.inside", n=say.integer(len(blocks)))
    return page.section("further_findings", blocks, inside=inside)


def _layers(page: Page) -> list[ItemAgreement | UnitAgreement]:
    return [*page.results.items, *page.results.units]


def _effects(page: Page) -> list[tuple[str, str, list[Effect]]]:
    """Return layer, measure and the effects on it; values whose gate did not pass come first."""
    ranks = {
        (gate.layer, gate.measure): WORST_FIRST.index(gate.outcome) for gate in page.results.gates
    }
    found = [
        (layer.layer, measure, [one for one in layer.effects if one.measure == measure])
        for layer in _layers(page)
        for measure in _measures(page, layer)
    ]
    return sorted(found, key=lambda one: ranks.get(one[:2], len(WORST_FIRST)))


def _findings(page: Page) -> list[FindingBlock]:
    """Return the findings: warnings first, then by the size of their effect."""
    found = [(layer, finding) for layer in _layers(page) for finding in layer.findings]
    found.sort(key=lambda entry: (entry[1].severity != "warning", -_size(*entry)))
    return [_finding(page.say, layer, finding) for layer, finding in found]


def _measures(page: Page, layer: ItemAgreement | UnitAgreement) -> list[str]:
    """Return the layer's measures with a gate and known effects, or the first with effects."""
    known = list(dict.fromkeys(effect.measure for effect in layer.effects))
    gated = [
        gate.measure
        for gate in page.results.gates
        if gate.layer == layer.layer and gate.measure in known
    ]
    return list(dict.fromkeys(gated)) or known[:1]


def _table(
    page: Page,
    layer: str,
    measure: str,
    effects: Sequence[Effect],
    *,
    n: int,
    others: bool = False,
) -> Table:
    """Show the measure without an annotator or batch, or with categories merged.

    n       number of all effects, of which these are some
    others  whether the first of them are in another table
    """
    say = page.say
    symbol = symbol_of(say, measure)
    scale = forest_row.difference_scale((one.difference, *one.interval) for one in effects)
    key = "effects.others" if others else "effects.caption"
    return table(
        say, say(key, symbol=symbol, layer=layer or say("items.the_items")), effects,
        text(say("effects.variant"), lambda one: _effect_name(say, one)),
        picture(
            say("effects.scale"),
            forest_row.axis(scale, say),
            lambda one: forest_row.difference_bar(one.difference, one.interval, scale),
        ),
        number(say("effects.value", symbol=symbol), lambda one: one.value),
        number(say("effects.difference"), lambda one: one.difference, "+"),
        interval(say("effects.interval", n=say.integer(n)), lambda one: one.interval, "+"),
        note=say("effects.note"),
    )  # fmt: skip


def _effect_name(say: Language, effect: Effect) -> str:
    return say(f"effects.{effect.kind.value}", name=effect.names[0], second=effect.names[-1])


def _size(layer: ItemAgreement | UnitAgreement, finding: Finding) -> float:
    """Return how far the finding's subject changes the layer's values; 0 if unknown."""
    figures = finding.figures
    if finding.code == "inhomogeneous_batches":
        those = [one for one in layer.effects if one.kind is EffectKind.batch]
    else:
        named = {str(figures[name]) for name in ("annotator", "first", "second") if name in figures}
        those = [one for one in layer.effects if named and set(one.names) == named]
    return max((abs(one.difference) for one in those), default=0.0)


def _finding(say: Language, layer: ItemAgreement | UnitAgreement, finding: Finding) -> FindingBlock:
    title, text, advice, language = finding_parts(say, finding)
    advice = _advice_on_merging(say, layer, finding) or advice
    known = not finding.read_text
    # Do not repeat what the sentence says.
    named = say.names_of(f"finding.{finding.code}.text") if known else set()
    return FindingBlock(
        title=title,
        text=text,
        advice=advice,
        severity=finding.severity,
        severity_label=say(f"findings.{finding.severity}"),
        figures=[
            (_readable_figure_name(say, name), say.figure(figure))
            for name, figure in finding.figures.items()
            if name not in named and (not known or say.knows(f"figure.{name}"))
        ],
        language=language,
        layer=layer.layer,
    )


def _advice_on_merging(
    say: Language, layer: ItemAgreement | UnitAgreement, finding: Finding
) -> str:
    """Return advice on two confused categories that agrees with the effect of merging them."""
    pair = {str(finding.figures.get(name, "")) for name in ("first", "second")}
    merged = [
        one for one in layer.effects if one.kind is EffectKind.categories and set(one.names) == pair
    ]
    if finding.code != "confused_categories" or not merged:
        return ""
    way = "higher" if merged[0].difference > 0 else "lower"
    key = f"on_page.finding.confused_categories.merged_{way}"
    return say(key, symbol=symbol_of(say, merged[0].measure), value=say.number(merged[0].value))


def _readable_figure_name(say: Language, name: str) -> str:
    """Return the readable name of a figure."""
    key = f"figure.{name}"
    if say.knows(key):
        return say(key)
    return name.replace("p_o", "pₒ").replace("p_e", "pₑ").replace("_", " ")
