"""Systems against references, layer by layer; nothing here knows of a chance-corrected coefficient.

Only documents that the reference finished are scored. A system that was asked for a document and
gave nothing missed everything in it; documents that a system was never asked for are left out of
its score and counted (`n_not_asked`).

The reference is the annotators' with that role; where there is none, the one that the run built
(`tasks.validity.reference`), whose name in the report says so.
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
from metrics.scoring.baseline import majority_class, observed_agreement, reference_by_itself
from metrics.scoring.compare import Comparison, compare_all
from metrics.scoring.disorder import observed_disorder
from metrics.scoring.precision_recall import MATCHES, match_all, unit_errors
from metrics.scoring.rates import CategoryCounts, precision_recall_f, rate_statistic
from metrics.scoring.ratio import ratio
from metrics.scoring.slot_error_rate import GROUIN, slot_error_rate
from metrics.scoring.units import Units
from metrics.signature import VERSION
from metrics.unitizing.settings import describe
from reports import results as page
from tasks.estimates import value_of
from tasks.layers import LayerSpec, continua_of, label_rows, matrix_of
from tasks.units.alignment import DissimilaritySpec
from tasks.validity.against import Against, built_units, with_built_labels
from tasks.validity.distances import direct_distances
from tasks.validity.human_range import HumanRange, range_of_humans
from tasks.validity.unit_pairs import alignments_of_two

_COMPARISON_SAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class ScoringSettings:
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0

    def sampling(self) -> dict[str, Any]:
        return {"n_samples": self.replicates, "level": self.level, "seed": self.seed}


def score_layer(
    store_url: str,
    keys: Sequence[str],
    layer: LayerSpec,
    settings: ScoringSettings,
    *,
    built: Against | None = None,
    dissimilarity: DissimilaritySpec | None = None,
    human_range: HumanRange | None = None,
) -> str:
    """Scores of every system of the layer against each of its references, as JSON; its path.

    built          the reference that the run made, taken where nobody has the role
    dissimilarity  the campaign's, for the observed disorder of units
    human_range    each human against the others' reference, to read beside
    """
    store = Store(store_url)
    key = settings_hash(
        list(keys), asdict(layer), asdict(settings), str(built), str(dissimilarity),
        str(human_range), VERSION,
    )  # fmt: skip
    path = f"summaries/scores-{key}.json"
    references = [Against(name) for name in layer.references] or ([built] if built else [])
    found = []
    for reference in references:
        if layer.is_labels:
            scored = _score_labels(store, keys, layer, reference, settings)
        else:
            scored = _score_units(store, keys, layer, reference, settings, dissimilarity)
        if human_range is not None:
            people = range_of_humans(store, keys, layer, human_range, settings.sampling())
            scored = scored.model_copy(update={"human_range": people})
        found.append(scored)
    return store.write_json(path, {"validity": [one.model_dump(mode="json") for one in found]})


def _score_labels(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    reference: Against,
    settings: ScoringSettings,
) -> page.Validity:
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
            codes[asked, 0], codes[asked, column], tagset=layer.tagset, documents=documents[asked]
        )
        p_o = observed_agreement(
            codes[asked, 0],
            codes[asked, column],
            tagset=layer.tagset,
            distances=distances,
            documents=documents[asked],
            **settings.sampling(),
        )
        scores.append(_label_scores(system, layer, counts[system], p_o, settings))
    whole = score_labels(codes[:, 0], codes[:, 0], tagset=layer.tagset, documents=documents)
    baselines = [
        majority_class(whole, **settings.sampling()),
        reference_by_itself(whole.categories.reference, distances=distances, **settings.sampling()),
    ]
    return page.Validity(
        reference=reference.name,
        systems=scores,
        comparisons=_compare_labels(layer, codes, documents, settings),
        baselines=[_baseline(one, layer, "items") for one in baselines],
    )


def _baseline(estimate: Estimate, layer: LayerSpec, kind: str) -> page.SystemScores:
    """What costs nothing, under its own name: the same for every system."""
    category = estimate.detail.get("category")
    name = estimate.measure.replace("_", " ") + (f": {category}" if category else "")
    return page.SystemScores(system=name, layer=layer.name, kind=kind, values=[value_of(estimate)])


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
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    reference: Against,
    settings: ScoringSettings,
    dissimilarity: DissimilaritySpec | None,
) -> page.Validity:
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
                one = _called(rate, f"{match}_{rate.measure}")
                n_not_asked = len(of_reference) - len(shared)
                values.append(replace(one, detail={**one.detail, "n_not_asked": n_not_asked}))
        values.append(slot_error_rate(errors, **settings.sampling()))
        weighted = slot_error_rate(errors, weights=GROUIN, **settings.sampling())
        values.append(_called(weighted, "weighted_slot_error_rate"))
        if dissimilarity is not None:
            values.append(_disorder(gold, found, len(shared), layer, dissimilarity, settings))
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
    units = _joined(list(of_reference.values()))
    whole = match_all(
        units, units, tagset=layer.tagset, matches=["exact"], n_documents=len(of_reference)
    )
    by_itself = reference_by_itself(whole["exact"].reference, **settings.sampling())
    return page.Validity(
        reference=reference.name,
        systems=scores,
        comparisons=_compare_units(layer, exact, settings),
        baselines=[_baseline(by_itself, layer, "units")],
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
    described = ",".join(f"{key}={value}" for key, value in describe(measure).items())
    return observed_disorder(
        alignments_of_two(gold, found, n_documents, layer.tagset, measure),
        dissimilarity=described,
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
    store_url: str,
    keys: Sequence[str],
    layer: LayerSpec,
    settings: ScoringSettings,
    built: Against | None = None,
    dissimilarity: DissimilaritySpec | None = None,
    human_range: HumanRange | None = None,
) -> str:
    return score_layer(
        store_url,
        keys,
        layer,
        settings,
        built=built,
        dissimilarity=dissimilarity,
        human_range=human_range,
    )
