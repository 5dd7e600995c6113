"""Comparisons by position in the document, and by hour and order of the annotators' work.

A stratum is between two cuts of an ordered quantity. The candidates are everything from a cut on,
and everything before it, of all annotators or of one, who is compared with their own other work:

    gain = (X_S − E_S · X_R / E_R) / C

as in `metrics.causes.candidates`, where the disagreement X of a pair of annotators in a document is
spread over its comparisons that differ, and its chance E over all its comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from ..arrays import Floats, Ints

MOST_STRATA = 10  # of positions and of the order of work
HOURS = (9, 12, 15, 18, 20, 22, 23)  # cuts
_DAY_BEGINS = 5  # an hour of the night belongs to the day before
_FEWEST_ANNOTATED = 8  # documents of an annotator, to divide their order
UNKNOWN = -1


class StratumKind(StrEnum):
    """The quantity that is cut."""

    position = "position"
    hour = "hour"
    order = "order"


@dataclass(frozen=True, slots=True, eq=False)
class Strata:
    """Comparisons by the stratum of the first annotator's work.

    cuts   S − 1 lower bounds, as they are shown
    uses   float64 (G, A, A, S): comparisons of two annotators, in both orders
    apart  float64 (G, A, A, S): those that differ
    """

    kind: StratumKind
    cuts: tuple[str, ...]
    uses: Floats
    apart: Floats

    @classmethod
    def empty(cls, kind: StratumKind, cuts: Sequence[str], shape: tuple[int, int, int]) -> Strata:
        """Return strata of (G, A, A) cells in which nothing is counted yet."""
        sums = np.zeros((*shape, len(cuts) + 1))
        return cls(kind, tuple(cuts), sums, sums.copy())

    def count(
        self, place: tuple[Ints, Ints | int, Ints | int], strata: Ints, uses: Floats, apart: Floats
    ) -> None:
        """Add comparisons, and those that differ, at groups and pairs of annotators.

        Those of an unknown stratum are omitted.
        """
        known = strata >= 0
        places = (np.broadcast_to(one, strata.shape)[known] for one in (*place, strata))
        cell = np.ravel_multi_index(tuple(places), self.uses.shape)
        for sums, counted in ((self.uses, uses), (self.apart, apart)):
            added = np.bincount(cell, weights=counted[known], minlength=sums.size)
            sums += added.reshape(sums.shape)

    def shares_apart(self) -> Floats:
        """Return how what differs between two annotators is spread over the strata; 0 of none."""
        total = self.apart.sum(axis=3, keepdims=True)
        return np.divide(self.apart, total, out=np.zeros_like(self.apart), where=total > 0)

    def spread(self, amounts: Floats, chances: Floats) -> tuple[Floats, Floats]:
        """Spread disagreement and chance (G, A, A) of pairs over strata, (G, A, S) by annotator.

        Each pair counts for both of its annotators, in the stratum of their own work.
        """
        total = self.uses.sum(axis=3, keepdims=True)
        shares = np.divide(self.uses, total, out=np.zeros_like(self.uses), where=total > 0)
        x, e = (one + one.transpose(0, 2, 1) for one in (amounts, chances))
        return (
            (x[..., None] * self.shares_apart()).sum(axis=2),
            (e[..., None] * shares).sum(axis=2),
        )

    def reduced(self, annotator: int | None, chosen: slice, factor: float) -> Strata:
        """Return the same with differing comparisons of some strata multiplied."""
        factors = np.ones(self.apart.shape)
        whose = slice(None) if annotator is None else annotator
        factors[:, whose, :, chosen] = factor
        if self.kind is StratumKind.position:  # of both annotators of a comparison
            factors[:, :, whose, chosen] = factor
        return replace(self, apart=self.apart * factors)


@dataclass(frozen=True, slots=True, eq=False)
class StrataOfWork:
    """The stratum of each annotator's work on each document, int64 (D, A); −1 if unknown."""

    kind: StratumKind
    cuts: tuple[str, ...]
    of_work: Ints


def strata_of_positions(starts: Ints) -> tuple[tuple[str, ...], Ints]:
    """Return cuts at equal shares of the units, and the stratum of each unit (U,)."""
    shares = np.arange(1, MOST_STRATA) / MOST_STRATA
    cuts = np.unique(np.quantile(starts, shares).astype(np.int64)) if starts.size else starts
    cuts = cuts[cuts > starts.min(initial=0)]
    return tuple(map(str, cuts.tolist())), np.searchsorted(cuts, starts, side="right")


def strata_of_times(
    times: Sequence[str], documents: Ints, annotators: Ints, shape: tuple[int, int]
) -> list[StrataOfWork]:
    """Return the hours and the order of the work; [] without times.

    times       ISO 8601, "" or a date where the time is unknown
    documents, annotators  int64 (R,): numbers of the document and annotator of each time
    shape       numbers of documents and annotators
    """
    is_timed = np.array([len(text) > 13 and text[11:13].isdigit() for text in times], dtype=bool)
    if not is_timed.any():
        return []
    stamps = np.array(times, dtype=str)
    timed = np.flatnonzero(is_timed)
    hours = np.array([int(stamps[r][11:13]) for r in timed], dtype=np.int64)
    place = documents[timed], annotators[timed]
    of_hours = np.full(shape, UNKNOWN, dtype=np.int64)
    of_hours[place] = np.searchsorted(HOURS, (hours - _DAY_BEGINS) % 24 + _DAY_BEGINS, side="right")
    of_order = np.full(shape, UNKNOWN, dtype=np.int64)
    for a in range(shape[1]):
        own = timed[annotators[timed] == a]
        if own.size >= _FEWEST_ANNOTATED:
            order = own[np.argsort(stamps[own], kind="stable")]
            of_order[documents[order], a] = np.arange(own.size) * MOST_STRATA // own.size
    shares = tuple(f"{100 * k // MOST_STRATA}" for k in range(1, MOST_STRATA))
    return [
        StrataOfWork(StratumKind.hour, tuple(f"{hour}:00" for hour in HOURS), of_hours),
        StrataOfWork(StratumKind.order, shares, of_order),
    ]
