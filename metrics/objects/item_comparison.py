"""What differs between the objects on one item, word by word or box by box.

All are compared with the central one, which has the smallest sum of distances to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from ..arrays import Floats
from .distances.boxes import BoxSet, match_boxes
from .object_distance import ObjectDistance


def order_central_first(distance: ObjectDistance, texts: Sequence[str]) -> list[int]:
    """Return the places of the objects: the central one, then the others, the furthest first."""
    objects = [distance.read(text) for text in texts]
    n = len(objects)
    apart = [distance.distances([one] * n, objects) for one in objects]
    far = np.where([[a == b for b in texts] for a in texts], 0.0, np.stack(apart))
    centre = int(far.sum(axis=1).argmin())
    others = [k for k in range(n) if k != centre]
    return [centre, *sorted(others, key=lambda k: -far[centre, k])]


def align_words(texts: Sequence[str], key: Callable[[str], Hashable]) -> list[list[str]]:
    """Align words between blanks with those of the first text, with the fewest edits.

    key  what is compared of a word; words whose key is "" are left out, such as punctuation

    Returns the words of each text in the same columns, "" where it has none. What different texts
    insert at one place stands in the same columns, in order.
    """
    from rapidfuzz.distance import Levenshtein

    words = [[word for word in text.split() if key(word) != ""] for text in texts]
    keys = [[key(word) for word in one] for one in words]
    central = words[0]
    own = [[""] * len(central) for _ in words]
    inserted: list[list[list[str]]] = [[[] for _ in range(len(central) + 1)] for _ in words]
    for k, one in enumerate(words):
        for edit in Levenshtein.opcodes(keys[0], keys[k]):
            its_words = one[edit.dest_start : edit.dest_end]
            if edit.tag == "insert":
                inserted[k][edit.src_start] += its_words
            elif edit.tag != "delete":
                own[k][edit.src_start : edit.src_end] = its_words
    most = [max(map(len, place)) for place in zip(*inserted, strict=True)]
    rows = []
    for of_text, further in zip(own, inserted, strict=True):
        padded = [[*more, *[""] * (n - len(more))] for more, n in zip(further, most, strict=True)]
        after = [[word, *more] for word, more in zip(of_text, padded[1:], strict=True)]
        rows.append([*padded[0], *(word for part in after for word in part)])
    return rows


def number_matched_boxes(sets: Sequence[BoxSet]) -> list[list[int]]:
    """Number the boxes of each set from 1; matched boxes have the same number.

    The boxes of the first set are numbered in order, then those of the others that match none.
    """
    known: Floats = np.empty((0, 4))
    found = []
    for one in sets:
        match = {b: a for a, b in match_boxes(known, one.bounds)}
        new = [b for b in range(len(one.bounds)) if b not in match]
        match |= {b: len(known) + place for place, b in enumerate(new)}
        known = np.concatenate([known, one.bounds[new]])
        found.append([match[b] + 1 for b in range(len(one.bounds))])
    return found
