"""Labels and alignments of a layer in the store, and its disagreements as cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from ...data.store.in_memory import Tables
from ...data.store.store import Store
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.alignment.best_alignment import Alignment
from ...metrics.alignment.continuum import Continuum
from ...metrics.item_name import place_of_item
from ...metrics.references.adjudication import Decision
from ...metrics.references.disagreement_cases import (
    Case,
    cases_by_alignment_row,
    is_case_key,
    label_cases,
)
from ...metrics.references.unit_places import units_at_places
from ..item_texts import texts_of_items
from ..layers import LayerSpec
from ..stored_annotations import label_rows, matrix_of_rows, stored_continua
from ..units.alignment import DissimilaritySpec, alignment_place
from .decided_cases import decided_cases

AROUND = 40  # characters of context on each side


def human_labels(store: Tables, keys: Sequence[str], layer: LayerSpec) -> LabelMatrix:
    """Return the human labels of all shards, one row per item, documents in order of name."""
    rows = [label_rows(store, key, layer, layer.humans) for key in keys]
    return matrix_of_rows(pa.concat_tables(rows), layer, layer.humans, HUMAN)


def gold_annotator_labels(
    store: Store, keys: Sequence[str], layer: LayerSpec, gold_annotator: str | None
) -> dict[str, int]:
    """Map each item that the gold annotator labelled to the index of its category."""
    if gold_annotator is None:
        return {}
    rows = [label_rows(store, key, layer, [gold_annotator]) for key in keys]
    matrix = matrix_of_rows(pa.concat_tables(rows), layer, [gold_annotator], "reference")
    return {
        matrix.items[i]: int(matrix.codes[i, 0])
        for i in np.nonzero(matrix.codes[:, 0] >= 0)[0].tolist()
    }


def decided_places(
    store: Store, keys: Sequence[str], layer: LayerSpec
) -> dict[tuple[str, str], dict[str, str]]:
    """Map each place that references of the layer decide to their categories.

    A place is a document and its item; of units, a document that a reference finished and "", with
    the category "".
    """
    layer = layer.with_informative()
    found: dict[tuple[str, str], dict[str, str]] = {}
    for name in layer.references:
        if layer.is_labels:
            for item, code in gold_annotator_labels(store, keys, layer, name).items():
                found.setdefault(place_of_item(item), {})[name] = layer.tagset[code]
            continue
        for key in keys:
            for document, _, _ in stored_continua(store, key, layer, [name], "reference"):
                found.setdefault((document, ""), {})[name] = ""
    return found


def audit_labels(store: Store, keys: Sequence[str], layer: LayerSpec) -> dict[str, int]:
    """Map each item that all annotators of the audit label alike to the index of its category."""
    if not layer.audits:
        return {}
    rows = [label_rows(store, key, layer, layer.audits) for key in keys]
    matrix = matrix_of_rows(pa.concat_tables(rows), layer, layer.audits, "audit")
    given = matrix.codes.max(axis=1)
    is_alike = ((matrix.codes == given[:, None]) | (matrix.codes < 0)).all(axis=1)
    return {matrix.items[i]: int(given[i]) for i in np.nonzero(is_alike & (given >= 0))[0].tolist()}


def aligned_documents(
    store: Store, keys: Sequence[str], layer: LayerSpec, dissimilarity: DissimilaritySpec
) -> Iterator[tuple[str, str, Continuum, Alignment | None]]:
    """Yield (shard, document, continuum, units at its places) of every finished document.

    The places are those of the stored best alignment (`units_at_places`).

    Documents that were chosen as informative are among them: this is for references, not for
    agreement. The alignment is None where one annotator alone finished it.
    """
    layer = layer.with_informative()
    for key in keys:
        place = alignment_place(key, layer, dissimilarity)
        rows = {
            row["document"]: row
            for row in store.read_table(f"{place}/alignments.parquet").to_pylist()
        }
        for document, continuum, _ in stored_continua(store, key, layer, layer.humans, HUMAN):
            row = rows[document]
            if continuum.n_annotators < 2:
                yield key, document, continuum, None
                continue
            units = np.full((len(row["alignments"]), continuum.n_annotators), -1, dtype=np.int32)
            for r, members in enumerate(row["alignments"]):
                units[r, continuum.owners[members]] = members
            disorders = np.array(row["disorders"], dtype=np.float64)
            mean_units = continuum.n_units / continuum.n_annotators
            alignment = Alignment(
                units, disorders, float(disorders.sum()), mean_units, row["optimal"], row["gap"]
            )
            yield key, document, continuum, units_at_places(continuum, alignment)


def documents_with_places(
    store: Store, keys: Sequence[str], layer: LayerSpec, dissimilarity: DissimilaritySpec
) -> list[tuple[str, Continuum, Alignment]]:
    """Return the `aligned_documents` that have a place, without their shards."""
    return [
        (document, continuum, alignment)
        for _, document, continuum, alignment in aligned_documents(
            store, keys, layer, dissimilarity
        )
        if alignment is not None and alignment.units.shape[0]
    ]


def cases_of_labels(matrix: LabelMatrix, layer: LayerSpec) -> tuple[Case, ...]:
    """Return the items with different labels, highest cost first, by the layer's distances."""
    distances = layer.direct_distances(matrix.counts().sum(axis=0))
    return label_cases(
        matrix,
        places=lambda row: place_of_item(matrix.items[row]),
        distances=distances,
        layer=layer.name,
    )


def cases_by_document(
    aligned: Iterable[tuple[str, str, Continuum, Alignment | None]], layer: LayerSpec
) -> dict[str, dict[int, Case]]:
    """Map each document of `aligned_documents` with an alignment to its cases by row."""
    return {
        document: cases_by_alignment_row(continuum, alignment, document, layer.name)
        for _, document, continuum, alignment in aligned
        if alignment is not None
    }


def layer_cases(
    store: Store, keys: Sequence[str], layer: LayerSpec, dissimilarity: DissimilaritySpec
) -> list[Case]:
    """Return all disagreements of the layer, highest cost first, with the text of each."""
    if layer.is_labels:
        matrix = human_labels(store, keys, layer)
        cases_of_items = cases_of_labels(matrix, layer)
        shown = texts_of_items(store, keys, layer.name, matrix)([c.row for c in cases_of_items])
        return [replace(c, context=t) for c, t in zip(cases_of_items, shown, strict=True)]
    texts = document_texts(store, keys)
    found: list[Case] = []
    aligned = aligned_documents(store, keys, layer, dissimilarity)
    for document, cases in cases_by_document(aligned, layer).items():
        text = texts.get(document) or ""
        found += [replace(case, context=_text_around(case, text)) for case in cases.values()]
    found.sort(key=lambda case: (-case.cost, case.document, case.where))
    return found


def _text_around(case: Case, text: str) -> str:
    bounds = [said for said in case.said.values() if not np.isnan(said.start)]
    start = int(min(said.start for said in bounds))
    end = int(max(said.end for said in bounds))
    return " ".join(text[max(0, start - AROUND) : end + AROUND].split())


def document_texts(store: Store, keys: Sequence[str]) -> dict[str, str | None]:
    """Map every document to its text, None if the campaign does not keep it."""
    found: dict[str, str | None] = {}
    for key in keys:
        rows = store.accepted_rows(key, "documents", columns=["document", "text"])
        found |= dict(zip(rows["document"].to_pylist(), rows["text"].to_pylist(), strict=True))
    return found


def present_decisions(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec | None,
    decisions: Sequence[Decision],
    other_names: Mapping[str, str],
) -> Sequence[Decision]:
    """Return the decisions under the keys of the present cases, which those of 0.2.0 lack."""
    if all(is_case_key(one.case) for one in decisions):
        return decisions
    cases = layer_cases(store, keys, layer, dissimilarity or DissimilaritySpec())
    documents = {one.document for one in cases}
    found = decided_cases(cases, decisions, documents=documents, other_names=other_names)
    return found.decisions
