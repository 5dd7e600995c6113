"""Systems that label items, each compared with a panel of annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...metrics.agreement.distances import category_values
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.arrays import Floats
from ...metrics.errors import MetricsError
from ...metrics.item_name import place_of_item
from ...metrics.replacement.judge_comparison import (
    LabelSimilarityFunction,
    category_similarity_function,
    compare_labels,
    equal_labels,
    majorities_of_others,
    number_similarity_function,
)
from ...metrics.replacement.replaceability import LostItem, replaceability
from ...metrics.replacement.replacement_options import ReplacementSettings
from ...reports import results as page
from .judge_checks import JudgeRuns, checks_of_labels, require_earlier_systems, thirds_by_length
from .replacement_results import systems_with_verdicts

Groups = Mapping[str, tuple[Sequence[str], NDArray[np.integer]]]


def judge_labels(
    matrix: LabelMatrix,
    settings: ReplacementSettings,
    *,
    similarity: LabelSimilarityFunction,
    distance: str = "",
    layer: str = "",
    document_names: Sequence[str] = (),
    groups: Groups | None = None,
    assigned: Mapping[str, NDArray[np.bool_]] | None = None,
    runs: JudgeRuns | None = None,
) -> page.Replacement:
    """Compare each non-human annotator of the matrix with the human annotators.

    document_names  names of the matrix's documents; large ones also get a verdict of their own
    groups          further parts: kind → (names, index of each item's part or -1)
    assigned        system → whether it was assigned each item; default: all items
    runs            further passes of the systems, and lengths of the items
    """
    runs = runs or JudgeRuns()
    is_human = np.array([role == HUMAN for role in matrix.roles])
    humans = matrix.codes[:, is_human]
    names = [name for name, one in zip(matrix.annotators, is_human, strict=True) if one]
    documents = matrix.documents_to_resample
    of_items: dict[str, tuple[Sequence[str], NDArray[np.integer]]] = {}
    categories = dict(
        zip(matrix.tagset, majorities_of_others(humans, len(matrix.tagset)), strict=True)
    )
    if documents is not None:
        of_items["document"] = _large_documents(documents, document_names, settings.min_items)
    of_items |= thirds_by_length(runs.lengths)
    comparisons = {
        name: compare_labels(
            _mask_unassigned(humans, (assigned or {}).get(name)),
            codes,
            similarity,
            missing=settings.missing,
        )
        for name, codes, one in zip(matrix.annotators, matrix.codes.T, is_human, strict=True)
        if not one
    }
    require_earlier_systems(settings, comparisons)
    found = [
        replaceability(
            name,
            comparison,
            names,
            settings,
            compared_by={"distance": distance or None},
            documents=documents,
            groups={**of_items, **(groups or {})},
            categories=categories,
        )
        for name, comparison in comparisons.items()
    ]
    return systems_with_verdicts(
        found,
        settings,
        kind="items",
        layer=layer,
        lost=lambda system, item: _lost_item(system, item, matrix, document_names),
        checks={
            name: checks_of_labels(name, matrix, comparisons, settings, runs)
            for name in comparisons
        },
    )


def label_similarity_function(
    alignment: str, tagset: Sequence[str], distances: NDArray[np.float64] | None
) -> LabelSimilarityFunction:
    """Return the similarity of two labels under the alignment function.

    distances  (K, K) between categories, for `similarity`; None: nominal

    Raises MetricsError for rmse on labels that are not numbers.
    """
    if alignment == "rmse":
        values = category_values(tagset)
        if values is None:
            raise MetricsError(
                "the alignment rmse needs numeric labels, but the labels are "
                f"{', '.join(tagset)}: use accuracy, or similarity with a distance"
            )
        return number_similarity_function(values)
    if alignment == "similarity" and distances is not None:
        return category_similarity_function(distances)
    return equal_labels


def similarity_function_of_codes(
    function: Callable[[str, str], float], tagset: Sequence[str]
) -> LabelSimilarityFunction:
    """Convert a function of two labels to one of codes; it is called once per pair of labels."""
    known: dict[int, float] = {}

    def of_pair(pair: int) -> float:
        if pair not in known:
            known[pair] = float(function(tagset[pair // len(tagset)], tagset[pair % len(tagset)]))
        return known[pair]

    def similarity(first: NDArray[np.integer], second: NDArray[np.integer]) -> Floats:
        pairs, index = np.unique(first.astype(np.int64) * len(tagset) + second, return_inverse=True)
        values = np.array([of_pair(pair) for pair in pairs.tolist()])
        return np.asarray(values[index.reshape(first.shape)])

    return similarity


def _mask_unassigned(
    humans: NDArray[np.integer], assigned: NDArray[np.bool_] | None
) -> NDArray[np.integer]:
    """Mask the labels of items not assigned to the system, so that they are not compared."""
    return humans if assigned is None else np.where(assigned[:, None], humans, -1)


def _large_documents(
    documents: NDArray[np.int64], names: Sequence[str], fewest: int
) -> tuple[list[str], NDArray[np.int64]]:
    """Return the documents with enough items for a verdict of their own."""
    sizes = np.bincount(documents, minlength=len(names))
    large = np.nonzero(sizes >= fewest)[0]
    index = np.full(sizes.size, -1, np.int64)
    index[large] = np.arange(large.size)
    return [names[d] for d in large.tolist()], index[documents]


def _lost_item(
    system: str, lost: LostItem, matrix: LabelMatrix, document_names: Sequence[str]
) -> page.LostItem:
    codes = dict(zip(matrix.annotators, matrix.codes[lost.item].tolist(), strict=True))
    labels = Counter(
        matrix.tagset[codes[name]]
        for name, role in zip(matrix.annotators, matrix.roles, strict=True)
        if role == HUMAN and codes[name] >= 0
    )
    own = codes[system]
    document, item = place_of_item(matrix.items[lost.item])
    return page.LostItem(
        document=document if document_names else "",
        item=item,
        label=matrix.tagset[own] if own >= 0 else "",
        labels=dict(sorted(labels.items(), key=lambda entry: (-entry[1], entry[0]))),
        advantage=lost.advantage,
    )
