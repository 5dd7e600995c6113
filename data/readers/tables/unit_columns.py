"""The columns of a table of units: bounds, and what is called like the rest of a unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise, product

import numpy as np
from numpy.typing import NDArray

from .column_facts import ColumnFacts
from .column_names import ALTERNATIVE_NAMES, is_document_name
from .relation_columns import ends_of_relations

_FEWEST = 20  # different bounds
_MOSTLY = 0.5  # of the units of an annotator overlap the one before
_STARTS = re.compile(
    r"(.*[ _.-])?(start|begin|from(?!_unit)|onset|pos0|index1|selfirst)([ _.-].*)?", re.I
)
_ENDS = re.compile(r"(.*[ _.-])?(end|stop|to|offset|pos1|index2|sellast)([ _.-].*)?", re.I)
_OF_TEXTS = re.compile(r"text|source", re.I)
_CATEGORY = re.compile(r".*(code|categ|label|tag|type|class|name).*", re.I)


def unit_columns(facts: ColumnFacts, columns: Sequence[int]) -> Iterator[dict[str, str]]:
    """Yield the columns of a table of units: bounds, of which the first is below the second."""
    of_relations = [*chain(*(ends_of_relations(facts) or ()))]
    columns = [k for k in columns if k not in of_relations]
    numbers = {k: read for k in columns if (read := _numbers(facts, k)) is not None}
    starts = [k for k in numbers if _STARTS.fullmatch(facts.header[k])]
    ends = [k for k in numbers if _ENDS.fullmatch(facts.header[k])]
    for start, end in product(starts, ends):
        if start == end:
            continue
        has_unit = (numbers[start] != numbers[end]) | (numbers[start] >= 0)  # −1 and −1: none
        if has_unit.any() and (numbers[start] < numbers[end])[has_unit].all():
            bounds = {"start": facts.header[start], "end": facts.header[end]}
            others = [k for k in columns if k not in (start, end)]
            found = _about_units(facts, [k for k in others if k not in numbers], others)
            units = numbers[start][has_unit], numbers[end][has_unit]
            yield bounds | _documents_of(facts.of_rows(has_unit), units, found, others) | found


def has_bounds(facts: ColumnFacts) -> bool:
    """Whether two columns of many numbers are bounds, as each row has the less one first.

    For tables without names of columns, in which nothing else tells them.
    """
    numbers = [read for k in range(len(facts.header)) if (read := _numbers(facts, k)) is not None]
    many = [one for one in numbers if len(np.unique(one)) > max(_FEWEST, len(one) / 4)]
    return any((one < other).all() for one, other in pairwise(many))


def _about_units(
    facts: ColumnFacts, texts: Sequence[int], columns: Sequence[int]
) -> dict[str, str]:
    """Return the columns of the category, the document and the annotator that are called so."""
    found = {}
    repeating = [k for k in texts if facts.n_values(k) < facts.n_rows]
    documents = [
        k
        for k in repeating
        if is_document_name(facts.header[k]) or _OF_TEXTS.search(facts.header[k])
    ]
    categories = [k for k in repeating if _CATEGORY.fullmatch(facts.header[k])]
    like = ALTERNATIVE_NAMES["annotator"].fullmatch
    annotators = [
        k
        for k in columns
        if like(facts.header[k]) or facts.header[k].casefold() in ("owner", "annotator")
    ]
    left = [k for k in columns if facts.n_values(k) < facts.n_rows]
    left = [k for k in left if k not in (*documents, *categories)]
    if not annotators and len(left) == 1 and left[0] in texts:
        annotators = left
    # `filename` is rather the document's name than that of a category
    for role, some in (
        ("document", documents),
        ("category", [k for k in categories if k not in (*documents, *annotators)]),
        ("annotator", annotators),
    ):
        if some:
            found[role] = facts.header[some[0]]
    return found


def _documents_of(
    facts: ColumnFacts,
    units: tuple[NDArray[np.float64], NDArray[np.float64]],
    found: Mapping[str, str],
    columns: Sequence[int],
) -> dict[str, str]:
    """Return the column of the documents that no name tells: in it, units seldom overlap.

    An annotator whose units overlap mostly marked them in several documents.
    """
    who = [facts.header.index(found["annotator"])] if "annotator" in found else []
    if "document" in found or not who or _overlap(facts, units, who) <= _MOSTLY:
        return {}
    free = [k for k in columns if facts.header[k] not in found.values()]
    apart = [k for k in free if _overlap(facts, units, [*who, k]) < 1 - _MOSTLY]
    fewest = min(apart, key=facts.n_values, default=None)
    return {} if fewest is None else {"document": facts.header[fewest]}


def _overlap(
    facts: ColumnFacts, units: tuple[NDArray[np.float64], NDArray[np.float64]], by: Sequence[int]
) -> float:
    """Return the share of the units that begin before an earlier one of their group has ended."""
    groups, (starts, ends) = facts.codes(*by), units
    order = np.lexsort((ends, starts, groups))
    groups, starts, ends = groups[order], starts[order], ends[order]
    is_next = groups[1:] == groups[:-1]
    return float((is_next & (starts[1:] < ends[:-1])).mean()) if len(order) > 1 else 0.0


def _numbers(facts: ColumnFacts, k: int) -> NDArray[np.float64] | None:
    try:
        found = np.array([float(one or "nan") for one in facts.cells(k)])
    except ValueError:
        return None
    return found if len(found) and not np.isnan(found).any() else None
