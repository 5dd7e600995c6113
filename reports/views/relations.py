"""Agreement on relations between units, and on coreference chains."""

from __future__ import annotations

from ..page.blocks import Block, Prose, Section
from ..page.page import Page, blocks_by_layer
from ..page.values import forest_table, measure_table
from ..results import Named
from ..results.units import RelationAgreement

SYMBOLS = {"presence": "α", "category": "α", "typing": "α", "presence_f": "F", "category_f": "F"}


def relations_section(page: Page) -> Section | None:
    blocks = blocks_by_layer(page, page.results.relations, _layer_blocks)
    values = [
        f"{one.name} {page.say.number(one.value.value)}"
        for layer in page.results.relations[:1]
        for one in translated_names(page, layer.values)
    ]
    inside = page.say.semicolon_list(values)
    return page.section("relations", blocks, lead=page.say("relations.lead"), inside=inside)


def _layer_blocks(page: Page, layer: RelationAgreement) -> list[Block]:
    say = page.say
    counts = [
        say.counted("relation", layer.n_relations),
        say.counted("document", layer.n_documents),
        say.counted("human", len(layer.annotators)),
    ]
    blocks: list[Block] = [
        Prose(say("relations.counts", layer=layer.layer, counts=say.listed(counts)))
    ]
    for key, number in (("left_out", layer.n_left_out), ("repeated", layer.n_repeated)):
        if number:
            text = say(f"relations.{key}", n=say.counted("relation", number))
            blocks.append(Prose(text, "note"))
    for named, caption, column in (
        (translated_names(page, layer.values), "forest", "question"),
        (_categories(page, layer.per_category), "by_category", "category_column"),
        (layer.per_pair, "by_pair", "pair"),
    ):
        if named:
            note = f"relations.{caption}_note"
            blocks.append(
                forest_table(
                    page,
                    say(f"relations.{caption}", layer=layer.layer),
                    named,
                    first_column=say(f"relations.{column}"),
                    about=layer.layer,
                    note=say(note) if say.knows(note) else "",
                    counted="compared",
                )
            )
    return [*blocks, *_chain_blocks(page, layer)]


def _chain_blocks(page: Page, layer: RelationAgreement) -> list[Block]:
    say = page.say
    if not layer.chains:
        return []
    categories = say.listed(
        [name or say("alignments.no_category") for name in layer.chain_categories]
    )
    counts = [say.counted("chain", layer.n_chains), say.counted("mention", layer.n_mentions)]
    lead = say("relations.chains", categories=categories, counts=say.listed(counts))
    caption = say("relations.chains_forest", layer=layer.layer)
    note = say("relations.chains_note")
    values = measure_table(page, caption, layer.chains, layer.layer, note=note, counted="mention")
    return [Prose(lead), values]


def translated_names(page: Page, values: list[Named]) -> list[Named]:
    return [
        named.model_copy(
            update={"name": f"{page.say(f'relations.{named.name}')} ({SYMBOLS[named.name]})"}
        )
        for named in values
    ]


def _categories(page: Page, values: list[Named]) -> list[Named]:
    none = page.say("alignments.no_category")
    return [named.model_copy(update={"name": named.name or none}) for named in values]
