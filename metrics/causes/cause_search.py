"""The causes of a low agreement: where disagreement exceeds the rest of the campaign, ranked.

A candidate is a selection S of the cells of `Disagreement`: a part of the campaign, an annotator
or a kind of disagreement, or a kind within a part or of an annotator. It is compared with the rest
R of the cells of the same kinds. Its gain is the value that 1 − ΣX / ΣC would gain if S disagreed
as much per chance as R,

    gain = (X_S − E_S · X_R / E_R) / C

where the exposure E is the chance C times the share of the kind's categories. For an annotator or a
batch this is the value of the others, minus the value of all. A category, or a pair of categories,
is compared with the other ones of the whole campaign.

The gain is 0 in expectation if errors are evenly spread, so a gain whose interval excludes 0 is a
cause. Standard errors are jackknifed over groups of documents, separately inside and outside a
part, with the degrees of freedom of Welch and Satterthwaite; intervals are Bonferroni-corrected for
the number of candidates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Flags, Floats
from .disagreement import EVERY_KIND, Disagreement, DisagreementKind, Part, PartKind

MOST_CAUSES = 4
SMALLEST_GAIN = 0.01  # of the value: a smaller one is not worth an action
MOST_PAIRS = 10  # of categories, the most frequent ones
_ALL_TOGETHER = 0.95  # joint coverage of the intervals of all candidates
_ABOUT_AS_MUCH = 0.7  # share of the largest gain from which a better supported candidate is chosen
_ALMOST_ALL = 0.8  # share of a cause's gain from which a narrower cause replaces it
_FEWEST_GROUPS = 2  # of documents, to leave one out
_NEIGHBOURS = 3  # fewest categories for a comparison with other pairs


@dataclass(frozen=True, slots=True)
class Cause:
    """Disagreement of a part, annotator or kind that exceeds the rest.

    gain            of the value, if it were as in the rest; `interval` is corrected
    n, n_compared   pairs of labels or units that disagree in it, and that it compares
    marks_more      for missing units of an annotator: marks units that others do not, rather than
                    not marking theirs
    """

    kind: DisagreementKind
    annotator: str
    part: Part | None
    gain: float
    interval: tuple[float, float]
    n: int = 0
    n_compared: int = 0
    marks_more: bool = False
    support: float = 0.0  # gain / standard error

    @property
    def is_clear(self) -> bool:
        """Return whether it is worth an action and its interval excludes 0."""
        return self.interval[0] > 0 and self.gain >= SMALLEST_GAIN

    @property
    def names(self) -> tuple[DisagreementKind, str, Part | None]:
        return self.kind, self.annotator, self.part

    def overlaps(self, other: Cause) -> bool:
        """Return whether the two may have disagreement in common."""
        kinds = self.kind.includes(other.kind) or other.kind.includes(self.kind)
        one = "" in (self.annotator, other.annotator) or self.annotator == other.annotator
        return kinds and one


@dataclass(frozen=True, slots=True)
class Causes:
    """The clear causes, those that recover most first, of a number of candidates."""

    causes: tuple[Cause, ...] = ()
    n_candidates: int = 0


def find_causes(disagreement: Disagreement) -> Causes:
    """Return the clear causes; none if nothing stands out.

    The cause that is supported best, of those that recover about as much as the one whose interval
    begins highest, is taken first, or a narrower one that explains almost all of it. Its
    disagreement is reduced to that of the rest, and a further cause must be clear in what remains,
    so that one fault is one cause.
    """
    candidates = candidate_causes(disagreement)
    alone = {one.names: one for one in candidates}
    clear = [one for one in candidates if one.is_clear]
    chosen: list[Cause] = []
    while clear and len(chosen) < MOST_CAUSES:
        best = _best_supported(clear)
        chosen.append(alone[best.names])
        disagreement = _repaired(disagreement, best)
        remaining = {one.names for one in clear if one.names != best.names}
        clear = [
            one for one in candidate_causes(disagreement) if one.is_clear and one.names in remaining
        ]
    return Causes(tuple(sorted(chosen, key=lambda one: -one.gain)), len(candidates))


def _best_supported(clear: Sequence[Cause]) -> Cause:
    largest = max(clear, key=lambda one: one.interval[0])
    alike = [
        one for one in clear if one.gain >= _ABOUT_AS_MUCH * largest.gain and one.overlaps(largest)
    ]
    best = max(alike, key=lambda one: one.support)
    while narrower := [
        one
        for one in clear
        if one.names != best.names
        and one.gain >= _ALMOST_ALL * best.gain
        and _is_narrower(one, best)
    ]:
        best = max(narrower, key=lambda one: one.support)
    return best


def _is_narrower(one: Cause, other: Cause) -> bool:
    """Return whether one cause is of some of the other's annotators or kinds, in the same part."""
    of_annotator = other.annotator in ("", one.annotator)
    return one.part == other.part and of_annotator and other.kind.includes(one.kind)


def _repaired(found: Disagreement, cause: Cause) -> Disagreement:
    """Reduce the amounts of the cause so that the value rises by its gain."""
    cells = found.cells(*cause.names)
    amount = float(found.amounts[cells].sum())
    excess = cause.gain * float(found.chances.sum())
    return found.scale_cells(cells, max(0.0, 1.0 - excess / amount)) if amount > 0 else found


def candidate_causes(disagreement: Disagreement) -> list[Cause]:
    """Return every candidate with its gain and corrected interval; none for a single document."""
    if not disagreement.amounts.size or not disagreement.amounts.sum() > 0:
        return []
    if np.count_nonzero(disagreement.chances.sum(axis=(1, 2)) > 0) < _FEWEST_GROUPS:
        return []
    estimates: list[_Estimates] = []
    for kind in _kinds(disagreement):
        sums = _sums_of_kind(disagreement, kind)
        estimates += _compare_parts_and_annotators(disagreement, kind, sums)
        if kind.categories:
            estimates += _of_kind(disagreement, kind, sums)
    n = sum(len(one.names) for one in estimates)
    level = 1 - (1 - _ALL_TOGETHER) / max(1, n)
    return [cause for one in estimates for cause in _causes(disagreement, one, level)]


def _kinds(found: Disagreement) -> list[DisagreementKind]:
    """Return every kind, all of a cause, and single kinds, of pairs the most frequent."""
    causes = list(dict.fromkeys(one.cause for one in found.kinds))
    named = [one for one in found.kinds if all(one.categories)]
    frequent = dict(zip(found.kinds, found.amounts.sum(axis=(0, 1, 2)), strict=True))
    pairs = sorted((one for one in named if one.cause == "category"), key=lambda k: -frequent[k])
    others = [one for one in named if one.cause != "category"]
    whole = [DisagreementKind(cause) for cause in causes] if len(causes) > 1 else []
    shown = pairs[:MOST_PAIRS] if len(pairs) > 1 or whole else []
    return [EVERY_KIND, *whole, *others, *shown]


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """Amounts (G, A) and exposures (G, A) of a kind by annotator, and of all, (G,)."""

    amount: Floats
    exposure: Floats
    amounts: Floats
    exposures: Floats


def _sums_of_kind(found: Disagreement, kind: DisagreementKind) -> _Sums:
    those = [j for j, one in enumerate(found.kinds) if kind.includes(one)]
    cells = found.amounts[..., those].sum(axis=3)
    chances = found.chances * _share(found, kind)[:, None, None]
    return _Sums(
        cells.sum(axis=(1, 2)),
        chances.sum(axis=(1, 2)),
        cells.sum(axis=2) + cells.sum(axis=1),
        chances.sum(axis=2) + chances.sum(axis=1),
    )


def _share(found: Disagreement, kind: DisagreementKind) -> Floats:
    """Share of the kind's categories among the labels or units of each group, (G,)."""
    if not kind.categories:
        return np.ones(found.usage.shape[0])
    total = np.maximum(found.usage.sum(axis=1), 1e-300)
    own = [found.categories.index(name) for name in kind.categories]
    return np.asarray(found.usage[:, own].sum(axis=1) / total, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Estimates:
    """Candidates with their gains (M,), standard errors and degrees of freedom."""

    names: list[tuple[DisagreementKind, str, Part | None]]
    gains: Floats
    errors: Floats
    freedom: Floats


def _compare_parts_and_annotators(
    found: Disagreement, kind: DisagreementKind, sums: _Sums
) -> list[_Estimates]:
    """Compare each part and annotator with the rest, and annotators within parts."""
    names: list[tuple[DisagreementKind, str, Part | None]] = []
    amounts, exposures, inside = [], [], []
    every = np.ones(sums.amount.shape, dtype=np.bool_)
    own = range(len(found.annotators)) if len(found.annotators) > 2 else range(0)
    for a in own:
        names.append((kind, found.annotators[a], None))
        amounts.append(sums.amounts[:, a])
        exposures.append(sums.exposures[:, a])
        inside.append(every)
    for part, groups in found.parts:
        names.append((kind, "", part))
        amounts.append(sums.amount * groups)
        exposures.append(sums.exposure * groups)
        inside.append(groups)
        for a in own if not kind.categories and part.kind is not PartKind.period else ():
            names.append((kind, found.annotators[a], part))
            amounts.append(sums.amounts[:, a] * groups)
            exposures.append(sums.exposures[:, a] * groups)
            inside.append(groups)
    if not names:
        return []
    x, e = np.array(amounts), np.array(exposures)
    chance = found.chances.sum(axis=(1, 2))

    def without(values: Floats) -> Floats:
        return values.sum(axis=-1, keepdims=True) - values

    def gain(x_own: Floats, e_own: Floats, x_all: Floats, e_all: Floats, c: Floats) -> Floats:
        rest = e_all - e_own
        rate = np.divide(x_all - x_own, rest, out=np.full_like(rest, np.nan), where=rest > 1e-12)
        return np.asarray((x_own - rate * e_own) / c)

    whole = gain(x.sum(1), e.sum(1), sums.amount.sum(), sums.exposure.sum(), chance.sum())
    omitted = gain(
        without(x), without(e), without(sums.amount), without(sums.exposure), without(chance)
    )
    takes_part = chance > 0
    errors, freedom = _jackknife(omitted[:, takes_part], np.array(inside)[:, takes_part])
    least = _standard_errors_if_even(x, e, sums) / chance.sum()
    return [_Estimates(names, whole, np.maximum(errors, least), freedom)]


def _standard_errors_if_even(amounts: Floats, exposures: Floats, sums: _Sums) -> Floats:
    """Return standard errors of the excess (M,) if disagreement were spread evenly.

    A part without disagreement has no variance of its own, however small it is. The variance per
    amount, over all groups, is therefore applied to the amounts that are expected.
    """
    x_rest, e_rest = sums.amount - amounts, sums.exposure - exposures
    residuals = np.zeros(amounts.shape[0])
    for x, e in ((amounts, exposures), (x_rest, e_rest)):
        rate = x.sum(1) / np.maximum(e.sum(1), 1e-300)
        residuals += ((x - rate[:, None] * e) ** 2).sum(axis=1)
    amount, exposure = float(sums.amount.sum()), float(sums.exposure.sum())
    if not (amount > 0 and exposure > 0):
        return np.zeros(amounts.shape[0])
    own, rest = exposures.sum(1), np.maximum(e_rest.sum(1), 1e-300)
    return np.asarray(np.sqrt(residuals / amount * (amount / exposure) * own * exposure / rest))


def _of_kind(found: Disagreement, kind: DisagreementKind, sums: _Sums) -> list[_Estimates]:
    """Compare a category, or a pair, with the other ones of the same cause."""
    others = [
        k
        for k, one in enumerate(found.kinds)
        if one.cause == kind.cause and one.categories != kind.categories
    ]
    if len(others) < (1 if len(kind.categories) == 1 else _NEIGHBOURS - 1):
        return []
    amounts = found.amounts.sum(axis=(1, 2))
    chance = found.chances.sum(axis=(1, 2))
    expected = _expected_amount_of_pair if len(kind.categories) == 2 else _expected_category

    def gain(x: Floats, usage: Floats, own: Floats, c: Floats) -> Floats:
        return np.asarray((own - expected(found, kind, x, usage)) / c)

    def without(values: Floats) -> Floats:
        return values.sum(axis=0) - values

    whole = gain(
        amounts.sum(axis=0)[None],
        found.usage.sum(axis=0)[None],
        sums.amount.sum(keepdims=True),
        chance.sum(keepdims=True),
    )
    omitted = gain(without(amounts), without(found.usage), without(sums.amount), without(chance))
    takes_part = chance > 0
    of_all = np.ones((1, int(takes_part.sum())), dtype=np.bool_)
    errors, freedom = _jackknife(omitted[None, takes_part], of_all)
    return [_Estimates([(kind, "", None)], whole, errors, freedom)]


def _expected_category(
    found: Disagreement, kind: DisagreementKind, amounts: Floats, usage: Floats
) -> Floats:
    """Amount of a category if it were as frequent per use as of the other categories, (N,)."""
    own = found.categories.index(kind.categories[0])
    others = [j for j, one in enumerate(found.kinds) if one.cause == kind.cause and one != kind]
    rest = np.maximum(usage.sum(axis=1) - usage[:, own], 1e-300)
    return np.asarray(amounts[:, others].sum(axis=1) * usage[:, own] / rest)


def _expected_amount_of_pair(
    found: Disagreement, kind: DisagreementKind, amounts: Floats, usage: Floats
) -> Floats:
    """Amount of a pair of categories if it were not special, (N,).

    The largest of three: as chance would spread the confusions of the other pairs, and the mean of
    the other pairs of each of both categories.
    """
    shares = usage / np.maximum(usage.sum(axis=1, keepdims=True), 1e-300)
    first, second = (found.categories.index(name) for name in kind.categories)
    by_chance = 2 * shares[:, first] * shares[:, second]
    of_all = 1 - (shares**2).sum(axis=1)
    pairs = [j for j, one in enumerate(found.kinds) if one.cause == kind.cause and one != kind]
    rest = np.maximum(of_all - by_chance, 1e-300)
    expected = amounts[:, pairs].sum(axis=1) * by_chance / rest
    for name in kind.categories:
        related = [j for j in pairs if name in found.kinds[j].categories]
        if related:
            expected = np.maximum(expected, amounts[:, related].mean(axis=1))
    return np.asarray(expected)


def _jackknife(omitted: Floats, inside: Flags) -> tuple[Floats, Floats]:
    """Return standard errors and degrees of freedom (M,) of values without each group (M, G).

    inside  bool (M, G): groups inside and outside a part are separate samples
    """
    variances, weights = np.zeros(omitted.shape[0]), np.zeros(omitted.shape[0])
    for those in (inside, ~inside):
        n = those.sum(axis=1)
        used = n > 0
        mean = np.where(those, omitted, 0).sum(axis=1) / np.maximum(n, 1)
        squares = (np.where(those, omitted - mean[:, None], 0) ** 2).sum(axis=1)
        variance = np.where(n > 1, squares * (n - 1) / np.maximum(n, 1), np.where(used, np.nan, 0))
        variances += variance
        weights += np.where(used, variance**2 / np.maximum(n - 1, 1), 0)
    freedom = np.divide(variances**2, weights, out=np.full_like(weights, np.nan), where=weights > 0)
    return np.sqrt(variances), freedom


def _causes(found: Disagreement, estimates: _Estimates, level: float) -> list[Cause]:
    """Attach intervals; the counts are added only to causes that are clear."""
    from scipy.special import stdtrit

    half = stdtrit(estimates.freedom, (1 + level) / 2) * estimates.errors
    causes = []
    for k, names in enumerate(estimates.names):
        gain, error = float(estimates.gains[k]), float(estimates.errors[k])
        bounds = (gain - float(half[k]), gain + float(half[k]))
        is_known = math.isfinite(gain) and math.isfinite(bounds[0]) and error > 0
        cause = Cause(
            *names,
            gain=gain,
            interval=bounds if is_known else (math.nan, math.nan),
            support=gain / error if is_known else 0.0,
        )
        causes.append(_with_disagreement_counts(found, cause) if cause.is_clear else cause)
    return causes


def _with_disagreement_counts(found: Disagreement, cause: Cause) -> Cause:
    cells = found.cells(*cause.names)
    everything = found.cells(EVERY_KIND, cause.annotator, cause.part)[..., 0]
    more = False
    if cause.annotator:
        a = found.annotators.index(cause.annotator)
        missing = found.cells(DisagreementKind("missing"), "", cause.part)
        amounts = np.where(missing, found.amounts, 0)
        more = bool(amounts[:, a].sum() > amounts[:, :, a].sum())
    return replace(
        cause,
        n=int(found.counts[cells].sum()),
        n_compared=int(found.compared[everything].sum()),
        marks_more=more,
    )
