"""The first records of a JSON file, as queries see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from ..common.files.json_stream import iter_entries
from .first_records import first_records

Value: TypeAlias = object
_RECORDS = 50  # that are looked at
_NAMING = ("id", "txt", "file", "filename", "doc", "document", "key", "name")


@dataclass(frozen=True, slots=True)
class JsonRecords:
    """The records of a file that are looked at.

    are_keyed  whether the file is one object of them, each under its name
    """

    values: Sequence[Mapping[str, Value]]
    are_keyed: bool

    @staticmethod
    def of(path: Path) -> JsonRecords:
        entries = [*islice(iter_entries(path), _RECORDS)] if path.suffix.lower() == ".json" else []
        if entries:
            return JsonRecords(entries, are_keyed=True)
        return JsonRecords(first_records(path, _RECORDS), are_keyed=False)

    def field(self, path: Sequence[str]) -> str:
        """Return the expression of a field, as JSON."""
        first, *rest = path
        begin = f"value -> {text_of(first)}" if self.are_keyed else f"to_json({quoted(first)})"
        return " -> ".join((begin, *map(text_of, rest)))

    def item(self, field: str) -> str:
        """Return what names the records that have a field: one that differs, else the number."""
        if self.are_keyed:
            return "key"
        having = [one for one in self.values if one.get(field) is not None]
        for name in self.naming_fields():
            if len({one.get(name) for one in having}) == len(having):
                return f"{quoted(name)}::VARCHAR"
        return "row_number() over ()"

    @property
    def name_themselves(self) -> bool:
        """Whether a field that is called like names has another one in each record."""
        some = ({one[name] for one in self.values} for name in self.naming_fields())
        return not self.are_keyed and any(len(names) == len(self.values) for names in some)

    def naming_fields(self) -> list[str]:
        """Return the fields that are called like names of something, and have a name each."""
        return [
            name
            for name in (self.values or [{}])[0]
            if name.casefold().endswith(_NAMING)
            and all(isinstance(one.get(name), str | int) for one in self.values)
        ]


def quoted(name: str) -> str:
    """Return the name of a column as it is written in SQL."""
    return '"' + name.replace('"', '""') + '"'


def text_of(value: str) -> str:
    """Return a text as it is written in SQL."""
    return "'" + value.replace("'", "''") + "'"
