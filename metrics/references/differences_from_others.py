"""Systematic differences: an annotator differs from all others in one category more than elsewhere.

Slips are spread over the categories. If two of three annotators share a habit (they mark what the
third does not, or use another category for it), the same two stand against the third whenever that
category occurs. Counting shows it, but not which side is right, and a model in which annotators
err independently of one another takes the two for right.

A difference (own label d, label c of the others) is systematic if it occurs at least `FEWEST` times
and its rate, of the places where the others agree on c or of those where the annotator has d, is
above the annotator's rate of differences elsewhere, by the lower Clopper–Pearson limit. A rate of
the places of a label that stands for no unit is not used: there are only places with some unit.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..arrays import Ints
from ..intervals.binomial import clopper_pearson_limits
from .label_list import LabelList
from .other_labels import NO_DECISION, other_labels, single_labels

FEWEST = 5
SMALLEST_RATE = 0.2
_ERROR = 0.005  # of the one-sided limit: there are many pairs of labels


@dataclass(frozen=True, slots=True)
class SystematicDifference:
    """n of the `out_of` places given by one of the labels; own, others: codes of the labels.

    given      which label defines the places: the annotator's own, or the others'
    elsewhere  rate of differences at the other places, 0 to 1
    """

    annotator: str
    own: int
    others: int
    n: int
    out_of: int
    given: Literal["own", "others"]
    elsewhere: float

    @property
    def rate(self) -> float:
        return self.n / self.out_of


def systematic_differences(
    labels: LabelList, absent: Collection[int] = ()
) -> list[SystematicDifference]:
    """Return the systematic differences of the humans, the most frequent first.

    absent  codes of labels that stand for no unit
    """
    own, width, found = single_labels(labels), len(labels.tagset), list[SystematicDifference]()
    decision = other_labels(own).decision
    cells = own.codes * width + decision  # own label, label of the others
    for a in range(len(labels.annotator_names)):
        decided = (own.annotators == a) & (decision != NO_DECISION)
        table = np.bincount(cells[decided], minlength=width**2).reshape(width, width)
        for d, c in np.argwhere(table >= FEWEST).tolist():
            if d != c:
                found += _views(labels.annotator_names[a], table, d, c, set(absent))
    best: dict[tuple[str, int, int], SystematicDifference] = {}
    for one in sorted(found, key=lambda one: one.rate):
        best[one.annotator, one.own, one.others] = one
    return sorted(best.values(), key=lambda one: (-one.n, one.annotator, one.own, one.others))


def _views(
    annotator: str, table: Ints, own: int, others: int, absent: set[int]
) -> list[SystematicDifference]:
    """The difference among the places of either label, where it is systematic there."""
    found: list[SystematicDifference] = []
    sides: tuple[tuple[Literal["own", "others"], int, Ints], ...] = (
        ("own", own, table),
        ("others", others, table.T),
    )
    for given, label, rows in sides:
        if label in absent:
            continue
        n, out_of = int(table[own, others]), int(rows[label].sum())
        rest = np.array([k != label and k not in absent for k in range(len(rows))], np.bool_)
        n_rest = int(rows[rest].sum())
        n_differ = n_rest - int(np.diag(rows)[rest].sum())
        elsewhere = (n_differ + 1) / (n_rest + 2)
        lower = clopper_pearson_limits(n, out_of, 1 - 2 * _ERROR)[0]
        if n >= SMALLEST_RATE * out_of and lower > elsewhere:
            rate = n_differ / n_rest if n_rest else 0.0
            found.append(SystematicDifference(annotator, own, others, n, out_of, given, rate))
    return found
