"""Systems' units against a reference: matches, errors, slot error rate, disorder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from data.store.store import Store
from metrics.estimate import Estimate
from metrics.scoring.baseline import reference_by_itself
from metrics.scoring.category_counts import CategoryCounts
from metrics.scoring.compare import compare_all
from metrics.scoring.disorder import observed_disorder
from metrics.scoring.precision_recall import MATCHES, match_all, unit_errors
from metrics.scoring.rates import precision_recall_f, rate_statistic
from metrics.scoring.slot_error_rate import GROUIN, slot_error_rate
from metrics.scoring.units import Units
from metrics.unitizing.settings import describe
from reports import results as page
from tasks.estimates import value_of
from tasks.layers import LayerSpec, continua_of
from tasks.units.alignment import DissimilaritySpec
from tasks.validity.against import Against, built_units
from tasks.validity.scores import (
    COMPARISON_REPLICATES,
    ScoringSettings,
    baseline,
    called,
    comparison,
    per_category,
)
from tasks.validity.unit_pairs import alignments_of_two


def validity_of_units(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    reference: Against,
    settings: ScoringSettings,
    dissimilarity: DissimilaritySpec | None,
) -> page.Validity:
    """Every system's units against the reference's, on the documents that both were asked for."""
    of_reference = (
        _documents_of(store, keys, layer, reference.name, "reference")
        if reference.place is None
        else built_units(store, reference.place, layer)
    )
    scores, exact = [], {}
    for system in layer.systems:
        of_system = _documents_of(store, keys, layer, system, "system")
        shared = sorted(set(of_reference) & set(of_system))
        gold = _joined([of_reference[name] for name in shared])
        found = _joined([of_system[name] for name in shared])
        counts = match_all(gold, found, tagset=layer.tagset, n_documents=len(shared))
        exact[system] = (shared, counts["exact"])
        errors = unit_errors(gold, found, n_documents=len(shared))
        values: list[Estimate] = []
        for match in MATCHES:
            rates = precision_recall_f(counts[match], **settings.sampling())
            for rate in (rates.precision, rates.recall, rates.f):
                one = called(rate, f"{match}_{rate.measure}")
                n_not_asked = len(of_reference) - len(shared)
                values.append(replace(one, detail={**one.detail, "n_not_asked": n_not_asked}))
        values.append(slot_error_rate(errors, **settings.sampling()))
        weighted = slot_error_rate(errors, weights=GROUIN, **settings.sampling())
        values.append(called(weighted, "weighted_slot_error_rate"))
        if dissimilarity is not None:
            values.append(_disorder(gold, found, len(shared), layer, dissimilarity, settings))
        scores.append(
            page.SystemScores(
                system=system,
                layer=layer.name,
                kind="units",
                values=[value_of(value) for value in values],
                per_category=per_category(counts["exact"], settings),
                errors={name: int(array.sum()) for name, array in errors.items()},
            )
        )
    units = _joined(list(of_reference.values()))
    whole = match_all(
        units, units, tagset=layer.tagset, matches=["exact"], n_documents=len(of_reference)
    )
    by_itself = reference_by_itself(whole["exact"].reference, **settings.sampling())
    return page.Validity(
        reference=reference.name,
        systems=scores,
        comparisons=_compare_units(layer, exact, settings),
        baselines=[baseline(by_itself, layer, "units")],
    )


def _disorder(
    gold: Units,
    found: Units,
    n_documents: int,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: ScoringSettings,
) -> Estimate:
    """Disorder of the best alignment of reference and system, in the campaign's dissimilarity."""
    measure = dissimilarity.for_layer(layer)
    return observed_disorder(
        alignments_of_two(gold, found, n_documents, layer.tagset, measure),
        dissimilarity=describe(measure),
        **settings.sampling(),
    )


def _documents_of(
    store: Store, keys: Sequence[str], layer: LayerSpec, annotator: str, role: str
) -> dict[str, NDArray[np.int64]]:
    """(start, end, category) rows of every document that the annotator finished."""
    found = {}
    for key in keys:
        for document, continuum, _ in continua_of(store, key, layer, [annotator], role):
            found[document] = np.stack(
                [continuum.starts, continuum.ends, continuum.categories], axis=1
            ).astype(np.int64)
    return found


def _joined(documents: Sequence[NDArray[np.int64]]) -> Units:
    if not documents:
        return Units.empty()
    rows = np.concatenate(documents)
    index = np.repeat(np.arange(len(documents)), [len(one) for one in documents])
    return Units(index, rows[:, 0], rows[:, 1], rows[:, 2])


def _compare_units(
    layer: LayerSpec,
    exact: Mapping[str, tuple[list[str], CategoryCounts]],
    settings: ScoringSettings,
) -> list[page.SystemComparison]:
    """Every pair of systems that were asked for the same documents, by exact F."""
    systems = list(exact)
    if len(systems) < 2 or any(exact[system][0] != exact[systems[0]][0] for system in systems):
        return []
    counts = {system: exact[system][1] for system in systems}
    tagset = counts[systems[0]].tagset
    found = compare_all(
        {system: one.stacked(pooled=True) for system, one in counts.items()},
        rate_statistic("f", tagset=tagset),
        n_replicates=COMPARISON_REPLICATES,
        level=settings.level,
        seed=settings.seed,
    )
    return [comparison(one, layer, "exact_f") for one in found]
