"""Trim blanks and punctuation at the edges of units, by the text of their document.

Annotation tools differ in whether the blank after a word or its full stop is selected with it. The
bounds move inwards over characters that are white space, control or punctuation (Unicode Z, C and
P). A unit of such characters alone, a unit with fragments, and a unit beyond its document's text
stay as exported, and so do all units of a document without a text.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import NamedTuple

import pyarrow as pa

from ..arrow_columns import column


class Trimmed(NamedTuple):
    """The table `units`, and how many of its rows were trimmed, or have no text."""

    units: pa.Table
    n_trimmed: int
    n_without_text: int


def trim_units(units: pa.Table, documents: pa.Table) -> Trimmed:
    """Trim the units of a shard.

    documents  the rows of the shard's documents in reading order; the first text of each is used
    """
    texts: dict[str, str] = {}
    names = (documents[name].to_pylist() for name in ("document", "text", "offset_unit"))
    for document, text, offset_unit in zip(*names, strict=True):
        if text is not None and offset_unit == "char":
            texts.setdefault(document, text)
    starts, ends, surfaces = (
        units[name].to_pylist() for name in ("start_offset", "end_offset", "surface")
    )
    homes, fragments = units["document"].to_pylist(), units["fragments"].to_pylist()
    n_trimmed = n_without_text = 0
    for u, home in enumerate(homes):
        if home not in texts:
            n_without_text += 1
            continue
        if fragments[u]:
            continue
        start, end = _inner(texts[home], starts[u], ends[u])
        if (start, end) == (starts[u], ends[u]):
            continue
        n_trimmed += 1
        if surfaces[u] is not None and len(surfaces[u]) == ends[u] - starts[u]:
            surfaces[u] = surfaces[u][start - starts[u] : end - starts[u]]
        starts[u], ends[u] = start, end
    for name, values in (("start_offset", starts), ("end_offset", ends), ("surface", surfaces)):
        at = units.column_names.index(name)
        units = units.set_column(at, units.schema.field(at), column(values, units.schema.types[at]))
    return Trimmed(units, n_trimmed, n_without_text)


def _inner(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds without blanks and punctuation at the edges, if anything is left."""
    if not 0 <= start < end <= len(text):
        return start, end
    first, last = start, end
    while first < last and _is_edge(text[first]):
        first += 1
    while last > first and _is_edge(text[last - 1]):
        last -= 1
    return (first, last) if first < last else (start, end)


@lru_cache(maxsize=4096)
def _is_edge(character: str) -> bool:
    return character.isspace() or unicodedata.category(character)[0] in "ZCP"
