"""Label Studio: `tasks.json` to import, and `label_config.xml` for a project that has none.

The layout that `formats.label_studio` reads. A document is a task whose `data` holds its text
and its name (`accordeur_document`, which the tool's next export repeats); each annotator's work is
one annotation, and a reference's has `ground_truth`. Offsets are UTF-16 units, as in the tool. The
layer is the control's name (`label` without a layer); labels of the document are choices, and
labels of items below it store the item in `meta`. Fragments and attributes go to the region's
`meta`, because the tool has no fields for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from ..errors import DataError
from ..label_sets import labels_of_set_name, set_name
from ..readers.common.files.text import Utf16Offsets
from ..readers.common.naming import DOCUMENT_KEY
from ..schema import Label, OffsetUnit, Record, Role, Unit
from .base import AnnotatorPass, DocumentSheet, sheets_by_document, write_files

_NO_LAYER = "label"


class LabelStudioWriter:
    NAME = "label_studio"
    DESCRIPTION = "Label Studio tasks with annotations (JSON), and a labelling configuration"

    def write(self, records: Iterable[Record], folder: Path) -> list[Path]:
        sheets = sheets_by_document(records)
        tasks = [_task(sheet) for sheet in sheets]
        content = json.dumps(tasks, ensure_ascii=False, indent=1)
        return write_files(
            {
                folder / "label_config.xml": _configuration(sheets),
                folder / "tasks.json": content,
            }
        )


WRITER = LabelStudioWriter()


def _task(sheet: DocumentSheet) -> dict[str, Any]:
    document = sheet.document
    if document.offset_unit != OffsetUnit.CHAR and any(
        h.units for h in sheet.annotator_passes.values()
    ):
        raise DataError(
            f"document {document.document!r}: only units of text can be written for Label "
            f"Studio, but these units have offsets in {document.offset_unit}; write tables"
        )
    data = {DOCUMENT_KEY: document.document}
    if document.text is not None or any(hand.units for hand in sheet.annotator_passes.values()):
        data["text"] = sheet.text
    return {"data": data, "annotations": [_annotation(sheet, h) for h in sheet.sorted_passes()]}


def _annotation(sheet: DocumentSheet, hand: AnnotatorPass) -> dict[str, Any]:
    results = [_label(label, sheet) for label in hand.labels]
    if hand.units:
        utf16 = Utf16Offsets(sheet.text)
        results += [_region(unit, sheet.text, utf16) for unit in hand.units]
    names = {unit.unit for unit in hand.units}
    for relation in hand.relations:
        if not {relation.from_unit, relation.to_unit} <= names:
            raise DataError(
                f"document {sheet.document.document!r}: relation {relation.relation!r} joins a "
                "unit that is not among the records"
            )
        labels = _labels(relation.category)
        results.append(
            {
                "type": "relation",
                "from_id": relation.from_unit,
                "to_id": relation.to_unit,
                "direction": "right",
                "labels": labels,
            }
        )
    number = hand.annotator.isascii() and hand.annotator.isdigit() and hand.annotator[0] != "0"
    by = int(hand.annotator) if number and len(hand.annotator) < 10 else {"email": hand.annotator}
    return {
        "completed_by": by,
        "ground_truth": hand.role == Role.REFERENCE,
        "was_cancelled": False,
        "result": results,
    }


def _region(unit: Unit, text: str, utf16: Utf16Offsets) -> dict[str, Any]:
    start, end = utf16.from_code_points([unit.start_offset, unit.end_offset]).tolist()
    if start < 0 or end < 0:
        raise DataError(f"unit {unit.unit!r} of {unit.document!r} is outside the text")
    labels = _labels(unit.category)
    region: dict[str, Any] = {
        "id": unit.unit,
        "type": "labels",
        "from_name": unit.layer or _NO_LAYER,
        "to_name": "text",
        "value": {
            "start": start,
            "end": end,
            "text": text[unit.start_offset : unit.end_offset],
            "labels": labels,
        },
    }
    meta = dict(unit.attributes)
    if unit.fragments:
        meta["fragments"] = ";".join(f"{a} {b}" for a, b in unit.fragments)
    if meta:
        region["meta"] = meta
    return region


def _labels(category: str) -> list[str]:
    """Return the labels of a region: several if the category is the name of a set of labels."""
    labels = labels_of_set_name(category)
    if set_name(labels) != category:
        labels = (category,)
    return list(labels) if category else []


def _label(label: Label, sheet: DocumentSheet) -> dict[str, Any]:
    result: dict[str, Any] = {
        "type": "choices",
        "from_name": label.layer or _NO_LAYER,
        "to_name": "text",
        "value": {"choices": list(label.labels)},
    }
    if label.item != sheet.document.document:
        result["meta"] = {"item": label.item}
    return result


def _configuration(sheets: list[DocumentSheet]) -> str:
    """Return controls for the layers and categories that occur."""
    spans: dict[str, set[str]] = {}
    choices: dict[str, set[str]] = {}
    for hand in (hand for sheet in sheets for hand in sheet.annotator_passes.values()):
        for unit in hand.units:
            spans.setdefault(unit.layer or _NO_LAYER, set()).update(_labels(unit.category))
        for label in hand.labels:
            choices.setdefault(label.layer or _NO_LAYER, set()).update(label.labels)
    lines = ["<View>", '  <Text name="text" value="$text"/>']
    for tag, child, layers in (("Labels", "Label", spans), ("Choices", "Choice", choices)):
        for layer in sorted(layers):
            lines.append(f'  <{tag} name={quoteattr(layer)} toName="text">')
            lines += [f"    <{child} value={quoteattr(v)}/>" for v in sorted(layers[layer] - {""})]
            lines.append(f"  </{tag}>")
    return "\n".join([*lines, "</View>", ""])
