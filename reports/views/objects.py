"""Objects with a distance: distances of annotators, and the items whose objects differ most."""

from __future__ import annotations

from ..columns import Column, number, text
from ..page.blocks import Block, Prose, Section
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
    sample = layer.values[0].detail
    if "n_samples" in sample:
        error = say.number(sample["expected_standard_error"])
        lead += " " + say("objects.sample", n=say.integer(sample["n_samples"]), error=error)
    named = [Named(name=one.detail["annotator"], value=one) for one in study.annotators]
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
    """Show the objects of each annotator on the items where they differ most."""
    say = page.say
    if not study.worst:
        return []
    shown = any(one.said for one in study.worst)
    annotators = [name for name in layer.annotators if any(name in one.said for one in study.worst)]
    return [
        table(
            page,
            say("objects.worst" if shown else "objects.worst_private"),
            study.worst,
            text(
                say("objects.item"), lambda one: ", ".join(filter(None, (one.document, one.item)))
            ),
            number(say("objects.distance"), lambda one: one.mean_distance),
            *(_said_by(name) for name in annotators),
        )
    ]


def _said_by(annotator: str) -> Column[WorstObjects]:
    return text(annotator, lambda one: one.said.get(annotator))
