"""Propose the columns of item, annotator and label of a table with one row per label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations

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
    NUMBERED,
    OF_ITEMS,
    is_order_name,
    is_remark_name,
)
from .column_roles import INDEX, OF_PANDAS
from .item_proposals import (
    counts_rows,
    coverage,
    differs_with_annotator,
    is_judgement,
    items_of_agreement,
    labels_of,
)
from .judgement_key import agree_beyond_chance, column_of_questions, divides_items
from .layout import REQUIRED, Layout
from .platform_status import columns_of_platform

_MOSTLY = 0.9  # of the rows differ, where some are given again
_FEWEST_ROWS = 4
_MOST_FOUND = 9
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
        and not (facts.is_time(k) or facts.has_fractions(k) or is_order_name(facts.header[k]))
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
        for item in items_of_agreement(facts, things, annotator, columns):
            labels = labels_of(facts, columns, item, annotator)
            for label in best_columns(facts, labels, "label"):
                score = _score(facts, item, annotator, label)
                others = (k for k in things if k not in (*item, annotator, label))
                conditions = (k for k in others if _is_condition(facts, k, item, annotator, label))
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
                is_clear = is_named and not _are_many(facts, annotator, item)
                if not (is_clear or is_numbered(facts) or agree_beyond_chance(facts, label, item)):
                    continue  # such as a condition
                found.append((score, is_named, {"item": names, **of_others}))
    if not found:
        yield from ((True, names) for names in _with_passes(facts, columns, things))
    found.sort(key=lambda one: -one[0])
    best = [_without_label(names) for _, _, names in found[:1]]
    found.sort(key=lambda one: _without_label(one[2]) not in best)  # other questions come next
    yield from ((is_named, names) for _, is_named, names in found[:_MOST_FOUND])


def _are_many(facts: ColumnFacts, annotator: int, item: tuple[int, ...]) -> bool:
    """Whether annotators have hardly more than a row each, or are many for each item."""
    n = facts.n_values(annotator)
    return n > facts.n_rows / 2 or n > _MOST_EACH * facts.n_values(*item)


def _is_condition(
    facts: ColumnFacts, k: int, item: tuple[int, ...], annotator: int, label: int
) -> bool:
    """Whether a column tells items apart that have one name, such as the other one of a pair.

    Annotators of one language have one value in its column.
    """
    if facts.is_determined(k, item):
        return False
    own = NUMBERED.fullmatch(facts.header[k].strip())
    of_pairs = [NUMBERED.fullmatch(facts.header[one].strip()) for one in item]
    if own and own[1] and any(one and one[1] == own[1] for one in of_pairs):
        return True
    is_of_items = OF_ITEMS.fullmatch(facts.header[k].strip()) is not None
    is_free = is_of_items or not facts.is_determined(k, [annotator])
    return is_free and divides_items(facts, k, item, label)


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
        are_told_apart = any(facts.unique_share(*key, *k) >= _MOSTLY for k in more)
        if not (are_told_apart or counts_rows(facts, key[:1], columns)):
            yield {**by_names, "repeats": "pass"}
    elif "annotator" in by_names:
        annotator = facts.header.index(by_names["annotator"])
        others = [k for k in best_columns(facts, things, "item") if k != annotator]
        others = [k for k in others if not facts.is_determined(k, [annotator])]
        some = [*chain.from_iterable(combinations(others, n) for n in (1, 2, 3))]
        some = [one for one in some if differs_with_annotator(facts, one, annotator)]
        some = [one for one in some if not any(is_judgement(facts, k, one) for k in one)]
        some = [one for one in some if not counts_rows(facts, one, columns)]
        shares = {one: facts.unique_share(*one, annotator) for one in some}
        # a file of each group of annotators tells as much apart as what was in it
        fewest = {one: -facts.n_values(*one) for one in some}
        item = max(some, key=lambda one: (shares[one], fewest[one], -len(one)), default=())
        for k in item:  # a judgement that is taken for a part tells few rows apart
            rest = tuple(own for own in item if own != k)
            item = rest if shares[item] - shares.get(rest, 0) < 1 - COMPLETE else item
        labels = (
            best_columns(facts, labels_of(facts, columns, item, annotator), "label") if item else []
        )
        if labels and shares[item] > _MOSTLY:
            names = {"item": ",".join(facts.header[k] for k in item)}
            names |= {"annotator": facts.header[annotator], "label": facts.header[labels[0]]}
            yield {**names, "repeats": "pass"}


def _has_some_remarks(facts: ColumnFacts, k: int) -> bool:
    """Whether a column has remarks on some rows; where all have one, it may be what is judged."""
    return is_remark_name(facts.header[k]) and len(facts.given(k)) < _MOSTLY * facts.n_rows


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
    named += 3 * coverage(facts, item, annotator)
    named += sum(map(bool, map(str.strip, facts.texts(label)))) / facts.n_rows  # not asked of a few
    return named - 0.5 * (len(item) - 1) - 0.01 * label
