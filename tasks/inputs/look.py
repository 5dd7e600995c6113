"""`accordeur look`: what files are, how they can be read, and the command that measures them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from ...data.annotator_names import judges_and_humans, suggested_roles
from ...data.errors import DataError
from ...data.readers.common.category_features import SeveralFeaturesError
from ...data.readers.packed import unpacked
from ...data.readers.registry import AUTO, detect_reader
from ...data.readers.tables.column_names import OF_ITEMS, is_item_name
from ...data.readers.tables.description import TableDescription, listening
from ...data.readers.tables.known_shapes import Shape
from ...data.readers.tables.layout import Layout, OtherShapeError
from ...data.readers.tables.other_shapes import annotator_like_columns
from ...data.readers.tables.parts import PartedTable, with_joined_parts
from ...data.readers.tables.reader import JSON, JSON_LINES
from ...data.readers.tables.written_queries import sentence_on_records
from ...data.row_account import require_no_rejected
from ...data.schema import Role
from ...metrics.agreement.label_matrix import sort_categories
from ...metrics.coded_warning import CodedWarning
from ..intake.layer_contents import LayerContents
from ..layer_rows import LayerRows
from ..layers import LayerSpec
from ..ranking.seen_preferences import SeenPreferences, seen_preferences
from .columns_of_annotators import (
    is_sentence,
    sentence_on_roles,
    share_a_category,
    unlike_annotators,
)
from .data_warnings import warnings_on_labels
from .one_shard import OneShard, open_exports
from .possible_readings import (
    TABLE,
    possible_readings,
    possible_shape,
    question_on_table,
    sentence_on_rows,
)
from .reading_options import Reading
from .reading_warnings import warnings_on_reading
from .results_of_exports import warnings_json

_LACKING = "missing columns"  # begins what is said of a table whose columns have other names
_UNRECOGNISED = "no format recognises it"  # is said of files of any shape
_FLAGS = ("item", "annotator", "label", "document", "start", "end", "category", "count")
_DOUBTS = ("doubtful_header", "turned_tables")  # another reading is preferred
_CONFLICTING, _MOST_AGAIN = "conflicting_labels", 0.05  # of the rows
_MOST_FURTHER = 5  # questions
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SeenLayer:
    """A layer of labels or of units.

    annotators  human annotator → rows
    others      further annotator → role
    n_shared    labels: items with two labels or more; units: documents of two annotators or more
    unlike      annotators of whose labels less than half are in a category that another one used
    """

    name: str
    table: Literal["labels", "units"]
    annotators: Mapping[str, int]
    others: Mapping[str, str]
    categories: tuple[str, ...]
    n_shared: int
    unlike: tuple[str, ...] = ()

    @property
    def can_be_compared(self) -> bool:
        return len(self.annotators) > 1 and self.n_shared > 0


@dataclass(frozen=True, slots=True)
class Look:
    """What files are, and how they are read.

    options   of the format, with which they can be read
    tables    what each table was understood to be
    n_read, n_rejected, n_excluded  rows
    doubtful  columns read as annotators that may be something else
    shape     which a query reads in place of options
    ranked    preferences between systems; in place of labels, or beside them
    further   commands for other columns of a table that may be questions, too
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
    doubtful: frozenset[str] = frozenset()
    shape: Shape | None = None
    ranked: SeenPreferences | None = None
    further: tuple[str, ...] = ()

    @property
    def is_guesswork(self) -> bool:
        """Whether the columns of a wide table hold several things, and no two are annotators'.

        Where some columns are no annotators', the others are if they are called so.
        """
        unlike = self.doubtful.union(*(layer.unlike for layer in self.layers))
        names = {*chain(*(layer.annotators for layer in self.layers))} - unlike
        unlike = unlike.union(filter(is_item_name, names))
        is_turned = any(one.layout == Layout.TRANSPOSED for one in self.tables)
        if is_turned and max((one.n_shared for one in self.layers), default=0) < 2:
            return True
        if (is_turned or self.is_wide) and 2 * sum(map(is_sentence, names)) > len(names):
            return True
        called_so = annotator_like_columns(dict(enumerate(names)))
        return (is_turned or self.is_wide) and bool(unlike) and len(called_so) < 2

    @property
    def is_wide(self) -> bool:
        """Whether a table has a column for each annotator."""
        return any(one.layout == Layout.WIDE for one in self.tables)

    @property
    def is_certain(self) -> bool:
        """Whether something can be measured, and no other reading is likelier."""
        is_doubtful = any(one.code in _DOUBTS for one in self.doubts)
        again = sum(int(one.figures["n"]) for one in self.doubts if one.code == _CONFLICTING)
        is_doubtful = is_doubtful or again > _MOST_AGAIN * self.n_read  # perhaps sets
        is_doubtful |= 2 * self.n_rejected > self.n_read
        return bool(self.measurable) and not (self.is_guesswork or is_doubtful)

    @property
    def measurable(self) -> list[SeenLayer]:
        found = [layer for layer in self.layers if layer.can_be_compared]
        return sorted(found, key=lambda layer: (layer.table != "labels", -layer.n_shared))

    def command(self, layer: SeenLayer) -> str:
        """Return the command that measures a layer, as it is typed; with systems, `judge`."""
        is_labels = layer.table == "labels"
        judges, humans = judges_and_humans(layer.annotators)
        is_wide = is_labels and self.options.get("layout") == Layout.WIDE
        words = ["accordeur", "agree" if is_labels else "gamma", *self.paths]
        query = self.shape.key if self.shape else self.options.get("query", "")
        words += ["--query", query] if query else []
        first = Path(self.paths[0])
        is_table = first.suffix.lower() != ".txt" and _detected(first) in (TABLE, AUTO)
        if self.options and self.format == TABLE and not is_table:  # but for what options say
            words += ["--from", TABLE]
        if is_labels and judges and humans:
            words[1] = "judge"
            words += chain(*(("--judge", name) for name in judges))
            words += chain(*(("--human", name) for name in humans if self.is_wide))
        elif is_wide:
            words.append("--wide")
        if (is_wide and words[1] == "agree") or words[1] == "gamma":
            roles = suggested_roles(layer.annotators)
            gold = [name for name, role in roles.items() if role == Role.REFERENCE]
            if len(layer.annotators) > len(gold) + 1:
                words += chain(*(("--role", f"{name}=reference") for name in gold))
        for name, own in self.options.items():
            if words[1] == "judge" and name == "annotator" and self.is_wide:
                continue  # named above
            if name in _FLAGS and own and self.format == TABLE:
                words += [f"--{name}", own]
            elif name != "query" and not (is_wide and name == "layout"):
                words += ["--option", f"{name}={own}"]
        parts = self.tables[0].item if self.tables else ()
        if is_labels and len(parts) > 1 and words[1] == "agree":  # each question, beside all
            question = next(filter(OF_ITEMS.fullmatch, parts[1:]), "")
            item = [] if "item" in self.options else ["--item", ",".join(parts)]
            words += [*item, "--by", question] if question else []
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
            "preferences": asdict(self.ranked) | {"command": self.ranked.command}
            if self.ranked
            else None,
            "further": [*self.further],
            "warnings": warnings_json(self.doubts),
        }  # fmt: skip

    def toml(self) -> str:
        """Return the part of a campaign file that reads these files."""
        if self.ranked and not self.layers:
            given = {"preferences": self.ranked.path, **self.ranked.options}.items()
            return "".join(["[ranking]\n", *(f"{key} = {_quoted(own)}\n" for key, own in given)])
        given = {name: own for name, own in self.options.items() if name != "query"}.items()
        options = ", ".join(f"{name} = {_quoted(own)}" for name, own in given)
        lines = []
        for path in with_joined_parts(map(Path, self.paths)):
            name = path.pattern if isinstance(path, PartedTable) else str(path)
            lines += ["[[sources]]", f"path = {_quoted(name)}"]
            lines += [f"format = {_quoted(TABLE)}"] if options else []
            lines += [f"options = {{ {options} }}"] if options else []
            query = " ".join(self.options.get("query", "").split())
            lines += [f"query = {_quoted(query)}"] if query else []
            lines.append("")
        return "\n".join(lines)


def look(paths: Sequence[Path], stated: Mapping[str, str] = _NOTHING) -> Look:
    """Find out what files are, and the options with which they can be measured.

    stated  options that are known, such as columns of a table

    Raises DataError if nothing can be read with any options that were tried.
    """
    ranked = seen_preferences(paths[0]) if len(paths) == 1 and not stated else None
    if ranked is None:
        return _look_at_labels(paths, stated)
    if ranked.are_labels_too:
        with suppress(DataError):
            return replace(_look_at_labels(paths, stated), ranked=ranked)
    n, left_out, shape = ranked.n_comparisons, ranked.n_unanswered, ranked.shape
    counts = (n + left_out, 0, left_out, ranked.doubts)
    return Look((ranked.path,), TABLE, {}, (), (), *counts, shape=shape, ranked=ranked)


def _look_at_labels(paths: Sequence[Path], stated: Mapping[str, str]) -> Look:
    why: list[str] = []
    of_shapes: dict[str, str] = {}  # of reasons that are of another shape, without the way out
    alone: Look | None = None
    files = [*unpacked(with_joined_parts(paths))]
    shape = possible_shape(files)
    readings = possible_readings(files, shape, stated)
    for format, options in readings:
        try:
            found = _read_usual_features(paths, format, {**options, **stated}, shape)
        except ValueError as error:
            why.append(str(error))
            of_shapes |= {why[-1]: error.what} if isinstance(error, OtherShapeError) else {}
            continue
        if found.is_certain or (found.measurable and "," in stated.get("annotator", "")):
            further = () if stated else _further_questions(paths, options, readings)
            return replace(found, further=tuple(further))
        if found.is_guesswork:
            names = [*dict.fromkeys(chain(*(one.annotators for one in found.layers)))]
            labels = {*chain(*(one.categories for one in found.layers))}
            why.append(sentence_on_roles(paths[0].name, names, labels))
        elif 2 * found.n_rejected <= found.n_read or not why:
            alone = alone or found
    if alone is not None:
        return alone
    if paths[0].suffix.lower() in (*JSON, *JSON_LINES) and _UNRECOGNISED in why[0]:
        why[:0] = filter(None, [sentence_on_records(paths[0])])
    if unnamed := "" if stated else sentence_on_rows(files):
        raise DataError(unnamed)
    first, *others = why
    is_text = _UNRECOGNISED in first and paths[0].suffix.lower() == ".txt"  # a table, perhaps
    if _LACKING in first or is_text:
        first = next((one for one in others if _LACKING not in one), first)
    if first in of_shapes and _LACKING not in first:
        raise DataError(question_on_table(files, stated) or of_shapes[first])
    raise DataError(first)


def _further_questions(
    paths: Sequence[Path],
    chosen: Mapping[str, str],
    readings: Iterator[tuple[str, dict[str, str]]],
) -> Iterator[str]:
    """Yield the commands of the next readings that differ in the columns of the labels only."""
    taken = {*chosen.get("annotator", "").split(",")}
    of_labels = "label" in chosen
    n = 0
    for format, options in readings:
        own = {*options.get("annotator", "").split(",")}
        rest = [{k: v for k, v in one.items() if k != "label"} for one in (chosen, options)]
        is_alike = rest[0] == rest[1] if of_labels else len(own) == len(taken) > 1
        if not is_alike or n == _MOST_FURTHER:
            return
        if of_labels or own.isdisjoint(taken):
            with suppress(ValueError):
                found = _read(paths, format, options, None)
                if found.is_certain and options != chosen:
                    n += 1
                    yield from map(found.command, found.measurable)


def _read_usual_features(
    paths: Sequence[Path], format: str, options: Mapping[str, str], shape: Shape | None
) -> Look:
    """Read; where a layer has several features, the one that has most values is its category."""
    try:
        return _read(paths, format, options, shape)
    except SeveralFeaturesError as error:
        return _read(paths, format, {**options, "category": error.usual}, shape)


def _read(
    paths: Sequence[Path], format: str, options: Mapping[str, str], shape: Shape | None
) -> Look:
    shape = shape if shape is not None and options.get("query") == shape.query else None
    described: list[TableDescription] = []
    reading = Reading(format=format, options=options)
    with listening(described.append):
        shard = OneShard(open_exports(paths, reading, unnamed=True), reading, table="labels")
    layers = [
        *(_seen_labels(shard, one) for one in shard.contents.labels.values()),
        *(_seen_units(shard, one) for one in shard.contents.units.values()),
    ]
    if not layers:
        require_no_rejected(shard.rejected)
    doubts = warnings_on_reading(shard.notes, {who for one in layers for who in one.annotators})
    for one in shard.contents.labels.values():
        matrix = LayerRows(shard.store, shard.key, LayerSpec.of(one)).matrix()
        doubts += warnings_on_labels(matrix)
    if format == AUTO:
        several = " + ".join(sorted(shard.notes.files_by_format))
        format = TABLE if described else several or _detected(paths[0])
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
        frozenset(shard.notes.named.get("annotator_columns", ())),
        shape,
    )


def _detected(path: Path) -> str:
    try:
        return detect_reader(path).NAME
    except DataError:
        return AUTO


def _seen_labels(shard: OneShard, layer: LayerContents) -> SeenLayer:
    matrix = LayerRows(shard.store, shard.key, LayerSpec.of(layer)).matrix()
    shared = int(((matrix.codes >= 0).sum(axis=1) > 1).sum()) if share_a_category(layer) else 0
    return _seen(layer, "labels", shared, unlike_annotators(layer, matrix))


def _seen_units(shard: OneShard, layer: LayerContents) -> SeenLayer:
    rows = shard.store.accepted_rows(shard.key, "units")
    of_document: dict[str, set[str]] = {}
    names = (rows[name].to_pylist() for name in ("document", "annotator", "layer"))
    for document, annotator, own in zip(*names, strict=True):
        if own == layer.name or len(shard.contents.units) == 1:
            of_document.setdefault(document, set()).add(annotator)
    return _seen(layer, "units", sum(len(who) > 1 for who in of_document.values()))


def _seen(
    layer: LayerContents,
    table: Literal["labels", "units"],
    n_shared: int,
    unlike: Sequence[str] = (),
) -> SeenLayer:
    annotators = layer.annotators(Role.HUMAN)
    return SeenLayer(
        layer.name,
        table,
        {name: sum(layer.rows.get(name, {}).values()) for name in annotators},
        {name: layer.role(name) for name in layer.rows if layer.role(name) != Role.HUMAN},
        sort_categories({*layer.counts()}),
        n_shared,
        tuple(unlike),
    )


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
