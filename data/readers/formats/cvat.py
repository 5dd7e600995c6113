"""CVAT XML 1.1 for images: the boxes of each picture together, as one object, and its tags.

Documented in CVAT's "XML annotation format": a list of `<image>` with its shapes and tags, after a
`<meta>` that describes the job, task or project.

Conventions:
* the document is the picture's name. Its label in the layer `boxes` is the text of its boxes that
  the distances `box_iou` and `labelled_box_iou` read, and its labels in the layer `tags` are its
  tags; a layer that the file does not use is not there;
* the category of a box is its label, or with `category=NAME` the value of this attribute. Other
  attributes are not read;
* the annotator is the assignee of the job or task (in a project, of the picture's task), unless the
  option `paths` says that the path names the annotator. Without an assignee it is the path's;
* a shape whose source is `auto` is a model's that nobody changed, and is counted in a note;
* a rotated box, and any other shape, is rejected (`not_a_box`): polygons, lines, points, masks;
* a picture without a box (or tag) is an empty answer, of which the export does not state that it
  was submitted (`common.records.empty_answers`).

Tracks of CVAT for video are refused: boxes between key frames are interpolated by CVAT.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from xml.etree.ElementTree import Element

from ...errors import DataError
from ...schema import Label, Record
from ...untrusted.files import read_file
from ...untrusted.xml import parse_xml
from ..base import SourceOptions
from ..common.box_texts import box_text
from ..common.files.text import first_bytes
from ..common.naming import NamedByPath, document_and_annotator, source_name
from ..common.records.empty_answers import EmptyOption
from ..common.records.make_records import make_document
from ..common.records.unit_maker import UnitMaker
from ..common.span_rules import Problem
from ..options import Option

BOXES, TAGS = "boxes", "tags"
_NO_SHAPES = ("box", "tag", "attribute")


@dataclass(frozen=True)
class CvatOptions(EmptyOption, NamedByPath):
    category: Annotated[
        str, Option("the attribute that gives a box's category", unset="its label")
    ] = ""


class CvatReader:
    NAME = "cvat"
    DESCRIPTION = "CVAT XML for images: boxes, for a distance between objects, and tags"
    PATTERNS: tuple[str, ...] = ("*.xml",)
    OPTIONS = CvatOptions

    def probe(self, path: Path) -> bool:
        start = first_bytes(path)
        return b"<annotations>" in start and b"<version>" in start

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        source = source_name(path, options)
        root = parse_xml(read_file(path, source), source)
        if root.tag != "annotations":
            raise DataError(f"{source}: the root is <{root.tag}>, not the <annotations> of CVAT")
        if root.find("track") is not None:
            raise DataError(
                f"{source}: tracks of a video; export it as CVAT for images 1.1, which has the "
                "boxes of each frame"
            )
        images = root.findall("image")
        used = {shape.tag for image in images for shape in image}
        layers = [layer for layer, tag in ((BOXES, "box"), (TAGS, "tag")) if tag in used]
        assignees = _assignees(root)
        _, by_path = document_and_annotator(path, options)
        for number, image in enumerate(images, 1):
            document = image.get("name") or f"image {image.get('id', number)}"
            yield make_document(document, source, options)
            assignee = assignees.get(image.get("task_id", ""))
            annotator = options.annotator or assignee or by_path
            maker = UnitMaker(document, annotator, source, options)
            yield from _labels(image, maker, layers or [BOXES])


def _assignees(root: Element) -> dict[str, str]:
    """Return the assignee of each task of a project by its id, and of a job or task by ""."""
    tasks = root.findall("meta/project/tasks/task")
    found = {task.findtext("id", ""): _assignee(task) for task in tasks}
    whole = [*root.findall("meta/job"), *root.findall("meta/task")]
    if whole:
        found[""] = _assignee(whole[0])
    return found


def _assignee(element: Element) -> str:
    return element.findtext("assignee/username", "").strip()


def _labels(image: Element, maker: UnitMaker, layers: list[str]) -> Iterator[Record]:
    place = maker.document
    maker.options.notes.n_suggested += sum(shape.get("source") == "auto" for shape in image)
    boxes = [_box(one, maker.options) for one in image.findall("box")]
    others = [shape.tag for shape in image if shape.tag not in _NO_SHAPES]
    problems = [one for one in boxes if isinstance(one, Problem)]
    problems += [
        Problem("not_a_box", tag, f"a {tag} is not read, only rectangles and tags")
        for tag in others
    ]
    yield from (maker.rejected(problem, place, Label.TABLE) for problem in problems)
    text = "; ".join(one for one in boxes if isinstance(one, str))
    found = {
        BOXES: [text] if text else [],
        TAGS: [tag.get("label", "") for tag in image.findall("tag")],
    }
    for layer in filter(maker.wants, layers):
        if found[layer]:
            several = layer == TAGS
            yield maker.label(found[layer], layer=layer, several=several, location=place)
        else:
            maker.note_empty(place, layers=(layer,), several=True, submitted=False)
    yield from maker.finished()


def _box(box: Element, options: SourceOptions) -> str | Problem:
    wanted = options.of_format(CvatOptions).category
    category = box.get("label", "")
    if wanted:
        values = (one.text for one in box.findall("attribute") if one.get("name") == wanted)
        category = next(values, "") or ""
    try:
        left, top, right, bottom = (
            float(box.get(side, "")) for side in ("xtl", "ytl", "xbr", "ybr")
        )
        rotated = float(box.get("rotation", 0)) != 0
    except ValueError:
        return box_text((), category)
    return box_text((left, top, right - left, bottom - top), category, rotated=rotated)


READER = CvatReader()
