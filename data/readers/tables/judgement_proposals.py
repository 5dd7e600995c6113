"""Propose the columns of item, annotator and label of a table with one row per label."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations

import numpy as np

from .column_facts import ColumnFacts
from .column_fit import (
    COMPLETE,
    best_columns,
    columns_by_names,
    fit_of_name,
    is_numbered,
    may_be_annotator,
    may_be_label,
    named_columns,
)
from .column_names import (
    OF_ITEMS,
    is_called,
    is_item_name,
    is_order_name,
    is_person_name,
    is_remark_name,
)
from .column_roles import INDEX, OF_PANDAS
from .judgement_key import agree_beyond_chance, agree_more, column_of_questions, divides_items
from .layout import REQUIRED, Layout
from .platform_status import columns_of_platform

_NEARLY_COMPLETE = 0.95  # where labels say that it is the key
_MOSTLY = 0.9  # of the rows differ, where some are given again
_OF_TEXT = re.compile(
    r"(.*[ _.-])?(text|content|sentence|tweet|post|title|document|body|message|abstract|headline)"
    r"([ _.-](text|body|content))?",
    re.I,
)
_FEWEST_SHARED = 2  # items
_MOST_ALONE = 0.3  # share of items with one row
_FEWEST_ROWS = 4
_SHORTEST_TEXT = 15  # characters
_MOST_PARTS, _MOST_TRIED = 5, 8  # columns of an item; those that may be part of it
_MOST_FOUND = 9
_FEWEST_OF_TWO = 5  # further labels of items by other annotators
_FEWEST_NAMES = 15  # different ones in a part of an item
_MOST_EACH = 20  # annotators for each item of a table


def judgement_columns(facts: ColumnFacts) -> Iterator[tuple[bool, dict[str, str]]]:
    """Yield the columns of item, annotator and label of a table with one row per label.

    With each, whether the column of the annotators is called so.
    """
    facts = facts.of_distinct_rows()
    if facts.n_rows < _FEWEST_ROWS:
        by_names = columns_by_names(facts)
        yield from [(True, by_names)] if len(by_names) == len(REQUIRED[Layout.LONG]) else []
        return
    columns = [
        k
        for k in named_columns(facts)
        if facts.n_values(k) > 1
        and not (OF_PANDAS.fullmatch(facts.header[k]) and facts.is_numeric(k))
    ]
    yield from _of_one_row_each(facts, columns)
    annotators = [k for k in columns if may_be_annotator(facts, k)]
    annotators = [k for k in annotators if fit_of_name(facts, k, "annotator") > 0] or annotators
    things = [
        k
        for k in columns
        if facts.n_values(k) < facts.n_rows
        and not (facts.is_time(k) or _has_fractions(facts, k) or is_order_name(facts.header[k]))
        and not _has_some_remarks(facts, k)
        and (
            facts.has_sentences(k)  # `answers` that were rated
            or not fit_of_name(facts, k, "label") > 0 >= fit_of_name(facts, k, "item")
        )
    ]
    if columns_of_platform(facts.header):  # which names the items
        things = [k for k in things if facts.header[k] == "_unit_id"]
    found: list[tuple[float, bool, dict[str, str]]] = []
    for annotator in best_columns(facts, annotators, "annotator"):
        for item in _items_of_agreement(facts, things, annotator, columns):
            labels = _labels(facts, columns, item, annotator)
            for label in best_columns(facts, labels, "label"):
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
                question = column_of_questions(
                    facts, label, item, [k for k in columns if k not in (*item, annotator, label)]
                )
                if question is not None:
                    of_others["layer"] = facts.header[question]
                is_named = fit_of_name(facts, annotator, "annotator") > 0
                if not (is_named or is_numbered(facts) or agree_beyond_chance(facts, label, item)):
                    continue  # such as a condition
                found.append((score, is_named, {"item": names, **of_others}))
    if not found:
        yield from ((True, names) for names in _with_passes(facts, columns, things))
    found.sort(key=lambda one: -one[0])
    best = [_without_label(names) for _, _, names in found[:1]]
    found.sort(key=lambda one: _without_label(one[2]) not in best)  # other questions come next
    yield from ((is_named, names) for _, is_named, names in found[:_MOST_FOUND])


def _without_label(names: Mapping[str, str]) -> dict[str, str]:
    return {role: own for role, own in names.items() if role != "label"}


def _of_one_row_each(
    facts: ColumnFacts, columns: Sequence[int]
) -> Iterator[tuple[bool, dict[str, str]]]:
    """Yield the columns of a table in which each annotator has one row, beside an item's name."""
    annotators = [
        k for k in columns if facts.is_distinct(k) and fit_of_name(facts, k, "annotator") > 0
    ]
    items = [k for k in columns if INDEX.fullmatch(facts.header[k].strip()) and facts.repeats(k)]
    labels = [k for k in columns if k not in (*annotators, *items) and may_be_label(facts, k)]
    labels = [k for k in labels if not facts.is_constant_within(k, items)]
    if len(annotators) == len(items) == 1 and labels:
        names = [
            facts.header[k]
            for k in (*items, *annotators, *best_columns(facts, labels, "label")[:1])
        ]
        yield True, dict(zip(REQUIRED[Layout.LONG], names, strict=True))


def _with_passes(
    facts: ColumnFacts, columns: Sequence[int], things: Sequence[int]
) -> Iterator[dict[str, str]]:
    """Yield the columns of a table where annotators label an item repeatedly, or some items."""
    by_names = columns_by_names(facts)
    if len(by_names) == len(REQUIRED[Layout.LONG]):
        at = {role: facts.header.index(name) for role, name in by_names.items()}
        key = at["item"], at["annotator"]
        others = [k for k in things if k not in at.values()]
        more = chain.from_iterable(combinations(others, n) for n in (1, 2))
        is_item = not _counts_rows(facts, key[:1], columns)
        if is_item and all(
            facts.unique_share(*key, *k) < _MOSTLY for k in more
        ):  # else these tell them apart
            yield {**by_names, "repeats": "pass"}
    elif "annotator" in by_names:
        annotator = facts.header.index(by_names["annotator"])
        others = [k for k in best_columns(facts, things, "item") if k != annotator]
        others = [k for k in others if not facts.is_determined(k, [annotator])]
        some = [*chain.from_iterable(combinations(others, n) for n in (1, 2, 3))]
        some = [one for one in some if _differs_with_annotator(facts, one, annotator)]
        some = [one for one in some if not any(_is_judgement(facts, k, one) for k in one)]
        some = [one for one in some if not _counts_rows(facts, one, columns)]
        shares = {one: facts.unique_share(*one, annotator) for one in some}
        # a file of each group of annotators tells as much apart as what was in it
        fewest = {one: -facts.n_values(*one) for one in some}
        item = max(some, key=lambda one: (shares[one], fewest[one], -len(one)), default=())
        for k in item:  # a judgement that is taken for a part tells few rows apart
            rest = tuple(own for own in item if own != k)
            item = rest if shares[item] - shares.get(rest, 0) < 1 - COMPLETE else item
        labels = (
            best_columns(facts, _labels(facts, columns, item, annotator), "label") if item else []
        )
        if labels and shares[item] > _MOSTLY:
            names = {"item": ",".join(facts.header[k] for k in item)}
            names |= {"annotator": facts.header[annotator], "label": facts.header[labels[0]]}
            yield {**names, "repeats": "pass"}


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
        keys = [one for one in keys if not any(_is_judgement(facts, k, one) for k in one)]
        yield from keys
        is_found = is_found or any(_coverage(facts, one, annotator) > 0.5 for one in keys)


def items_of_annotator(
    facts: ColumnFacts, things: Sequence[int], annotator: int, columns: Sequence[int]
) -> list[tuple[int, ...]]:
    """Return what may be an item: columns with which rows differ with the annotator only."""
    found = [*items_of_rows(facts, things, annotator)]
    found = [one for one in found if not _counts_rows(facts, one, columns)]
    if found:  # further columns than those that are called like items
        more = ((k,) for k in things if k != annotator and (k,) not in found)
        found += [one for one in more if _is_key(facts, one, annotator)]
    return found or _items_of_few_pairs(facts, things, annotator, columns)


def _counts_rows(facts: ColumnFacts, item: tuple[int, ...], columns: Sequence[int]) -> bool:
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


def _items_of_agreement(
    facts: ColumnFacts, things: Sequence[int], annotator: int, columns: Sequence[int]
) -> list[tuple[int, ...]]:
    """Return what may be an item, without what labels agree less on than on another one."""
    found = items_of_annotator(facts, things, annotator, columns)
    labels = _labels(facts, columns, found[0], annotator) if len(found) > 1 else []
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
                for k in best_columns(facts, _labels(facts, columns, one, annotator), "label")
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
    return is_complete and _differs_with_annotator(facts, item, annotator)


def _is_judgement(facts: ColumnFacts, k: int, item: tuple[int, ...]) -> bool:
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


def _differs_with_annotator(facts: ColumnFacts, item: tuple[int, ...], annotator: int) -> bool:
    """Whether items have rows of several annotators; of columns that are called so, a few do."""
    rows_of_items = np.bincount(facts.codes(*item))
    if len(rows_of_items) * _MOST_EACH < facts.n_values(annotator):
        return False
    is_called = fit_of_name(facts, annotator, "annotator") > 0
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


def _has_some_remarks(facts: ColumnFacts, k: int) -> bool:
    """Whether a column has remarks on some rows; where all have one, it may be what is judged."""
    return is_remark_name(facts.header[k]) and len(facts.given(k)) < _MOSTLY * facts.n_rows


def _has_fractions(facts: ColumnFacts, k: int) -> bool:
    """Whether a column has measurements such as 87.25, which name nothing."""
    return facts.is_numeric(k) and any(float(one) % 1 for one in facts.values(k))


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
    of_annotators = facts.determined_share(label, [annotator])  # such as their age
    is_exact = facts.unique_share(*item, annotator) == 1
    named += answers + more_items + few_labels - of_annotators + is_exact
    named += agree_beyond_chance(facts, label, item)
    named += 3 * _coverage(facts, item, annotator)
    named += sum(map(bool, map(str.strip, facts.texts(label)))) / facts.n_rows  # not asked of a few
    return named - 0.5 * (len(item) - 1) - 0.01 * label
