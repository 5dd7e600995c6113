"""Refuse tables that would be read as wide, and are of another shape.

They have numbers of annotators, one row per label or per annotator, or several questions. What
they would be read as is a value of agreement, but of nothing.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ...errors import DataError
from ...option_names import format_options, look_hint, option
from .column_facts import ColumnFacts
from .column_names import NUMBERED, is_annotator_name, is_person_name
from .counts import require_no_counts
from .layout import Columns, OtherShapeError

_WORDS = "annotators?|raters?|coders?|judges?|observers?|workers?|respondents?"
_SHORT = "ann|anno|experts?|reviewers?"  # that name an annotator with a number only
_PERSON = re.compile(
    rf"[\W_]?(\w+[ _.:-])?({_WORDS})(?P<of_ids>[ _.-]?(ids?|nr|no|number|name))?", re.I
)
_QUESTION = re.compile(
    rf"(?P<before>(.*[\W_])?)(?P<who>({_WORDS}|{_SHORT})[ _.-]?([0-9]+|[a-z](?![a-z])))"
    r"(?P<after>.*)",
    re.I,
)
_TWO_WORDS = re.compile(r"([a-z][a-z0-9]+|[A-Z][a-z0-9]*)([A-Z][a-z0-9]+)")  # anaJoy, A1Joy
_ENTRY = re.compile(r"(.+)--[12]")
_FEWEST_ROWS = 5
_FEWEST_ENTERED = 2  # records with both entries
_MOST_SHOWN = 4
_MOST_OF_ROWS = 0.98
_MANY_COLUMNS, _TIMES = 8, 2


def require_wide_labels(columns: Columns, facts: ColumnFacts, source: str) -> None:
    """Raise DataError if a wide table has no label of an annotator in each cell."""
    annotators = [k for k, _ in columns.across]
    reason = _why_judgements(annotators, facts) or _why_nothing_shared(annotators, facts)
    if reason:
        raise OtherShapeError(f"{source}: {reason}")
    if (record := column_of_entries(facts)) is not None:
        raise DataError(
            f"{source}: `{facts.header[record]}` has two entries of a record (`7--1`, `7--2`), as "
            f"of two annotators of one item, so no column is an annotator's{look_hint()}"
        )
    others = [k for k in range(len(facts.header)) if k != columns.at.get("item")]
    for some in (annotators, others):  # where a total is no annotator's
        names = [facts.header[k] for k in some]
        require_no_counts(names, [facts.texts(k) for k in some], source)
    if _is_contingency_table(facts):
        raise DataError(
            f"{source}: the cells seem to be numbers of items, because the rows are called like "
            "the columns: give one row for each combination of labels, the labels in the columns "
            f"of the annotators, and the number of items in one that `{option('count')}` names"
        )
    _require_one_question(columns, source)
    _require_no_pairs_of_names([facts.header[k] for k in others], source)


def require_no_sets(facts: ColumnFacts, source: str) -> None:
    """Raise DataError if numbered columns hold the labels of a set."""
    for own in families_of_sets(facts).values():
        raise DataError(
            f"{source}: {facts.header[own[0]]}, {facts.header[own[1]]} … hold the labels of a set, "
            f"which fill them from the first on, so they are no annotators'{look_hint()}"
        )


def column_of_entries(facts: ColumnFacts) -> int | None:
    """Return the first column in which several records have two entries; None if none has."""
    for k in range(len(facts.header)):
        records = [match[1] for one in facts.values(k) if (match := _ENTRY.fullmatch(one))]
        if len(records) - len({*records}) >= _FEWEST_ENTERED:
            return k
    return None


def families_of_sets(facts: ColumnFacts) -> dict[str, list[int]]:
    """Return the columns that hold one label each of a set, by what is before their numbers."""
    found: dict[str, list[int]] = {}
    for k, name in enumerate(facts.header):
        if match := NUMBERED.fullmatch(name.strip()):
            found.setdefault(match[1], []).append(k)
    return {stem: own for stem, own in found.items() if _is_set(facts, own)}


def _is_set(facts: ColumnFacts, columns: Sequence[int]) -> bool:
    """Whether rows fill columns from the first one on, with labels that differ and recur."""
    columns = [k for k in columns if facts.values(k)]
    rows = [*zip(*(facts.texts(k) for k in columns), strict=True)]
    given = [[one for one in row if one] for row in rows]
    labels = [one for own in given for one in own]
    are_equally_filled = len({len(facts.given(k)) for k in columns}) < 2  # as of annotators
    if are_equally_filled or any(map(facts.is_numeric, columns)):
        return False
    fit = sum(
        own == [*row[: len(own)]] and len({*own}) == len(own)
        for row, own in zip(rows, given, strict=True)
    )
    later = {one for row in rows for one in row[1:] if one}
    return (
        fit >= _MOST_OF_ROWS * len(rows)
        and 2 * len({*labels}) <= len(labels)
        and not later.isdisjoint(facts.values(columns[0]))
    )


def require_rows_of_items(
    columns: Columns, facts: ColumnFacts, source: str, *, refused: bool
) -> bool:
    """Return whether the rows seem to be annotators, by their names or because they are few.

    refused  whether to raise DataError if their names say so
    """
    if all(is_annotator_name(name) for _, name in columns.across):
        return False
    header, at = facts.header, columns.at.get("item", 0)
    rows = facts.given(at)
    annotators = [k for k, name in enumerate(header) if is_person_name(name)]
    named = len({*rows}) == len(rows) > 1 and (
        all(map(is_annotator_name, rows)) or annotators == [at]
    )
    if named and refused:
        whose = f" {option('annotator', shlex.quote(header[at]))}" if header[at] else ""
        items = f"; if the rows are items: `{option('item', shlex.quote(header[at]))}`"
        raise DataError(
            f"{source}: the rows are called like annotators ({', '.join(rows[:2])} …): if each row "
            f"is an annotator and each column an item, use "
            f"`{format_options(layout='transposed')}{whose}`{items if whose else ''}"
        )
    n_columns, n_rows = len(columns.across), facts.n_rows
    return named or (n_rows > 1 and n_columns >= max(_MANY_COLUMNS, _TIMES * n_rows))


def annotator_like_columns(names: Mapping[int, str]) -> set[int]:
    """Return which columns are called like annotators; `rater1_tone` if there is `rater2_tone`."""
    numbered = {k for group in questions_of_names(names).values() if len(group) > 1 for k in group}
    return numbered | {k for k, name in names.items() if is_annotator_name(name)}


def questions_of_names(names: Mapping[int, str]) -> Mapping[tuple[str, str], Mapping[int, str]]:
    """Return the columns that are called after a numbered annotator, by the rest of their names.

    (before, after) → column → annotator: `tone_rater1` is the question (`tone_`, ``) of `rater1`.
    """
    found: dict[tuple[str, str], dict[int, str]] = {}
    for k, name in names.items():
        if match := _QUESTION.fullmatch(name.strip()):
            question = match["before"].casefold(), match["after"].casefold()
            found.setdefault(question, {})[k] = match["who"].casefold()
    return found


def _require_one_question(columns: Columns, source: str) -> None:
    """Raise DataError if columns are called after the same annotators and several questions."""
    names = dict(columns.across)
    groups = [one for one in questions_of_names(names).values() if len(one) > 1]
    first, *more = groups or [{}]
    if not any({*first.values()}.intersection(one.values()) for one in more):
        return
    kept = ", ".join(names[k] for k in first)
    left = ",".join(names[k] for one in more for k in one)
    raise DataError(
        f"{source}: several columns are called after the same annotator, as if they were answers "
        f"to several questions: measure one question at a time, {kept} with "
        f"`{format_options(exclude_annotators=left)}`"
    )


def _require_no_pairs_of_names(names: Sequence[str], source: str) -> None:
    """Raise DataError if the columns are called after each pair of two names: `ana_joy` …

    These are the annotators and the questions, or the categories of one question.
    """
    grid = pairs_of_names(names)
    if not grid:
        return
    first, last = ([*dict.fromkeys(one)] for one in zip(*grid.values(), strict=True))
    of_last = ",".join(name for name, pair in grid.items() if pair[1] == last[0])
    of_first = ",".join(name for name, pair in grid.items() if pair[0] == first[0])
    raise DataError(
        f"{source}: the columns are called after each combination of {_shown(first)} and "
        f"{_shown(last)}, as if these were annotators and questions: measure one question at a "
        f"time, `{option('annotator', shlex.quote(of_last))}` or "
        f"`{option('annotator', shlex.quote(of_first))}`; if each column is an annotator's, "
        f"`{option('annotator', shlex.quote('*'))}`"
    )


def pairs_of_names(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return the names that are pairs, of which there is each combination; {} if there are none.

    One of six combinations or more may lack if all are of words.

    >>> pairs_of_names(["a_x", "a_y", "b_x", "b_y"])
    {'a_x': ('a', 'x'), 'a_y': ('a', 'y'), 'b_x': ('b', 'x'), 'b_y': ('b', 'y')}
    """
    for split in SPLITS:
        pairs = {name: pair for name in names if all(pair := split(name.strip()))}
        n_first, n_last = (len({pair[k] for pair in pairs.values()}) for k in (0, 1))
        n_of_grid = n_first * n_last
        if min(n_first, n_last) < 2 or 2 * len(pairs) < len(names):
            continue
        if len({*pairs.values()}) == len(pairs) == n_of_grid:
            return pairs
        are_words = all(part.isalpha() for pair in pairs.values() for part in pair)
        if are_words and len(pairs) == len(names) and n_of_grid > 4 and len(pairs) + 1 == n_of_grid:
            return pairs
    return {}


def _at_first(sign: str, name: str) -> tuple[str, str]:
    return name.partition(sign)[::2]


def _at_last(sign: str, name: str) -> tuple[str, str]:
    return name.rpartition(sign)[::2]


def _at_capital(name: str) -> tuple[str, str]:
    found = _TWO_WORDS.fullmatch(name)
    return (found[1], found[2]) if found else ("", "")


SPLITS: Sequence[Callable[[str], tuple[str, str]]] = (
    *(partial(split, sign) for sign in "_.-: " for split in (_at_first, _at_last)),
    _at_capital,
)


def _shown(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_SHOWN]) + (", …" if len(names) > _MOST_SHOWN else "")


def _why_judgements(annotators: Sequence[int], facts: ColumnFacts) -> str:
    """Say which column seems to name the annotator of each row; "" if none does."""
    matches = {k: _PERSON.fullmatch(facts.header[k].strip()) for k in annotators}
    named = [(k, match) for k, match in matches.items() if match]
    if len(named) != 1:
        return ""
    [(at, match)] = named
    given = facts.given(at)
    others = {cell for k in annotators if k != at for cell in facts.values(k)}
    if not given or len({*given}) == len(given):
        return ""
    if match["of_ids"] or others.isdisjoint(given):
        name = facts.header[at]
        return f"{name!r} seems to name each row's annotator, in a table of one row per label"
    return ""


def _why_nothing_shared(annotators: Sequence[int], facts: ColumnFacts) -> str:
    """Say that no two of three columns or more share a value, as those of annotators do."""
    found = [facts.values(k) for k in annotators]
    if len(found) < 3 or facts.n_rows < _FEWEST_ROWS or not all(found):
        return ""
    values = [one for group in found for one in group]
    if len({*values}) < len(values) or all(map(facts.is_numeric, annotators)):
        return ""
    return "no two columns have a value in common, so they are no annotators' labels"


def _is_contingency_table(facts: ColumnFacts) -> bool:
    """Whether the first column has the names of the others, above numbers."""
    rows = {cell.casefold() for cell in facts.texts(0)}
    if len(rows) < 2 or rows != {name.casefold() for name in facts.header[1:]}:
        return False
    return all(cell.isdecimal() for k in range(1, len(facts.header)) for cell in facts.values(k))
