"""Selection of what to annotate next, from a data frame of labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from ..metrics.options import RANDOM_DEPTH, RANDOM_SHARE, Goal
from .frames import (
    Column,
    category_order,
    document_column,
    own_columns,
    reading_with_order,
)
from .keyword_options import Rng, make_options, public, seed_of
from .label_tables import Annotators, label_table
from .reading import Data
from .result import Rows


class NextLabel(NamedTuple):
    """An item that an annotator labels next, why, and with which probability it was drawn."""

    document: str
    item: str
    annotator: str
    purpose: str
    probability: float
    error: float
    exists: bool


class NextLabels(Rows[NextLabel]):
    """The next round: a row for each label to collect."""


@public()
def next_labels(
    data: Data,
    *,
    budget: int = 100,
    queue: str | Path | None = None,
    item: Column = "item",
    annotator: Annotators = "annotator",
    label: Column = "label",
    document: Column | None = None,
    categories: Sequence[Any] = (),
    seed: int = 0,
    rng: Rng | None = None,
    goal: Goal = "consensus",
    random_share: float = RANDOM_SHARE,
    random_depth: int = RANDOM_DEPTH,
    per_annotator: int | None = None,
    per_item: int | None = None,
    may_annotate: Mapping[str, str] = MappingProxyType({}),
) -> NextLabels:
    """Assign the next items to annotators: a random share, then the most uncertain items.

    ``data`` and its columns are as for :func:`agreement`. For campaigns, use ``accordeur next``,
    which also stores the rounds and supports gold audits.

    Parameters
    ----------
    budget
        Number of new labels.
    queue
        Previous rounds: a Parquet file of ``accordeur next``, or a folder of these files.
    categories
        As for :func:`agreement`.
    seed, rng
        Seed of the random share, or a generator; use the same seed in all rounds.
    goal
        ``consensus``: reduce its error; ``agreement``: narrow the interval of the agreement, for
        which every label is assigned at random.
    random_share, random_depth
        Share of the labels assigned at random, from which agreement is computed, and how many of
        them an item collects before the next one.
    per_annotator, per_item
        Most new labels of one annotator, and most labels of one item, earlier ones included.
    may_annotate
        Annotator → regular expression of the documents that the annotator may see.

    Returns
    -------
    NextLabels
        One row per assignment: item (and document), annotator, ``purpose`` (``random`` or
        ``informative``), ``probability`` of the draw, estimated ``error`` of the item before this
        round, and ``exists`` for existing labels that join the random share.
    """
    from ..reports.warnings import in_english
    from ..tasks.inputs.exported_labels import read_exported_labels
    from ..tasks.next_round.choose import next_from_labels
    from ..tasks.options import NextOptions

    drawn = seed_of(seed, rng)
    table, kind = label_table(data, item, annotator, label, document)
    labelled = read_exported_labels(
        [table], reading_with_order(table, category_order(categories, data, label))
    )
    asked = make_options(
        NextOptions,
        budget=budget,
        goal=goal,
        random_share=random_share,
        random_depth=random_depth,
        per_annotator=per_annotator,
        per_item=per_item,
        may_annotate=dict(may_annotate),
    )
    said = list(map(in_english, labelled.warnings(distance=None)))
    before = None if queue is None else Path(queue)
    rows = next_from_labels(labelled, asked, queue=before, seed=drawn)
    if len(rows) < budget:
        said.append(
            f"{len(rows)} of the {budget} labels that were requested: no other item lacks a label "
            "of an annotator who may label it"
        )
    has_documents = document_column(data, document) is not None
    chosen = [NextLabel(**{name: getattr(row, name) for name in NextLabel._fields}) for row in rows]
    names = NextLabel._fields if has_documents else NextLabel._fields[1:]
    found = NextLabels(chosen, names, kind, said)
    found._named = own_columns(data, item=item, document=document, annotator=annotator)
    return found
