"""Agreement on a layer of objects in a campaign: from codes of labels to the report."""

from __future__ import annotations

from collections.abc import Sequence

from ...data.store.store import Store
from ...metrics.agreement.annotator_sample import few_for_new_annotators
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.agreement.registry import of_complete_items
from ...metrics.measures import OBJECTS
from ...metrics.objects.evaluate import OF_ANNOTATORS, MeasuredObjects, WorstItem
from ...metrics.objects.object_distance import ObjectDistance
from ...reports import results as page
from ..analysis import Counted
from ..inputs.object_findings import findings_on_objects
from ..item_names import split_item
from ..layers import LayerSpec
from ..named_estimates import named_estimates
from ..options import ItemSettings
from .item_codes import read_matrix

MOST_PAIRS, N_WORST = 30, 3
_MEASURES = tuple(name for name in OBJECTS if name != OF_ANNOTATORS)


def summarise_objects(
    store: Store,
    layer: LayerSpec,
    distance: ObjectDistance,
    counted: Sequence[Counted],
    settings: ItemSettings,
) -> page.LayerResults:
    """Compute all values of one layer of objects."""
    matrix = read_matrix(store, [one.place for one in counted], layer)
    measured = MeasuredObjects.of(matrix, distance, settings.sampling)
    values = measured.values(_MEASURES, for_new_annotators=settings.interval == "annotators")
    values = of_complete_items(values) if layer.complete else values
    names, main = matrix.annotators, values[0].measure
    n_pairs = len(names) * (len(names) - 1) // 2
    agreement = page.ItemAgreement(
        layer=layer.name,
        tagset=[],
        annotators=list(layer.humans),
        n_items=matrix.n_items,
        n_unpaired=values[0].detail["n_unpaired"],
        values=values,
        per_pair=named_estimates(measured.of_each_pair(main)) if n_pairs <= MOST_PAIRS else [],
        n_pairs=n_pairs,
        leave_one_out=named_estimates(measured.without_each_annotator(main))
        if len(names) > 2
        else [],
        findings=[
            *findings_on_objects(matrix, distance),
            *(one for one in map(few_for_new_annotators, values[:1]) if one),
        ],
        objects=page.ObjectStudy(
            distance=distance.name,
            annotators=measured.values([OF_ANNOTATORS]),
            worst=[
                _worst(matrix, one, with_text=not settings.is_private)
                for one in measured.worst_items(N_WORST)
            ],
        ),
    )
    return page.LayerResults(items=[agreement])


def _worst(matrix: LabelMatrix, one: WorstItem, *, with_text: bool) -> page.WorstObjects:
    document, item = split_item(matrix.items[one.item])
    codes = zip(matrix.annotators, matrix.codes[one.item].tolist(), strict=True)
    said = {name: matrix.tagset[code] for name, code in codes if code >= 0 and with_text}
    return page.WorstObjects(
        document=document, item=item, mean_distance=one.mean_distance, said=said
    )
