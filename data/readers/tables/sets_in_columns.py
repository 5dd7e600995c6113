# ruff: noqa: S608 – the names of columns are quoted, and a query can read the file only
"""Sets of labels: in numbered columns (`code 1`, `code 2` …), or in rows, one for each label."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from .column_facts import ColumnFacts
from .column_fit import best_columns, fit_of_name, may_be_annotator, named_columns
from .column_names import NUMBERED
from .item_proposals import items_of_annotator, items_of_rows
from .json_records import quoted
from .other_shapes import families_of_sets
from .written_queries import YES, query_of_categories, query_of_sets

_COMPLETE, _MOSTLY = 0.98, 0.9  # of the rows differ
_FEWEST_OF_ONE, _FEWEST_OF_SET = 3, 4  # columns of 0 and 1
_BINARY = {"0", "1", "0.0", "1.0", "true", "false"}
_FEWEST_EQUAL = 5  # labels of an item and annotator, if rows were independent


def sets_in_columns(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield the query for the sets of labels of the annotators whom a column names, or stems do."""
    families = families_of_sets(facts)
    used = {k for own in families.values() for k in own}
    names = {stem: [facts.header[k] for k in own] for stem, own in families.items()}
    others = [k for k in named_columns(facts) if k not in used]
    annotators = [k for k in others if fit_of_name(facts, k, "annotator") > 0]
    if not annotators and all(map(facts.repeats, others)):
        annotators = [k for k in others if may_be_annotator(facts, k)]
        annotators = sorted(annotators, key=facts.n_values)[:1]
    if len(annotators) == 1:
        things = [k for k in others if k not in annotators and not facts.is_time(k)]
        for item in items_of_rows(facts, things, annotators[0]) if families else ():
            key = [facts.header[k] for k in item], facts.header[annotators[0]]
            yield from ({"query": query_of_sets(key[0], own, key[1])} for own in names.values())
    elif len(families) > 1 and len({*map(len, families.values())}) == 1:
        items = [k for k in others if facts.is_distinct(k)]
        items.sort(key=lambda k: -fit_of_name(facts, k, "item"))
        yield from ({"query": query_of_sets([facts.header[k]], names)} for k in items[:1])


def categories_in_columns(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield the queries for columns of 0 and 1 beside that of the annotators, one per category.

    Where each row has one 1, a label is the category; else it is the set of them.
    """
    columns = named_columns(facts)
    binary = [k for k in columns if 0 < len(facts.values(k)) < 3 and _is_binary(facts, k)]
    called = (k for k in columns if fit_of_name(facts, k, "annotator") > 0)
    annotators = [k for k in called if may_be_annotator(facts, k)]
    families = _families(facts, binary) if len(annotators) == 1 else {}
    others = [k for k in columns if k not in (*binary, *annotators) and not facts.is_time(k)]
    for item in items_of_annotator(facts, others, annotators[0], columns) if families else ():
        key = [facts.header[k] for k in item], facts.header[annotators[0]]
        for stem, own in families.items():
            names = [facts.header[k] for k in own]
            yield {"query": query_of_categories(*key, names, stem, one=_is_one_each(facts, own))}


def _families(facts: ColumnFacts, binary: Sequence[int]) -> dict[str, list[int]]:
    """Return the columns by what is before the last sign or number of their names."""
    found: dict[str, list[int]] = {}
    for k in binary:
        name = facts.header[k]
        match = NUMBERED.fullmatch(name)
        stem = max((name[: name.rfind(sign) + 1] for sign in ".:_ "), key=len)
        found.setdefault(stem or (match[1] if match else ""), []).append(k)
    found = {
        stem: own
        for stem, own in found.items()
        if len(own) >= (_FEWEST_OF_ONE if _is_one_each(facts, own) else _FEWEST_OF_SET)
        and (stem or _is_one_each(facts, own))
    }
    return dict(sorted(found.items(), key=lambda one: not _is_one_each(facts, one[1])))


def _is_one_each(facts: ColumnFacts, columns: Sequence[int]) -> bool:
    """Whether nearly all rows have one 1 in these columns."""
    n_given = np.array([[one in YES for one in facts.texts(k)] for k in columns]).sum(axis=0)
    return bool((n_given == 1).mean() >= _COMPLETE)


def _is_binary(facts: ColumnFacts, k: int) -> bool:
    return {one.casefold() for one in facts.values(k)} <= _BINARY


def sets_in_rows(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield the query for rows of which an annotator gave an item several, with one label each."""
    things = [k for k in named_columns(facts) if 1 < facts.n_values(k) < facts.n_rows]
    annotators = [k for k in things if fit_of_name(facts, k, "annotator") > 0]
    for who in annotators if len(annotators) == 1 else ():
        others = [k for k in things if k != who and not facts.is_time(k)]
        for item in best_columns(facts, others, "item"):
            labels = [k for k in others if k != item and _is_set_of(facts, k, item, who)]
            labels = [k for k in labels if _is_all(facts, (item, who, k))]
            for label in best_columns(facts, labels, "label")[:1]:
                one, by, given = (quoted(facts.header[k]) for k in (item, who, label))
                yield {
                    "query": f"select {one} as item, {by} as annotator, list(distinct {given} "
                    f"order by {given}) as label from source where {given} <> '' "
                    f"group by {one}, {by} order by {one}, {by}"
                }


def _is_set_of(facts: ColumnFacts, label: int, item: int, annotator: int) -> bool:
    """Whether an annotator gives an item several labels, none of them twice, as if by chance."""
    n_rows = np.bincount(facts.codes(item, annotator))
    shares = np.bincount(facts.codes(label)) / facts.n_rows
    equal_by_chance = float((n_rows * (n_rows - 1) / 2).sum() * (shares**2).sum())
    return (
        facts.unique_share(item, annotator) < _MOSTLY
        and len({*n_rows}) > 1  # else of several passes
        and not facts.is_numeric(label)
        and facts.unique_share(item, annotator, label) >= _COMPLETE
        and facts.n_values(item) < facts.n_values(item, annotator)
        and facts.repeats(label)
        and equal_by_chance > _FEWEST_EQUAL
    )


def _is_all(facts: ColumnFacts, used: tuple[int, ...]) -> bool:
    """Whether all other columns number the rows, or say something of one of these."""
    return all(
        facts.is_time(k) or facts.is_distinct(k) or any(facts.is_determined(k, [o]) for o in used)
        for k in named_columns(facts)
        if k not in used and facts.n_values(k) > 1
    )
