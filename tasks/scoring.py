"""Systems against references, layer by layer; nothing here knows of a chance-corrected coefficient.

Only documents that the reference finished are scored. A system that was asked for a document and
gave nothing missed everything in it; documents that a system was never asked for are left out of
its score and counted (`n_not_asked`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from prefect import task

from data.store import Store, settings_hash
from metrics.estimate import Estimate
from metrics.scoring.accuracy import LabelCounts, accuracy, accuracy_counts, score_labels
from metrics.scoring.compare import Comparison, compare_all
from metrics.scoring.precision_recall import MATCHES, match_all, unit_errors
from metrics.scoring.rates import CategoryCounts, precision_recall_f, rate_statistic
from metrics.scoring.ratio import ratio
from metrics.scoring.units import Units
from metrics.signature import VERSION
from reports import results as page
from tasks.estimates import value_of
from tasks.layers import LayerSpec, continua_of, label_rows, matrix_of

_COMPARISON_SAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class ScoringSettings:
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0


def score_layer(
    store_url: str, keys: Sequence[str], layer: LayerSpec, settings: ScoringSettings
) -> str:
    """Scores of every system of the layer against each of its references, as JSON; its path."""
    store = Store(store_url)
    key = settings_hash(list(keys), asdict(layer), asdict(settings), VERSION)
    path = f"summaries/scores-{key}.json"
    score = _score_labels if layer.is_labels else _score_units
    found = [score(store, keys, layer, reference, settings) for reference in layer.references]
    return store.write_json(path, {"validity": [one.model_dump(mode="json") for one in found]})


def _score_labels(
    store: Store, keys: Sequence[str], layer: LayerSpec, reference: str, settings: ScoringSettings
) -> page.Validity:
    columns = [reference, *layer.systems]
    codes, documents = _all_codes(store, keys, layer, columns)
    scores, counts = [], {}
    for column, system in enumerate(layer.systems, start=1):
        asked = np.isin(documents, documents[codes[:, column] >= 0])
        counts[system] = score_labels(
            codes[asked, 0], codes[asked, column], tagset=layer.tagset, documents=documents[asked]
        )
        scores.append(_label_scores(system, layer, counts[system], settings))
    return page.Validity(
        reference=reference,
        systems=scores,
        comparisons=_compare_labels(layer, codes, documents, settings),
    )


def _all_codes(
    store: Store, keys: Sequence[str], layer: LayerSpec, columns: Sequence[str]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Codes (N, columns) and document indices (N,) over all shards."""
    parts, homes, n_documents = [np.empty((0, len(columns)), np.int32)], [np.empty(0, np.int64)], 0
    for key in keys:
        rows = label_rows(store, key, layer, columns)
        matrix = matrix_of(rows, layer, columns, "system")
        if matrix.documents is None or not matrix.n_items:
            continue
        parts.append(matrix.codes)
        homes.append(matrix.documents + n_documents)
        n_documents += int(matrix.documents.max()) + 1
    return np.concatenate(parts), np.concatenate(homes)


def _label_scores(
    system: str, layer: LayerSpec, counts: LabelCounts, settings: ScoringSettings
) -> page.SystemScores:
    options: dict[str, Any] = {
        "n_samples": settings.replicates,
        "level": settings.level,
        "seed": settings.seed,
    }
    values = [accuracy(counts, **options)]
    rates = precision_recall_f(
        counts.categories, average="macro", input_digest=counts.input_digest, **options
    )
    values += [
        _called(rate, f"macro_{rate.measure}") for rate in (rates.precision, rates.recall, rates.f)
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
        per_category=_per_category(counts.categories, counts.input_digest),
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
            documents=documents[shared],
        )
        by_system[system] = accuracy_counts(counts)
    found = compare_all(
        by_system, ratio, n_samples=_COMPARISON_SAMPLES, level=settings.level, seed=settings.seed
    )
    return [_comparison(one, layer, "accuracy") for one in found]


def _score_units(
    store: Store, keys: Sequence[str], layer: LayerSpec, reference: str, settings: ScoringSettings
) -> page.Validity:
    of_reference = _documents_of(store, keys, layer, reference, "reference")
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
            rates = precision_recall_f(
                counts[match],
                n_samples=settings.replicates,
                level=settings.level,
                seed=settings.seed,
            )
            for rate in (rates.precision, rates.recall, rates.f):
                one = _called(rate, f"{match}_{rate.measure}")
                n_not_asked = len(of_reference) - len(shared)
                values.append(replace(one, detail={**one.detail, "n_not_asked": n_not_asked}))
        scores.append(
            page.SystemScores(
                system=system,
                layer=layer.name,
                kind="units",
                values=[value_of(value) for value in values],
                per_category=_per_category(counts["exact"], None),
                errors={name: int(array.sum()) for name, array in errors.items()},
            )
        )
    return page.Validity(
        reference=reference,
        systems=scores,
        comparisons=_compare_units(layer, exact, settings),
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
        n_samples=_COMPARISON_SAMPLES,
        level=settings.level,
        seed=settings.seed,
    )
    return [_comparison(one, layer, "exact_f") for one in found]


def _comparison(one: Comparison, layer: LayerSpec, measure: str) -> page.SystemComparison:
    return page.SystemComparison(
        layer=layer.name,
        measure=measure,
        first=one.first,
        second=one.second,
        difference=one.difference,
        interval=one.interval,
        p_value=one.p_randomisation,
        p_corrected=one.p_corrected,
        reason=one.reason,
    )


def _called(estimate: Estimate, measure: str) -> Estimate:
    """The estimate under a name that says the match or average; its signature says the rest."""
    return replace(estimate, measure=measure)


def _per_category(counts: CategoryCounts, digest: str | None) -> list[page.Named]:
    found = []
    for category in counts.tagset:
        rates = precision_recall_f(counts, category=category, input_digest=digest)
        found += [
            page.Named(name=category, value=value_of(rate))
            for rate in (rates.precision, rates.recall, rates.f)
        ]
    return found


@task(name="score systems", task_run_name="score systems {layer.name}")
def score_layer_task(
    store_url: str, keys: Sequence[str], layer: LayerSpec, settings: ScoringSettings
) -> str:
    return score_layer(store_url, keys, layer, settings)
