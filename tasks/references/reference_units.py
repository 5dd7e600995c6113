"""The reference of a layer of units, built from the stored best alignment of each document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.agreement.label_matrix import HUMAN
from ...metrics.alignment.best_alignment import Alignment
from ...metrics.alignment.continuum import Continuum
from ...metrics.coded_warning import CodedWarning
from ...metrics.references.adjudication import Decision, adjudicate_units
from ...metrics.references.disagreement_cases import Case, cases_by_alignment_row
from ...metrics.references.label_reference import SINGLE_ANNOTATOR
from ...metrics.references.unit_reference import (
    OpenUnit,
    UnitReference,
    has_unmarked_bound,
    mean_disorders,
    reference_units,
)
from ...reports import results as page
from ..layers import LayerSpec
from ..stored_annotations import stored_continua
from ..units.alignment import DissimilaritySpec
from .disagreement_cases import aligned_documents, cases_by_document
from .reference_settings import (
    MODELS,
    MOST_LISTED,
    BuiltReference,
    OpenRow,
    ReferenceSettings,
    UnitRow,
    decision_history,
)


def units_reference(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec,
    settings: ReferenceSettings,
) -> BuiltReference:
    """Return the units kept by the rule, and open cases; or one annotator's units if selected."""
    if settings.annotator is not None:
        return _single_annotator_reference(store, keys, layer, settings)
    found = list(aligned_documents(store, keys, layer, dissimilarity))
    disorders = None
    if settings.bounds == "best_annotator":
        aligned = ((continuum, alignment) for _, _, continuum, alignment in found)
        disorders = mean_disorders(aligned, layer.humans)
    rows: list[UnitRow] = []
    documents: list[str] = []
    open_: list[tuple[str, OpenUnit]] = []
    open_places: list[OpenRow] = []
    n_removed = n_alone = n_few = n_between = n_filled = 0
    cases_of = cases_by_document(found, layer)
    cases = [case for by_row in cases_of.values() for case in by_row.values()]
    recorded = settings.decided(layer.name, cases, {document for _, document, _, _ in found})
    for _, document, continuum, alignment in found:
        if alignment is None:
            n_alone += 1
            continue
        if settings.support is not None and settings.support > continuum.n_annotators:
            n_few += 1
            continue
        documents.append(document)
        by_row, mine = cases_of[document], recorded.of_document(document)
        made = document_reference(
            document, continuum, alignment, mine, layer, settings, disorders=disorders
        )
        n_between += _n_units_with_median_bounds(continuum, alignment, made, by_row, mine)
        n_filled += _n_units_with_filled_gaps(continuum, alignment, made, by_row, mine)
        n_removed += alignment.units.shape[0] - made.n_units - len(made.open)
        open_ += [(document, one) for one in made.open]
        rows += _unit_rows(document, made)
        undecided = [one for one in made.open if settings.leaves_undecided(one.reason)]
        open_places += _open_rows(document, continuum, alignment, undecided)
    open_.sort(key=lambda one: (-one[1].disorder, one[0], one[1].start))
    n_items = len(rows) + len(open_) + n_removed
    summary = page.ReferenceSummary(
        layer=layer.name,
        rule=settings.rule,
        annotators=list(layer.humans),
        n_items=n_items,
        n_resolved=n_items - len(open_),
        n_ties=sum(one.reason == "category" for _, one in open_),
        n_unresolved=len(open_),
        unresolved=[
            f"{document}, {one.start:g}–{one.end:g} ({one.support}/{len(layer.humans)})"
            for document, one in open_[:MOST_LISTED]
        ],
        warnings=[
            *_warnings(settings, open_, n_alone, n_few),
            *(
                CodedWarning(code, {"n": n, "total": len(rows)})
                for code, n in (("bounds_between", n_between), ("gaps_filled", n_filled))
                if n
            ),
            *recorded.warnings,
        ],
        history=decision_history(cases, recorded.decisions),
        n_decisions=len(recorded.decisions),
        n_decisions_lost=len(recorded.lost),
    )
    return BuiltReference(summary, rows, documents, open_places)


def document_reference(
    document: str,
    continuum: Continuum,
    alignment: Alignment,
    decisions: Sequence[Decision],
    layer: LayerSpec,
    settings: ReferenceSettings,
    *,
    disorders: Mapping[str, float] | None = None,
) -> UnitReference:
    """Build the reference of one document: by the rule, then by the decisions on its cases."""
    if settings.rule == "adjudicated":
        return adjudicate_units(
            continuum, alignment, decisions, document=document, layer=layer.name
        )[0]
    unanimous = settings.rule == "unanimity"
    base = reference_units(
        continuum,
        alignment,
        support=continuum.n_annotators if unanimous else settings.support,
        bounds=settings.bounds,  # type: ignore[arg-type]  # checked by the campaign file
        category="unanimity" if unanimous else "majority",
        ties=settings.ties,  # type: ignore[arg-type]  # as above
        ordered=layer.ordered,
        annotator_disorders=None
        if disorders is None
        else np.array([disorders[name] for name in continuum.annotators]),
        seed=settings.sampling.seed,
    )
    if not decisions:
        return base
    revised, revision = adjudicate_units(
        continuum, alignment, decisions, document=document, layer=layer.name
    )
    by_row = cases_by_alignment_row(continuum, alignment, document, layer.name)
    decided = [row for row, case in by_row.items() if case.case in revision.settled]
    return _override_decided(base, revised, decided)


def _override_decided(
    base: UnitReference, revised: UnitReference, decided: list[int]
) -> UnitReference:
    """Replace the decided unitary alignments of `base` with the revised ones."""
    kept, taken = ~np.isin(base.unitary, decided), np.isin(revised.unitary, decided)

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(base, name)[kept], getattr(revised, name)[taken]])

    fragments = [
        one.fragments[u]
        for one, chosen in ((base, kept), (revised, taken))
        for u in np.nonzero(chosen)[0]
    ]
    order = np.lexsort((joined("ends"), joined("starts")))
    return replace(
        base,
        starts=joined("starts")[order],
        ends=joined("ends")[order],
        categories=joined("categories")[order],
        support=joined("support")[order],
        confidence=joined("confidence")[order],
        unitary=joined("unitary")[order],
        fragments=tuple(fragments[u] for u in order),
        open=tuple(one for one in base.open if one.unitary not in decided),
        signature=revised.signature,
    )


def _n_units_with_median_bounds(
    continuum: Continuum,
    alignment: Alignment,
    made: UnitReference,
    by_row: Mapping[int, Case],
    decisions: Sequence[Decision],
) -> int:
    """Count undecided units with a median bound that no annotator placed."""
    moved = {d.case for d in decisions if not (np.isnan(d.start) and np.isnan(d.end))}
    decided = [row for row, case in by_row.items() if case.case in moved]
    is_unmarked = has_unmarked_bound(continuum, alignment, made)
    return int((is_unmarked & ~np.isin(made.unitary, decided)).sum())


def _n_units_with_filled_gaps(
    continuum: Continuum,
    alignment: Alignment,
    made: UnitReference,
    by_row: Mapping[int, Case],
    decisions: Sequence[Decision],
) -> int:
    """Count undecided units without gaps where an annotator has one."""
    settled = {one.case for one in decisions}
    decided = {row for row, case in by_row.items() if case.case in settled}
    return sum(
        not fragments and row not in decided and bool(continuum.gaps[members[members >= 0]].any())
        for fragments, row in zip(made.fragments, made.unitary.tolist(), strict=True)
        for members in [alignment.units[row]]
    )


def _unit_rows(document: str, made: UnitReference) -> list[UnitRow]:
    return [
        UnitRow(
            document,
            int(made.starts[u]),
            int(made.ends[u]),
            made.tagset[code] if code >= 0 else "",
            made.fragments[u],
            int(made.support[u]),
            float(made.confidence[u]),
        )
        for u, code in enumerate(made.categories.tolist())
    ]


def _open_rows(
    document: str, continuum: Continuum, alignment: Alignment, undecided: Sequence[OpenUnit]
) -> Iterator[OpenRow]:
    """Yield the annotators' units on the places that are undecided."""
    for place, one in enumerate(undecided):
        members = alignment.units[one.unitary]
        for unit in members[members >= 0].tolist():
            start, end = int(continuum.starts[unit]), int(continuum.ends[unit])
            yield OpenRow(document, place, start, end)


def _warnings(
    settings: ReferenceSettings,
    open_: Sequence[tuple[str, OpenUnit]],
    n_alone: int,
    n_few: int,
) -> list[CodedWarning]:
    found = []
    if settings.rule in (*MODELS, "mace"):
        found.append(CodedWarning("rule_of_labels", {"rule": settings.rule}))
    if open_:
        undecided = sum(settings.leaves_undecided(one.reason) for _, one in open_)
        found.append(CodedWarning("open_places", {"n": len(open_), "undecided": undecided}))
    if n_alone:
        found.append(CodedWarning("one_annotator_alone", {"n": n_alone}))
    if n_few:
        found.append(
            CodedWarning("too_few_for_support", {"n": n_few, "support": str(settings.support)})
        )
    return found


def _single_annotator_reference(
    store: Store, keys: Sequence[str], layer: LayerSpec, settings: ReferenceSettings
) -> BuiltReference:
    """Return one annotator's units unchanged, marked as such."""
    name = str(settings.annotator)
    rows: list[UnitRow] = []
    documents: list[str] = []
    for key in keys:
        for document, continuum, _ in stored_continua(store, key, layer, [name], HUMAN):
            documents.append(document)
            rows += [
                UnitRow(
                    document,
                    int(continuum.starts[u]),
                    int(continuum.ends[u]),
                    layer.tagset[c] if c >= 0 else "",
                    continuum.fragments_of(u),
                    1,
                    1.0,
                )
                for u, c in enumerate(continuum.categories.tolist())
            ]
    summary = page.ReferenceSummary(
        layer=layer.name,
        rule=settings.rule,
        annotators=[name],
        n_items=len(rows),
        n_resolved=len(rows),
        warnings=[SINGLE_ANNOTATOR],
        is_single_annotator=True,
    )
    return BuiltReference(summary, rows, documents)
