"""Options that several commands have."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from ...data.schema import Role
    from ..quick.labels import Reading

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
Option = Annotated[
    list[str] | None,
    typer.Option(help="An option of the format, KEY=VALUE; may be repeated (`accordeur formats`)."),
]
Tagset = Annotated[
    str, typer.Option(help="The categories, separated by commas, in the scale's order.")
]


Roles = Annotated[
    list[str] | None,
    typer.Option(
        "--role",
        help="An annotator's role, NAME=human, system or reference; may be repeated. Agreement "
        "takes humans only.",
    ),
]
Strict = Annotated[
    bool,
    typer.Option("--strict", help="Refuse the export for a row that cannot be measured."),
]
Format = Annotated[str, typer.Option(help="The format of what is read (`accordeur formats`).")]
ItemColumn = Annotated[str, typer.Option("--item", help="The table's name of the column item.")]
AnnotatorColumn = Annotated[str, typer.Option("--annotator", help="… of the column annotator.")]
LabelColumn = Annotated[str, typer.Option("--label", help="… of the column label.")]
DocumentColumn = Annotated[str, typer.Option("--document", help="… of the column document.")]
Wide = Annotated[
    bool, typer.Option("--wide", help="A row an item: each other column is an annotator's.")
]
Count = Annotated[
    str, typer.Option(help="Column of a wide table: how many items have the row's labels.")
]
Layer = Annotated[str | None, typer.Option(help="Layer to measure, of several.")]
Seed = Annotated[int, typer.Option(help="Seed of every sample.")]
Replicates = Annotated[int, typer.Option(min=0, help="Bootstrap replicates; 0: no interval.")]


class Distance(StrEnum):
    nominal = "nominal"
    ordinal = "ordinal"
    interval = "interval"
    ratio = "ratio"
    jaccard = "jaccard"
    masi = "masi"
    passonneau2004 = "passonneau2004"


class Position(StrEnum):
    positional = "positional"
    sporadic = "sporadic"
    hamming = "hamming"


PositionOption = Annotated[
    Position | None,
    typer.Option(
        "--position",
        help="How positions are compared: positional (2015), sporadic or hamming (2011).",
    ),
]


class UnitDistance(StrEnum):
    nominal = "nominal"
    ordinal = "ordinal"
    interval = "interval"


UnitDistanceOption = Annotated[
    UnitDistance,
    typer.Option("--distance", help="Between categories: ordinal by rank, interval by number."),
]
Alpha = Annotated[float, typer.Option(min=0, help="Weight of position.")]
Beta = Annotated[float, typer.Option(min=0, help="Weight of category.")]
DeltaEmpty = Annotated[
    float | None, typer.Option(help="Δ∅, the cost of the empty unit: 1, or 4 for sporadic.")
]
Processes = Annotated[
    list[str] | None,
    typer.Option(
        "--process",
        help="random1, random2, shuffle or statistical; may be repeated. Default: random2 from "
        "five documents on, else shuffle and statistical.",
    ),
]
Precision = Annotated[float, typer.Option(help="Relative precision of the expected disorder.")]


def split_tagset(given: str) -> tuple[str, ...]:
    """The categories of the option, in its order."""
    return tuple(name.strip() for name in given.split(",") if name.strip())


def numbers_of(given: str, option: str) -> tuple[int, ...]:
    """`2,3,5` or `2-10` as numbers. Raises DataError for what is neither."""
    from ...data.errors import DataError

    found: set[int] = set()
    for part in given.split(","):
        first, dash, last = (text.strip() for text in part.partition("-"))
        if not (first.isdecimal() and (last.isdecimal() if dash else not last)):
            raise DataError(f"{option} {given}: give numbers as 2,3,5 or 2-10")
        found |= set(range(int(first), int(last or first) + 1))
    return tuple(sorted(found))


def of_columns(*, wide: bool = False, **columns: str) -> dict[str, str]:
    """The columns that were named, as options of a table."""
    named = {name: own for name, own in columns.items() if own}
    return {**named, "layout": "wide"} if wide else named


def pairs(texts: list[str] | None) -> dict[str, str]:
    """KEY=VALUE, each. Raises DataError for what is not."""
    from ...data.errors import DataError

    found = {}
    for text in texts or []:
        key, mark, value = text.partition("=")
        if not mark or not key:
            raise DataError(f"--option {text!r}: give KEY=VALUE")
        found[key] = value
    return found


def reading_of(
    format: str,
    options: dict[str, str],
    layer: str | None,
    tagset: str,
    *,
    strict: bool,
    roles: list[str] | None = None,
) -> Reading:
    """How the command's labels are read."""
    from ..quick.labels import Reading

    return Reading(format, options, layer, split_tagset(tagset), strict, roles_given(roles))


def roles_given(texts: list[str] | None) -> dict[str, Role]:
    """NAME=ROLE, each. Raises DataError for what is not."""
    from ...data.errors import DataError
    from ...data.schema import Role

    found = {}
    for text in texts or []:
        name, mark, role = text.rpartition("=")
        if not mark or not name or role.lower() not in list(Role):
            raise DataError(f"--role {text!r}: give NAME=ROLE; the roles are {', '.join(Role)}")
        found[name] = Role(role.lower())
    return found
