"""Message for a file that no format recognises: what the matching formats miss in it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from ..errors import DataError
from ..option_names import option
from ..schema import Rejected
from ..untrusted.archives import is_zip, open_archive
from .base import Reader, SourceOptions
from .common.files.json_stream import first_object
from .common.files.text import first_bytes
from .foreign_tools import foreign_tool_message
from .formats.inception_states import PROJECT_MARK
from .tables.meaning import understand_table
from .tables.reader import DELIMITED, TooManyColumnsError, open_table

_TABLE = "table"
_LOOKED_AT = 20  # records
_TOLD = 3  # names in a zip
_SPREADSHEETS = (".xls", ".xlsb", ".ods", ".numbers")
_KEYS = {  # of JSON exports, by format: those of another format are closest to it
    "argilla": {"fields", "responses", "suggestions", "external_id"},
    "coco": {"images", "annotations", "categories"},
    "doccano": {"text", "label", "labels", "entities", "cats"},
    "label_studio": {"data", "annotations", "completions", "predictions", "annotation_id"},
    "prodigy": {"_task_hash", "_view_id", "answer", "spans", "options"},
    "uima_json": {"%TYPES", "%VIEWS", "%FEATURE_STRUCTURES"},
}
_OF_STATISTICS = (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".rds", ".rda", ".rdata", ".omv")


def unrecognised_message(path: Path, fitting: Sequence[Reader]) -> str:
    """Say why each format that matches the file's name rejects it, and what to do."""
    hint = f"Name its format (`{option('format')}`); `accordeur formats` lists them all"
    if is_zip(path) and not path.suffix.lower().startswith(".xls"):
        return f"{path.name}: {_zip_message(path)}. {hint}"
    if path.suffix.lower() in _SPREADSHEETS:
        return f"{path.name}: this spreadsheet format is not supported: save it as .xlsx or .csv"
    if path.suffix.lower() in _OF_STATISTICS:
        return f"{path.name}: files of statistics programs are not read: export the table as .csv"
    if PROJECT_MARK in path.name:
        return (
            f"{path.name}: says who finished which document, which is read in the project's zip "
            "only: give the zip instead of the unpacked folder, or work in progress counts as "
            "finished"
        )
    if foreign := foreign_tool_message(path):
        return f"{path.name}: {foreign}"
    if not fitting:
        ending = f"are called *{path.suffix}" if path.suffix else "have such a name"
        why = f"no format recognises it, and no format has files that {ending}"
        return f"{path.name}: {why}. {hint}"
    if path.suffix.lower() in (".json", ".jsonl"):
        hint += f"; records of any shape are read by a query (`{option('query', 'FILE.sql')}`)"
    closest = _closest_formats(path, fitting)
    table = _why_not_a_table(path) if any(r.NAME == _TABLE for r in closest) else ""
    if table and (path.suffix.lower() in DELIMITED or [r.NAME for r in closest] == [_TABLE]):
        return f"{path.name}: {table}"
    by_reason: dict[str, list[str]] = {}
    for one in closest:
        by_reason.setdefault(_why_not_read(one, path), []).append(one.NAME)
    reasons = [f"as {' or '.join(names)}: {why}" for why, names in by_reason.items()]
    tried = f" ({'; '.join(reasons)})" if reasons else ""
    as_table = f"As a table: {table}. " if table else ""
    return f"{path.name}: no format recognises it{tried}. {as_table}{hint}"


def _closest_formats(path: Path, fitting: Sequence[Reader]) -> list[Reader]:
    """Return the format of JSON that the file shares most keys with, and that of tables.

    All of `fitting`, if the file has no object, or an object without the keys of any format; that
    of tables alone for a list of rows, which hold plain values only.
    """
    first = first_object(path) or {}
    shared = {one.NAME: len(_KEYS.get(one.NAME, set()) & first.keys()) for one in fitting}
    most = max(shared.values())
    if path.suffix.lower() == ".json":
        if most:
            return [one for one in fitting if shared[one.NAME] == most]
        are_rows = len(first) > 2 and not any(isinstance(v, dict | list) for v in first.values())
        if are_rows and first_bytes(path).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"["):
            return [one for one in fitting if one.NAME == _TABLE]
    return [one for one in fitting if not most or shared[one.NAME] == most or one.NAME == _TABLE]


def _zip_message(path: Path) -> str:
    """Describe a zip that is not a project export."""
    with open_archive(path, path.name) as archive:
        if not archive.names:
            archive.require_sound()
        names = ", ".join(archive.names[:_TOLD])
    return (
        f"this zip is not a known export (it contains {names or 'no file'} …): unpack it "
        "and give the folder"
    )


def _why_not_read(reader: Reader, path: Path) -> str:
    """Return the first error of the format's own reader."""
    try:
        for record in islice(reader.read(path, SourceOptions()), _LOOKED_AT):
            if isinstance(record, Rejected):
                return record.message
    except DataError as error:
        return str(error).removeprefix(f"{path.name}: ")
    return "it does not begin like a file of this format"


def _why_not_a_table(path: Path) -> str:
    """Return what the header lacks; "" for a table's header. Raises DataError if too wide."""
    try:
        understand_table(open_table(path), path.name, SourceOptions())
    except TooManyColumnsError:
        raise
    except DataError as error:
        return str(error).removeprefix(f"{path.name}: ")
    return ""
