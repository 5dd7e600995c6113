"""Diarization error rate: the share of speaking time assigned to the wrong speaker, or to none.

Units are turns of speech in milliseconds, categories are speakers. The system's speaker names need
not be the reference's: in each document they are mapped one to one, with the largest total overlap.
With several speakers at once, a moment with r reference and s system speakers, c of them correct,
has max(0, r − s) missed, max(0, s − r) false alarm and min(r, s) − c confused.

Sources: the evaluation plans of NIST's Rich Transcription (RT-09); Bredin 2017.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..arrays import Floats, Ints
from ..errors import MetricsError
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..intervals.evaluate import Rate, ratio_of_columns
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason, ReasonCode
from ..signature import How
from ..unit_rows import Units
from .score_estimates import estimate_of_counts

TIMES = ("correct", "confusion", "missed", "false_alarm", "total")
ERRORS = ("confusion", "missed", "false_alarm")


def diarization_times(
    reference: Units, system: Units, *, n_documents: int, collar: int = 0, overlaps: bool = True
) -> Floats:
    """Times of each document, (D, 5): correct, confusion, missed, false alarm, reference total.

    collar    time excluded from the score, centred on each bound of the reference
    overlaps  False: exclude times with at least two reference speakers

    A speaker who occurs twice at one time counts once. Raises MetricsError for a negative collar or
    a document outside 0..D-1.
    """
    if collar < 0:
        raise MetricsError(f"collar is {collar}; it must be 0 or more")
    for units in (reference, system):
        if units.documents.max(initial=-1) >= n_documents:
            raise MetricsError(
                f"document index {int(units.documents.max())} is outside 0..{n_documents - 1}"
            )
    times = np.zeros((n_documents, len(TIMES)))
    of_reference, of_system = _units_by_document(reference), _units_by_document(system)
    for d in sorted({*of_reference, *of_system}):
        times[d] = _document_times(
            of_reference.get(d, Units.empty()), of_system.get(d, Units.empty()), collar, overlaps
        )
    return times


def diarization_error_rate(
    times: Floats,
    *,
    errors: Sequence[str] = ERRORS,
    collar: int = 0,
    overlaps: bool = True,
    mean_turn: float = 1.0,
    sampling: Sampling = NO_INTERVALS,
) -> Estimate:
    """(confusion + missed + false alarm) / reference speaking time: at least 0, may exceed 1.

    times             (D, 5), from `diarization_times`
    errors            the errors to count, from ERRORS; a single one gives its share
    collar, overlaps  options with which the times were counted
    mean_turn         mean length of a turn: what one more error is taken to last

    The value is nan if nobody speaks in the reference.
    """
    correct, confusion, missed, false_alarm, total = (float(t) for t in times.sum(axis=0))
    return estimate_of_counts(
        How(
            measure="diarization_error_rate" if len(errors) == len(ERRORS) else "+".join(errors),
            collar=collar,
            overlaps="scored" if overlaps else "left out",
        ),
        error_counts(times, errors),
        error_rate_statistic(errors, mean_turn=mean_turn),
        reason=Reason(ReasonCode.NO_SPEECH),
        n_items=times.shape[0],
        detail=Detail(
            correct=correct,
            confusion=confusion,
            missed=missed,
            false_alarm=false_alarm,
            total=total,
        ),
        sampling=sampling,
    )


def error_counts(times: Floats, errors: Sequence[str] = ERRORS) -> Floats:
    """(D, 2): time of the errors, speaking time of the reference; for comparisons."""
    columns = [TIMES.index(error) for error in errors]
    return np.stack([times[:, columns].sum(axis=1), times[:, TIMES.index("total")]], axis=1)


def error_rate_statistic(errors: Sequence[str] = ERRORS, *, mean_turn: float = 1.0) -> Rate:
    """Return the rate of errors as a statistic of `error_counts`."""
    highest = math.inf if "false_alarm" in errors else 1.0
    return Rate(ratio_of_columns(0, 1), event=mean_turn, within=(0.0, highest))


def _units_by_document(units: Units) -> dict[int, Units]:
    order = np.argsort(units.documents, kind="stable")
    found, first = np.unique(units.documents[order], return_index=True)
    parts = np.split(order, first[1:])
    return {int(d): units.select(part) for d, part in zip(found, parts, strict=False)}


def _document_times(
    reference: Units, system: Units, collar: int, overlaps: bool
) -> tuple[float, float, float, float, float]:
    # Times are doubled so that half a collar is a whole number.
    bounds = 2 * np.concatenate([reference.starts, reference.ends])
    cuts = [bounds, 2 * np.concatenate([system.starts, system.ends])]
    cuts += [bounds - collar, bounds + collar] if collar else []
    instants = np.unique(np.concatenate(cuts))
    durations = np.diff(instants) / 2
    r, s = _activity(reference, instants), _activity(system, instants)
    kept = np.ones(durations.size, dtype=np.bool_)
    if collar:
        middle = (instants[:-1] + instants[1:]) / 2
        ordered = np.sort(bounds)
        after = np.searchsorted(ordered, middle).clip(0, ordered.size - 1)
        near = (
            np.minimum(
                np.abs(ordered[after] - middle), np.abs(ordered[np.maximum(after - 1, 0)] - middle)
            )
            if ordered.size
            else np.full(middle.shape, np.inf)
        )
        kept &= near >= collar
    if not overlaps:
        kept &= r.sum(axis=0) < 2
    r, s, durations = r[:, kept], s[:, kept], durations[kept]
    shared = (r * durations) @ s.T
    from scipy.optimize import linear_sum_assignment  # takes a second to import

    rows, columns = linear_sum_assignment(shared, maximize=True)
    correct = float(shared[rows, columns].sum())
    n_reference, n_system = r.sum(axis=0), s.sum(axis=0)
    both = float((np.minimum(n_reference, n_system) * durations).sum())
    given = float((n_reference * durations).sum())
    return correct, both - correct, given - both, float((n_system * durations).sum()) - both, given


def _activity(units: Units, instants: Ints) -> Floats:
    """(speakers, intervals between instants): 1 if the speaker speaks in the interval."""
    speakers, rows = np.unique(units.categories, return_inverse=True)
    changes = np.zeros((speakers.size, instants.size))
    np.add.at(changes, (rows, np.searchsorted(instants, 2 * units.starts)), 1)
    np.add.at(changes, (rows, np.searchsorted(instants, 2 * units.ends)), -1)
    return (np.cumsum(changes, axis=1)[:, :-1] > 0).astype(np.float64)
