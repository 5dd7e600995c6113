"""Findings on objects that cannot be compared: trees of other sentences, other candidates."""

from __future__ import annotations

import numpy as np

from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.coded_warning import Figures, Finding
from ...metrics.item_name import name_in_words
from ...metrics.objects.distances.rankings import read_ranking
from ...metrics.objects.distances.trees import read_heads, read_tree
from ...metrics.objects.object_distance import ObjectDistance
from ..inputs.cell_warnings import quoted_first_names


def findings_on_objects(matrix: LabelMatrix, distance: ObjectDistance) -> list[Finding]:
    """Return findings on objects of one item, or of the items, that cannot be compared."""
    if distance.read in (read_tree, read_heads):
        return _unlike_sentences(matrix)
    return _other_candidates(matrix) if distance.read is read_ranking else []


def _unlike_sentences(matrix: LabelMatrix) -> list[Finding]:
    """Find trees on one item that have different numbers of tokens: perhaps other sentences."""
    lengths = np.array([len(text.split()) for text in matrix.tagset])[matrix.codes]
    given = matrix.codes >= 0
    most = np.where(given, lengths, 0).max(axis=1, initial=0)
    fewest = np.where(given, lengths, most[:, None]).min(axis=1, initial=most.max(initial=0))
    n_unlike, n_compared = int((fewest < most).sum()), int((given.sum(axis=1) >= 2).sum())
    figures: Figures = {
        "n_items": n_unlike,
        "n_compared": n_compared,
        "names": ", ".join(matrix.annotators),
    }
    return [Finding("unlike_sentences", figures).as_serious()] if n_unlike else []


def _other_candidates(matrix: LabelMatrix) -> list[Finding]:
    """Find rankings of different candidates: on one item, and on different items."""
    ranked = [frozenset(read_ranking(text)) for text in matrix.tagset]
    of_item = [[ranked[code] for code in row if code >= 0] for row in matrix.codes.tolist()]
    figures: Figures
    unlike = [i for i, sets in enumerate(of_item) if len(set(sets)) > 1]
    found = []
    if unlike:
        sets = of_item[unlike[0]]
        left_out = sorted(frozenset.union(*sets) - frozenset.intersection(*sets))
        figures = {
            "n_items": len(unlike),
            "n_compared": sum(len(sets) > 1 for sets in of_item),
            "item": _item_name(matrix, unlike[0]),
            "names": quoted_first_names(left_out),
        }
        found.append(Finding("other_candidates", figures).as_serious())
    first: dict[frozenset[str], int] = {}
    for i, sets in enumerate(of_item):
        if sets:
            first.setdefault(frozenset.union(*sets), i)
    if len(first) > 1:
        (one, at), (other, there) = list(first.items())[:2]
        figures = {
            "n_sets": len(first),
            "first": f"{_item_name(matrix, at)}: {quoted_first_names(sorted(one))}",
            "second": f"{_item_name(matrix, there)}: {quoted_first_names(sorted(other))}",
        }
        found.append(Finding("candidates_by_item", figures).as_serious())
    return found


def _item_name(matrix: LabelMatrix, item: int) -> str:
    return name_in_words(matrix.items[item])
