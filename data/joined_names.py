"""Names of several columns, and of their values, that are one: items and parts of several parts."""

from __future__ import annotations

from collections.abc import Sequence

JOINT = " + "  # between the names of the columns, and between their values
NO_VALUE = "(missing)"  # the part of the rows without a value


def joined_name(names: Sequence[str]) -> str:
    return JOINT.join(names)


def as_option(name: str, header: Sequence[str]) -> str:
    """Return the columns of a joined one as options name them, or the only one.

    >>> as_option("topic + language", ["topic", "language", "topic + language"])
    'topic,language'
    >>> as_option("topic + language", ["topic + language"])
    'topic + language'
    """
    parts = name.split(JOINT)
    return ",".join(parts) if all(part in header for part in parts) else name


def named_part(value: str, columns: str) -> str:
    """Return the name of the part of a table with this value of the columns of an option.

    >>> named_part("news + ", "topic,language")
    'news + (missing)'
    """
    value = value or JOINT * columns.count(",")
    return JOINT.join(one or NO_VALUE for one in value.split(JOINT))


def split_columns(name: str, values: Sequence[str]) -> dict[str, list[str]]:
    """Return the columns that were joined, or the only one.

    >>> split_columns("topic + language", ["news + fr"])
    {'topic': ['news'], 'language': ['fr']}
    """
    names, rows = name.split(JOINT), [value.split(JOINT) for value in values]
    if any(len(row) != len(names) for row in rows):
        return {name: [*values]}
    return {one: [row[k] for row in rows] for k, one in enumerate(names)}
