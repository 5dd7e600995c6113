"""The labels of an export in memory: the input of `accordeur agree` and `resample`.

Valid rows of a table stay columns throughout; the others are checked one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..blocks import Block
from ..errors import DataError
from ..label_sets import set_name
from ..readers.base import GENERAL_OPTIONS, PATH_LAYOUTS, SourceOptions
from ..readers.bregeon import READER as BREGEON
from ..readers.common.layers import CategoryFeatures
from ..readers.common.spans import Problem
from ..readers.notes import SourceNotes
from ..readers.registry import AUTO
from ..readers.sources import read_sources
from ..readers.tables.cells import item_count
from ..readers.tables.given import Given, GivenTable
from ..readers.tables.layout import COUNT
from ..readers.tables.reader import DELIMITED, open_rows
from ..regular_files import require_regular
from ..row_account import RowTally
from ..schema import (
    FINISHED_STATES,
    Assignment,
    ExclusionReason,
    Label,
    Rejected,
    Relation,
    Role,
    Unit,
)
from .accepted import Account, Sieve, require_no_rejected

_TABLE = "table"
_COLUMNS = {"item", "annotator", "label", "document", COUNT, "layout"}
_MOST_LABELS = 10_000_000  # limit for tables with counts, whose items are all held in memory


class UnitsOnlyError(DataError):
    """The export has units, but labels are required."""


@dataclass(frozen=True, slots=True)
class LabelTable:
    """One entry per label, in the order of the file; all strings.

    `documents` is None when the file itself is the only document; `rejected` are the rejected rows.
    `tally` has the fate of every row of the export except these labels.
    `systems` are the systems whose labels are kept; the tally counts their rows as system rows.
    `later` holds the labels of the same annotators in later annotation passes.
    `sets`: items may have several labels or none, and `labels` holds the names of the sets
    (`data.label_sets`).
    """

    items: list[str]
    annotators: list[str]
    labels: list[str]
    documents: list[str] | None = None
    rejected: list[Rejected] = field(default_factory=list)
    tally: RowTally = field(default_factory=RowTally)
    settings: Mapping[str, str] = field(default_factory=dict)
    sets: bool = False
    notes: SourceNotes = field(default_factory=SourceNotes)
    systems: tuple[str, ...] = ()
    later: list[Label] = field(default_factory=list)

    def as_sets(self) -> LabelTable:
        """Return the same table with each single label as a set of one label."""
        if self.sets:
            return self
        return replace(self, labels=[set_name([label]) for label in self.labels], sets=True)

    def account(self) -> Account:
        """Return the account of the rows, in which the labels themselves have no fate yet."""
        tally = self.tally.copy()
        tally.per = "item"
        return Account(tally, self.rejected, self.settings)


def read_labels(
    paths: Given | Sequence[Given],
    *,
    format: str = AUTO,
    options: Mapping[str, str] | None = None,
    layer: str | None = None,
    tagset: Sequence[str] = (),
    roles: Mapping[str, Role] | None = None,
    with_systems: bool = False,
) -> LabelTable:
    """Read the labels that humans gave on the first pass, in one export or several taken as one.

    options  options of the format; for a table they name the columns item, annotator, label and
             document, and the column `count` of a wide table, where each row stands for that many
             items
    layer    required when the export holds several
    tagset   the categories that labels may have; empty: any
    roles    roles of annotators, where the export does not state them
    with_systems  also keep the labels of systems

    Rows are rejected by the same rules as in a run (`accepted`); annotators are excluded from
    documents that they did not finish. Raises DataError for a missing column, naming the columns
    found, and when no label is left.
    """
    given = list(paths) if isinstance(paths, Sequence) else [paths]
    for path in given:
        if isinstance(path, GivenTable):
            continue
        require_regular(path)
        if not path.exists() and not _is_pattern(path):
            raise DataError(f"{path}: no such file or folder")
    own = dict(options or {})
    of_format = {key: value for key, value in own.items() if key not in GENERAL_OPTIONS}
    if format == AUTO and len(given) == 1 and _is_table(given[0], of_format):
        format = _TABLE
    if COUNT in own:
        _require_few(given, own[COUNT])
    options_of_all = SourceOptions(
        extra=own, roles=roles or {}, categories=CategoryFeatures(measured=layer)
    )
    return _read(given, format, options_of_all, layer, tagset, with_systems)


def _is_table(path: Given, options: Mapping[str, str]) -> bool:
    """Return whether the input can only be a table, so that errors may name its missing columns."""
    return (
        isinstance(path, Path)
        and path.is_file()
        and path.suffix.lower() in DELIMITED
        and options.keys() <= _COLUMNS
        and options.get("layout") not in PATH_LAYOUTS
        and (bool(options) or not BREGEON.probe(path))
    )


def _require_few(paths: Sequence[Given], column: str) -> None:
    """Raise DataError when the counts of wide tables give more items than memory can hold."""
    n_items = 0
    for path in paths:
        opened = open_rows(path) if isinstance(path, Path) and path.is_file() else None
        if opened is None or column not in opened.header:
            continue
        at = opened.header.index(column)
        for _, row in opened.rows():
            count = item_count(row[at]) if isinstance(row, list) and at < len(row) else 0
            n_items += 0 if isinstance(count, Problem) else count
        if n_items * (len(opened.header) - 1) > _MOST_LABELS:
            raise DataError(
                f"{path.name}: the counts expand to {n_items:,} items, more than this command "
                "can hold in memory; use `accordeur run`"
            )


def _is_pattern(path: Path) -> bool:
    return any(sign in str(path) for sign in "*?[")


@dataclass(slots=True)
class _Columns:
    """Columns of the labels of the first pass that keep every rule."""

    documents: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    annotators: list[str] = field(default_factory=list)
    labels: list[tuple[str, ...]] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)

    def add(self, label: Label) -> None:
        self.documents.append(label.document)
        self.items.append(label.item)
        self.annotators.append(label.annotator)
        self.labels.append(label.labels)
        self.layers.append(label.layer)

    def add_block(self, block: Block) -> None:
        names = ("document", "item", "annotator", "labels", "layer")
        for values, name in zip(self._all(), names, strict=True):
            values.extend(block.column(name))

    def keep(self, rows: Sequence[int]) -> None:
        """Keep only the rows that are marked."""
        if len(rows) < len(self.items):
            for values in self._all():
                values[:] = [values[k] for k in rows]

    def _all(self) -> tuple[list[Any], ...]:
        return self.documents, self.items, self.annotators, self.labels, self.layers


def _read(
    paths: Sequence[Given],
    format: str,
    options: SourceOptions,
    layer: str | None,
    tagset: Sequence[str],
    with_systems: bool,
) -> LabelTable:
    sieve = Sieve(tagset)
    tally = sieve.tally
    found = _Columns()
    unfinished: set[tuple[str, str]] = set()
    others: dict[str, str] = {}  # systems and references, by their role
    later: list[Label] = []
    has_units = False
    for row in sieve.accepted(read_sources(paths, format, options)):
        match row:
            case Block():
                found.add_block(row)
            case Label() if row.pass_ == 1:
                found.add(row)
            case Label():
                later.append(row)
            case Relation():
                tally.exclude(ExclusionReason.OTHER_KIND)
            case Assignment(role=Role.SYSTEM | Role.REFERENCE):
                others[row.annotator] = row.role
            case Assignment() if row.state not in FINISHED_STATES:
                unfinished.add((row.document, row.annotator))
            case Unit():
                has_units = True
                tally.exclude(ExclusionReason.OTHER_KIND)
    options.notes.n_conflicting_labels += sieve.n_conflicting
    path = ", ".join(map(str, paths))
    wanted = _layer(path, sorted(set(found.layers)), layer)
    kept = []
    rows = zip(found.layers, found.documents, found.annotators, strict=True)
    for k, (own_layer, document, annotator) in enumerate(rows):
        if own_layer != wanted:
            tally.exclude(ExclusionReason.OTHER_LAYER)
        elif annotator in others:
            tally.set_apart(others[annotator])
            if with_systems and others[annotator] == Role.SYSTEM:
                kept.append(k)
        elif unfinished and (document, annotator) in unfinished:
            tally.exclude(ExclusionReason.UNFINISHED)
        else:
            kept.append(k)
    found.keep(kept)
    n_of_systems = sum(others.get(one.annotator) == Role.SYSTEM for one in later)
    n_apart = n_of_systems if with_systems else 0
    tally.exclude(ExclusionReason.LATER_PASS, len(later) - n_apart)
    tally.set_apart(Role.SYSTEM, n_apart)
    if not found.items:
        require_no_rejected(sieve.rejected)
        if has_units:
            raise UnitsOnlyError(
                f"{path}: holds units, not labels; try `accordeur gamma`, or `accordeur replace` "
                "with --alignment exact_f"
            )
        has_rows = format != _TABLE or any(next(open_rows(one).rows(), None) for one in paths)
        raise DataError(f"{path}: {'has no label' if has_rows else 'has a header and no rows'}")
    sets = any(len(labels) != 1 for labels in found.labels)
    only, annotators = {paths[0].stem}, {*found.annotators}
    return LabelTable(
        found.items,
        found.annotators,
        [set_name(labels) if sets else labels[0] for labels in found.labels],
        found.documents if tally.references or set(found.documents) != only else None,
        sieve.rejected,
        tally,
        options.read_as().settings(wanted),
        sets,
        options.notes,
        tuple(sorted(annotators & others.keys())),
        [one for one in later if one.layer == wanted and one.annotator in annotators],
    )


def _layer(path: str, layers: Sequence[str], wanted: str | None) -> str:
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
