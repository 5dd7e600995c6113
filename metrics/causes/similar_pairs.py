"""Two annotators who agree more than two who work independently: one may have copied the other.

If annotators err independently, the agreement of a pair is the product of what each of them knows,

    κ_ab = p_a p_b,    so that    κ_ab = κ_a. κ_b. / κ_..

where κ_a. is the agreement of a with the annotators other than b, and κ_.. of the others among
themselves. A pair is too alike if it disagrees at most half as much as this lets expect, and at
most half as much as any two of the others, so that two schools of annotators, each of one mind,
are not taken for copies. The interval of the difference is jackknifed over groups of documents.
Four annotators are needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..arrays import Floats
from .disagreement import Disagreement
from .jackknife import corrected_half_widths, jackknife_errors
from .mechanisms import EXPLAINED, Mechanism, MechanismKind

FEWEST_ANNOTATORS = 4
MOST_ANNOTATORS = 20
_FEWEST_GROUPS = 2
_LEAST_KNOWN = 0.05  # agreement of the others, below which nothing can be expected of a pair


@dataclass(frozen=True, slots=True)
class SimilarPair:
    """Two annotators who are too alike; `gain` of the value without their pair, with interval."""

    names: tuple[str, str]
    gain: float
    interval: tuple[float, float]
    mechanism: Mechanism


@dataclass(frozen=True, slots=True, eq=False)
class SimilarPairs:
    """P pairs of annotators, of all G groups of documents and without each, (P, G + 1).

    agreement  of the pair
    others     agreement of all other pairs
    margin     disagreement that is still too alike, minus that of the pair; nan if unknown
    gain       the value without the pair minus the value
    """

    names: tuple[tuple[str, str], ...]
    agreement: Floats
    others: Floats
    margin: Floats
    gain: Floats

    @property
    def n_compared(self) -> int:
        return len(self.names)

    def clear(self, n_tests: int) -> list[SimilarPair]:
        """Return the pairs that are too alike; `n_tests` are all comparisons of the search."""
        if not self.names:
            return []
        of_margin, of_gain = (
            corrected_half_widths(*jackknife_errors(one[:, 1:]), n_tests)
            for one in (self.margin, self.gain)
        )
        found = []
        for p in np.flatnonzero(self.margin[:, 0] - of_margin > 0).tolist():
            gain, half = float(self.gain[p, 0]), float(of_gain[p])
            mechanism = Mechanism(
                MechanismKind.alike,
                float(self.agreement[p, 0]),
                float(self.others[p, 0]),
                other=self.names[p][1],
            )
            found.append(SimilarPair(self.names[p], gain, (gain - half, gain + half), mechanism))
        return found


def compare_pairs(found: Disagreement) -> SimilarPairs:
    """Compare each two annotators with what the others let expect; none with three or fewer."""
    takes_part = found.chances.sum(axis=(1, 2)) > 0
    x, e = (
        one + one.transpose(0, 2, 1)
        for one in (found.amounts[takes_part].sum(axis=3), found.chances[takes_part])
    )
    n, nothing = len(found.annotators), np.empty((0, 0))
    if not FEWEST_ANNOTATORS <= n <= MOST_ANNOTATORS or x.shape[0] < _FEWEST_GROUPS:
        return SimilarPairs((), nothing, nothing, nothing, nothing)
    x, e = (np.concatenate([one.sum(axis=0)[None], one.sum(axis=0) - one]) for one in (x, e))
    all_x, all_e = x.sum(axis=(1, 2)) / 2, e.sum(axis=(1, 2)) / 2
    pairs = [(a, b) for a, b in combinations(range(n), 2) if e[0, a, b] > 0]
    own = np.array([1.0 - _rate(x[:, a, b], e[:, a, b]) for a, b in pairs])
    others = np.array([1.0 - _rate(all_x - x[:, a, b], all_e - e[:, a, b]) for a, b in pairs])
    limit = np.array([_limit(x, e, a, b) for a, b in pairs])
    return SimilarPairs(
        tuple((found.annotators[a], found.annotators[b]) for a, b in pairs),
        own,
        others,
        limit - (1.0 - own),
        others - (1.0 - _rate(all_x, all_e)),
    )


def _limit(x: Floats, e: Floats, a: int, b: int) -> Floats:
    """Return the disagreement below which a pair is too alike, (G + 1,); nan if unknown."""
    others = [c for c in range(x.shape[1]) if c not in (a, b)]
    of_a, of_b = (
        1.0 - _rate(x[:, one][:, others].sum(axis=1), e[:, one][:, others].sum(axis=1))
        for one in (a, b)
    )
    rest = np.ix_(range(x.shape[0]), others, others)
    known = 1.0 - _rate(x[rest].sum(axis=(1, 2)), e[rest].sum(axis=(1, 2)))
    expected = 1.0 - of_a * of_b / np.where(known > _LEAST_KNOWN, known, np.nan)
    rates = _rate(x[rest], e[rest]).reshape(x.shape[0], -1)
    least = np.where(np.isnan(rates), np.inf, rates).min(axis=1)
    return np.asarray(EXPLAINED * np.minimum(np.clip(expected, 0.0, None), least))


def _rate(amounts: Floats, chances: Floats) -> Floats:
    nothing = np.full(np.shape(chances), np.nan)
    return np.divide(amounts, chances, out=nothing, where=np.asarray(chances) > 0)
