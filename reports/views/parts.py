"""Agreement part by part: categories, pairs, one annotator left out, documents, passes."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from ...metrics.measures import BY_CATEGORY, GAMMAS, PAIRWISE_F, measure_of
from ...metrics.pair_names import pair_name
from ..columns import MISSING, each, number, text
from ..figures.scatter import Dot, scatter
from ..page.blocks import Block, Cell, Figure, Fold, Section, Table
from ..page.page import Page, blocks_by_layer, relative_link
from ..page.tables import table
from ..page.values import directed_key, forest_table, measure_name, worst_first_key
from ..results import ItemAgreement, Named, UnitAgreement
from .annotator_groups import group_blocks
from .confusions import confusion_blocks
from .disagreements import card_by_document

N_SCATTER = 4  # minimum number of documents for a figure
N_FEW = 4  # annotators whose pairs a table shows at a glance, without a matrix
N_MATRIX = 24  # annotators of a pair matrix at most
NO_CATEGORY = "(no category)"  # name of units without a category in the results
OF_A_SAMPLE = ("category", "pair", "left_out")  # computed on a sample if there are many documents
OF_ONE_CATEGORY = (*BY_CATEGORY, *PAIRWISE_F)  # defined for one category, not against the others
WORST_FIRST = ("pair", "document", "pass")


def parts_section(page: Page) -> Section | None:
    layers: list[ItemAgreement | UnitAgreement] = [*page.results.items, *page.results.units]
    blocks = blocks_by_layer(page, layers, _layer_blocks)
    return page.section(
        "parts", blocks, lead=page.say("parts.lead"), inside=_shown_when_closed(page, layers)
    )


def _shown_when_closed(page: Page, layers: Sequence[ItemAgreement | UnitAgreement]) -> str:
    """Name the pair, the category and the document with the worst value of the main measure."""
    say, lowest, measure = page.say, [], ""
    for layer in layers[:1]:
        for parts in (layer.per_pair, layer.per_category, layer.per_document):
            first = [one for one in parts if one.value.measure == parts[0].value.measure]
            known = [one for one in first if math.isfinite(one.value.value)]
            if len(known) > 1:
                worst = min(known, key=lambda one: worst_first_key(one.value))
                measure = worst.value.measure
                lowest.append(f"{worst.name} {say.number(worst.value.value)}")
    key = directed_key(say, "parts.inside", measure)
    return say(key, named=say.semicolon_list(lowest)) if lowest else ""


def _layer_blocks(page: Page, layer: ItemAgreement | UnitAgreement) -> list[Block]:
    categories = part_tables(page, layer, "category")
    if isinstance(layer, ItemAgreement):
        categories += confusion_blocks(page, layer)
    groups = {
        "annotators": part_tables(page, layer, "pair", "left_out", "pass"),
        "groups": group_blocks(page, layer) if isinstance(layer, ItemAgreement) else [],
        "categories": categories,
        "documents": part_tables(page, layer, "document"),
    }
    return [
        block
        for name, blocks in groups.items()
        if blocks
        for block in (page.heading(page.say(f"parts.{name}")), *blocks)
    ]


def part_tables(page: Page, layer: ItemAgreement | UnitAgreement, *keys: str) -> list[Block]:
    """Return a forest table for each kind of part and each measure."""
    of_three = len(layer.annotators) == 3 and bool(layer.per_pair)  # the two who remain are a pair
    parts = {
        "pair": layer.per_pair,
        "left_out": [] if of_three else layer.leave_one_out,
        "pass": layer.intra,
        "category": [_with_name_of_missing_category(page, part) for part in layer.per_category],
        "document": layer.per_document,
    }
    return [
        block
        for key in keys
        for measure, named in _group_by_measure(parts[key]).items()
        for block in _measure_blocks(page, layer, key, measure, named)
    ]


def _measure_blocks(
    page: Page,
    layer: ItemAgreement | UnitAgreement,
    key: str,
    measure: str,
    named: list[Named],
) -> list[Block]:
    say, about = page.say, layer.layer or page.results.campaign.name
    shown = measure_name(say, measure)
    words = _caption_key(layer, key, measure)
    note = _note(page, layer, key, measure, named)
    figures: list[Block] = []
    has_matrix = False
    if key == "pair":
        named, note = _pairs_with_common_items(page, layer, named, note)
        is_wide = N_FEW < len(layer.annotators) <= N_MATRIX
        has_matrix = is_wide and _any_defined(named) and not measure_of(measure).lower_is_better
    if key == "document" and len(named) >= N_SCATTER:
        figures += _scatter_blocks(page, layer, named, shown)
    listed = forest_table(
        page,
        say(directed_key(say, f"parts.{words}", measure), measure=shown),
        named,
        first_column=say(f"parts.{'label' if words == 'label' else key}_column"),
        about=about,
        worst_first=key in WORST_FIRST,
        names=[f"{about}, {say(f'parts.{key}_about', name=part.name)}" for part in named],
        note=note,
        counted="unit" if isinstance(layer, UnitAgreement) else "item",
    )
    if has_matrix:
        matrix = _pair_matrix(page, layer, named, shown)
        return [matrix, Fold(say("parts.matrix_table"), [listed])]
    return [*figures, listed]


def _caption_key(layer: ItemAgreement | UnitAgreement, key: str, measure: str) -> str:
    """Return the message that is the caption of a table."""
    if measure in OF_ONE_CATEGORY:
        return "category_own"
    if key == "category" and measure in GAMMAS.values():
        return "category_alone"
    if key == "category" and isinstance(layer, ItemAgreement) and layer.labels:
        return "label"
    return key


def _note(
    page: Page,
    layer: ItemAgreement | UnitAgreement,
    key: str,
    measure: str,
    named: Sequence[Named],
) -> str:
    say = page.say
    words = _caption_key(layer, key, measure)
    of_units = isinstance(layer, UnitAgreement) and say.knows(f"parts.{key}_units_note")
    note = "label" if words == "label" else f"{key}_units" if of_units else key
    said = say(directed_key(say, f"parts.{note}_note", measure))
    if words == "category_alone":
        said = f"{say('parts.category_alone_note')} {said}"
    if isinstance(layer, UnitAgreement) and measure in GAMMAS.values():
        said += _sampled(page, layer) if key in OF_A_SAMPLE else ""
        said += _other_chance_note(page, layer, named)
    return said


def _pairs_with_common_items(
    page: Page, layer: ItemAgreement | UnitAgreement, pairs: list[Named], note: str
) -> tuple[list[Named], str]:
    """Return the pairs with common items, if any, and the note with the pairs omitted."""
    say, n = page.say, len(layer.annotators)
    found = [part for part in pairs if part.value.n_items or math.isfinite(part.value.value)]
    found, without = (found, len(pairs) - len(found)) if found else (pairs, 0)
    if isinstance(layer, ItemAgreement) and layer.n_pairs:
        without = n * (n - 1) // 2 - layer.n_pairs
        if layer.n_pairs > len(found):
            some = {"n": say.integer(len(found)), "all": say.integer(layer.n_pairs)}
            note += " " + say("parts.pair_some", **some)
    if without:
        note += " " + say("parts.pair_without", n=say.counted("pair", without))
    if n == 3:
        note += " " + say(directed_key(say, "parts.pair_of_three", pairs[0].value.measure))
    return found, note


def _any_defined(named: Sequence[Named]) -> bool:
    return any(math.isfinite(part.value.value) for part in named)


def _sampled(page: Page, layer: UnitAgreement) -> str:
    """Return a note that the values are for a sample of the documents; "" if for all."""
    say = page.say
    if not 0 < layer.n_part_documents < layer.n_documents:
        return ""
    n = say.counted("document", layer.n_part_documents)
    return " " + say("parts.sampled", n=n, all=say.integer(layer.n_documents))


def _other_chance_note(page: Page, layer: UnitAgreement, named: Sequence[Named]) -> str:
    """Note which values have a chance model other than the layer's own."""
    say = page.say
    own = {chance.process for chance in layer.chance}
    others: dict[str, list[str]] = {}
    for part in named:
        process = part.value.detail.process
        if process and process not in own:
            others.setdefault(process, []).append(part.name)
    if not own or not others:
        return ""
    words = [
        say("value.labelled", label=say(f"process.{name}.name"), said=say.listed(of))
        for name, of in others.items()
    ]
    return " " + say("parts.other_chance", named=say.semicolon_list(words))


def _with_name_of_missing_category(page: Page, part: Named) -> Named:
    """Return a value for units without a category under the page's name for them."""
    if part.name != NO_CATEGORY:
        return part
    return part.model_copy(update={"name": page.say("alignments.no_category")})


def _group_by_measure(named: Sequence[Named]) -> dict[str, list[Named]]:
    found: dict[str, list[Named]] = {}
    for part in named:
        found.setdefault(part.value.measure, []).append(part)
    return found


def _pair_matrix(
    page: Page, layer: ItemAgreement | UnitAgreement, named: Sequence[Named], measure: str
) -> Table:
    """Show a heat map of the pairs; the table after it has the intervals.

    Annotators are sorted by the mean over their pairs, the highest first, so that an outlier is the
    last row and column.
    """
    say = page.say
    values = {part.name: part.value.value for part in named}

    def of(a: str, b: str) -> float:
        return values.get(pair_name(a, b), values.get(pair_name(b, a), math.nan))

    def mean(a: str) -> float:
        known = [v for b in layer.annotators if math.isfinite(v := of(a, b))]
        return sum(known) / len(known) if known else math.nan

    means = {a: mean(a) for a in layer.annotators}
    order = sorted(means, key=lambda a: -means[a] if math.isfinite(means[a]) else math.inf)
    lowest = min([0.8, *(v for v in values.values() if math.isfinite(v))])
    palest = math.floor(max(lowest, 0.0) * 5) / 5  # the tint distinguishes values from here to 1

    def shown(value: float) -> str:
        return say.number(value, 2) if math.isfinite(value) else MISSING

    def tinted(value: float) -> Cell:
        share = max(value - palest, 0.0) / (1 - palest) if math.isfinite(value) else 0.0
        return Cell(shown(value), kind="share", share=round(share, 3))

    return table(
        say, say("parts.matrix", measure=measure), order,
        text(say("campaign.annotator"), lambda a: a),
        *each(order, lambda b: number(b, lambda a: tinted(of(a, b)))),
        number(say("parts.matrix_mean"), lambda a: means[a], shown),
        css="matrix pairs", n_shown=None,
    )  # fmt: skip


def _scatter_blocks(
    page: Page, layer: ItemAgreement | UnitAgreement, named: Sequence[Named], measure: str
) -> list[Block]:
    """Plot documents by value and size; those with a page or a shown disagreement are links."""
    say = page.say
    known = [part for part in named if math.isfinite(part.value.value)]
    if len({part.value.n_items for part in known}) < 2:
        return []
    shown = card_by_document(page, layer.layer)
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
    title = say(
        directed_key(say, "parts.scatter", known[0].value.measure),
        measure=measure,
        n=say.counted("document", len(known)),
        low=say.number(min(lows)),
        high=say.number(max(lows)),
        whole=say.number(whole),
    )
    svg = scatter(
        dots,
        level=whole,
        level_label=say("parts.scatter_whole", value=say.number(whole)),
        x_title=say(f"table.{counted}"),
        y_title=measure,
        say=say,
    ).named(page.identifier("f"), title, title)
    return [Figure(svg, title)]
