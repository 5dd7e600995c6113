"""Agreement on units: counts and chance samples of one layer to every number the report shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from prefect import task

from data.store import Store, settings_hash
from metrics.chance.corpus import Corpus, continua_of, corpus_hash
from metrics.chance.expected import unit_shares
from metrics.chance.plan import expected_from
from metrics.chance.samples import ExpectedDisorder
from metrics.errors import MetricsError
from metrics.estimate import Estimate
from metrics.signature import VERSION, signature
from metrics.unitizing.alpha_u import alpha_u
from metrics.unitizing.from_counts import documents_from, gamma_from
from metrics.unitizing.gamma_cat import CategoryPairs, gamma_cat_from
from metrics.unitizing.observed import Observed
from metrics.unitizing.settings import GammaSettings, describe, gamma_signature
from reports import results as page
from tasks.alignment import DissimilaritySpec, read_counts
from tasks.chance import ChanceSettings, read_corpus
from tasks.estimates import named, value_of
from tasks.layers import LayerSpec, accepted

_MOST_DOCUMENTS = 500
_MOST_SAMPLES = 1000


@dataclass(frozen=True, slots=True)
class UnitSettings:
    measures: tuple[str, ...] = ("gamma", "gamma_cat")
    replicates: int = 1000
    level: float = 0.95
    alignments_shown: int = 12
    seed: int = 0
    privacy: bool = False


Samples = Mapping[tuple[str, int], Sequence[Sequence[float]]]


def summarise_units(
    store_url: str,
    layer: LayerSpec,
    shards: Sequence[Mapping[str, str]],
    corpus_path: str,
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
    corpus = read_corpus(store_url, corpus_path, layer)
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
        return _write(store, layer, places, settings, summary, [], [])
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
    values += _further(settings, corpus)
    worst = sorted(
        (row for row in documents if row["disorder"] is not None),
        key=lambda row: (-row["disorder"], row["document"]),
    )
    summary = empty.model_copy(
        update={
            "values": [value_of(one) for one in values],
            "chance": _processes(expected, chance),
            "observed_disorder": values[0].observed,
            "per_category": named(of_category.gamma_k.items()),
            "per_document": named(per_document[:_MOST_DOCUMENTS]),
            "alignments": _alignments(store, layer, shards, worst, settings),
        }
    )
    disagreements = _disagreements(store, layer, shards, worst, settings)
    distribution = _distribution(layer, corpus, pairs)
    return _write(store, layer, places, settings, summary, disagreements, [distribution])


def _write(
    store: Store,
    layer: LayerSpec,
    places: Sequence[str],
    settings: UnitSettings,
    summary: page.UnitAgreement,
    disagreements: list[page.Disagreement],
    distributions: list[page.Distribution],
) -> str:
    key = settings_hash(asdict(layer), list(places), asdict(settings), VERSION)
    return store.write_json(
        f"summaries/{key}.json",
        {
            "units": summary.model_dump(mode="json"),
            "disagreements": [one.model_dump(mode="json") for one in disagreements],
            "distributions": [one.model_dump(mode="json") for one in distributions],
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


def _further(settings: UnitSettings, corpus: Corpus) -> list[Estimate]:
    """Krippendorff's unitizing coefficients, which need the units themselves."""
    found = []
    for measure in settings.measures:
        if measure != "alpha_u":
            continue
        try:
            result = alpha_u(
                continua_of(corpus),
                n_bootstrap=settings.replicates,
                level=settings.level,
                seed=settings.seed,
            )
            found.append(result.all)
        except MetricsError as error:
            found.append(Estimate(measure, math.nan, reason=str(error)))
    return found


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


def _alignments(
    store: Store,
    layer: LayerSpec,
    shards: Sequence[Mapping[str, str]],
    worst: Sequence[Mapping[str, Any]],
    settings: UnitSettings,
) -> list[page.Alignment]:
    """The pictures' data of the documents of most disorder."""
    wanted = [row["document"] for row in worst[: settings.alignments_shown]]
    found = {
        drawn.document: drawn for shard in shards for drawn in _drawn(store, layer, shard, wanted)
    }
    return [found[name] for name in wanted if name in found]


def _drawn(
    store: Store, layer: LayerSpec, shard: Mapping[str, str], wanted: Sequence[str]
) -> list[page.Alignment]:
    chosen = pa.array(list(wanted), pa.string())
    rows = store.read_table(f"{shard['place']}/alignments.parquet")
    rows = rows.filter(pc.is_in(rows["document"], value_set=chosen))
    if not rows.num_rows:
        return []
    documents = accepted(store, shard["key"], "documents")
    by_name = {row["document"]: row for row in documents.to_pylist() if row["document"] in wanted}
    units = accepted(store, shard["key"], "units")
    units = units.filter(
        pc.and_(pc.is_in(units["document"], value_set=chosen), pc.equal(units["layer"], layer.name))
    )
    of_document: dict[str, dict[str, Any]] = {}
    for unit in units.to_pylist():
        if unit["pass"] == 1:
            key = f"{unit['annotator']}\x1f{unit['unit']}"
            of_document.setdefault(unit["document"], {})[key] = unit
    drawn = []
    for row in rows.to_pylist():
        document = by_name[row["document"]]
        text = document["text"] or ""
        aligned = _aligned_units(row, of_document.get(row["document"], {}), text)
        last = max((unit.end for unit in aligned), default=0.0)
        drawn.append(
            page.Alignment(
                document=row["document"],
                length=float(document["length"]) if document["length"] >= 0 else last,
                offset_unit=document["offset_unit"],
                text=text,
                annotators=row["annotators"],
                units=aligned,
                alignments=[
                    page.UnitaryAlignment(units=members, disorder=disorder)
                    for members, disorder in zip(row["alignments"], row["disorders"], strict=True)
                ],
                disorder=math.nan if row["disorder"] is None else row["disorder"],
                optimal=row["optimal"],
                gap=row["gap"],
            )
        )
    return drawn


def _aligned_units(
    row: Mapping[str, Any], by_key: Mapping[str, Any], text: str
) -> list[page.AlignedUnit]:
    found = []
    for key in row["units"]:
        unit = by_key[key]
        found.append(
            page.AlignedUnit(
                annotator=unit["annotator"],
                start=unit["start"],
                end=unit["end"],
                category=unit["category"],
                unit=unit["unit"],
                text=text[unit["start"] : unit["end"]] if text else "",
            )
        )
    return found


def _disagreements(
    store: Store,
    layer: LayerSpec,
    shards: Sequence[Mapping[str, str]],
    worst: Sequence[Mapping[str, Any]],
    settings: UnitSettings,
    *,
    most: int = 200,
    around: int = 40,
) -> list[page.Disagreement]:
    """The unitary alignments of most disorder, from the documents of most disorder."""
    wanted = [row["document"] for row in worst[:100]]
    found = []
    for shard in shards:
        for drawn in _drawn(store, layer, shard, wanted):
            for unitary in drawn.alignments:
                if unitary.disorder <= 0:
                    continue
                units = [drawn.units[u] for u in unitary.units]
                start = int(min(unit.start for unit in units))
                end = int(max(unit.end for unit in units))
                said = dict.fromkeys(drawn.annotators, "")
                for unit in units:
                    text = f" “{unit.text}”" if unit.text else f" {unit.start:g}–{unit.end:g}"
                    said[unit.annotator] = f"{unit.category or '(no category)'}{text}"
                found.append(
                    page.Disagreement(
                        document=drawn.document,
                        layer=layer.name,
                        where=f"{start}–{end}",
                        cost=unitary.disorder,
                        said=said,
                        context=drawn.text[max(0, start - around) : end + around],
                    )
                )
    found.sort(key=lambda one: (-one.cost, one.document, one.where))
    return found[:most]


def _distribution(layer: LayerSpec, corpus: Corpus, pairs: CategoryPairs) -> page.Distribution:
    owners = np.repeat(corpus.set_annotators, corpus.set_sizes)
    n_annotators, n_categories = len(layer.humans), len(layer.tagset)
    table = np.zeros((n_categories + 1, n_annotators), dtype=np.int64)
    np.add.at(table, (corpus.categories, owners), 1)  # -1, no category, is the last row
    unlabelled = bool(table[-1].sum())
    return page.Distribution(
        layer=layer.name,
        kind="units",
        tagset=[*layer.tagset, "(no category)"] if unlabelled else list(layer.tagset),
        annotators=list(layer.humans),
        counts=table[: n_categories + int(unlabelled)].tolist(),
    )


@task(name="summarise units", task_run_name="summarise units {layer.name}")
def summarise_units_task(
    store_url: str,
    layer: LayerSpec,
    shards: Sequence[Mapping[str, str]],
    corpus_path: str,
    dissimilarity: DissimilaritySpec,
    chance: ChanceSettings,
    samples: Samples,
    settings: UnitSettings,
) -> str:
    return summarise_units(
        store_url, layer, shards, corpus_path, dissimilarity, chance, samples, settings
    )
