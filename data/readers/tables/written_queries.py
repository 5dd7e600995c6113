# ruff: noqa: S608 – the names of columns are quoted, and a query can read the file only
"""Queries for tables and records whose labels no option reaches, written from their structure.

Lists of answers in records (`[{"worker": 3, "answer": "yes"}, …]`, or lists of labels alone), and
columns of 0 and 1, one per category, which are sets of labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .column_names import is_called, listed_columns, names_annotators
from .json_records import JsonRecords, Value, quoted, text_of

_DEPTH = 3  # lists and objects around an answer
_TAG = re.compile(r"[BIESLU][-_].+")
_FEWEST = 8  # lists whose lengths vary if no two annotators' numbers of labels would
_LONGEST_ANSWER = 40  # characters
YES = ("1", "1.0", "true", "True", "TRUE")


@dataclass(frozen=True, slots=True)
class _Lists:
    """Lists in records, one within the other.

    paths   of each list from the record, or from an element of the list around it
    values  the innermost lists
    """

    records: JsonRecords
    paths: tuple[tuple[str, ...], ...]
    values: Sequence[Sequence[Value]]

    def rows(self) -> str:
        """Return the SELECT of the innermost lists as `list`, with the name of each as `item`."""
        first, *others = self.paths
        item = self.records.item(first[0])
        query = f"select {item} as item, ({self.records.field(first)})::JSON[] as list from source"
        for path in others:
            field = " -> ".join(("one", *map(text_of, path)))
            query = (
                f"select item || '/' || place as item, ({field})::JSON[] as list from (select "
                f"item, unnest(range(len(list))) + 1 as place, unnest(list) as one from ({query}))"
            )
        return query

    @property
    def elements(self) -> list[Value]:
        return [one for some in self.values for one in some]

    @property
    def objects(self) -> list[dict[str, Value]]:
        """Return the elements if they are objects; else []."""
        found = self.elements
        objects = [one for one in found if isinstance(one, dict)]
        return objects if len(objects) == len(found) else []


def query_of_records(path: Path, *, of_one: bool = False) -> str:
    """Return the query for the answers in JSON records; "" if there are none.

    of_one  whether the file is the work of one annotator, so that elements of lists are items
    """
    records = JsonRecords.of(path)
    lists = [*_lists(records, records.values)]
    if of_one:
        return next(filter(None, map(_of_elements, lists)), "")
    of_labels = [one for one in lists if _are_labels(one) and not _are_of_tokens(one)]
    parts = [_of_places(one, layer=len(of_labels) > 1) for one in of_labels]
    of_objects = next(filter(None, map(_of_objects, lists)), "")
    return of_objects or " union all ".join(parts) or _of_nested_fields(records)


def sentence_on_records(path: Path) -> str:
    """Say what JSON records have, in which no labels of several annotators were found."""
    records = JsonRecords.of(path)
    if not records.values:
        return ""
    names = [*dict.fromkeys(name for one in records.values for name in one)]
    what = "one object of records, each under its name" if records.are_keyed else "records"
    example = (
        "select key as item, value ->> 'FIELD' as label"
        if records.are_keyed
        else (f"select {quoted(names[0])} as item, ANNOTATOR as annotator, LABEL as label")
    )
    return (
        f"{path.name}: {what} with {listed_columns(names)}; no field, list or object in them names "
        "several annotators of an item: write a query that gives item, annotator and label "
        f"(`--query FILE.sql`), such as `{example} from source`"
    )


def _lists(
    records: JsonRecords,
    values: Sequence[Value],
    path: tuple[str, ...] = (),
    around: tuple[tuple[str, ...], ...] = (),
) -> Iterator[_Lists]:
    """Yield the lists in records, those of objects before the lists in them."""
    objects = [one for one in values if isinstance(one, dict)]
    for name in objects[0] if objects and len(path) + len(around) < _DEPTH else ():
        own = (*path, name)
        inner = [one.get(name) for one in objects]
        if all(isinstance(one, dict) for one in inner):
            yield from _lists(records, inner, own, around)
        elif any(inner) and all(one is None or isinstance(one, list) for one in inner):
            given = [one for one in inner if isinstance(one, list)]
            found = _Lists(records, (*around, own), given)
            yield found
            yield from _lists(records, found.elements, (), found.paths)


def _of_objects(lists: _Lists) -> str:
    """Return the query if each element names an annotator and has a label; else ""."""
    names = [*dict.fromkeys(name for one in lists.objects for name in one)]
    annotators = [*filter(names_annotators, names)]
    labels = [name for name in names if is_called(name, "label") and name not in annotators]
    if len(annotators) != 1 or len(labels) != 1:
        return ""
    label = f"one ->> {text_of(labels[0])}"
    if any(isinstance(one.get(labels[0]), list) for one in lists.objects):
        label = f"(one -> {text_of(labels[0])})::JSON[]"
    return (
        f"select item, one ->> {text_of(annotators[0])} as annotator, {label} as label "
        f"from (select item, unnest(list) as one from ({lists.rows()}))"
    )


def _of_elements(lists: _Lists) -> str:
    """Return the query if each element is a label of one thing, such as a token; else ""."""
    elements: Sequence[Value] = lists.elements
    label, of_element = "one ->> '$'", ""
    is_labelled = is_called(lists.paths[-1][-1].removesuffix("s"), "label")
    if objects := lists.objects:
        names = {name for one in objects for name in one}
        labels = [name for name in names if is_called(name, "label")]
        is_labelled = len(labels) == 1
        label = f"one ->> {text_of(labels[0])}" if is_labelled else ""
        texts = sorted(
            n for n in names - {*labels} if all(isinstance(e.get(n), str) for e in objects)
        )  # the same place may have another token in another file
        of_element = "".join(f" || '/' || (one ->> {text_of(name)})" for name in texts)
        elements = [one.get(labels[0]) for one in objects if is_labelled]
    repeat = 2 * len({*map(str, elements)}) <= len(elements)
    if not elements or not is_labelled or not repeat:
        return ""
    if any(isinstance(e, dict | list) for e in elements):
        return ""
    return (
        f"select item || '/' || place{of_element} as item, {label} as label "
        "from (select item, unnest(range(len(list))) + 1 as place, unnest(list) as one "
        f"from ({lists.rows()}))"
    )


def _of_nested_fields(records: JsonRecords) -> str:
    """Return the query for answers in objects within the records of one annotator each; else "".

    What was judged is the record and the path of the answer; its last part is the question.
    """
    values = records.values
    annotators = [*filter(names_annotators, values[0])] if values else []
    if records.are_keyed or len(annotators) != 1:
        return ""
    things = [name for name in records.naming_fields() if name not in annotators]
    keys = {name: {(one[name], str(one.get(annotators[0]))) for one in values} for name in things}
    things = [name for name in things if len(keys[name]) == len(values)]
    for field in values[0]:
        answers: dict[str, list[str]] = {}
        for one in values:
            for name, answer in _answers(one.get(field)):
                answers.setdefault(name, []).append(answer)
        questions = [
            name
            for name, own in answers.items()
            if 1 < len({*own}) <= len(own) / _FEWEST and max(map(len, own)) <= _LONGEST_ANSWER
        ]
        if things and questions:
            return (
                f"select s.{quoted(things[0])}::VARCHAR || t.path as item, "
                f"s.{quoted(annotators[0])}::VARCHAR as annotator, t.key as layer, "
                f"t.atom ->> '$' as label from source s, json_tree(to_json(s.{quoted(field)})) t "
                f"where t.path <> '$' and t.key in ({', '.join(map(text_of, questions))}) "
                "and t.atom ->> '$' <> ''"
            )
    return ""


def _answers(value: Value, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the names and values of fields in objects within objects."""
    for name, own in value.items() if isinstance(value, dict) else ():
        if depth and isinstance(own, str | int) and own != "":
            yield name, str(own)
        yield from _answers(own, depth + 1)


def _are_of_tokens(lists: _Lists) -> bool:
    """Whether a list has a label for each word of a text, or tags such as `B-PER` and `O`."""
    values = {one for some in lists.values for one in some if isinstance(one, str)}
    if "O" in values and all(one == "O" or _TAG.fullmatch(one) for one in values):
        return True
    records = lists.records.values
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
    if not name.endswith("s") or not is_called(last, "label"):
        return False
    scalar = all(isinstance(one, str | int | float) for some in lists.values for one in some)
    lengths = [len(some) for some in lists.values]
    recurring = [some for some in lists.values if len({*some}) < len(some)] if scalar else []
    return min(lengths) > 1 and 2 * len(recurring) > len(lengths)


def _of_places(lists: _Lists, *, layer: bool) -> str:
    named = f"{text_of(lists.paths[-1][-1])} as layer, " if layer else ""
    return (
        f"select item, {named}unnest(range(len(list))) + 1 as annotator, "
        f"unnest(list) as label from ({lists.rows()})"
    )


def query_of_categories(
    item: Sequence[str], annotator: str, categories: Sequence[str], stem: str, *, one: bool
) -> str:
    """Return the query for columns of 0 and 1: the label is what has 1, or the set of that.

    stem  what is before the categories in the names of the columns
    one   whether each row has one category
    """
    names = " || '/' || ".join(map(quoted, item))
    columns = ", ".join(map(quoted, categories))
    marks = f"filter (value in ({', '.join(map(text_of, YES))}))"
    name = f"substr(name, {len(stem) + 1})" if one and stem else "name"
    label = f"any_value({name}) {marks}" if one else f"coalesce(list(name) {marks}, [])"
    return (
        f"select item, annotator, {label} as label from (unpivot (select "
        f"row_number() over () as row, {names} as item, {quoted(annotator)} as annotator, "
        f"{columns} from source) on {columns} into name name value value) "
        "group by row, item, annotator order by row"
    )


def query_of_sets(
    item: Sequence[str],
    columns: Sequence[str] | Mapping[str, Sequence[str]],
    annotator: str = "",
) -> str:
    """Return the query for columns that hold one label of a set each; empty sets are left out.

    columns    of the rows, or by the annotator whose they are
    annotator  the column that names whose each row is, "" if there is none
    """
    who = quoted(annotator) if annotator else "''"
    of_each = columns if isinstance(columns, Mapping) else {"": columns}
    names = " || '/' || ".join(map(quoted, item))
    parts = (
        f"select {names} as item, {text_of(one) if one else who} as annotator, "
        f"list_filter([{', '.join(map(quoted, own))}], lambda x: x <> '') as given from source"
        for one, own in of_each.items()
    )
    with_annotator = "annotator, " if annotator or "" not in of_each else ""
    return (
        f"select item, {with_annotator}list_sort(list_distinct(given)) as label "
        f"from ({' union all '.join(parts)}) where len(given) > 0"
    )


def query_of_entries(item: Sequence[str], columns: Sequence[str]) -> str:
    """Return the query for two entries of each record (`7--1`, `7--2`), whose fields are layers.

    item  the column of the records, and others that name what is entered
    """
    first, *more = map(quoted, item)
    names = " || '/' || ".join((f"regexp_extract({first}, '^(.+)--[12]$', 1)", *more))
    fields = ", ".join(map(quoted, columns))
    return (
        f"select item, annotator, layer, label from (unpivot (select {names} as item, "
        f"regexp_extract({first}, '--([12])$', 1) as annotator, {fields} from source) "
        f"on {fields} into name layer value label) where annotator <> '' and label <> ''"
    )


def query_of_places(*item: str) -> str:
    """Return the query for rows of an item whose annotators have no names, only places."""
    names = ", ".join(map(quoted, item))
    return (
        f"select *, row_number() over (partition by {names} order by row) as annotator "
        "from (select *, row_number() over () as row from source)"
    )


def query_of_pairs(annotator: str, items: Sequence[str], labels: Sequence[str]) -> str:
    """Return the query for rows of an annotator that have several items, each beside its label."""
    lists = (", ".join(map(quoted, own)) for own in (items, labels))
    item, label = (f"unnest([{own}])" for own in lists)
    return f"select {item} as item, {quoted(annotator)} as annotator, {label} as label from source"


def query_of_named_answers(
    item: str, annotators: Sequence[str], labels: Mapping[str, Sequence[str]]
) -> str:
    """Return the query for rows of an item that name several annotators, each beside the labels.

    item    its column, "" if an item is a row
    labels  their columns by layer, in the order of the annotators
    """
    who = f"unnest([{', '.join(map(quoted, annotators))}]) as annotator"
    name = quoted(item) if item else "row_number() over ()"
    parts = []
    for layer, own in labels.items():
        named = f"{text_of(layer)} as layer, " if len(labels) > 1 else ""
        given = f"unnest([{', '.join(map(quoted, own))}]) as label"
        parts.append(f"select {name} as item, {who}, {named}{given} from source")
    return f"select * from ({' union all '.join(parts)}) where annotator <> '' and label <> ''"


def query_of_relations(
    head: Sequence[str], tail: Sequence[str], document: str, annotator: str, category: str
) -> str:
    """Return the query for a table of relations: a label for each pair of ends in a document.

    head, tail          the column of an end, or those of its bounds
    document, category  "" if there is none
    """
    first, last = (f"concat_ws('–', {', '.join(map(quoted, own))})" for own in (head, tail))
    home = quoted(document) if document else "'1'"
    given = quoted(category) if category else "''"
    label = f"coalesce(nullif({given}, ''), '(relation)')"
    return (
        f"with r as (select row_number() over () as row, {home} as document, "
        f"{quoted(annotator)} as annotator, {first} as head, {last} as tail, {label} as label "
        "from source), e as (select document, head as place from r union "
        "select document, tail from r) "
        "select document, a.place || ' → ' || b.place as item, w.annotator, "
        "coalesce(r.label, '(none)') as label from e a join e b using (document) "
        "join (select distinct document, annotator from r) w using (document) "
        "left join r on r.document = document and r.annotator = w.annotator "
        "and r.head = a.place and r.tail = b.place where a.place <> '' and b.place <> '' "
        "and (a.place <> b.place or exists (from r where head = tail and head <> '')) "
        "order by document, item, w.annotator, row"
    )
