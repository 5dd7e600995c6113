"""`accordeur look`: what files are, how they can be read, and the command that measures them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from ...data.errors import DataError
from ...data.readers.common.category_features import SeveralFeaturesError
from ...data.readers.packed import unpacked
from ...data.readers.registry import AUTO
from ...data.readers.tables.description import TableDescription, listening
from ...data.readers.tables.known_shapes import Shape
from ...data.readers.tables.layout import OtherShapeError
from ...data.readers.tables.parts import with_joined_parts
from ...data.readers.tables.reader import JSON, JSON_LINES
from ...data.readers.tables.written_queries import sentence_on_records
from ...data.row_account import require_no_rejected
from ...data.schema import Role
from ...data.untrusted.workbooks import kept_workbooks
from ...metrics.agreement.label_matrix import sort_categories
from ..intake.layer_contents import LayerContents
from ..layer_rows import LayerRows
from ..layers import LayerSpec
from ..ranking.seen_preferences import seen_preferences
from .columns_of_annotators import (
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
from .reading_warnings import warnings_on_reading, warnings_on_rejected
from .scales import is_finite_number
from .seen_files import Look, SeenLayer, detected_format

_LACKING = "missing columns"  # begins what is said of a table whose columns have other names
_UNRECOGNISED = "no format recognises it"  # is said of files of any shape
_NO_VALUE = ("NA", "N/A", "#N/A", "<NA>", "nan", "NaN", "NULL", "null")  # as programs write it
_MISSING, _MANY_MISSING = "missing_as_category", 0.3  # of the labels
_MOST_FURTHER = 5  # questions
_BRAT = "brat"
_NOTHING: Mapping[str, str] = MappingProxyType({})


def look(paths: Sequence[Path], stated: Mapping[str, str] = _NOTHING) -> Look:
    """Find out what files are, and the options with which they can be measured.

    stated  options that are known, such as columns of a table

    Raises DataError if nothing can be read with any options that were tried.
    """
    with kept_workbooks():
        return _look(paths, stated)


def _look(paths: Sequence[Path], stated: Mapping[str, str]) -> Look:
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
            if stated:
                return found
            found = _without_missing(paths, found)
            if found.format == _BRAT:
                return _with_attributes(paths, found)
            more = {name: found.options[name] for name in found.options.keys() - options.keys()}
            further = _further_questions(paths, found, options, more, readings)
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


def _without_missing(paths: Sequence[Path], found: Look) -> Look:
    """Read `NA` as no label where it is no category: beside numbers alone, or in many cells."""
    written = {str(one.figures["category"]) for one in found.doubts if one.code == _MISSING}
    signs = [one for one in written if one in _NO_VALUE]
    others = {*chain(*(one.categories for one in found.layers))} - written
    if found.format != TABLE or len(signs) != 1 or "missing" in found.options:
        return found
    with suppress(ValueError):
        [sign] = signs
        read = _read(paths, TABLE, {**found.options, "missing": sign}, found.shape)
        n_missing = found.n_labels - read.n_labels
        are_many = n_missing > _MANY_MISSING * found.n_labels
        if read.is_certain and (are_many or all(map(is_finite_number, others))):
            return read
    return found


def _with_attributes(paths: Sequence[Path], found: Look) -> Look:
    """Return what was found in brat's files with the commands for the attributes of its units.

    Where all units are of one category, an attribute is what annotators decided.
    """
    names = dict.fromkeys(chain(*(one.attributes for one in found.layers)))
    others = [_read(paths, AUTO, {**found.options, "category": name}, None) for name in names]
    if others and all(len(one.categories) < 2 for one in found.layers):
        found, *others = *others, found
    return replace(
        found, further=tuple(chain(*(map(one.command, one.measurable) for one in others)))
    )


def _further_questions(
    paths: Sequence[Path],
    first: Look,
    chosen: Mapping[str, str],
    more: Mapping[str, str],
    readings: Iterator[tuple[str, dict[str, str]]],
) -> Iterator[str]:
    """Yield the commands of the next readings that differ in the columns of the labels only.

    first   what was found with the options `chosen`
    more    options that all of them have, too
    """
    known = {*map(first.command, first.measurable)}
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
                found = _read(paths, format, {**options, **more}, None)
                commands = [*map(found.command, found.measurable)]
                if found.is_certain and known.isdisjoint(commands):
                    n += 1
                    known.update(commands)
                    yield from commands


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
    doubts = warnings_on_rejected(shard.rejected)
    doubts += warnings_on_reading(shard.notes, {who for one in layers for who in one.annotators})
    for one in shard.contents.labels.values():
        doubts += warnings_on_labels(LayerRows(shard.store, shard.key, LayerSpec.of(one)).matrix())
    if format == AUTO:
        several = " + ".join(sorted(shard.notes.files_by_format))
        format = TABLE if described else several or detected_format(paths[0])
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


def _seen_labels(shard: OneShard, layer: LayerContents) -> SeenLayer:
    matrix = LayerRows(shard.store, shard.key, LayerSpec.of(layer)).matrix()
    shared = int(((matrix.codes >= 0).sum(axis=1) > 1).sum()) if share_a_category(layer) else 0
    return _seen(layer, "labels", shared, unlike_annotators(layer, matrix))


def _seen_units(shard: OneShard, layer: LayerContents) -> SeenLayer:
    rows = shard.store.accepted_rows(shard.key, "units")
    of_document: dict[str, set[str]] = {}
    given: dict[str, Counter[str]] = {}
    names = ("document", "annotator", "layer", "attributes")
    for document, annotator, own, pairs in zip(*(rows[n].to_pylist() for n in names), strict=True):
        if own == layer.name or len(shard.contents.units) == 1:
            of_document.setdefault(document, set()).add(annotator)
            for pair in pairs or ():
                given.setdefault(pair["name"], Counter()).update([pair["value"].partition("\t")[0]])
    n_shared = sum(len(who) > 1 for who in of_document.values())
    decided = {name: own for name, own in given.items() if 1 < len(own) <= own.total() / 2}
    attributes = sorted(decided, key=lambda name: -decided[name].total())
    return replace(_seen(layer, "units", n_shared), attributes=tuple(attributes))


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
        sort_categories(layer.single_labels()),
        n_shared,
        tuple(unlike),
    )
