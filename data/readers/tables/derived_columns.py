"""Columns of a wide table that are computed from those of the annotators."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from .column_facts import ColumnFacts
from .column_names import is_total_name

_MEASURE = re.compile(
    r"kappa|alpha|agree|accord|percent|\bicc\b|\biaa\b|\birr\b|gamma|ac1|cohen|fleiss|kripp|f1"
    r"|übereinst|same|match|equal|ident",
    re.I,
)
_FEWEST_EACH = 5  # rows on which the others are equal, and differ
_FEWEST_CELLS = 5  # of a column in which one is a measure
_ROUNDED = 0.006  # of a mean with two decimals


def derived_columns(facts: ColumnFacts, annotators: Sequence[int]) -> set[int]:
    """Return the columns computed from the others: totals, whether these agree, and measures of it.

    A measure has one cell, whose value no other column has.
    """
    called = {k for k in annotators if _MEASURE.search(facts.header[k])}
    values = {k: {*facts.values(k)} for k in annotators}

    def is_of_others(k: int, some: Sequence[int]) -> bool:
        return any(not values[k].isdisjoint(values[other]) for other in some if other != k)

    lone = [k for k in called if facts.n_rows >= _FEWEST_CELLS and len(facts.given(k)) == 1]
    measures = {k for k in lone if not is_of_others(k, annotators)}
    left = [k for k in annotators if k not in measures]
    if len(left) < 3:
        return measures
    cells = {k: facts.texts(k) for k in left}
    if totals := _totals(facts, [*filter(facts.is_numeric, left)]):
        return measures | totals
    says = [k for k in left if _says_whether_equal(k, cells, 0 if k in called else _FEWEST_EACH)]
    # of labels of two categories, each column says whether the two others are equal
    sure = [k for k in says if k in called or not is_of_others(k, left)]
    return measures | {*(sure or says[-1:])}


def _totals(facts: ColumnFacts, columns: Sequence[int]) -> set[int]:
    """Return the columns of numbers with the sum or the mean of the others.

    In five rows it is none of their values, if the column is not called so.
    """
    if len(columns) < 3:
        return set()
    numbers = np.array([[float(one or "nan") for one in facts.texts(k)] for k in columns])
    numbers[np.isinf(numbers)] = np.nan
    given = ~np.isnan(numbers)
    n_others = given.sum(axis=0) - 1
    sums = np.where(given, numbers, 0.0).sum(axis=0)
    found = set[int]()
    for k, own, is_given in zip(columns, numbers, given, strict=True):
        rows = is_given & (n_others > 1)
        own, others, n = own[rows], sums[rows] - own[rows], n_others[rows]
        if any(np.isclose(own, one, atol=_ROUNDED).all() for one in (others, others / n)):
            n_apart = int(((numbers[:, rows] == own).sum(axis=0) == 1).sum())
            if own.size and (is_total_name(facts.header[k]) or n_apart >= _FEWEST_EACH):
                found.add(k)
    return found


def _says_whether_equal(k: int, cells: Mapping[int, Sequence[str]], fewest: int) -> bool:
    """Whether a column has one value where all others are equal, and another where they differ.

    fewest  rows of either kind that show it
    """
    others = [column for other, column in cells.items() if other != k]
    found: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for own, *rest in zip(cells[k], *others, strict=True):
        if own and all(rest):
            of_kind = found[len({*rest}) == 1]
            of_kind[own] += 1
            if len(of_kind) > 1:
                return False
    equal, differ = found[True], found[False]
    if not (equal or differ) or not equal.keys().isdisjoint(differ):
        return False
    return min(equal.total(), differ.total()) >= fewest
