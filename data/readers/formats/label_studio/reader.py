"""Label Studio: tasks with their annotations, as the exports JSON and JSON-MIN write them.

Documented in Label Studio's "Export annotations" and "Label Studio JSON format"; exports before
1.0 write `completions` instead of `annotations`.

Conventions:
* the document is the task's id, or `data.accordeur_document` (and the item of a queue of `accordeur
  next` is `data.accordeur_item`); its text is `data.text`, else the field of the option `text`,
  else the only text among the data. The kind of region decides the offset unit: characters, or
  milliseconds for regions of audio (`original_length`, `channel`, or fractions of seconds);
* the annotator is `completed_by`, with one name per annotator (see `annotator_names`; e-mail
  addresses are not shown unless `email=keep`). An annotator's second annotation of a task is
  pass 2. Cancelled annotations and drafts leave their annotator unfinished, and their results are
  excluded rows; a submitted annotation without results is an empty answer
  (`common.records.empty_answers`);
* an annotation marked `ground_truth` belongs to its annotator like any other, even if the annotator
  made no others: declare a curator who is not an annotator in the campaign file (`role =
  "reference"`). With `ground_truth=reference` it is read a second time as the work of the reference
  `ground_truth`, with its annotator as the attribute `completed_by`;
* predictions belong to systems, named `prediction:` followed by `model_version`, which may be a
  number (`predictions=skip` excludes them);
* a result whose `origin` is `prediction` was not changed by the annotator; a note counts it;
* offsets are checked against the region's own text both as UTF-16 units (what the browser counts)
  and as code points (what programs write): the reading that fits the whole annotation is taken,
  else the reading that fits the region, else the region is rejected and both are reported
  (`surface_mismatch`). Offsets of hypertext refer to the rendered text (`globalOffsets`), which the
  export lacks: they are kept unchecked;
* the category is the region's label (for several labels the name of their set, `A + B`: see
  `data.label_sets`), the layer is `from_name`; choices, ratings, numbers and taxonomies (`a/b`) are
  labels of the document, or attributes of a region with the same id; relations are kept. Boxes,
  polygons and other regions that are not spans are rejected (`not_a_span`), and so is free text
  (`free_text`). With `objects=read`, the rectangles of a control together, and its free text, are a
  label of the document, for a distance between objects (see `objects`).

JSON-MIN has a flat record for each annotation (`json_min`).

A single JSON array is decoded element by element (`json_stream`); memory holds one task, and one
64-bit hash per task to reject repeated ids.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ....errors import DataError
from ....schema import Record
from ...base import SourceOptions
from ...common.files.json_stream import first_object, iter_objects
from ...common.naming import names_in_own_import, source_name
from ...common.records.make_records import make_rejected
from ...common.records.unit_maker import json_name
from ...common.span_rules import Problem
from .annotator_names import MADE, annotator_names
from .json_min import as_task, is_json_min, oldest_first
from .options import LabelStudioOptions
from .task import Task


class LabelStudioReader:
    NAME = "label_studio"
    DESCRIPTION = "Label Studio JSON (also of old versions) and JSON-MIN"
    PATTERNS: tuple[str, ...] = ("*.json",)
    OPTIONS = LabelStudioOptions

    def probe(self, path: Path) -> bool:
        first = first_object(path) if path.is_file() else None
        if first is None:
            return False
        return is_json_min(first) or any(
            isinstance(found := first.get(key), list)
            and ("id" in first or "data" in first)
            and all(isinstance(each, dict) and "result" in each for each in found[:3])
            and (bool(found) or "data" in first)
            for key in ("annotations", "completions")
        )

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        own, source = options.of_format(LabelStudioOptions), source_name(path, options)
        names = annotator_names(path, keeps_addresses=own.email == "keep")
        seen: set[int] = set()
        passes: dict[int, dict[str, int]] = {}  # of the tasks of JSON-MIN, which have many records
        for location, task in oldest_first(iter_objects(path)):
            if isinstance(task, Problem):
                yield make_rejected(task, source=source, location=location)
                continue
            own_passes = None
            if is_json_min(task):
                task = as_task(task)
                own_passes = passes.setdefault(hash(json_name(task["id"])), {})
            document, item = names_in_own_import(task.get("data"))
            document = (
                document or json_name(task.get("id")) or location.replace("element ", "task-")
            )
            problem = None
            if not any(isinstance(task.get(key), list) for key in MADE):
                problem = Problem("missing_field", str(task)[:80], "a task without `annotations`")
            elif own_passes is None and hash((document, item)) in seen:
                task_name = f"{document} {item}".strip()
                problem = Problem("duplicate_id", task_name, f"task {task_name!r} occurs twice")
            if problem is not None:
                yield make_rejected(problem, source=source, location=location, document=document)
                continue
            seen.add(hash((document, item)))
            yield from Task(
                task, document, item, location, source, options, names, own_passes
            ).records()
        if not seen:
            raise DataError(
                f"{source}: contains no Label Studio task (`annotations`); an old JSON-MIN does "
                "not name the annotators: export as JSON"
            )


READER = LabelStudioReader()
