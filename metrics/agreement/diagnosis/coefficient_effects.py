"""Effect on a coefficient of omitting an annotator or a batch, or of merging two categories.

Each effect is a difference to the campaign's own value, with a standard error paired over documents
(`metrics.influence`). If errors are evenly spread, none of the three moves a coefficient: the
expected change is 0 if annotators, or batches, are alike, and merging two of K categories removes
the same share of the observed and the expected disagreement if confusions are uniform.

An effect shows where disagreement lies. It is not a reason to exclude an annotator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ...arrays import Flags, Ints, numbered
from ...effect_of_omission import MOST_BATCHES, Effect, EffectKind
from ...influence import Influences, combine_influences
from ...measures import coefficient_of
from ..coefficients import resolve_set_distance
from ..counts import ItemCounts, count
from ..distances import Distance
from ..formulas.coefficient import Coefficient
from ..label_matrix import LabelMatrix
from ..linearized_variance import influences_of_units
from ..resampling_units import resampling_units_of_counts

MOST_ANNOTATORS = 45  # annotators omitted in turn
MOST_PAIRS = 10  # pairs of categories merged, the most often confused ones
_MOST_UNITS = 200  # groups of documents for the variances
_MOST_CELLS = 10_000_000  # cells of the counts of these groups


def effects_on_coefficients(
    matrix: LabelMatrix,
    *,
    measures: Sequence[str],
    distance: Distance = "nominal",
    batches: Mapping[str, Flags] | None = None,
) -> list[Effect]:
    """Return the effects on each of the measures.

    batches  name → items of the batch, bool (N,)

    Two categories are merged only if the distance is nominal, or if it is ordinal and they are
    neighbours. Returns [] if the tagset is too large for counts by document.
    """
    specs = [coefficient_of(measure) for measure in measures]
    n_units = min(_MOST_UNITS, _MOST_CELLS // max(1, len(matrix.tagset) ** 2 * matrix.n_annotators))
    if not specs or n_units < 2 or not matrix.n_items or matrix.n_annotators < 2:
        return []
    table, units = resolve_set_distance(distance, matrix), _resampling_units(matrix, n_units)
    whole = replace(matrix, documents=units, items=())
    counts = count(whole, by="documents")
    base = _influences_of_units(counts, np.unique(units), specs, table)
    found: list[Effect] = []
    for kind, names, other, those in _count_variants(whole, counts, distance, batches or {}):
        without = _influences_of_units(other, those, specs, table)
        for measure, new, own in zip(measures, without, base, strict=True):
            if np.isfinite(new.value) and np.isfinite(own.value):
                change = combine_influences([new, own], [1.0, -1.0])
                found.append(Effect.of(kind, names, measure, new.value, change))
    return found


def _resampling_units(matrix: LabelMatrix, most: int) -> Ints:
    """Assign each item (N,), or its document, to one of at most `most` groups."""
    drawn = matrix.documents_to_resample
    if drawn is None:
        return np.arange(matrix.n_items) % most
    return numbered(drawn)[1] % most


def _influences_of_units(
    counts: ItemCounts, units: Ints, specs: Sequence[Coefficient], distance: Distance
) -> list[Influences]:
    values, influences = influences_of_units(resampling_units_of_counts(counts), specs, distance)
    return [
        Influences(float(value), units, np.nan_to_num(influences[:, j]))
        for j, value in enumerate(values)
    ]


def _count_variants(
    matrix: LabelMatrix,
    counts: ItemCounts,
    distance: Distance,
    batches: Mapping[str, Flags],
) -> Iterator[tuple[EffectKind, tuple[str, ...], ItemCounts, Ints]]:
    """Yield every variant of the campaign: the change, its counts, and the units of their rows."""
    assert matrix.documents is not None  # set by `effects_on_coefficients`
    every = np.unique(matrix.documents)
    if 2 < matrix.n_annotators <= MOST_ANNOTATORS:
        for a, name in enumerate(matrix.annotators):
            yield EffectKind.annotator, (name,), counts.without(a), every
    if len(batches) <= MOST_BATCHES:
        for name, inside in batches.items():
            rest = matrix.select_items(~inside)
            if rest.documents is not None and rest.n_items and inside.any():
                of_rest = count(rest, by="documents")
                yield EffectKind.batch, (name,), of_rest, np.unique(rest.documents)
    if matrix.members is None and isinstance(distance, str):
        for c, k in _merged_pairs(counts, distance):
            groups = [min(g, c) if g == k else g - (g > k) for g in range(len(matrix.tagset))]
            names = tuple(name for g, name in enumerate(matrix.tagset) if g != k)
            yield (
                EffectKind.categories,
                (matrix.tagset[c], matrix.tagset[k]),
                counts.collapse_categories(groups, names),
                every,
            )


def _merged_pairs(counts: ItemCounts, distance: str) -> list[tuple[int, int]]:
    """The most often confused pairs that may be merged, in the order of the tagset."""
    n = len(counts.tagset)
    if n < 3 or distance not in ("nominal", "ordinal"):
        return []
    confused = counts.pairs
    pairs = [(c, k) for c, k in combinations(range(n), 2) if confused[c, k] > 0]
    if distance == "ordinal":
        pairs = [(c, k) for c, k in pairs if k == c + 1]
    return sorted(pairs, key=lambda pair: -int(confused[pair]))[:MOST_PAIRS]
