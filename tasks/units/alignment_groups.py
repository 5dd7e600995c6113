"""Groups of documents whose best alignments are kept, so that only changed ones are aligned again.

A group has the documents of a shard with the same remainder of the hash of their names, and its
place is named by what an alignment depends on: the units, their annotators, the dissimilarity.
Alignments of one document do not depend on others, so groups change no result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from ...data.intake.spill import slot_of
from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.alignment.best_alignment import Alignment
from ...metrics.alignment.continuum import Continuum
from ...metrics.alignment.dissimilarity import Dissimilarity
from ...metrics.signature import input_hash
from ...metrics.unitizing.observed import align_documents
from ..node import Composed, Node, Outcome

SECONDS_OF_A_GROUP = 1.0  # less work is not worth the files of a group
MOST_GROUPS = 256
_SECONDS_PER_UNIT = 1.5e-7  # measured; times `_GROWTH` for each annotator of the document
_GROWTH, _MOST_GROWING = 3.0, 16
_ALIGNMENTS = pa.schema(
    [
        ("units", pa.list_(pa.int32())),
        ("disorders", pa.list_(pa.float64())),
        ("total", pa.float64()),
        ("mean_units", pa.float64()),
        ("optimal", pa.bool_()),
        ("gap", pa.float64()),
    ]
)


def align_by_groups(
    store: Store,
    documents: Sequence[tuple[str, Continuum]],
    dissimilarity: Dissimilarity,
    write: Callable[[Sequence[Alignment | None]], dict[str, Any]],
) -> dict[str, Any] | Composed:
    """Align the named documents of a shard, each group as a node if there are several.

    write  writes what follows from the alignments, in the order of the documents; returns facts
    """
    continua = [continuum for _, continuum in documents]
    groups = _groups_of(documents)
    if len(groups) < 2:
        return write(align_documents(continua, dissimilarity))
    of_groups = [[continua[d] for d in group] for group in groups]

    def join(outcomes: Sequence[Outcome]) -> dict[str, Any]:
        alignments: list[Alignment | None] = [None] * len(documents)
        for group, of_group, outcome in zip(groups, of_groups, outcomes, strict=True):
            for d, alignment in zip(group, _read_group(store, outcome, of_group), strict=True):
                alignments[d] = alignment
        return write(alignments)

    return Composed([_group_node(one, dissimilarity) for one in of_groups], join)


def _groups_of(documents: Sequence[tuple[str, Continuum]]) -> list[list[int]]:
    """Return the positions of the documents of each group of about a second's work.

    The estimate of the work depends on the numbers of units and annotators only, and the number of
    groups is a power of two, so that a changed document rarely changes the groups.
    """
    seconds = sum(map(_estimated_seconds, (continuum for _, continuum in documents)))
    n_groups = 1
    while n_groups * SECONDS_OF_A_GROUP < seconds and n_groups < min(MOST_GROUPS, len(documents)):
        n_groups *= 2
    groups: list[list[int]] = [[] for _ in range(n_groups)]
    for number, (name, _) in enumerate(documents):
        groups[slot_of(name) % n_groups].append(number)
    return [group for group in groups if group]


def _estimated_seconds(continuum: Continuum) -> float:
    n_growing = min(continuum.n_annotators, _MOST_GROWING)
    return continuum.n_units * _SECONDS_PER_UNIT * _GROWTH**n_growing


def _group_node(continua: Sequence[Continuum], dissimilarity: Dissimilarity) -> Node:
    content = [
        input_hash([one.starts, one.ends, one.categories, one.owners, np.array(one.n_annotators)])
        for one in continua
    ]
    return Node(Folder.ALIGNED, content, dissimilarity, partial(_align, continua))


def _align(
    continua: Sequence[Continuum],
    store: Store,
    place: str,
    dissimilarity: Dissimilarity,
    _content: object,
) -> None:
    rows = [None if one is None else _row(one) for one in align_documents(continua, dissimilarity)]
    column = pa.array(rows, pa.struct(_ALIGNMENTS))
    store.write_table(f"{place}/documents.parquet", pa.table({"alignment": column}))


def _row(alignment: Alignment) -> dict[str, Any]:
    return {
        name: np.ravel(getattr(alignment, name)).tolist() for name in ("units", "disorders")
    } | {name: getattr(alignment, name) for name in ("total", "mean_units", "optimal", "gap")}


def _read_group(
    store: Store, outcome: Outcome, continua: Sequence[Continuum]
) -> Iterator[Alignment | None]:
    """Yield the alignment of each document of a group; None with fewer than two annotators."""
    rows = store.read_table(f"{outcome.place}/documents.parquet")["alignment"].to_pylist()
    for row, continuum in zip(rows, continua, strict=True):
        if row is None:
            yield None
            continue
        units = np.array(row.pop("units"), np.int32).reshape(-1, continuum.n_annotators)
        yield Alignment(units, np.array(row.pop("disorders"), np.float64), **row)
