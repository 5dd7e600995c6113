"""Pace of an annotator: seconds per document, and whether it drifts within sessions.

A session ends if no document was finished for `GAP` seconds. Drift is tested by permutation: within
each session the documents are put in random order, and the test statistic is the covariance of
position and rank of pace, added over sessions. Only the order within a session matters, so slow and
fast days or a change of documents between sessions are not drift. The test is exact: if pace does
not depend on position, it rejects at most as often as its level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from .arrays import Floats
from .bootstrap import generator_for_purpose
from .quantiles import t_quantile

GAP = 1800.0  # seconds without a finished document after which a new session begins
FALSE_ALARMS = 0.05 / 52  # of a delivery, so that one year in twenty of weekly ones has one
FEWEST_DELIVERIES = 5  # earlier ones without which nothing is usual
FEWEST = 20  # timed documents in sessions of three or more; with fewer there is no test
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Pace:
    """Pace of one annotator.

    n_documents   documents with a known time
    median        seconds per document
    hours         sum of the known times
    first, last   medians of the first and the last third of the sessions
    p_value       p-value of the drift, two-sided; nan for fewer than `FEWEST` documents
    drifts        whether the p-value, corrected for the number of annotators, is below .05
    """

    annotator: str
    n_documents: int
    n_sessions: int
    median: float = math.nan
    first: float = math.nan
    last: float = math.nan
    p_value: float = math.nan
    drifts: bool = False
    hours: float = math.nan


def pace_of(
    ends: Floats, seconds: Floats, *, annotator: str = "", n_permutations: int = 999, seed: int = 0
) -> Pace:
    """Compute the pace of the documents that one annotator finished.

    ends     float64 (N,): time at which each was finished, in seconds
    seconds  float64 (N,): duration of each; nan: the time since the previous one in the session,
             unknown for the first and for documents finished at the same moment

    >>> pace_of(np.array([0.0, 60, 120, 9000, 9030]), np.full(5, np.nan)).n_sessions
    2
    """
    order = np.argsort(ends, kind="stable")
    ends, seconds = ends[order], seconds[order]
    since = np.diff(ends, prepend=-np.inf)
    begins = since > GAP
    session = np.cumsum(begins)
    unknown = begins | (since <= 0)  # finished at the same moment: imported
    taken = np.where(np.isnan(seconds), np.where(unknown, np.nan, since), seconds)
    known = ~np.isnan(taken)
    n_sessions = int(session.max(initial=0))
    found = Pace(annotator, int(known.sum()), n_sessions, _median(taken[known]))
    found = replace(found, hours=float(taken[known].sum()) / 3600)
    parts = [taken[known & (session == s)] for s in np.unique(session)]
    parts = [part for part in parts if part.size >= _SHORTEST]
    if sum(part.size for part in parts) < FEWEST:
        return found
    thirds = [max(1, part.size // 3) for part in parts]
    first = [part[:n] for part, n in zip(parts, thirds, strict=True)]
    last = [part[-n:] for part, n in zip(parts, thirds, strict=True)]
    rng = generator_for_purpose(seed, 4)
    observed, drawn = 0.0, np.zeros(n_permutations)
    for part in parts:
        place = np.arange(part.size) - (part.size - 1) / 2
        rank = np.searchsorted(np.sort(part), part, side="left").astype(np.float64)
        rank += np.searchsorted(np.sort(part), part, side="right")
        observed += float(place @ rank)
        drawn += rng.permuted(np.broadcast_to(rank, (n_permutations, part.size)), axis=1) @ place
    hits = int((np.abs(drawn) >= abs(observed) - 1e-9).sum())
    return replace(
        found,
        first=_median(np.concatenate(first)),
        last=_median(np.concatenate(last)),
        p_value=(1 + hits) / (1 + n_permutations),
    )


def _median(values: Floats) -> float:
    return float(np.median(values)) if values.size else math.nan


def fewest_usual(counts: Floats, *, level: float = FALSE_ALARMS) -> float:
    """Return the count below which a further delivery is smaller than usual.

    counts  float64 (n,): what each earlier delivery contained, positive
    level   share of usual deliveries that are below

    This is the one-sided prediction bound of a further observation of a normal distribution (Hahn
    1969, Journal of the American Statistical Association 64), taken of logarithms. It is `nan` for
    fewer than `FEWEST_DELIVERIES` deliveries.

    >>> round(fewest_usual(np.array([14.0, 15, 16, 15, 14, 15, 16])), 1)
    11.0
    """
    if counts.size < FEWEST_DELIVERIES:
        return math.nan
    logs = np.log(counts)
    spread = float(logs.std(ddof=1)) * math.sqrt(1 + 1 / counts.size)
    return math.exp(float(logs.mean()) - t_quantile(counts.size - 1, 1 - level) * spread)
