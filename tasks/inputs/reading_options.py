"""Options for reading exports of labels and of units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Annotated, TypeAlias

from ...data.errors import DataError
from ...data.whole_numbers import without_decimals
from ...metrics.options import Option

if TYPE_CHECKING:
    from ...data.readers.tables.known_shapes import Shape
    from ...data.schema import Role
else:
    # aliases, as the modules import pyarrow, which the help of a command does not need
    Role, Shape = str, object

QUEUE: TypeAlias = Annotated[
    str | None,
    Option(
        "Queue of `accordeur next` (Parquet, or the folder of its rounds): what it chose as "
        "informative is excluded."
    ),
]


def parse_categories(given: str) -> tuple[str, ...]:
    """Parse the categories of the option, in its order, as labels are read."""
    return tuple(without_decimals(name.strip()) for name in given.split(",") if name.strip())


def parse_pairs(texts: Sequence[str] | None) -> dict[str, str]:
    """Parse KEY=VALUE pairs. Raises DataError for anything else."""
    found: dict[str, str] = {}
    for text in texts or ():
        key, mark, value = text.partition("=")
        if not mark or not key:
            raise DataError(f"--option {text!r}: give KEY=VALUE")
        if key in found:
            raise DataError(
                f"--option {key} is given twice ({found[key]}, {value}): give it once, with commas "
                "where it lists several"
            )
        found[key] = value
    return found


def parse_roles(texts: Sequence[str]) -> dict[str, Role]:
    """Parse NAME=ROLE pairs. Raises DataError for anything else."""
    from ...data.schema import Role

    found = {}
    for text in texts:
        name, mark, role = text.rpartition("=")
        if not mark or not name or role.lower() not in list(Role):
            raise DataError(f"--role {text!r}: give NAME=ROLE; the roles are {', '.join(Role)}")
        found[name] = Role(role.lower())
    return found


def parse_query(text: str, shapes: Sequence[Shape] = ()) -> str:
    """Return the SELECT that is given, that a file holds, or that reads a known shape of data.

    shapes  those that have names; default: the known shapes of labels and units

    Raises DataError for anything else.
    """
    if not text:
        return ""
    from pathlib import Path

    from ...data.readers.tables.known_shapes import SHAPES
    from ...data.untrusted.documents import read_text

    if text.lstrip().lower().startswith(("select ", "with ", "from ", "unpivot ")):
        return text
    shape = next((one for one in shapes or SHAPES if one.key == text), None)
    if shape is not None and not Path(text).is_file():
        return shape.query
    return read_text(Path(text))


@dataclass(frozen=True)
class Reading:
    """How to read an export: `format` and `options` as listed by `accordeur formats`.

    The query becomes the option `query` of the format table.
    """

    format: Annotated[str, Option("Format of the export (`accordeur formats`).", flag="--from")] = (
        "auto"
    )
    options: Annotated[
        Mapping[str, str],
        Option(
            "An option of the format, KEY=VALUE; may be repeated (`accordeur formats`).",
            flag="--option",
            text=parse_pairs,
        ),
    ] = field(default_factory=dict)
    layer: Annotated[str | None, Option("Layer to measure, if there are several.")] = None
    categories: Annotated[
        tuple[str, ...],
        Option(
            "All categories, separated by commas, in the order of the scale. Default: as found.",
            text=parse_categories,
        ),
    ] = ()
    strict: Annotated[bool, Option("Stop at the first row that cannot be measured.")] = False
    roles: Annotated[
        Mapping[str, Role],
        Option(
            "Role of an annotator, NAME=human, NAME=system, NAME=reference or NAME=audit; may be "
            "repeated. Only humans take part in agreement.",
            flag="--role",
            text=parse_roles,
        ),
    ] = field(default_factory=dict)
    query: Annotated[
        str,
        Option(
            "One SELECT over the export as the table `source`, a file with it, or the name of a "
            "known shape (`accordeur look`): its rows are read instead.",
            text=parse_query,
        ),
    ] = ""

    def __post_init__(self) -> None:
        if self.query:
            object.__setattr__(self, "options", {"query": self.query, **self.options})


@dataclass(frozen=True)
class Columns:
    """Column names of a table of labels or of units."""

    item: Annotated[str, Option("Name of the table's item column.")] = ""
    annotator: Annotated[
        tuple[str, ...],
        Option(
            "Name of the table's annotator column, or of the columns with the labels of each "
            "annotator, separated by commas; may be repeated."
        ),
    ] = ()
    label: Annotated[str, Option("Name of the table's label column.")] = ""
    document: Annotated[str, Option("Name of the table's document column.")] = ""
    start: Annotated[str, Option("Name of the column with the starts of units.")] = ""
    end: Annotated[str, Option("Name of the column with the ends of units.")] = ""
    category: Annotated[str, Option("Name of the column with the categories of units.")] = ""
    wide: Annotated[
        bool, Option("One row per item: every other column holds one annotator's labels.")
    ] = False
    count: Annotated[
        str, Option("Column of a wide table with the number of items that have the row's labels.")
    ] = ""

    @property
    def options(self) -> dict[str, str]:
        """Return the column names as options of the table format."""
        names = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "wide"}
        names["annotator"] = ",".join(self.annotator)
        named = {name: own for name, own in names.items() if own}
        return {**named, "layout": "wide"} if self.wide else named

    def of(self, reading: Reading) -> Reading:
        """Return the reading options with these columns; options of the format take precedence."""
        return replace(reading, options={**self.options, **reading.options})
