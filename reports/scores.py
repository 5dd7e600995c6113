"""Scores of systems as sentences and tables: what `accordeur score` and Python print."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple

from ..metrics.estimate import Estimate
from ..metrics.measures import BASELINES
from ..metrics.results import ReferenceCoverage, SystemComparison
from .cell_texts import level_text, p_text, why_undefined
from .columns import Column, Table, each, interval, number, text
from .language import TERMINAL, Language
from .reference_in_words import named_reference

_MAIN = (
    "accuracy",
    *("precision", "recall", "f", "macro_f"),
    *("exact_precision", "exact_recall", "exact_f"),
)
_ONE_ANNOTATOR = (
    "the reference is one annotator's unvalidated work: scores measure agreement with this "
    "annotator, not validity"
)


@dataclass(frozen=True, slots=True)
class SystemScoresShown:
    """Scores of systems on exports.

    reference    its name, with its `coverage` where it is no distribution of labels
    is_of_one    whether it is the work of a single annotator
    values       (system, category, value); "" is the system of baselines, and all categories
    errors       system → kind of error → number
    differences  (measure, difference of two systems)
    """

    reference: str
    is_of_one: bool
    is_labels: bool
    coverage: ReferenceCoverage | None
    values: Sequence[tuple[str, str, Estimate]]
    errors: Mapping[str, Mapping[str, int]]
    differences: Sequence[tuple[str, SystemComparison]]

    @property
    def whole(self) -> list[Estimate]:
        """The values that are not of a category."""
        return [value for _, category, value in self.values if not category]


def blocks(
    result: SystemScoresShown,
    *,
    every: bool = False,
    by: Literal["category"] | None = None,
    others: str = "with --all",
) -> Iterator[str | Table]:
    """Yield the values of whole systems, of categories, the errors, and paired differences.

    every   whether to yield all measures of whole systems
    by      `category`: only the values of each category
    others  where those that are left out are shown
    """
    say, kind = Language("en", ("", *TERMINAL)), "items" if result.is_labels else "units"
    named = named_reference(say, result.reference, kind, result.coverage)
    word = "annotator " if result.is_of_one else "reference "
    yield f"against the {named if named.startswith(word) else word + named}"
    if by is not None:
        yield from _scores_by_category(result)
        return
    yield from _values(say, result, every=every, others=others)
    drawn = any(one.detail.interval_reason for one in result.whole)
    if drawn and all(math.isnan(one.interval[0]) for one in result.whole):
        yield "no interval: intervals resample documents, and there is only one"
    yield from _scores_by_category(result)
    yield from _errors(result)
    yield from _system_differences(result)
    if result.is_of_one:
        yield _ONE_ANNOTATOR


def _values(
    say: Language, result: SystemScoresShown, *, every: bool, others: str
) -> Iterator[str | Table]:
    """Yield the values of whole systems: all, or F with precision and recall where they exist."""
    whole = [(system, one) for system, category, one in result.values if not category]
    accuracies = {system: one.value for system, one in whole if one.measure == "accuracy"}
    main = [
        (system, one)
        for system, one in whole
        if not system
        or one.measure in ("accuracy", "macro_f")
        or (one.measure in _MAIN and one.value != accuracies.get(system))
    ]
    shown = whole if every or all(not system for system, _ in main) else main
    yield Table(
        "",
        shown,
        (
            text("system", lambda row: row[0] or "(baseline)"),
            text("measure", lambda row: row[1].measure),
            number("value", lambda row: row[1].value),
            interval(
                level_text(one.confidence_level for _, one in shown), lambda row: row[1].interval
            ),
            why_undefined(shown, lambda row: row[1].reason),
        ),
    )
    left_out = {one.measure for _, one in whole} - {one.measure for _, one in shown}
    if left_out:
        yield f"{len(left_out)} more measure{'s' * (len(left_out) > 1)} {others}"
    baselines = [one.measure for system, one in whole if not system and one.measure in BASELINES]
    if baselines:
        meanings = [f"{name} ({say(f'measure.{name}.name')})" for name in baselines]
        yield f"A system should exceed the baseline: {'; '.join(meanings)}"


class _CategoryScores(NamedTuple):
    """The scores of one system on one category, by measure."""

    system: str
    category: str
    scores: dict[str, Estimate]

    def value(self, measure: str) -> float:
        return self.scores[measure].value if measure in self.scores else math.nan

    def interval(self, measure: str) -> tuple[float, float]:
        return self.scores[measure].interval if measure in self.scores else (math.nan, math.nan)

    def n_reference(self) -> int:
        return next(iter(self.scores.values())).detail.n_reference


def _scores_by_category(result: SystemScoresShown) -> Iterator[str | Table]:
    """Yield one row per system and category; for units, the exact match."""
    found: dict[tuple[str, str], dict[str, Estimate]] = {}
    for system, category, one in result.values:
        if category and one.measure in _MAIN[1:]:
            found.setdefault((system, category), {})[one.measure] = one
    if not found:
        return
    rows = [_CategoryScores(*names, scores) for names, scores in found.items()]
    values = [one for row in rows for one in row.scores.values()]
    has_intervals = any(math.isfinite(one.interval[0]) for one in values)
    level = level_text(one.confidence_level for one in values) if has_intervals else ""
    measures = dict.fromkeys(one.measure for one in values)
    systems = {row.system for row in rows}
    yield Table(
        f"{f'{min(systems)} ' if len(systems) == 1 else ''}by category (n: in the reference)",
        rows,
        (
            text("system", lambda row: row.system, when=len(systems) > 1),
            text("category", lambda row: row.category),
            number("n", lambda row: row.n_reference()),
            *chain.from_iterable(_score_columns(name, level) for name in measures),
        ),
    )
    for reason in dict.fromkeys(str(one.reason) for one in values if one.reason):
        yield f"undefined: {reason}"
    for reason, categories in _without_interval(rows).items():
        yield f"no interval ({', '.join(categories)}): {reason}"


def _without_interval(rows: Sequence[_CategoryScores]) -> dict[str, dict[str, None]]:
    """Return why there is no interval → the categories that have values without one."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        for one in row.scores.values():
            reason = one.detail.interval_reason
            if reason and one.reason is None and math.isnan(one.interval[0]):
                found.setdefault(reason, {})[row.category] = None
    return found


def _score_columns(measure: str, level: str) -> list[Column[_CategoryScores]]:
    """Return the columns of a value and its interval; level: heading, "" without intervals."""
    return [
        number(measure, lambda row: row.value(measure)),
        interval(level, lambda row: row.interval(measure), when=bool(level)),
    ]


def _errors(result: SystemScoresShown) -> Iterator[Table]:
    errors = result.errors
    kinds = dict.fromkeys(kind for counts in errors.values() for kind in counts)
    if kinds:
        yield Table(
            "",
            [*kinds],
            (
                text("errors", lambda kind: kind, whole=True),
                *each(errors, lambda name: number(name, lambda kind: errors[name].get(kind, 0))),
            ),
        )


def _system_differences(result: SystemScoresShown) -> Iterator[Table]:
    if not result.differences:
        return
    level = level_text(one.level for _, one in result.differences)
    pairs = {f"{one.first} − {one.second}" for _, one in result.differences}
    named = f": {min(pairs)}" if len(pairs) == 1 else ""
    yield Table(
        f"paired differences{named} (p: randomisation test)",
        result.differences,
        (
            text("pair", lambda row: f"{row[1].first} − {row[1].second}", when=not named),
            text("measure", lambda row: row[0], whole=True),
            number("difference", lambda row: row[1].difference, "+"),
            interval(level, lambda row: row[1].interval, "+"),
            number("p", lambda row: row[1].p_randomisation, p_text),
            number("p (Holm)", lambda row: row[1].p_corrected, p_text),
            why_undefined(result.differences, lambda row: row[1].reason),
        ),
    )
