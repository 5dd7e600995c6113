"""Candidates for the causes of a low agreement, and the gain of each.

A candidate is a selection S of the cells of `Disagreement`: a part of the campaign, an annotator
or a kind of disagreement, or a kind within a part or of an annotator. It is compared with the rest
R of the cells of the same kinds. Its gain is the value that 1 − ΣX / ΣC would gain if S disagreed
as much per chance as R,

    gain = (X_S − E_S · X_R / E_R) / C

where the exposure E is the chance C times the share of the kind's categories. For an annotator or a
batch this is the value of the others, minus the value of all. A category, or a pair of categories,
is compared with the other ones of the whole campaign.

A family of candidates is a function that returns `Estimates`: names, gains, their standard errors.
Standard errors are jackknifed over groups of documents, separately inside and outside a part, with
the degrees of freedom of Welch and Satterthwaite.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from .disagreement import EVERY_KIND, Disagreement, DisagreementKind, Part, PartKind
from .jackknife import jackknife_errors
from .strata import Strata, StratumKind

MOST_PAIRS = 10  # of categories, the most frequent ones
_SMALLEST_STRATUM = 0.02  # share of the comparisons
_NEIGHBOURS = 3  # fewest categories for a comparison with other pairs


def estimates_of_candidates(found: Disagreement) -> list[Estimates]:
    """Return the candidates of every family."""
    estimates: list[Estimates] = []
    for kind in _kinds_of_candidates(found):
        sums = _sums_of_kind(found, kind)
        estimates += _parts_and_annotators(found, kind, sums)
        if kind.categories:
            estimates += _category_or_pair(found, kind, sums)
    # the order of work is that of weeks or batches, where there are some
    is_ordered = any(part.kind is PartKind.since for part, _ in found.parts)
    return [
        *estimates,
        *(
            one
            for strata in found.strata
            if not (is_ordered and strata.kind is StratumKind.order)
            for one in _strata(found, strata)
        ),
    ]


def _kinds_of_candidates(found: Disagreement) -> list[DisagreementKind]:
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
class Estimates:
    """Candidates with their gains (M,), standard errors and degrees of freedom."""

    names: list[tuple[DisagreementKind, str, Part | None]]
    gains: Floats
    errors: Floats
    freedom: Floats


def _parts_and_annotators(
    found: Disagreement, kind: DisagreementKind, sums: _Sums
) -> list[Estimates]:
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
    errors, freedom = jackknife_errors(omitted[:, takes_part], np.array(inside)[:, takes_part])
    least = _standard_errors_if_even(x, e, sums, found.variance_of_counts) / chance.sum()
    return [Estimates(names, whole, np.maximum(errors, least), freedom)]


def _standard_errors_if_even(
    amounts: Floats, exposures: Floats, sums: _Sums, fewest: float
) -> Floats:
    """Return standard errors of the excess (M,) if disagreement were spread evenly.

    A part without disagreement has no variance of its own, however small it is. The variance per
    amount, over all groups, is therefore applied to the amounts that are expected.

    fewest  the variance per amount of independent disagreements, which a few that happen to be
            spread evenly do not fall below
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
    variance = np.maximum(residuals / amount, fewest)
    return np.asarray(np.sqrt(variance * (amount / exposure) * own * exposure / rest))


def _strata(found: Disagreement, strata: Strata) -> Iterator[Estimates]:
    """Compare what is from each cut on, and before it, with the rest of the same annotators."""
    by_annotator = strata.spread(found.amounts.sum(axis=3), found.chances)
    subjects = [("", *(one.sum(axis=1) / 2 for one in by_annotator))]
    if len(found.annotators) > 2:
        of_each = (one.transpose(1, 0, 2) for one in by_annotator)
        subjects += zip(found.annotators, *of_each, strict=True)
    chance = found.chances.sum(axis=(1, 2))
    for annotator, x_all, e_all in subjects:
        takes_part = e_all.sum(axis=1) > 0
        if np.count_nonzero(takes_part) < 2:
            continue
        names: list[tuple[DisagreementKind, str, Part | None]] = []
        x, e = [], []
        for k, cut in enumerate(strata.cuts, start=1):
            for side, chosen in (("from", slice(k, None)), ("before", slice(None, k))):
                own = e_all[:, chosen].sum(axis=1)
                share = own.sum() / e_all.sum()
                if not _SMALLEST_STRATUM <= share <= 1 - _SMALLEST_STRATUM:
                    continue
                part = Part(PartKind(f"{side}_{strata.kind.value}"), cut)
                names.append((EVERY_KIND, annotator, part))
                x.append(x_all[:, chosen].sum(axis=1))
                e.append(own)
        if not names:
            continue
        amounts, exposures = np.array(x)[:, takes_part], np.array(e)[:, takes_part]
        amount, exposure = x_all.sum(axis=1)[takes_part], e_all.sum(axis=1)[takes_part]
        own_x, own_e, all_x, all_e = (
            np.concatenate([one.sum(-1, keepdims=True), one.sum(-1, keepdims=True) - one], axis=-1)
            for one in (amounts, exposures, amount, exposure)
        )
        rest = np.where(all_e - own_e > 1e-9 * all_e, all_e - own_e, np.nan)
        gains = (own_x - (all_x - own_x) / rest * own_e) / chance.sum()
        errors, freedom = jackknife_errors(gains[:, 1:])
        sums = _Sums(amount, exposure, amounts, exposures)
        event = found.variance_of_counts
        least = _standard_errors_if_even(amounts, exposures, sums, event) / chance.sum()
        yield Estimates(names, gains[:, 0], np.maximum(errors, least), freedom)


def _category_or_pair(found: Disagreement, kind: DisagreementKind, sums: _Sums) -> list[Estimates]:
    """Compare a category, or a pair, with the other ones of the same cause that are in use."""
    used = {one for one, n in zip(found.categories, found.usage.sum(axis=0), strict=True) if n}
    others = [
        k
        for k, one in enumerate(found.kinds)
        if one.cause == kind.cause and one.categories != kind.categories
        if used.issuperset(one.categories)
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
    errors, freedom = jackknife_errors(omitted[None, takes_part], of_all)
    return [Estimates([(kind, "", None)], whole, errors, freedom)]


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
