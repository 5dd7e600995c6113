"""One sentence that says what a table was understood to be."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...data.readers.tables.description import TableDescription
from ...data.readers.tables.layout import Layout
from ...reports.language import Language

_MOST_NAMES, _MOST_CATEGORIES = 6, 20


def table_sentence(one: TableDescription, say: Language) -> str:
    """Return what a table is, what an item is, and whose labels it has.

    For example: `scores.csv: long table; an item is sentence + quality; annotator judge (3);
    label score (1–5, ordered)`.
    """
    parts = [say(f"table_read.{one.layout.value}")]
    if one.layout in (Layout.LONG, Layout.WIDE, Layout.COUNTS):
        names = " + ".join(one.item)
        parts.append(
            say("table_read.item", names=names) if names else say("table_read.row_is_item")
        )
    if one.layout is Layout.WIDE:
        parts.append(say("table_read.annotators", names=_first(one.annotators, say)))
        if one.values:
            parts.append(say("table_read.labels", values=_values(one.values, say)))
    else:
        if one.annotator:
            n = f" ({len(one.annotators)})" if one.annotators else ""
            parts.append(say("table_read.annotator", name=one.annotator + n))
        if one.label:
            values = f" ({_values(one.values, say)})" if one.values else ""
            parts.append(say("table_read.label", name=one.label + values))
    parts += [say(f"table_read.further.{what}", name=name) for what, name in one.more]
    return say("table_read.sentence", source=one.source, parts="; ".join(parts))


def _first(names: Sequence[str], say: Language) -> str:
    shown = ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
    return f"{shown} ({say.integer(len(names))})"


def _values(values: Sequence[str], say: Language) -> str:
    numbers = _numbers(values)
    if numbers:
        bounds = {
            "least": values[numbers.index(min(numbers))],
            "most": values[numbers.index(max(numbers))],
        }
        few = len(values) <= _MOST_CATEGORIES and all(one == round(one) for one in numbers)
        return say("table_read.scale" if few else "table_read.numbers", **bounds)
    if len(values) <= _MOST_NAMES:
        return ", ".join(sorted(values))
    return say.counted("category", len(values))


def _numbers(values: Sequence[str]) -> list[float]:
    try:
        found = [float(one) for one in values]
    except ValueError:
        return []
    return found if len(found) > 1 and all(map(math.isfinite, found)) else []
