"""Selection of what to annotate next, from a data frame of labels."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

from ..data.option_names import in_python
from ..metrics.options import require_count
from .frames import Column, category_order, document_column, make_frame, reading_with_order
from .keyword_options import make_options
from .keyword_types import NextKeywords
from .label_tables import Annotators, label_table
from .reading import Data

_COLUMNS = ("item", "annotator", "purpose", "probability", "error", "exists")


@in_python()
def next_labels(
    data: Data,
    *,
    budget: int = 100,
    queue: str | Path | None = None,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    order: Sequence[Any] = (),
    seed: int = 0,
    **options: Unpack[NextKeywords],
) -> Any:
    """Assign the next items to annotators: a random share, then the most uncertain items.

    ``data`` and its columns are as for :func:`agreement`. For campaigns, use ``accordeur next``,
    which also stores the rounds and supports gold audits.

    Parameters
    ----------
    budget
        Number of new labels.
    queue
        Previous rounds: a Parquet file of ``accordeur next``, or a folder of these files.
    seed
        Seed of the random share; use the same seed in all rounds.
    options
        Options of ``accordeur next``: ``goal``, ``random_share``, ``per_annotator``,
        ``per_item``, ``may_annotate``, …

    Returns
    -------
    DataFrame
        One row per assignment: item (and document), annotator, ``purpose`` (``random`` or
        ``informative``), ``probability`` of the draw, estimated ``error`` of the item before this
        round, and ``exists`` for existing labels that join the random share.
    """
    from ..tasks.inputs.exported_labels import read_exported_labels
    from ..tasks.next_round.next_of_exports import next_from_labels
    from ..tasks.options import NextOptions

    require_count("seed", seed)
    table, kind = label_table(data, item, annotator, label, document)
    labelled = read_exported_labels(
        [table], reading_with_order(table, category_order(order, data, label))
    )
    asked = make_options(NextOptions, budget=budget, **options)
    before = None if queue is None else Path(queue)
    rows = next_from_labels(labelled, asked, queue=before, seed=seed)
    if len(rows) < budget:
        warnings.warn(
            f"{len(rows)} of the {budget} labels that were requested: no other item lacks a label "
            "of an annotator who may label it",
            stacklevel=3,
        )
    names = (*(() if document_column(data, document) is None else ("document",)), *_COLUMNS)
    return make_frame({name: [getattr(row, name) for row in rows] for name in names}, kind)
