"""The labels of one layer of exports, for quick looks: read as one shard of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa

from ...data.errors import DataError
from ...data.option_names import option
from ...data.readers.base import general_and_own
from ...data.readers.common.span_rules import Problem
from ...data.readers.foreign_tools import foreign_tool_message
from ...data.readers.formats.bregeon import READER as BREGEON
from ...data.readers.notes import SourceNotes
from ...data.readers.registry import AUTO
from ...data.readers.tables.cells import parse_item_count
from ...data.readers.tables.column_names import COUNT
from ...data.readers.tables.given import Given, GivenTable
from ...data.readers.tables.reader import DELIMITED, open_table
from ...data.row_account import ExportAccount, rejection_summary, require_no_rejected
from ...data.untrusted.files import require_regular
from ...data.validation.rule import ObjectReader
from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.coded_warning import CodedWarning
from ...metrics.estimate import Estimate, add_reading_settings
from ...metrics.item_name import ItemName, place_of_item
from ..intake.layer_contents import LayerContents
from ..item_names import bare_item_names
from ..layer_rows import LayerRows
from ..layers import LayerSpec
from .data_warnings import warnings_on_matrix
from .one_shard import OneShard, open_exports
from .reading_options import Reading
from .reading_warnings import warnings_on_reading
from .results_of_exports import ExportResults

_TABLE = "table"
_COLUMNS = {"item", "annotator", "label", "document", COUNT, "layout"}
_MOST_LABELS = 10_000_000  # limit for tables with counts, whose items are all held in memory


class NoLabelsError(DataError):
    """The export has no label that can be measured."""


class UnitsOnlyError(DataError):
    """The export has units, but labels are required."""


@dataclass(frozen=True, slots=True)
class ExportedLabels:
    """The labels of one layer of exports, in a shard that the functions of a run read.

    implied_document  name of the document if the exports name none: that of the first file
    """

    shard: OneShard
    contents: LayerContents
    rows: LayerRows
    implied_document: str

    @property
    def layer(self) -> LayerSpec:
        return self.rows.layer

    @property
    def settings(self) -> Mapping[str, str]:
        """How the layer was read, for the signatures of its measures."""
        found = self.shard.settings(self.contents)
        return {**found, "informative": "excluded"} if self.layer.adaptive else found

    def as_sets(self) -> ExportedLabels:
        """Return the same with each single label as a set of one label."""
        layer = LayerSpec.of(self.contents, sets=True)
        return self.with_layer(replace(layer, adaptive=self.layer.adaptive))

    def with_layer(self, layer: LayerSpec) -> ExportedLabels:
        """Return the same rows with another specification of their layer."""
        return replace(self, rows=LayerRows(self.shard.store, self.shard.key, layer))

    @property
    def names_documents(self) -> bool:
        """Whether the exports name documents; else the file itself is the only one."""
        documents = self.shard.store.accepted_rows(self.shard.key, "documents")
        tally = self.shard.accepted.tally()
        return bool(tally.references) or documents["document"].to_pylist() != [
            self.implied_document
        ]

    @property
    def notes(self) -> SourceNotes:
        return self.shard.notes

    def matrix_with_documents(self) -> LabelMatrix:
        """Return the same labels, with items that `item_names.place_of_item` reads.

        The document of an item is "" if the file itself is the only one.
        """
        matrix = self.rows.matrix()
        if self.names_documents:
            return matrix
        items = tuple(ItemName("", place_of_item(name)[1]) for name in matrix.items)
        return replace(matrix, items=items, documents=None)

    def account(self, *, common: pa.Table | None = None, fewest: int = 2) -> ExportAccount:
        """Return the account of all rows; `common` and `fewest` as in `LayerRows.count`."""
        tally = self.shard.tally_of_others(self.contents)
        self.rows.count(tally, self.shard.roles, common=common, fewest=fewest)
        return ExportAccount(tally, self.shard.rejected, self.settings)

    def passes(self) -> dict[str, LabelMatrix]:
        """Return the passes of each annotator who has several, as columns of a matrix."""
        from ..passes import passes_of_layer

        return passes_of_layer(self.shard.store, [self.shard.key], self.layer)

    def warnings(
        self,
        *,
        distance: Distance | None,
        distance_name: str = "",
        matrix: LabelMatrix | None = None,
    ) -> list[CodedWarning]:
        """Return what a user should know of the labels, and of how they were read.

        distance, distance_name  as in `warnings_on_matrix`
        matrix  the labels that agreement is computed on, if the caller has them
        """
        if matrix is None:
            matrix = self.rows.matrix()
        return [
            *warnings_on_reading(self.notes, matrix.annotators),
            *warnings_on_matrix(matrix, distance=distance, distance_name=distance_name),
        ]

    def require_two_annotators(self) -> None:
        """Raise DataError unless there are labels from at least two annotators."""
        annotators = self.layer.humans
        if len(annotators) >= 2:
            return
        rejected = self.shard.rejected
        if not annotators:
            require_no_rejected(rejected)  # they say why nobody is left
        who = next(iter(annotators), "nobody")
        without = f" ({rejection_summary(rejected)})" if rejected else ""
        judged = ""
        if self.layer.systems:
            judged = (
                "; no coefficient is computed between a system and an annotator: score the system "
                "(`accordeur score`), or see whether it may replace one of three or more "
                "annotators (`accordeur replace`)"
            )
        raise DataError(
            f"{self.shard.where}: one annotator only ({who}); agreement needs two or more{without}"
            f"{judged}"
        )


class MeasuredLabels:
    """The labels of exports that agreement is computed on, with the account of all rows."""

    def __init__(self, labels: ExportedLabels) -> None:
        """Raise DataError if only one annotator provides labels."""
        labels.require_two_annotators()
        matrix = labels.rows.matrix()
        if matrix.documents_to_resample is None:  # one document says nothing about others
            matrix = replace(matrix, documents=None, items=tuple(bare_item_names(matrix)))
        self.labels, self.matrix, self.account = labels, matrix, labels.account()

    def results(
        self,
        estimates: Sequence[Estimate],
        *,
        distance: Distance | None = None,
        distance_name: str = "",
    ) -> ExportResults:
        """Return values of the labels with their account and all warnings.

        distance, distance_name  as in `warnings_on_matrix`
        """
        remarks = self.labels.warnings(
            matrix=self.matrix, distance=distance, distance_name=distance_name
        )
        found = add_reading_settings(estimates, self.account.settings)
        return ExportResults(found, self.account.rows, self.account.rejected, remarks)


def read_exported_labels(
    paths: Given | Sequence[Given],
    reading: Reading,
    *,
    sets: bool = False,
    complete: bool = False,
    queue: Path | None = None,
    objects: ObjectReader | None = None,
    unnamed: bool = False,
) -> ExportedLabels:
    """Read the labels of one layer, in one export or several taken as one.

    sets     whether single labels are sets of one, too; items with several labels always are sets
    complete whether agreement is computed on the items that every annotator labelled
    queue    queue of `accordeur next`, whose labels chosen as informative are excluded
    objects  what reads the labels as objects; None: they are categories
    unnamed  whether a table may count annotators without naming them

    Rows are rejected as in a run (`data.validation.preparation`). Raises DataError for a missing
    column, naming the columns found, for a layer that must be chosen, when no label is left, and
    in strict mode for the first rejected row.
    """
    given = list(paths) if isinstance(paths, Sequence) else [paths]
    reading = _with_format(reading, given)
    exports = open_exports(given, reading, unnamed=unnamed)
    shard = OneShard(exports, reading, table="labels", objects=objects, queue=queue)
    _require_labels(shard, given, reading.format)
    contents = shard.layer("labels", reading.layer)
    if contents is None:
        raise NoLabelsError(f"{shard.where}: has no label")
    layer = _layer_of(shard, contents, reading, sets, complete)
    rows = LayerRows(shard.store, shard.key, layer)
    return ExportedLabels(shard, contents, rows, given[0].stem)


def read_layers_of_labels(
    paths: Given | Sequence[Given],
    reading: Reading,
    *,
    sets: bool = False,
    complete: bool = False,
    queue: Path | None = None,
    objects: ObjectReader | None = None,
) -> list[ExportedLabels]:
    """Read the labels of every layer, in the order of their names; `read_exported_labels` of one.

    Raises DataError as it does.
    """
    given = list(paths) if isinstance(paths, Sequence) else [paths]
    reading = _with_format(reading, given)
    exports = open_exports(given, reading, unnamed=True)
    shard = OneShard(exports, reading, table="labels", objects=objects, queue=queue)
    _require_labels(shard, given, reading.format)
    found = []
    for _, contents in sorted(shard.contents.labels.items()):
        layer = _layer_of(shard, contents, reading, sets, complete)
        rows = LayerRows(shard.store, shard.key, layer)
        found.append(ExportedLabels(shard, contents, rows, given[0].stem))
    return found


def _layer_of(
    shard: OneShard, contents: LayerContents, reading: Reading, sets: bool, complete: bool
) -> LayerSpec:
    """Return the layer to measure, without what a queue chose as informative."""
    layer = LayerSpec.of(contents, declared=reading.categories, sets=sets)
    return replace(layer, complete=complete, adaptive=shard.adaptive)


def _require_labels(shard: OneShard, given: Sequence[Given], format: str) -> None:
    """Raise DataError if the exports have no labels."""
    if shard.contents.labels:
        return
    if shard.contents.units:
        raise UnitsOnlyError(
            f"{shard.where}: holds units, not labels; try `accordeur gamma` (F of spans: "
            f"{option('measure', 'pairwise_f')}), or, for a system among the annotators, "
            f"`accordeur replace` with {option('alignment', 'exact_f')}"
        )
    require_no_rejected(shard.rejected)
    if format == _TABLE and not any(next(open_table(one).rows(), None) for one in given):
        raise DataError(f"{shard.where}: has a header and no rows")
    raise NoLabelsError(f"{shard.where}: has no label")


def _with_format(reading: Reading, paths: Sequence[Given]) -> Reading:
    """Return the format `table` where the paths can be nothing else: errors then name its columns.

    Raises DataError where there is no file, and for counts of too many items.
    """
    for path in paths:
        if isinstance(path, GivenTable):
            continue
        require_regular(path)
        if not path.exists() and not any(sign in str(path) for sign in "*?["):
            raise DataError(f"{path}: no such file or folder")
    own = reading.options
    if COUNT in own:
        _require_few(paths, own[COUNT])
    general, of_format = general_and_own(own)
    is_open = reading.format == AUTO and len(paths) == 1 and "paths" not in general
    return (
        replace(reading, format=_TABLE) if is_open and _is_table(paths[0], of_format) else reading
    )


def _is_table(path: Given, options: Mapping[str, str]) -> bool:
    return (
        isinstance(path, Path)
        and path.is_file()
        and path.suffix.lower() in DELIMITED
        and options.keys() <= _COLUMNS
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
