"""Agreement part by part: categories, pairs, one annotator left out, documents, passes."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from ..figures.scatter import Dot, scatter
from ..page.blocks import Block, Cell, Figure, Table, measured, numeric
from ..page.page import Page, relative_link
from ..page.values import forest_table, measure_name
from ..results import ItemAgreement, Named, UnitAgreement
from .disagreements import shown_by_document

N_SCATTER = 4  # documents that are worth a figure
N_MATRIX = 24  # annotators of a pair matrix; with more, the table of pairs is enough


def part_tables(page: Page, layer: ItemAgreement | UnitAgreement) -> list[Block]:
    """One forest table for each way of taking the layer apart, and each measure that did so."""
    say = page.say
    blocks: list[Block] = []
    of_three = len(layer.annotators) == 3 and bool(layer.per_pair)  # who is left is a pair
    for key, named, worst_first in (
        ("category", layer.per_category, False),
        ("pair", layer.per_pair, True),
        ("left_out", [] if of_three else layer.leave_one_out, False),
        ("document", layer.per_document, True),
        ("pass", layer.intra, True),
    ):
        about = layer.layer or page.results.campaign.name
        counted = "unit" if isinstance(layer, UnitAgreement) else "item"
        note = f"{key}_units" if say.knows(f"parts.{key}_units_note") and counted == "unit" else key
        for measure, of_measure in _by_measure(named).items():
            shown = measure_name(say, measure)
            caption = say(f"parts.{key}", measure=shown)
            said = say(f"parts.{note}_note")
            if key == "category":
                of_measure = [_in_words(page, part) for part in of_measure]
            column = say(f"parts.{key}_column")
            if key == "category" and isinstance(layer, ItemAgreement) and layer.labels:
                caption = say("parts.label", measure=shown)
                column, said = say("parts.label_column"), say("parts.label_note")
            if key == "category" and measure in OF_ITS_UNITS:
                caption = say("parts.category_alone", measure=shown)
                said = f"{say('parts.category_alone_note')} {said}"
            elif measure in OF_ONE_CATEGORY:
                caption = say("parts.category_own", measure=shown)
            if isinstance(layer, UnitAgreement) and measure in OF_ITS_UNITS and key in OF_A_SAMPLE:
                said += _sampled(page, layer)
            if isinstance(layer, UnitAgreement) and measure in OF_ITS_UNITS:
                said += _other_chance(page, layer, of_measure)
            if key == "pair":
                of_measure, without = _with_something(of_measure)
                if isinstance(layer, ItemAgreement) and layer.n_pairs:
                    n = len(layer.annotators)
                    without = n * (n - 1) // 2 - layer.n_pairs
                    if layer.n_pairs > len(of_measure):
                        said += " " + say(
                            "parts.pair_some",
                            n=say.integer(len(of_measure)),
                            all=say.integer(layer.n_pairs),
                        )
                if without:
                    said += " " + say("parts.pair_without", n=say.counted("pair", without))
            if key == "pair" and of_three:
                said += " " + say("parts.pair_of_three")
            has_values = any(math.isfinite(part.value.value) for part in of_measure)
            if key == "pair" and has_values and 2 < len(layer.annotators) <= N_MATRIX:
                blocks.append(_pair_matrix(page, layer, of_measure, shown))
            if key == "document" and len(of_measure) >= N_SCATTER:
                blocks += _scatter(page, layer, of_measure, shown)
            blocks.append(
                forest_table(
                    page,
                    caption,
                    of_measure,
                    first_column=column,
                    about=about,
                    worst_first=worst_first,
                    names=[
                        f"{about}, {say(f'parts.{key}_about', name=part.name)}"
                        for part in of_measure
                    ],
                    note=said,
                    counted=counted,
                )
            )
    return blocks


def _with_something(pairs: list[Named]) -> tuple[list[Named], int]:
    """The pairs that annotated something in common, if any did, and how many did not."""
    found = [one for one in pairs if one.value.n_items or math.isfinite(one.value.value)]
    return (found, len(pairs) - len(found)) if found else (pairs, 0)


NO_CATEGORY = "(no category)"  # as results name the units without one
OF_ITS_UNITS = ("gamma", "soft_gamma", "holistic")  # computed on the category's units alone
OF_A_SAMPLE = ("category", "pair", "left_out")  # of many documents, computed on some
OF_ONE_CATEGORY = ("gamma_k", "ku_alpha")  # defined for one category, not against the others


def _sampled(page: Page, layer: UnitAgreement) -> str:
    """That the values are of some of the documents, where they are."""
    say = page.say
    if not 0 < layer.n_part_documents < layer.n_documents:
        return ""
    n = say.counted("document", layer.n_part_documents)
    return " " + say("parts.sampled", n=n, all=say.integer(layer.n_documents))


def _other_chance(page: Page, layer: UnitAgreement, named: Sequence[Named]) -> str:
    """Which values stand against a chance process that the layer's own was not drawn with."""
    say = page.say
    own = {chance.process for chance in layer.chance}
    others: dict[str, list[str]] = {}
    for part in named:
        process = str(part.value.detail.get("process", ""))
        if process and process not in own:
            others.setdefault(process, []).append(part.name)
    if not own or not others:
        return ""
    told = [f"{say(f'process.{name}.name')}: {say.listed(of)}" for name, of in others.items()]
    return " " + say("parts.other_chance", named="; ".join(told))


def _in_words(page: Page, part: Named) -> Named:
    """A category's value under the page's own name of units without a category."""
    if part.name != NO_CATEGORY:
        return part
    return part.model_copy(update={"name": page.say("alignments.no_category")})


def _by_measure(named: Sequence[Named]) -> dict[str, list[Named]]:
    found: dict[str, list[Named]] = {}
    for part in named:
        found.setdefault(part.value.measure, []).append(part)
    return found


def _pair_matrix(
    page: Page, layer: ItemAgreement | UnitAgreement, named: Sequence[Named], measure: str
) -> Table:
    """A heat map of the pairs; the table after it has the intervals.

    Annotators stand by their mean over their pairs, the highest first, so that one who is apart is
    the last row and column.
    """
    say = page.say
    values = {part.name: part.value.value for part in named}

    def of(a: str, b: str) -> float:
        return values.get(f"{a} – {b}", values.get(f"{b} – {a}", math.nan))

    def mean(a: str) -> float:
        known = [v for b in layer.annotators if math.isfinite(v := of(a, b))]
        return sum(known) / len(known) if known else math.nan

    means = {a: mean(a) for a in layer.annotators}
    order = sorted(means, key=lambda a: -means[a] if math.isfinite(means[a]) else math.inf)
    lowest = min([0.8, *(v for v in values.values() if math.isfinite(v))])
    palest = math.floor(max(lowest, 0.0) * 5) / 5  # the tint tells values from here to 1 apart

    def shown(value: float) -> str:
        return say.number(value, 2) if math.isfinite(value) else "–"

    def tinted(value: float) -> Cell:
        share = max(value - palest, 0.0) / (1 - palest) if math.isfinite(value) else 0.0
        return Cell(shown(value), kind="share", share=round(share, 3))

    rows = [
        [Cell(a), *(tinted(of(a, b)) for b in order), measured(shown(means[a]), means[a])]
        for a in order
    ]
    columns = [
        Cell(say("campaign.annotator")),
        *(numeric(name) for name in order),
        numeric(say("parts.matrix_mean")),
    ]
    return Table(say("parts.matrix", measure=measure), columns, rows, css="matrix pairs")


def _scatter(
    page: Page, layer: ItemAgreement | UnitAgreement, named: Sequence[Named], measure: str
) -> list[Block]:
    """Documents as value against size; those with a page or with disagreements shown are links."""
    say = page.say
    known = [part for part in named if math.isfinite(part.value.value)]
    if len({part.value.n_items for part in known}) < 2:
        return []
    shown = shown_by_document(page, layer.layer)
    dots = []
    for part in known:
        value = say.number(part.value.value)
        name = say("value.labelled", label=part.name, said=value)
        if part.name in shown:
            chosen = json.dumps({"layer": layer.layer, "document": part.name}, ensure_ascii=False)
            href = f"#{shown[part.name]}"
        else:
            chosen, href = "", relative_link(part.link)
        dots.append(Dot(part.value.n_items, part.value.value, name, href, chosen))
    measures = [value for value in layer.values if value.measure == known[0].value.measure]
    whole = measures[0].value if measures else math.nan
    lows = [part.value.value for part in known]
    counted = "units" if isinstance(layer, UnitAgreement) else "items"
    svg = scatter(
        dots,
        level=whole,
        level_label=say("parts.scatter_whole", value=say.number(whole)),
        x_title=say(f"table.{counted}"),
        y_title=measure,
        identifier=page.identifier("f"),
        title=say("parts.scatter", measure=measure),
        description=say(
            "parts.scatter_description",
            n=say.counted("document", len(known)),
            low=say.number(min(lows)),
            high=say.number(max(lows)),
            whole=say.number(whole),
        ),
        say=say,
    )
    return [Figure(svg, say("parts.scatter", measure=measure))]
