"""Tasks of Label Studio whose annotations are labelled spans of the task's text, to blocks.

Anything else (choices, relations, audio, notes, predictions, what was cancelled, a region that does
not show its text as UTF-16 units) wants the reader of single tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...blocks import Block, Rows, block
from ...label_sets import EMPTY, JOINT, set_name
from ...schema import Role, State
from ..base import SourceOptions
from ..common.columns import repeated
from ..common.files.json_stream import JsonObject
from ..common.files.text import Utf16Offsets
from ..common.records.steps import text_document
from ..common.records.unit_maker import name
from .people import People
from .task import GROUND_TRUTH

_TASK_WANTS_MORE = ("completions", "drafts", "predictions")
_ANNOTATION_WANTS_MORE = (
    "was_cancelled",
    "skipped",
    "aggregated",
    "aggregated_completed_by",
)
_REGION_WANTS_MORE = ("meta", "original_length")
_region = itemgetter("id", "type", "from_name", "value")
_value = itemgetter("start", "end", "text", "labels")


@dataclass(slots=True)
class _Hands:
    """The annotations of some tasks, in their order; `task` counts from 0."""

    task: list[int] = field(default_factory=list)
    document: list[str] = field(default_factory=list)
    annotator: list[str] = field(default_factory=list)
    time: list[str] = field(default_factory=list)
    where: list[str] = field(default_factory=list)
    results: list[list[Any]] = field(default_factory=list)


def plain_tasks(
    tasks: Sequence[tuple[str, str, JsonObject]],
    source: str,
    options: SourceOptions,
    people: People,
) -> list[Rows] | None:
    """The rows of `(where, document, task)`, or None when one of them has more than plain spans."""
    hands = _Hands()
    texts: list[str] = []
    for k, (where, document, task) in enumerate(tasks):
        data, annotations = task.get("data"), task.get("annotations")
        text = data.get("text") if isinstance(data, dict) else None
        if type(text) is not str or type(annotations) is not list:
            return None
        if any(map(task.get, _TASK_WANTS_MORE)):
            return None
        texts.append(text)
        for annotation in annotations:
            if not _is_plain(annotation, options) or not _add(
                hands,
                annotation,
                k,
                document,
                options.annotator or people.name_of(annotation.get("completed_by")),
            ):
                return None
        if len({*hands.annotator[len(hands.where) :]}) < len(annotations):
            return None  # an annotator's second annotation is another pass
        hands.where += [where] * len(annotations)
    units = _units(hands, texts)
    if units is None:
        return None
    names = [document for _, document, _ in tasks]
    rows: list[Rows] = [
        text_document(document, text, source, options)
        for document, text in zip(names, texts, strict=True)
    ]
    if hands.task:
        rows.append(_assignments(hands, source, options))
    if len(units["unit"]):
        rows.append(block("units", len(units["unit"]), units | {"source": source}))
    return rows


def _is_plain(annotation: Any, options: SourceOptions) -> bool:
    if type(annotation) is not dict or any(map(annotation.get, _ANNOTATION_WANTS_MORE)):
        return False
    return not (annotation.get(GROUND_TRUTH) and options.extra.get(GROUND_TRUTH) == "reference")


def _add(hands: _Hands, annotation: JsonObject, task: int, document: str, annotator: str) -> bool:
    """Whether the annotation is one person's list of results, which is then added."""
    results = annotation.get("result")
    if not annotator or type(results) is not list:
        return False
    hands.task.append(task)
    hands.document.append(document)
    hands.annotator.append(annotator)
    hands.time.append(name(annotation.get("updated_at")) or name(annotation.get("created_at")))
    hands.results.append(results)
    return True


def _assignments(hands: _Hands, source: str, options: SourceOptions) -> Block:
    states = [State.FINISHED if found else State.FINISHED_EMPTY for found in hands.results]
    columns = {
        "document": pa.array(hands.document),
        "annotator": pa.array(hands.annotator),
        "role": options.role or Role.HUMAN,
        "state": pa.array(states, pa.string()),
        "source": source,
        "time": pa.array(hands.time),
    }
    return block("assignments", len(states), columns)


def _units(hands: _Hands, texts: list[str]) -> dict[str, Any] | None:
    """The regions' columns; None when one of them is no plain span, or its id stands twice."""
    counts = np.fromiter(map(len, hands.results), np.int64, len(hands.results))
    regions = list(chain.from_iterable(hands.results))
    if not regions:
        return {"unit": pa.array([], pa.string())}
    if {*map(type, regions)} != {dict} or any(map(_wants_more, regions)):
        return None
    try:
        ids, kinds, layers, values = zip(*map(_region, regions), strict=True)
        if {*kinds} != {"labels"} or {*map(type, values)} != {dict} or {*map(len, values)} != {4}:
            return None
        starts, ends, surfaces, labels = zip(*map(_value, values), strict=True)
    except (KeyError, TypeError):
        return None
    if {*map(type, labels)} != {list} or {*map(len, labels)} != {1}:
        return None
    categories: list[str] = list(chain.from_iterable(labels))
    if {*map(type, chain(ids, layers, surfaces, categories))} != {str} or not all(ids):
        return None
    if any(sign in category for category in set(categories) for sign in (JOINT, EMPTY)):
        categories = [set_name([category]) for category in categories]
    hand = np.repeat(np.arange(len(counts)), counts)
    if len({*zip(hand.tolist(), ids, strict=True)}) < len(ids):
        return None
    if {*map(type, chain(starts, ends))} != {int}:
        return None
    task = np.array(hands.task, dtype=np.int64)[hand]
    places = _places(texts, task, starts, ends, surfaces)
    if places is None:
        return None
    stated = (pc.cast(pa.array(bounds), pa.string()) for bounds in (starts, ends))
    return {
        "document": repeated(hands.document, counts),
        "annotator": repeated(hands.annotator, counts),
        "unit": pa.array(ids),
        "start": pa.array(places[0]),
        "end": pa.array(places[1]),
        "category": pa.array(categories),
        "layer": pa.array(layers),
        "source_offsets": pc.binary_join_element_wise(*stated, " "),
        "surface": pa.array(surfaces),
        "where": pa.array(ids),
    }


def _wants_more(region: dict[str, Any]) -> bool:
    return any(key in region for key in _REGION_WANTS_MORE)


def _places(
    texts: list[str],
    task: NDArray[np.int64],
    starts: Sequence[int],
    ends: Sequence[int],
    surfaces: Sequence[str],
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """The spans in code points, their bounds being UTF-16 units of the texts of their `task`.

    None unless each of them covers exactly its surface. All texts are looked at as one.
    """
    whole = "".join(texts)
    utf16 = Utf16Offsets(whole)
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    points = np.concatenate([[0], np.cumsum(lengths)])
    units = utf16.from_code_points(points)
    try:
        start, end = np.array(starts, dtype=np.int64), np.array(ends, dtype=np.int64)
    except OverflowError:
        return None
    if not ((start >= 0) & (start < end) & (end <= np.diff(units)[task])).all():
        return None
    first = utf16.to_code_points(units[task] + start)
    last = utf16.to_code_points(units[task] + end)
    found = map(whole.__getitem__, map(slice, first.tolist(), last.tolist()))
    if min(first.min(), last.min()) < 0 or any(map(str.__ne__, found, surfaces)):
        return None
    # the browser writes a line break in a region's text as a backslash and an n
    if "\\n" in "\0".join(surfaces):
        return None
    return first - points[task], last - points[task]
