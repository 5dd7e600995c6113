"""The ranking of systems, what depends on single raters, and the agreement of the raters.

The strengths are no agreement and the agreement is no part of them: each has its own field.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...data.errors import DataError
from ...data.readers.tables.given import Given
from ...metrics.agreement.evaluate import evaluate_matrix
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate, json_value
from ...metrics.ranking.bradley_terry import (
    TIE,
    Comparisons,
    fit_strengths,
    observed_shares,
    with_ties_as_half,
)
from ...metrics.ranking.rank_sets import rank_systems
from ...reports.results.ranking import PairOfSystems, RankingReport, SystemRank, WithoutRater
from .preferences import Preferences, read_preferences
from .ranking_options import RankOptions

_MOST_RATERS, _MOST_REFITTED, _MOST_CELLS = 50, 200_000, 20_000_000


def rank_preferences(path: Given, options: RankOptions) -> RankingReport:
    """Read preferences and rank the systems.

    Raises DataError for what cannot be read, and for systems that cannot be compared.
    """
    return ranking_report(read_preferences(path, options), options)


def ranking_report(given: Preferences, options: RankOptions) -> RankingReport:
    """Rank the systems. Raises DataError for systems that cannot be compared."""
    own = given.comparisons
    modelled = _modelled(own, options)
    try:
        found = fit_strengths(modelled)
    except MetricsError as error:
        raise DataError(str(error)) from None
    effects = ["length_effect"] if options.left_length else []
    effects += ["order_effect"] if options.order_effect else []
    ranking = rank_systems(modelled, found, options, ties=options.ties, effects=effects)
    place = {name: k for k, name in enumerate(own.systems)}
    shares, numbers = observed_shares(own)
    return RankingReport(
        ties=options.ties,
        n_comparisons=own.n,
        n_items=np.unique(own.items).size,
        n_raters=len(given.raters),
        n_ties=int((own.outcome == TIE).sum()),
        n_both_bad=given.n_both_bad,
        n_unanswered=given.n_unanswered,
        has_items="item" in given.columns,
        systems=[
            SystemRank(
                system=one.system,
                strength=one.strength,
                first=one.first,
                last=one.last,
                best=one.best,
            )
            for one in ranking.systems
        ],
        pairs=[
            PairOfSystems(
                better=one.better,
                worse=one.worse,
                preferred=one.preferred,
                observed=json_value(shares[place[one.better], place[one.worse]].item()),
                n_comparisons=numbers[place[one.better], place[one.worse]].item(),
                lower=one.together[0],
                upper=one.together[1],
                decided=one.is_decided,
            )
            for one in ranking.pairs
        ],
        length_effect=[one for one in ranking.effects if one.measure == "length_effect"],
        order_effect=[one for one in ranking.effects if one.measure == "order_effect"],
        without=_without_raters(given, options),
        agreement=agreement_of_raters(own, given.raters, options),
    )


def _modelled(given: Comparisons, options: RankOptions) -> Comparisons:
    if options.order_effect:
        own = [given.covariates] if given.covariates.size else []
        given = replace(given, covariates=np.column_stack([*own, np.ones(given.n)]))
    return with_ties_as_half(given) if options.ties == "half" else given


def _without_raters(given: Preferences, options: RankOptions) -> list[WithoutRater]:
    """Return the order without each rater; [] with one rater, or too many to fit each."""
    own, n = given.comparisons, len(given.raters)
    if not 1 < n <= _MOST_RATERS or own.n > _MOST_REFITTED:
        return []
    found = []
    for rater, name in enumerate(given.raters):
        others = own.select(own.raters != rater)
        try:
            theta = fit_strengths(_modelled(others, options)).theta
        except MetricsError:
            found.append(WithoutRater(rater=name, order=[]))
            continue
        order = np.argsort(-theta, kind="stable").tolist()
        found.append(WithoutRater(rater=name, order=[own.systems[k] for k in order]))
    return found


def agreement_of_raters(
    given: Comparisons, raters: tuple[str, ...], options: RankOptions
) -> list[Estimate]:
    """Return α of the raters on the pairs of systems of each item that two or more compared.

    A tie is halfway between the two preferences (interval distance). Each pair is counted in both
    directions, so that the names of the systems change nothing; items are resampled. [] with one
    rater, or where nobody compared what another did.
    """
    k = len(given.systems)
    low, high = np.minimum(given.left, given.right), np.maximum(given.left, given.right)
    said = np.where(given.left < given.right, given.outcome, -given.outcome)
    key = (given.items * k + low) * k + high
    pairs, of, times = np.unique(key, return_inverse=True, return_counts=True)
    chosen = times[of] > 1
    if len(raters) < 2 or not chosen.any():
        return []
    kept = np.unique(of[chosen])
    if 2 * kept.size * len(raters) > _MOST_CELLS:
        return []
    row = np.searchsorted(kept, of[chosen])
    codes = np.full((2 * kept.size, len(raters)), -1, np.int32)
    rows, columns, labels = row[::-1], given.raters[chosen][::-1], said[chosen][::-1]
    codes[rows, columns] = labels + 1  # the first answer of a rater counts
    codes[rows + kept.size, columns] = 1 - labels
    homes = np.unique(pairs[kept] // (k * k), return_inverse=True)[1]
    matrix = LabelMatrix(
        codes=codes, tagset=("-1", "0", "1"), annotators=raters, documents=np.tile(homes, 2)
    )
    found = evaluate_matrix(
        matrix, measures=("krippendorff_alpha",), distance="interval", sampling=options
    )
    return [replace(one, n_items=one.n_items // 2) for one in found]  # pairs, not directions
