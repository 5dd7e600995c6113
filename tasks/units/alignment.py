"""Alignment of the units of a batch: best alignments, counts for γ, and a compact corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.alignment.best_alignment import Alignment
from ...metrics.alignment.continuum import Continuum
from ...metrics.alignment.dissimilarity import Dissimilarity
from ...metrics.arrays import Flags
from ...metrics.chance.corpus import Corpus, corpus_of_continua
from ...metrics.measures import objective_of
from ...metrics.options import Weights
from ...metrics.units.category_pairs import CategoryPairs, aligned_pairs, category_pairs
from ...metrics.units.disorder_by_cause import disorder_by_cause
from ...metrics.units.found_units import FoundRows, count_found_units
from ...metrics.units.observed import Observed, observed_of_alignments
from ...metrics.units.unit_disagreement import DisorderRows, disorder_rows
from ..analysis import Analysis, Counted, Counting, count_node
from ..batches_and_periods import documents_with_last_change
from ..layers import LayerSpec
from ..node import Composed
from ..passes import has_passes
from ..queues_of_rounds import cells_not_for_agreement
from ..stored_annotations import FIRST_PASS, AnnotatedDocument, finished_passes, stored_continua
from ..stored_arrays import read_arrays, write_arrays
from .kept_alignments import align_new_documents

_CORPUS = (
    "starts", "ends", "categories", "unit_offsets", "set_offsets", "lengths",
    "lengths_given", "set_annotators", "gaps",
)  # fmt: skip
_OBSERVED = tuple(field.name for field in fields(Observed))
_PAIRS = tuple(field.name for field in fields(CategoryPairs))
_DISORDER = tuple(field.name for field in fields(DisorderRows))
_FOUND = tuple(field.name for field in fields(FoundRows))
_OF_CATEGORIES, _OF_DISORDER, _OF_FOUND = "categories.", "disorder.", "found."
_UNITS, _USAGE, _CAUSES, _CONFUSED = f"{_OF_CATEGORIES}units", "usage", "causes", "confused"
_ALIGNMENTS = pa.schema(
    [
        ("document", pa.string()),
        ("disorder", pa.float64()),
        ("optimal", pa.bool_()),
        ("gap", pa.float64()),
        ("annotators", pa.list_(pa.string())),
        ("units", pa.list_(pa.string())),
        ("owners", pa.list_(pa.int32())),
        ("alignments", pa.list_(pa.list_(pa.int32()))),
        ("disorders", pa.list_(pa.float64())),
    ]
)
MOST_CELLS = 10_000_000  # largest dense array, documents × categories: 80 MB each
_WHEN = ("batch", "time")  # additional columns from `documents_with_last_change`


@dataclass(frozen=True)
class DissimilaritySpec(Weights):
    """Weights of a layer of units; `mean_length` of its units is used only by hamming."""

    mean_length: float | None = None

    def dissimilarity_for(self, layer: LayerSpec, measure: str = "gamma") -> Dissimilarity:
        return self.dissimilarity(
            layer.distance_matrix(),
            objective=objective_of(measure),
            mean_length=self.mean_length,
        )


@dataclass(frozen=True, slots=True)
class UnitAlignment(Analysis, Counting):
    """Best alignments of one layer of units, from which γ and related measures are computed.

    The documents of annotators that were chosen because they are informative take no part
    (`tasks.next_round`), unless the layer is one `with_informative`.

    The facts of a shard: `n_documents` that an annotator finished, whether it `has_passes`, and how
    many documents of annotators take no part (`n_adaptive`).
    """

    folder = Folder.ALIGNED
    layer: LayerSpec
    dissimilarity: DissimilaritySpec

    @property
    def layer_name(self) -> str:
        return self.layer.name

    @property
    def counting(self) -> UnitAlignment:
        return UnitAlignment(self.layer.only_humans(), self.dissimilarity)

    def count(self, store: Store, place: str, key: str) -> dict[str, Any] | Composed:
        layer, dissimilarity = self.layer, self.dissimilarity.dissimilarity_for(self.layer)
        adaptive = cells_not_for_agreement(store, layer)
        found = stored_continua(store, key, layer, layer.humans, "human", without=adaptive)
        return align_new_documents(
            store,
            [(document, continuum) for document, continuum, _ in found],
            dissimilarity,
            partial(self._write, store, place, key, found),
        )

    def _write(
        self,
        store: Store,
        place: str,
        key: str,
        found: Sequence[AnnotatedDocument],
        alignments: Sequence[Alignment | None],
    ) -> dict[str, Any]:
        layer = self.layer
        dissimilarity = self.dissimilarity.dissimilarity_for(layer)
        rows, counts, corpus = counts_of_alignments(found, alignments, layer, dissimilarity)
        table = pa.Table.from_pylist(rows, _ALIGNMENTS)
        when = documents_with_last_change(store, key, layer)
        of_row = pc.index_in(table["document"], value_set=when["document"].combine_chunks())
        for name in _WHEN:
            table = table.append_column(name, when[name].take(of_row))
        store.write_table(f"{place}/alignments.parquet", table)
        write_arrays(store, f"{place}/counts.parquet", counts)
        write_arrays(store, f"{place}/corpus.parquet", corpus)
        adaptive = cells_not_for_agreement(store, layer)
        n_adaptive = sum(
            pass_ == FIRST_PASS and who in layer.humans and (document, who) in adaptive
            for document, who, pass_ in finished_passes(store, key, layer.name)
        )
        return {
            "n_documents": len(found),
            "has_passes": has_passes(store, key, layer),
            "n_adaptive": n_adaptive,
        }


def alignment_place(key: str, layer: LayerSpec, dissimilarity: DissimilaritySpec) -> str:
    """Return the store's place for the alignments of one shard and layer."""
    return count_node(UnitAlignment(layer, dissimilarity).counting, key).place


def alignment_places(
    keys: Sequence[str], layer: LayerSpec, dissimilarity: DissimilaritySpec | None
) -> list[str]:
    """Return the places of the alignments, also of documents chosen as informative, if any."""
    if layer.is_labels:
        return []
    measure = dissimilarity or DissimilaritySpec()
    return [alignment_place(key, layer.with_informative(), measure) for key in keys]


def counts_of_alignments(
    found: Sequence[AnnotatedDocument],
    alignments: Sequence[Alignment | None],
    layer: LayerSpec,
    dissimilarity: Dissimilarity,
) -> tuple[list[dict[str, Any]], dict[str, NDArray[np.generic]], dict[str, NDArray[np.generic]]]:
    """Return (rows of alignments, counts, corpus) of documents from `stored_continua`."""
    continua = [continuum for _, continuum, _ in found]
    if not continua:
        return [], {}, {}
    rows = [
        _alignment_row(document, alignment)
        for document, alignment in zip(found, alignments, strict=True)
    ]
    observed = observed_of_alignments(continua, alignments)
    pairs = category_pairs(continua, alignments, dissimilarity)
    counts = {name: getattr(observed, name) for name in _OBSERVED}
    counts |= {f"{_OF_CATEGORIES}{name}": getattr(pairs, name) for name in _PAIRS}
    disorder = disorder_rows(continua, alignments, dissimilarity, layer.humans)
    counts |= {f"{_OF_DISORDER}{name}": getattr(disorder, name) for name in _DISORDER}
    found_units = count_found_units(continua, alignments, layer.humans)
    counts |= {f"{_OF_FOUND}{name}": getattr(found_units, name) for name in _FOUND}
    counts[_CAUSES] = disorder_by_cause(continua, alignments, dissimilarity)
    counts[_CONFUSED] = _confused_categories(continua, alignments, len(layer.tagset))
    corpus = corpus_to_arrays(corpus_of_continua(continua), layer.humans)
    return rows, counts | {_USAGE: _usage_counts(corpus, layer)}, corpus


def _confused_categories(
    continua: Sequence[Continuum], alignments: Sequence[Alignment | None], n_categories: int
) -> NDArray[np.int64]:
    """Count aligned pairs of units by their categories, int64 (K, K), symmetric."""
    found = np.zeros((n_categories, n_categories), np.int64)
    for continuum, alignment in zip(continua, alignments, strict=True):
        if alignment is None or continuum.n_units == 0:
            continue
        u, v, _ = aligned_pairs(alignment)
        c, k = continuum.categories[u], continuum.categories[v]
        known, differ = (c >= 0) & (k >= 0), c != k
        np.add.at(found, (c[known], k[known]), 1)
        np.add.at(found, (k[known & differ], c[known & differ]), 1)
    return found


def _usage_counts(corpus: Mapping[str, Any], layer: LayerSpec) -> NDArray[np.int64]:
    """Count units by annotator and category, int64 (A, K + 1); the last column is "no category"."""
    usage = np.zeros((len(layer.humans), len(layer.tagset) + 1), dtype=np.int64)
    owners = np.repeat(corpus["set_annotators"], np.diff(corpus["unit_offsets"]))
    np.add.at(usage, (owners, corpus["categories"]), 1)
    return usage


def _alignment_row(document: AnnotatedDocument, alignment: Alignment | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "document": document.document,
        "annotators": list(document.continuum.annotators),
        "units": document.units,
        "owners": document.continuum.owners.tolist(),
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
    """Convert a corpus to arrays, with annotators numbered as in the layer, to merge shards."""
    number = np.array([list(humans).index(name) for name in corpus.annotators], dtype=np.int32)
    arrays: dict[str, NDArray[np.generic]] = {name: getattr(corpus, name) for name in _CORPUS}
    arrays["set_annotators"] = number[corpus.set_annotators]
    return arrays


def corpus_from_arrays(
    parts: Sequence[dict[str, NDArray[np.generic]]], layer: LayerSpec
) -> Corpus | None:
    """Concatenate the documents of all parts; None if there are none."""
    kept: list[Any] = [part for part in parts if part]
    if not kept:
        return None
    joined: dict[str, Any] = {
        name: np.concatenate([part[name] for part in kept])
        for name in _CORPUS
        if not name.endswith("_offsets")
    }
    for name in ("unit_offsets", "set_offsets"):
        sizes = np.concatenate([np.diff(part[name]) for part in kept])
        joined[name] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Corpus(**joined, tagset=layer.tagset, annotators=layer.humans)


def read_observed(store: Store, places: Sequence[str]) -> Observed | None:
    """Read the counts for γ of all shards; None if no document was finished."""
    parts = list(_read_parts(store, places, _OBSERVED))
    if not parts:
        return None
    return Observed(**{name: np.concatenate([part[name] for part in parts]) for name in _OBSERVED})


def read_disorder_by_cause(store: Store, places: Sequence[str]) -> NDArray[np.float64]:
    """Read the disorder by cause of each document of all shards, as from `disorder_by_cause`."""
    parts = [part[_CAUSES] for part in _read_parts(store, places, (_CAUSES,))]
    return np.concatenate(parts) if parts else np.empty((0, 3))


def read_disorder_rows(store: Store, places: Sequence[str]) -> DisorderRows:
    """Read the rows of disorder of all shards, with the documents numbered through."""
    return DisorderRows(**_read_rows_of_shards(store, places, _OF_DISORDER, _DISORDER))


def read_found_rows(store: Store, places: Sequence[str]) -> FoundRows:
    """Read the rows of found units of all shards, with the documents numbered through."""
    return FoundRows(**_read_rows_of_shards(store, places, _OF_FOUND, _FOUND))


def _read_rows_of_shards(
    store: Store, places: Sequence[str], prefix: str, names: Sequence[str]
) -> dict[str, NDArray[Any]]:
    """Read the columns of rows by document of all shards, with the documents numbered through."""
    columns = [f"{prefix}{name}" for name in names]
    parts, n = [], 0
    for part in _read_parts(store, places, (*columns, "totals")):
        part[f"{prefix}documents"] = part[f"{prefix}documents"] + n
        n += part["totals"].shape[0]
        parts.append(part)
    return {name: np.concatenate([part[f"{prefix}{name}"] for part in parts]) for name in names}


def read_confused_categories(store: Store, places: Sequence[str]) -> NDArray[np.int64] | None:
    """Read the aligned pairs of units by category of all shards; None without documents."""
    parts = [part[_CONFUSED] for part in _read_parts(store, places, (_CONFUSED,))]
    return np.sum(parts, axis=0) if parts else None


def read_category_pairs(
    store: Store, shards: Sequence[Counted], layer: LayerSpec
) -> CategoryPairs | None:
    """Read the counts for γ-cat of all shards; None if no document was finished.

    Sparse for many documents and categories: 10⁶ × 40 counts would take 1.3 GB.
    """
    n_cells = sum(shard.facts["n_documents"] for shard in shards) * (len(layer.tagset) + 1)
    places = [shard.place for shard in shards]
    names = [f"{_OF_CATEGORIES}{name}" for name in _PAIRS]
    columns: dict[str, list[Any]] = {name: [] for name in _PAIRS}
    for part in _read_parts(store, places, names):
        for name, of_name in columns.items():
            array = part[f"{_OF_CATEGORIES}{name}"]
            of_name.append(csr_array(array) if name != "pairs" and n_cells > MOST_CELLS else array)
    if not columns["pairs"]:
        return None
    pairs = sum(columns["pairs"][1:], columns.pop("pairs")[0])
    join = np.concatenate if n_cells <= MOST_CELLS else partial(vstack, format="csr")
    return CategoryPairs(pairs, **{name: join(of_name) for name, of_name in columns.items()})


def read_category_use(
    store: Store, places: Sequence[str]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield units by annotator (A, K + 1) and by document (D, K + 1), and category, per shard."""
    for part in _read_parts(store, places, (_USAGE, _UNITS)):
        yield part[_USAGE], part[_UNITS].astype(np.int64)


def read_participation(store: Store, places: Sequence[str], n_annotators: int) -> Flags:
    """Read who annotated each document of all shards, bool (D, A)."""
    found = []
    for place in places:
        part = read_arrays(store, f"{place}/corpus.parquet", ("set_offsets", "set_annotators"))
        if part:
            sets = np.diff(part["set_offsets"])
            takes_part = np.zeros((sets.size, n_annotators), dtype=np.bool_)
            takes_part[np.repeat(np.arange(sets.size), sets), part["set_annotators"]] = True
            found.append(takes_part)
    return np.concatenate(found)


def _read_parts(
    store: Store, places: Sequence[str], names: Collection[str]
) -> Iterator[dict[str, Any]]:
    """Yield the named arrays of each shard that has documents."""
    found = (read_arrays(store, f"{place}/counts.parquet", names) for place in places)
    return (part for part in found if part)
