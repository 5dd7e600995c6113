"""The consensus of a layer of units: of all documents together, then the decisions on its cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...data.store.store import Store
from ...metrics.alignment.best_alignment import Alignment
from ...metrics.alignment.continuum import Continuum
from ...metrics.coded_warning import CodedWarning
from ...metrics.references.adjudication import Decision, adjudicate_units
from ...metrics.references.disagreement_cases import Case
from ...metrics.references.unit_models.unit_consensus import (
    ConsensusUnit,
    DocumentConsensus,
    UnitConsensus,
    consensus_of_units,
)
from ...reports import results as page
from ..layers import LayerSpec
from ..stored_annotations import stored_continua
from ..units.alignment import DissimilaritySpec
from .disagreement_cases import aligned_documents, cases_by_document
from .reference_settings import (
    MOST_LISTED,
    BuiltReference,
    ConsensusRow,
    OpenRow,
    ReferenceSettings,
    decision_history,
)

_CERTAIN = 0.5  # confidence below which a kept unit is reported as uncertain


def consensus_reference(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: ReferenceSettings,
) -> BuiltReference:
    """The consensus of the documents that two annotators finished, or that are known."""
    known = {} if settings.gold is None else _known_documents(store, keys, layer, settings.gold)
    found = list(aligned_documents(store, keys, layer, dissimilarity))
    chosen = [one for one in found if one[3] is not None or one[1] in known]
    alone = len(found) - len(chosen)
    continua = [
        _add_known_units(continuum, known[document]) if document in known else continuum
        for _, document, continuum, _ in chosen
    ]
    usable = any(one[3] is not None and one[2].n_units for one in chosen)
    made = consensus_of_units(continua, gold=settings.gold) if usable else None
    results = made.documents if made else (DocumentConsensus((), ()),) * len(chosen)
    disputed = [one for one, result in zip(chosen, results, strict=True) if not result.is_known]
    cases_of = cases_by_document(disputed, layer) if settings.decisions else {}
    cases = [case for by_row in cases_of.values() for case in by_row.values()]
    recorded = settings.decided(layer.name, cases, {document for _, document, _, _ in found})
    rows: list[ConsensusRow] = []
    open_: list[tuple[float, str]] = []
    open_places: list[OpenRow] = []
    n_categories = 0
    for (_, document, continuum, alignment), result in zip(chosen, results, strict=True):
        if alignment is not None and document in cases_of:
            mine = recorded.of_document(document)
            result = _with_decisions(
                result, continuum, alignment, mine, cases_of[document], document, layer.name
            )
        rows += [_consensus_row(document, one, layer.tagset) for one in result.units]
        n_categories += sum(one.reason == "category" for one in result.open)
        n = continuum.n_annotators
        undecided = [one for one in result.open if settings.leaves_undecided(one.reason)]
        open_places += [
            OpenRow(document, place, int(one.unit.start), int(one.unit.end))
            for place, one in enumerate(undecided)
        ]
        open_ += [
            (-one.unit.confidence, _open_place(document, one.unit, layer.tagset, n))
            for one in result.open
        ]
    open_.sort()
    warnings = []
    if open_:
        figures = {"n": len(open_), "undecided": len(open_places)}
        warnings.append(CodedWarning("open_places", figures))
    if alone:
        warnings.append(CodedWarning("one_annotator_alone", {"n": alone}))
    warnings += made.warnings if made else ()
    n_uncertain = sum(row.confidence < _CERTAIN for row in rows)
    if n_uncertain:
        warnings.append(CodedWarning("uncertain_units", {"n": n_uncertain, "total": len(rows)}))
    summary = page.ReferenceSummary(
        layer=layer.name,
        rule=settings.rule,
        annotators=list(layer.humans),
        n_items=len(rows) + len(open_),
        n_resolved=len(rows),
        n_ties=n_categories,
        n_unresolved=len(open_),
        unresolved=[place for _, place in open_[:MOST_LISTED]],
        warnings=[*warnings, *recorded.warnings],
        history=decision_history(cases, recorded.decisions),
        **({} if made is None else _fields_of_model_fit(made)),
    )
    return BuiltReference(summary, rows, [document for _, document, _, _ in chosen], open_places)


def consensus_by_document(documents: Sequence[Continuum]) -> list[DocumentConsensus]:
    """The consensus of each document; empty where no document has units and two annotators."""
    if not any(one.n_annotators >= 2 and one.n_units for one in documents):
        return [DocumentConsensus((), ())] * len(documents)
    return list(consensus_of_units(documents).documents)


def _fields_of_model_fit(made: UnitConsensus) -> dict[str, object]:
    return {
        "threshold": made.threshold,
        "expected_f": made.expected_f,
        "reliabilities": list(made.errors[:MOST_LISTED]),
    }


def _known_documents(
    store: Store, keys: Sequence[str], layer: LayerSpec, gold: str
) -> dict[str, Continuum]:
    return {
        document: continuum
        for key in keys
        for document, continuum, _ in stored_continua(store, key, layer, [gold], "reference")
    }


def _add_known_units(continuum: Continuum, known: Continuum) -> Continuum:
    """The humans' units with the known ones, of one more annotator."""
    return replace(
        continuum,
        starts=np.concatenate([continuum.starts, known.starts]),
        ends=np.concatenate([continuum.ends, known.ends]),
        categories=np.concatenate([continuum.categories, known.categories]),
        owners=np.concatenate([continuum.owners, known.owners + np.int32(continuum.n_annotators)]),
        annotators=(*continuum.annotators, *known.annotators),
        roles=(*continuum.roles, *known.roles),
        gaps=np.zeros(continuum.n_units + known.n_units, dtype=np.int32),  # not read
        discontinuous=(),
    )


def _with_decisions(
    result: DocumentConsensus,
    continuum: Continuum,
    alignment: Alignment,
    decisions: Sequence[Decision],
    by_row: Mapping[int, Case],
    document: str,
    layer: str,
) -> DocumentConsensus:
    """The consensus with the decided units in place of what it proposes there."""
    if not decisions:
        return result
    revised, revision = adjudicate_units(
        continuum, alignment, decisions, document=document, layer=layer
    )
    rows = [row for row, case in by_row.items() if case.case in revision.settled]
    bounds = [
        (float(continuum.starts[members].min()), float(continuum.ends[members].max()))
        for row in rows
        for members in [alignment.units[row][alignment.units[row] >= 0]]
    ]

    def is_replaced(one: ConsensusUnit) -> bool:
        """Whether half of the unit lies where a case was decided."""
        shared = [min(one.end, end) - max(one.start, start) for start, end in bounds]
        return max(shared) >= (one.end - one.start) / 2

    taken = [
        ConsensusUnit(
            float(revised.starts[u]),
            float(revised.ends[u]),
            int(revised.categories[u]),
            *(1.0, 1.0, 1.0),
            int(revised.support[u]),
            revised.fragments[u],
        )
        for u in np.nonzero(np.isin(revised.unitary, rows))[0]
    ]
    kept = [one for one in result.units if not is_replaced(one)]
    return DocumentConsensus(
        tuple(sorted([*kept, *taken], key=lambda one: (one.start, one.end, one.category))),
        tuple(one for one in result.open if not is_replaced(one.unit)),
    )


def _consensus_row(document: str, one: ConsensusUnit, tagset: Sequence[str]) -> ConsensusRow:
    return ConsensusRow(
        document,
        int(one.start),
        int(one.end),
        tagset[one.category] if one.category >= 0 else "",
        one.fragments,
        one.support,
        one.confidence,
        one.start_confidence,
        one.end_confidence,
    )


def _open_place(document: str, one: ConsensusUnit, tagset: Sequence[str], n: int) -> str:
    category = f" {tagset[one.category]}" if one.category >= 0 else ""
    where = f"{document}, {one.start:g}–{one.end:g}{category}"
    return f"{where} ({one.support}/{n}, P = {one.confidence:.2f})"
