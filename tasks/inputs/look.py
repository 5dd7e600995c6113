"""`accordeur look`: what files are, how they can be read, and the command that measures them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from ...data.errors import DataError
from ...data.readers.notes import SourceNotes
from ...data.readers.registry import AUTO, detect_reader
from ...data.readers.tables.column_facts import ColumnFacts
from ...data.readers.tables.description import TableDescription, listening
from ...data.readers.tables.excel import sheet_names
from ...data.readers.tables.known_shapes import Shape, known_shape
from ...data.readers.tables.layout import Layout
from ...data.readers.tables.platform_status import ExcludedRows, PlatformStatus
from ...data.readers.tables.reader import EXCEL, SUFFIXES, open_table
from ...data.readers.tables.role_proposals import proposed_options, proposed_options_of_files
from ...data.schema import Role
from ...metrics.agreement.label_matrix import sort_categories
from ...metrics.coded_warning import CodedWarning
from ..intake.layer_contents import LayerContents
from ..layer_rows import LayerRows
from ..layers import LayerSpec
from .data_warnings import warnings_on_labels, warnings_on_reading
from .one_shard import OneShard, shard_of_exports
from .reading_options import Reading
from .results_of_exports import warnings_json

_TABLE = "table"
_LACKING = "missing columns"  # begins what is said of a table whose columns have other names
_FLAGS = ("item", "annotator", "label", "document", "count")


@dataclass(frozen=True, slots=True)
class SeenLayer:
    """A layer of labels or of units.

    annotators  human annotator → rows
    others      further annotator → role
    n_shared    labels: items with two labels or more; units: documents of two annotators or more
    """

    name: str
    table: Literal["labels", "units"]
    annotators: Mapping[str, int]
    others: Mapping[str, str]
    categories: tuple[str, ...]
    n_shared: int

    @property
    def can_be_compared(self) -> bool:
        return len(self.annotators) > 1 and self.n_shared > 0


@dataclass(frozen=True, slots=True)
class Look:
    """What files are, and how they are read.

    options   of the format, with which they can be read
    tables    what each table was understood to be
    n_read, n_rejected, n_excluded  rows
    """

    paths: tuple[str, ...]
    format: str
    options: Mapping[str, str]
    tables: tuple[TableDescription, ...]
    layers: tuple[SeenLayer, ...]
    n_read: int
    n_rejected: int
    n_excluded: int
    doubts: tuple[CodedWarning, ...]
    n_doubtful: int = 0  # columns read as annotators that may be something else
    shape: Shape | None = None  # which a query reads in place of options

    @property
    def is_guesswork(self) -> bool:
        """Whether a wide table has less than two columns that are surely annotators'."""
        people = max((len(layer.annotators) for layer in self.layers), default=0)
        return self.n_doubtful > 0 and people - self.n_doubtful < 2

    @property
    def measurable(self) -> list[SeenLayer]:
        return [layer for layer in self.layers if layer.can_be_compared]

    def command(self, layer: SeenLayer) -> str:
        """Return the command that measures a layer, as it is typed."""
        is_labels = layer.table == "labels"
        words = ["accordeur", "agree" if is_labels else "gamma", *self.paths]
        words += ["--query", self.shape.key] if self.shape else []
        if is_labels and self.options.get("layout") == Layout.WIDE:
            words.append("--wide")
        for name, own in self.options.items():
            if name == "query":
                continue
            if is_labels and name in _FLAGS:
                words += [f"--{name}", own]
            elif not (is_labels and name == "layout" and own == Layout.WIDE):
                words += ["--option", f"{name}={own}"]
        if sum(one.table == layer.table for one in self.layers) > 1:
            words += ["--layer", layer.name]
        return shlex.join(words)

    def as_json(self) -> dict[str, Any]:
        """Return what was found, with a command for each layer that can be measured."""
        return {
            "paths": list(self.paths),
            "format": self.format,
            "options": dict(self.options),
            "shape": asdict(self.shape) if self.shape else None,
            "tables": [asdict(one) for one in self.tables],
            "layers": [
                {
                    **asdict(one),
                    "command": self.command(one) if one.can_be_compared else None,
                }
                for one in self.layers
            ],
            "rows": {
                "read": self.n_read, "rejected": self.n_rejected, "excluded": self.n_excluded
            },
            "warnings": warnings_json(self.doubts),
        }  # fmt: skip

    def toml(self) -> str:
        """Return the sources and layers of a campaign file that reads these files."""
        given = {name: own for name, own in self.options.items() if name != "query"}
        options = ", ".join(f"{name} = {_quoted(own)}" for name, own in given.items())
        lines = []
        for path in self.paths:
            lines += ["[[sources]]", f"path = {_quoted(path)}"]
            lines += [f"format = {_quoted(_TABLE)}"] if options else []
            lines += [f"options = {{ {options} }}"] if options else []
            lines += (
                [f"query = {_quoted(' '.join(self.shape.query.split()))}"] if self.shape else []
            )
            lines.append("")
        for layer in self.measurable:
            lines += [f"[layers.{_quoted(layer.name)}]"]
            if layer.table == "labels":
                lines.append("items = true")
            lines.append("")
        return "\n".join(lines)


def look(paths: Sequence[Path]) -> Look:
    """Find out what files are, and the options with which they can be measured.

    Raises DataError if nothing can be read with any options that were tried.
    """
    why: list[str] = []
    alone: Look | None = None
    shape = known_shape(paths[0]) if len(paths) == 1 and paths[0].is_file() else None
    for format, options in _possible_readings(paths, shape):
        try:
            found = _read(paths, format, options, shape if "query" in options else None)
        except ValueError as error:
            why.append(str(error))
            continue
        if found.measurable and not found.is_guesswork:
            return found
        alone = alone or found
    if alone is not None:
        return alone
    first, *others = why
    better = (one for one in others if _LACKING not in one)
    raise DataError(next(better, first) if _LACKING in first else first)


def _possible_readings(
    paths: Sequence[Path], shape: Shape | None
) -> Iterator[tuple[str, dict[str, str]]]:
    if shape is not None:
        yield _TABLE, {"query": shape.query}
    yield AUTO, {}
    if paths[0].suffix.lower() in EXCEL and paths[0].is_file():
        for sheet in sheet_names(paths[0])[1:]:
            yield _TABLE, {"sheet": sheet}
            yield _TABLE, {"sheet": sheet, "layout": Layout.WIDE}
    facts = _facts(paths[0])
    if facts is None:
        return
    if len(paths) > 1 or paths[0].is_dir():
        for options in proposed_options_of_files(facts):
            yield _TABLE, options
    for options in proposed_options(facts):
        yield _TABLE, options


def _facts(path: Path) -> ColumnFacts | None:
    """Return facts of a table, or of the first table of a folder; None without one."""
    if path.is_dir():
        tables = (one for one in sorted(path.iterdir()) if one.suffix.lower() in SUFFIXES)
        path = next(tables, path)
    if path.suffix.lower() not in SUFFIXES:
        return None
    try:
        file = open_table(path)
        status = PlatformStatus.of(file.header, ())
        batches = status.without_marked(file.batches, ExcludedRows())
        return replace(file, batches=batches).with_facts()[1]
    except DataError:
        return None


def _read(
    paths: Sequence[Path], format: str, options: Mapping[str, str], shape: Shape | None
) -> Look:
    described: list[TableDescription] = []
    reading = Reading(format=format, options=options)
    with listening(described.append):
        shard = shard_of_exports(paths, reading, table="labels", unnamed=True)
    layers = [
        *(_seen_labels(shard, one) for one in shard.contents.labels.values()),
        *(_seen_units(shard, one) for one in shard.contents.units.values()),
    ]
    doubts = warnings_on_reading(shard.notes, {who for one in layers for who in one.annotators})
    for one in shard.contents.labels.values():
        matrix = LayerRows.of(shard.store, shard.key, LayerSpec.of(one)).matrix()
        doubts += warnings_on_labels(matrix)
    if format == AUTO:
        format = _TABLE if described else _detected(paths[0], shard.notes)
    tally = shard.accepted.tally()
    return Look(
        tuple(map(str, paths)),
        format,
        options,
        tuple(described),
        tuple(layers),
        tally.n_read,
        len(shard.rejected),
        sum(tally.excluded.values()),
        tuple(doubts),
        len(shard.notes.annotator_columns),
        shape,
    )


def _detected(path: Path, notes: SourceNotes) -> str:
    if notes.files_by_format:
        return " + ".join(sorted(notes.files_by_format))
    try:
        return detect_reader(path).NAME
    except DataError:
        return AUTO


def _seen_labels(shard: OneShard, layer: LayerContents) -> SeenLayer:
    matrix = LayerRows.of(shard.store, shard.key, LayerSpec.of(layer)).matrix()
    shared = int(((matrix.codes >= 0).sum(axis=1) > 1).sum()) if _share_a_category(layer) else 0
    return _seen(layer, "labels", shared)


def _seen_units(shard: OneShard, layer: LayerContents) -> SeenLayer:
    rows = shard.store.read_table(f"accepted/{shard.key}/units.parquet")
    of_document: dict[str, set[str]] = {}
    names = (rows[name].to_pylist() for name in ("document", "annotator", "layer"))
    for document, annotator, own in zip(*names, strict=True):
        if own == layer.name or len(shard.contents.units) == 1:
            of_document.setdefault(document, set()).add(annotator)
    return _seen(layer, "units", sum(len(who) > 1 for who in of_document.values()))


def _seen(layer: LayerContents, table: Literal["labels", "units"], n_shared: int) -> SeenLayer:
    people = layer.annotators(Role.HUMAN)
    return SeenLayer(
        layer.name,
        table,
        {name: sum(layer.rows.get(name, {}).values()) for name in people},
        {name: layer.role(name) for name in layer.rows if layer.role(name) != Role.HUMAN},
        sort_categories({*layer.counts()}),
        n_shared,
    )


def _share_a_category(layer: LayerContents) -> bool:
    """Whether two annotators used one category: columns of other things have none in common."""
    used = [{*own} for own in layer.rows.values() if own]
    return any(one & other for one, other in combinations(used, 2))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
