"""Interpretation of a campaign's labels: how stable the majority reference is.

Synthetic annotators who err on the items as the campaign's annotators do, with the same coefficient
and distance, produce references of 2 to 25 annotators. The readings state how much these references
differ from the reference of all 25 (Brégeon 2018, 3.2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...metrics.agreement.coefficients import compute_coefficient, resolve_set_distance
from ...metrics.agreement.distances import Distance, NamedTable, distance_table
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.beyond_chance import share_of_guesses
from ...metrics.coded_warning import CodedWarning, add_reason
from ...metrics.errors import MetricsError, reason_of
from ...metrics.fewest_annotators import TARGET
from ...metrics.measures import GENERALISED, USUAL, coefficient_of
from ...metrics.options import Ties
from ...metrics.reason import Reason, ReasonCode
from ...metrics.resampling.synthetic.reading_table import (
    ReadingTable,
    reading_table,
)
from ...metrics.resampling.synthetic.synthetic_annotators import (
    Synthesis,
    item_profile,
    pool_errors_by_category,
)
from ...metrics.signature import input_hash, signature_line
from ...reports import results as page
from ...reports.language import Language
from ...reports.page.values import symbol_of

FALLBACK = "krippendorff_alpha"  # for a main measure without a table of its own
N_REFERENCE = 25
TRIALS = 100
_FINE_P1 = 9  # annotators, as in the report; with fewer, p1 takes few values
MOST_CATEGORIES = 100  # larger tagsets are measurements or names, and each trial makes K × K tables
_MOST_ITEMS = 500  # of the profile; the table is an expectation, and more items take longer


@dataclass(frozen=True, slots=True)
class Readings:
    """Sentences on a value, and the table they are based on (none if it cannot be computed)."""

    readings: list[page.Reading] = field(default_factory=list)
    tables: list[page.ReadingTable] = field(default_factory=list)


def label_readings(
    matrix: LabelMatrix,
    *,
    layer: str,
    measure: str = FALLBACK,
    distance: Distance = "nominal",
    ties: Ties = "random",
    ordered: bool = False,
    seed: int = 0,
) -> Readings:
    """Estimate how much of a layer's reference would change, and how many annotators are enough.

    measure, distance: the layer's own; α with that distance replaces a measure without a table.
    With a distance, changes are also weighted by their cost, and synthetic annotators draw the
    wrong labels observed with the same majority. If the value is undefined, or cannot be reproduced
    by such annotators, the reading states the reason.
    """
    labelled = matrix.n_labels >= 2
    if not labelled.any():
        return Readings()
    name = GENERALISED.get(measure, measure)
    of_table = name if name in USUAL else FALLBACK
    table_distance = distance if of_table == FALLBACK else "nominal"
    value = compute_coefficient(of_table, matrix, distance=table_distance)
    guesses = _guessing_sentence(layer, of_table, value.value)
    if math.isnan(value.value):
        return _without_table(layer, of_table, value.value, value.reason)
    if len(matrix.tagset) > MOST_CATEGORIES:
        n = len(matrix.tagset)
        reason = Reason(ReasonCode.TOO_MANY_CATEGORIES, n=n, most=MOST_CATEGORIES)
        return _without_table(layer, of_table, value.value, reason, guesses)
    is_nominal = shown_distance(distance) == "nominal"
    try:
        costs = (
            None
            if is_nominal
            else distance_table(
                resolve_set_distance(distance, matrix),
                tagset=matrix.tagset,
                marginals=matrix.counts().sum(axis=0),
            )
        )
        profile = item_profile(
            _sample_items(matrix, labelled, seed), ties=ties, ordered=ordered, seed=seed
        )
        if not is_nominal:
            profile = pool_errors_by_category(profile)
        table = reading_table(
            profile,
            value.value,
            coefficient_name=of_table,
            n_reference=N_REFERENCE,
            synthesis=Synthesis(wrong_class="uniform" if is_nominal else "observed"),
            trials=TRIALS,
            study=f"{layer}#{seed}",
            ties=ties,
            ordered=ordered,
            distances=costs,
        )
    except MetricsError as error:
        return _without_table(layer, of_table, value.value, reason_of(error), guesses)
    shown = shown_distance(table_distance)
    line = signature_line(
        "reading_table",
        coefficient=of_table,
        distance=shown,
        errors="uniform" if is_nominal else "pooled",
        annotators=N_REFERENCE,
        items=table.n_items,
        trials=TRIALS,
        ties=ties,
        seed=seed,
        input=input_hash([matrix.codes, *matrix.tagset]),
    )
    sentences = [*_reading_sentences(table, layer, matrix.n_annotators, shown), *guesses]
    return Readings(
        [page.Reading(layer=layer, measure=of_table, value=value.value, sentences=sentences)],
        [_reading_table(table, layer, line, shown, ties, weighted=costs is not None)],
    )


def shown_distance(distance: Distance) -> str:
    """Return the name of a distance in the results."""
    if isinstance(distance, NamedTable):
        return distance.name
    return distance if isinstance(distance, str) else "declared matrix"


def _sample_items(matrix: LabelMatrix, labelled: np.ndarray, seed: int) -> LabelMatrix:
    """Return the items with at least two labels, or a seeded sample of them."""
    which = np.flatnonzero(labelled)
    if which.size > _MOST_ITEMS:
        which = np.sort(np.random.default_rng(seed).permutation(which)[:_MOST_ITEMS])
    return replace(matrix, codes=matrix.codes[which], documents=None, items=())


def _guessing_sentence(layer: str, measure: str, value: float) -> list[CodedWarning]:
    """Express the value as a share of guessed items, for measures with that interpretation."""
    share = share_of_guesses(value)
    if not (coefficient_of(measure).chance_from_labels and share > 0):
        return []
    symbol = symbol_of(Language("en"), measure)
    return [
        CodedWarning(
            "share_of_guesses", {"layer": layer, "symbol": symbol, "value": value, "share": share}
        )
    ]


def _without_table(
    layer: str,
    measure: str,
    value: float,
    reason: Reason | None,
    sentences: Sequence[CodedWarning] = (),
) -> Readings:
    said = CodedWarning(
        "no_reading_table",
        {"layer": layer} if reason is None else add_reason(reason, {"layer": layer}),
    )
    reading = page.Reading(layer=layer, measure=measure, value=value, sentences=[said, *sentences])
    return Readings([reading])


def _reading_sentences(
    table: ReadingTable, layer: str, n: int, distance: str
) -> list[CodedWarning]:
    """Describe the change for the campaign's number of annotators, and how many are enough."""
    sentences = []
    place = np.flatnonzero(table.k == n)
    if place.size:
        q = int(place[0])
        low, high = table.interval[q]
        sentences.append(
            CodedWarning(
                "reference_change",
                {
                    "layer": layer,
                    "n": n,
                    "symbol": symbol_of(Language("en"), table.coefficient_name),
                    "distance": distance,
                    "value": table.coefficient,
                    "rate": float(table.rate[q]),
                    "reference": table.n_reference,
                    "low": float(low),
                    "high": float(high),
                },
            )
        )
    mean, safe = table.fewest_annotators(TARGET), table.fewest_annotators(TARGET, upper=True)
    most = table.n_reference // 2
    if mean is None:
        never: dict[str, float | int | str] = {
            "layer": layer, "most": most, "reference": table.n_reference, "target": TARGET,
        }  # fmt: skip
        sentences.append(CodedWarning("never_enough", never))
        return sentences
    bound = {"most": most} if safe is None else {"safe": safe}
    figures: dict[str, float | int | str] = {
        "layer": layer,
        "target": TARGET,
        "mean": mean,
        "reference": table.n_reference,
        **bound,
    }
    sentences.append(CodedWarning("enough" if safe else "enough_on_average", figures))
    if n < _FINE_P1:
        sentences.append(CodedWarning("coarse_difficulty", {"n": n}))
    return sentences


def _reading_table(
    table: ReadingTable, layer: str, line: str, distance: str, ties: Ties, *, weighted: bool
) -> page.ReadingTable:
    nothing = (math.nan, math.nan)
    return page.ReadingTable(
        layer=layer,
        measure=table.coefficient_name,
        distance=distance,
        ties=ties,
        value=table.coefficient,
        n_reference=table.n_reference,
        trials=table.trials,
        points=[
            page.ModificationPoint(
                k=int(table.k[q]),
                modification_rate=float(table.rate[q]),
                interval=(float(table.interval[q, 0]), float(table.interval[q, 1])),
                weighted=float(table.weighted[q]) if weighted else math.nan,
                weighted_interval=(
                    (float(table.weighted_interval[q, 0]), float(table.weighted_interval[q, 1]))
                    if weighted
                    else nothing
                ),
            )
            for q in range(table.k.size)
        ],
        signature=line,
    )
