"""Sections of a study's page: the answer, the curves, tables, rows, how to reproduce it."""

from __future__ import annotations

import math

from ...metrics.fewest_annotators import fewest_annotators
from ...metrics.measures import IN_WORDS
from ..columns import number, text
from ..page.blocks import Block, Bullets, Code, Facts, Fold, Grid, Prose, Section
from ..page.page import Page
from ..page.tables import table
from ..page.values import measure_name
from ..views.statement import bibliography_section
from ..views.validation import validation_section
from ..views.values_as_errors import reading_sentence
from .figures import (
    caption_with_part_if_several,
    figure_of,
    name_on_axis,
    shared_range,
    symbol_or_name,
    tables_of,
)
from .questions import (
    MANY_CELLS,
    cells_section,
    precision_sentence,
    sentences_on_cells,
    small_multiples,
)
from .settings import part_label, part_sentence, setting_value
from .study_results import SIMULATED, StudyCurve, StudyPart, StudyResults, WorstSubset

_MOST_SENTENCES = 40
_WORST_K = 3  # the subset size that is described in words; the table has all
_AGAINST_OWN = ("reading_grid", *SIMULATED)  # the campaign's value is drawn as a level
_SHOWN_BINS = 3  # curves over a coefficient on the page; the tables have all


def study_sections(page: Page, study: StudyResults) -> list[Section]:
    sections = [
        _answer_section(page, study),
        cells_section(page, study),
        _curve_section(page, study),
        _table_section(page, study) if len(study.parts) <= MANY_CELLS else None,
        validation_section(page),
        _reproduce_section(page, study),
    ]
    page.cited |= dict.fromkeys(study.sources)
    sections.append(bibliography_section(page))
    return [section for section in sections if section is not None]


def _answer_section(page: Page, study: StudyResults) -> Section:
    """Show the question and answer, the campaign's own values, and the limits of the answer."""
    say = page.say
    is_simulated = study.kind in SIMULATED
    rows = []
    for key, value in study.observed.items():
        measure = measure_name(say, key) if is_simulated else symbol_or_name(page, key)
        rows.append((say("study.yours", measure=measure), say.number(value)))
    if is_simulated:
        accuracy = say.percent(float(study.parts[0].settings["accuracy"]))
        rows.append((say("study.accuracy"), accuracy))
    undefined = sum(part.n_undefined for part in study.parts)
    if undefined:
        rows.append((say("study.undefined"), say.integer(undefined)))
    if study.looks:
        rows.append((say("study.precision"), precision_sentence(page, study)))
    blocks: list[Block] = []
    if study.description:
        blocks.append(Prose(study.description))
    if len(study.parts) <= MANY_CELLS:
        sentences = [one for part in study.parts for one in _sentences(page, study, part)]
    else:
        readings = [one for part in study.parts for one in _readings(page, part)]
        sentences = readings + sentences_on_cells(page, study)
    sentences += _tie_sentences(page, study)
    about = [f"study.about_{key}" for key in study.parts[0].apart]
    if sum(not one.reason for part in study.parts for one in part.readings) > 1:
        about.append("study.one_error")
    sentences += [say(key) for key in about if say.knows(key)]
    if sentences:
        shown = sentences[:_MOST_SENTENCES]
        blocks.append(Bullets([(one, say.code) for one in shown]))
    if rows:
        blocks.append(Facts(rows))
    lead = say(f"study.lead_{study.kind}") if say.knows(f"study.lead_{study.kind}") else ""
    return Section("answer", say("study.title"), blocks, lead=lead, is_brief=True)


def _study_size(page: Page, study: StudyResults) -> tuple[str, str]:
    """Describe the size of the study in trials or subsets."""
    say = page.say
    if study.kind != "subsets":
        key = "study.trials_grid" if study.kind == "reading_grid" else "study.trials"
        return say(key), say.integer(study.trials)
    subsets = next(one for one in study.parts[0].curves if one.name == "subsets")
    return say("study.subsets"), say.integer(sum(p.n for p in subsets.points))


def _sentences(page: Page, study: StudyResults, part: StudyPart) -> list[str]:
    say = page.say
    label = part_label(say, part)
    found = _readings(page, part)
    found += [
        _change_sentence(page, one, float(part.settings["own"]))
        for one in _curves_to_describe(part)
    ]
    found += [_rise_sentence(page, one) for one in part.curves if math.isfinite(one.rises_from)]
    for one in part.curves:
        if one.name in ("exact", "model", "own"):
            sentence = _change_by_k_sentence(page, study, part, one)
            found += [part_sentence(say, label, sentence)] if sentence else []
    found += [
        part_sentence(say, label, _worst_subset_sentence(page, worst))
        for worst in part.worst
        if worst.k == _WORST_K and math.isfinite(worst.rate)
    ]
    return found


def _readings(page: Page, part: StudyPart) -> list[str]:
    return [reading_sentence(page, own.measure, own.degradation, own) for own in part.readings]


def _tie_sentences(page: Page, study: StudyResults) -> list[str]:
    """Say what the rule for ties does to M(k): plateaus, other rules, how to compare them."""
    if study.kind not in ("synthetic", "subsets"):
        return []
    say, found = page.say, []
    if any(
        one.settings.get("n_categories") == 2
        and one.settings.get("ties") == "random"
        and not any(curve.name == "coverage" for curve in one.curves)
        for one in study.parts
    ):
        found.append(say("study.two_categories"))
    if any(one.settings.get("ties") == "abstain" for one in study.parts):
        found.append(say("study.abstain"))
    if "ties" in study.parts[0].apart:  # a contrast shows what the rule changes
        return found
    others = [(abs(one.rate - one.own_rate), one) for p in study.parts for one in p.other_ties]
    if not others:
        return [*found, say("study.ties_to_run")]
    difference, most = max(others, key=lambda one: one[0])
    own = setting_value(say, "ties", str(study.parts[0].settings["ties"]))
    sentence = say(
        "study.other_ties",
        difference=say.percent(difference),
        k=say.counted("annotator", most.k),
        own=say.percent(most.own_rate),
        own_rule=own,
        other=say.percent(most.rate),
        other_rule=setting_value(say, "ties", most.ties),
    )
    return [*found, sentence]


def _rise_sentence(page: Page, one: StudyCurve) -> str:
    """Say why a curve rises again, and up to where values are read off."""
    say, key = page.say, f"study.rises_{one.x_name}"
    return say(
        "study.rises",
        measure=symbol_or_name(page, one.y),
        degradation=symbol_or_name(page, one.x_name),
        magnitude=say.plain(one.rises_from, 2),
        why=say(key if say.knows(key) else "study.rises_other"),
    )


def _worst_subset_sentence(page: Page, worst: WorstSubset) -> str:
    say = page.say
    return say(
        "study.sentence_worst",
        k=say.counted("annotator", worst.k),
        rate=say.percent(worst.rate),
        names=say.listed(worst.annotators),
    )


def _curves_to_describe(part: StudyPart) -> list[StudyCurve]:
    """Return the simulated measures to describe in words; figures and tables have all."""
    return [one for one in part.curves if one.name == "simulation" and one.y in IN_WORDS]


def _change_sentence(page: Page, one: StudyCurve, own: float) -> str:
    """Describe a measure at the campaign's own point, and at both ends of the curve."""
    say = page.say
    first, last = one.points[0], one.points[-1]
    at = min(one.points, key=lambda p: abs(p.x - own))
    is_share = one.x == "share"

    def shown(x: float) -> str:
        return say.percent(x, 0) if is_share else say.integer(x)

    figures = {
        "measure": name_on_axis(page, one),
        "own": shown(at.x),
        "value": say.number(at.y),
        "low": shown(first.x),
        "first": say.number(first.y),
        "high": shown(last.x),
        "last": say.number(last.y),
    }
    if is_share:
        moved = say("study.axis_share", category=one.x_name)
        return say("study.sentence_share", moved=moved, **figures)
    return say("study.sentence_categories", **figures)


def _change_by_k_sentence(page: Page, study: StudyResults, part: StudyPart, one: StudyCurve) -> str:
    """Describe how much k annotators change, and how many change little: one line of the list."""
    say = page.say
    n = int(part.settings.get("n_annotators", 0))
    known = [p for p in one.points if math.isfinite(p.y) and 2 <= p.x < n]
    if not known:
        return ""
    first = next((p for p in known if p.x == _WORST_K), known[0])
    k = say.counted("annotator", int(first.x))
    if one.name == "own":
        value = say.number(study.observed.get(one.x_name, math.nan))
        measure = symbol_or_name(page, one.x_name)
        found = say(
            "study.sentence_own",
            measure=measure,
            value=value,
            k=k,
            n=n,
            rate=say.percent(first.y),
            trials=say.integer(first.n),
        )
    else:
        rate = say.percent(first.y)
        found = say("study.sentence_k", k=say.integer(first.x), n=n, rate=rate)
        covered = [
            p.y for c in part.curves if c.name == "coverage" for p in c.points if p.x == first.x
        ]
        if one.name == "exact" and covered and covered[0] < 1:
            share = say.percent(1.0 - covered[0])
            is_tied = part.settings["ties"] == "abstain"
            key = "study.sentence_tied" if is_tied else "study.sentence_unlabelled"
            return f"{found} {say(key, share=share)}"  # of other items: too few to be enough
        if one.name == "exact" and part.redrawn > 0:
            found += " " + say("study.sentence_redrawn", n=n, share=say.percent(part.redrawn))
    enough = fewest_annotators(((int(p.x), p.y) for p in known), n_reference=n)
    if enough is None:
        half = say.counted("annotator", n // 2)
        return f"{found} {say('study.sentence_never', half=half, n=say.integer(n))}"
    return f"{found} {say('study.sentence_enough', k=say.counted('annotator', enough))}"


def _curve_section(page: Page, study: StudyResults) -> Section:
    if len(study.parts) > MANY_CELLS:
        return Section("curves", page.say("study.curves"), small_multiples(page, study))
    blocks: list[Block] = []
    if study.kind in _AGAINST_OWN:
        curves = [one for part in study.parts for one in part.curves]
        y_range = shared_range(curves, *study.observed.values())
        figures = [
            figure_of(page, one, observed=study.observed.get(one.y, math.nan), y_range=y_range)
            for one in curves
        ]
        return Section("curves", page.say("study.curves"), [Grid(figures)])
    for part in study.parts:
        if part.label:
            blocks.append(page.heading(part_label(page.say, part)))
        blocks.append(Grid([figure_of(page, one) for one in _curves_to_draw(part)]))
    return Section("curves", page.say("study.curves"), blocks)


def _curves_to_draw(part: StudyPart) -> list[StudyCurve]:
    """Return every curve over k; of the curves over a coefficient, three values of k for α."""
    over = [one for one in part.curves if one.name == "by_coefficient"]
    first = [one for one in over if one.x_name == over[0].x_name]
    middle = len(first) // 2
    chosen = first if len(first) <= _SHOWN_BINS else [first[0], first[middle], first[-1]]
    return [one for one in part.curves if one.name != "by_coefficient"] + chosen


def _table_section(page: Page, study: StudyResults) -> Section:
    """Show the points of all curves, folded, because the figures show them."""
    folds: list[Block] = []
    for part in study.parts:
        inner = tables_of(page, part)
        if part.worst:
            inner.append(_worst_block(page, part))
        label = part_label(page.say, part) if len(study.parts) > 1 else page.say("page.unfold")
        folds.append(Fold(label, inner))
    return Section("tables", page.say("study.tables"), folds)


def _worst_block(page: Page, part: StudyPart) -> Block:
    say = page.say
    return table(
        say,
        caption_with_part_if_several(page, part, say("study.worst")),
        [one for one in part.worst if math.isfinite(one.rate)],
        number(say("study.axis_k"), lambda one: one.k),
        number(say("study.worst_rate"), lambda one: one.rate, "%"),
        text(say("study.worst_who"), lambda one: ", ".join(one.annotators)),
    )


def _reproduce_section(page: Page, study: StudyResults) -> Section:
    say = page.say
    known = say.knows(f"study.kind_{study.kind}")
    settings = [
        (say("study.kind"), say(f"study.kind_{study.kind}") if known else study.kind),
        (say("study.settings"), say.integer(len(study.parts))),
        _study_size(page, study),
        (say("study.seed"), str(study.seed)),
    ]
    blocks: list[Block] = [
        Facts(settings),
        Code(study.run.command, page.identifier("c"), say("study.command")),
        *([Code(study.file, page.identifier("c"), say("study.file"))] if study.file else []),
        Code(
            "\n".join(part.signature for part in study.parts),
            page.identifier("c"),
            say("card.signature"),
        ),
        Facts([(name, number) for name, number in study.run.versions.items()]),
    ]
    return Section("reproduce", say("study.reproduce"), [Fold(say("page.unfold"), blocks)])
