# ruff: noqa: S608 – the names of columns are quoted, and a query can read the file only
"""Tables whose cells hold the labels of several annotators: `['yes', 'no', 'yes']`, `3,2,2`."""

from __future__ import annotations

import re
from ast import literal_eval
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from .column_facts import ColumnFacts
from .column_fit import MOST_CATEGORIES, fit_of_name, named_columns
from .json_records import quoted, text_of

_MOST_ROWS = 1000  # that are looked at
_LONGEST = 10_000  # characters of a cell
_FEWEST_ROWS = 5
_MOST_LENGTHS, _MOSTLY = 3, 0.8  # of the rows have lists of so many lengths, and no texts' words
_NEARER = 0.9  # variance of the numbers of a list, as a share of that of all
_SEPARATORS = (",", ";", "|", " ")
_WHOLE, _MOST_STEPS = re.compile(r"-?[0-9]{1,4}(\.0)?"), 11
_SHORT = re.compile(r"[\w+-][\w .+-]{0,24}")  # no words in quotes or brackets
_KINDS = {False: "VARCHAR[]", True: "VARCHAR[][]"}
_List = Sequence[object]


def lists_in_cells(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield the query for columns with lists of labels, beside the list of annotators if any is."""
    found = {k: lists for k in named_columns(facts) if (lists := _lists(facts, k))}
    labels = {
        k: own
        for k, own in found.items()
        if _are_labels([*own.values()])
        or _are_scores([*own.values()], are_called=fit_of_name(facts, k, "label") > 0)
    }
    named = [k for k in found.keys() - labels.keys() if fit_of_name(facts, k, "annotator") > 0]
    for who in named:
        fitting = [k for k in labels if _have_one_length(found[who], labels[k])]
        if fitting:
            yield {"query": _query(facts, labels, fitting, who)}
    places = [k for k in labels if not _are_sets(labels[k])]
    if places and not named:
        yield {"query": _query(facts, labels, places, None)}


def _lists(facts: ColumnFacts, k: int) -> dict[int, _List]:
    """Return the lists in the cells of a column by row; {} if a cell holds something else."""
    cells = [*enumerate(facts.texts(k)[:_MOST_ROWS])]
    given = {row: cell.strip() for row, cell in cells if cell.strip()}
    if sign := _separator(given.values()):
        return {row: [one.strip() for one in cell.split(sign)] for row, cell in given.items()}
    if len(given) < _FEWEST_ROWS or not all(
        one[0] == "[" and one[-1] == "]" and len(one) <= _LONGEST for one in given.values()
    ):
        return {}
    try:
        return {row: literal_eval(cell) for row, cell in given.items()}
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return {}


def _separator(cells: Collection[str]) -> str:
    """Return the sign between the short values of all cells, `3,2,2`; "" if there is none."""
    for sign in _SEPARATORS if len({*cells}) > _FEWEST_ROWS else ():
        given = [cell.split(sign) for cell in cells]
        of_one = _SHORT if sign != " " else _WHOLE
        are_short = all(of_one.fullmatch(one.strip()) for own in given for one in own)
        if min(map(len, given)) > 1 and are_short:
            return sign
    return ""


def _are_labels(lists: Sequence[_List]) -> bool:
    """Whether lists have a label of each annotator: values recur, as in no set, and are few."""
    labels = [label for one in lists for label in one]
    if any(label is None or str(label).startswith(("{", "['", '["')) for label in labels):
        return all(isinstance(label, list) for label in labels) and _recur(lists)
    return _recur(lists)


def _are_scores(lists: Sequence[_List], *, are_called: bool) -> bool:
    """Whether lists have whole numbers that are nearer to each other than to those of other lists.

    Of few steps; or, in a column that is called like labels, of as many annotators each.
    """
    several = [[*map(str, one)] for one in lists if len(one) > 1]
    if len(several) < _FEWEST_ROWS or not all(_WHOLE.fullmatch(n) for own in several for n in own):
        return False
    numbers = [np.array([*map(float, own)]) for own in several]
    lengths = Counter(map(len, several))
    are_even = lengths.most_common(1)[0][1] >= _MOSTLY * len(several)
    every = np.concatenate(numbers)
    are_orders = all(len({*own}) == len(own) for own in several)
    within = np.mean([own.var(ddof=1) for own in numbers])
    is_scale = len({*every}) <= _MOST_STEPS or (are_called and are_even)
    return bool(is_scale and not are_orders and within < _NEARER * every.var())


def _recur(lists: Sequence[_List]) -> bool:
    several = [[*map(str, one)] for one in lists if len(one) > 1]
    recurring = sum(len({*one}) < len(one) for one in several)
    lengths = Counter(map(len, several))
    usual = sum(n for _, n in lengths.most_common(_MOST_LENGTHS))
    return (
        len(several) >= _FEWEST_ROWS
        and 2 * recurring > len(several)
        and 1 < len({label for one in several for label in one}) <= MOST_CATEGORIES
        and usual >= _MOSTLY * len(several)
    )


def _have_one_length(some: Mapping[int, _List], others: Mapping[int, _List]) -> bool:
    return all(len(one) == len(others.get(row, ())) for row, one in some.items())


def _query(
    facts: ColumnFacts,
    labels: Mapping[int, Mapping[int, _List]],
    chosen: Sequence[int],
    who: int | None,
) -> str:
    names = [k for k in named_columns(facts) if facts.is_distinct(k) and not facts.has_sentences(k)]
    names.sort(key=lambda k: -fit_of_name(facts, k, "item"))
    item = quoted(facts.header[names[0]]) if names else "row_number() over ()"
    annotator = "unnest(range(len(given))) + 1"
    if who is not None:
        annotator = f"unnest(try_cast({quoted(facts.header[who])} as VARCHAR[]))"
    parts = []
    for k in chosen:
        layer = f"{text_of(facts.header[k])} as layer, " if len(chosen) > 1 else ""
        given = f"try_cast({quoted(facts.header[k])} as {_KINDS[_are_sets(labels[k])]})"
        if sign := _separator([one for one in map(str.strip, facts.texts(k)[:_MOST_ROWS]) if one]):
            split = f"string_split(nullif(trim({quoted(facts.header[k])}), ''), {text_of(sign)})"
            given = f"list_transform({split}, lambda one: trim(one))"
        parts.append(
            f"select item, {annotator} as annotator, {layer}unnest(given) as label "
            f"from (select {item} as item, *, {given} as given from source)"
        )
    return " union all ".join(parts)


def _are_sets(lists: Mapping[int, _List]) -> bool:
    return any(isinstance(label, list) for one in lists.values() for label in one)
