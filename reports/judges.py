"""What the check of judges found, as sentences and tables (`judge_documents` shows them)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..data.option_names import names_campaign_keys
from ..metrics.estimate import Estimate
from .columns import Column, Table, each, interval, number, reasons, text
from .judge_checklist import check_sentence
from .language import MINUS, Language
from .replacement import MESSAGES as OF_REPLACEMENT
from .replacement import epsilon_sentence, verdict_sentences
from .results import GateOutcome
from .results.judges import (
    MOST_ITEMS_OF_CELL,
    BarOutcome,
    Candidate,
    CandidateMeasure,
    CategoryScores,
    ConfusionCell,
    JudgeReport,
    JudgeScores,
    JudgeSlice,
    JudgeVerdict,
)
from .warnings import reason_text

MESSAGES = ("judge", "estimates", *OF_REPLACEMENT)
MAJORITY = "majority"
MOST_HUMANS_SHOWN = 6  # with each of whom a candidate is shown; the mean is of all
FEWEST_FOR_PANEL = 3  # humans, of whom each in turn is compared with the others
DEFAULT_LEVEL = 0.95
_DIGITS_OF_HASH = 12


def blocks(say: Language, found: JudgeReport) -> Iterator[str | Table]:
    """Yield the sentences and tables: verdicts, human ceiling, candidates, scores, corrections."""
    for verdict in found.verdicts:
        yield verdict_sentence(say, found, verdict)
    yield from _bars(say, found)
    yield from _corrected(say, found)
    yield from _human_ceiling(say, found)
    several = "" if found.agreement else "_of_one"
    yield _candidates(say, found, say(f"judge.candidates{several}"), found.candidates)
    if found.ratings:
        yield from _human_ratings(say, found)
        yield _candidates(say, found, say("judge.ratings"), found.ratings)
    yield from _scores(say, found)
    yield from _slices(say, found)
    yield from _replacement(say, found)


def verdict_sentence(say: Language, found: JudgeReport, verdict: JudgeVerdict) -> str:
    if verdict.by == "bars":
        bars = {
            outcome: say.listed([_bar_text(one) for one in verdict.bars if one.outcome is outcome])
            for outcome in GateOutcome
        }
        also = bars[GateOutcome.undecided]
        open_bars = [one for one in verdict.bars if one.outcome is GateOutcome.undecided]
        key = f"{verdict.outcome}_also" if verdict.outcome == "failed" and also else verdict.outcome
        said = say(
            f"judge.verdict_bars_{key}",
            system=verdict.system,
            bars=bars[verdict.outcome],
            undecided=also,
            file=found.bars_file,
            hash=f"SHA-256 {found.bars_hash[:_DIGITS_OF_HASH]}",
        )
        if verdict.outcome is GateOutcome.undecided and all(one.more for one in open_bars):
            more = max(one.more or 0 for one in open_bars)
            said += " " + say("judge.more_to_decide", n=say.counted("item", more))
        return said
    [judged] = (one for one in found.replacement.systems if one.system == verdict.system)
    if len(found.annotators) < FEWEST_FOR_PANEL:
        n = say.counted("human", len(found.annotators))
        return say.filled("judge.verdict_few_humans", {"system": verdict.system, "humans": n})
    if judged.panel is None:
        reason = reason_text(say, judged.values[0].reason)
        return say.filled("judge.verdict_no_panel", {"system": verdict.system, "reason": reason})
    said = say(f"judge.verdict_replacement_{verdict.outcome}", system=verdict.system)
    if found.replacement.replicates and not judged.panel.is_stable:
        share = say.percent(judged.panel.stability, 0)
        said += " " + say("replacement.near_the_border", share=share)
    return said


def _bar_text(one: BarOutcome) -> str:
    of = f" ({one.of})" if one.of else ""
    on = f", {one.on}" if one.on != "value" else ""
    return f"{one.measure}{of}{on} {one.operator} {one.threshold:g}"


def _bars(say: Language, found: JudgeReport) -> Iterator[Table]:
    every = [one for verdict in found.verdicts for one in verdict.bars]
    ceiling = {one.measure: one.value for one in found.agreement}
    of_two = {"cohen_kappa": "light_kappa"}

    def among_humans(one: BarOutcome) -> float | None:
        return ceiling.get(one.measure, ceiling.get(of_two.get(one.measure, "")))

    if every:
        has_ceiling = any(among_humans(one) is not None for one in every)
        yield Table(
            say("judge.bars"),
            every,
            (
                text(say("judge.judge"), lambda one: one.system, when=len(found.systems) > 1),
                text(say("judge.bar"), _bar_text, whole=True),
                number(say("judge.value"), lambda one: one.value.value),
                interval(_level(say, [every[0].value]), lambda one: one.value.interval),
                text(say("judge.outcome"), lambda one: say(f"judge.{one.outcome}")),
                number(say("judge.more"), lambda one: one.more, when=_is_undecided(every)),
                number(say("judge.among_humans"), among_humans, when=has_ceiling),
                _why(say, [one.value for one in every], lambda one: one.value.reason),
            ),
        )


def _is_undecided(bars: Sequence[BarOutcome]) -> bool:
    return any(one.more is not None for one in bars)


def _replacement(say: Language, found: JudgeReport) -> Iterator[str]:
    """Yield the verdicts on replacement, and the checks of runs, order and length."""
    judged = [one for one in found.replacement.systems if one.panel is not None]
    if judged and any(one.by == "bars" for one in found.verdicts):
        yield say("judge.apart_from_bars")
    for one in judged:
        yield " ".join(verdict_sentences(say, found.replacement, one))
    if judged:
        yield epsilon_sentence(say, found.replacement)
    for one in found.replacement.systems:
        yield from (check_sentence(say, found.replacement, one, check) for check in one.checks)


def _human_ceiling(say: Language, found: JudgeReport) -> Iterator[str | Table]:
    if not found.agreement:
        yield say("judge.one_human", annotator=found.annotators[0])
        return
    n = say.counted("human", len(found.annotators))
    yield _values(say, say("judge.agreement", annotators=n), found.agreement)


def _human_ratings(say: Language, found: JudgeReport) -> Iterator[Table]:
    if found.human_ratings:
        yield _values(say, say("judge.human_ratings"), found.human_ratings)


def _values(say: Language, title: str, values: Sequence[Estimate]) -> Table:
    return Table(
        title,
        values,
        (
            text(say("judge.measure"), lambda one: one.measure, whole=True),
            number(say("judge.value"), lambda one: one.value),
            interval(_level(say, values), lambda one: one.interval),
            _why(say, values, lambda one: one.reason),
        ),
    )


def _candidates(
    say: Language, found: JudgeReport, title: str, candidates: Sequence[Candidate]
) -> Table:
    rows = [(one.system, measure) for one in candidates for measure in one.measures]
    names = [pair.annotator for pair in rows[0][1].pairs]

    def with_each(at: int) -> Column[tuple[str, CandidateMeasure]]:
        heading = say("judge.with_annotator", annotator=names[at])
        return number(heading, lambda row: row[1].pairs[at].value.value)

    means = [measure.mean for _, measure in rows]
    heading = say("judge.mean")
    if len(names) == 1:
        heading = say("judge.with_annotator", annotator=names[0])
    shown = range(len(names)) if 1 < len(names) <= MOST_HUMANS_SHOWN else ()
    return Table(
        title,
        rows,
        (
            text(say("judge.judge"), lambda row: row[0], when=len(found.systems) > 1),
            text(say("judge.measure"), lambda row: row[1].mean.measure, whole=True),
            number(heading, lambda row: row[1].mean.value),
            interval(_level(say, means), lambda row: row[1].mean.interval),
            *each(shown, with_each),
            _why(say, means, lambda row: row[1].mean.reason),
        ),
    )


def _scores(say: Language, found: JudgeReport) -> Iterator[str | Table]:
    reference = found.reference
    of_all = {
        "reference": say("judge.majority") if reference == MAJORITY else reference,
        "n": say.integer(found.n_reference),
        "items": say.counted("item", found.n_items),
    }
    rows = [
        (one.system, value)
        for one in found.scores
        for value in one.values
        if value.measure in ("accuracy", "macro_f")
    ]
    values = [value for _, value in rows]
    yield Table(
        say("judge.scores", **of_all),
        rows,
        (
            text(say("judge.judge"), lambda row: row[0], when=len(found.systems) > 1),
            text(say("judge.measure"), lambda row: row[1].measure, whole=True),
            number(say("judge.value"), lambda row: row[1].value),
            interval(_level(say, values), lambda row: row[1].interval),
            _why(say, values, lambda row: row[1].reason),
        ),
    )
    yield from _categories(say, found)
    for one in found.scores:
        yield from _confidence(say, one)
        yield from _confusion(say, one)
    if any(one.confusion for one in found.scores) and not names_campaign_keys():
        yield say.filled("judge.cells", {"most": MOST_ITEMS_OF_CELL})
    if found.differences:
        yield Table(
            say("judge.differences"),
            found.differences,
            (
                text(say("judge.pair"), lambda one: f"{one.first} {MINUS} {one.second}"),
                text(say("judge.measure"), lambda one: one.measure, whole=True),
                number(say("judge.difference"), lambda one: one.difference, "+"),
                interval(_level(say, values), lambda one: one.interval, "+"),
                number("p", lambda one: one.p_value, say.p_value),
                _why(say, found.differences, lambda one: one.reason),
            ),
        )


def _categories(say: Language, found: JudgeReport) -> Iterator[str | Table]:
    rows = [(one.system, "", part) for one in found.scores for part in one.categories]
    if rows:
        yield _category_table(say, say("judge.by_category"), rows)
    categories = list(dict.fromkeys(part.category for _, _, part in rows))
    if len(categories) == 2:
        negative, positive = categories
        yield say("judge.rates_of_two", positive=positive, negative=negative)


def _category_table(
    say: Language, title: str, rows: Sequence[tuple[str, str, CategoryScores]]
) -> Table:
    """Return the scores by category; rows: system, slice ("" of all items) and scores."""
    shown = [value for *_, part in rows for value in part.values]
    measures = list(dict.fromkeys(value.measure for value in shown))

    def of(part: CategoryScores, measure: str) -> Estimate | None:
        return next((value for value in part.values if value.measure == measure), None)

    def columns(measure: str) -> list[Column[tuple[str, str, CategoryScores]]]:
        return [
            number(measure, lambda row: (one := of(row[2], measure)) and one.value),
            interval(_level(say, shown), lambda row: (one := of(row[2], measure)) and one.interval),
        ]

    return Table(
        title,
        rows,
        (
            text(say("judge.judge"), lambda row: row[0], when=len({row[0] for row in rows}) > 1),
            text(say("judge.slice"), lambda row: row[1], when=any(row[1] for row in rows)),
            text(say("judge.category"), lambda row: row[2].category),
            number("n", lambda row: row[2].n_reference),
            *(column for measure in measures for column in columns(measure)),
        ),
    )


def _slices(say: Language, found: JudgeReport) -> Iterator[Table]:
    if not found.slices:
        return
    shown = [[one.candidate[0], one.scores[0]] for one in found.slices]

    def columns(k: int) -> list[Column[tuple[JudgeSlice, list[Estimate]]]]:
        level = _level(say, [values[k] for values in shown])
        return [
            number(shown[0][k].measure, lambda row: row[1][k].value),
            interval(level, lambda row: row[1][k].interval),
        ]

    yield Table(
        say("judge.slices"),
        list(zip(found.slices, shown, strict=True)),
        (
            text(say("judge.judge"), lambda row: row[0].system, when=len(found.systems) > 1),
            text(say("judge.slice"), lambda row: row[0].name),
            number("n", lambda row: row[0].n_items),
            *columns(0),
            *columns(1),
        ),
    )
    rows = [(one.system, one.name, part) for one in found.slices for part in one.categories]
    if rows:
        yield _category_table(say, say("judge.slices_by_category"), rows)


def _confidence(say: Language, one: JudgeScores) -> Iterator[Table]:
    if not one.confidence:
        return
    yield _values(say, say("judge.confidence", system=one.system), one.confidence)
    yield Table(
        say("judge.reliability", system=one.system),
        one.reliability,
        (
            number(say("judge.predicted"), lambda row: row.predicted),
            number(say("judge.right"), lambda row: row.observed),
            interval(_level(say, one.confidence), lambda row: row.interval),
            number("n", lambda row: row.n),
        ),
    )


def _confusion(say: Language, one: JudgeScores) -> Iterator[Table]:
    labels = sorted({cell.label for cell in one.confusion}, key=lambda label: (not label, label))
    of_reference: dict[str, dict[str, ConfusionCell]] = {}
    for cell in one.confusion:
        of_reference.setdefault(cell.reference, {})[cell.label] = cell

    def count(label: str) -> Column[tuple[str, dict[str, ConfusionCell]]]:
        heading = label or say("judge.no_label")
        return number(heading, lambda row: row[1][label].n if label in row[1] else 0)

    if of_reference:
        yield Table(
            say("judge.confusion", system=one.system),
            list(of_reference.items()),
            (text("", lambda row: row[0]), *each(labels, count)),
        )


def _corrected(say: Language, found: JudgeReport) -> Iterator[str | Table]:
    if found.corrected is None:
        if found.n_unlabelled_by_humans:
            n = say.counted("item", found.n_unlabelled_by_humans)
            yield say.filled("judge.not_corrected", {"n": n})
        return
    rows = [(one.system, share) for one in found.corrected.systems for share in one.shares]
    yield Table(
        say("judge.corrected", n=say.integer(found.corrected.systems[0].n_audited)),
        rows,
        (
            text(say("judge.judge"), lambda row: row[0], when=len(found.systems) > 1),
            text(say("judge.category"), lambda row: row[1].category),
            number(say("judge.naive"), lambda row: row[1].naive),
            number(say("judge.humans_alone"), lambda row: row[1].humans),
            number(say("judge.corrected_value"), lambda row: row[1].value),
            interval(
                _heading_of_interval(say, found.corrected.level_of_shares),
                lambda row: row[1].interval,
            ),
            number(say("judge.worth"), lambda row: row[1].saving, "0%"),
            _why(say, [share for _, share in rows], lambda row: row[1].reason),
        ),
    )


def _level(say: Language, values: Sequence[Estimate]) -> str:
    return _heading_of_interval(say, values[0].confidence_level if values else DEFAULT_LEVEL)


def _heading_of_interval(say: Language, level: float) -> str:
    return say("judge.interval", level=say.percent(level, 0))


def _why(say: Language, values: Sequence[Any], reason: Any) -> Column[Any]:
    has_reason = any(one.reason is not None for one in values)
    return reasons(
        say("estimates.no_value"), lambda row: reason_text(say, reason(row)), when=has_reason
    )


def worst(outcomes: Sequence[GateOutcome]) -> GateOutcome:
    """Return failed if any is failed, else undecided if any is, else passed."""
    return min(outcomes, key=[GateOutcome.failed, GateOutcome.undecided, GateOutcome.passed].index)
