"""JSON-MIN of Label Studio: a flat record for each annotation, converted to tasks.

A record holds the data of the task, its `id`, a key for each control tag with its simplified
results, and `annotator`, `annotation_id`, `created_at`, `updated_at`, `lead_time`, in this order.
So the results are between `id` and `annotator`. If a program has changed the order of the keys,
every key that is not Label Studio's own may hold labels: the layer must then be chosen. Relations,
cancelled annotations and predictions are not in this export.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...common.files.json_stream import JsonObject

ANNOTATOR = "annotator"
_IDS = frozenset(("annotation_id", "completion_id"))  # completion: before Label Studio 1.0
_AFTER = _IDS | {"created_at", "updated_at", "lead_time", "agreement", "history"}
_LABELS = ("choices", "taxonomy", "rating", "number", "selected", "datetime")
_OF_TEXT = frozenset(("text", "startOffset", "globalOffsets"))  # other regions are of recordings
_TYPES = {"selected": "pairwise"}  # other results are called like the key of their value


def is_json_min(record: JsonObject) -> bool:
    """Return whether a record is an annotation of JSON-MIN."""
    return {"id", ANNOTATOR} <= record.keys() and not _IDS.isdisjoint(record)


def oldest_first(objects: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield the records of JSON-MIN of each task in the order in which they were made.

    The tool writes the newest first; the full export, whose first annotation is measured, does not.
    """
    waiting: list[tuple[str, JsonObject]] = []
    for location, record in objects:
        is_min = isinstance(record, dict) and is_json_min(record)
        if waiting and not (is_min and record["id"] == waiting[0][1]["id"]):
            yield from sorted(waiting, key=_time)
            waiting = []
        if is_min:
            waiting.append((location, record))
        else:
            yield location, record
    yield from sorted(waiting, key=_time)


def _time(located: tuple[str, JsonObject]) -> str:
    return str(located[1].get("created_at") or "")


def as_task(record: JsonObject) -> JsonObject:
    """Return the record as a task of the full export, with one annotation or none."""
    keys = list(record)
    first, last = keys.index("id"), keys.index(ANNOTATOR)
    controls = keys[first + 1 : last] if first < last else [key for key in keys if key != "id"]
    controls = [key for key in controls if key not in (ANNOTATOR, *_AFTER)]
    data = {key: record[key] for key in keys if key not in (*controls, "id", ANNOTATOR, *_AFTER)}
    result = [one for key in controls for one in _results(key, record[key])]
    number = next((record[key] for key in _IDS if key in record), None)
    annotation = {
        "id": number,
        "completed_by": record[ANNOTATOR],
        "result": result,
        **{key: record.get(key) for key in ("created_at", "updated_at", "lead_time")},
    }
    annotations = [] if number is None else [annotation]
    return {"id": record["id"], "data": data, "annotations": annotations}


def _results(key: str, value: Any) -> Iterator[JsonObject]:
    """Yield the results of one control tag in the form of the full export."""
    for index, one in enumerate(value if isinstance(value, list) else [value]):
        if isinstance(one, dict):
            kind = next((name for name in _LABELS if name in one), "labels")
            kind = "textarea" if one.keys() == {"text"} else kind
            timed = "start" in one and _OF_TEXT.isdisjoint(one)
            found: Any = {"channel": 0, **one} if timed else one
        else:  # a single choice, or free text, which cannot be told from one
            kind, found = "choices", {"choices": [one]}
        yield {
            "from_name": key,
            "id": f"{key}:{index}",
            "type": _TYPES.get(kind, kind),
            "value": found,
        }
