"""Segmentations of a system against a reference's.

A document of n elements (sentences, tokens) has n − 1 places for a boundary: a segmentation is a
bool array (n − 1,), True where a segment ends (`boundaries_of_lengths` makes it from segment
lengths).

| measure | value | best | source |
|---|---|---|---|
| `pk` | share of windows with ends wrongly joined or separated | 0 | Beeferman et al. 1999 |
| `window_diff` | share of windows with a wrong number of boundaries | 0 | Pevzner & Hearst 2002 |
| `ghd` | generalised Hamming distance, a cost | 0 | Bookstein et al. 2002 |
| `boundary_similarity` | B: 1 − weighted edits / (matched boundaries + edits) | 1 | Fournier 2013 |
| `segmentation_similarity` | S: 1 − weighted edits / places | 1 | Fournier & Inkpen 2012 |

Costs and their divisors add over documents. B and S count a boundary missed by less than `span`
places as a transposition, which costs distance / span instead of two edits.

A window of `pk` and `window_diff` is k places, between elements k apart; a document of n elements
has n − k windows, and no window extends beyond its ends, so that a boundary near an end is in fewer
than k windows. k is half the mean length of the reference's segments in the document, n / 2s for s
segments; Beeferman et al. and Pevzner & Hearst do not say how a fraction is rounded. Here the
nearest whole number is taken, the higher one of two (a mean of 5 gives 3), and at least 2. nltk and
segeval round a half to the even number (2), so that they differ by one place there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from ..arrays import Flags, Floats, Ints
from ..errors import MetricsError
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..intervals.evaluate import Resampled, Share, Statistic, ratio_of_columns
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason, ReasonCode
from ..signature import How
from .boundary_edits import cheapest_boundary_edits
from .score_estimates import estimate_of_counts

Measure = Literal["pk", "window_diff", "ghd", "boundary_similarity", "segmentation_similarity"]
SEGMENTATION_MEASURES: tuple[Measure, ...] = get_args(Measure)
_SIMILARITIES = ("boundary_similarity", "segmentation_similarity")


@dataclass(frozen=True, slots=True)
class SegmentationCounts:
    """Costs of D documents, additive.

    sums      float64 (D, 2): cost, and its divisor (windows, places, boundaries)
    settings  settings of the measure
    worth     independent trials per unit of the divisor: a window overlaps k − 1 others
    """

    measure: Measure
    sums: Floats
    settings: dict[str, Any]
    worth: float = 1.0

    @property
    def statistic(self) -> Statistic:
        """Return the measure as a statistic of costs (B, 2)."""
        if self.measure == "ghd":
            return Resampled(lambda sums: sums[:, 0], within=(0.0, math.inf))
        return Share(_matched if self.measure in _SIMILARITIES else _COSTS, self.worth)


def boundaries_of_lengths(lengths: ArrayLike) -> Flags:
    """Convert segment lengths ("masses") to bool (Σ lengths − 1,): True where a segment ends."""
    masses = np.asarray(lengths, dtype=np.int64)
    if masses.ndim != 1 or not masses.size or masses.min() < 1:
        raise MetricsError("segment lengths must be a list of whole numbers, each 1 or more")
    places = np.zeros(int(masses.sum()) - 1, dtype=np.bool_)
    places[np.cumsum(masses)[:-1] - 1] = True
    return places


def window_size(reference: Flags) -> int:
    """Return half the mean length of the reference's segments, rounded (halves up), at least 2."""
    mean = (reference.size + 1) / (int(reference.sum()) + 1)
    return max(2, math.floor(mean / 2 + 0.5))


def segmentation_counts(
    references: Sequence[Flags],
    systems: Sequence[Flags],
    *,
    measure: Measure,
    k: int | None = None,
    span: int = 2,
    insertion: float = 1.0,
    deletion: float = 1.0,
    shift: float = 1.0,
) -> SegmentationCounts:
    """Return the costs of each document.

    references, systems  D arrays of bool (n_d − 1,), the same lengths on both sides
    k                    window of pk and window_diff, in places; None: `window_size` of each
                         document's reference
    span                 B and S: boundaries less than `span` places apart are near misses
    insertion, deletion, shift  costs of ghd; a move costs `shift` × distance

    Raises MetricsError if the two sides differ in documents or lengths, and for k or span < 1.
    """
    if measure not in SEGMENTATION_MEASURES:
        raise MetricsError(
            f"measure is {measure!r}; it must be one of {', '.join(SEGMENTATION_MEASURES)}"
        )
    if len(references) != len(systems):
        raise MetricsError(
            f"{len(references)} segmentations of the reference, {len(systems)} of the system"
        )
    if (k is not None and k < 1) or span < 1 or min(insertion, deletion, shift) < 0:
        raise MetricsError("k and span must be 1 or more, costs 0 or more")
    sums = np.zeros((len(references), 2))
    n_apart = 0.0  # windows that do not overlap
    for d, (reference, system) in enumerate(zip(references, systems, strict=True)):
        if reference.shape != system.shape:
            raise MetricsError(
                f"document {d}: the reference has {reference.size + 1} elements, the system "
                f"{system.size + 1}"
            )
        if measure in ("pk", "window_diff"):
            window = k or window_size(reference)
            sums[d] = _window_errors(reference, system, window, measure)
            n_apart += sums[d, 1] / window
        elif measure == "ghd":
            cost, _, _ = cheapest_boundary_edits(
                np.nonzero(system)[0],
                np.nonzero(reference)[0],
                insertion=insertion,
                deletion=deletion,
                shift=shift,
                max_shift=reference.size,
            )
            sums[d] = cost, reference.size
        else:
            cost, n_considered = _boundary_edits(reference, system, span)
            sums[d] = cost, n_considered if measure == "boundary_similarity" else reference.size
    settings: dict[str, Any]
    if measure in ("pk", "window_diff"):
        settings = {"k": k or "half mean reference segment"}
    elif measure == "ghd":
        settings = {"insertion": insertion, "deletion": deletion, "shift": shift}
    else:
        settings = {"span": span}
    worth = n_apart / sums[:, 1].sum() if n_apart else 1.0
    return SegmentationCounts(measure, sums, settings, worth)


def segmentation_score(counts: SegmentationCounts, sampling: Sampling = NO_INTERVALS) -> Estimate:
    """Return the measure over all documents, with its interval.

    The value is nan if there is nothing to count: documents shorter than the window (pk,
    window_diff), no boundary on either side (B), no place (S). ghd is a sum and at least 0; its
    `detail` has the cost per place.
    """
    cost, scale = (float(column) for column in counts.sums.sum(axis=0))
    detail = Detail(cost=cost, scale=scale)
    if counts.measure == "ghd" and scale:
        detail |= Detail(cost_per_place=cost / scale)
    return estimate_of_counts(
        How(measure=counts.measure, **counts.settings),
        counts.sums,
        counts.statistic,
        reason=_REASONS.get(counts.measure),
        n_items=counts.sums.shape[0],
        detail=detail,
        sampling=sampling,
    )


def _window_errors(reference: Flags, system: Flags, k: int, measure: Measure) -> tuple[int, int]:
    """Return wrong windows and windows; each has k places, that is, compares elements k apart."""
    n_windows = reference.size - k + 1
    if n_windows < 1:
        return 0, 0
    of_reference, of_system = _inside_windows(reference, k), _inside_windows(system, k)
    if measure == "pk":  # only whether both ends are in the same segment
        of_reference, of_system = np.minimum(of_reference, 1), np.minimum(of_system, 1)
    wrong = of_reference != of_system
    return int(wrong.sum()), n_windows


def _inside_windows(places: Flags, k: int) -> Ints:
    """Return the number of boundaries inside each window of k places."""
    before = np.concatenate([[0], np.cumsum(places)])
    return before[k:] - before[:-k]


def _boundary_edits(reference: Flags, system: Flags, span: int) -> tuple[float, int]:
    """Return weighted edits, and the number of matched boundaries plus edits."""
    # Boundaries at the right place are matched: only the others may be transposed.
    cost, n_single, n_moved = cheapest_boundary_edits(
        np.nonzero(system & ~reference)[0],
        np.nonzero(reference & ~system)[0],
        insertion=1.0,
        deletion=1.0,
        shift=1.0 / span,
        max_shift=span - 1,
    )
    return cost, n_single + n_moved + int((reference & system).sum())


def _matched(sums: Floats) -> tuple[Floats, Floats]:
    return sums[:, 1] - sums[:, 0], sums[:, 1]


_COSTS = ratio_of_columns(0, 1)
_REASONS = {
    "pk": Reason(ReasonCode.SHORT_DOCUMENTS),
    "window_diff": Reason(ReasonCode.SHORT_DOCUMENTS),
    "boundary_similarity": Reason(ReasonCode.NO_BOUNDARY),
    "segmentation_similarity": Reason(ReasonCode.NO_PLACE_FOR_BOUNDARY),
}
