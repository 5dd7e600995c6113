"""Propose options that say what the columns of a table are, from facts of their values.

Names only rank what the facts allow.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

import numpy as np

from ...errors import DataError
from ..common.span_rules import is_number
from .annotator_columns import (
    MOST_UNNAMED,
    NUMBERED,
    annotator_columns,
    are_people,
    have_attributes,
)
from .column_facts import ColumnFacts
from .column_names import (
    ALTERNATIVE_NAMES,
    is_annotator_name,
    is_count_name,
    is_item_name,
    is_statistic_name,
)
from .column_roles import INDEX, is_remark_name
from .counts import are_counts
from .header_lines import header_is_doubtful, survey_header
from .judgement_key import divides_items
from .layout import REQUIRED, Layout
from .platform_status import PlatformStatus, columns_of_platform
from .unit_columns import has_bounds, unit_columns
from .written_queries import query_of_categories

OF_ITEMS = re.compile(  # what a column says of the items, and of no annotator
    r"(.*[ _.-])?(aspects?|dimensions?|criteri(on|a)|questions?|qualit(y|ies)|metrics?|systems?"
    r"|models?|conditions?|layers?|splits?|folds?|topics?|datasets?|domains?|lang(uage)?s?"
    r"|sources?|sets?|genres?)([ _.-]?(ids?|names?))?",
    re.I,
)
_SHOWN = re.compile(r"(.*[ _.-])?(order|trial|position)(([ _.-]?(nr|no|number|index))|s)?", re.I)
_MOST_TRIED = 7  # columns of each kind
MOST_CATEGORIES = 50
_LONGEST_NAME = 40  # characters
COMPLETE = 0.98
_MOSTLY = 0.9  # of the rows differ, where some are given again
_FEWEST_SHARED = 2  # items
_MOST_ALONE = 0.3  # share of items with one row
_FEWEST_BLANKS = 4  # in a cell on average, of a column of texts
_FEWEST_ROWS = 4
_FEWEST_NUMBERED = 10  # items whose columns are called by their numbers
_MOST_USUAL = 3  # values that most answers to questions have
_FEWEST_BINARY = 4  # columns of 0 and 1 that are the categories of one question
_BINARY = {"0", "1", "0.0", "1.0", "true", "false"}
_FEWEST_HEADERLESS = 50  # rows in which a key of columns without names is no chance


def proposed_options(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield options of the format table, the most probable ones first; none may be right."""
    units = [*unit_columns(facts, named_columns(facts))]
    yield from units
    if units or (_is_numbered(facts) and has_bounds(facts)):
        return
    cells = [[one or "" for one in facts.cells(k)] for k in range(len(facts.header))]
    if are_counts(cells) or are_counts(cells[1:]):
        yield {"layout": Layout.COUNTS}
    yield from _sets_of_categories(facts)
    long = [*_long(facts)]
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
    is_of_people = len(distinct) == 1 and fit_of_name(facts, distinct[0], "annotator") > 0
    if is_of_people and _have_one_scale(facts, distinct):
        yield {"layout": Layout.TRANSPOSED, "annotator": facts.header[distinct[0]]}
    if _have_sentences_as_names(facts):
        yield {"layout": Layout.TRANSPOSED}
    yield {"layout": Layout.WIDE}
    if sum(name.isdecimal() for name in facts.header) >= _FEWEST_NUMBERED:
        yield {"layout": Layout.TRANSPOSED, "item": "[0-9]*"}
    yield from _columns_of_annotators(facts, cells)
    if len(distinct) == 1:
        yield {"layout": Layout.WIDE, "item": facts.header[distinct[0]]}
    yield from (names for is_named, names in long if not is_named)
    if survey_header(facts.header, cells) is not None:
        yield {"layout": Layout.TRANSPOSED}
    if is_without_header(facts, cells) and not has_bounds(facts.with_numbered_columns()):
        numbered = ColumnFacts([str(k + 1) for k in range(len(cells))], facts.columns)
        long = [*_long(numbered)] if facts.n_rows >= _FEWEST_HEADERLESS else []
        yield from ({"header": "no", **names} for _, names in long)
        yield {"header": "no", "layout": Layout.WIDE}


def _is_numbered(facts: ColumnFacts) -> bool:
    """Whether the columns have no names."""
    return all(one.isdecimal() for one in facts.header)


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


def columns_by_names(facts: ColumnFacts) -> dict[str, str]:
    """Return the columns of item, annotator and label of which only one each is called so."""
    found = {}
    roles = REQUIRED[Layout.LONG]
    for role in roles:
        called = [k for k in named_columns(facts) if fit_of_name(facts, k, role) > 0]
        called = [k for k in called if fit_of_name(facts, k, role) > 1] or called
        if len(called) == 1:
            found[role] = facts.header[called[0]]
    left = [k for k in named_columns(facts) if facts.header[k] not in found.values()]
    for role in {"item", "label"} - found.keys():  # of two that are called so, the third is left
        found |= {role: facts.header[left[0]]} if len(found) == 2 and len(left) == 1 else {}
    return found if len({*found.values()}) == len(found) else {}


def is_without_header(facts: ColumnFacts, cells: Sequence[Sequence[str]]) -> bool:
    try:
        return header_is_doubtful(facts.header, cells, "")
    except DataError:
        return True


def _columns_of_annotators(
    facts: ColumnFacts, cells: Sequence[Sequence[str]]
) -> Iterator[dict[str, str]]:
    """Yield the columns of the annotators of one question, and of the items if there is one."""
    for columns, others in annotator_columns(facts.header, cells):
        item = item_of_rows(facts, others)
        yield {**({"item": item} if item else {}), "annotator": ",".join(columns)}


def item_of_rows(facts: ColumnFacts, names: Sequence[str]) -> str:
    """Return the column with another value in each row that is most likely called so; "" if none.

    names  the columns that may be it
    """
    items = [facts.header.index(one) for one in names if one]
    items = [k for k in items if facts.n_values(k) == facts.n_rows]
    return facts.header[_best(facts, items, "item")[0]] if items else ""


def _long(facts: ColumnFacts) -> Iterator[tuple[bool, dict[str, str]]]:
    """Yield the columns of item, annotator and label of a table with one row per label.

    With each, whether the column of the annotators is called so.
    """
    if facts.n_rows < _FEWEST_ROWS:
        by_names = columns_by_names(facts)
        yield from [(True, by_names)] if len(by_names) == len(REQUIRED[Layout.LONG]) else []
        return
    columns = [k for k in named_columns(facts) if facts.n_values(k) > 1]
    yield from _of_one_row_each(facts, columns)
    people = [k for k in columns if _may_be_annotator(facts, k)]
    people = [k for k in people if fit_of_name(facts, k, "annotator") > 0] or people
    things = [
        k
        for k in columns
        if facts.n_values(k) < facts.n_rows
        and not (facts.is_time(k) or _has_fractions(facts, k) or _SHOWN.fullmatch(facts.header[k]))
        and not (fit_of_name(facts, k, "label") > 0 >= fit_of_name(facts, k, "item"))
    ]
    found: list[tuple[float, bool, dict[str, str]]] = []
    for annotator in _best(facts, people, "annotator"):
        for item in _items(facts, things, annotator):
            labels = _labels(facts, columns, item, annotator)
            for label in _best(facts, labels, "label"):
                score = _score(facts, item, annotator, label)
                conditions = (
                    k
                    for k in things
                    if k not in (*item, annotator, label)
                    and not facts.is_determined(k, item)
                    and not facts.is_determined(k, [annotator])
                    and divides_items(facts, k, item, label)
                )
                names = ",".join(facts.header[k] for k in (*item, *conditions))
                of_others = {
                    "annotator": facts.header[annotator], "label": facts.header[label]
                }  # fmt: skip
                is_named = fit_of_name(facts, annotator, "annotator") > 0
                found.append((score, is_named, {"item": names, **of_others}))
    if not found:
        yield from ((True, names) for names in _with_passes(facts, columns, things))
    found.sort(key=lambda one: -one[0])
    yield from ((is_named, names) for _, is_named, names in found[:3])


def _of_one_row_each(
    facts: ColumnFacts, columns: Sequence[int]
) -> Iterator[tuple[bool, dict[str, str]]]:
    """Yield the columns of a table in which each annotator has one row, beside an item's name."""
    people = [k for k in columns if facts.is_distinct(k) and fit_of_name(facts, k, "annotator") > 0]
    items = [k for k in columns if INDEX.fullmatch(facts.header[k].strip()) and facts.repeats(k)]
    labels = [k for k in columns if k not in (*people, *items) and may_be_label(facts, k)]
    labels = [k for k in labels if not facts.is_constant_within(k, items)]
    if len(people) == len(items) == 1 and labels:
        names = [facts.header[k] for k in (*items, *people, *_best(facts, labels, "label")[:1])]
        yield True, dict(zip(REQUIRED[Layout.LONG], names, strict=True))


def _sets_of_categories(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield the query for columns of 0 and 1 beside that of the annotators, one per category."""
    binary = [
        k for k in named_columns(facts) if 0 < len(facts.values(k)) < 3 and _is_binary(facts, k)
    ]
    people = [k for k in named_columns(facts) if fit_of_name(facts, k, "annotator") > 0]
    stems = Counter(match[1] for k in binary if (match := NUMBERED.fullmatch(facts.header[k])))
    of_stem = [k for k in binary if (m := NUMBERED.fullmatch(facts.header[k])) and stems[m[1]] > 2]
    categories = of_stem if len(of_stem) >= _FEWEST_BINARY else []
    if not categories or len(people) != 1:
        return
    others = [
        k for k in named_columns(facts) if k not in (*binary, *people) and not facts.is_time(k)
    ]
    for item in _items(facts, others, people[0]):
        names = [[facts.header[k] for k in some] for some in (item, categories)]
        yield {"query": query_of_categories(names[0], facts.header[people[0]], names[1])}


def _is_binary(facts: ColumnFacts, k: int) -> bool:
    return {one.casefold() for one in facts.values(k)} <= _BINARY


def _with_passes(
    facts: ColumnFacts, columns: Sequence[int], things: Sequence[int]
) -> Iterator[dict[str, str]]:
    """Yield the columns of a table where annotators label an item repeatedly, or some items."""
    by_names = columns_by_names(facts)
    if len(by_names) == len(REQUIRED[Layout.LONG]):
        at = {role: facts.header.index(name) for role, name in by_names.items()}
        key = at["item"], at["annotator"]
        others = [k for k in things if k not in at.values()]
        if all(facts.unique_share(*key, k) < _MOSTLY for k in others):  # else these tell them apart
            yield {**by_names, "repeats": "pass"}
    elif "annotator" in by_names:
        annotator = facts.header.index(by_names["annotator"])
        others = [k for k in _best(facts, things, "item") if k != annotator]
        some = [*chain.from_iterable(combinations(others, n) for n in (1, 2, 3))]
        some = [one for one in some if _differs_with_annotator(facts, one, annotator)]
        shares = {one: facts.unique_share(*one, annotator) for one in some}
        item = max(some, key=lambda one: (shares[one], -len(one)), default=())
        labels = _best(facts, _labels(facts, columns, item, annotator), "label") if item else []
        if labels and shares[item] > _MOSTLY:
            names = {"item": ",".join(facts.header[k] for k in item)}
            names |= {"annotator": facts.header[annotator], "label": facts.header[labels[0]]}
            yield {**names, "repeats": "pass"}


def _items(facts: ColumnFacts, things: Sequence[int], annotator: int) -> Iterator[tuple[int, ...]]:
    """Yield the columns that name an item together: rows differ with the annotator only."""
    others = [k for k in _best(facts, things, "item") if k != annotator]
    singles = [(k,) for k in others if _is_key(facts, (k,), annotator)]
    yield from singles
    is_found = fit_of_name(facts, annotator, "annotator") <= 0 or any(
        facts.unique_share(k, annotator) == 1 or fit_of_name(facts, k, "item") > 0
        for (k,) in singles
    )
    for n in (2, 3, 4):
        several = [] if is_found else [*combinations(others, n)]
        keys = [one for one in several if _is_key(facts, one, annotator)]
        yield from keys
        is_found = is_found or any(_coverage(facts, one, annotator) > 0.5 for one in keys)


def _is_key(facts: ColumnFacts, item: tuple[int, ...], annotator: int) -> bool:
    is_complete = facts.unique_share(*item, annotator) >= COMPLETE
    return is_complete and _differs_with_annotator(facts, item, annotator)


def _differs_with_annotator(facts: ColumnFacts, item: tuple[int, ...], annotator: int) -> bool:
    """Whether items have rows of several annotators; of columns that are called so, a few do."""
    rows_of_items = np.bincount(facts.codes(*item))
    if len(item) == 1 and fit_of_name(facts, item[0], "item") > 0 < fit_of_name(
        facts, annotator, "annotator"
    ):
        return int((rows_of_items > 1).sum()) >= _FEWEST_SHARED
    # a judgement that is taken for part of the item leaves many items with one row
    return (
        (len(item) == 1 or (rows_of_items == 1).mean() <= _MOST_ALONE)
        and facts.n_rows >= 1.3 * len(rows_of_items)
        and len(rows_of_items) > 1
        and not facts.is_determined(annotator, item)
    )


def _coverage(facts: ColumnFacts, item: tuple[int, ...], annotator: int) -> float:
    """Return the share of all pairs of an item and an annotator that have a row."""
    return facts.n_rows / (facts.n_values(*item) * facts.n_values(annotator))


def _labels(
    facts: ColumnFacts, columns: Sequence[int], item: tuple[int, ...], annotator: int
) -> list[int]:
    found = [
        k
        for k in columns
        if k not in (*item, annotator)
        and not facts.is_determined(k, [annotator])
        and not facts.is_constant_within(k, item)
    ]
    of_categories = [k for k in found if may_be_label(facts, k)]
    differ = [k for k in of_categories if facts.determined_share(k, item) < COMPLETE]
    of_categories = differ or of_categories
    is_certain = fit_of_name(facts, annotator, "annotator") > 0 and len(item) == 1
    texts = [k for k in found if not facts.is_time(k) and not is_remark_name(facts.header[k])]
    return of_categories or (texts if is_certain else [])


def _may_be_annotator(facts: ColumnFacts, k: int) -> bool:
    name, n = facts.header[k], facts.n_values(k)
    if n > facts.n_rows / 2 or facts.is_time(k) or is_remark_name(name):
        return False
    fits = fit_of_name(facts, k, "annotator")
    if fits != 0:
        return fits > 0
    if _is_numbered(facts):
        return True
    if n > MOST_UNNAMED or OF_ITEMS.fullmatch(name):
        return False
    things = [own for own in named_columns(facts) if is_item_name(facts.header[own])]
    if any(facts.unique_share(own) >= COMPLETE for own in things):
        return False  # each row is an item
    values = facts.values(k)
    return max(map(len, values), default=0) <= _LONGEST_NAME and not all(map(is_number, values))


def _has_fractions(facts: ColumnFacts, k: int) -> bool:
    """Whether a column has measurements such as 87.25, which name nothing."""
    return facts.is_numeric(k) and any(float(one) % 1 for one in facts.values(k))


def may_be_label(facts: ColumnFacts, k: int) -> bool:
    """Whether a column has few values, and is not called like remarks, times or statistics."""
    n, given = facts.n_values(k), facts.given(k)
    if is_statistic_name(facts.header[k]):
        return False
    few = n <= MOST_CATEGORIES or n <= facts.n_rows / 10
    few = few or (fit_of_name(facts, k, "label") > 0 and facts.is_numeric(k))
    has_texts = sum(one.count(" ") for one in given) >= _FEWEST_BLANKS * len(given)
    return n > 1 and few and not (has_texts or facts.is_time(k) or is_remark_name(facts.header[k]))


def _score(facts: ColumnFacts, item: tuple[int, ...], annotator: int, label: int) -> float:
    """Return how well the names fit, and how much the values look like what they would be."""
    named = fit_of_name(facts, annotator, "annotator") * 2 + fit_of_name(facts, label, "label")
    named += sum(fit_of_name(facts, k, "item") for k in item) / len(item)
    more_items = facts.n_values(*item) > facts.n_values(annotator)
    few_labels = facts.n_values(label) < facts.n_values(*item)
    # beside the right answers of the items, labels have the same values
    answers = any(
        {*facts.values(label)} & {*facts.values(k)}
        for k in named_columns(facts)
        if k not in item and may_be_label(facts, k) and facts.is_constant_within(k, item)
    )
    of_people = facts.determined_share(label, [annotator])  # such as their age
    is_exact = facts.unique_share(*item, annotator) == 1
    named += answers + more_items + few_labels - of_people + is_exact
    named += 3 * _coverage(facts, item, annotator)
    return named - 0.5 * (len(item) - 1) - 0.01 * label


def fit_of_name(facts: ColumnFacts, k: int, role: str) -> float:
    """Return how well a column is called for a role: 2, 1, 0, or −.5 if rather for another one."""
    name = facts.header[k].strip()
    if name.casefold() == role:
        return 2.0
    likely = ALTERNATIVE_NAMES[role].fullmatch(name) is not None
    if role == "annotator":
        likely = likely or is_annotator_name(name) or are_people(facts.values(k))
        likely = likely or have_attributes(facts, k)
    elsewhere = any(
        name.casefold() == other or like.fullmatch(name)
        for other, like in ALTERNATIVE_NAMES.items()
        if other != role
    )
    return 1.0 if likely else -0.5 if elsewhere else 0.0


def _best(facts: ColumnFacts, columns: Sequence[int], role: str) -> list[int]:
    return sorted(columns, key=lambda k: -fit_of_name(facts, k, role))[:_MOST_TRIED]


def named_columns(facts: ColumnFacts) -> list[int]:
    """Return the columns with a name that no platform adds to the answers."""
    marks = {*PlatformStatus.of(facts.header, ()).columns, *columns_of_platform(facts.header)}
    return [k for k, name in enumerate(facts.header) if name and k not in marks]
