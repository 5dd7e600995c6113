"""Kendall's distance between rankings.

Text of a ranking: the candidates from the first to the last, with `>` between them and `=` between
tied ones: `b > a = d > c`. Candidates that a ranking does not name stand last in it, tied.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...arrays import Floats
from ..object_distance import ObjectDistance, ObjectKind

Ranking = dict[str, int]  # candidate → place from 0; tied candidates have the same place


def read_ranking(text: str) -> Ranking:
    """Read `b > a = d > c`. Raises ValueError for a place without a name and a repeated name."""
    ranking: Ranking = {}
    for place, group in enumerate(text.split(">")):
        for name in map(str.strip, group.split("=")):
            if not name:
                raise ValueError(
                    f"{text[:60]!r} has a place without a candidate; expected candidates from "
                    "first to last, such as b > a = d > c"
                )
            if name in ranking:
                raise ValueError(f"{text[:60]!r} ranks {name!r} twice")
            ranking[name] = place
    return ranking


def kendall_distances(first: Sequence[Ranking], second: Sequence[Ranking]) -> Floats:
    """Return the share of the pairs of candidates on whose order two rankings differ.

    A pair in opposite orders counts 1, a pair tied in one of the rankings only counts 1/2. Without
    ties it is (1 − τ) / 2 of Kendall's τ. 0 for fewer than two candidates.
    """
    return np.array([_share(one, two) for one, two in zip(first, second, strict=True)], dtype=float)


def _share(one: Ranking, two: Ranking) -> float:
    names = list({**one, **two})
    if len(names) < 2:
        return 0.0
    places = np.array([[ranking.get(n, len(ranking)) for n in names] for ranking in (one, two)])
    orders = np.sign(places[:, :, None] - places[:, None, :])
    return float(np.abs(orders[0] - orders[1]).sum()) / (2 * len(names) * (len(names) - 1))


KENDALL_TAU = ObjectDistance(
    name="kendall_tau",
    read=read_ranking,
    distances=kendall_distances,
    compares_items=True,
    metric=False,  # it is one between rankings of the same candidates
    is_text=False,
    largest=1.0,
    source="Kendall 1938; with ties Fagin et al. 2006, K with penalty 1/2, over all pairs",
    kind=ObjectKind.ranking,
)
