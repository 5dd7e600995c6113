"""Units: γ and related measures, and the alignments, worst documents first."""

from __future__ import annotations

import json
import math
from itertools import accumulate

from markupsafe import Markup

from ...metrics.estimate import Estimate
from ..columns import each, number, picture, text
from ..figures import forest_row
from ..figures.alignment import alignment_picture
from ..figures.bars import category_key
from ..figures.svg import category_marks
from ..language import Code, Language
from ..page.blocks import (
    AlignmentBlock,
    Block,
    Cell,
    Facts,
    Figure,
    Fold,
    LegendEntry,
    Link,
    Prose,
    Section,
    Table,
)
from ..page.page import Page, blocks_by_layer, relative_link
from ..page.tables import table
from ..page.values import (
    chance_model,
    measure_name,
    measure_table,
    monte_carlo_error,
    value_in_short,
)
from ..results import Alignment, UnitAgreement, UnitaryAlignment
from ..value import Model

N_PICTURES = 20
N_DRAWN = 900  # units of all pictures of a layer, to limit the size of the page
N_OPEN = 3
N_UNITS = 400  # limit on the units of a document drawn on the page
N_LEGEND = 24


def units_section(page: Page) -> Section | None:
    blocks = blocks_by_layer(page, page.results.units, _layer_blocks)
    layers, say = page.results.units, page.say
    values = [value_in_short(say, value) for layer in layers[:1] for value in layer.values]
    return page.section("units", blocks, inside=say.semicolon_list(values))


def alignments_section(page: Page) -> Section | None:
    def drawn(page: Page, layer: UnitAgreement) -> list[Block]:
        return alignment_blocks(page, layer) if layer.alignments else []

    lead = page.say("alignments.lead_private" if page.is_private else "alignments.lead")
    blocks = blocks_by_layer(page, page.results.units, drawn)
    return page.section("alignments", blocks, lead=lead, is_open=True)


def _layer_blocks(page: Page, layer: UnitAgreement) -> list[Block]:
    say = page.say
    counts = [
        say.counted("unit", layer.n_units),
        say.counted("document", layer.n_documents),
        say.counted("human", len(layer.annotators)),
        say.counted("category", len(layer.tagset)),
    ]
    name = layer.layer or say("units.the_units")
    lead = say("units.lead", layer=name, counts=say.listed(counts))
    if layer.n_unpaired:
        lead += " " + say("units.unpaired", n=say.counted("unit", layer.n_unpaired))
    blocks: list[Block] = [Prose(lead)]
    if layer.values:
        caption = say("units.forest", layer=layer.layer)
        about, note = layer.layer or page.results.campaign.name, _note(page, layer)
        blocks.append(measure_table(page, caption, layer.values, about, note=note, counted="unit"))
        models = {
            measure_name(say, v.measure): chance_model(say, v)
            for v in layer.values
            if chance_model(say, v)
        }
        if models:
            blocks.append(Facts(list(models.items())))
    return blocks


def error_cost_blocks(page: Page, layer: UnitAgreement) -> list[Block]:
    """Show what missing units, boundaries and categories cost in γ, and describe the largest."""
    say, costs = page.say, layer.error_costs
    gamma = next(value for value in layer.values if value.measure == "gamma")
    scale = forest_row.difference_scale([(one.cost,) for one in costs])
    worst = max(costs, key=lambda one: one.cost)
    nothing = (math.nan, math.nan)
    listed = table(
        say, say("error_cost.caption", layer=layer.layer), costs,
        text(say("error_cost.column"), lambda one: say(f"error_cost.{one.cause}")),
        picture(
            say("error_cost.scale"),
            forest_row.axis(scale, say),
            lambda one: forest_row.difference_bar(one.cost, nothing, scale),
        ),
        number(say("error_cost.share"), lambda one: one.share, "0%"),
        number(say("error_cost.cost"), lambda one: one.cost, "+"),
        number(say("error_cost.without"), lambda one: gamma.value + one.cost),
        note=say("error_cost.note"),
    )  # fmt: skip
    if not worst.cost > 0:
        return [listed]
    said = say(
        f"error_cost.worst_{worst.cause}",
        share=say.percent(worst.share, 0),
        value=say.number(gamma.value),
        without=say.number(gamma.value + worst.cost),
    )
    return [Prose(said), listed]


def _note(page: Page, layer: UnitAgreement) -> str:
    note = page.say("units.forest_note")
    if any(math.isfinite(monte_carlo_error(value)) for value in layer.values):
        note += " " + page.say("units.one_document")
    for value in layer.values:
        if value.measure == "holistic_greedy":
            note += " " + _greedy_note(page, layer, value)
    return note


def _greedy_note(page: Page, layer: UnitAgreement, value: Estimate) -> str:
    say, n_missed = page.say, value.detail.n_documents_not_ideal
    if not n_missed:
        return say("units.greedy_ideal")
    return say(
        "units.greedy",
        n=say.integer(n_missed),
        all=say.counted("document", layer.n_documents),
        excess=say.percent(value.detail.largest_excess_of_disorder),
    )


def alignment_blocks(page: Page, layer: UnitAgreement) -> list[Block]:
    """Show the legend of the layer's categories, then a picture for each of the worst documents."""
    say = page.say
    drawable = [a for a in layer.alignments if len(a.units) <= N_UNITS]
    drawn = accumulate(len(alignment.units) for alignment in drawable)
    n_shown = sum(units <= N_DRAWN for units in drawn)
    shown = drawable[: min(max(n_shown, 2), N_PICTURES)]
    blocks: list[Block] = [category_legend(layer, say)]
    drawn_blocks = [
        alignment_block(
            drawing_of(page, alignment, layer),
            say,
            is_open=i < N_OPEN,
            link=relative_link(alignment.link),
        )
        for i, alignment in enumerate(shown)
    ]
    blocks += drawn_blocks[:N_OPEN]
    others = drawn_blocks[N_OPEN:]
    if others:
        n = say.counted("document", len(others))
        blocks.append(Fold(say("alignments.others", n=n), others))
    left = max(layer.n_documents, len(layer.alignments)) - len(shown)
    if left > 0:
        blocks.append(Prose(say("alignments.more", n=say.counted("document", left)), "note"))
    return blocks


def category_legend(layer: UnitAgreement, say: Language) -> Figure:
    marks = category_marks(layer.tagset)
    entries = [
        LegendEntry(category_key(k), category, marks[k])
        for k, category in enumerate(layer.tagset[:N_LEGEND])
    ]
    return Figure(Markup(""), say("alignments.key"), entries)


class Drawing(Model):
    """Everything that the picture and the table of an alignment are made from.

    language           of the page
    language_of_texts  of the annotated texts, as a tag; "": unknown
    identifier         of the picture on its page
    disagreements      link to the same data, in place of the table
    """

    alignment: Alignment
    tagset: list[str]
    language: Code
    language_of_texts: str
    identifier: str
    disagreements: Link | None


def drawing_of(page: Page, alignment: Alignment, layer: UnitAgreement) -> Drawing:
    """Return what is drawn of an alignment on the page, without the address of its own page."""
    return Drawing(
        alignment=alignment.model_copy(update={"link": ""}),
        tagset=layer.tagset,
        language=page.say.code,
        language_of_texts=page.language_of_texts,
        identifier=page.identifier("a") if alignment.units else "",
        disagreements=_link_to_disagreements(page, alignment, layer.layer),
    )


def alignment_block(
    drawing: Drawing, say: Language, *, is_open: bool, link: str = ""
) -> AlignmentBlock:
    """Draw an alignment; `link` is the address of the document's own page."""
    alignment = drawing.alignment
    n_alone = sum(len(unitary.units) == 1 for unitary in alignment.alignments)
    facts = [
        say("value.disorder", value=say.number(alignment.disorder)),
        say.counted("unit", len(alignment.units)),
        say.counted("alignment", len(alignment.alignments)),
    ]
    summary = " · ".join([*facts, say.counted("alone", n_alone)] if n_alone else facts)
    note = "" if alignment.optimal else say("alignments.gap_left", gap=say.percent(alignment.gap))
    if not alignment.units:
        note = say("alignments.none")
    picture = Markup("")
    if alignment.units:
        picture = alignment_picture(
            alignment,
            tagset=drawing.tagset,
            identifier=drawing.identifier,
            title=say("alignments.picture", document=alignment.document),
            description=say("alignments.description", summary=summary),
            say=say,
            language=drawing.language_of_texts,
        )
    return AlignmentBlock(
        alignment.document,
        summary,
        note,
        picture,
        None if drawing.disagreements else _table(drawing, say),
        drawing.disagreements,
        is_open,
        link,
    )


def _link_to_disagreements(page: Page, alignment: Alignment, layer: str) -> Link | None:
    """Return a link to the disagreements of the document; None if the page lacks some of them."""
    n = sum(one.disorder != 0 for one in alignment.alignments)
    listed = [
        one
        for one in page.results.disagreements
        if (one.layer, one.document) == (layer, alignment.document)
    ]
    if not n or len(listed) < n:
        return None
    text = page.say("alignments.as_disagreements", n=page.say.integer(n))
    chosen = {"layer": layer, "document": alignment.document}
    return Link(text, "#disagreements", json.dumps(chosen))


def _table(drawing: Drawing, say: Language) -> Table:
    """Show the unitary alignments of the picture that differ as a table, the worst first."""
    alignment = drawing.alignment

    def place(unitary: UnitaryAlignment, annotator: str) -> Cell | str:
        units = [alignment.units[u] for u in unitary.units]
        unit = next((one for one in units if one.annotator == annotator), None)
        if unit is None:
            return "∅"
        category = unit.category or say("alignments.no_category")
        words = f"{category} {say.integer(unit.start)}–{say.integer(unit.end)}"
        return Cell(words, quote=unit.text, quote_language=drawing.language_of_texts)

    differing = [one for one in alignment.alignments if one.disorder != 0]
    return table(
        say,
        say("alignments.table", document=alignment.document),
        sorted(differing or alignment.alignments, key=_worst_first),
        number(say("alignments.disorder"), lambda unitary: unitary.disorder),
        *each(
            alignment.annotators,
            lambda annotator: text(annotator, lambda unitary: place(unitary, annotator)),
        ),
        css="tuples", n_shown=None,
        n_total=len(alignment.alignments), more="alignments.identical",
    )  # fmt: skip


def _worst_first(unitary: UnitaryAlignment) -> float:
    return -unitary.disorder if math.isfinite(unitary.disorder) else math.inf
