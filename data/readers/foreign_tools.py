"""Exports of annotation tools that no format reads, recognised by what only they contain."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ..errors import DataError
from ..option_names import option
from ..untrusted.documents import parse_json
from .common.files.json_stream import JsonObject, first_object
from .common.files.text import first_bytes

_MOST_BYTES = 1 << 26
_TABLE = (
    "convert it to a table of labels (item, annotator, label) or of units (document, annotator, "
    "start, end, category)"
)
_OLD_WEBANNO = re.compile(rb"\s*(#id=|# (webanno\.custom|de\.tudarmstadt)\.)")
_COLUMN_FORMATS = f"export it again as CoNLL, one folder for each annotator, or {_TABLE}"


class ForeignTool(NamedTuple):
    """A tool, how to recognise the first JSON object of its export, and what to do instead."""

    name: str
    fits: Callable[[JsonObject], bool]
    way_out: str = _TABLE


def _has(*keys: str) -> Callable[[JsonObject], bool]:
    return lambda first: first.keys() >= {*keys}


def _is_old_uima_json(first: JsonObject) -> bool:
    return "_views" in first or ("_context" in first and "_referenced_fss" in first)


def _is_argilla_1(first: JsonObject) -> bool:
    feedback = isinstance(first.get("fields"), dict) and isinstance(first.get("responses"), list)
    of_agents = {"prediction_agent", "annotation_agent"} & first.keys()
    return feedback or (bool(of_agents) and bool({"text", "inputs", "tokens"} & first.keys()))


def _is_sagemaker(first: JsonObject) -> bool:
    return bool({"source", "source-ref"} & first.keys()) and any(
        key.endswith("-metadata") for key in first
    )


_JSON = (
    ForeignTool(
        "Argilla 1",
        _is_argilla_1,
        "open the data set in Argilla 2 and export it with `dataset.records.to_json`",
    ),
    ForeignTool(
        "the old UIMA JSON of INCEpTION and WebAnno",
        _is_old_uima_json,
        "export it again as UIMA CAS JSON 0.4 or UIMA CAS XMI",
    ),
    ForeignTool(
        "LightTag",
        lambda f: _has("examples", "schema")(f) or _has("example_id", "content", "annotations")(f),
    ),
    ForeignTool("tagtog", _has("annotatable", "anncomplete")),
    ForeignTool("Labelbox", lambda f: _has("data_row", "projects")(f) or _has("Labeled Data")(f)),
    ForeignTool(
        "Datasaur",
        lambda f: _has("labelSets", "sentences")(f) or _has("document", "labelSets")(f),
        _COLUMN_FORMATS,
    ),
    ForeignTool("UBIAI", _has("document", "tokens", "relations"), _COLUMN_FORMATS),
    ForeignTool("Dataturks", _has("content", "annotation", "extras")),
    ForeignTool("SageMaker Ground Truth", _is_sagemaker),
    ForeignTool(
        "Potato",
        lambda f: (
            _has("instance_id", "label_annotations")(f)
            or _has("user_id", "instance_id_to_label_to_value")(f)
        ),
    ),
)


def foreign_tool_message(path: Path) -> str:
    """Return which tool the file comes from and what to do; "" for no known tool."""
    head = first_bytes(path)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")):
        first = first_object(path) or _only_object(path)
        for tool in _JSON:
            if tool.fits(first):
                return f"an export of {tool.name}, which is not read: {tool.way_out}"
    elif _OLD_WEBANNO.match(head):
        return (
            "an export of WebAnno TSV 1 or 2, which is not read: export it again as WebAnno TSV 3"
        )
    elif b"<TEXT>" in head and b"<![CDATA[" in head:
        return f"an export of MAE, which is not read: {_TABLE}"
    elif {b"annotation_id", b"annotator", b"lead_time"} <= _csv_names(head):
        return (
            "a CSV export of Label Studio: export it again as JSON, or give "
            f"`{option('item', 'id')} {option('label', 'COLUMN')}` for a column of single choices "
            "(agree, resample)"
        )
    return ""


def _only_object(path: Path) -> JsonObject:
    """Return the object that a file of many lines holds, {} if it is something else or large."""
    try:
        found = parse_json(first_bytes(path, _MOST_BYTES), path.name)
    except DataError:
        return {}
    return found if isinstance(found, dict) else {}


def _csv_names(head: bytes) -> set[bytes]:
    line = head.split(b"\n", 1)[0].replace(b"\t", b",")
    return {cell.strip(b'"\r \xef\xbb\xbf') for cell in line.split(b",")}
