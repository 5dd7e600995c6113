"""How well a column fits a role of a table with one row per label: by its name and its values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..common.span_rules import is_number
from .annotator_columns import MOST_UNNAMED, are_annotators, have_attributes
from .column_facts import ColumnFacts
from .column_names import (
    ALTERNATIVE_NAMES,
    OF_ITEMS,
    is_annotator_name,
    is_item_name,
    is_remark_name,
    is_statistic_name,
)
from .layout import REQUIRED, Layout
from .platform_status import PlatformStatus, columns_of_platform

_ID = re.compile(r"[!-~]{1,40}")
_MOST_TRIED = 7  # columns of each kind
MOST_CATEGORIES = 50
_MOST_ANSWERS = 9  # that may be sentences
_LONGEST_NAME, _MOST_BLANKS = 40, 1.5  # characters of a name; blanks on average
COMPLETE = 0.98  # of the rows differ
_FEWEST_BLANKS = 4  # in a cell on average, of a column of texts


def fit_of_name(facts: ColumnFacts, k: int, role: str) -> float:
    """Return how well a column is called for a role: 2, 1, 0, or −.5 if rather for another one."""
    name = facts.header[k].strip()
    if name.casefold() == role:
        return 2.0
    likely = ALTERNATIVE_NAMES[role].fullmatch(name) is not None
    if role == "annotator":
        likely = likely or is_annotator_name(name) or are_annotators(facts.values(k))
        likely = likely or have_attributes(facts, k)
    elsewhere = any(
        name.casefold() == other or like.fullmatch(name)
        for other, like in ALTERNATIVE_NAMES.items()
        if other != role
    )
    return 1.0 if likely else -0.5 if elsewhere else 0.0


def best_columns(facts: ColumnFacts, columns: Sequence[int], role: str) -> list[int]:
    return sorted(columns, key=lambda k: -fit_of_name(facts, k, role))[:_MOST_TRIED]


def named_columns(facts: ColumnFacts) -> list[int]:
    """Return the columns with a name that no platform adds to the answers."""
    marks = {*PlatformStatus.of(facts.header, ()).columns, *columns_of_platform(facts.header)}
    return [k for k, name in enumerate(facts.header) if name and k not in marks]


def is_numbered(facts: ColumnFacts) -> bool:
    """Whether the columns have no names."""
    return all(one.isdecimal() for one in facts.header)


def may_be_annotator(facts: ColumnFacts, k: int) -> bool:
    """Whether a column may name whose the rows are, by its name, or by few names in it."""
    name, n = facts.header[k], facts.n_values(k)
    fits = fit_of_name(facts, k, "annotator")
    most = COMPLETE if fits > 0 else 0.5  # of a crowd, each may have a row or two
    if n > most * facts.n_rows or facts.is_time(k) or is_remark_name(name):
        return False
    if sum(one.count(" ") for one in facts.values(k)) > _MOST_BLANKS * n:
        return False  # texts, such as what a user wrote
    if fits != 0:
        return fits > 0
    if is_numbered(facts):
        return all(map(_ID.fullmatch, facts.values(k))) or n <= MOST_UNNAMED
    if n > MOST_UNNAMED or OF_ITEMS.fullmatch(name):
        return False
    things = [own for own in named_columns(facts) if is_item_name(facts.header[own])]
    if any(facts.unique_share(own) >= COMPLETE for own in things):
        return False  # each row is an item
    values = facts.values(k)
    return max(map(len, values), default=0) <= _LONGEST_NAME and not all(map(is_number, values))


def may_be_label(facts: ColumnFacts, k: int) -> bool:
    """Whether a column has few values, and is not called like remarks, times or statistics."""
    n, given = facts.n_values(k), facts.given(k)
    if is_statistic_name(facts.header[k]):
        return False
    few = n <= MOST_CATEGORIES or n <= facts.n_rows / 10
    few = few or (fit_of_name(facts, k, "label") > 0 and facts.is_numeric(k))
    has_texts = n > _MOST_ANSWERS and (
        sum(one.count(" ") for one in given) >= _FEWEST_BLANKS * len(given)
    )
    return n > 1 and few and not (has_texts or facts.is_time(k) or is_remark_name(facts.header[k]))


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
