"""brat standoff: `<annotator>/<document>.txt` and `.ann`, with an `annotation.conf`.

The layout that `data.readers.formats.brat` reads. Units are text-bound annotations in code points,
discontinuous where they have fragments; relations have the arguments Arg1 and Arg2; attributes
become notes (`#1 name T1 value`), which brat shows with the unit. An annotator who finished without
marking anything has an empty `.ann`. brat numbers units (T1, T2, …); a unit that already has such a
name keeps it. Layers are not kept, because brat has only one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ..errors import DataError
from ..schema import Record, Unit
from .base import AnnotatorPass, DocumentSheet, safe_path, sheets_by_document, write_files

_BLANK = re.compile(r"\s")
_LINE_END = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]")


class BratWriter:
    NAME = "brat"
    DESCRIPTION = "brat standoff, one folder per annotator"

    def write(self, records: Iterable[Record], folder: Path) -> list[Path]:
        sheets = sheets_by_document(records)
        files: dict[Path, str] = {}
        for sheet in sheets:
            document = safe_path(sheet.document.document, "document", folders=True)
            for hand in sheet.sorted_passes():
                place = folder / safe_path(hand.name, "annotator") / document
                files[_with_extension(place, ".txt")] = sheet.text
                files[_with_extension(place, ".ann")] = _ann_file_text(sheet, hand)
        files[folder / "annotation.conf"] = _configuration(sheets)
        return write_files(files)


WRITER = BratWriter()


def _with_extension(path: Path, extension: str) -> Path:
    """Append an extension; `with_suffix` would fail for document names that contain a dot."""
    return path.with_name(path.name + extension)


def _ann_file_text(sheet: DocumentSheet, hand: AnnotatorPass) -> str:
    document = sheet.document.document
    if hand.labels:
        raise DataError(
            f"document {document!r}: brat cannot represent the labels of items; write them as "
            "tables or for Label Studio"
        )
    numbers = _text_bound_ids(hand.units)
    lines: list[str] = []
    notes = 0
    for unit in hand.units:
        pieces = unit.fragments or ((unit.start_offset, unit.end_offset),)
        offsets = ";".join(f"{start} {end}" for start, end in pieces)
        surface = _LINE_END.sub(" ", " ".join(sheet.text[start:end] for start, end in pieces))
        name = numbers[unit.unit]
        lines.append(f"{name}\t{_brat_type(unit.category, document)} {offsets}\t{surface}")
        for attribute, value in unit.attributes:
            notes += 1
            key = _BLANK.sub("_", attribute) or "note"
            lines.append(f"#{notes}\t{key} {name}\t{_LINE_END.sub(' ', value)}")
    for number, relation in enumerate(hand.relations, 1):
        ends = [numbers.get(unit) for unit in (relation.from_unit, relation.to_unit)]
        if None in ends:
            raise DataError(
                f"document {document!r}: relation {relation.relation!r} joins a unit that is not "
                "among the records"
            )
        type_ = _brat_type(relation.category, document)
        lines.append(f"R{number}\t{type_} Arg1:{ends[0]} Arg2:{ends[1]}")
    return "".join(f"{line}\n" for line in lines)


def _text_bound_ids(units: list[Unit]) -> dict[str, str]:
    """Return brat's names of the units, T and a number, keeping existing names of this form."""
    kept = {unit.unit for unit in units if re.fullmatch(r"T[1-9]\d{0,8}", unit.unit)}
    names: dict[str, str] = {}
    number = 0
    for unit in units:
        if unit.unit in kept:
            names[unit.unit] = unit.unit
            continue
        number += 1
        while f"T{number}" in kept:
            number += 1
        names[unit.unit] = f"T{number}"
    return names


def _brat_type(category: str, document: str) -> str:
    if not category or _BLANK.search(category):
        raise DataError(
            f"document {document!r}: brat types must not be empty or contain blanks; "
            f"rename the category {category!r}, or write tables"
        )
    return category


def _configuration(sheets: list[DocumentSheet]) -> str:
    """Return a configuration with all types, because brat shows only declared types."""
    hands = [hand for sheet in sheets for hand in sheet.annotator_passes.values()]
    entities = sorted({unit.category for hand in hands for unit in hand.units})
    relations = sorted({link.category for hand in hands for link in hand.relations})
    arguments = "\tArg1:<ENTITY>, Arg2:<ENTITY>"
    sections = {
        "entities": entities,
        "relations": [name + arguments for name in relations],
        "events": [],
        "attributes": [],
    }
    blocks = (f"[{name}]\n" + "".join(f"{x}\n" for x in rows) for name, rows in sections.items())
    return "\n".join(blocks)
