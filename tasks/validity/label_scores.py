"""Systems' labels against a reference: accuracy, observed agreement, rates by category."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from data.store.store import Store
from metrics.estimate import Estimate
from metrics.scoring.accuracy import LabelCounts, accuracy, accuracy_counts, score_labels
from metrics.scoring.baseline import majority_class, observed_agreement, reference_by_itself
from metrics.scoring.compare import compare_all
from metrics.scoring.rates import precision_recall_f
from metrics.scoring.ratio import ratio
from reports import results as page
from tasks.estimates import value_of
from tasks.layers import LayerSpec, label_rows, matrix_of
from tasks.validity.against import Against, with_built_labels
from tasks.validity.distances import direct_distances
from tasks.validity.scores import (
    COMPARISON_REPLICATES,
    ScoringSettings,
    baseline,
    called,
    comparison,
    per_category,
)


def validity_of_labels(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    reference: Against,
    settings: ScoringSettings,
) -> page.Validity:
    """Every system's labels against the reference's, with baselines and comparisons."""
    codes, documents = _all_codes(store, keys, layer, reference)
    given = codes[:, 0][codes[:, 0] >= 0]
    distances = layer.distance_matrix()
    if distances is None:
        marginals = np.bincount(given, minlength=len(layer.tagset))
        distances = direct_distances(layer.distance, layer.tagset, marginals)
    scores, counts = [], {}
    for column, system in enumerate(layer.systems, start=1):
        asked = np.isin(documents, documents[codes[:, column] >= 0])
        counts[system] = score_labels(
            codes[asked, 0],
            codes[asked, column],
            tagset=layer.tagset,
            documents=_drawn(documents[asked]),
        )
        p_o = observed_agreement(
            codes[asked, 0],
            codes[asked, column],
            tagset=layer.tagset,
            distances=distances,
            documents=_drawn(documents[asked]),
            **settings.sampling(),
        )
        scores.append(_label_scores(system, layer, counts[system], p_o, settings))
    whole = score_labels(codes[:, 0], codes[:, 0], tagset=layer.tagset, documents=_drawn(documents))
    baselines = [
        majority_class(whole, **settings.sampling()),
        reference_by_itself(
            whole.categories.reference,
            distances=distances,
            rows=whole.categories.rows,
            **settings.sampling(),
        ),
    ]
    return page.Validity(
        reference=reference.name,
        systems=scores,
        comparisons=_compare_labels(layer, codes, documents, settings),
        baselines=[baseline(one, layer, "items") for one in baselines],
    )


def _all_codes(
    store: Store, keys: Sequence[str], layer: LayerSpec, reference: Against
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Codes (N, 1 + systems), the reference first, and document indices (N,) over all shards."""
    columns = [reference.name, *layer.systems]
    parts, homes, n_documents = [np.empty((0, len(columns)), np.int32)], [np.empty(0, np.int64)], 0
    for key in keys:
        rows = label_rows(store, key, layer, columns)
        if reference.place is not None:
            rows = with_built_labels(store, key, rows, layer, reference.place)
        matrix = matrix_of(rows, layer, columns, "system")
        if matrix.documents is None or not matrix.n_items:
            continue
        parts.append(matrix.codes)
        homes.append(matrix.documents + n_documents)
        n_documents += int(matrix.documents.max()) + 1
    return np.concatenate(parts), np.concatenate(homes)


def _drawn(documents: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """The items' documents (N,), or None where there is one: intervals then draw its items."""
    return documents if np.unique(documents).size > 1 else None


def _label_scores(
    system: str,
    layer: LayerSpec,
    counts: LabelCounts,
    observed: Estimate,
    settings: ScoringSettings,
) -> page.SystemScores:
    options = settings.sampling()
    values = [accuracy(counts, **options), observed]
    rates = precision_recall_f(
        counts.categories, average="macro", input_digest=counts.input_digest, **options
    )
    values += [
        called(rate, f"macro_{rate.measure}") for rate in (rates.precision, rates.recall, rates.f)
    ]
    confusion = counts.confusion
    correct = int(np.trace(confusion[:, :-1]))
    errors = {
        "correct": correct,
        "wrong_category": int(confusion[:, :-1].sum()) - correct,
        "missed": int(confusion[:, -1].sum()),
    }
    return page.SystemScores(
        system=system,
        layer=layer.name,
        kind="items",
        values=[value_of(value) for value in values],
        per_category=per_category(counts.categories, settings, counts.input_digest),
        errors=errors,
    )


def _compare_labels(
    layer: LayerSpec,
    codes: NDArray[np.int32],
    documents: NDArray[np.int64],
    settings: ScoringSettings,
) -> list[page.SystemComparison]:
    """Every pair of systems, on the documents that all of them labelled."""
    if len(layer.systems) < 2:
        return []
    shared = np.ones(documents.shape[0], dtype=np.bool_)
    for column in range(1, codes.shape[1]):
        shared &= np.isin(documents, documents[codes[:, column] >= 0])
    by_system = {}
    for column, system in enumerate(layer.systems, start=1):
        counts = score_labels(
            codes[shared, 0],
            codes[shared, column],
            tagset=layer.tagset,
            documents=_drawn(documents[shared]),
        )
        by_system[system] = accuracy_counts(counts)
    found = compare_all(
        by_system,
        ratio,
        n_replicates=COMPARISON_REPLICATES,
        level=settings.level,
        seed=settings.seed,
    )
    return [comparison(one, layer, "accuracy") for one in found]
