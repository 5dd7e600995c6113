"""Agreement on units: counts and chance samples of one layer to every number the report shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from prefect import task

from data.store import Store
from metrics.agreement.diagnosis import atoms_against_gamma
from metrics.alignment.dissimilarity import Dissimilarity
from metrics.chance.corpus import Corpus, continua_of, corpus_hash
from metrics.chance.expected import unit_shares
from metrics.chance.plan import expected_from
from metrics.chance.samples import ExpectedDisorder
from metrics.errors import MetricsError
from metrics.estimate import Estimate
from metrics.signature import signature
from metrics.unitizing.alpha_u import alpha_u
from metrics.unitizing.breakdown import gamma_by_category, gamma_by_pair, gamma_without_each
from metrics.unitizing.from_counts import documents_from, gamma_from
from metrics.unitizing.gamma_cat import gamma_cat_from
from metrics.unitizing.holistic import holistic
from metrics.unitizing.observed import Observed
from metrics.unitizing.settings import GammaSettings, describe, gamma_signature
from metrics.unitizing.u_alpha import u_alpha
from reports import results as page
from tasks.alignment import DissimilaritySpec, read_counts
from tasks.atoms import atoms_of
from tasks.chance import ChanceSettings, read_corpus
from tasks.drawings import unit_disagreements, worst_alignments
from tasks.estimates import finding_of, named, value_of
from tasks.groups import document_groups, unit_points
from tasks.kept_summaries import kept_summary
from tasks.layers import LayerSpec
from tasks.passes import unit_passes
from tasks.usage import unit_distribution

_MOST_DOCUMENTS = 500
_MOST_SAMPLES = 1000
_MOST_PAIRS, _MOST_ANNOTATORS, _MOST_CATEGORIES = 45, 12, 40
_PART_DOCUMENTS = 500


@dataclass(frozen=True, slots=True)
class UnitSettings:
    measures: tuple[str, ...] = ("gamma", "gamma_cat")
    replicates: int = 1000
    level: float = 0.95
    alignments_kept: int = 20
    period: str = "month"
    seed: int = 0
    privacy: bool = False


Samples = Mapping[tuple[str, int], Sequence[Sequence[float]]]


def summarise_units(
    store_url: str,
    layer: LayerSpec,
    shards: Sequence[Mapping[str, str]],
    corpus_place: str,
    dissimilarity: DissimilaritySpec,
    chance: ChanceSettings,
    samples: Samples,
    settings: UnitSettings,
) -> str:
    """Every number of one layer of units, as JSON in the store; returns its path.

    shards: what `tasks.alignment` returned; samples: by process and number of annotators, as drawn.
    """
    store = Store(store_url)
    places = [shard["place"] for shard in shards]
    observed, pairs = read_counts(store, places)
    corpus = read_corpus(store_url, corpus_place, layer)
    empty = page.UnitAgreement(
        layer=layer.name,
        tagset=list(layer.tagset),
        annotators=list(layer.humans),
        n_units=0 if corpus is None else corpus.n_units,
        n_documents=0 if observed is None else observed.n_documents,
        values=[],
    )
    if observed is None or pairs is None or corpus is None:
        reason = "no document was finished by an annotator"
        undefined = Estimate("gamma", math.nan, reason=reason)
        summary = empty.model_copy(update={"values": [value_of(undefined)]})
        return _write(store, summary)
    if samples:
        kept: dict[Any, NDArray[np.float64]] = {
            key: np.array(rows, dtype=np.float64).reshape(-1, 3) for key, rows in samples.items()
        }
        expected = expected_from(kept, shares=unit_shares(corpus), precision=chance.precision)
    else:
        expected = None
    documents = _documents(store, places)
    values, per_document = _gamma(
        layer, observed, expected, corpus, documents, dissimilarity, chance, settings
    )
    of_category = gamma_cat_from(
        pairs,
        dissimilarity.for_layer(layer),
        tagset=layer.tagset,
        n_annotators=len(layer.humans),
        n_bootstrap=settings.replicates,
        level=settings.level,
        seed=settings.seed,
        signature=_plain_signature("gamma_cat", layer, dissimilarity, chance, settings, corpus),
    )
    if "gamma_cat" in settings.measures:
        values.append(of_category.gamma_cat)
    values += _further(settings, chance, dissimilarity.for_layer(layer), corpus)
    parts = _parts(corpus, dissimilarity.for_layer(layer), chance, settings)
    worst = sorted(
        (row for row in documents if row["disorder"] is not None),
        key=lambda row: (-row["disorder"], row["document"]),
    )
    summary = empty.model_copy(
        update={
            "values": [value_of(one) for one in values],
            "chance": _processes(expected, chance),
            "observed_disorder": values[0].observed,
            "per_category": named([*parts["category"], *of_category.gamma_k.items()]),
            "per_pair": named(parts["pair"]),
            "leave_one_out": named(parts["without"]),
            "per_document": named(per_document[:_MOST_DOCUMENTS]),
            "intra": named(
                unit_passes(
                    store,
                    [shard["key"] for shard in shards],
                    layer,
                    dissimilarity.for_layer(layer),
                    _coarse(chance, settings),
                )
            ),
            "findings": _findings(corpus, values[0]),
            "alignments": worst_alignments(store, layer, shards, worst, settings.alignments_kept),
        }
    )
    keys = [shard["key"] for shard in shards]
    points = []
    if expected is not None:
        points = unit_points(
            observed,
            expected,
            [row["document"] for row in documents],
            document_groups(store, keys, layer, settings.period),
            layer,
            replicates=settings.replicates,
            level=settings.level,
            seed=settings.seed,
        )
    return _write(
        store,
        summary,
        disagreements=unit_disagreements(store, layer, shards, worst),
        distributions=[unit_distribution(store, keys, layer)],
        points=points,
    )


def _write(
    store: Store,
    summary: page.UnitAgreement,
    *,
    disagreements: Sequence[page.Disagreement] = (),
    distributions: Sequence[page.Distribution] = (),
    points: Sequence[page.RunPoint] = (),
) -> str:
    return store.keep_json(
        "summaries",
        {
            "units": summary.model_dump(mode="json"),
            "disagreements": [one.model_dump(mode="json") for one in disagreements],
            "distributions": [one.model_dump(mode="json") for one in distributions],
            "points": [one.model_dump(mode="json") for one in points],
        },
    )


def _gamma(
    layer: LayerSpec,
    observed: Observed,
    expected: ExpectedDisorder | None,
    corpus: Corpus,
    documents: Sequence[Mapping[str, Any]],
    dissimilarity: DissimilaritySpec,
    chance: ChanceSettings,
    settings: UnitSettings,
) -> tuple[list[Estimate], list[tuple[str, Estimate]]]:
    if expected is None:
        reason = "no document has two annotators: there is nothing to compare"
        return [Estimate("gamma", math.nan, reason=reason)], []
    line = gamma_signature(
        "gamma",
        dissimilarity.for_layer(layer),
        _gamma_settings(chance, settings),
        chosen=expected.process,
        n_samples=expected.n_samples,
        processes=list(dict.fromkeys(sample.process for sample in expected.samples)),
        input_=corpus_hash(corpus),
    )
    value = gamma_from(
        observed,
        expected,
        n_bootstrap=settings.replicates,
        level=settings.level,
        seed=settings.seed,
        signature=line,
    )
    of_documents = documents_from(observed, expected, level=settings.level, signature=line)
    names = [row["document"] for row in documents]
    paired = list(zip(names, of_documents, strict=True))
    paired.sort(key=lambda one: (math.isnan(one[1].value), one[1].value))
    return [value], paired


def _gamma_settings(chance: ChanceSettings, settings: UnitSettings) -> GammaSettings:
    return GammaSettings(
        precision=chance.precision,
        min_samples=chance.min_samples,
        max_samples=chance.max_samples,
        seed=chance.seed,
        n_bootstrap=settings.replicates,
        level=settings.level,
        reconcile=chance.reconcile,  # type: ignore[arg-type]  # checked by the campaign file
    )


def _plain_signature(
    measure: str,
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    chance: ChanceSettings,
    settings: UnitSettings,
    corpus: Corpus,
) -> str:
    return signature(
        measure,
        **describe(dissimilarity.for_layer(layer)),
        alignment="gamma",
        bootstrap=settings.replicates,
        seed=settings.seed,
        input=corpus_hash(corpus),
    )


def _further(
    settings: UnitSettings, chance: ChanceSettings, dissimilarity: Dissimilarity, corpus: Corpus
) -> list[Estimate]:
    """The other measures asked for; one that the units do not allow is nan with the reason."""
    continua = continua_of(corpus)
    options = {
        "n_bootstrap": settings.replicates,
        "level": settings.level,
        "seed": settings.seed,
    }
    found: list[Estimate] = []
    for measure in settings.measures:
        try:
            if measure == "alpha_u":
                found.append(alpha_u(continua, **options).all)  # type: ignore[arg-type]  # one dict for two
            elif measure == "u_alpha":
                family = u_alpha(continua, **options)  # type: ignore[arg-type]  # as above
                found += [family.u_alpha, family.u_alpha_binary, family.cu_alpha]
            elif measure == "holistic":
                whole = holistic(
                    continua, dissimilarity, settings=_gamma_settings(chance, settings)
                )
                found.append(whole.corpus)
        except MetricsError as error:
            found.append(Estimate(measure, math.nan, reason=str(error)))
    return found


def _parts(
    corpus: Corpus, dissimilarity: Dissimilarity, chance: ChanceSettings, settings: UnitSettings
) -> dict[str, list[tuple[str, Estimate]]]:
    """γ of each category, of each pair, and without each annotator; each draws its own chance.

    They serve to see where disagreement lies: of a large corpus the first documents are taken, and
    the expected disorder is known to 2 %.
    """
    taken = range(min(corpus.n_documents, _PART_DOCUMENTS))
    continua = [continua_of(corpus.document(d))[0] for d in taken]
    options = _coarse(chance, settings)
    n_annotators = len(corpus.annotators)
    n_pairs = n_annotators * (n_annotators - 1) // 2
    of_pairs = (
        gamma_by_pair(continua, dissimilarity, settings=options)
        if 1 < n_pairs <= _MOST_PAIRS
        else {}
    )
    without = (
        gamma_without_each(continua, dissimilarity, settings=options)
        if 2 < n_annotators <= _MOST_ANNOTATORS
        else {}
    )
    categories = (
        gamma_by_category(continua, dissimilarity, settings=options)
        if 1 < len(corpus.tagset) <= _MOST_CATEGORIES
        else {}
    )
    return {
        "category": list(categories.items()),
        "pair": [(f"{a} – {b}", value) for (a, b), value in of_pairs.items()],
        "without": list(without.items()),
    }


def _coarse(chance: ChanceSettings, settings: UnitSettings) -> GammaSettings:
    """For parts of the campaign, which show where disagreement lies: chance to 2 %."""
    coarse = replace(chance, precision=max(chance.precision, 0.02), processes=())
    return _gamma_settings(coarse, replace(settings, replicates=min(settings.replicates, 200)))


def _processes(
    expected: ExpectedDisorder | None, chance: ChanceSettings
) -> list[page.ChanceProcess]:
    if expected is None:
        return []
    found = []
    for process in dict.fromkeys(sample.process for sample in expected.samples):
        samples = [sample for sample in expected.samples if sample.process == process]
        disorders = np.concatenate([sample.disorders for sample in samples])
        found.append(
            page.ChanceProcess(
                process=process,
                n_samples=sum(sample.n for sample in samples),
                mean=expected.pooled(process),
                standard_deviation=float(disorders.std(ddof=1)) if disorders.size > 1 else math.nan,
                precision=max(sample.precision for sample in samples),
                samples=disorders[:_MOST_SAMPLES].tolist(),
                chosen=process == expected.process,
            )
        )
    return found


def _documents(store: Store, places: Sequence[str]) -> list[dict[str, Any]]:
    """Document and disorder of every document, in the order of the counts."""
    columns = ["document", "disorder"]
    tables = [store.read_table(f"{place}/alignments.parquet", columns=columns) for place in places]
    rows: list[dict[str, Any]] = pa.concat_tables(tables).to_pylist()
    return rows


def _findings(corpus: Corpus, gamma: Estimate) -> list[page.Finding]:
    """That κ on atoms says something else than γ, where it does."""
    taken = range(min(corpus.n_documents, _PART_DOCUMENTS))
    continua = [continua_of(corpus.document(d))[0] for d in taken]
    atoms = atoms_of(continua, corpus.annotators)
    found = atoms_against_gamma(atoms, gamma) if atoms.n_items else None
    return [finding_of(found)] if found else []


@task(name="summarise units", task_run_name="summarise units {layer.name}")
def summarise_units_task(
    store_url: str,
    layer: LayerSpec,
    shards: Sequence[Mapping[str, str]],
    corpus_place: str,
    dissimilarity: DissimilaritySpec,
    chance: ChanceSettings,
    samples: Samples,
    settings: UnitSettings,
    *,
    fresh: bool = False,
) -> str:
    return kept_summary(
        store_url,
        lambda: summarise_units(
            store_url, layer, shards, corpus_place, dissimilarity, chance, samples, settings
        ),
        shards,
        *(asdict(one) for one in (layer, dissimilarity, chance, settings)),
        corpus_place,
        sorted([*key, rows] for key, rows in samples.items()),
        fresh=fresh,
    )
