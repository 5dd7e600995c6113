"""Values of a layer of units besides γ: γ-cat, γ of its parts and passes, further measures.

Each part is computed separately without chance samples; its fields are joined into the layer's
summary.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.alignment.continuum import Continuum
from ...metrics.chance.corpus import Corpus, continua_of_corpus, corpus_hash
from ...metrics.errors import MetricsError, reason_of
from ...metrics.estimate import Estimate
from ...metrics.measures import BY_CATEGORY, MEASURES, PAIRWISE_F
from ...metrics.signature import How
from ...metrics.units.breakdown import effects_of_annotators
from ...metrics.units.found_units import found_estimates, how_found
from ...metrics.units.gamma_cat import gamma_cat_of_counts
from ...metrics.units.gamma_settings import dissimilarity_settings
from ...reports.results import Named, UnitParts
from ..inputs.part_kind import PartKind
from ..named_estimates import named_estimates
from ..passes import gamma_between_passes
from .alignment import read_category_pairs, read_found_rows, read_observed
from .unit_estimates import UnitMeasure
from .unit_work import UnitWork

_MOST_PAIRS, _MOST_ANNOTATORS, _MOST_CATEGORIES = 45, 12, 40
_MAIN = ("gamma", "gamma_cat", "gamma_k")


def names_of_parts(work: UnitWork) -> list[str]:
    """Return the members of `PARTS` that a layer with documents has, in the order of joining."""
    n_annotators = len(work.layer.humans)
    wanted = {
        "categories": 1 < len(work.layer.tagset) <= _MOST_CATEGORIES,
        "gamma_cat": True,
        "pairs": 1 < n_annotators * (n_annotators - 1) // 2 <= _MOST_PAIRS,
        "without": 2 < n_annotators <= _MOST_ANNOTATORS,
        "further": any(measure not in _MAIN for measure in work.settings.measures),
        "passes": any(shard.facts["has_passes"] for shard in work.shards),
    }
    return [name for name, is_wanted in wanted.items() if is_wanted]


def _each_category(store: Store, work: UnitWork) -> UnitParts:
    return UnitParts(per_category=_gamma_by(PartKind.category, store, work))


def _each_pair(store: Store, work: UnitWork) -> UnitParts:
    return UnitParts(per_pair=_gamma_by(PartKind.pair, store, work))


def _gamma_by(by: PartKind, store: Store, work: UnitWork) -> list[Named]:
    coarse = replace(work.measure("gamma"), settings=work.coarse_settings)
    return named_estimates(coarse.by_part(by, work.sampled_continua(store)))


def _without_each(store: Store, work: UnitWork) -> UnitParts:
    continua, observed = work.sampled_continua(store), read_observed(store, work.places)
    if observed is None:
        return UnitParts()
    values, effects = effects_of_annotators(
        continua,
        observed.select_documents(np.arange(len(continua))),
        work.metric,
        settings=work.coarse_settings,
        new_annotators=work.is_for_new_annotators,
    )
    return UnitParts(leave_one_out=named_estimates(values.items()), effects=effects)


def _between_passes(store: Store, work: UnitWork) -> UnitParts:
    keys = [shard.key for shard in work.shards if shard.facts["has_passes"]]
    found = gamma_between_passes(store, keys, work.layer, work.metric, work.coarse_settings)
    return UnitParts(intra=named_estimates(found))


def _gamma_cat(store: Store, work: UnitWork) -> UnitParts:
    pairs = read_category_pairs(store, work.shards, work.layer)
    corpus, sampling = work.corpus(store), work.gamma
    if pairs is None or corpus is None:
        return UnitParts()
    how = How(measure="gamma_cat", **dissimilarity_settings(work.metric)).add_settings(
        alignment="gamma",
        input=corpus_hash(corpus),
    )
    found = gamma_cat_of_counts(
        pairs,
        work.metric,
        tagset=work.layer.tagset,
        n_annotators=corpus.n_paired_annotators,
        **sampling.arguments,
        how=how,
    )
    asked = [found.gamma_cat] if "gamma_cat" in work.settings.measures else []
    asked = work.measure("gamma_cat").with_wanted_intervals(asked, continua_of_corpus(corpus))
    return UnitParts(values=asked, per_category=named_estimates(found.gamma_k.items()))


def _other_measures(store: Store, work: UnitWork) -> UnitParts:
    """Compute the other requested measures; nan, with the reason, if the units do not allow one."""
    corpus = work.corpus(store)
    continua = [] if corpus is None else continua_of_corpus(corpus)
    found: list[Estimate] = []
    parts: list[UnitParts] = []
    for name in work.settings.measures:
        if name in _MAIN:
            continue
        measure = work.measure(name)
        try:
            given = measure.estimates(continua)
        except MetricsError as error:
            reason = reason_of(error)
            found += [
                Estimate(one, math.nan, reason=reason)
                for one in MEASURES[name].gives
                if one not in BY_CATEGORY
            ]
        else:
            if name in PAIRWISE_F:
                parts.append(_parts_of_f(work, measure, continua))
            values = [one for one in given if one.measure not in BY_CATEGORY]
            found += [one for one in given if one.measure in BY_CATEGORY]
            found += measure.with_wanted_intervals(values, continua)
    return UnitParts(
        values=[one for one in found if one.measure not in BY_CATEGORY],
        per_category=[
            *named_estimates(
                (one.detail.category, one) for one in found if one.measure in BY_CATEGORY
            ),
            *(one for part in parts for one in part.per_category),
        ],
        per_pair=[one for part in parts for one in part.per_pair],
        leave_one_out=[one for part in parts for one in part.leave_one_out],
    )


def _parts_of_f(work: UnitWork, measure: UnitMeasure, continua: Sequence[Continuum]) -> UnitParts:
    """Return the parts that the layer also has of γ, of a pairwise F."""
    fields = {"categories": "per_category", "pairs": "per_pair", "without": "leave_one_out"}
    kinds = {"categories": PartKind.category, "pairs": PartKind.pair, "without": PartKind.annotator}
    return UnitParts(
        **{
            fields[part]: named_estimates(measure.by_part(by, continua))
            for part, by in kinds.items()
            if part in names_of_parts(work)
        }
    )


def values_besides_gamma_of_documents(
    store: Store, work: UnitWork, corpus: Corpus, gamma: Estimate
) -> Callable[[NDArray[np.int64]], list[Estimate]]:
    """Return a function of the numbers of some documents: their values that need no new alignment.

    Values that the documents do not allow are left out.
    """
    rows, continua = read_found_rows(store, work.places), continua_of_corpus(corpus)
    measures = [
        name
        for name in work.settings.measures
        if not (MEASURES[name].objective or name in BY_CATEGORY)
    ]

    pairs = None
    if "gamma_cat" in work.settings.measures:
        pairs = read_category_pairs(store, work.shards, work.layer)

    def values(those: NDArray[np.int64]) -> list[Estimate]:
        how = work.gamma if those.size > 1 else replace(work.gamma, replicates=0)
        own = np.isin(rows.documents, those)
        columns: dict[str, Any] = {
            name: getattr(rows, name)[own] for name in ("documents", "firsts", "seconds", "sums")
        }
        found = found_estimates(replace(rows, **columns), how, how=how_found(gamma))
        if pairs is not None:
            part = replace(
                pairs,
                weights=pairs.weights[those],
                same=pairs.same[those],
                costs=pairs.costs[those],
                units=pairs.units[those],
            )
            of_categories = gamma_cat_of_counts(
                part, work.metric, tagset=work.layer.tagset, **how.arguments
            )
            found.append(of_categories.gamma_cat)
        for measure in measures:
            try:
                given = replace(work.measure(measure), settings=how).estimates(
                    [continua[d] for d in those.tolist()]
                )
            except MetricsError:
                continue
            found += [one for one in given if one.measure not in BY_CATEGORY]
        return found

    return values


PARTS: Mapping[str, Callable[[Store, UnitWork], UnitParts]] = {
    "categories": _each_category,
    "gamma_cat": _gamma_cat,
    "pairs": _each_pair,
    "without": _without_each,
    "further": _other_measures,
    "passes": _between_passes,
}
