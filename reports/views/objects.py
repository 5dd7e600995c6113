"""Objects with a distance: distances of annotators, and the items whose objects differ most."""

from __future__ import annotations

from markupsafe import Markup

from ..columns import Column, number, text
from ..figures.objects import CHANGES, drawings_of, line_key, word_key
from ..page.blocks import Block, Figure, Fold, LegendEntry, Prose, Section, Table
from ..page.page import Page, blocks_by_layer
from ..page.tables import table
from ..page.values import forest_table
from ..results import ItemAgreement, Named, ObjectStudy, WorstObjects


def objects_section(page: Page) -> Section | None:
    layers = [one for one in page.results.items if one.objects is not None]
    blocks = blocks_by_layer(page, layers, _layer_blocks)
    means = [one for layer in layers for one in layer.values if one.measure == "mean_distance"]
    inside = page.say("objects.inside", value=page.say.number(means[0].value)) if means else ""
    return page.section("objects", blocks, inside=inside)


def _layer_blocks(page: Page, layer: ItemAgreement) -> list[Block]:
    say, study = page.say, layer.objects
    if study is None:
        return []
    name = layer.layer or say("items.the_items")
    lead = say("objects.lead", layer=name, distance=study.distance)
    if say.knows(f"objects.of.{study.distance}"):
        lead += " " + say(f"objects.of.{study.distance}")
    lead += " " + say("objects.no_categories")
    sample = layer.values[0].detail
    if sample.n_samples:
        error = say.number(sample.expected_standard_error)
        lead += " " + say("objects.sample", n=say.integer(sample.n_samples), error=error)
    named = [Named(name=one.detail.annotator, value=one) for one in study.annotators]
    blocks: list[Block] = [Prose(lead, "lead")]
    blocks.append(
        forest_table(
            page,
            say("objects.annotators"),
            named,
            first_column=say("campaign.annotator"),
            about=layer.layer,
            note=say("objects.annotators_note"),
        )
    )
    return [*blocks, *_worst(page, layer, study)]


def _worst(page: Page, layer: ItemAgreement, study: ObjectStudy) -> list[Block]:
    """Draw the objects of the annotators on the items where they differ most; else their texts."""
    say = page.say
    if not study.worst:
        return []
    drawn = [block for one in study.worst for block in _drawn(page, layer, study.kind, one)]
    texts = _texts(page, layer, study)
    if not drawn:
        return [texts]
    heading = page.heading(say("objects.worst"))
    return [heading, _legend(page, layer, study), *drawn, Fold(say("objects.as_text"), [texts])]


def _drawn(page: Page, layer: ItemAgreement, kind: str, one: WorstObjects) -> list[Block]:
    """Draw the objects on one item; [] for a kind without drawings."""
    say = page.say
    drawings = drawings_of(kind, one.drawn, layer.annotators)
    if not drawings:
        return []
    where = say("objects.drawn", item=_place(one), distance=say.number(one.mean_distance))
    described = say(f"objects.{kind}_note")
    images = [
        drawing.named(
            page.identifier("f"), ", ".join(filter(None, (where, drawing.annotator))), described
        )
        for drawing in drawings
    ]
    caption = say(f"objects.{kind}_caption", name=one.drawn[0].annotator)
    figure = Figure(Markup("").join(images), caption, wide=drawings[0].is_fixed)
    return [Prose(where, "lead"), figure]


def _legend(page: Page, layer: ItemAgreement, study: ObjectStudy) -> Figure:
    """Explain the marks of a kind, and the lines of the annotators."""
    say, entries = page.say, []
    if study.kind == "boxes":
        drawn = {object_.annotator for one in study.worst for object_ in one.drawn}
        lines = [(line_key(k), name) for k, name in enumerate(layer.annotators) if name in drawn]
        entries = [LegendEntry(key, name) for key, name in lines]
    elif study.kind == "text":
        entries = [LegendEntry(word_key(one), say(f"objects.{one}")) for one in CHANGES]
    return Figure(Markup(""), say(f"objects.{study.kind}_note"), entries)


def _texts(page: Page, layer: ItemAgreement, study: ObjectStudy) -> Table:
    say = page.say
    shown = any(one.said for one in study.worst)
    annotators = [name for name in layer.annotators if any(name in one.said for one in study.worst)]
    return table(
        say,
        say("objects.worst" if shown else "objects.worst_private"),
        study.worst,
        text(say("objects.item"), _place),
        number(say("objects.distance"), lambda one: one.mean_distance),
        *(_said_by(name) for name in annotators),
    )


def _place(one: WorstObjects) -> str:
    return ", ".join(filter(None, (one.document, one.item)))


def _said_by(annotator: str) -> Column[WorstObjects]:
    return text(annotator, lambda one: one.said.get(annotator))
