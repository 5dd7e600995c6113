"""Categories: how often each was used, by which annotator, and differences between documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from ..columns import Column, Row, each, number, text
from ..figures.bars import category_key, stacked_bars
from ..page.blocks import Block, Figure, Fold, LegendEntry, Prose, Section, Table
from ..page.page import Page, blocks_by_layer
from ..page.tables import table
from ..results import Distribution

N_COLOURED = 11  # categories drawn separately; the others are drawn together
N_BARS = 16


def distribution_section(page: Page) -> Section | None:
    def title(one: Distribution) -> str:
        return f"{one.layer} ({page.say(f'kind.{one.kind}')})"

    blocks = blocks_by_layer(page, page.results.distributions, _blocks, title)
    return page.section("distribution", blocks, inside=_shown_when_closed(page))


def _shown_when_closed(page: Page) -> str:
    """Name the most frequent category of each layer, with its share."""
    say, named = page.say, []
    for one in page.results.distributions:
        totals = [sum(row) for row in one.counts]
        if sum(totals):
            top = max(range(len(totals)), key=totals.__getitem__)
            named.append(f"{one.tagset[top]} {say.percent(totals[top] / sum(totals), 0)}")
    return say("distribution.inside", named=say.semicolon_list(named)) if named else ""


def _blocks(page: Page, distribution: Distribution) -> list[Block]:
    say = page.say
    by_annotator = [list(column) for column in zip(*distribution.counts, strict=True)]
    totals = [sum(row) for row in distribution.counts]
    blocks: list[Block] = [
        Prose(_prevalence(page, distribution, totals)),
        _count_table(page, distribution, totals),
    ]
    if sum(totals):
        far = _least_typical_documents(distribution.annotators, by_annotator)
        caption = say("distribution.by_annotator")
        if len(far) < len(by_annotator):
            caption = say("distribution.by_annotator_some", n=say.integer(len(far)))
        else:
            far = list(zip(distribution.annotators, by_annotator, strict=True))
        names = [name for name, _ in far]
        blocks.append(_bar_figure(page, distribution, names, [c for _, c in far], caption))
    if len(distribution.batches) > 1:
        caption = say("distribution.by_batch")
        batches = distribution.batch_counts
        blocks += _figure_with_table(
            page, distribution, distribution.batches, batches, caption, say("batches.batch")
        )
    if len(distribution.documents) > 1:
        blocks += _homogeneity_blocks(page, distribution)
    return blocks


def _prevalence(page: Page, distribution: Distribution, totals: Sequence[int]) -> str:
    say, n = page.say, sum(totals)
    if not n:
        return say("distribution.none")
    top = max(range(len(totals)), key=lambda k: totals[k])
    unused = [c for c, total in zip(distribution.tagset, totals, strict=True) if not total]
    sentence = say(
        "distribution.prevalence",
        category=distribution.tagset[top],
        share=say.percent(totals[top] / n),
        n=say.counted("label" if distribution.kind == "items" else "unit", n),
        chance=say.percent(_pair_chance(totals)),
    )
    if unused:
        shown = say.listed(unused[:5]) if len(unused) <= 5 else ", ".join(unused[:5]) + " …"
        unused_count = say.counted("category", len(unused))
        sentence += " " + say("distribution.unused", n=unused_count, names=shown)
    return sentence


_PAIR = 2  # neither of two is further from the whole than the other by more than its size
N_COLUMNS = 10  # annotators shown as columns; more become rows if there are fewer categories


def _pair_chance(counts: Sequence[int]) -> float:
    """Return Σ p_k²: the probability that two labels drawn from these counts match (Scott 1955)."""
    n = sum(counts)
    return sum((count / n) ** 2 for count in counts) if n else 0.0


def _count_table(page: Page, distribution: Distribution, totals: Sequence[int]) -> Table:
    say, n = page.say, max(sum(totals), 1)
    caption = say("distribution.table", layer=distribution.layer)
    if len(distribution.annotators) > max(N_COLUMNS, len(totals)):
        return _counts_by_annotator(page, distribution, totals, caption)
    order = sorted(range(len(totals)), key=lambda k: -totals[k])
    ordered = order if len(totals) > N_COLOURED + 1 else range(len(totals))
    return table(
        say, caption, ordered,
        text(say("table.category"), lambda k: distribution.tagset[k]),
        number(say("table.total"), lambda k: totals[k]),
        number(say("table.share"), lambda k: totals[k] / n, "%"),
        *_count_columns(distribution.annotators, lambda k: distribution.counts[k]),
        css="sortable",
    )  # fmt: skip


def _counts_by_annotator(
    page: Page, distribution: Distribution, totals: Sequence[int], caption: str
) -> Table:
    """Return one row per annotator, because dozens of columns would not fit on paper."""
    say = page.say
    by_annotator = zip(*distribution.counts, strict=True)
    rows = [(say("table.total"), totals), *zip(distribution.annotators, by_annotator, strict=True)]
    return table(
        say, caption, rows,
        text(say("campaign.annotator"), lambda row: row[0]),
        number(say("table.total"), lambda row: sum(row[1])),
        *_count_columns(distribution.tagset, lambda row: row[1]),
    )  # fmt: skip


def _count_columns(
    headings: Sequence[str], counts: Callable[[Row], Sequence[int]]
) -> list[Column[Row]]:
    return each(range(len(headings)), lambda k: number(headings[k], lambda row: counts(row)[k]))


def _bar_figure(
    page: Page,
    distribution: Distribution,
    names: Sequence[str],
    counts: Sequence[Sequence[int]],
    caption: str,
) -> Figure:
    """Draw bars of the most used categories; the rest of a long tagset is drawn as one."""
    say = page.say
    codes, labels, rows = _most_used_categories(page, distribution, counts)
    legend = [
        LegendEntry(category_key(code), label) for code, label in zip(codes, labels, strict=True)
    ]
    svg = stacked_bars(
        names,
        rows,
        codes,
        title=f"{caption}. {say('distribution.description')}",
        say=say,
    )
    if len(names) > _PAIR:
        furthest, _ = _least_typical_documents(names, counts)[0]
        caption = say("distribution.furthest", caption=caption, name=furthest)
    return Figure(svg, caption, legend)


def _figure_with_table(
    page: Page,
    distribution: Distribution,
    names: Sequence[str],
    counts: Sequence[Sequence[int]],
    caption: str,
    column: str,
) -> list[Block]:
    """Return the bars, and their counts in a folded table, the only place that lists them."""
    say = page.say
    _, labels, rows = _most_used_categories(page, distribution, counts)
    listed = table(
        say, caption, zip(names, rows, strict=True),
        text(column, lambda row: row[0]),
        *_count_columns(labels, lambda row: row[1]),
    )  # fmt: skip
    figure = _bar_figure(page, distribution, names, counts, caption)
    return [figure, Fold(say("alignments.as_table"), [listed])]


def _most_used_categories(
    page: Page, distribution: Distribution, counts: Sequence[Sequence[int]]
) -> tuple[list[int], list[str], list[list[int]]]:
    """Return codes and names of the most used categories, the others as one (-1), and counts."""
    totals = [sum(row) for row in distribution.counts]
    used = [k for k, total in enumerate(totals) if total]
    kept = used
    if len(used) > N_COLOURED + 1:
        kept = sorted(sorted(used, key=lambda k: -totals[k])[:N_COLOURED])
    others = [k for k in used if k not in set(kept)]
    if not others:
        names = [distribution.tagset[k] for k in kept]
        return kept, names, [[row[k] for k in kept] for row in counts]
    names = [
        *(distribution.tagset[k] for k in kept),
        page.say.counted("other_category", len(others)),
    ]
    rows = [[*(row[k] for k in kept), sum(row[k] for k in others)] for row in counts]
    return [*kept, -1], names, rows


def _homogeneity_blocks(page: Page, distribution: Distribution) -> list[Block]:
    """Compare documents with the whole: chance agreement inside each, and those furthest apart."""
    say = page.say
    filled = [
        (name, counts)
        for name, counts in zip(distribution.documents, distribution.document_counts, strict=True)
        if sum(counts)
    ]
    if len(filled) < 2:
        return []
    whole = [sum(column) for column in zip(*(counts for _, counts in filled), strict=True)]
    local = [_pair_chance(counts) for _, counts in filled]
    far = _least_typical_documents([name for name, _ in filled], [counts for _, counts in filled])
    sentence = say(
        "distribution.homogeneity",
        n=say.counted("document", len(filled)),
        low=say.percent(min(local)),
        middle=say.percent(median(local)),
        high=say.percent(max(local)),
        whole=say.percent(_pair_chance(whole)),
    )
    caption = say("distribution.by_document")
    if len(far) < len(filled):
        caption = say("distribution.by_document_some", n=say.integer(len(far)))
    names = [name for name, _ in far]
    counts = [c for _, c in far]
    column = say("parts.document_column")
    return [
        Prose(sentence),
        *_figure_with_table(page, distribution, names, counts, caption, column),
    ]


def _least_typical_documents(
    names: Sequence[str], counts: Sequence[Sequence[int]]
) -> list[tuple[str, Sequence[int]]]:
    """Return at most `N_BARS` of the rows, those furthest from the whole first."""
    whole = [sum(column) for column in zip(*counts, strict=True)]
    rows = list(zip(names, counts, strict=True))
    return sorted(rows, key=lambda row: -_distance(row[1], whole))[:N_BARS]


def _distance(counts: Sequence[int], whole: Sequence[int]) -> float:
    """Return the total variation distance of two count distributions; 0 if one is empty."""
    n, total = sum(counts), sum(whole)
    if not n or not total:
        return 0.0
    return sum(abs(a / n - b / total) for a, b in zip(counts, whole, strict=True)) / 2
