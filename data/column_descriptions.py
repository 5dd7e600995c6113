"""What the columns of a run's tables hold, written into their Parquet fields and the reference."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pyarrow as pa

DESCRIPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "annotator": "name of the annotator, or its pseudonym",
        "arrived": "number of the run in which the work was first finished; 0: not yet",
        "attributes": "notes and features: name and value",
        "batch": "batch of the document",
        "category": "category; empty if there is none",
        "code": "keyed code of the annotator, which no pseudonym changes",
        "content": "hash of the accepted rows; 0 without rows",
        "copies": "how the copies of work in several files relate; empty if there is one",
        "copy": "original or copy of rows that are counted twice, as a reference too; else empty",
        "corrected": "number of the last run in which finished work changed; 0: none",
        "document": "name of the document",
        "end_offset": "end of the unit (exclusive)",
        "expected": "disagreement expected by chance",
        "exported": "keyed hash of the rows as exported; 0 if it is not known",
        "fragments": "start and end of each part of a discontinuous unit; else empty",
        "from_unit": "unit at which the relation starts",
        "item": "name of the item in its document",
        "labels": "categories that the annotator gave the item",
        "layer": "name of the layer; empty if it has none",
        "length": "length of the document; -1 if it is unknown",
        "level": "confidence level of the interval",
        "location": "line, or id, in the source",
        "lower": "lower bound of the interval",
        "measure": "name of the measure",
        "message": "what is wrong, and what to do",
        "n_annotators": "number of annotators",
        "n_exported": "number of rows of the copy that counts, as exported",
        "n_files": "number of files that hold the work",
        "n_items": "number of items that enter the value",
        "n_rows": "number of rows",
        "name": "what the value is of: a pair, a category, a part; empty for the whole layer",
        "observed": "observed disagreement",
        "offset_unit": "what offsets count: char (Unicode code points), ms (milliseconds) or token",
        "part": "the kind of part that the value is of",
        "pass": "number of the annotation pass",
        "reason": "why there is no value, or why the row enters no measure",
        "relation": "id of the relation",
        "role": "human, system, reference or audit",
        "rule": "short name of the rule that the row broke",
        "run": "number of the run; 0 for a release",
        "seconds": "seconds spent on the document, if the export has them",
        "sha256": "SHA-256 of the text without trailing white space, or of the file",
        "signature": "how the value was computed",
        "source": "file of the export",
        "source_offsets": "offsets as exported, if they were converted",
        "start_offset": "start of the unit",
        "state": "state of the annotator's work on the document",
        "surface": "text of the unit in the export",
        "table_name": "table that the row belongs to; empty if it is unknown",
        "text": "text of the document",
        "time": "time of the last change (ISO 8601), if the export has it",
        "to_unit": "unit at which the relation ends",
        "unit": "id of the unit within its document and annotator",
        "upper": "upper bound of the interval",
        "value": "value of the measure, or the value that broke the rule",
    }
)
UNITS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("start_offset", "end_offset", "fragments", "length"), "offset_unit"),
        "seconds": "s",
    }
)
"""Unit of a column of numbers; `offset_unit`: the column of `documents` that has it."""


def described(schema: pa.Schema, *, campaign: str = "") -> pa.Schema:
    """Return the schema with the description and unit of each field, and the campaign's name.

    The run is not stated: equal inputs give equal bytes in every run.
    """
    fields = []
    for one in schema:
        known = {"description": DESCRIPTIONS.get(one.name), "unit": UNITS.get(one.name)}
        told = {name: text for name, text in known.items() if text}
        fields.append(one.with_metadata(told) if told else one)
    return pa.schema(fields, metadata={"accordeur.campaign": campaign} if campaign else None)
