"""Disagreements for a guideline meeting, the costliest first."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from ..columns import each, number, text
from ..costliest_disagreements import MOST_DISAGREEMENTS, MOST_DISCUSSED, most_costly
from ..page.blocks import Block, Cell, DisagreementBlock, DisagreementList, Prose, Section, Table
from ..page.page import Page
from ..page.tables import table
from ..results import Disagreement, ItemAgreement, UnitAgreement

N_OPEN = 3
N_SHOWN = 80
N_CATEGORIES = 200  # categories that a decision may choose from
_CAUSES = ("missing", "category", "boundary")  # the most serious first


def disagreements_section(page: Page) -> Section | None:
    say, found = page.say, page.results.disagreements
    if not found:
        return None
    ordered = disagreements_by_card(page)
    cards = [_card(page, one, name) for name, one in ordered.items()]
    folded = cards[N_OPEN:]
    fold = say("disagreements.fold", n=say.integer(len(folded))) if folded else ""
    blocks: list[Block] = [
        _cause_table(page, list(ordered.values())),
        DisagreementList(cards[:N_OPEN], folded, fold, _decidable_categories_by_layer(page)),
    ]
    if len(found) > len(ordered):
        n = say.integer(len(found) - len(ordered))
        blocks.append(Prose(say("disagreements.more", n=n), "note"))
    has_text = any(one.context for one in ordered.values())
    variant = "_private" if page.is_private else "" if has_text else "_no_text"
    lead = f"{say(f'disagreements.lead{variant}')} {say('disagreements.lead_cost')}"
    title = "" if open_disagreements(page) else say("disagreements.title_decided")
    return page.section("disagreements", blocks, title=title, lead=lead, is_open=True)


def open_disagreements(page: Page) -> list[Disagreement]:
    """Return the disagreements that neither a reference nor a recorded decision decides."""
    return [one for one in page.results.disagreements if not one.decided]


def disagreements_by_card(page: Page) -> dict[str, Disagreement]:
    """Return the disagreements that the page shows, by the identifiers of their cards."""
    chosen = most_costly(page.results.disagreements, N_SHOWN)
    return {f"disagreement-{number}": one for number, one in enumerate(chosen, 1)}


def card_by_document(page: Page, layer: str) -> dict[str, str]:
    """Return document → the card of its costliest disagreement on the layer."""
    found: dict[str, str] = {}
    for identifier, one in disagreements_by_card(page).items():
        if one.layer == layer:
            found.setdefault(one.document, identifier)
    return found


def card_of(shown: Mapping[str, Disagreement], layer: str, said: Mapping[str, str]) -> str:
    """Return the card of the costliest disagreement with these categories; "" for none."""
    for identifier, one in shown.items():
        given = one.categories or one.said
        if one.layer == layer and all(given.get(a) == category for a, category in said.items()):
            return identifier
    return ""


def _decidable_categories_by_layer(page: Page) -> dict[str, list[str]]:
    """Return layer → categories that may be decided."""
    layers: list[ItemAgreement | UnitAgreement] = [*page.results.items, *page.results.units]
    return {layer.layer: layer.tagset[:N_CATEGORIES] for layer in layers}


def _cause(one: Disagreement) -> str:
    """Return the first of `_CAUSES` in which the annotations differ."""
    given = set((one.categories or one.said).values())
    if "" in given:
        return "missing"
    return "category" if len(given) > 1 else "boundary"


def _cause_table(page: Page, shown: Sequence[Disagreement]) -> Table:
    """Show the number for each layer and cause; each number links to its disagreements."""
    say, found = page.say, page.results.disagreements
    counts = Counter((one.layer, _cause(one)) for one in found)
    listed = {(one.layer, _cause(one)) for one in shown}

    def linked_count(layer: str, cause: str) -> Cell:
        n, is_listed = counts[layer, cause], (layer, cause) in listed
        chosen = json.dumps({"layer": layer, "cause": cause}, ensure_ascii=False)
        return Cell(
            say.integer(n),
            kind="number",
            sort=n,
            href="#disagreements" if is_listed else "",
            filter=chosen if is_listed else "",
        )

    note = ""
    if len(found) >= MOST_DISAGREEMENTS or any(
        layer.n_documents > MOST_DISCUSSED for layer in page.results.units
    ):
        documents = say.counted("document", MOST_DISCUSSED)
        note = say("disagreements.by_cause_some", n=say.integer(len(found)), documents=documents)
    return table(
        say, say("disagreements.by_cause"), dict.fromkeys(one.layer for one in found),
        text(say("disagreements.layer"), lambda layer: layer or say("disagreements.no_layer")),
        *each(
            _CAUSES,
            lambda cause: number(
                say(f"script.cause_{cause}"), lambda layer: linked_count(layer, cause)
            ),
        ),
        note=note,
    )  # fmt: skip


def _card(page: Page, one: Disagreement, identifier: str) -> DisagreementBlock:
    say = page.say
    place = [one.document, one.where, one.layer]
    given = one.categories or one.said
    said = [
        (annotator, text or say("disagreements.nothing"), given.get(annotator, ""))
        for annotator, text in one.said.items()
    ]
    cost = say("disagreements.cost", cost=say.number(one.cost, 2))
    for who, category in one.decided.items():
        decision = category or say("disagreements.annotated")
        cost += f" · {say('disagreements.decided', decision=decision, who=who)}"
    start, end = one.marked
    text = one.context
    return DisagreementBlock(
        identifier=identifier,
        where=" · ".join(part for part in place if part),
        cost=cost,
        context=(text[:start], text[start:end], text[end:]),
        language=page.language_of_texts,
        said=said,
        data={
            "layer": one.layer,
            "document": one.document,
            "where": one.where,
            "cause": _cause(one),
            "batch": one.batch,
            "case": "" if one.decided else one.case,  # without it, nobody decides on the page
            "unit": "yes" if one.categories else "",
        },
    )
