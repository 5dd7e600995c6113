"""Propose the columns that name an item of a table with one row per label."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from .column_facts import ColumnFacts
from .column_fit import COMPLETE, best_columns, fit_of_name, may_be_label
from .column_names import (
    OF_ITEMS,
    is_called,
    is_item_name,
    is_order_name,
    is_person_name,
    is_remark_name,
)
from .column_roles import INDEX
from .judgement_key import agree_beyond_chance, agree_more

_NEARLY_COMPLETE = 0.95  # where labels say that it is the key
_MOSTLY = 0.9  # of the rows differ, where some are given again
_OF_TEXT = re.compile(
    r"(.*[ _.-])?(text|content|sentence|tweet|post|title|document|body|message|abstract|headline)"
    r"([ _.-](text|body|content))?",
    re.I,
)
_FEWEST_SHARED = 2  # items
_MOST_ALONE = 0.3  # share of items with one row
_SHORTEST_TEXT = 15  # characters
_MOST_PARTS, _MOST_TRIED = 5, 8  # columns of an item; those that may be part of it
_FEWEST_OF_TWO = 5  # further labels of items by other annotators
_FEWEST_NAMES = 15  # different ones in a part of an item
_MOST_EACH = 20  # annotators for each item of a table


def items_of_rows(
    facts: ColumnFacts, things: Sequence[int], annotator: int
) -> Iterator[tuple[int, ...]]:
    """Yield the columns that name an item together: rows differ with the annotator only."""
    others = [k for k in best_columns(facts, things, "item") if k != annotator]
    singles = [(k,) for k in others if _is_key(facts, (k,), annotator)]
    yield from singles
    others = [k for k in others if not facts.is_determined(k, [annotator])]  # such as their age
    is_found = fit_of_name(facts, annotator, "annotator") <= 0 or any(
        facts.unique_share(k, annotator) == 1 or fit_of_name(facts, k, "item") > 0
        for (k,) in singles
    )
    for n in (2, 3, 4):
        several = [] if is_found else [*combinations(others, n)]
        keys = [one for one in several if _is_key(facts, one, annotator)]
        keys = [one for one in keys if not any(is_judgement(facts, k, one) for k in one)]
        yield from keys
        is_found = is_found or any(coverage(facts, one, annotator) > 0.5 for one in keys)


def items_of_annotator(
    facts: ColumnFacts, things: Sequence[int], annotator: int, columns: Sequence[int]
) -> list[tuple[int, ...]]:
    """Return what may be an item: columns with which rows differ with the annotator only."""
    found = [*items_of_rows(facts, things, annotator)]
    found = [one for one in found if not counts_rows(facts, one, columns)]
    if found:  # further columns than those that are called like items
        more = ((k,) for k in things if k != annotator and (k,) not in found)
        found += [one for one in more if _is_key(facts, one, annotator)]
    return found or _items_of_few_pairs(facts, things, annotator, columns)


def counts_rows(facts: ColumnFacts, item: tuple[int, ...], columns: Sequence[int]) -> bool:
    """Whether most rows of an item have different texts, as where each annotator's are numbered.

    Texts are long cells; some scripts have no blanks between words.
    """
    texts = (
        k
        for k in columns
        if k not in item
        and _OF_TEXT.fullmatch(facts.header[k])
        and sum(map(len, facts.given(k))) > _SHORTEST_TEXT * facts.n_rows
    )
    n_items = facts.n_values(*item)
    n_again = facts.n_rows - n_items
    return any(facts.n_values(*item, k) - n_items > _MOSTLY * n_again for k in texts)


def items_of_agreement(
    facts: ColumnFacts, things: Sequence[int], annotator: int, columns: Sequence[int]
) -> list[tuple[int, ...]]:
    """Return what may be an item, without what labels agree less on than on another one."""
    found = items_of_annotator(facts, things, annotator, columns)
    labels = labels_of(facts, columns, found[0], annotator) if len(found) > 1 else []
    labels = [k for k in labels if not any(facts.is_determined(k, one) for one in found)]
    for k in best_columns(facts, labels, "label")[:1]:
        return [one for one in found if not any(agree_more(facts, k, by, one) for by in found)]
    return found


def _items_of_few_pairs(
    facts: ColumnFacts, things: Sequence[int], annotator: int, columns: Sequence[int]
) -> list[tuple[int, ...]]:
    """Return the fewest columns that name an item together, where some items were given twice.

    The annotators' column is called so, and labels of these items agree beyond chance.
    """
    name = facts.header[annotator].strip()
    if not (is_called(name, "annotator") or is_person_name(name)) or name[-1:].isdigit():
        return []  # `coder1` has labels
    others = [
        k
        for k in things
        if k != annotator
        and not facts.is_determined(k, [annotator])
        and (facts.n_values(k) >= _FEWEST_NAMES or OF_ITEMS.fullmatch(facts.header[k].strip()))
        and not (facts.is_numeric(k) and fit_of_name(facts, k, "item") <= 0)
    ]
    others.sort(key=lambda k: -facts.n_values(k))
    for n in range(1, _MOST_PARTS + 1):
        keys = [
            _with_further_parts(facts, one, annotator, others)
            for one in combinations(others[:_MOST_TRIED], n)
            if facts.unique_share(*one, annotator) >= (COMPLETE if n == 1 else _NEARLY_COMPLETE)
            and facts.n_values(*one, annotator) - facts.n_values(*one) >= _FEWEST_OF_TWO
            and any(
                agree_beyond_chance(facts, k, one)
                for k in best_columns(facts, labels_of(facts, columns, one, annotator), "label")
            )
        ]
        if keys:
            return [*dict.fromkeys(keys)]
    return []


def _with_further_parts(
    facts: ColumnFacts, item: tuple[int, ...], annotator: int, columns: Sequence[int]
) -> tuple[int, ...]:
    """Return the columns of an item with those that nearly always go with it, and tell more apart.

    Such as the book, beside two characters who have their names in several books.
    """
    codes = facts.codes(*item)
    again = facts.of_rows(np.bincount(codes)[codes] > 1)
    for k in columns:
        is_part = k not in item and again.determined_share(k, item) >= _NEARLY_COMPLETE
        if is_part and facts.n_values(*item, k, annotator) > facts.n_values(*item, annotator):
            item = (*item, k)
    return tuple(sorted(item))


def _is_key(facts: ColumnFacts, item: tuple[int, ...], annotator: int) -> bool:
    is_complete = facts.unique_share(*item, annotator) >= COMPLETE
    return is_complete and differs_with_annotator(facts, item, annotator)


def is_judgement(facts: ColumnFacts, k: int, item: tuple[int, ...]) -> bool:
    """Whether a part of an item has few numbers, and not about as many of each beside the rest."""
    name = facts.header[k].strip()
    is_named = OF_ITEMS.fullmatch(name) or is_item_name(name) or INDEX.fullmatch(name)
    rest = [own for own in item if own != k]
    return (
        bool(rest)
        and not is_named
        and facts.n_values(k) < _FEWEST_NAMES
        and facts.is_numeric(k)
        and not facts.is_determined(k, rest)
        and not facts.is_even_within(k, rest)
    )


def differs_with_annotator(facts: ColumnFacts, item: tuple[int, ...], annotator: int) -> bool:
    """Whether items have rows of several annotators; of columns that are called so, a few do."""
    rows_of_items = np.bincount(facts.codes(*item))
    is_called = fit_of_name(facts, annotator, "annotator") > 0
    if not is_called and len(rows_of_items) * _MOST_EACH < facts.n_values(annotator):
        return False
    if len(item) == 1 and is_called and fit_of_name(facts, item[0], "item") > 0:
        return int((rows_of_items > 1).sum()) >= _FEWEST_SHARED
    # a judgement that is taken for part of the item leaves many items with one row
    are_ids = is_called and all(INDEX.fullmatch(facts.header[k].strip()) for k in item)
    return (
        (len(item) == 1 or are_ids or (rows_of_items == 1).mean() <= _MOST_ALONE)
        and facts.n_rows >= 1.3 * len(rows_of_items)
        and len(rows_of_items) > 1
        and not facts.is_determined(annotator, item)
    )


def coverage(facts: ColumnFacts, item: tuple[int, ...], annotator: int) -> float:
    """Return the share of all pairs of an item and an annotator that have a row."""
    return facts.n_rows / (facts.n_values(*item) * facts.n_values(annotator))


def labels_of(
    facts: ColumnFacts, columns: Sequence[int], item: tuple[int, ...], annotator: int
) -> list[int]:
    found = [
        k
        for k in columns
        if k not in (*item, annotator)
        and not is_order_name(facts.header[k])
        and not facts.is_determined(k, [annotator])
        and not facts.is_constant_within(k, item)
        and not any(  # such as what is known of an annotator and a batch
            facts.is_determined(k, [annotator, *rest])
            for rest in combinations(item, len(item) - 1 or 1)
            if rest != item and facts.unique_share(annotator, *rest) < _MOSTLY
        )
    ]
    of_categories = [k for k in found if may_be_label(facts, k)]
    differ = [
        k
        for k in of_categories
        if fit_of_name(facts, k, "label") > 0 or facts.determined_share(k, item) < COMPLETE
    ]
    of_categories = differ or of_categories
    is_certain = fit_of_name(facts, annotator, "annotator") > 0 and len(item) == 1
    texts = [k for k in found if not facts.is_time(k) and not is_remark_name(facts.header[k])]
    return of_categories or (texts if is_certain else [])
