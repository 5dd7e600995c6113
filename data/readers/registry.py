"""The formats by name, and detection for `format = "auto"`.

A reader module defines one instance, `READER`, and imports its third-party parser only for reading,
so that listing and probing the formats stays fast. Packages add a format with an entry point of the
group `accordeur.readers` whose object is a `Reader`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

from ..errors import DataError
from ..untrusted.files import require_regular
from .base import Reader, TableLike
from .options import option_descriptions

AUTO = "auto"
ENTRY_POINTS = "accordeur.readers"


class BuiltIn(NamedTuple):
    """Location of a format's `READER` below `data.readers`, and the files that it reads.

    folders  whether it may read a folder as a whole

    The patterns are repeated here so that only the formats that may fit a file are imported.
    """

    module: str
    patterns: tuple[str, ...]
    folders: bool = False


_TABLES = (
    *("*.csv", "*.tsv", "*.tab", "*.jsonl", "*.ndjson", "*.json", "*.parquet", "*.xlsx", "*.xlsm"),
)
_DELIMITED = (".csv", ".tsv", ".tab", ".txt")  # any table may look like another format of these
_COLUMNS = ("*.conll", "*.conllu", "*_conll", "*.iob", "*.iob2", "*.bio", "*.bioes")
BUILT_IN: dict[str, BuiltIn] = {
    "argilla": BuiltIn("formats.argilla", ("*.json", "*.jsonl")),
    "brat": BuiltIn("formats.brat", ("*.ann",), folders=True),
    "bregeon": BuiltIn("formats.bregeon", ("*.csv",)),
    "chat": BuiltIn("formats.chat", ("*.cha",)),
    "coco": BuiltIn("formats.coco", ("*.json",)),
    "conll": BuiltIn("formats.conll.reader", _COLUMNS),
    "cvat": BuiltIn("formats.cvat", ("*.xml",)),
    "doccano": BuiltIn("formats.doccano", ("*.jsonl", "*.zip")),
    "elan": BuiltIn("formats.elan", ("*.eaf",)),
    "gate": BuiltIn("formats.gate", ("*.xml",)),
    "glozz": BuiltIn("formats.glozz", ("*.aa",), folders=True),
    "inception_project": BuiltIn("formats.inception_project", ("*.zip",)),
    "label_studio": BuiltIn("formats.label_studio.reader", ("*.json",)),
    "prodigy": BuiltIn("formats.prodigy", ("*.jsonl", "*.ndjson")),
    "pygamma_csv": BuiltIn("formats.pygamma_csv", ("*.csv",)),
    "qda_database": BuiltIn("formats.qda.database", ("*.qda", "*.rqda"), folders=True),
    "refi_qda": BuiltIn("formats.qda.refi", ("*.qdpx", "*.qde")),
    "rttm": BuiltIn("formats.rttm", ("*.rttm",)),
    "table": BuiltIn("tables.reader", _TABLES),
    "textgrid": BuiltIn("formats.textgrid", ("*.TextGrid", "*.textgrid", "*.Textgrid")),
    "uima_json": BuiltIn("formats.uima.json_reader", ("*.json",)),
    "uima_xmi": BuiltIn("formats.uima.xmi_reader", ("*.xmi", "*.xmi.gz", "*.zip")),
    "webanno_tsv": BuiltIn("formats.webanno_tsv.reader", ("*.tsv",)),
}


def readers() -> dict[str, Reader]:
    """Return every format by name, in alphabetical order: built-in ones and those of packages.

    Raises DataError when an entry point is not a reader or uses the name of another format.
    """
    return dict(
        sorted(
            {
                **{name: _built_in_reader(name) for name in BUILT_IN},
                **_readers_of_packages(),
            }.items()
        )
    )


def readers_of_folders() -> list[Reader]:
    """Return the formats that may read a folder as a whole, and all formats of packages."""
    built_in = [_built_in_reader(name) for name, one in BUILT_IN.items() if one.folders]
    return [*built_in, *_readers_of_packages().values()]


def reader(name: str) -> Reader:
    """Return the reader of a format. Raises DataError with the list of formats if it is unknown."""
    if name in BUILT_IN:
        return _built_in_reader(name)
    if name not in _readers_of_packages():
        known = ", ".join(sorted([*BUILT_IN, *_readers_of_packages()]))
        raise DataError(f"no format {name!r}; the formats are {known}, or {AUTO!r}")
    return _readers_of_packages()[name]


def _built_in_reader(name: str) -> Reader:
    found: Reader = import_module(f".{BUILT_IN[name].module}", __package__).READER
    return found


@cache
def _readers_of_packages() -> dict[str, Reader]:
    found: dict[str, Reader] = {}
    for entry in entry_points(group=ENTRY_POINTS):
        added = entry.load()
        if not isinstance(added, Reader):
            raise DataError(f"entry point {entry.name!r} ({entry.value}) is not a reader")
        if added.NAME in BUILT_IN or added.NAME in found:
            raise DataError(f"entry point {entry.name!r}: format {added.NAME!r} already exists")
        found[added.NAME] = added
    return found


def readers_by_file_name(path: Path) -> list[Reader]:
    """Return the formats whose name patterns match, in alphabetical order."""
    patterns = name_patterns()
    return [reader(n) for n in sorted(patterns) if any(map(path.match, patterns[n]))]


def name_patterns() -> dict[str, tuple[str, ...]]:
    patterns = {name: one.patterns for name, one in BUILT_IN.items()}
    return patterns | {name: added.PATTERNS for name, added in _readers_of_packages().items()}


def detect_reader(
    path: Path, extra: Mapping[str, str] | None = None, *, names_annotator: bool = False
) -> Reader:
    """Return the only reader whose probe accepts the file or folder.

    Formats whose name patterns match are probed first, the others only when none of these accepts.
    If no probe accepts, or the file is delimited text and the accepting format does not know the
    options `extra`, the only matching format that knows them is returned (a table may name its
    columns there), and then a table that may lack annotators because something else
    `names_annotator`. Raises DataError when no format or several accept.
    """
    require_regular(path)
    if not path.exists():
        raise DataError(f"{path}: no such file or folder")
    fitting = readers_by_file_name(path)
    accepting = [r for r in fitting if r.probe(path)]
    if not accepting:
        others = readers_of_folders() if path.is_dir() else readers().values()
        accepting = [r for r in others if r not in fitting and r.probe(path)]
    if extra and (not accepting or path.suffix.lower() in _DELIMITED):
        knowing = [r for r in accepting or fitting if _knows(r, extra)]
        knowing = knowing or [r for r in fitting if _knows(r, extra)]
        accepting = knowing if len(knowing) == 1 else accepting
    if not accepting and names_annotator:
        accepting = [
            r for r in fitting if isinstance(r, TableLike) and r.probe_without_annotator(path)
        ]
    if not accepting and path.is_file() and not path.stat().st_size:
        raise DataError(f"{path}: the file is empty")
    if not accepting:
        from .unrecognised import unrecognised_message  # imports the tables' modules

        raise DataError(unrecognised_message(path, fitting))
    if len(accepting) > 1:
        names = " and ".join(r.NAME for r in accepting)
        raise DataError(f"{path}: could be {names}; name the right one with `format`")
    return accepting[0]


def _knows(reader: Reader, extra: Mapping[str, str]) -> bool:
    return extra.keys() <= option_descriptions(reader.OPTIONS).keys()
