"""The objects on one item as the report draws them, by what their texts stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...metrics.objects.distances.boxes import read_boxes
from ...metrics.objects.distances.rankings import read_ranking
from ...metrics.objects.distances.trees import read_heads
from ...metrics.objects.item_comparison import (
    align_words,
    number_matched_boxes,
    order_central_first,
)
from ...metrics.objects.object_distance import ObjectDistance, ObjectKind
from ...reports import results as page

MOST_DRAWN = 6  # annotators: the central one and those who differ most from that one
MOST_PARTS = 300  # tokens, words, candidates or boxes of an object; larger ones stay text


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
