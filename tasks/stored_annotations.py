"""Accepted annotations of a layer as the inputs of metrics: rows, label matrices, continua."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..data.arrow_columns import (
    as_numpy,
    codes_and_values,
    column,
    number_column,
    rows_where,
    scalar,
)
from ..data.blocks import names_of_sets
from ..data.store.in_memory import Tables, TablesOfReport
from ..data.validation.fates import (
    are_by_annotators,
    are_finished,
    are_of_first_pass,
    finished_work,
)
from ..data.validation.rule import Mask
from ..metrics.agreement.label_matrix import LabelMatrix
from ..metrics.arrays import Ints, numbered
from .item_names import StoredItemNames
from .layers import LayerSpec

if TYPE_CHECKING:  # a quick look at labels does not need the alignment engine
    from ..metrics.alignment.continuum import Continuum

FIRST_PASS = 1


def label_rows(
    store: Tables,
    key: str | TablesOfReport,
    layer: LayerSpec,
    annotators: Sequence[str],
    *,
    first_pass: bool = True,
) -> pa.Table:
    """Return the columns document, item, annotator, label, pass of finished documents.

    One row per label; only the first pass, unless `first_pass` is false.
    """
    if layer.kind == "positions":
        rows = with_positions_as_items(store.accepted_rows(key, "units"))
    else:
        columns = ["document", "item", "annotator", "labels", "layer", "pass"]
        rows = store.accepted_rows(key, "labels", columns=columns)
    rows = _rows_of_finished(store, key, layer, annotators, rows, first_pass=first_pass)
    return labels_of_items(rows, layer)


def labels_of_items(rows: pa.Table, layer: LayerSpec) -> pa.Table:
    """Return the columns document, item, annotator, label, pass of labels, or units on positions.

    A label is the category: the name of the set if the layer has sets.
    """
    if layer.kind == "positions":
        label = rows["category"]
    elif layer.sets:
        label = names_of_sets(rows["labels"])
    else:
        label = pc.binary_join(rows["labels"], scalar(""))
    kept = ["document", "item", "annotator", "pass"]
    return rows.select(kept).add_column(3, "label", label)


def with_positions_as_items(rows: pa.Table) -> pa.Table:
    """The units with a column `item`: the position, as items of layers on positions are named."""
    bounds = (pc.cast(rows[name], pa.string()) for name in ("start_offset", "end_offset"))
    return rows.append_column("item", pc.binary_join_element_wise(*bounds, scalar("–")))


def unit_rows(
    store: Tables,
    key: str,
    layer: LayerSpec,
    annotators: Sequence[str],
    *,
    first_pass: bool = True,
) -> pa.Table:
    """Return the accepted units of finished documents, by default only of the first pass."""
    rows = store.accepted_rows(key, "units")
    return _rows_of_finished(store, key, layer, annotators, rows, first_pass=first_pass)


def _rows_of_finished(
    store: Tables,
    key: str | TablesOfReport,
    layer: LayerSpec,
    annotators: Sequence[str],
    rows: pa.Table,
    *,
    first_pass: bool = True,
) -> pa.Table:
    keep = as_numpy(pc.equal(rows["layer"], scalar(layer.name)))
    if first_pass:
        keep = keep & are_of_first_pass(rows)
    rows = rows_where(rows, keep & are_by_annotators(rows, annotators))
    columns = ["document", "annotator", "pass", "layer", "state"]
    assignments = store.accepted_rows(key, "assignments", columns=columns)
    return finished_work(rows, assignments)


@dataclass(frozen=True, slots=True)
class ItemsOfRows:
    """The items of R rows of labels, N in the order of document and name.

    row        int64 (R,): the number of each row's item
    home       int64 (N,): the number of each item's document
    documents  the names of the documents, sorted
    names      the names of the N items
    """

    row: Ints
    home: Ints
    documents: pa.Array
    names: pa.Array

    @classmethod
    def of(cls, rows: pa.Table) -> ItemsOfRows:
        """Find the items of rows with the columns document and item."""
        home_of, documents = _sorted_codes(rows["document"])
        name_of, names = _sorted_codes(rows["item"])
        row, keys = _sorted_codes(number_column(home_of * len(names) + name_of))
        home, named = np.divmod(as_numpy(keys), max(len(names), 1))
        return cls(row, home, documents, names.take(number_column(named)))

    def where(self, kept: Mask) -> ItemsOfRows:
        """Return the items of the rows where `kept`, bool (R,), is true."""
        used, row = numbered(self.row[kept])
        homes, home = numbered(self.home[used])
        documents, names = self.documents, self.names
        return ItemsOfRows(
            row, home, documents.take(number_column(homes)), names.take(number_column(used))
        )


def matrix_of_rows(
    rows: pa.Table,
    layer: LayerSpec,
    annotators: Sequence[str],
    role: str,
    items: ItemsOfRows | None = None,
) -> LabelMatrix:
    """Convert the rows of `label_rows` to a matrix with one column per annotator.

    items  of the rows, if the caller has them

    Items are in the order of document and item name. A unit without a category on a given position
    counts as a missing label.
    """
    items = ItemsOfRows.of(rows) if items is None else items
    column_of, code_of = places(rows["annotator"], annotators), places(rows["label"], layer.tagset)
    codes = np.full((len(items.home), len(annotators)), -1, dtype=np.int32)
    codes[items.row, column_of] = code_of
    home = number_column(items.home.astype(np.int32))
    stored = pa.DictionaryArray.from_arrays(home, items.documents)
    return LabelMatrix(
        codes=codes,
        tagset=layer.tagset,
        annotators=tuple(annotators),
        documents=items.home,
        items=StoredItemNames(stored, items.names),
        roles=(role,) * len(annotators),
        members=layer.members(),
        tags=layer.labels(),
    )


def _sorted_codes(values: pa.Array | pa.ChunkedArray) -> tuple[NDArray[np.int64], pa.Array]:
    """Return the number of each row's value among the different values, and these, sorted."""
    codes, different = codes_and_values(values)
    order = pc.sort_indices(different)
    rank = np.empty(len(order), dtype=np.int64)
    rank[as_numpy(pc.cast(order, pa.int64()))] = np.arange(len(order))
    return rank[codes], different.take(order)


def places(texts: pa.ChunkedArray, names: Sequence[str]) -> NDArray[np.int32]:
    """Return each text's place among the names, int32 (rows,); -1 for any other text."""
    found = pc.index_in(texts, value_set=column([*names], pa.string()))
    return as_numpy(pc.fill_null(found, scalar(-1).cast(pa.int32())))


def finished_passes(store: Tables, key: str, layer: str) -> list[tuple[str, str, int]]:
    """Return (document, annotator, pass) of all finished work in this layer."""
    rows = _finished_rows(store, key, layer).select(["document", "annotator", "pass"])
    return [(row["document"], row["annotator"], row["pass"]) for row in rows.to_pylist()]


def _finished_rows(store: Tables, key: str | TablesOfReport, layer: str) -> pa.Table:
    rows = store.accepted_rows(key, "assignments")
    rows = rows_where(rows, pc.equal(rows["layer"], scalar(layer)))
    return rows_where(rows, are_finished(rows))


class AnnotatedDocument(NamedTuple):
    """A document with the units of those who finished it.

    units  the name of each unit of the continuum in its export, unique for each annotator
    """

    document: str
    continuum: Continuum
    units: list[str]


def stored_continua(
    store: Tables,
    key: str,
    layer: LayerSpec,
    annotators: Sequence[str],
    role: str,
    *,
    without: Collection[tuple[str, str]] = (),
) -> list[AnnotatedDocument]:
    """Return every document that one of the annotators finished in the first pass, sorted by name.

    without  (document, annotator) that take no part

    Annotators who finished a document without marking a unit are annotators of its continuum;
    annotators who did not finish it are not.
    """
    from ..metrics.alignment.continuum import Continuum, gaps_of_fragments

    documents = store.accepted_rows(key, "documents", columns=["document", "length"])
    lengths = dict(zip(*(column.to_pylist() for column in documents.columns), strict=True))
    number = {name: a for a, name in enumerate(annotators)}
    present: dict[str, set[int]] = {}
    for document, annotator, pass_ in finished_passes(store, key, layer.name):
        if annotator in number and pass_ == FIRST_PASS and (document, annotator) not in without:
            present.setdefault(document, set()).add(number[annotator])
    names = sorted(present)
    people_of = [sorted(present[name]) for name in names]
    rows = unit_rows(store, key, layer, annotators)
    home, owner = places(rows["document"], names), places(rows["annotator"], annotators)
    taken = [d * len(number) + a for d, people in enumerate(people_of) for a in people]
    is_taken = np.isin(home.astype(np.int64) * len(number) + owner, taken)
    starts, ends = (as_numpy(rows[name]) for name in ("start_offset", "end_offset"))
    code = places(rows["category"], layer.tagset)
    # The order of files and rows decides nothing, so that equal annotations have equal alignments.
    chosen = np.lexsort((code, owner, ends, starts, home))
    chosen = chosen[is_taken[chosen]]
    bounds = np.searchsorted(home[chosen], np.arange(len(names) + 1)).tolist()
    code = code[chosen]
    start, end = starts[chosen].astype(np.float64), ends[chosen].astype(np.float64)
    rows, owner = rows.take(number_column(chosen)), owner[chosen]
    units = rows["unit"].to_pylist()
    is_split = pc.any(pc.greater(pc.list_value_length(rows["fragments"]), scalar(1))).as_py()
    fragments = rows["fragments"].to_pylist() if is_split else []
    found = []
    for d, (name, people) in enumerate(zip(names, people_of, strict=True)):
        own = slice(bounds[d], bounds[d + 1])
        length = float(lengths[name])
        gaps, discontinuous = gaps_of_fragments(fragments[own])
        continuum = Continuum(
            start[own],
            end[own],
            code[own],
            np.searchsorted(people, owner[own]).astype(np.int32),
            tuple(annotators[a] for a in people),
            layer.tagset,
            length=length if length >= 0 else float("nan"),
            roles=(role,) * len(people),
            gaps=gaps,
            discontinuous=discontinuous,
        )
        found.append(AnnotatedDocument(name, continuum, units[own]))
    return found
