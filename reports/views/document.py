"""The page of one document on one layer: its values, its alignment, its disagreements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from markupsafe import Markup

from ..page.blocks import Block, DrawnBlock, Section
from ..page.page import Page
from ..page.values import forest_table
from ..results import Alignment, Named, UnitAgreement
from .disagreements import disagreements_section
from .sections import with_folds
from .statement import bibliography_section
from .units import Drawing, category_legend, drawing_of


def document_sections(
    page: Page, layer: UnitAgreement, alignment: Alignment, draw: Callable[[Drawing], str]
) -> list[Section]:
    """Return the sections of the page, in the order of the report; `draw` returns HTML."""
    say, document = page.say, alignment.document
    drawn = Markup(draw(drawing_of(page, alignment, layer)))  # noqa: S704 - of our templates
    picture: list[Block] = [category_legend(layer, say), DrawnBlock(drawn)]
    lead = say("alignments.lead_one_private" if page.is_private else "alignments.lead_one")
    return with_folds(
        [
            page.section("units", _value_blocks(page, layer, document), is_open=True),
            page.section("alignments", picture, lead=lead, is_open=True),
            disagreements_section(_page_of_document(page, layer.layer, document)),
            bibliography_section(page),
        ]
    )


def _value_blocks(page: Page, layer: UnitAgreement, document: str) -> list[Block]:
    """Show a table of the document's values, each above the value of all documents."""
    say = page.say
    named = []
    for part in layer.per_document:
        if part.name == document:
            wholes = [value for value in layer.values if value.measure == part.value.measure]
            named.append(part.model_copy(update={"link": ""}))
            named += [Named(name=say("document.all"), value=value) for value in wholes]
    if not named:
        return []
    table = forest_table(
        page,
        say("document.values", document=document, layer=layer.layer or say("units.the_units")),
        named,
        first_column=say("parts.document_column"),
        about=layer.layer,
        counted="unit",
        note=say("document.note"),
    )
    return [table]


def _page_of_document(page: Page, layer: str, document: str) -> Page:
    """Return the same page with the disagreements of one document on one layer."""
    disagreements = [
        one for one in page.results.disagreements if (one.layer, one.document) == (layer, document)
    ]
    return replace(page, results=page.results.model_copy(update={"disagreements": disagreements}))
