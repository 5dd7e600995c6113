"""Units of a batch to their best alignments, the counts that γ is made of, and a compact corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from prefect import task

from data.receipts import Kept, Receipt, kept, write_receipt
from data.store import Store, settings_hash
from metrics.alignment.best_alignment import Alignment
from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity
from metrics.chance.corpus import Corpus, corpus_of
from metrics.signature import VERSION
from metrics.unitizing.gamma_cat import CategoryPairs, category_pairs
from metrics.unitizing.observed import Observed, align_documents, counts_of
from tasks.arrays import read_arrays, write_arrays
from tasks.layers import LayerSpec, continua_of
from tasks.outcome import outcome

_CORPUS = (
    "starts", "ends", "categories", "unit_offsets", "set_offsets", "lengths", "set_annotators",
)  # fmt: skip
_OBSERVED = tuple(field.name for field in fields(Observed))
_PAIRS = tuple(field.name for field in fields(CategoryPairs))
_ALIGNMENTS = pa.schema(
    [
        ("document", pa.string()),
        ("disorder", pa.float64()),
        ("optimal", pa.bool_()),
        ("gap", pa.float64()),
        ("annotators", pa.list_(pa.string())),
        ("units", pa.list_(pa.string())),
        ("alignments", pa.list_(pa.list_(pa.int32()))),
        ("disorders", pa.list_(pa.float64())),
    ]
)


@dataclass(frozen=True, slots=True)
class DissimilaritySpec:
    """A dissimilarity as plain values (see `metrics.alignment.dissimilarity`)."""

    position: str = "positional"
    alpha: float = 1.0
    beta: float = 1.0
    delta_empty: float = 1.0
    mean_length: float | None = None

    def for_layer(self, layer: LayerSpec) -> Dissimilarity:
        return Dissimilarity(
            position=self.position,  # type: ignore[arg-type]  # checked by the campaign file
            alpha=self.alpha,
            beta=self.beta,
            delta_empty=self.delta_empty,
            category_distances=layer.distance_matrix(),
            mean_length=self.mean_length,
        )


def alignment_place(key: str, layer: LayerSpec, dissimilarity: DissimilaritySpec) -> str:
    """Where the store keeps the alignments of one shard and layer."""
    return f"aligned/{settings_hash(key, asdict(layer), asdict(dissimilarity), VERSION)}"


def align_units(
    store_url: str,
    keys: Sequence[str],
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    *,
    fresh: bool = False,
) -> list[dict[str, Any]]:
    """Alignments, counts and corpus of each shard of one layer; returns where they are."""
    store = Store(store_url)
    done = []
    for key in keys:
        place = alignment_place(key, layer, dissimilarity)
        found = kept(store, place) if not fresh else Kept()
        receipt = found.receipt or _align_shard(
            store, place, key, layer, dissimilarity.for_layer(layer)
        )
        done.append(
            {
                "layer": layer.name,
                "key": key,
                **outcome(receipt, reused=found.receipt is not None, damaged=found.damaged),
            }
        )
    return done


def _align_shard(
    store: Store, place: str, key: str, layer: LayerSpec, dissimilarity: Dissimilarity
) -> Receipt:
    found = continua_of(store, key, layer, layer.humans, "human")
    rows, counts, corpus = aligned(found, layer, dissimilarity)
    store.write_table(f"{place}/alignments.parquet", pa.Table.from_pylist(rows, _ALIGNMENTS))
    write_arrays(store, f"{place}/counts.parquet", counts)
    write_arrays(store, f"{place}/corpus.parquet", corpus)
    return write_receipt(store, place)


def aligned(
    found: Sequence[tuple[str, Continuum, list[str]]],
    layer: LayerSpec,
    dissimilarity: Dissimilarity,
) -> tuple[list[dict[str, Any]], dict[str, NDArray[np.generic]], dict[str, NDArray[np.generic]]]:
    """(rows of alignments, counts, corpus) of documents as `continua_of` gives them."""
    continua = [continuum for _, continuum, _ in found]
    if not continua:
        return [], {}, {}
    alignments = align_documents(continua, dissimilarity)
    rows = [
        _alignment_row(document, alignment, continuum.annotators, units)
        for (document, continuum, units), alignment in zip(found, alignments, strict=True)
    ]
    observed = counts_of(continua, alignments)
    pairs = category_pairs(continua, alignments, dissimilarity)
    counts = {name: getattr(observed, name) for name in _OBSERVED}
    counts |= {f"categories.{name}": getattr(pairs, name) for name in _PAIRS}
    return rows, counts, corpus_to_arrays(corpus_of(continua), layer.humans)


def _alignment_row(
    document: str, alignment: Alignment | None, annotators: tuple[str, ...], units: list[str]
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "document": document,
        "annotators": list(annotators),
        "units": units,
        "disorder": None,
        "optimal": True,
        "gap": 0.0,
        "alignments": [],
        "disorders": [],
    }
    if alignment is None:
        return row
    disorder = alignment.gamma_disorder
    return row | {
        "disorder": None if np.isnan(disorder) else disorder,
        "optimal": alignment.optimal,
        "gap": alignment.gap,
        "alignments": [[u for u in tuple_ if u >= 0] for tuple_ in alignment.units.tolist()],
        "disorders": alignment.disorders.tolist(),
    }


def corpus_to_arrays(corpus: Corpus, humans: Sequence[str]) -> dict[str, NDArray[np.generic]]:
    """A corpus whose annotators are numbered as the layer's humans: shards can be joined."""
    number = np.array([list(humans).index(name) for name in corpus.annotators], dtype=np.int32)
    arrays: dict[str, NDArray[np.generic]] = {name: getattr(corpus, name) for name in _CORPUS}
    arrays["set_annotators"] = number[corpus.set_annotators]
    return arrays


def corpus_from_arrays(
    parts: Sequence[dict[str, NDArray[np.generic]]], layer: LayerSpec
) -> Corpus | None:
    """The documents of all parts, one after the other; None when there is none."""
    kept: list[Any] = [part for part in parts if part]
    if not kept:
        return None
    joined = {
        name: np.concatenate([part[name] for part in kept])
        for name in _CORPUS
        if not name.endswith("_offsets")
    }
    for name in ("unit_offsets", "set_offsets"):
        sizes = np.concatenate([np.diff(part[name]) for part in kept])
        joined[name] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Corpus(**joined, tagset=layer.tagset, annotators=layer.humans)


def read_counts(
    store: Store, places: Sequence[str]
) -> tuple[Observed | None, CategoryPairs | None]:
    """Counts of all shards, added; None when no document was finished by anybody."""
    observed: Observed | None = None
    pairs: CategoryPairs | None = None
    for place in places:
        arrays: dict[str, Any] = read_arrays(store, f"{place}/counts.parquet")
        if not arrays:
            continue
        part = Observed(**{name: arrays[name] for name in _OBSERVED})
        of_categories = CategoryPairs(**{name: arrays[f"categories.{name}"] for name in _PAIRS})
        observed = part if observed is None else observed + part
        pairs = of_categories if pairs is None else pairs + of_categories
    return observed, pairs


@task(name="align units", task_run_name="align units {layer.name}")
def align_units_task(
    store_url: str,
    keys: Sequence[str],
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    *,
    fresh: bool = False,
) -> list[dict[str, Any]]:
    return align_units(store_url, keys, layer, dissimilarity, fresh=fresh)
