"""The objects on one item as the report draws them, by what their texts stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...metrics.objects.comparison import aligned_words, central_first, numbered_boxes
from ...metrics.objects.distances.boxes import read_boxes
from ...metrics.objects.distances.rankings import read_ranking
from ...metrics.objects.distances.trees import read_heads
from ...metrics.objects.object_distance import ObjectDistance, ObjectKind
from ...reports import results as page

MOST_DRAWN = 6  # annotators: the central one and those who differ most from that one
MOST_PARTS = 300  # tokens, words, candidates or boxes of an object; larger ones stay text

_Fields = list[dict[str, Any]]


def drawn_objects(distance: ObjectDistance, said: Mapping[str, str]) -> list[page.DrawnObject]:
    """Return the objects of the annotators, the central one first.

    [] for a kind without a drawing, fewer than two objects, objects with too many parts, and texts
    of another package's distance that are not written as the kind is.
    """
    if distance.kind not in _FIELDS or len(said) < 2:
        return []
    names = list(said)
    chosen = [names[k] for k in central_first(distance, list(said.values()))][:MOST_DRAWN]
    try:
        fields = _FIELDS[distance.kind](distance, [said[name] for name in chosen])
    except ValueError:
        return []
    if any(len(parts) > MOST_PARTS for one in fields for parts in one.values()):
        return []
    return [
        page.DrawnObject(annotator=name, **one) for name, one in zip(chosen, fields, strict=True)
    ]


def _trees(_: ObjectDistance, texts: Sequence[str]) -> _Fields:
    trees = [read_heads(text) for text in texts]
    return [
        {
            "arcs": [
                page.Arc(head=h, relation=r) for h, r in zip(one.heads, one.relations, strict=True)
            ]
        }
        for one in trees
    ]


def _texts(distance: ObjectDistance, texts: Sequence[str]) -> _Fields:
    def key(word: str) -> str:
        read = distance.read(word)
        return "".join(read) if isinstance(read, str | list) else word

    def change(word: str, central: str) -> str:
        if not (word and central):
            return "inserted" if word else "missing" if central else ""
        return "" if key(word) == key(central) else "replaced"

    rows = aligned_words(texts, key)
    return [
        {
            "words": [
                page.AlignedWord(text=word, change=change(word, central))
                for word, central in zip(row, rows[0], strict=True)
            ]
        }
        for row in rows
    ]


def _rankings(_: ObjectDistance, texts: Sequence[str]) -> _Fields:
    """Read rankings; what one does not name stands last in it, tied."""
    rankings = [read_ranking(text) for text in texts]
    names = list(dict.fromkeys(name for one in rankings for name in one))
    found = []
    for one in rankings:
        places = {name: one.get(name, len(names)) for name in names}
        groups = [[n for n in names if places[n] == k] for k in sorted(set(places.values()))]
        found.append({"ranking": groups})
    return found


def _boxes(_: ObjectDistance, texts: Sequence[str]) -> _Fields:
    sets = [read_boxes(text) for text in texts]
    found = []
    for one, numbers in zip(sets, numbered_boxes(sets), strict=True):
        rows = zip(numbers, one.bounds.tolist(), one.categories, strict=True)
        boxes = [
            page.NumberedBox(number=n, left=left, top=top, right=right, bottom=bottom, category=c)
            for n, (left, top, right, bottom), c in rows
        ]
        found.append({"boxes": boxes})
    return found


_FIELDS: dict[ObjectKind, Callable[[ObjectDistance, Sequence[str]], _Fields]] = {
    ObjectKind.tree: _trees,
    ObjectKind.text: _texts,
    ObjectKind.ranking: _rankings,
    ObjectKind.boxes: _boxes,
}
