"""Values of a layer of units besides γ: γ-cat, γ of its parts and passes, further measures.

Each part is computed separately without chance samples; its fields are joined into the layer's
summary.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from ...data.store.store import Store
from ...metrics.chance.corpus import continua_of, corpus_hash
from ...metrics.errors import MetricsError, reason_of
from ...metrics.estimate import Estimate
from ...metrics.measures import BY_CATEGORY, MEASURES
from ...metrics.signature import How, interval_settings
from ...metrics.unitizing.breakdown import effects_of_annotators, gamma_by_category, gamma_by_pair
from ...metrics.unitizing.gamma_cat import gamma_cat_from
from ...metrics.unitizing.settings import describe
from ..effects import effects_models
from ..named_estimates import named_estimates
from ..passes import unit_passes
from .alignment import read_category_pairs, read_observed
from .unit_estimates import unit_estimates
from .unit_work import UnitWork

_MOST_PAIRS, _MOST_ANNOTATORS, _MOST_CATEGORIES = 45, 12, 40
_MAIN = ("gamma", "gamma_cat", "gamma_k")

Fields = dict[str, list[dict[str, Any]]]


def parts_of(work: UnitWork) -> list[str]:
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


def _category_fields(store: Store, work: UnitWork) -> Fields:
    found = gamma_by_category(work.first_continua(store), work.metric, settings=work.coarse)
    return _named_fields("per_category", found.items())


def _pair_fields(store: Store, work: UnitWork) -> Fields:
    found = gamma_by_pair(work.first_continua(store), work.metric, settings=work.coarse)
    return _named_fields("per_pair", ((f"{a} – {b}", value) for (a, b), value in found.items()))


def _without_each(store: Store, work: UnitWork) -> Fields:
    continua, observed = work.first_continua(store), read_observed(store, work.places)
    if observed is None:
        return {}
    values, effects = effects_of_annotators(
        continua, observed.of(np.arange(len(continua))), work.metric, settings=work.coarse
    )
    return {
        **_named_fields("leave_one_out", values.items()),
        "effects": [one.model_dump(mode="json") for one in effects_models(effects)],
    }


def _between_passes(store: Store, work: UnitWork) -> Fields:
    keys = [shard.key for shard in work.shards if shard.facts["has_passes"]]
    found = unit_passes(store, keys, work.layer, work.metric, work.coarse)
    return _named_fields("intra", found)


def _gamma_cat(store: Store, work: UnitWork) -> Fields:
    pairs = read_category_pairs(store, work.shards, work.layer)
    corpus, sampling = work.corpus(store), work.gamma
    if pairs is None or corpus is None:
        return {}
    how = How(measure="gamma_cat", **describe(work.metric)).adding(
        alignment="gamma",
        **interval_settings(
            sampling.replicates,
            "documents",
            sampling.level,
            n_drawn=pairs.taking_part().units.shape[0],
        ),
        seed=sampling.seed,
        input=corpus_hash(corpus),
    )
    found = gamma_cat_from(
        pairs,
        work.metric,
        tagset=work.layer.tagset,
        n_annotators=corpus.n_people,
        **sampling.arguments,
        how=how,
    )
    asked = [found.gamma_cat] if "gamma_cat" in work.settings.measures else []
    asked = work.with_intervals(asked, "gamma_cat", continua_of(corpus))
    return {**_value_fields(asked), **_named_fields("per_category", found.gamma_k.items())}


def _other_measures(store: Store, work: UnitWork) -> Fields:
    """Compute the other requested measures; nan, with the reason, if the units do not allow one."""
    corpus = work.corpus(store)
    continua = [] if corpus is None else continua_of(corpus)
    found: list[Estimate] = []
    for measure in work.settings.measures:
        if measure in _MAIN:
            continue
        try:
            given = unit_estimates(measure, continua, work.metric_of(measure), work.gamma)
        except MetricsError as error:
            reason = reason_of(error)
            found += [
                Estimate(name, math.nan, reason=reason)
                for name in MEASURES[measure].gives
                if name not in BY_CATEGORY
            ]
        else:
            values = [one for one in given if one.measure not in BY_CATEGORY]
            found += [one for one in given if one.measure in BY_CATEGORY]
            found += work.with_intervals(values, measure, continua)
    return {
        **_value_fields(one for one in found if one.measure not in BY_CATEGORY),
        **_named_fields(
            "per_category",
            ((str(one.detail["category"]), one) for one in found if one.measure in BY_CATEGORY),
        ),
    }


def _value_fields(estimates: Iterable[Estimate]) -> Fields:
    return {"values": [one.as_json() for one in estimates]}


def _named_fields(field: str, parts: Iterable[tuple[str, Estimate]]) -> Fields:
    return {field: [one.model_dump(mode="json") for one in named_estimates(parts)]}


PARTS: Mapping[str, Callable[[Store, UnitWork], Fields]] = {
    "categories": _category_fields,
    "gamma_cat": _gamma_cat,
    "pairs": _pair_fields,
    "without": _without_each,
    "further": _other_measures,
    "passes": _between_passes,
}
