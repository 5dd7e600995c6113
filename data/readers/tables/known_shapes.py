"""Public shapes of annotated data that no option of a reader reaches, each with its query.

`accordeur look` names a shape, and `--query KEY` reads it. A pattern lists what the first record
has: columns of a table (with *), or paths in it such as `a[].b`, of which `[]` is any element.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of data.

    key      its name as a value of `--query`
    name     its name for people
    form     what the file is: a table, records of JSON, one JSON object of records, or one JSON
             object that is a log
    pattern  what the first row or record has; of a log, texts of its beginning
    query    one SELECT over the table `source`; its columns are those of labels or units
    kind     what the query gives
    note     what a reader must know about the result, "" if nothing
    holds    a text that the beginning of a table contains
    """

    key: str
    name: str
    form: Literal["table", "records", "map", "log", "lines"]
    pattern: tuple[str, ...]
    query: str
    kind: Literal["labels", "units", "preferences"] = "labels"
    note: str = ""
    holds: str = ""


def shapes_of(path: Path) -> tuple[Shape, ...]:
    """Return the shapes of a TOML file; a note that `notes` has is the text there."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    notes = content.get("notes", {})
    return tuple(
        Shape(
            **{
                **one,
                "pattern": tuple(one["pattern"]),
                "note": notes.get(one.get("note", ""), one.get("note", "")),
            }
        )
        for one in content["shape"]
    )


SHAPES = shapes_of(Path(__file__).with_suffix(".toml"))
"""Where several fit, the first is meant."""
UNNAMED = next(one.note for one in SHAPES if one.key == "snli")
