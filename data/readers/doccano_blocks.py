"""Lines of doccano that hold plain spans, `[start, end, category]` in one list, to blocks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..blocks import Rows, block
from ..schema import Role, State
from .base import SourceOptions
from .common.columns import numbered, repeated, whole_spans
from .common.files.json_stream import JsonObject
from .common.records.steps import text_document
from .common.records.unit_maker import name
from .common.spans import Problem

_OTHER_LISTS = frozenset({"entities", "cats", "annotations"})


def plain_lines(
    lines: Sequence[tuple[str, JsonObject | Problem]],
    source: str,
    annotator: str,
    options: SourceOptions,
) -> list[Rows] | None:
    """The rows of the lines, or None when one of them has more than a text with plain spans."""
    rows: list[Rows] = []
    names: list[str] = []
    keys: list[str] = []
    lists: list[list[Any]] = []
    lengths: list[int] = []
    for _, line in lines:
        if isinstance(line, Problem) or not _OTHER_LISTS.isdisjoint(line):
            return None
        text, key = line.get("text"), "label" if "label" in line else "labels"
        entries = line.get(key)
        if (
            not isinstance(line.get("relations", []), list)
            or type(text) is not str
            or type(entries) is not list
            or ("label" in line and "labels" in line)
        ):
            return None
        document = text_document(name(line.get("id")), text, source, options)
        document.document = document.document or document.sha256[:16]
        rows.append(document)
        names.append(document.document)
        keys.append(key)
        lists.append(entries)
        lengths.append(document.length)
    counts = np.fromiter(map(len, lists), np.int64, len(lists))
    lines_of = np.array(lengths, dtype=np.int64)
    spans = whole_spans(list(chain.from_iterable(lists)), np.repeat(lines_of, counts))
    if spans is None:
        return None
    start, end, categories = spans
    done = State.FINISHED_EMPTY if options.extra.get("empty") == "finished" else State.UNFINISHED
    states = [(State.FINISHED if entries else done) for entries in lists]
    who = {"annotator": annotator, "source": source}
    rows.append(
        block(
            "assignments",
            len(lists),
            {
                **who,
                "document": pa.array(names),
                "role": options.role or Role.HUMAN,
                "state": pa.array(states, pa.string()),
            },
        )
    )
    if len(start):
        wheres = repeated([where for where, _ in lines], counts)
        numbers = [
            where.rpartition(" ")[2] + ":" + key
            for (where, _), key in zip(lines, keys, strict=True)
        ]
        found = {
            **who,
            "document": repeated(names, counts),
            "unit": pc.binary_join_element_wise(repeated(numbers, counts), numbered(counts), ""),
            "start": start,
            "end": end,
            "category": pa.array(categories),
            "source_offsets": pc.binary_join_element_wise(
                pc.cast(start, pa.string()), pc.cast(end, pa.string()), " "
            ),
            "where": wheres,
        }
        rows.append(block("units", len(start), found))
    return rows
