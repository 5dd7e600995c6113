"""Propose options for several tables of the same columns, each the work of one annotator."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

import numpy as np
import pyarrow as pa

from .cells import text_column
from .column_facts import ColumnFacts
from .column_fit import COMPLETE, MOST_CATEGORIES, fit_of_name, may_be_label, named_columns
from .column_names import is_called
from .judgement_proposals import judgement_columns
from .other_shapes import families_of_sets
from .role_proposals import is_without_header
from .unit_columns import unit_columns
from .written_queries import query_of_sets

_MOST_COMMON = 0.8  # of the columns with names
_SAME = 0.95  # of the cells of two tables, in which what was shown may be written otherwise


def proposed_options_of_files(
    facts: ColumnFacts, other: ColumnFacts | None, alike: Sequence[ColumnFacts], paths: str
) -> Iterator[dict[str, str]]:
    """Yield options for several tables of the same columns, each the work of one annotator.

    facts, other  of the first table, and of that of another annotator if there is one
    alike         of the further tables with the columns of the first one
    paths         the pattern of the paths, which names the annotators
    """
    for given in unit_columns(facts, named_columns(facts)):
        yield {name: own for name, own in given.items() if name != "annotator"} | {"paths": paths}
    more = {"paths": paths}
    cells = [[one or "" for one in facts.cells(k)] for k in range(len(facts.header))]
    if is_without_header(facts, cells) or _has_label_as_name(facts):
        facts, other = facts.with_numbered_columns(), other and other.with_numbered_columns()
        more |= {"header": "no"}
        alike = [one.with_numbered_columns() for one in alike]
    if alike and (constant := _constant_annotator(together([facts, *alike]))):
        facts, *alike = (_without(one, constant) for one in (facts, *alike))
        other, more = alike[0], more | {"annotator": ""}
    columns = named_columns(facts)
    unique = [k for k in columns if facts.unique_share(k) >= COMPLETE and not facts.is_time(k)]
    unique.sort(key=lambda k: -fit_of_name(facts, k, "item"))
    for own in families_of_sets(facts).values():
        names = [facts.header[k] for k in own]
        yield from ({"query": query_of_sets([facts.header[k]], names)} | more for k in unique[:1])
    if alike and not any(is_called(name, "annotator") for name in facts.header):
        for _, found in judgement_columns(together([facts, *alike], "annotator")):
            if found.get("annotator") == "annotator" and "repeats" not in found:
                yield {name: own for name, own in found.items() if name != "annotator"} | more
    labels = [k for k in columns if k not in unique and may_be_label(facts, k)]
    if other is not None:
        shared = [k for k in labels if facts.header[k] in other.header]
        differ = [k for k in shared if not _is_same(facts, other, k, unique)]
        labels = differ or (labels if shared == labels else [])
    labels.sort(key=lambda k: -fit_of_name(facts, k, "label"))
    keys: list[tuple[int, ...]] = [(k,) for k in unique[:2]]
    if not any(facts.unique_share(k) == 1 for k in unique):
        others = [k for k in columns if k not in labels]
        pairs = (one for one in combinations(others, 2) if facts.unique_share(*one) == 1)
        keys = [*islice(pairs, 1), *keys]
    every = together([facts, *alike])
    for item in keys:
        differ = [k for k in labels if not _is_of_item(every, k, item)] or labels
        for label in differ[:2]:
            named = ",".join(facts.header[k] for k in item)
            yield {"item": named, "label": facts.header[label], **more}
    if other is not None and other.n_rows == facts.n_rows and _correspond(facts, other, labels):
        yield from ({"item": "", "label": facts.header[label], **more} for label in labels[:2])


def together(tables: Sequence[ColumnFacts], of_files: str = "") -> ColumnFacts:
    """Return the facts of all rows of tables with the same columns.

    of_files  what a further column with the number of the table is called, "" for none
    """
    first = tables[0]
    columns = [pa.concat_arrays(own) for own in zip(*(one.columns for one in tables), strict=True)]
    if not of_files:
        return ColumnFacts(first.header, columns)
    numbers = np.repeat(np.arange(len(tables)), [one.n_rows for one in tables])
    return ColumnFacts([*first.header, of_files], [*columns, text_column([*map(str, numbers)])])


def with_common_columns(tables: Sequence[ColumnFacts]) -> list[ColumnFacts]:
    """Return the tables that have most columns of the first one, with those that all of them have.

    Such as where one has notes, too.
    """
    first = tables[0]
    named = [name for name in first.header if name]
    least = _MOST_COMMON * len(named)
    alike = [one for one in tables if sum(name in one.header for name in named) >= least]
    common = [name for name in named if all(name in one.header for one in alike)]
    if len(common) < least or len(alike) < 2:
        return [first]
    return [
        one
        if [*one.header] == common
        else ColumnFacts(common, [one.columns[_at(one, name)] for name in common], one.is_whole)
        for one in alike
    ]


def _has_label_as_name(facts: ColumnFacts) -> bool:
    """Whether a column is called like one of its few values, as where the first line is data."""
    return any(
        name in facts.values(k)
        for k, name in enumerate(facts.header)
        if name and facts.n_values(k) <= min(MOST_CATEGORIES, facts.n_rows / 10)
    )


def _constant_annotator(facts: ColumnFacts) -> str:
    """Return the column that says that one annotator, the tool's only user, gave all labels."""
    called = (k for k, name in enumerate(facts.header) if is_called(name, "annotator"))
    return next((facts.header[k] for k in called if facts.n_values(k) == 1), "")


def _without(facts: ColumnFacts, name: str) -> ColumnFacts:
    kept = [k for k, own in enumerate(facts.header) if own != name]
    columns = [facts.columns[k] for k in kept]
    return ColumnFacts([facts.header[k] for k in kept], columns, facts.is_whole)


def _correspond(facts: ColumnFacts, other: ColumnFacts, labels: Sequence[int]) -> bool:
    """Whether rows of two tables may be of one item each: they show the same, or labels alone."""
    shown = [k for k in named_columns(facts) if k not in labels and facts.header[k] in other.header]
    return not shown or _is_same(facts, other, max(shown, key=facts.n_values), ())


def _is_of_item(facts: ColumnFacts, k: int, item: Sequence[int]) -> bool:
    """Whether nearly all rows of an item have one value, as of what was shown."""
    is_repeated = facts.n_values(*item) < facts.n_rows
    return is_repeated and facts.determined_share(k, item) >= COMPLETE


def _is_same(facts: ColumnFacts, other: ColumnFacts, k: int, unique: Sequence[int]) -> bool:
    """Whether two tables have the same values in a column: what was shown, not a label.

    Of a value that most rows have, as many equal cells are chance.
    """
    naming = unique[0] if unique and facts.header[unique[0]] in other.header else None
    mine, others = (
        dict(
            zip(
                range(one.n_rows) if naming is None else one.cells(_at(one, facts.header[naming])),
                one.cells(_at(one, facts.header[k])),
                strict=True,
            )
        )
        for one in (facts, other)
    )
    shared = mine.keys() & others.keys()
    n_equal = sum(mine[one] == others[one] for one in shared)
    counts = Counter(mine[one] for one in shared), Counter(others[one] for one in shared)
    by_chance = sum(n * counts[1][value] for value, n in counts[0].items()) / max(len(shared), 1)
    return len(shared) - n_equal < (1 - _SAME) * (len(shared) - by_chance) or n_equal == len(shared)


def _at(facts: ColumnFacts, name: str) -> int:
    return list(facts.header).index(name)
