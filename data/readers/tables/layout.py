"""Determine the meaning of a table's columns: long labels, wide labels, units, relations."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from itertools import accumulate

from ...errors import DataError
from ...option_names import format_options, option, table_options

PEOPLE = ("rater", "coder", "judge", "observer", "worker", "user", "person", "subject")
VALUES = ("rating", "code", "response", "answer", "value", "category", "class", "score", "vote")
_THINGS = (
    *("item", "task", "question", "instance", "example", "case", "post", "tweet", "sentence"),
    *("hit", "_unit"),  # of Mechanical Turk and Figure Eight
)
_LIKE = {  # alternative names for the columns of long tables
    "item": re.compile(
        rf"({'|'.join(_THINGS)})?[ _.-]?(id|nr|no|number|name)?|(input|question):\w+", re.I
    ),
    "annotator": re.compile(
        rf"[\W_]?(\w+[ _.:-])?({'|'.join(PEOPLE)})s?([ _.-]?(ids?|nr|no|number|name))?", re.I
    ),
    "label": re.compile(
        rf"({'|'.join(VALUES)}|judge?ment|tag|sentiment)s?|(answer\.|output:).+", re.I
    ),
}
_BARE = re.compile(r"[\W_]?(id|nr|no|number|name)", re.I)  # may be of anything
_NUMBER = re.compile(r"[-+]?[0-9][0-9.,:]*")


COLUMNS = (
    "item",
    "annotator",
    "label",
    "document",
    "layer",
    "pass",
    "role",
    "start",
    "end",
    "category",
    "unit",
    "fragments",
    "surface",
    "relation",
    "from_unit",
    "to_unit",
)
# as in tables of the store
OWN_NAMES = {"label": "labels", "start": "start_offset", "end": "end_offset"}
MOST_NAMED, _LONGEST_LIST = 12, 80  # columns in a hint, and their characters
COUNT = "count"  # never taken by its name: it may be an annotator's
LENGTH = "length"  # only where the values are the documents' lengths: it may be the unit's
_ANNOTATOR_LIKE = re.compile(r"(annotator|rater|coder|judge|observer|worker)[ _.-]?\w{1,3}", re.I)

_COUNT_LIKE = re.compile(
    r"n|nb|num|obs|cases|effectifs?|((n|num|number|no)[ _.-]?(of[ _.-]?)?)?"
    r"(counts?|freqs?|frequency|items)",
    re.I,
)

# next to an item column these are renamed columns of a long table, not annotators
_LONG_TABLE_WORDS = {
    *(*PEOPLE, *VALUES, "judgment", "judgement", "tag", "gold", "truth", "text"),
    *("comment", "comments", "note", "notes", "remark", "remarks", "date", "time", "timestamp"),
}


class Layout(StrEnum):
    LONG = "long"  # one row per label
    WIDE = "wide"  # one row per item, one column per annotator
    UNITS = "units"  # one row per unit
    RELATIONS = "relations"  # one row per relation between two units
    TRANSPOSED = "transposed"  # one row per annotator, one column per item
    COUNTS = "counts"  # one row per item, one column per category: how many annotators chose it


REQUIRED: Mapping[Layout, tuple[str, ...]] = {
    Layout.LONG: ("item", "annotator", "label"),
    Layout.UNITS: ("annotator", "start", "end"),
    Layout.RELATIONS: ("annotator", "from_unit", "to_unit"),
    Layout.WIDE: (),
    Layout.TRANSPOSED: (),
    Layout.COUNTS: (),
}


USED: Mapping[Layout, tuple[str, ...]] = {
    Layout.LONG: ("item", "annotator", "label", "document", "layer", "pass", "role"),
    Layout.WIDE: ("item", "document", "layer", "pass", COUNT),
    Layout.UNITS: (
        *("annotator", "document", "layer", "pass", "role", "start", "end", "category", "unit"),
        *("fragments", "surface", LENGTH),
    ),
    Layout.RELATIONS: (
        *("annotator", "document", "layer", "pass", "role", "relation", "from_unit", "to_unit"),
        "category",
    ),
    Layout.TRANSPOSED: ("annotator", "document", "layer", "pass", "role"),
    Layout.COUNTS: ("item", "document", "layer"),
}


@dataclass(frozen=True, slots=True)
class Columns:
    """`at` is the position of each used column.

    annotators  (position, name) of the annotators' columns of a wide table
    ignored     the names of the columns that are not used
    items       (position, name) of the items' columns of a transposed table
    categories  (position, name) of the categories' columns of a table of counts
    """

    layout: Layout
    at: Mapping[str, int]
    annotators: tuple[tuple[int, str], ...] = ()
    ignored: tuple[str, ...] = ()
    items: tuple[tuple[int, str], ...] = ()
    categories: tuple[tuple[int, str], ...] = ()


def find_columns(
    header: Sequence[str],
    source: str,
    *,
    named: Mapping[str, str] | None = None,
    layout: Layout | None = None,
    known: Collection[str] = (),
    cells: Sequence[Sequence[str]] = (),
) -> Columns:
    """Return the meaning of each column of `header`; `named` maps `item` … to column names.

    An empty name states that the table has no such column, whatever its header contains.

    `known` are columns that the table may lack because their values are given elsewhere; `cells`
    are the columns of its first rows, which show whether the header is one.

    `count`, only if named, is the number of items that a row of a wide table stands for; `length`,
    only if named here, is the length of the row's document in a table of units.

    Without `layout`: long when item, annotator and label exist, units when annotator, start and end
    exist, relations when annotator, from_unit and to_unit exist, wide when item exists without
    annotator and label, or when every column is named like an annotator (`rater1`, `rater2`; the
    rows are then the items).
    Raises DataError with the columns found when no layout matches.
    """
    named = named or {}
    if layout is Layout.TRANSPOSED:
        return _transposed_columns(header, source, named)
    at = _column_positions(header, source, named)
    if layout is None:
        layout = _guess_layout(header, at, known)
    if layout is None:
        closest = _closest_layout(at)
        lacking = [name for name in REQUIRED[closest] if name not in at and name not in known]
        if _is_data(header, at, cells):
            hint = f"If the first line is not a header: {headerless_hint(len(header))}"
        else:
            hint = _wide_table_hint(header) or _naming_hint(header, at, lacking)
        raise DataError(
            f"{source}: missing columns: {', '.join(lacking)} (of {_KINDS[closest]}). Found: "
            f"{_listed(header)}. {hint}"
        )
    missing = [name for name in REQUIRED[layout] if name not in at and name not in known]
    if missing:
        raise DataError(
            f"{source}: a {layout} table needs the column {missing[0]}; found: {_listed(header)}"
        )
    if LENGTH in at and layout is not Layout.UNITS:
        raise DataError(
            f"{source}: length = {header[at[LENGTH]]!r} gives the length of documents of units, "
            f"but this is a {layout} table: remove it"
        )
    if layout is not Layout.WIDE:
        if COUNT in at:
            raise DataError(
                f"{source}: count = {header[at[COUNT]]!r}, but only a wide table has rows that "
                f"stand for several items, and this is a {layout} table: remove it"
            )
        kept = {name: at[name] for name in USED[layout] if name in at}
        used = set(kept.values())
        if layout is Layout.COUNTS:
            others = tuple((k, name) for k, name in enumerate(header) if k not in used)
            return Columns(layout, kept, categories=others)
        return Columns(
            layout, kept, ignored=tuple(n for k, n in enumerate(header) if n and k not in used)
        )
    kept = {name: at[name] for name in USED[Layout.WIDE] if name in at}
    role = at.get("role")
    used = {*kept.values(), *([] if role is None else [role])}
    people = tuple((k, name) for k, name in enumerate(header) if k not in used and name)
    if len(people) < 1:
        raise DataError(f"{source}: no annotator column; found: {_listed(header)}")
    return Columns(Layout.WIDE, kept, people, () if role is None else (header[role],))


def _transposed_columns(header: Sequence[str], source: str, named: Mapping[str, str]) -> Columns:
    """Return the columns of a table with one row per annotator; `item` may list the items'."""
    patterns = [one.strip() for one in named.get("item", "*").split(",")]
    others = {name: own for name, own in named.items() if name not in ("item", COUNT, LENGTH)}
    at = _column_positions(header, source, others)
    kept = {name: at[name] for name in USED[Layout.TRANSPOSED] if name in at}
    if "annotator" not in kept and "annotator" not in named:
        first = header[0].strip() if header else ""
        if not first or _LIKE["annotator"].fullmatch(first):
            kept["annotator"] = 0
    free = [(k, name) for k, name in enumerate(header) if name and k not in kept.values()]
    items = tuple(one for one in free if any(fnmatchcase(one[1], pattern) for pattern in patterns))
    if not items:
        raise DataError(
            f"{source}: item = {named.get('item', '')!r} names no column with an item; found: "
            f"{_listed(header)}"
        )
    ignored = tuple(name for k, name in free if (k, name) not in items)
    return Columns(Layout.TRANSPOSED, kept, items=items, ignored=ignored)


def _column_positions(
    header: Sequence[str], source: str, named: Mapping[str, str]
) -> dict[str, int]:
    lowered = [name.strip().casefold() for name in header]
    at = {
        name: lowered.index(written)
        for name in COLUMNS
        for written in (OWN_NAMES.get(name, name), name)
        if written in lowered
    }
    for name, own in named.items():
        if not own:
            at.pop(name, None)
            continue
        if own not in header:
            raise DataError(f"{source}: {name} = {own!r}, but the columns are {_listed(header)}")
        at[name] = list(header).index(own)
    return at


def _guess_layout(
    header: Sequence[str], at: Mapping[str, int], known: Collection[str]
) -> Layout | None:
    for layout in (Layout.LONG, Layout.UNITS, Layout.RELATIONS):
        if all(name in at or name in known for name in REQUIRED[layout]):
            return layout
    others = [
        name
        for k, name in enumerate(header)
        if name.strip().casefold() not in (*COLUMNS, *OWN_NAMES.values()) and k != at.get(COUNT)
    ]
    lone = not at.keys() & {"annotator", "label", "start", "end"}
    words = {name.strip().casefold() for name in others}
    if "item" in at and lone and len(others) > 1 and not words & _LONG_TABLE_WORDS:
        return Layout.WIDE
    if len(others) > 1 and all(map(is_annotator_name, others)):
        return Layout.WIDE if lone else None
    return None


_KINDS = {Layout.LONG: "labels", Layout.UNITS: "units", Layout.RELATIONS: "relations"}


def _closest_layout(at: Mapping[str, int]) -> Layout:
    """Return the layout that a table with missing columns is closest to."""
    if at.keys() & {"start", "end"}:
        return Layout.UNITS
    return Layout.RELATIONS if at.keys() & {"from_unit", "to_unit"} else Layout.LONG


def is_annotator_name(column: str) -> bool:
    """Whether a column has a name such as `rater1`."""
    return _ANNOTATOR_LIKE.fullmatch(column.strip()) is not None


def is_no_annotator_name(column: str) -> bool:
    """Whether a column's name is not an annotator's: `item`, `worker`, `text` and others."""
    name = column.strip().casefold()
    taken = name in _LONG_TABLE_WORDS or name in COLUMNS or name in OWN_NAMES.values()
    return taken or any(like.fullmatch(name) for like in (_LIKE["item"], _LIKE["label"]))


def is_count_name(column: str) -> bool:
    """Whether a column has a name such as `n` or `frequency`."""
    return _COUNT_LIKE.fullmatch(column.strip()) is not None


def _wide_table_hint(header: Sequence[str]) -> str:
    """Of a column an annotator and one of another kind: the items, or how many a row stands for."""
    others = [name for name in header if not is_annotator_name(name)]
    if len(others) != 1 or len(header) < 3:
        return ""
    is_count = is_count_name(others[0])
    role, meaning = ("count", "is how many") if is_count else ("item", "names the")
    row = " a row stands for" if is_count else ""
    return f"If {others[0]} {meaning} items{row}, use `{option(role, shlex.quote(others[0]))}`"


def headerless_hint(n_columns: int, layout: Layout | None = None) -> str:
    """Return the options for a table without a header."""
    if layout in (Layout.WIDE, Layout.TRANSPOSED):
        return f"`{format_options(header='no')}`"
    wide = f"`{format_options(header='no', layout='wide')}`"
    if n_columns == 2:
        nameless = format_options(columns="item,label", file="annotator")
        return (
            f"{wide} for two annotators' labels, `{nameless}` for one annotator's items and labels"
        )
    numbered = f"{wide} if each column is one annotator's labels"
    if not 3 <= n_columns <= MOST_NAMED:
        return numbered
    names = ["item", "annotator", "label", *(f"column{k}" for k in range(4, n_columns + 1))]
    return (
        f"{numbered}, else `{format_options(columns=','.join(names))}` with its columns in their "
        "own order (of units: annotator, category, start, end)"
    )


def _is_data(header: Sequence[str], at: Mapping[str, int], cells: Sequence[Sequence[str]]) -> bool:
    """Whether the first line seems to be data: a number, or a value of the column below it."""
    if len(header) < 2:
        return False
    repeated = any(name and name in column for name, column in zip(header, cells, strict=False))
    return (repeated and not at) or any(_NUMBER.fullmatch(name.strip()) for name in header)


def _naming_hint(header: Sequence[str], at: Mapping[str, int], lacking: Sequence[str]) -> str:
    """Return advice for naming missing columns, with the header's own names where suitable.

    at  the recognised columns
    """
    if len(header) == 1:
        return (
            "The first line has one cell: if it is a title, delete the lines above the header; if "
            f"the columns are separated by another sign, name it "
            f"(`{format_options(delimiter='tab')}`)"
        )
    if list(lacking) == ["annotator"]:
        return (
            f"Name the column (`{format_options(annotator='COLUMN')}`), or use "
            f"`{format_options(file='annotator')}` if each file is the work of one annotator"
        )
    of_labels = set(lacking) <= _LIKE.keys()
    known = _like_columns(header, at, lacking) if of_labels else {}
    rest = _joined(f"`{option(name)}`" for name in lacking if name not in known)
    if not of_labels:
        return f"Rename them, or name their columns: the options {_joined(lacking)} of the format"
    others = f"name the columns of the others with {rest}"
    named = {*at, *known}
    if known and ("label" in named or {"item", "annotator"} <= named):
        use = f"Rename them, or use {_typed(known)}"
        return f"{use}; {others}" if rest else use
    if "label" in at:
        return f"Rename them, or {others}"
    if "annotator" in named:
        who = (
            f" {option('annotator', shlex.quote(known['annotator']))}"
            if "annotator" in known
            else ""
        )
        return (
            "If every row is an annotator and each other column an item, use "
            f"`{format_options(layout='transposed')}{who}`; else {others} (units: the options "
            "`start` and `end`)"
        )
    wide = {"wide": ""} | {name: own for name, own in known.items() if name == "item"}
    return (
        f"Use `{table_options(**wide)}` if every column except the item is one annotator's labels, "
        f"else name their columns with {rest} (units: the options `start` and `end`)"
    )


def long_table_hint(header: Sequence[str], *, wide: bool) -> str:
    """Return advice for reading a table as one row per label, with its own names where suitable.

    wide  whether an option says that the table is a wide one
    """
    at = _column_positions(header, "", {})
    lacking = [name for name in REQUIRED[Layout.LONG] if name not in at]
    known = _like_columns(header, at, lacking)
    rest = _joined(f"`{option(name)}`" for name in lacking if name not in known)
    advice = [f"use {_typed(known)}"] if known else []
    if rest:
        advice.append(f"name {'the columns of the others' if known else 'its columns'} with {rest}")
    text = "; ".join(advice)
    return f"Without `{option('wide')}`, {text}" if wide else text[:1].upper() + text[1:]


def _like_columns(
    header: Sequence[str], at: Mapping[str, int], lacking: Sequence[str]
) -> dict[str, str]:
    """Return the column of the header for each lacking one: the only one that is called so.

    Beside columns that were found by their names, one lacking column is the only one that is left.
    """
    free = [name for k, name in enumerate(header) if name and k not in at.values()]
    found = {}
    for name in lacking:
        like = [own for own in free if _LIKE[name].fullmatch(own.strip())]
        like = [own for own in like if not _BARE.fullmatch(own.strip())] or like
        if len(like) == 1:
            found[name] = like[0]
    unlike = [name for name in lacking if name not in found]
    others = [own for own in free if own not in found.values()]
    if found and len(unlike) == len(others) == 1:
        found[unlike[0]] = others[0]
    return found


def _typed(known: Mapping[str, str]) -> str:
    return f"`{table_options(**known)}`"


def _joined(names: Iterable[str]) -> str:
    *first, last = [*names] or [""]
    return f"{', '.join(first)} and {last}" if first else last


def _listed(header: Sequence[str]) -> str:
    """List the first names of a header, as many as a sentence has room for."""
    lengths = accumulate(len(name) + 2 for name in header[:MOST_NAMED])
    n_named = max(1, sum(length <= _LONGEST_LIST for length in lengths))
    return ", ".join(header[:n_named]) + (", …" if len(header) > n_named else "")
