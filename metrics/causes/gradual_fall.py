"""Whether agreement falls gradually, period by period, or at once from one period on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Flags, Floats
from .cause import Cause
from .disagreement import Disagreement, Part, PartKind

FEWEST_PERIODS = 4


def gradual_fall(disagreement: Disagreement, cause: Cause) -> tuple[str, str]:
    """Return the first and the last period of a gradual fall; ("", "") of any other cause.

    The disagreement of a cause `since` a period, as a share of chance, is fitted over the periods
    by a step where the cause begins and by a straight line, weighted by chance. The fall is gradual
    if the line leaves less unexplained. Batches are periods where there are no times.
    """
    periods = _periods(disagreement)
    if cause.part is None or cause.part.kind is not PartKind.since or cause.kind.categories:
        return "", ""
    if len(periods) < FEWEST_PERIODS:
        return "", ""
    cells = disagreement.cells(cause.kind, cause.annotator)
    amounts = np.where(cells, disagreement.amounts, 0.0).sum(axis=(1, 2, 3))
    chances = np.where(cells.any(axis=3), disagreement.chances, 0.0).sum(axis=(1, 2))
    chance = np.array([chances[groups].sum() for _, groups in periods])
    if not (chance > 0).all():
        return "", ""
    share = np.array([amounts[groups].sum() for _, groups in periods]) / chance
    names = [name for name, _ in periods]
    is_after = np.arange(len(names)) >= names.index(cause.part.name)
    line = _unexplained(share, np.arange(len(names), dtype=np.float64), chance)
    step = _unexplained(share, is_after.astype(np.float64), chance)
    last = _named(disagreement.parts, periods[-1][1]) or names[-1]  # a batch, if the first is one
    return (names[0], last) if line < step else ("", "")


def _periods(found: Disagreement) -> list[tuple[str, Flags]]:
    """Return the successive periods, or batches, with their groups; [] if the first is unknown."""
    since = [(part.name, groups) for part, groups in found.parts if part.kind is PartKind.since]
    if not since:
        return []
    first = _named(found.parts, ~since[0][1])
    following = [groups for _, groups in since[1:]] + [np.zeros_like(since[0][1])]
    own = [(name, flags & ~after) for (name, flags), after in zip(since, following, strict=True)]
    return [(first, ~since[0][1]), *own] if first else []


def _named(parts: Sequence[tuple[Part, Flags]], groups: Flags) -> str:
    """Return the name of the period or batch that consists of these groups; "" if none does."""
    kinds = (PartKind.period, PartKind.batch)
    equal = (part.name for part, own in parts if part.kind in kinds and (own == groups).all())
    return next(equal, "")


def _unexplained(values: Floats, by: Floats, weights: Floats) -> float:
    """Return the weighted sum of squares that a linear function of `by` leaves."""
    x = by - np.average(by, weights=weights)
    y = values - np.average(values, weights=weights)
    slope = np.average(x * y, weights=weights) / np.average(x * x, weights=weights)
    return float((weights * (y - slope * x) ** 2).sum())
