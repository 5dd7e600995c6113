"""Effects on the coefficients of a layer of labels, causes, and influences of documents.

Also the items with the highest disagreement.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.agreement.diagnosis.coefficient_effects import effects_on_coefficients
from ...metrics.agreement.diagnosis.label_disagreement import label_disagreement
from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.agreement.linearized_variance import influences_of_units
from ...metrics.agreement.resampling_units import ResamplingUnits, resampling_units
from ...metrics.influence import Influences
from ...metrics.item_name import place_of_item
from ...metrics.measures import coefficient_of
from ...metrics.references.disagreement_cases import case_key, labels_of_item
from ...reports import results as page
from ..batches_and_periods import documents_by_group
from ..cause_examples import LabelExamples, texts_in
from ..causes import cause_fields, parts_of_layer, strata_of_layer
from ..influences import MOST_DOCUMENTS, influences_of_layer
from ..item_texts import ItemTexts
from ..layers import LayerSpec
from ..options import ItemSettings

_OF_CONSISTENCY = ("icc_3_1", "icc_3_k")


def effects_on_labels(
    matrix: LabelMatrix,
    names: Sequence[str],
    groups: pa.Table,
    settings: ItemSettings,
    distance: Distance,
) -> list[page.Effect]:
    """Compute effects on every coefficient that is not computed per pair of annotators."""
    batches = {}
    if matrix.documents is not None:
        for name, those in documents_by_group(groups, "batch", names).items():
            batches[name] = np.isin(matrix.documents, those)
    measures = [one for one in settings.measures if not coefficient_of(one).confusions]
    return effects_on_coefficients(matrix, measures=measures, distance=distance, batches=batches)


def causes_of_labels(
    store: Store,
    keys: Sequence[str],
    matrix: LabelMatrix,
    layer: LayerSpec,
    names: Sequence[str],
    distance: Distance,
    measures: Sequence[str],
) -> dict[str, Any]:
    """Return the fields of causes of the measures that count disagreement; `names` of documents.

    The ICC of consistency does not count that some annotators give higher ratings.
    """
    parts = parts_of_layer(store, keys, layer, names)
    searched = [one for one in measures if one not in _OF_CONSISTENCY]
    work = strata_of_layer(store, keys, layer, names)
    found = label_disagreement(matrix, distance, parts, work)
    examples = LabelExamples(
        matrix.codes,
        matrix.tagset,
        matrix.annotators,
        matrix.documents,
        lambda i: place_of_item(matrix.items[i]),
        texts_in(store, keys),
    )
    return cause_fields(dict.fromkeys(searched, found), examples)


def influences_of_documents(
    matrix: LabelMatrix,
    names: Sequence[str],
    drawn: ResamplingUnits,
    layer: str,
    measure: str,
    distance: Distance,
) -> list[page.LayerInfluences]:
    """Compute the influence of each document on the main value; [] for too many documents.

    With a single document, influences are computed by item.

    drawn  the documents as resampling units, in the order of `names`
    """
    spec = coefficient_of(measure)
    by_item = drawn.over == "items"
    n = matrix.n_items if by_item else len(names)
    if spec.confusions or n > MOST_DOCUMENTS or n != drawn.n_units:
        return []
    known = list(matrix.items) if by_item else names
    if by_item:
        drawn = resampling_units(matrix, over="items", distinct=False)
    [value], by_document = influences_of_units(drawn, [spec], distance)
    found = Influences(float(value), np.array(known), np.nan_to_num(by_document[:, 0]))
    return influences_of_layer(layer, measure, found)


def label_disagreements(
    matrix: LabelMatrix, layer: LayerSpec, texts: ItemTexts | None = None, *, most: int = 200
) -> list[page.Disagreement]:
    """Return the items with the highest mean distance over the pairs of their labels.

    The distance is the layer's own, as a share of its largest value.
    """
    cost = _mean_costs(matrix, layer)
    worst = np.lexsort((np.arange(cost.size), -cost))[:most]
    worst = worst[cost[worst] > 0].tolist()
    contexts = texts(worst) if texts else [""] * len(worst)
    found = []
    for i, context in zip(worst, contexts, strict=True):
        document, item = place_of_item(matrix.items[i])
        given = labels_of_item(matrix, i)
        found.append(
            page.Disagreement(
                document=document,
                layer=layer.name,
                where=item,
                cost=float(cost[i]),
                said={name: one.category for name, one in given.items()},
                context=context,
                case="" if layer.adaptive else case_key(layer.name, document, item, given.values()),
            )
        )
    return found


def _mean_costs(matrix: LabelMatrix, layer: LayerSpec) -> NDArray[np.float64]:
    """Return the mean distance of each item, shape (N,): 0 for an item with fewer than two labels.

    Summed over pairs of labels, because a table of items by categories would be large for
    measurements.
    """
    given = matrix.codes >= 0
    codes = matrix.codes[given]
    distances = layer.direct_distances(np.bincount(codes, minlength=len(layer.tagset)))
    n_labels = given.sum(axis=1)
    places = np.cumsum(given, axis=1)[given] - 1  # position of a label among the labels of its item
    packed = np.full((matrix.n_items, int(n_labels.max(initial=0))), -1, dtype=np.int32)
    packed[np.nonzero(given)[0], places] = codes
    cost = np.zeros(matrix.n_items)
    for first, second in combinations(packed.T, 2):
        both = second >= 0
        apart = first[both] != second[both]
        cost[both] += apart if distances is None else distances[first[both], second[both]]
    n_pairs = n_labels * (n_labels - 1) // 2
    return np.asarray(cost / np.maximum(n_pairs, 1))
