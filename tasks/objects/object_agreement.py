"""Agreement on a layer of objects in a campaign: from codes of labels to the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...data.store.store import Store
from ...metrics.agreement.annotator_sample import few_annotators_finding
from ...metrics.agreement.coefficients import mark_as_complete_items
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.item_name import place_of_item
from ...metrics.measures import OBJECTS
from ...metrics.objects.disagreement import object_disagreement
from ...metrics.objects.distances.boxes import read_boxes
from ...metrics.objects.distances.rankings import read_ranking
from ...metrics.objects.distances.trees import read_heads
from ...metrics.objects.evaluate import OF_ANNOTATORS, MeasuredObjects, WorstItem
from ...metrics.objects.item_comparison import (
    align_words,
    number_matched_boxes,
    order_central_first,
)
from ...metrics.objects.object_distance import ObjectDistance, ObjectKind
from ...reports import results as page
from ..analysis import Counted
from ..batches_and_periods import document_groups, points_of_groups
from ..causes import cause_fields, parts_of_layer
from ..item_codes import read_stored_matrix
from ..item_names import document_names
from ..layers import LayerSpec
from ..named_estimates import MOST_NAMED_DOCUMENTS, named_estimates
from ..options import ItemSettings
from .mismatched_objects import findings_on_objects

MOST_PAIRS, N_WORST = 30, 3
_MEASURES = tuple(name for name in OBJECTS if name != OF_ANNOTATORS)
MOST_DRAWN = 6  # annotators: the central one and those who differ most from that one
MOST_PARTS = 300  # tokens, words, candidates or boxes of an object; larger ones stay text


def summarise_object_layer(
    store: Store,
    layer: LayerSpec,
    distance: ObjectDistance,
    counted: Sequence[Counted],
    settings: ItemSettings,
) -> page.LayerResults:
    """Compute all values of one layer of objects."""
    matrix = read_stored_matrix(store, [one.place for one in counted], layer)
    documents, keys = document_names(matrix), [one.key for one in counted]
    measured = MeasuredObjects.from_matrix(matrix, distance, settings.sampling)
    main = measured.main_measure
    measures = [main, *(name for name in _MEASURES if name != main)]
    values = measured.values(measures, for_new_annotators=settings.sampling.for_new_annotators)
    values = mark_as_complete_items(values) if layer.complete else values
    names = matrix.annotators
    n_pairs = len(names) * (len(names) - 1) // 2
    agreement = page.ItemAgreement(
        layer=layer.name,
        tagset=[],
        annotators=list(layer.humans),
        n_items=matrix.n_items,
        n_unpaired=values[0].detail.n_unpaired,
        values=values,
        per_pair=named_estimates(measured.values_by_pair(main)) if n_pairs <= MOST_PAIRS else [],
        n_pairs=n_pairs,
        leave_one_out=named_estimates(measured.values_without_each_annotator(main))
        if len(names) > 2
        else [],
        per_document=named_estimates(measured.worst_documents(documents, MOST_NAMED_DOCUMENTS))
        if len(documents) > 1
        else [],
        findings=[
            *findings_on_objects(matrix, distance),
            *(one for one in map(few_annotators_finding, values[:1]) if one),
        ],
        **cause_fields(
            dict.fromkeys(
                ("krippendorff_alpha", "alpha_random2", "mean_distance"),
                object_disagreement(measured, parts_of_layer(store, keys, layer, documents)),
            )
        ),
        objects=page.ObjectStudy(
            distance=distance.name,
            kind=distance.kind.value,
            annotators=measured.values([OF_ANNOTATORS]),
            worst=[
                _worst(matrix, one, distance, is_private=settings.is_private)
                for one in measured.worst_items(N_WORST)
            ],
        ),
    )
    points = points_of_groups(
        document_groups(store, keys, layer, settings.period),
        documents,
        layer.name,
        lambda those: [measured.value_of_documents(those, with_interval=those.size > 1)],
    )
    return page.LayerResults(items=[agreement], points=list(points))


def _worst(
    matrix: LabelMatrix, one: WorstItem, distance: ObjectDistance, *, is_private: bool
) -> page.WorstObjects:
    """Return an item with its objects; with privacy without them."""
    document, item = place_of_item(matrix.items[one.item])
    codes = zip(matrix.annotators, matrix.codes[one.item].tolist(), strict=True)
    said = {name: matrix.tagset[code] for name, code in codes if code >= 0}
    return page.WorstObjects(
        document=document,
        item=item,
        mean_distance=one.mean_distance,
        said={} if is_private else said,
        drawn=[] if is_private else objects_for_pictures(distance, said),
    )


def objects_for_pictures(
    distance: ObjectDistance, said: Mapping[str, str]
) -> list[page.DrawnObject]:
    """Return the objects of the annotators, the central one first.

    [] for a kind without a drawing, fewer than two objects, objects with too many parts, and texts
    of another package's distance that are not written as the kind is.
    """
    if distance.kind not in _DRAWN or len(said) < 2:
        return []
    names = list(said)
    chosen = [names[k] for k in order_central_first(distance, list(said.values()))][:MOST_DRAWN]
    try:
        drawn = _DRAWN[distance.kind](distance, {name: said[name] for name in chosen})
    except ValueError:
        return []
    n_parts = [
        len(parts) for one in drawn for parts in (one.arcs, one.words, one.ranking, one.boxes)
    ]
    return drawn if max(n_parts) <= MOST_PARTS else []


def _trees(_: ObjectDistance, said: Mapping[str, str]) -> list[page.DrawnObject]:
    found = []
    for name, text in said.items():
        tree = read_heads(text)
        heads = zip(tree.heads, tree.relations, strict=True)
        arcs = [page.Arc(head=head, relation=relation) for head, relation in heads]
        found.append(page.DrawnObject(annotator=name, arcs=arcs))
    return found


def _texts(distance: ObjectDistance, said: Mapping[str, str]) -> list[page.DrawnObject]:
    def key(word: str) -> str:
        read = distance.read(word)
        return "".join(read) if isinstance(read, str | list) else word

    def change(word: str, central: str) -> str:
        if not (word and central):
            return "inserted" if word else "missing" if central else ""
        return "" if key(word) == key(central) else "replaced"

    rows = align_words(list(said.values()), key)
    found = []
    for name, row in zip(said, rows, strict=True):
        beside = zip(row, rows[0], strict=True)
        words = [page.AlignedWord(text=word, change=change(word, own)) for word, own in beside]
        found.append(page.DrawnObject(annotator=name, words=words))
    return found


def _rankings(_: ObjectDistance, said: Mapping[str, str]) -> list[page.DrawnObject]:
    """Read rankings; what one does not name stands last in it, tied."""
    rankings = [read_ranking(text) for text in said.values()]
    candidates = list(dict.fromkeys(name for one in rankings for name in one))
    found = []
    for name, one in zip(said, rankings, strict=True):
        places = {c: one.get(c, len(candidates)) for c in candidates}
        groups = [[c for c in candidates if places[c] == k] for k in sorted(set(places.values()))]
        found.append(page.DrawnObject(annotator=name, ranking=groups))
    return found


def _boxes(_: ObjectDistance, said: Mapping[str, str]) -> list[page.DrawnObject]:
    sets = [read_boxes(text) for text in said.values()]
    found = []
    for name, one, numbers in zip(said, sets, number_matched_boxes(sets), strict=True):
        rows = zip(numbers, one.bounds.tolist(), one.categories, strict=True)
        boxes = [
            page.NumberedBox(number=n, left=left, top=top, right=right, bottom=bottom, category=c)
            for n, (left, top, right, bottom), c in rows
        ]
        found.append(page.DrawnObject(annotator=name, boxes=boxes))
    return found


_DRAWN: dict[ObjectKind, Callable[[ObjectDistance, Mapping[str, str]], list[page.DrawnObject]]] = {
    ObjectKind.tree: _trees,
    ObjectKind.text: _texts,
    ObjectKind.ranking: _rankings,
    ObjectKind.boxes: _boxes,
}
