"""Effects on the coefficients of a layer of labels, causes, and influences of documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

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
from ...reports import results as page
from ..batches_and_periods import documents_by_group
from ..cause_examples import LabelExamples, texts_in
from ..causes import cause_fields, parts_of_layer, strata_of_layer
from ..influences import MOST_DOCUMENTS, influences_of_layer
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
