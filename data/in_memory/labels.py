"""The labels of an export in memory: the input of `accordeur agree` and `resample`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from ..blocks import Rows
from ..columns import coded_column, rows_where, scalar
from ..errors import DataError
from ..label_sets import EMPTY, set_name
from ..option_names import option
from ..readers.base import GENERAL_OPTIONS, PATH_LAYOUTS, SourceOptions
from ..readers.bregeon import READER as BREGEON
from ..readers.common.category_features import CategoryFeatures
from ..readers.common.spans import Problem
from ..readers.foreign_tools import foreign_tool_message
from ..readers.notes import SourceNotes
from ..readers.registry import AUTO
from ..readers.sources import read_sources
from ..readers.tables.cells import parse_item_count
from ..readers.tables.column_names import COUNT
from ..readers.tables.given import Given, GivenTable
from ..readers.tables.reader import DELIMITED, open_table
from ..row_account import ExportAccount, RowTally, require_no_rejected
from ..schema import Label, Rejected, Role
from ..untrusted.files import require_regular
from ..validation.fates import Standing, are_by_annotators, rows_of_layer
from ..validation.preparation import accepted_rows
from ..validation.raw_rows import UNNAMED_LAYER
from ..validation.rules import ObjectReader

_TABLE = "table"
_LABEL = ("document", "item", "annotator", "labels", "layer", "pass")  # the fields of a `Label`
_COLUMNS = {"item", "annotator", "label", "document", COUNT, "layout"}
_MOST_LABELS = 10_000_000  # limit for tables with counts, whose items are all held in memory


class NoLabelsError(DataError):
    """The export has no label that can be measured."""


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

    items: Sequence[str]
    annotators: Sequence[str]
    labels: Sequence[str]
    documents: Sequence[str] | None = None
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

    def account(self) -> ExportAccount:
        """Return the account of the rows, in which the labels themselves have no fate yet."""
        tally = self.tally.copy()
        tally.per = "item"
        return ExportAccount(tally, self.rejected, self.settings)


def read_labels(
    paths: Given | Sequence[Given],
    *,
    format: str = AUTO,
    options: Mapping[str, str] | None = None,
    layer: str | None = None,
    tagset: Sequence[str] = (),
    roles: Mapping[str, Role] | None = None,
    with_systems: bool = False,
    objects: ObjectReader | None = None,
    unnamed: bool = False,
) -> LabelTable:
    """Read the labels that humans gave on the first pass, in one export or several taken as one.

    options  options of the format; for a table they name the columns item, annotator, label and
             document, and the column `count` of a wide table, where each row stands for that many
             items
    layer    required when the export holds several
    tagset   the categories that labels may have; empty: any
    roles    roles of annotators, where the export does not state them
    with_systems  also keep the labels of systems
    objects  what reads the labels as objects; None: they are categories
    unnamed  whether a table may count annotators without naming them

    Rows are rejected as in a run (`data.validation.preparation`); annotators are excluded from
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
        extra=own,
        roles=roles or {},
        categories=CategoryFeatures(measured=layer),
        unnamed=unnamed,
    )
    name = ", ".join(map(str, given))
    try:
        return labels_of_rows(
            read_sources(given, format, options_of_all),
            options_of_all,
            export_name=name,
            layer=layer,
            tagset=tagset,
            with_systems=with_systems,
            objects=objects,
            implied_document=given[0].stem,
        )
    except NoLabelsError:
        if format == _TABLE and not any(next(open_table(one).rows(), None) for one in given):
            raise DataError(f"{name}: has a header and no rows") from None
        raise


def _is_table(path: Given, options: Mapping[str, str]) -> bool:
    """Return whether the input can only be a table, so that errors may name its missing columns."""
    return (
        isinstance(path, Path)
        and path.is_file()
        and path.suffix.lower() in DELIMITED
        and options.keys() <= _COLUMNS
        and options.get("layout") not in PATH_LAYOUTS
        and (bool(options) or not (BREGEON.probe(path) or foreign_tool_message(path)))
    )


def _require_few(paths: Sequence[Given], column: str) -> None:
    """Raise DataError when the counts of wide tables give more items than memory can hold."""
    n_items = 0
    for path in paths:
        opened = open_table(path) if isinstance(path, Path) and path.is_file() else None
        if opened is None or column not in opened.header:
            continue
        at = opened.header.index(column)
        for _, row in opened.rows():
            count = parse_item_count(row[at]) if isinstance(row, list) and at < len(row) else 0
            n_items += 0 if isinstance(count, Problem) else count
        if n_items * (len(opened.header) - 1) > _MOST_LABELS:
            raise DataError(
                f"{path.name}: the counts expand to {n_items:,} items, more than this command "
                "can hold in memory; use `accordeur run`"
            )


def _is_pattern(path: Path) -> bool:
    return any(sign in str(path) for sign in "*?[")


def labels_of_rows(
    rows: Iterable[Rows],
    options: SourceOptions,
    *,
    export_name: str,
    layer: str | None = None,
    tagset: Sequence[str] = (),
    with_systems: bool = False,
    objects: ObjectReader | None = None,
    implied_document: str = "",
) -> LabelTable:
    """Return the labels among rows, as `read_labels` does.

    options           the options that the rows are read with
    export_name       the name of the export in messages
    implied_document  name of a document that is not kept when it is the only one
    """
    layer = UNNAMED_LAYER["labels"] if layer == "" else layer
    accepted = accepted_rows(rows, tagset=tagset, layer=layer, objects=objects)
    tally, rejected = accepted.tally(), accepted.rejected_records()
    options.notes.n_conflicting_labels += accepted.n_conflicting_labels()
    wanted, given = rows_of_layer(
        accepted, "labels", tally, lambda first: _layer(export_name, first["layer"], layer)
    )
    roles = accepted.roles()
    systems = [who for who, role in roles.items() if role == Role.SYSTEM and with_systems]
    standing = Standing.of(given, accepted.unfinished(wanted))
    is_first = standing.is_first
    is_measurable = standing.count(tally, given, roles)
    kept = rows_where(given, is_measurable | (is_first & are_by_annotators(given, systems)))
    if not kept.num_rows:
        if accepted.tables["units"].num_rows:
            raise UnitsOnlyError(
                f"{export_name}: holds units, not labels; try `accordeur gamma`, or "
                f"`accordeur replace` with {option('alignment', 'exact_f')}"
            )
        require_no_rejected(rejected)
        raise NoLabelsError(f"{export_name}: has no label")
    single = pc.all(pc.equal(pc.list_value_length(kept["labels"]), scalar(1))).as_py()
    name_of = set_name if objects is None else _object_name
    documents, annotators = coded_column(kept["document"]), coded_column(kept["annotator"])
    annotator_names = sorted({*annotators.texts})
    later = rows_where(given, ~is_first & are_by_annotators(given, annotator_names))
    columns = (later[one].to_pylist() for one in _LABEL)
    return LabelTable(
        coded_column(kept["item"]),
        annotators,
        coded_column(pc.list_flatten(kept["labels"]))
        if single
        else [*map(name_of, kept["labels"].to_pylist())],
        documents if tally.references or {*documents.texts} != {implied_document} else None,
        rejected,
        tally,
        options.read_as().renamed({"": UNNAMED_LAYER["labels"]}).settings(wanted),
        not single and objects is None,
        options.notes,
        tuple(who for who in annotator_names if who in systems),
        [Label(*row) for row in zip(*columns, strict=True)],
    )


def _object_name(labels: Sequence[str]) -> str:
    """Return the text of an object: the one label, or the name of the empty set."""
    return labels[0] if labels else EMPTY


def _layer(name: str, held: pa.ChunkedArray, wanted: str | None) -> str:
    layers = sorted(pc.unique(held).to_pylist())
    if wanted is None and len(layers) > 1:
        raise DataError(
            f"{name}: holds several layers of labels ({', '.join(map(repr, layers))}): choose one "
            f"with {option('layer')}"
        )
    if wanted is not None and layers and wanted not in layers:
        raise DataError(
            f"{name}: no layer {wanted!r} of labels; it holds {', '.join(map(repr, layers))}"
        )
    return wanted if wanted is not None else next(iter(layers), "")
