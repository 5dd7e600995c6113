"""What a campaign's own labels say of its reference, in sentences: the reading table, filled in.

Synthetic annotators who err on the items as the campaign's do, at its α, make references of 2 to
25 annotators: how much do those differ from that of all 25 (Brégeon 2018, 3.2)?
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from metrics.agreement.label_matrix import LabelMatrix
from metrics.agreement.registry import compute
from metrics.errors import MetricsError
from metrics.resampling.majority import Ties
from metrics.resampling.reading_table import ReadingTable, reading_table
from metrics.resampling.synthetic_annotators import item_profile
from metrics.signature import input_hash, signature
from reports import results as page
from reports.notices import notice

COEFFICIENT = "krippendorff_alpha"
N_REFERENCE = 25
TRIALS = 100
TARGET = 0.05
_FINE_P1 = 9  # annotators, as in the report: with fewer, p1 takes few values
_MOST_ITEMS = 500  # of the profile: the table is an expectation, and more items cost more


@dataclass(frozen=True, slots=True)
class Readings:
    """Sentences on a value, and the table they are read off (none where it cannot be made)."""

    readings: list[page.Reading] = field(default_factory=list)
    tables: list[page.ReadingTable] = field(default_factory=list)


def label_readings(
    matrix: LabelMatrix, *, layer: str, ties: Ties = "random", ordered: bool = False, seed: int = 0
) -> Readings:
    """How much of the reference of a layer would change, and how many annotators are enough.

    Where α is undefined, or no annotators of this kind have it, the reading says why.
    """
    labelled = (matrix.codes >= 0).sum(axis=1) >= 2
    if not labelled.any():
        return Readings()
    value = compute(COEFFICIENT, matrix)
    if math.isnan(value.value):
        return _without_table(layer, value.value, value.reason)
    try:
        profile = item_profile(
            _some_items(matrix, labelled, seed), ties=ties, ordered=ordered, seed=seed
        )
        table = reading_table(
            profile,
            value.value,
            coefficient_name="krippendorff_alpha",
            n_reference=N_REFERENCE,
            trials=TRIALS,
            study=f"{layer}#{seed}",
            ties=ties,
            ordered=ordered,
        )
    except MetricsError as error:
        return _without_table(layer, value.value, str(error))
    line = signature(
        "reading_table",
        coefficient=COEFFICIENT,
        distance="nominal",
        annotators=N_REFERENCE,
        items=table.n_items,
        trials=TRIALS,
        ties=ties,
        seed=seed,
        input=input_hash([matrix.codes, *matrix.tagset]),
    )
    sentences = _sentences(table, layer, matrix.n_annotators)
    return Readings(
        [page.Reading(measure=COEFFICIENT, value=value.value, sentences=sentences)],
        [_table(table, layer, line)],
    )


def _some_items(matrix: LabelMatrix, labelled: np.ndarray, seed: int) -> LabelMatrix:
    """The items with two labels or more, or a seeded choice of them."""
    which = np.flatnonzero(labelled)
    if which.size > _MOST_ITEMS:
        which = np.sort(np.random.default_rng(seed).permutation(which)[:_MOST_ITEMS])
    return replace(matrix, codes=matrix.codes[which], documents=None, items=())


def _without_table(layer: str, value: float, reason: str) -> Readings:
    said = notice("no_reading_table", layer=layer, reason=reason)
    return Readings([page.Reading(measure=COEFFICIENT, value=value, sentences=[said])])


def _sentences(table: ReadingTable, layer: str, n: int) -> list[page.Notice]:
    """With the campaign's own number of annotators; then how many keep the change small."""
    sentences = []
    place = np.flatnonzero(table.k == n)
    if place.size:
        q = int(place[0])
        low, high = table.interval[q]
        sentences.append(
            notice(
                "reference_change",
                layer=layer,
                n=n,
                alpha=table.coefficient,
                rate=float(table.rate[q]),
                reference=table.n_reference,
                low=float(low),
                high=float(high),
            )
        )
    mean, safe = table.fewest_annotators(TARGET), table.fewest_annotators(TARGET, upper=True)
    if mean is None:
        most = table.n_reference - 1
        sentences.append(notice("never_enough", layer=layer, most=most, target=TARGET))
        return sentences
    if safe is not None:
        sentences.append(notice("enough", layer=layer, target=TARGET, mean=mean, safe=safe))
    else:
        most = table.n_reference - 1
        sentences.append(
            notice("enough_on_average", layer=layer, target=TARGET, mean=mean, most=most)
        )
    if n < _FINE_P1:
        sentences.append(notice("coarse_difficulty", n=n))
    return sentences


def _table(table: ReadingTable, layer: str, line: str) -> page.ReadingTable:
    return page.ReadingTable(
        layer=layer,
        measure=COEFFICIENT,
        value=table.coefficient,
        n_reference=table.n_reference,
        trials=table.trials,
        points=[
            page.ModificationPoint(
                k=int(table.k[q]),
                modification_rate=float(table.rate[q]),
                interval=(float(table.interval[q, 0]), float(table.interval[q, 1])),
            )
            for q in range(table.k.size)
        ],
        signature=line,
    )
