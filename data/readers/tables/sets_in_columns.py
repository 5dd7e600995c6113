"""Sets of labels in numbered columns: `code 1`, `code 2` …, which rows fill from the first on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .annotator_columns import NUMBERED
from .column_facts import ColumnFacts
from .column_fit import fit_of_name, named_columns
from .judgement_proposals import items_of_rows
from .written_queries import query_of_sets

_MOSTLY = 0.98  # of the rows


def sets_in_columns(facts: ColumnFacts) -> Iterator[dict[str, str]]:
    """Yield the query for the sets of labels of the annotators whom a column names, or stems do."""
    families = families_of_sets(facts)
    used = {k for own in families.values() for k in own}
    names = {stem: [facts.header[k] for k in own] for stem, own in families.items()}
    others = [k for k in named_columns(facts) if k not in used]
    annotators = [k for k in others if fit_of_name(facts, k, "annotator") > 0]
    if len(annotators) == 1:
        things = [k for k in others if k not in annotators and not facts.is_time(k)]
        for item in items_of_rows(facts, things, annotators[0]) if families else ():
            key = [facts.header[k] for k in item], facts.header[annotators[0]]
            yield from ({"query": query_of_sets(key[0], own, key[1])} for own in names.values())
    elif len(families) > 1 and len({*map(len, families.values())}) == 1:
        items = [k for k in others if facts.is_distinct(k)]
        items.sort(key=lambda k: -fit_of_name(facts, k, "item"))
        yield from ({"query": query_of_sets([facts.header[k]], names)} for k in items[:1])


def families_of_sets(facts: ColumnFacts) -> dict[str, list[int]]:
    """Return the columns that hold one label each of a set, by what is before their numbers."""
    found: dict[str, list[int]] = {}
    for k in named_columns(facts):
        if match := NUMBERED.fullmatch(facts.header[k].strip()):
            found.setdefault(match[1], []).append(k)
    return {stem: own for stem, own in found.items() if _is_set(facts, own)}


def _is_set(facts: ColumnFacts, columns: Sequence[int]) -> bool:
    """Whether rows fill columns from the first one on, with labels that differ and recur."""
    columns = [k for k in columns if facts.values(k)]
    rows = [*zip(*(facts.texts(k) for k in columns), strict=True)]
    given = [[one for one in row if one] for row in rows]
    labels = [one for own in given for one in own]
    are_equally_filled = len({len(facts.given(k)) for k in columns}) < 2  # as of annotators
    if are_equally_filled or any(map(facts.is_numeric, columns)):
        return False
    fit = sum(
        own == [*row[: len(own)]] and len({*own}) == len(own)
        for row, own in zip(rows, given, strict=True)
    )
    later = {one for row in rows for one in row[1:] if one}
    return (
        fit >= _MOSTLY * len(rows)
        and 2 * len({*labels}) <= len(labels)
        and not later.isdisjoint(facts.values(columns[0]))
    )
