"""The rows of one layer in a shard: what agreement is computed on, and the fate of every row.

The matrix of a layer of labels and its account come from the same object, for quick looks and
runs, so that the account counts what is measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..data.arrow_columns import are_rows_among, as_numpy, coded_column, rows_where, scalar
from ..data.row_account import RowTally
from ..data.schema import Copy, ExclusionReason, Role
from ..data.store.in_memory import Tables
from ..data.validation.accepted import (
    are_copies,
    assignments_that_are,
    keys_of_copied_assignments,
)
from ..data.validation.fates import (
    Standing,
    are_by_annotators,
    are_finished,
    are_of_assignments,
    are_of_first_pass,
    tally_measured_labels,
    tally_measured_units,
)
from ..data.validation.rule import Mask
from ..metrics.agreement.label_matrix import HUMAN, LabelMatrix
from .item_names import StoredItemNames
from .layers import LayerSpec
from .queues_of_rounds import are_in_cells, cells_not_for_agreement
from .stored_annotations import (
    ItemsOfRows,
    labels_of_items,
    matrix_of_rows,
    with_positions_as_items,
)

_WHO = ["document", "annotator"]
_OF_ASSIGNMENTS = [*_WHO, "pass", "layer", "state", "copy"]


class LayerRows:
    """The rows of a layer in a shard, of all annotators and passes.

    rows         of the layer, without rows that are read a second time as a reference's (`Copy`);
                 labels have the column `item`, units on positions too
    assignments  of the layer
    """

    def __init__(self, store: Tables, key: str, layer: LayerSpec) -> None:
        """Read the rows of the layer in the shard."""
        self.store, self.layer = store, layer
        every = store.accepted_rows(key, "assignments", columns=_OF_ASSIGNMENTS)
        self.assignments = rows_where(every, pc.equal(every["layer"], scalar(layer.name)))
        table, own = "units", ["start_offset", "end_offset", "category"]
        if layer.kind == "items":
            table, own = "labels", ["item", "labels"]
        rows = store.accepted_rows(key, table, columns=[*_WHO, "layer", "pass", *own])
        if layer.kind == "positions":
            rows = with_positions_as_items(rows)
        is_meant = as_numpy(pc.equal(rows["layer"], scalar(layer.name)))
        is_meant = is_meant & ~are_copies(rows, keys_of_copied_assignments(every))
        self.rows = rows_where(rows, is_meant)

    @cached_property
    def is_informative(self) -> Mask:
        """Which rows were collected because they were informative (`tasks.next_round`)."""
        return are_in_cells(self.rows, self.store, self.layer)

    @cached_property
    def _items(self) -> ItemsOfRows:
        return ItemsOfRows.of(self.rows)

    @cached_property
    def _standing(self) -> Standing:
        unfinished = rows_where(self.assignments, ~are_finished(self.assignments))
        return Standing.of(self.rows, unfinished)

    def matrix(self) -> LabelMatrix:
        """Return the labels that agreement is computed on.

        They are of the first pass, finished and not informative; with `complete`, on items that
        every human labelled.
        """
        humans = self.layer.humans
        is_measured = self._standing.is_measurable & ~self.is_informative
        is_measured = is_measured & are_by_annotators(self.rows, humans)
        labels = labels_of_items(rows_where(self.rows, is_measured), self.layer)
        matrix = matrix_of_rows(labels, self.layer, humans, HUMAN, self._items.where(is_measured))
        if not self.layer.complete:
            return matrix
        is_complete = np.asarray((matrix.codes >= 0).all(axis=1))
        names = cast(StoredItemNames, matrix.items).where(is_complete)
        return replace(replace(matrix, items=()).select_items(is_complete), items=names)

    def count(
        self,
        tally: RowTally,
        roles: Mapping[str, str],
        reference: str | None = None,
        *,
        common: pa.Table | None = None,
        fewest: int = 2,
    ) -> None:
        """Add the fate of every row to the tally.

        roles      role of each annotator; humans may be left out
        reference  the human annotator who is the layer's reference
        common     columns document and item of the items (for units, the column document) that
                   are compared with other exports; default: all
        fewest     labels of an item that are measured
        """
        is_informative = self.is_informative
        tally.exclude(ExclusionReason.ADAPTIVE, int(is_informative.sum()))
        originals = assignments_that_are(Copy.ORIGINAL, self.assignments)
        serves = are_of_assignments(self.rows, originals)
        if reference is not None:
            of_reference = are_by_annotators(self.rows, [reference])
            serves = serves | (are_of_first_pass(self.rows) & of_reference)
        is_measurable = self._standing.count(tally, self.rows, roles, ~is_informative, serves)
        if common is not None:
            is_common = are_rows_among(self.rows, common, common.column_names)
            n_others = int((is_measurable & ~is_common).sum())
            tally.exclude(ExclusionReason.NOT_IN_BOTH, n_others)
            is_measurable = is_measurable & is_common
        measurable = rows_where(self.rows, is_measurable)
        if self.layer.kind == "units":
            sizes = self._finished_by_humans(roles)
            if common is not None:
                compared = set(common["document"].to_pylist())
                sizes = {name: own for name, own in sizes.items() if name in compared}
            _count_units(tally, measurable, sizes, serves[is_measurable])
            return
        tally_measured_labels(
            tally,
            self._items.row[is_measurable],
            coded_column(measurable["annotator"]),
            serves=serves[is_measurable],
            fewest=max(2, len(self.layer.humans)) if self.layer.complete else fewest,
            complete=self.layer.complete,
        )

    def _finished_by_humans(self, roles: Mapping[str, str]) -> dict[str, dict[str, int]]:
        """Return document → the humans who finished it in the first pass, with 0 units each."""
        without = cells_not_for_agreement(self.store, self.layer)
        finished = rows_where(self.assignments, are_finished(self.assignments))
        sizes: dict[str, dict[str, int]] = {}
        for document, name in _pairs(rows_where(finished, are_of_first_pass(finished))):
            if roles.get(name, Role.HUMAN) == Role.HUMAN and (document, name) not in without:
                sizes.setdefault(document, {})[name] = 0
        return sizes


def _count_units(
    tally: RowTally, units: pa.Table, sizes: dict[str, dict[str, int]], serves: Mask
) -> None:
    """Count the units that several humans could have marked, document by document.

    sizes  document → the humans who finished it, with 0 units each
    """
    for document, annotator in _pairs(units):
        sizes[document][annotator] += 1
    serving = {*_pairs(rows_where(units, serves))}
    for document, of_document in sizes.items():
        own = [name for name in of_document if (document, name) in serving]
        tally_measured_units(tally, of_document, serving=own)


def _pairs(rows: pa.Table) -> Iterator[tuple[str, str]]:
    return zip(*(rows[name].to_pylist() for name in _WHO), strict=True)
