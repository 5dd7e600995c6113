"""The role of each column of a wide table: the item, an annotator, or what describes them.

A column of row numbers is the item, a column with a different value in each row is refused, columns
with other values than the rest are reported (left out beside columns that are called like
annotators, and measurements beside words), and so are columns that are computed from the others.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np

from ...errors import DataError
from ...option_names import format_options, option
from ..notes import SourceNotes
from .annotator_columns import lettered_columns
from .column_facts import ColumnFacts
from .column_names import (
    OF_ITEMS,
    is_count_name,
    is_person_name,
    is_remark_name,
    listed_columns,
)
from .counts import require_no_counts
from .derived_columns import derived_columns
from .header_lines import SurveyHeader
from .layout import Columns
from .other_shapes import (
    annotator_like_columns,
    require_no_sets,
    require_rows_of_items,
    require_wide_labels,
)

INDEX = re.compile(
    r"(?i:|unnamed: ?[0-9]+|#|№|(.*[ _.:-])?((u|uu|gu)?ids?|idx|index)|id[ _.:-]\w+"
    r"|identifiants?|indices?|n[°º]|num[ée]ro"
    r"|((lfd|row|line|item|sl|sr|s)[ _.]*)?(no|nr|num|number|nummer|names?)\.?"
    r"|rows?|lines?|lignes?|zeilen?|(zeilen|lauf)nummer|key|cl[ée]|schl[üu]ssel|kennung)"
    r"|\w*[a-zA-Z](Id|ID|Index|Idx|Nr|No)"
)
OF_PANDAS = re.compile(r"Unnamed: ?[0-9]+")  # an index that was written with the columns
_FEWEST_NUMBERED = 5  # rows of a column of numbers beside numbers
_FEWEST_SHARED = 10  # rows of a column that may name the items although others have its values
_FEWEST_CELLS = 5  # of a column whose values no other has
_SCALE = 20  # more different numbers are measurements, which rarely repeat
_FEWEST_PER_BLOCK = 3  # rows
_BEYOND_CHANCE = 0.1  # share of equal cells
_FILLED = 0.6  # share of all pairs of values
_DISTINCT_BY_CHANCE = 0.001  # probability that two columns of labels tell all rows apart
_MOST_PARTS = 6  # columns that may name the rows together
_FEWEST_IN_BLOCKS = 8  # rows


def columns_with_roles(
    columns: Columns,
    facts: ColumnFacts,
    source: str,
    notes: SourceNotes,
    *,
    excluded: Collection[str] = (),
    item_named: bool = False,
) -> Columns:
    """Return the columns of a wide table, with its item column if that is certain.

    excluded    annotators whom an option excludes
    item_named  whether an option names the item column, or says that there is none

    Adds what was assumed to the notes. Raises DataError for a column that may name the items, and
    for a table of another shape.
    """
    header, at = facts.header, columns.at

    def named(some: Iterable[int]) -> list[str]:
        return [header[k] for k in sorted(some)]

    turned = require_rows_of_items(columns, facts, source, refused=not item_named)
    notes.n_turned_tables += turned
    annotators = [k for k, name in columns.across if name not in excluded]
    texts = _texts(facts, annotators) | _measurements_beside_words(facts, annotators)
    annotators = [k for k in annotators if k not in texts]
    nameless = [k for k, name in enumerate(header) if not name]
    indices: list[int] = []
    unclear: list[int] = []
    if not item_named or "item" in at:
        indices, unclear = _names_of_rows(facts, [*nameless, *annotators])
    if indices and "item" not in at:
        item = next(filter(header.__getitem__, indices), indices[0])
        at = {**at, "item": item}
        if header[item]:
            notes.name("item_columns", [header[item]])
    if unclear and "item" not in at and not turned:
        labels = [k for k in annotators if k not in unclear]
        require_no_counts(named(labels), [facts.texts(k) for k in sorted(labels)], source)
        raise DataError(_which_item(source, named(unclear)))
    annotators = [k for k in annotators if k not in indices]
    of_other_values = _columns_of_other_values(facts, annotators)
    remarks = {k for k in of_other_values if is_remark_name(header[k])}
    annotators = [k for k in annotators if k not in remarks]
    other = {*unclear} | of_other_values - remarks | _in_blocks(facts, annotators)
    lettered = lettered_columns(named(annotators))
    other |= {k for k in annotators if lettered and header[k] not in lettered}
    about = _about_labels(facts, annotators, other)
    derived = derived_columns(facts, [k for k in annotators if k not in about])
    annotators = [k for k in annotators if k not in about | derived]
    notes.name("ignored_columns", named(texts | remarks))
    notes.name("ignored_columns", (header[k] for k in indices if k != at["item"] and header[k]))
    unused = (k for k in nameless if facts.given(k) and not facts.is_distinct(k))
    notes.name("ignored_columns", (f"{k + 1} (no name)" for k in unused))
    notes.name("ignored_columns", named(about))
    notes.name("derived_columns", named(derived))
    require_no_sets(facts, source)
    if not turned:
        measured = replace(columns, at=at, across=tuple((k, header[k]) for k in annotators))
        require_wide_labels(measured, facts, source)
    doubtful = (header[k] for k in annotators if k in other or is_count_name(header[k]))
    notes.name("annotator_columns", doubtful)
    left_out = {*texts, *remarks, *indices, *about, *derived}
    left = tuple(one for one in columns.across if one[0] not in left_out)
    return replace(columns, at=at, across=left)


def columns_numbering_rows(annotators: Sequence[int], facts: ColumnFacts) -> tuple[int, ...]:
    """Return the columns that number the rows together, as page and line do; () if none do.

    The rows are in blocks of equal values of the first one or two, and the last one rises within
    each block and falls between blocks; or one pair of columns tells all rows apart, in any order.
    """
    first = [k for k in annotators[:_MOST_PARTS] if not is_person_name(facts.header[k])]
    for n in range(1, min(3, len(annotators) - 2)):  # two annotators at least are left
        for *blocks, last in permutations(first, n + 1):
            if _number_rows_together(
                [facts.texts(k) for k in blocks], facts.numbers_of_names(last)
            ):
                return (*blocks, last)
    pairs = [pair for pair in combinations(first, 2) if _tell_rows_apart(facts, pair)]
    return pairs[0] if len(pairs) == 1 and len(annotators) > 3 else ()


def _tell_rows_apart(facts: ColumnFacts, pair: tuple[int, int]) -> bool:
    """Whether two columns tell all rows apart, which labels of two annotators would not.

    The rows are most of the pairs of their values, as of pages with as many lines each.
    """
    n, n_pairs = facts.n_rows, facts.n_values(pair[0]) * facts.n_values(pair[1])
    if n < _FEWEST_IN_BLOCKS or facts.n_values(*pair) < n or max(map(facts.n_values, pair)) == n:
        return False
    if n < _FILLED * n_pairs:
        return False
    by_chance = math.lgamma(n_pairs + 1) - math.lgamma(n_pairs - n + 1) - n * math.log(n_pairs)
    return by_chance < math.log(_DISTINCT_BY_CHANCE)


def _number_rows_together(blocks: Sequence[Sequence[str]], numbers: Sequence[int] | None) -> bool:
    if numbers is None or len(numbers) < _FEWEST_IN_BLOCKS:
        return False
    rows = [*zip(*blocks, strict=True)]
    borders = [k for k in range(1, len(rows)) if rows[k] != rows[k - 1]]
    if not borders or len({*rows}) != len(borders) + 1 or not all(map(all, rows)):
        return False
    at_borders = {*borders}
    rises = [numbers[k] > numbers[k - 1] for k in range(1, len(numbers)) if k not in at_borders]
    falls = [numbers[k] <= numbers[k - 1] for k in borders]
    return len(rises) >= max(len(borders), _FEWEST_IN_BLOCKS // 2) and all(rises) and all(falls)


def _texts(facts: ColumnFacts, annotators: Sequence[int]) -> set[int]:
    """Return the columns of the items' texts: several words, other ones in each row.

    No label is a text while the labels of the other columns repeat.
    """
    found = {k for k in annotators if facts.is_distinct(k) and facts.has_sentences(k)}
    others = [k for k in annotators if k not in found and not facts.is_distinct(k)]
    return found if others and all(map(facts.repeats, others)) else set()


def _measurements_beside_words(facts: ColumnFacts, annotators: Sequence[int]) -> set[int]:
    """Return the columns of measurements, such as confidences, beside two or more of words.

    Whole numbers that differ in each row may be the names of the items.
    """
    found = {
        k
        for k in annotators
        if facts.is_continuous(k)
        and (not facts.is_distinct(k) or any("." in one for one in facts.values(k)))
    }
    words = [k for k in annotators if k not in found and not facts.is_distinct(k)]
    is_beside = len(words) > 1 and not any(map(facts.is_numeric, words))
    return found if is_beside and all(map(facts.repeats, words)) else set()


def _names_of_rows(facts: ColumnFacts, annotators: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the columns that name the rows, and those that may: other values in each row."""
    distinct = [k for k in annotators if facts.is_distinct(k)]
    own = [k for k in distinct if facts.is_consecutive(k) or not is_count_name(facts.header[k])]
    others = [k for k in annotators if k not in distinct]
    called = [k for k in own if INDEX.fullmatch(facts.header[k].strip())]
    if len(called) == len(annotators):
        called = []
    unnamed = [k for k in own if k not in called]
    numbered = [k for k in unnamed if facts.is_consecutive(k)]
    is_certain = len(numbered) == 1 and _numbers_rows(facts, numbered[0], annotators, others)
    indices = [*called, *(numbered if is_certain else [])]
    if not others:
        return indices, []
    labels = [cell for k in others for cell in facts.given(k)]
    repeat = 0 < 2 * len({*labels}) <= len(labels) + 1
    all_repeat = all(map(facts.repeats, others))
    is_long = facts.n_rows >= _FEWEST_SHARED
    unclear = [
        k
        for k in unnamed
        if k not in indices
        and (
            ([k] == numbered and facts.counts_rows(k))
            or (all_repeat and is_long)
            or (repeat and {*labels}.isdisjoint(facts.values(k)))
        )
    ]
    return indices, unclear


def _numbers_rows(
    facts: ColumnFacts, k: int, annotators: Sequence[int], others: Sequence[int]
) -> bool:
    """Whether the consecutive numbers in column k are certain to be the rows', not labels.

    They are beside labels that repeat or are words, and in the rows' order beside values that make
    no ranking of as many items.
    """
    if others and not any(map(facts.is_numeric, others)):
        return True
    if facts.n_rows < _FEWEST_NUMBERED:
        return False
    beside = {cell for other in annotators if other != k for cell in facts.values(other)}
    is_ranking = beside.issubset(facts.values(k))
    all_repeat = bool(others) and all(map(facts.repeats, others))
    return all_repeat or (facts.counts_rows(k) and not is_ranking)


def _in_blocks(facts: ColumnFacts, annotators: Sequence[int]) -> set[int]:
    """Return the columns whose equal values are in adjacent rows, as those of a page or document.

    Not in a table that is sorted by labels, with which other annotators agree beyond chance.
    """
    found = set[int]()
    for k in annotators:
        codes, n_values = facts.codes(k), facts.n_values(k)
        n_changes = int((codes[1:] != codes[:-1]).sum())
        if n_values < 3 or n_changes + 1 != n_values or facts.n_rows < _FEWEST_PER_BLOCK * n_values:
            continue
        own = np.array(facts.texts(k))
        shares = dict(zip(*np.unique(own, return_counts=True), strict=True))
        others = [np.array(facts.texts(other)) for other in annotators if other != k]
        equal = sum(float((own == one).mean()) for one in others)
        by_chance = sum(shares.get(one, 0) for cells in others for one in cells) / facts.n_rows**2
        if equal <= by_chance + _BEYOND_CHANCE * len(others):
            found.add(k)
    return found


def _about_labels(
    facts: ColumnFacts, annotators: Sequence[int], other: Collection[int]
) -> set[int]:
    """Return the columns that describe the item or the labels, beside two that are annotators'.

    Their names are not those of annotators, and they have other values; or they are remarks. Beside
    any annotators, those with other values that are called like a topic or another such property.

    other  columns that have other values than the rest
    """
    names = {k: facts.header[k] for k in annotators}
    remarks = {k for k, name in names.items() if is_remark_name(name)}
    called = annotator_like_columns(names) - remarks
    counts = {k for k, name in names.items() if is_count_name(name)}
    of_items = {k for k in other if OF_ITEMS.fullmatch(names.get(k, "").strip())}
    return (remarks | {*other}) - called - counts if len(called) > 1 else of_items


def _which_item(source: str, names: Sequence[str]) -> str:
    if len(names) > 2:
        return (
            f"{source}: {listed_columns(names)} have a different value in each row, while the "
            f"other columns repeat theirs: `{option('item', 'NAME')}` if one of them names the "
            f"items, `{format_options(exclude_annotators='NAME,NAME')}` leaves the others out"
        )
    first, *more = names
    also = f" {format_options(exclude_annotators=','.join(more))}" if more else ""
    return (
        f"{source}: {', '.join(map(repr, names))} has a different value in each row, while the "
        f"other columns repeat theirs: `{option('item', shlex.quote(first))}{also}` if it names "
        f"the items, `{format_options(exclude_annotators=','.join(names))}` to leave it out, "
        f"`{format_options(item='')}` if it is an annotator"
    )


def _columns_of_other_values(facts: ColumnFacts, annotators: Sequence[int]) -> set[int]:
    """Return the columns that share no value with the largest group of columns that share some."""
    values = {k: {*facts.values(k)} for k in annotators}
    numeric = {k: [*map(float, values[k])] for k in annotators if facts.is_numeric(k)}
    of_scale = len(set[str]().union(*(values[k] for k in numeric))) > _SCALE
    spans = {k: (min(own), max(own)) for k, own in numeric.items()} if of_scale else {}

    def touch(k: int, other: int) -> bool:
        if not values[k].isdisjoint(values[other]):
            return True
        if k not in spans or other not in spans:
            return False
        return spans[k][0] <= spans[other][1] and spans[other][0] <= spans[k][1]

    groups: list[list[int]] = []
    for k in annotators:
        near = [group for group in groups if any(touch(k, other) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(one for group in near for one in group), k])
    remarks = {k for k in annotators if is_remark_name(facts.header[k])}
    groups.sort(key=lambda group: (-len({*group} - remarks), min(group)))
    several = bool(groups) and len(groups[0]) > 1
    return {
        k
        for group in groups[1:]
        for k in group
        if k in remarks
        or (several and len(facts.given(k)) >= _FEWEST_CELLS)
        or (several and any(" " in value for value in values[k]))
    }


def annotators_of_rows(
    columns: Columns, survey: SurveyHeader | None, facts: ColumnFacts, named: Mapping[str, str]
) -> Columns:
    """Return the columns of a transposed table, with the column that names its annotators.

    A survey's items are its questions, unless the option `item` lists them.
    """
    at, items = {**columns.at}, columns.across
    if survey is not None:
        if "annotator" not in named and survey.respondent is not None:
            at["annotator"] = survey.respondent
        if "item" not in named:
            items = tuple(one for one in items if one[0] in survey.questions)
    elif "annotator" not in at and "annotator" not in named and _first_names_rows(facts):
        at["annotator"] = 0
    items = tuple(one for one in items if one[0] not in at.values())
    used = {*items, *((k, name) for k, name in columns.across if k in at.values())}
    ignored = (name for k, name in columns.across if (k, name) not in used)
    return replace(columns, at=at, across=items, ignored=(*columns.ignored, *ignored))


def _first_names_rows(facts: ColumnFacts) -> bool:
    """Whether the first column names the rows: all differ, and no other column has their values."""
    labels = {cell for k in range(1, len(facts.header)) for cell in facts.values(k)}
    is_full = len(facts.values(0)) == facts.n_rows
    return is_full and labels.isdisjoint(facts.values(0))
