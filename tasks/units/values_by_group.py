"""Values of batches and periods besides γ: γ-cat, found, where and what, F, α_U and uα."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.chance.corpus import Corpus, continua_of_corpus
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.measures import BY_CATEGORY, MEASURES
from ...metrics.units.found_units import found_estimates, how_found
from ...metrics.units.gamma_cat import gamma_cat_of_counts
from .alignment import read_category_pairs, read_found_rows
from .unit_estimates import unit_estimates
from .unit_work import UnitWork


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
                given = unit_estimates(
                    measure,
                    [continua[d] for d in those.tolist()],
                    work.dissimilarity_of(measure),
                    how,
                    work.settings.matching,
                )
            except MetricsError:
                continue
            found += [one for one in given if one.measure not in BY_CATEGORY]
        return found

    return values
