"""Pairs of objects and their distances: on one item, and of all objects for chance.

An object is the label of an annotator on an item, read by the distance; equal labels are one
object, at distance 0. The distance of each pair of different objects is computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..agreement.label_matrix import LabelMatrix
from ..arrays import Flags, Floats, Ints
from ..errors import MetricsError
from .object_distance import ObjectDistance

MOST_PAIRS = 200_000  # pairs of objects for chance; of more, a sample of as many is drawn
_AT_ONCE = 20_000  # distances that a distance computes in one call


@dataclass(frozen=True)
class DistancePairs:
    """P pairs of objects (first[p], second[p]), int64 (P,), and their distances, float64 (P,)."""

    first: Ints
    second: Ints
    distances: Floats

    @property
    def n_pairs(self) -> int:
        return self.distances.size

    def where(self, kept: Flags) -> DistancePairs:
        return DistancePairs(self.first[kept], self.second[kept], self.distances[kept])


@dataclass(frozen=True)
class ObjectPairs:
    """The n objects on items with two or more, and the distances of their pairs.

    item        int64 (n,): item of each object
    annotator   int64 (n,): its annotator
    document    int64 (N,): document of each of the N items; without documents, the item itself
    within      every pair of objects on one item
    chance      every pair of objects, or a sample of them; None if the distance does not compare
                objects of different items
    is_sample   whether `chance` is a sample
    """

    item: Ints
    annotator: Ints
    document: Ints
    within: DistancePairs
    chance: DistancePairs | None
    is_sample: bool = False

    @property
    def n_objects_by_item(self) -> Ints:
        """Objects on each item, (N,)."""
        return np.bincount(self.item, minlength=self.document.size)

    def select_annotators(self, kept: Sequence[int]) -> ObjectPairs:
        """Keep the objects of some annotators, on items with two or more of them."""
        return self._where(np.isin(self.annotator, kept))

    def select_items(self, kept: Flags) -> ObjectPairs:
        """Keep some of the N items, bool (N,), with the distances on them alone."""
        left = replace(self, chance=None)._where(kept[self.item])
        return replace(left, item=(np.cumsum(kept) - 1)[left.item], document=self.document[kept])

    def _where(self, holds: Flags) -> ObjectPairs:
        """Keep some objects, bool (n,), on items with two or more of them."""
        n_left = np.bincount(self.item[holds], minlength=self.document.size)
        holds = holds & (n_left[self.item] > 1)
        number = np.cumsum(holds) - 1

        def numbered(pairs: DistancePairs) -> DistancePairs:
            left = pairs.where(holds[pairs.first] & holds[pairs.second])
            return DistancePairs(number[left.first], number[left.second], left.distances)

        return replace(
            self,
            item=self.item[holds],
            annotator=self.annotator[holds],
            within=numbered(self.within),
            chance=None if self.chance is None else numbered(self.chance),
        )


def object_pairs(
    matrix: LabelMatrix, distance: ObjectDistance, *, seed: int, most_pairs: int = MOST_PAIRS
) -> ObjectPairs:
    """Compute the distances of the objects of a matrix, whose tagset has their texts.

    seed        of the sample of pairs for chance, if there are more than `most_pairs`

    Raises MetricsError for a label that the distance cannot read, and for an impossible distance.
    """
    given = matrix.codes >= 0
    item, annotator = np.nonzero(given & (given.sum(axis=1, keepdims=True) > 1))
    codes = matrix.codes[item, annotator].astype(np.int64)
    first, second = _pairs_on_items(item)
    n_within, is_sample = first.size, False
    if distance.compares_items:
        is_sample = item.size * (item.size - 1) // 2 > most_pairs
        drawn = (
            _sampled_pairs(item.size, most_pairs, seed)
            if is_sample
            else np.triu_indices(item.size, 1)
        )
        first, second = np.concatenate([first, drawn[0]]), np.concatenate([second, drawn[1]])
    values = _distances(matrix, distance, codes[first], codes[second])
    documents = matrix.documents
    return ObjectPairs(
        item,
        annotator,
        np.arange(matrix.n_items)
        if matrix.documents_to_resample is None
        else np.asarray(documents),
        DistancePairs(first[:n_within], second[:n_within], values[:n_within]),
        DistancePairs(first[n_within:], second[n_within:], values[n_within:])
        if distance.compares_items
        else None,
        is_sample,
    )


def _pairs_on_items(item: Ints) -> tuple[Ints, Ints]:
    """Return the numbers of each two objects on one item; `item` (n,) is sorted."""
    _, start, n_objects = np.unique(item, return_index=True, return_counts=True)
    parts = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    for n in np.unique(n_objects).tolist():
        one, other = np.triu_indices(n, 1)
        first = start[n_objects == n][:, None]
        parts.append(((first + one).ravel(), (first + other).ravel()))
    return np.concatenate([a for a, _ in parts]), np.concatenate([b for _, b in parts])


def _sampled_pairs(n_objects: int, n_pairs: int, seed: int) -> tuple[Ints, Ints]:
    rng = np.random.default_rng(seed)
    first = rng.integers(0, n_objects, n_pairs)
    second = rng.integers(0, n_objects - 1, n_pairs)
    return first, second + (second >= first)


def _distances(matrix: LabelMatrix, distance: ObjectDistance, first: Ints, second: Ints) -> Floats:
    """Return the distances of pairs of labels, by their codes; each different pair once."""
    size = np.int64(len(matrix.tagset))
    keys = np.minimum(first, second) * size + np.maximum(first, second)
    distinct, place = np.unique(keys[first != second], return_inverse=True)
    objects = _read_objects(matrix, distance)
    found = np.empty(distinct.size)
    for start in range(0, distinct.size, _AT_ONCE):
        low, high = np.divmod(distinct[start : start + _AT_ONCE], size)
        some = distance.distances(
            [objects[k] for k in low.tolist()], [objects[k] for k in high.tolist()]
        )
        found[start : start + _AT_ONCE] = some
    if not np.isfinite(found).all() or found.min(initial=0.0) < 0:
        wrong = distinct[np.argmin(np.isfinite(found) & (found >= 0))]
        one, other = (matrix.tagset[k] for k in divmod(int(wrong), int(size)))
        raise MetricsError(
            f"the distance {distance.name} of {one!r} and {other!r} is negative or not a finite "
            "number"
        )
    values = np.zeros(first.size)
    values[first != second] = found[place]
    return values


def _read_objects(matrix: LabelMatrix, distance: ObjectDistance) -> list[object]:
    """Read the text of every label. Raises MetricsError with the item of one that is no object."""
    objects = []
    for code, text in enumerate(matrix.tagset):
        try:
            objects.append(distance.read(text))
        except ValueError as error:
            at = np.argwhere(matrix.codes == code)
            if not at.size:
                objects.append(None)
                continue
            i, a = at[0].tolist()
            where = matrix.items[i] if len(matrix.items) else i + 1
            raise MetricsError(
                f"the label of {matrix.annotators[a]} on item {where} is not an object that the "
                f"distance {distance.name} can read: {error}"
            ) from None
    return objects
