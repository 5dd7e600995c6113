"""Propose options that say what the columns of a table are, from facts of their values.

Names only rank what the facts allow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from types import MappingProxyType

import numpy as np

from ...errors import DataError
from ..common.span_rules import is_number
from .annotator_columns import (
    annotator_columns,
    at_number,
    columns_called_after_annotators,
    with_agreeing_columns,
)
from .column_facts import ColumnFacts
from .column_fit import best_columns, fit_of_name, is_numbered, may_be_label, named_columns
from .column_names import (
    NUMBERED,
    is_annotator_name,
    is_count_name,
    names_annotators,
)
from .counts import are_counts, are_rivals, columns_of_counts
from .double_entries import double_entries
from .header_lines import header_is_doubtful, survey_header
from .judgement_proposals import judgement_columns
from .layout import REQUIRED, Layout
from .lists_in_cells import lists_in_cells
from .other_shapes import SPLITS
from .sets_in_columns import categories_in_columns, sets_in_columns, sets_in_rows
from .unit_columns import has_bounds, unit_columns
from .written_queries import query_of_named_answers, query_of_pairs, query_of_places

_NOTHING: Mapping[str, str] = MappingProxyType({})
_MOSTLY = 0.9  # of the rows differ, where some are given again
_FEWEST_BLANKS = 4  # in a cell on average, of a column of texts
_FEWEST_NUMBERED = 10  # items whose columns are called by their numbers
_MOST_USUAL = 3  # values that most answers to questions have
_FEWEST_EQUAL = 10  # rows that would name one annotator twice by chance
_MOST_STEPS = 11  # of a scale in numbers
_MOST_NAMED = 0.5  # different annotators in rows that name several, as a share of the rows
_MOST_VOTES = 30  # on an item, where nothing says how many there are
_FEWEST_HEADERLESS = 50  # rows in which a key of columns without names is no chance


def proposed_options(
    facts: ColumnFacts, stated: Mapping[str, str] = _NOTHING
) -> Iterator[dict[str, str]]:
    """Yield options of the format table, the most probable ones first; none may be right.

    stated  columns by what they are known to be: these are taken as if they were called so
    """
    known = {own: role for role, own in stated.items() if role in REQUIRED[Layout.LONG]}
    known = {own: role for own, role in known.items() if own in facts.header}
    if not known:
        yield from _proposed_by_facts(facts)
        return
    header = [known.get(name, f"{name} " if name in stated else name) for name in facts.header]
    written = dict(zip(header, facts.header, strict=True))
    for _, options in judgement_columns(ColumnFacts(header, facts.columns, facts.is_whole)):
        named = {role: own.split(",") for role, own in options.items()}
        if all(role in named[role] for role in known.values()):
            yield {role: ",".join(written.get(n, n) for n in own) for role, own in named.items()}


def _proposed_by_facts(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    units = [*unit_columns(facts, named_columns(facts))]
    yield from units
    yield from _named_answers(facts)
    if units or (is_numbered(facts) and has_bounds(facts)) or _are_pairs_of_annotators(facts):
        return
    cells = [[one or "" for one in facts.cells(k)] for k in range(len(facts.header))]
    yield from _counts(facts, cells)
    yield from double_entries(facts)
    yield from sets_in_columns(facts)
    yield from lists_in_cells(facts) if not is_without_header(facts, cells) else ()
    yield from _wide(facts, columns_called_after_annotators(facts.header, cells))
    yield from _pairs_in_rows(facts)
    yield from categories_in_columns(facts)
    yield from _unnamed_workers(facts)
    long = [*judgement_columns(facts)]
    if all("repeats" in names for _, names in long):
        yield from sets_in_rows(facts)
    yield from (names for is_named, names in long if is_named)
    counts = [k for k in named_columns(facts) if is_count_name(facts.header[k])]
    yield from (
        {"layout": Layout.WIDE, "count": facts.header[k]}
        for k in counts
        if all(one.isdecimal() for one in cells[k]) and _are_combinations(facts, k)
    )
    others = [name for name in facts.header if not is_annotator_name(name)]
    if len(others) == 1 and len(facts.header) > 2 and not is_count_name(others[0]):
        yield {"layout": Layout.WIDE, "item": others[0]}
    distinct = [k for k in named_columns(facts) if facts.is_distinct(k)]
    is_of_annotators = len(distinct) == 1 and fit_of_name(facts, distinct[0], "annotator") > 0
    if is_of_annotators and _have_one_scale(facts, distinct):
        yield {"layout": Layout.TRANSPOSED, "annotator": facts.header[distinct[0]]}
    if _have_sentences_as_names(facts) and _have_one_scale(facts, distinct):
        yield {"layout": Layout.TRANSPOSED}
    yield {"layout": Layout.WIDE}
    n_numbers = sum(name.isdecimal() for name in facts.header)
    if n_numbers >= _FEWEST_NUMBERED and not is_numbered(facts):
        yield {"layout": Layout.TRANSPOSED, "item": "[0-9]*"}
    yield from _wide(facts, annotator_columns(facts.header, cells))
    if len(distinct) == 1:
        yield {"layout": Layout.WIDE, "item": facts.header[distinct[0]]}
    yield from (names for is_named, names in long if not is_named)
    if survey_header(facts.header, cells) is not None:
        yield {"layout": Layout.TRANSPOSED}
    if not is_without_header(facts, cells):
        return
    numbered = facts.with_numbered_columns()
    yield from ({"header": "no", **names} for names in lists_in_cells(numbered))
    if not has_bounds(numbered):
        numbered = ColumnFacts([str(k + 1) for k in range(len(cells))], facts.columns)
        long = [*judgement_columns(numbered)] if facts.n_rows >= _FEWEST_HEADERLESS else []
        yield from ({"header": "no", **names} for _, names in long)
        yield {"header": "no", "layout": Layout.WIDE}
        named = [k for k in named_columns(numbered) if numbered.is_distinct(k)]
        yield from (
            {"header": "no", "layout": Layout.WIDE, "item": numbered.header[k]} for k in named[:1]
        )


def _are_pairs_of_annotators(facts: ColumnFacts) -> bool:
    """Whether two columns name annotators, another two in each row: of what they have together."""
    called = [k for k in named_columns(facts) if is_annotator_name(facts.header[k])]
    if len(called) != 2 or any(map(facts.is_numeric, called)):
        return False
    pairs = [*zip(*map(facts.texts, called), strict=True)]
    shares = (Counter(one[k] for one in pairs) for k in (0, 1))
    first, second = ({name: n / len(pairs) for name, n in own.items()} for own in shares)
    by_chance = sum(share * second.get(name, 0) for name, share in first.items()) * len(pairs)
    return by_chance > _FEWEST_EQUAL and not any(one == other for one, other in pairs)


def _counts(facts: ColumnFacts, cells: Sequence[Sequence[str]]) -> Iterator[dict[str, str]]:
    """Yield the layout of numbers of annotators, which no row of one annotator has."""
    who = [k for k in named_columns(facts) if fit_of_name(facts, k, "annotator") > 0]
    if not all(map(facts.is_numeric, who)):
        return
    if are_counts(cells) or are_counts(cells[1:]) or columns_of_counts(facts.header, cells):
        yield {"layout": Layout.COUNTS}
    numeric = [k for k in named_columns(facts) if facts.is_numeric(k) and not facts.is_distinct(k)]
    if are_rivals([facts.header[k] for k in numeric], [cells[k] for k in numeric]):
        item = item_of_rows(facts, facts.header)
        rows = zip(*(map(int, cells[k]) for k in numeric), strict=True)
        if max(map(sum, rows)) <= _MOST_VOTES:
            yield {"layout": Layout.COUNTS, **({"item": item} if item else {})}


def _have_one_scale(facts: ColumnFacts, without: Sequence[int]) -> bool:
    """Whether most of the other columns have values in common, as answers to questions do."""
    columns = [{*facts.values(k)} for k in named_columns(facts) if k not in without]
    usual = {value for value, _ in Counter(chain(*columns)).most_common(_MOST_USUAL)}
    return sum(not usual.isdisjoint(own) for own in columns) >= _MOSTLY * len(columns)


def _have_sentences_as_names(facts: ColumnFacts) -> bool:
    """Whether most columns are called by several words, as questions and texts are."""
    n_long = sum(name.count(" ") >= _FEWEST_BLANKS for name in facts.header)
    return n_long > max(2, len(facts.header) / 2)


def _are_combinations(facts: ColumnFacts, count: int) -> bool:
    """Whether rows that stand for several items differ in their labels, and nothing names them."""
    others = [k for k in named_columns(facts) if k != count]
    is_named = any(map(facts.is_distinct, others))
    return bool(others) and not is_named and facts.n_values(*others) == facts.n_rows


def is_without_header(facts: ColumnFacts, cells: Sequence[Sequence[str]]) -> bool:
    try:
        return header_is_doubtful(facts.header, cells, "")
    except DataError:
        return True


def has_names_above_numbers(facts: ColumnFacts) -> bool:
    """Whether the first row of a table without a header has words above numbers, as a header."""
    columns = [facts.texts(k) for k in range(len(facts.header))]
    return any(
        len(cells) > 2 and cells[0] and not is_number(cells[0]) and all(map(is_number, cells[1:]))
        for cells in columns
    )


def names_are_values(facts: ColumnFacts) -> bool:
    """Whether the second line of names, below groups, seems to be one of values."""
    names = [name.rpartition(".")[2] for name in facts.header]
    n_numbers = sum(is_number(name) and facts.is_numeric(k) for k, name in enumerate(names))
    if 2 * n_numbers > len(names):
        return True
    cells = [facts.texts(k) for k in range(len(names))]
    return is_without_header(ColumnFacts(names, facts.columns), cells)


def _wide(
    facts: ColumnFacts, found: Iterator[tuple[list[str], list[str]]]
) -> Iterator[dict[str, str]]:
    """Yield the columns of the annotators of one question, and of the items if there is one."""
    for columns, others in found:
        if are_rivals(columns, [facts.texts(facts.header.index(one)) for one in columns]):
            continue
        item = item_of_rows(facts, others)
        called = with_agreeing_columns(facts, columns, [one for one in others if one != item])
        yield {**({"item": item} if item else {}), "annotator": ",".join(called)}


def _pairs_in_rows(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield the query for rows of an annotator with pairs of columns: `paper1`, `mark1`, `paper2` …

    The items of the first family recur in other rows, and the marks of the second one repeat.
    """
    families: dict[str, dict[str, int]] = {}
    for k, name in enumerate(facts.header):
        if match := NUMBERED.fullmatch(name.strip()):
            families.setdefault(match[1], {})[match[2]] = k
    several = [one for one in families.values() if len(one) > 1]
    annotators = [k for k in named_columns(facts) if fit_of_name(facts, k, "annotator") > 0]
    if len(several) != 2 or several[0].keys() != several[1].keys() or len(annotators) != 1:
        return
    items, labels = ([*one.values()] for one in several)
    n_items, n_labels = (
        len({value for k in own for value in facts.values(k)}) for own in (items, labels)
    )
    if n_items > n_labels and all(map(facts.repeats, labels)):
        names = [[facts.header[k] for k in own] for own in (items, labels)]
        yield {"query": query_of_pairs(facts.header[annotators[0]], *names)}


def _unnamed_workers(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield the query for a batch of Mechanical Turk without the column of the workers."""
    shown = [k for k, name in enumerate(facts.header) if name.startswith("Input.")]
    answers = [k for k, name in enumerate(facts.header) if name.startswith("Answer.")]
    labels = [k for k in answers if may_be_label(facts, k)]
    are_named = any(fit_of_name(facts, k, "annotator") > 0 for k in named_columns(facts))
    if are_named or not shown or not labels:
        return
    sizes = np.bincount(facts.codes(*shown))
    if np.median(sizes) > 1:
        names = [facts.header[k] for k in shown]
        found = {"query": query_of_places(*names), "item": ",".join(names)}
        yield from ({**found, "label": facts.header[k]} for k in labels)


def _named_answers(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield the query for rows that name several annotators, each beside what they answered.

    `worker_1`, `worker_2` beside `tone_1`, `tone_2`.
    """
    families: dict[str, dict[str, str]] = {}
    for split, name in product((*SPLITS, at_number), facts.header):
        stem, end = split(name.strip())
        if stem and end:
            families.setdefault(stem, {})[end] = name
    for stem, own in families.items():
        is_of_one = stem[-1].isdigit() or not names_annotators(stem)  # `rater3_theme1`
        if is_of_one or len(own) < 2:
            continue
        columns = [facts.header.index(name) for name in own.values()]
        names = {one for k in columns for one in facts.values(k)}
        if len(names) > _MOST_NAMED * facts.n_rows:
            continue
        answers = {
            other: [theirs[end] for end in own]
            for other, theirs in families.items()
            if own.keys() <= theirs.keys() and not names_annotators(other)
        }
        places = {n: [facts.header.index(one) for one in own] for n, own in answers.items()}
        labels = {n: answers[n] for n, own in places.items() if _are_answers(facts, own)}
        if labels:
            used = {*own.values(), *chain(*answers.values())}
            item = item_of_rows(facts, [name for name in facts.header if name not in used])
            yield {"query": query_of_named_answers(item, [*own.values()], labels)}
            return


def _are_answers(facts: ColumnFacts, columns: Sequence[int]) -> bool:
    """Whether columns have few values, most of them in common, and no remarks or counts."""
    values = [{*facts.values(k)} for k in columns]
    every, shared = set.union(*values), set.intersection(*values)
    are_numbers = all(map(facts.is_numeric, columns)) and len(every) > _MOST_STEPS
    are_labels = all(may_be_label(facts, k) for k in columns) and not are_numbers
    return are_labels and 2 * len(shared) >= len(every)


def item_of_rows(facts: ColumnFacts, names: Sequence[str]) -> str:
    """Return the column with another value in each row that is most likely called so; "" if none.

    names  the columns that may be it
    """
    items = [facts.header.index(one) for one in names if one]
    items = [k for k in items if facts.n_values(k) == facts.n_rows]
    return facts.header[best_columns(facts, items, "item")[0]] if items else ""
