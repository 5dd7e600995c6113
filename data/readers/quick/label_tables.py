"""The light path of `accordeur agree` and `resample`: labels straight to columns, without a store.

A plain CSV goes column by column (`label_columns`), in a seventh of the time; what columns cannot
say all of (another format, layers, passes, a row to set aside) goes through the format's reader.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from pathlib import Path

import numpy as np

from ...errors import DataError
from ...label_sets import set_name
from ...schema import Assignment, ExclusionReason, Label, Relation, Role, State, Unit
from ..base import FOLDER_LAYOUTS, SourceOptions
from ..bregeon import READER as BREGEON
from ..common.layers import CategoryFeatures
from ..registry import AUTO, read_sources
from ..tables.layout import COUNT
from ..tables.rows import DELIMITED
from .accepted import Sieve, require_none
from .label_columns import LabelTable, plain_labels

_TABLE = "table"
_FINISHED = (State.FINISHED, State.FINISHED_EMPTY)
_LIGHT_OPTIONS = {"item", "annotator", "label", "document", COUNT, "layout"}


def read_labels(
    paths: Path | Sequence[Path],
    *,
    format: str = AUTO,
    options: Mapping[str, str] | None = None,
    layer: str | None = None,
    tagset: Sequence[str] = (),
    roles: Mapping[str, Role] | None = None,
) -> LabelTable:
    """The labels of humans in an export, or in several as one, those of the first pass.

    options  of the format; those of a table give its own names of the columns item, annotator,
             label, document, and the column `count` of a wide table, of which each row is then so
             many items
    layer    needed when the export holds several
    tagset   the categories that labels may have; empty: any
    roles    of annotators, where the export does not say them

    A row is set aside where a run would refuse it (`accepted`); the annotators of an
    unfinished document are left out with their labels. Raises DataError naming the missing column
    and the columns found, or when no label is left.
    """
    given = [paths] if isinstance(paths, Path) else list(paths)
    for path in given:
        if not path.exists() and not _is_pattern(path):
            raise DataError(f"{path}: no such file or folder")
    path = given[0]
    own = dict(options or {})
    if (
        format in (AUTO, _TABLE)
        and len(given) == 1
        and own.get("layout") not in FOLDER_LAYOUTS
        and path.is_file()
        and path.suffix.lower() in DELIMITED
        and own.keys() <= _LIGHT_OPTIONS
        and (own or not BREGEON.probe(path))
    ):
        format = _TABLE
        light = None if layer is not None or roles else plain_labels(path, own)
        if light is not None and _is_clean(light, tagset):
            return light
    options_of_all = SourceOptions(
        extra=own, roles=roles or {}, categories=CategoryFeatures(measured=layer)
    )
    return _through_reader(given, format, options_of_all, layer, tagset)


def _is_pattern(path: Path) -> bool:
    return any(sign in str(path) for sign in "*?[")


def _is_clean(table: LabelTable, tagset: Sequence[str]) -> bool:
    """Whether no row would be set aside; two labels are told apart by the hash of who and what.

    Equal hashes of two that differ cost the longer way, no error.
    """
    if tagset and not set(table.labels) <= set(tagset):
        return False
    keys = zip(table.documents or repeat(""), table.items, table.annotators, strict=False)
    hashes = np.fromiter(map(hash, keys), dtype=np.int64, count=len(table.items))
    hashes.sort()
    return not (hashes[1:] == hashes[:-1]).any()


def _through_reader(
    paths: Sequence[Path],
    format: str,
    options: SourceOptions,
    layer: str | None,
    tagset: Sequence[str],
) -> LabelTable:
    """The same of any format, row by row."""
    sieve = Sieve(tagset)
    tally = sieve.tally
    labels: list[Label] = []
    unfinished: set[tuple[str, str]] = set()
    others: dict[str, str] = {}  # systems and references, by their role
    has_units = False
    for record in sieve.accepted(read_sources(paths, format, options)):
        match record:
            case Label() if record.pass_ == 1:
                labels.append(record)
            case Label():
                tally.exclude(ExclusionReason.LATER_PASS)
            case Relation():
                tally.exclude(ExclusionReason.OTHER_KIND)
            case Assignment(role=Role.SYSTEM | Role.REFERENCE):
                others[record.annotator] = record.role
            case Assignment() if record.state not in _FINISHED:
                unfinished.add((record.document, record.annotator))
            case Unit():
                has_units = True
                tally.exclude(ExclusionReason.OTHER_KIND)
    path = ", ".join(map(str, paths))
    wanted = _layer(path, labels, layer)
    read, labels = labels, []
    for label in read:
        if label.layer != wanted:
            tally.exclude(ExclusionReason.OTHER_LAYER)
        elif label.annotator in others:
            tally.set_apart(others[label.annotator])
        elif (label.document, label.annotator) in unfinished:
            tally.exclude(ExclusionReason.UNFINISHED)
        else:
            labels.append(label)
    if not labels:
        require_none(sieve.refused)
        raise DataError(
            f"{path}: units and no label in it; try `accordeur gamma`"
            if has_units
            else f"{path}: no label in it"
        )
    sets = any(len(label.labels) > 1 for label in labels)
    documents = [label.document for label in labels]
    return LabelTable(
        [label.item for label in labels],
        [label.annotator for label in labels],
        [set_name(label.labels) if sets else label.labels[0] for label in labels],
        documents if tally.references or set(documents) != {paths[0].stem} else None,
        sieve.refused,
        tally,
        options.read_as().settings(wanted),
        sets,
        options.notes,
    )


def _layer(path: str, labels: Sequence[Label], wanted: str | None) -> str:
    layers = sorted({label.layer for label in labels})
    if wanted is None and len(layers) > 1:
        raise DataError(
            f"{path}: holds several layers of labels ({', '.join(map(repr, layers))}): choose one "
            "with --layer"
        )
    if wanted is not None and layers and wanted not in layers:
        raise DataError(
            f"{path}: no layer {wanted!r} of labels; it holds {', '.join(map(repr, layers))}"
        )
    return wanted if wanted is not None else next(iter(layers), "")
