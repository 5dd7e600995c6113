"""Disagreement on relations by document, pair of annotators and category, as their F counts it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ...arrays import Flags, Ints
from ...causes.disagreement import (
    MOST_ANNOTATORS,
    Counted,
    Disagreement,
    DisagreementKind,
    Part,
    document_groups,
    max_document_groups,
    parts_of_groups,
)
from .relation_counts import RelationCounts


def relation_disagreements(
    counts: RelationCounts,
    annotators: Sequence[str],
    tagset: Sequence[str],
    parts: Sequence[tuple[Part, Flags]] = (),
) -> dict[str, Disagreement]:
    """Return what lowers each value; {} with more than `MOST_ANNOTATORS` or without relations.

    1 − F is the relations that the other annotator of a pair did not draw, over all. α of presence
    and category count the same relations, besides all pairs of places without one.

    parts  each part with its documents, bool (D,)
    """
    pairs = np.array(list(combinations(range(len(annotators)), 2)), dtype=np.int64)
    if not 1 < len(annotators) <= MOST_ANNOTATORS or not counts.drawn.any():
        return {}
    kinds = tuple(DisagreementKind("relation", (name,)) for name in tagset)
    groups = document_groups(
        parts, counts.n_documents, max_document_groups(len(annotators), len(kinds))
    )
    shape = (int(groups.max()) + 1, len(annotators), len(annotators))

    def by_pair(values: Ints) -> Ints:
        """Sum values (D, Q, J) by group of documents, into (G, A, A, J)."""
        sums = np.zeros((*shape, values.shape[2]), dtype=np.int64)
        np.add.at(sums, (groups[:, None], pairs[:, 0], pairs[:, 1]), values)
        return sums

    usage = np.zeros((shape[0], len(tagset)))
    np.add.at(usage, groups, counts.drawn.sum(axis=1))
    drawn, linked = counts.drawn.sum(axis=2, keepdims=True), counts.linked[..., None]

    def disagreement(apart: Ints, whole: Ints, of: tuple[DisagreementKind, ...]) -> Disagreement:
        sums, compared = by_pair(apart), by_pair(whole)[..., 0]
        return Disagreement(
            sums.astype(np.float64), sums, compared.astype(np.float64), compared, usage, of,
            tuple(annotators), tuple(tagset), parts_of_groups(parts, groups),
            counted=Counted.relations,
        )  # fmt: skip

    every = (DisagreementKind("relation", ("",)),)
    of_presence = disagreement(drawn - 2 * linked, drawn, every)
    of_category = disagreement(counts.drawn - 2 * counts.alike, drawn, kinds)
    alike = counts.alike.sum(axis=2, keepdims=True)
    return {
        **dict.fromkeys(("relation_category", "relation_category_f"), of_category),
        **dict.fromkeys(("relation_presence", "relation_presence_f"), of_presence),
        "relation_typing": disagreement(linked - alike, linked, every),
    }
