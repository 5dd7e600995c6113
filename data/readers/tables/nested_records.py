# ruff: noqa: S608 – the names of columns are quoted, and a query can read the file only
"""Queries that make one table of nested JSON: a row for each of the innermost objects.

Columns are their fields, the fields of all objects around them, the names under which objects are
kept, and the places in lists. What an item, an annotator or a label is, the columns tell as those
of any table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal

from .json_records import JsonRecords, Value, quoted, text_of

_DEPTH = 4  # lists and objects of objects, one in the other
_INNER = 2  # objects around a field
_MOST_TABLES = 4
_VARYING = 1.5  # times as many names as an object has: they name things


@dataclass(frozen=True, slots=True)
class _Step:
    """A list or an object of things, at a path in the thing around it.

    fields  the paths of the plain fields of the thing around it
    """

    kind: Literal["list", "map"]
    path: tuple[str, ...]
    fields: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class NestedRows:
    """The innermost objects of records, each with what is around it, as the rows of one table."""

    records: JsonRecords
    steps: tuple[_Step, ...]
    fields: tuple[tuple[str, ...], ...]

    def query(self, used: Collection[str] | None = None) -> str:
        """Return the SELECT of the rows. `used`: the names of the columns; None for all."""
        names = self._names()
        kept: list[str] = []

        def selected(level: int, paths: Sequence[tuple[str, ...]]) -> str:
            """Return the columns so far, and those of the fields of a level that are used."""
            before = [*map(quoted, kept)]
            own = {names[level, path]: path for path in paths}
            own = {name: path for name, path in own.items() if used is None or name in used}
            kept.extend(own)
            return ", ".join(
                (*before, *(f"{_text_at(level, p)} as {quoted(n)}" for n, p in own.items()))
            )

        def first(name: str) -> str:
            if used is not None and name not in used:
                return ""
            kept.append(name)
            return quoted(name)

        number = "key" if self.records.are_keyed else "row_number() over ()"
        value = "value" if self.records.are_keyed else "to_json(source)"
        name = "" if self.records.name_themselves else first(names[0, None])
        query = f"select {f'{number} as {name}, ' if name else ''}{value} as v0 from source"
        for level, step in enumerate(self.steps):
            columns, field = selected(level, step.fields), _at(level, step.path)
            is_last = step is self.steps[-1]  # places in it name nothing
            named = "" if is_last and step.kind == "list" else first(names[level + 1, None])
            own = ""
            if step.kind == "list":
                things, inner = f"({field})::JSON[] as things", "unnest(things)"
                own = f"unnest(range(len(things))) + 1 as {named}" if named else ""
            else:
                entries = f"map_entries(({field})::MAP(VARCHAR, JSON))"
                given = f"list_filter({entries}, lambda one: json_type(one.value) <> 'NULL')"
                things = f"unnest({given}) as things"
                inner = "things.value"
                own = f"things.key as {named}" if named else ""
            some = ", ".join(filter(None, (columns, own, f"{inner} as v{level + 1}")))
            query = f"select {some} from (select *, {things} from ({query}))"
        return f"select {selected(len(self.steps), self.fields)} from ({query})"

    def is_label_of(self, label: str, annotator: str) -> bool:
        """Whether the column of the labels is as far within the records as the annotators'."""
        levels = {name: level for (level, _), name in self._names().items()}
        return levels[label] >= levels[annotator]

    def _names(self) -> dict[tuple[int, tuple[str, ...] | None], str]:
        """Return the names of the columns by level and field, or None for what a step names.

        The innermost ones have the names of the fields.
        """
        levels = [*(step.fields for step in self.steps), self.fields]
        found: dict[tuple[int, tuple[str, ...] | None], str] = {}
        for level in range(len(levels) - 1, -1, -1):
            keys: list[tuple[str, ...] | None] = [*levels[level], None]
            for key in keys:
                if key is not None:
                    name = ".".join(key) or "label"
                elif level:
                    step = self.steps[level - 1]
                    name = step.path[-1] if step.path else "name"
                    name = name if step.kind == "map" else f"{name} nr"
                else:
                    name = "key" if self.records.are_keyed else "record"
                taken = found.values()
                found[level, key] = name if name not in taken else f"{name} of level {level}"
        return found


def nested_rows(path: Path) -> Iterator[NestedRows]:
    """Yield the tables of JSON records that the objects in them make, the fewest steps first."""
    records = JsonRecords.of(path)
    found = [one for one in _walk(records.values, ()) if one[0]]
    found.sort(key=lambda one: len(one[0]))
    for steps, fields in found[:_MOST_TABLES]:
        yield NestedRows(records, steps, fields)


def _walk(
    values: Sequence[Value], steps: tuple[_Step, ...]
) -> Iterator[tuple[tuple[_Step, ...], tuple[tuple[str, ...], ...]]]:
    """Yield the steps to each kind of innermost things, with the paths of their fields."""
    objects = [one for one in values if isinstance(one, dict)]
    if len(steps) > _DEPTH or not values:
        return
    if not objects:
        if steps and steps[-1].kind == "map" and not any(isinstance(v, list) for v in values):
            yield steps, ((),)
        return
    if _is_map(objects):
        inner = [own for one in objects for own in one.values()]
        yield from _walk(inner, (*steps, _Step("map", (), ())))
        return
    below = {path: some for path, some in _fields(objects) if any(some)}
    plain = tuple(path for path, some in below.items() if not _are_nested(some))
    for path, some in below.items():
        if lists := [one for one in some if isinstance(one, list)]:
            elements = [*chain(*lists)]
            if any(isinstance(one, dict) for one in elements):
                yield from _walk(elements, (*steps, _Step("list", path, plain)))
        elif _are_nested(some):
            inner = [own for one in some if isinstance(one, dict) for own in one.values()]
            yield from _walk(inner, (*steps, _Step("map", path, plain)))
    if plain:
        yield steps, plain


def _fields(
    objects: Sequence[Mapping[str, Value]], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], list[Value]]]:
    """Yield the paths of fields with their values, those in objects with fixed names, too."""
    for name in dict.fromkeys(chain(*objects)):
        some = [one.get(name) for one in objects]
        inner = [one for one in some if isinstance(one, dict)]
        if inner and not _is_map(inner) and len(path) + 1 < _INNER:
            yield from _fields(inner, (*path, name))
        else:
            yield (*path, name), some


def _are_nested(values: Sequence[Value]) -> bool:
    return any(isinstance(one, dict | list) for one in values)


def _is_map(objects: Sequence[Mapping[str, Value]]) -> bool:
    """Whether the names in objects are those of things: objects alike, or names that vary."""
    values = [own for one in objects for own in one.values()]
    if not values:
        return False
    inner = [one for one in values if isinstance(one, dict)]
    if len(inner) == len(values):
        is_within = all(isinstance(own, dict) for one in inner for own in one.values())
        return bool(set.intersection(*map(set, inner))) or (is_within and _is_map(inner))
    names = {name for one in objects for name in one}
    is_plain = not _are_nested(values)
    return is_plain and len(objects) > 1 and len(names) > _VARYING * max(map(len, objects))


def _text_at(level: int, path: Sequence[str]) -> str:
    return f"{_at(level, path[:-1])} ->> {text_of(path[-1] if path else '$')}"


def _at(level: int, path: Sequence[str]) -> str:
    return " -> ".join((f"v{level}", *map(text_of, path)))
