"""Systems against the reference: scores, paired comparisons, errors, the human range.

Validity, not agreement: no chance-corrected coefficients are shown, and the page says why.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from ...metrics.estimate import NO_INTERVAL, Estimate
from ..figures import strip
from ..language import Language
from ..page.blocks import Block, Cell, Prose, Section, Table, numeric_cell
from ..page.page import Page, folded_table
from ..page.values import (
    SCORE_SENTENCE,
    interval_heading,
    interval_text,
    measure_name,
    name_with_symbol,
    number_cell,
    value_cell,
    value_view,
)
from ..results import Named, SystemComparison, SystemScores, Validity
from ..warnings import reason_text, sentence
from .soft import soft_scores


def validity_section(page: Page) -> Section | None:
    say = page.say
    blocks: list[Block] = []
    for validity in page.results.validity:
        blocks += (
            _soft_blocks(page, validity) if validity.soft else _validity_blocks(page, validity)
        )
    if not blocks:
        return None
    blocks.insert(0, Prose(say("validity.wall"), "lead"))
    return Section("systems", say("validity.title"), blocks, css="apart")


def _validity_blocks(page: Page, validity: Validity) -> list[Block]:
    say = page.say
    single = any(
        reference.is_single_annotator and validity.reference in reference.annotators
        for reference in page.results.references
    )
    word = "annotator" if single else "reference"
    layers = {system.layer for system in validity.systems if system.layer}
    layer = ", ".join(sorted(layers)) or say("validity.the_systems")
    blocks: list[Block] = [
        page.heading(say(f"validity.against_{word}", layer=layer, reference=validity.reference))
    ]
    if single:
        blocks.append(Prose(say("reference.single"), "warning"))
    blocks += _blocks_beside_humans(page, validity)
    for title, scored, scores in (
        ("validity.scores", "validity.system", validity.systems),
        ("validity.humans", "validity.annotator", validity.humans),
        ("validity.human_range", "validity.annotator", validity.human_range),
    ):
        if scores:
            blocks.append(_score_table(page, say(title), say(scored), scores, validity.reference))
    if validity.baselines:
        blocks.append(_score_table(page, say("validity.baselines"), "", validity.baselines, ""))
    if validity.human_range:
        blocks.append(Prose(say("validity.human_range_note"), "note"))
    if validity.comparisons:
        blocks.append(_comparison_table(page, validity.comparisons))
    blocks += [
        _per_category(page, s, validity.reference) for s in validity.systems if s.per_category
    ]
    blocks += [Prose(sentence(say, one)[0], "warning") for one in validity.notices]
    if any(system.errors for system in validity.systems):
        blocks.append(_error_table(page, validity.systems))
    return blocks


def _soft_blocks(page: Page, validity: Validity) -> list[Block]:
    blocks = soft_scores(page, validity)
    if validity.comparisons:
        blocks.append(_comparison_table(page, validity.comparisons))
    return blocks + [Prose(sentence(page.say, one)[0], "warning") for one in validity.notices]


def _about(system: SystemScores, reference: str, page: Page) -> str:
    return page.say("validity.about", system=system.system, layer=system.layer, reference=reference)


def _between_note(page: Page) -> str:
    """That the bounds of a reference by an even number of annotators lie between theirs."""
    n_others = sum(one.role == "human" for one in page.results.annotators) - 1
    if n_others % 2:
        return ""
    return page.say("validity.human_range_between", n=page.say.integer(n_others))


def _score_table(
    page: Page, caption: str, scored: str, scores: Sequence[SystemScores], reference: str
) -> Table:
    """Show one row per system and measure: value, interval, and picture.

    Without `scored`, a row is named by its measure alone.
    """
    say = page.say
    if scored and len(scores) == 1:  # one name above the table instead of in each row
        caption = say("validity.of_one", caption=caption, name=scores[0].system)
    several = bool(scored) and len(scores) > 1
    scale = strip.shared_scale([value for system in scores for value in system.values])
    level = next((value.level for system in scores for value in system.values), 0.95)
    rows = []
    for system in scores:
        for value in system.values:
            about = _about(system, reference, page) if scored else system.layer
            view = value_view(
                page, value, about=about, counted=system.kind[:-1], kind=SCORE_SENTENCE
            )
            category = str(value.detail.get("category", ""))
            name = name_with_symbol(say, value) + (f" – {category}" if category else "")
            rows.append(
                [
                    *([Cell(system.system)] if several else []),
                    Cell(name),
                    Cell(picture=strip.strip(value, scale), kind="strip"),
                    value_cell(view),
                    numeric_cell(view.interval or "–"),
                    number_cell(say, value.n_items),
                ]
            )
    columns = [
        *([Cell(scored)] if several else []),
        Cell(say("table.measure")),
        Cell(say("table.scale"), picture=strip.axis(scale, say), kind="strip"),
        numeric_cell(say("table.value")),
        numeric_cell(interval_heading(say, level)),
        numeric_cell(_counted(say, scores)),
    ]
    macro = any(value.how.average == "macro" for system in scores for value in system.values)
    note = say("validity.macro_note") if macro else ""
    return folded_table(page, caption, columns, rows, note=note, css="forest sortable", n_shown=40)


def _blocks_beside_humans(page: Page, validity: Validity) -> list[Block]:
    """Show systems and annotators on one axis, scored against the same references.

    A table per layer, of accuracy or F: against the reference of the systems, and against each
    reference built without one annotator.
    """
    blocks: list[Block] = []
    for kind, humans, systems, note in (
        ("same", validity.humans, validity.systems, "validity.same_reference_note"),
        ("left_out", validity.human_range, validity.leave_one_out, "validity.left_out_note"),
    ):
        of_humans, of_systems = _by_measure(humans), _by_measure(systems)
        main = dict(of_humans.keys())  # layer → accuracy, or F after precision and recall
        shared = [of for of in main.items() if of in of_systems]
        tables = [
            _table_beside_humans(
                page, kind, of, _values_of_all(of_humans[of]), of_systems[of], validity.reference
            )
            for of in shared
        ]
        if tables:
            between = ""
            if kind == "left_out" and any(measure.startswith("exact_") for _, measure in shared):
                between = _between_note(page)
            blocks += [*tables, Prose(f"{page.say(note)} {between}".strip(), "note")]
    return blocks


def _by_measure(
    scores: Sequence[SystemScores],
) -> dict[tuple[str, str], dict[str, list[Estimate]]]:
    """(layer, measure) → name → defined values, one per reference."""
    found: dict[tuple[str, str], dict[str, list[Estimate]]] = {}
    for one in scores:
        for value in one.values:
            if math.isfinite(value.value):
                by_name = found.setdefault((one.layer, value.measure), {})
                by_name.setdefault(one.system, []).append(value)
    return found


def _values_of_all(by_name: Mapping[str, Sequence[Estimate]]) -> list[float]:
    return [value.value for values in by_name.values() for value in values]


def _table_beside_humans(
    page: Page,
    kind: str,
    of: tuple[str, str],
    humans: list[float],
    systems: Mapping[str, Sequence[Estimate]],
    reference: str,
) -> Table:
    """One row for the band of the annotators, and one per system.

    Against several references, each row has its mean and its range over them.
    """
    say, (layer, measure) = page.say, of
    several = kind == "left_out"
    points = {name: _mean_of(values) for name, values in systems.items()}
    scale = strip.shared_scale(points.values(), humans)

    def span(values: Sequence[float]) -> str:
        return f"{say.number(min(values))} – {say.number(max(values))}"

    def row(name: str, point: Estimate | None, value: str, spread: str) -> list[Cell]:
        picture = strip.strip(point, scale, others=humans)
        return [
            Cell(name), Cell(picture=picture, kind="strip"),
            numeric_cell(value, math.nan if point is None else point.value), numeric_cell(spread),
        ]  # fmt: skip

    of_humans = (say.number(fmean(humans)), span(humans)) if several else (span(humans), "–")
    rows = [row(say("validity.annotators", n=say.counted("human", len(humans))), None, *of_humans)]
    for name, point in points.items():
        spread = span([one.value for one in systems[name]]) if several else ""
        interval = interval_text(say, point.interval) or "–"
        rows.append(row(name, point, say.number(point.value), spread or interval))
    level = next(iter(points.values())).level
    columns = [
        Cell(say("validity.scored")),
        Cell(say("table.scale"), picture=strip.axis(scale, say), kind="strip"),
        numeric_cell(say("validity.mean" if several else "table.value")),
        numeric_cell(say("validity.range") if several else interval_heading(say, level)),
    ]
    caption = say(
        f"validity.beside_humans_{kind}",
        measure=measure_name(say, measure), layer=layer, reference=reference,
    )  # fmt: skip
    return folded_table(page, caption, columns, rows, css="forest")


def _mean_of(values: Sequence[Estimate]) -> Estimate:
    """The one value, or the mean of several without an interval."""
    if len(values) == 1:
        return values[0]
    return replace(values[0], value=fmean(one.value for one in values), interval=NO_INTERVAL)


def _counted(say: Language, scores: Sequence[SystemScores]) -> str:
    """Return what the numbers at the right count: items, units, or both in a mixed table."""
    kinds = {system.kind for system in scores}
    return say(f"table.{kinds.pop()}") if len(kinds) == 1 else say("table.counted")


def _comparison_table(page: Page, comparisons: Sequence[SystemComparison]) -> Table:
    say = page.say
    rows = [
        [
            Cell(f"{c.first} − {c.second}"),
            Cell(measure_name(say, c.measure)),
            numeric_cell(
                say.signed(c.difference)
                if math.isfinite(c.difference)
                else reason_text(say, c.reason)
            ),
            numeric_cell(interval_text(say, c.interval) or "–"),
            numeric_cell(_p_value(page, c.p_value)),
            numeric_cell(_p_value(page, c.p_corrected)),
        ]
        for c in comparisons
    ]
    columns = [
        Cell(say("validity.pair")),
        Cell(say("table.measure")),
        numeric_cell(say("validity.difference")),
        numeric_cell(interval_heading(say, comparisons[0].level)),
        numeric_cell("p"),
        numeric_cell(say("validity.corrected")),
    ]
    caption = say("validity.comparisons")
    return folded_table(page, caption, columns, rows, note=say("validity.comparisons_note"))


def _p_value(page: Page, p: float) -> str:
    if not math.isfinite(p):
        return "–"
    if p < 0.001:
        return "< " + page.say.plain(0.001, 3)
    return page.say.plain(p, 3)


def _per_category(page: Page, system: SystemScores, reference: str) -> Table:
    """Show one row per category, one column per measure, each value over its interval."""
    say = page.say
    measures = list(dict.fromkeys(part.value.measure for part in system.per_category))
    by_name: dict[str, dict[str, Named]] = {}
    for part in system.per_category:
        by_name.setdefault(part.name, {})[part.value.measure] = part
    rows = []
    for name, parts in by_name.items():
        about = f"{_about(system, reference, page)}, {name}"
        cells = [Cell(name)]
        for measure in measures:
            if measure not in parts:
                cells.append(numeric_cell("–"))
                continue
            value = parts[measure].value
            counted = system.kind[:-1]
            view = value_view(page, value, about=about, counted=counted, kind=SCORE_SENTENCE)
            cells.append(replace(value_cell(view), text=view.interval))
        cells.append(number_cell(say, max(part.value.n_items for part in parts.values())))
        rows.append(cells)
    columns = [Cell(say("table.category"))]
    columns += [numeric_cell(measure_name(say, measure)) for measure in measures]
    columns.append(numeric_cell(say("validity.in_reference")))
    caption = say("validity.per_category", system=system.system)
    return folded_table(page, caption, columns, rows, css="sortable")


def _error_table(page: Page, systems: Sequence[SystemScores]) -> Table:
    say = page.say
    kinds = list(dict.fromkeys(kind for system in systems for kind in system.errors))
    lacking = any(system.n_missing_documents for system in systems)
    rows = [
        [
            Cell(system.system),
            *([number_cell(say, system.n_missing_documents)] if lacking else []),
            *(number_cell(say, system.errors.get(kind, 0)) for kind in kinds),
        ]
        for system in systems
        if system.errors
    ]
    columns = [
        Cell(say("validity.system")),
        *([numeric_cell(say("validity.missing_documents"))] if lacking else []),
        *(
            numeric_cell(say(f"error.{kind}") if say.knows(f"error.{kind}") else kind)
            for kind in kinds
        ),
    ]
    return Table(say("validity.errors"), columns, rows)
