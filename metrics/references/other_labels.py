"""The labels of an item beside each label: how many are the same, and what the others decide.

What an annotator is compared with never contains their own label. Whether an item is easy shows in
the others: `among_others` is what the other annotators reach on the same item, so that the
difference from it has the mean 0 for annotators who label alike, whichever items they labelled.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..agreement.label_matrix import HUMAN
from ..arrays import Flags, Floats, Ints, divide
from .label_list import LabelList

NO_DECISION = -1


@dataclass(frozen=True, slots=True)
class OtherLabels:
    """What stands beside each of R labels, in the order of the list.

    n_others      int64 (R,): other labels of the item
    n_same        int64 (R,): those in the same category
    among_others  float64 (R,): share of the pairs of the others in one category; nan below two
    decision      int64 (R,): category of more than half of the others, two at least; NO_DECISION
    n_decided     int64 (R,): the others in that category, or in their most frequent one
    """

    n_others: Ints
    n_same: Ints
    among_others: Floats
    decision: Ints
    n_decided: Ints

    @property
    def agreement(self) -> Floats:
        """Share of the others in the same category, float64 (R,); nan without another label."""
        return divide(self.n_same, self.n_others)


def other_labels(labels: LabelList) -> OtherLabels:
    """Compare each label with the others of its item; one label per annotator and item."""
    items, own = labels.items, labels.codes
    width = max(len(labels.tagset), 1)
    counts = np.bincount(items * width + own, minlength=labels.n_items * width)
    counts = counts.reshape(labels.n_items, width)
    n_others = counts.sum(axis=1)[items] - 1
    n_same = counts[items, own] - 1
    pairs = (counts * (counts - 1) // 2).sum(axis=1)[items] - n_same
    first = counts.argmax(axis=1)
    most = counts[np.arange(labels.n_items), first]
    counts[np.arange(labels.n_items), first] = -1
    second = counts.argmax(axis=1)
    next_most = counts[np.arange(labels.n_items), second]
    is_first = own == first[items]
    behind = is_first & (next_most[items] > most[items] - 1)
    decision = np.where(is_first & ~behind, own, np.where(behind, second[items], first[items]))
    n_decided = np.where(is_first, np.maximum(most[items] - 1, next_most[items]), most[items])
    decided = (n_decided > 1) & (2 * n_decided > n_others)
    return OtherLabels(
        n_others,
        n_same,
        divide(pairs, n_others * (n_others - 1) // 2),
        np.where(decided, decision, NO_DECISION),
        n_decided,
    )


def shares_beside(items: Ints, values: Floats) -> tuple[Floats, Floats]:
    """Return the shares of an item's other values that are above, and below, each value, (R,).

    nan for a value that is nan or has less than two others: with one other, it would be told.
    """
    above, below = np.full(values.size, np.nan), np.full(values.size, np.nan)
    order = np.lexsort((values, items))
    order = order[np.isfinite(values[order])]
    item, value = items[order], values[order]
    new_item = np.append(True, item[1:] != item[:-1])[: item.size]
    new_value = new_item | np.append(True, value[1:] != value[:-1])[: item.size]
    (first, end), (equal_from, equal_to) = map(_runs, (new_item, new_value))
    others = (end - first - 1).astype(np.float64)
    others[others < 2] = np.nan
    above[order], below[order] = (end - equal_to) / others, (equal_from - first) / others
    return above, below


def _runs(begins: Flags) -> tuple[Ints, Ints]:
    """Return the first position of the run of each position, and the one after its last."""
    starts = np.flatnonzero(begins)
    lengths = np.diff(np.append(starts, begins.size))
    return np.repeat(starts, lengths), np.repeat(starts + lengths, lengths)


def single_labels(labels: LabelList) -> LabelList:
    """Return the humans' labels, without those of an annotator who gave an item several."""
    cell = labels.items * len(labels.annotator_names) + labels.annotators
    _, of_cell, n_given = np.unique(cell, return_inverse=True, return_counts=True)
    roles = labels.roles or (HUMAN,) * len(labels.annotator_names)
    is_human = np.array([role == HUMAN for role in roles], np.bool_)
    kept = (n_given[of_cell] == 1) & is_human[labels.annotators]
    return labels.select(kept)
