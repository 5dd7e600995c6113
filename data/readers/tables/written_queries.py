# ruff: noqa: S608 – the names of columns are quoted, and a query can read the file only
"""Queries for tables and records whose labels no option reaches, written from their structure.

Lists of answers in records (`[{"worker": 3, "answer": "yes"}, …]`, or lists of labels alone), and
columns of 0 and 1, one per category, which are sets of labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from ..common.files.json_stream import iter_objects
from .column_names import ALTERNATIVE_NAMES, is_person_name

_Value: TypeAlias = object
_RECORDS = 50  # that are looked at
_DEPTH = 3  # lists and objects around an answer
_NAMING = ("id", "txt", "file", "filename", "doc", "document", "key", "name")
_TAG = re.compile(r"[BIESLU][-_].+")
_FEWEST = 8  # lists whose lengths vary if no two annotators' numbers of labels would
_YES = ("1", "1.0", "true", "True", "TRUE")


@dataclass(frozen=True, slots=True)
class _Lists:
    """Lists in records, one within the other.

    paths   of each list from the record, or from an element of the list around it
    values  the innermost lists
    """

    paths: tuple[tuple[str, ...], ...]
    values: Sequence[Sequence[_Value]]

    def rows(self, item: str) -> str:
        """Return the SELECT of the innermost lists as `list`, with the name of each as `item`."""
        first, *others = (".".join(map(_quoted, path)) for path in self.paths)
        query = f"select {item} as item, {first} as list from source"
        for path in others:
            query = (
                f"select item || '/' || place as item, one.{path} as list from (select item, "
                f"unnest(range(len(list))) + 1 as place, unnest(list) as one from ({query}))"
            )
        return query


def query_of_records(path: Path, *, of_one: bool = False) -> str:
    """Return the query for the answers in lists of JSON records; "" if there are none.

    of_one  whether the file is the work of one annotator, so that elements of lists are items
    """
    found = (value for _, value in islice(iter_objects(path), _RECORDS))
    records = [value for value in found if isinstance(value, dict)]
    lists = [*_lists(records)]
    items = [_item(records, one.paths[0][0]) for one in lists]
    if of_one:
        return next(filter(None, map(_of_elements, lists, items)), "")
    pairs = zip(lists, items, strict=True)
    of_labels = [
        one for one in pairs if _are_labels(one[0]) and not _are_of_tokens(one[0], records)
    ]
    parts = [_of_places(*one, layer=len(of_labels) > 1) for one in of_labels]
    return next(filter(None, map(_of_objects, lists, items)), " union all ".join(parts))


def _item(records: Sequence[Mapping[str, _Value]], field: str) -> str:
    """Return what names the records that have a field: a field that differs, else the number."""
    having = [one for one in records if one.get(field) is not None]
    for name in records[0]:
        values = [one.get(name) for one in having]
        are_names = all(isinstance(one, str | int) for one in values)
        if name.casefold().endswith(_NAMING) and are_names and len({*values}) == len(values):
            return f"{_quoted(name)}::VARCHAR"
    return "row_number() over ()"


def _lists(
    records: Sequence[_Value],
    path: tuple[str, ...] = (),
    around: tuple[tuple[str, ...], ...] = (),
) -> Iterator[_Lists]:
    """Yield the lists in records, those of objects before the lists in them."""
    objects = [one for one in records if isinstance(one, dict)]
    for name in objects[0] if objects and len(path) + len(around) < _DEPTH else ():
        values = [one.get(name) for one in objects]
        own = (*path, name)
        if all(isinstance(one, dict) for one in values):
            yield from _lists(values, own, around)
        elif any(values) and all(one is None or isinstance(one, list) for one in values):
            found = _Lists((*around, own), [one for one in values if isinstance(one, list)])
            yield found
            yield from _lists([one for some in found.values for one in some], (), found.paths)


def _of_objects(lists: _Lists, item: str) -> str:
    """Return the query if each element names an annotator and has a label; else ""."""
    elements = [one for some in lists.values for one in some]
    if not elements or not all(isinstance(one, dict) for one in elements):
        return ""
    names = [*dict.fromkeys(name for one in elements if isinstance(one, dict) for name in one)]
    people = [name for name in names if _is_called(name, "annotator") or is_person_name(name)]
    labels = [name for name in names if _is_called(name, "label") and name not in people]
    if len(people) != 1 or len(labels) != 1:
        return ""
    return (
        f"select item, one.{_quoted(people[0])} as annotator, one.{_quoted(labels[0])} as label "
        f"from (select item, unnest(list) as one from ({lists.rows(item)}))"
    )


def _of_elements(lists: _Lists, item: str) -> str:
    """Return the query if each element is a label of one thing, such as a token; else ""."""
    elements = [one for some in lists.values for one in some]
    label, of_element = "one", ""
    if elements and all(isinstance(one, dict) for one in elements):
        names = {name for one in elements if isinstance(one, dict) for name in one}
        labels = [name for name in names if _is_called(name, "label")]
        label = f"one.{_quoted(labels[0])}" if len(labels) == 1 else ""
        texts = sorted(
            n
            for n in names - {*labels}
            if all(isinstance(e.get(n), str) for e in elements if isinstance(e, dict))
        )  # the same place may have another token in another file
        of_element = "".join(f" || '/' || one.{_quoted(name)}" for name in texts)
        elements = [one.get(labels[0]) for one in elements if label and isinstance(one, dict)]
    repeat = 2 * len({*map(str, elements)}) <= len(elements)
    if not elements or not label or not repeat or any(isinstance(e, dict | list) for e in elements):
        return ""
    if label == "one" and not _is_called(lists.paths[-1][-1].removesuffix("s"), "label"):
        return ""
    return (
        f"select item || '/' || place{of_element} as item, {label}::VARCHAR as label "
        "from (select item, unnest(range(len(list))) + 1 as place, unnest(list) as one "
        f"from ({lists.rows(item)}))"
    )


def _are_of_tokens(lists: _Lists, records: Sequence[Mapping[str, _Value]]) -> bool:
    """Whether a list has a label for each word of a text, or tags such as `B-PER` and `O`."""
    values = {one for some in lists.values for one in some if isinstance(one, str)}
    if "O" in values and all(one == "O" or _TAG.fullmatch(one) for one in values):
        return True
    if len(lists.paths) > 1 or len(lists.values) < len(records):
        return False
    counts = [{len(one.split()) for one in r.values() if isinstance(one, str)} for r in records]
    lengths = [len(some) for some in lists.values]
    of_words = sum(n in own for n, own in zip(lengths, counts, strict=False) if n > 2)
    vary = len({*lengths}) > len(lengths) / 2 and len(lengths) >= _FEWEST
    return vary or 2 * of_words > len(lengths)


def _are_labels(lists: _Lists) -> bool:
    """Whether lists have a label of each annotator: called so, and no sets, as values recur."""
    name = lists.paths[-1][-1].casefold()
    last = name.removesuffix("s").rpartition("_")[2]
    if not name.endswith("s") or not _is_called(last, "label"):
        return False
    scalar = all(isinstance(one, str | int | float) for some in lists.values for one in some)
    lengths = [len(some) for some in lists.values]
    recurring = [some for some in lists.values if len({*some}) < len(some)] if scalar else []
    return min(lengths) > 1 and 2 * len(recurring) > len(lengths)


def _of_places(lists: _Lists, item: str, *, layer: bool) -> str:
    named = f"'{lists.paths[-1][-1]}' as layer, " if layer else ""
    return (
        f"select item, {named}unnest(range(len(list))) + 1 as annotator, "
        f"unnest(list)::VARCHAR as label from ({lists.rows(item)})"
    )


def query_of_categories(item: Sequence[str], annotator: str, categories: Sequence[str]) -> str:
    """Return the query for columns of 0 and 1: the label is the set of those that have 1."""
    names = " || '/' || ".join(map(_quoted, item))
    columns = ", ".join(map(_quoted, categories))
    marks = ", ".join(f"'{one}'" for one in _YES)
    return (
        f"select item, annotator, coalesce(list(name) filter (value in ({marks})), []) as label "
        f"from (unpivot (select row_number() over () as row, {names} as item, "
        f"{_quoted(annotator)} as annotator, {columns} from source) on {columns} into name name "
        "value value) group by row, item, annotator order by row"
    )


def _is_called(name: str, role: str) -> bool:
    return name.casefold() == role or ALTERNATIVE_NAMES[role].fullmatch(name) is not None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
