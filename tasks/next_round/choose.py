"""The rows of a round: from labels, or documents with units, to assignments of annotators."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...data.arrow_columns import repeated_column
from ...data.errors import DataError
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.item_name import ItemName, place_of_item
from ...metrics.resampling.interval_forecast import PairVariance, label_pair_variance
from ...metrics.resampling.next_labels import (
    Limits,
    NextLabel,
    next_documents,
    next_for_agreement,
    next_labels,
    random_order,
)
from ..inputs.exported_labels import ExportedLabels
from ..inputs.informative_labels import read_queue
from ..options import NextOptions
from ..queues_of_rounds import QueueRow, adaptive_cells
from .stop import labels_of_design

NO_DOCUMENT = "(?!)"
"""The pattern of `may_annotate` that matches no document."""
_AUDIT = 0x5EED  # so that audited items are drawn in another order than the random share's


def round_limits(options: NextOptions, seed: int) -> Limits:
    return Limits(
        random_share=options.random_share,
        random_depth=options.random_depth,
        per_annotator=options.per_annotator,
        per_item=options.per_item,
        seed=seed,
    )


def choose_label_assignments(
    matrix: LabelMatrix,
    options: NextOptions,
    *,
    design: NDArray[np.bool_],
    variance: PairVariance | None,
    layer: str,
    number: int,
    seed: int,
) -> list[QueueRow]:
    """Assignments on items; `matrix.items` are named as `item_names.place_of_item` reads them.

    variance  of the labels of the design: how many labels the goal `agreement` wants on an item
    """
    documents, names = zip(*(place_of_item(item) for item in matrix.items), strict=True)
    allowed = allowed_cells(documents, matrix.annotators, options.may_annotate)
    limits = round_limits(options, seed)
    if options.goal == "agreement":
        chosen = next_for_agreement(
            matrix.codes >= 0,
            options.budget,
            limits,
            items=matrix.items,
            annotators=matrix.annotators,
            variance=None if variance is None else variance.variance_of_agreement,
            design=design,
            allowed=allowed,
        )
    else:
        chosen = next_labels(matrix, options.budget, limits, design=design, allowed=allowed)
    return _assigned_rows(chosen, documents, names, matrix.annotators, layer, number)


def choose_unit_assignments(
    given: NDArray[np.bool_],
    disorders: NDArray[np.float64],
    options: NextOptions,
    *,
    documents: Sequence[str],
    annotators: Sequence[str],
    annotator_disorders: NDArray[np.float64],
    design: NDArray[np.bool_],
    variance: PairVariance | None,
    layer: str,
    number: int,
    seed: int,
) -> list[QueueRow]:
    """Assignments on documents with units; `variance` as in `choose_label_assignments`."""
    allowed = allowed_cells(documents, annotators, options.may_annotate)
    limits = round_limits(options, seed)
    if options.goal == "agreement":
        chosen = next_for_agreement(
            given,
            options.budget,
            limits,
            items=documents,
            annotators=annotators,
            variance=None if variance is None else variance.variance_of_agreement,
            design=design,
            allowed=allowed,
            n_deep=0,  # documents are few and costly: in simulations it did not pay
        )
    else:
        chosen = next_documents(
            given,
            disorders,
            options.budget,
            limits,
            documents=documents,
            annotators=annotators,
            annotator_disorders=annotator_disorders,
            design=design,
            allowed=allowed,
        )
    return _assigned_rows(chosen, documents, documents, annotators, layer, number)


def design_after(
    rows: Sequence[QueueRow],
    design: NDArray[np.bool_],
    cells: Mapping[tuple[str, str], int],
    annotators: Sequence[str],
) -> NDArray[np.bool_]:
    """The labels of the design once the round is labelled. cells: (document, item) → row."""
    after = design.copy()
    for row in rows:
        if row.purpose == "random":
            after[cells[row.document, row.item], annotators.index(row.annotator)] = True
    return after


def _assigned_rows(
    chosen: Sequence[NextLabel],
    documents: Sequence[str],
    items: Sequence[str],
    annotators: Sequence[str],
    layer: str,
    number: int,
) -> list[QueueRow]:
    return [
        QueueRow(
            number, layer, documents[one.item], items[one.item], annotators[one.annotator],
            one.purpose, one.probability, one.error, one.exists,
        )
        for one in chosen
    ]  # fmt: skip


def choose_audit_items(
    items: Sequence[str],
    n: int,
    *,
    drawn: set[str],
    layer: str,
    number: int,
    seed: int,
) -> list[QueueRow]:
    """n items for the random gold audit, in an order fixed by the seed, without those `drawn`."""
    order = np.argsort(random_order(items, (), seed ^ _AUDIT).items, kind="stable")
    left = [items[i] for i in order.tolist() if items[i] not in drawn][:n]
    share = (len(drawn) + len(left)) / max(len(items), 1)
    return [
        QueueRow(number, layer, *place_of_item(item), "", "audit", share, float("nan"))
        for item in left
    ]


def allowed_cells(
    documents: Sequence[str], annotators: Sequence[str], may_annotate: Mapping[str, str]
) -> NDArray[np.bool_]:
    """bool (N, A): which annotator may see the document of each item.

    Raises DataError for an unknown annotator or a regular expression that cannot be read.
    """
    allowed = np.ones((len(documents), len(annotators)), np.bool_)
    for name, pattern in may_annotate.items():
        if name not in annotators:
            raise DataError(
                f"next.may_annotate: no annotator {name!r}; there are {', '.join(annotators)}"
            )
        try:
            found = re.compile(pattern)
        except re.error as error:
            raise DataError(f"next.may_annotate.{name}: {pattern!r}: {error}") from None
        column = annotators.index(name)
        allowed[:, column] = [found.search(document) is not None for document in documents]
    return allowed


def regular_design(matrix: LabelMatrix, adaptive: pa.Table) -> NDArray[np.bool_]:
    """Return which labels were not collected because they were informative."""
    design = matrix.codes >= 0
    row_of = {item: i for i, item in enumerate(matrix.items)}
    column_of = {name: a for a, name in enumerate(matrix.annotators)}
    for one in adaptive.to_pylist():
        item, who = ItemName(one["document"], one["item"]), one["annotator"]
        if item in row_of and who in column_of:
            design[row_of[item], column_of[who]] = False
    return design


def extend_matrix(
    matrix: LabelMatrix, items: Sequence[str], annotators: Sequence[str]
) -> LabelMatrix:
    """The matrix with further items and annotators that have no label yet."""
    more_items = [item for item in items if item not in set(matrix.items)]
    more_people = [name for name in annotators if name not in matrix.annotators]
    names = (*matrix.annotators, *more_people)
    codes = np.full((matrix.n_items + len(more_items), len(names)), -1, np.int32)
    codes[: matrix.n_items, : matrix.n_annotators] = matrix.codes
    places = (*matrix.items, *more_items)
    homes = [place_of_item(place)[0] for place in places]
    return replace(
        matrix,
        codes=codes,
        items=places,
        annotators=names,
        documents=np.unique(homes, return_inverse=True)[1],
        roles=(HUMAN,) * len(names),
    )


def next_from_labels(
    labels: ExportedLabels, options: NextOptions, *, queue: Path | None, seed: int
) -> list[QueueRow]:
    """The next round from the labels of an export; `queue` has the rounds before.

    Of an export that is one document, its name does not matter.

    Raises DataError for labels of fewer than two categories.
    """
    matrix, number = labels.matrix_with_documents(), 1
    design = matrix.codes >= 0
    if queue is not None:
        before = read_queue(queue)
        number = 1 + max(before["round"].to_pylist(), default=0)
        cells = adaptive_cells(before)
        if not labels.names_documents:
            nameless = repeated_column("", pa.string(), cells.num_rows)
            cells = cells.set_column(cells.column_names.index("document"), "document", nameless)
        design = regular_design(matrix, cells)
    return choose_label_assignments(
        matrix,
        options,
        design=design,
        variance=label_pair_variance(
            labels_of_design(matrix, design), labels.layer.item_distance()
        ),
        layer="",
        number=number,
        seed=seed,
    )
