"""COCO JSON: the boxes of each picture together, as one object.

Documented in COCO's "Data format" (object detection): an object with the lists `images`,
`annotations` (`image_id`, `category_id`, `bbox` = left, top, width, height) and `categories`.

Conventions:
* the document is the picture's `file_name`, else its id, and its label in the layer `boxes` is the
  text of its boxes that the distances `box_iou` and `labelled_box_iou` read;
* the annotator is the `annotator` of an entry of `images`, as some exports give it, else the file's
  path names the annotator (option `paths`);
* a box without four numbers or without an area is rejected (`not_a_box`), and so is one of a
  picture that is not listed (`no_document`). Outlines and key points are not read;
* a picture without a box is an empty answer, of which the export does not state that it was
  submitted (`common.records.empty_answers`).

The file is read whole, because its lists refer to each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...errors import DataError
from ...schema import Label, Record
from ...untrusted.documents import read_json
from ..base import SourceOptions
from ..common.box_texts import box_text
from ..common.files.text import first_bytes
from ..common.naming import NamedByPath, document_and_annotator, source_name
from ..common.records.empty_answers import EmptyOption
from ..common.records.make_records import make_document, make_rejected
from ..common.records.unit_maker import UnitMaker, json_name
from ..common.span_rules import Problem

LAYER = "boxes"
_SIGNS = (
    *((b'"images"', key) for key in (b'"info"', b'"licenses"', b'"categories"', b'"annotations"')),
    (b'"image_id"', b'"bbox"'),
)


@dataclass(frozen=True)
class CocoOptions(EmptyOption, NamedByPath): ...


class CocoReader:
    NAME = "coco"
    DESCRIPTION = "COCO JSON: boxes of pictures, for a distance between objects"
    PATTERNS: tuple[str, ...] = ("*.json",)
    OPTIONS = CocoOptions

    def probe(self, path: Path) -> bool:
        start = first_bytes(path, 8192) if path.is_file() else b""
        is_object = start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
        return is_object and any(one in start and two in start for one, two in _SIGNS)

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        source = source_name(path, options)
        images, annotations, categories = _lists(path, source)
        names = {json_name(one.get("id")): json_name(one.get("name")) for one in categories}
        boxes: dict[str, list[str]] = {json_name(image.get("id")): [] for image in images}
        for number, one in enumerate(annotations, 1):
            box = _box(one, names)
            picture = json_name(one.get("image_id"))
            if picture not in boxes:
                box = Problem("no_document", picture, "`images` does not list the box's picture")
            if isinstance(box, Problem):
                place = json_name(one.get("id")) or f"annotation {number}"
                yield make_rejected(box, source=source, location=place, table=Label.TABLE)
            else:
                boxes[picture].append(box)
        _, by_path = document_and_annotator(path, options)
        for image in images:
            picture = json_name(image.get("id"))
            document = json_name(image.get("file_name")) or picture
            yield make_document(document, source, options)
            annotator = options.annotator or json_name(image.get("annotator")) or by_path
            maker = UnitMaker(document, annotator, source, options)
            if boxes[picture]:
                yield maker.label(["; ".join(boxes[picture])], layer=LAYER, location=picture)
            else:
                maker.note_empty(picture, layers=(LAYER,), several=True, submitted=False)
            yield from maker.finished()


def _lists(path: Path, source: str) -> list[list[dict[str, Any]]]:
    """Return images, annotations and categories. Raises DataError for a file that is not COCO."""
    found = read_json(path, source)
    keys = ("images", "annotations", "categories")
    lists = [found.get(key) for key in keys] if isinstance(found, dict) else [None]
    if not all(isinstance(each, list) for each in lists):
        raise DataError(
            f"{source}: no COCO: it needs the lists {', '.join(keys[:2])} and {keys[2]}"
        )
    return [[one for one in each if isinstance(one, dict)] for each in lists if each is not None]


def _box(annotation: Mapping[str, Any], names: Mapping[str, str]) -> str | Problem:
    sides = annotation.get("bbox")
    category = names.get(json_name(annotation.get("category_id")), "")
    return box_text(sides if isinstance(sides, list) else (), category)


READER = CocoReader()
