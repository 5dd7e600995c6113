"""The reference of a layer of objects: on each item, the annotators' object closest to all."""

from __future__ import annotations

import numpy as np

from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.coded_warning import CodedWarning
from ...metrics.item_name import place_of_item
from ...metrics.objects.object_distance import ObjectDistance
from ...metrics.references.object_consensus import consensus_of_objects
from ...reports import results as page
from .reference_settings import MOST_LISTED, BuiltReference, ObjectRow, ReferenceSettings

RULES_OF_EQUAL_LABELS = ("unanimity", "annotator")  # they need no distance


def objects_reference(
    matrix: LabelMatrix, layer: str, distance: ObjectDistance, settings: ReferenceSettings
) -> BuiltReference:
    """Return the medoid of each item, and the open items with their annotators.

    The rule `consensus` weights the annotators by their reliability, all others equally.
    """
    weighted = settings.rule == "consensus"
    made = consensus_of_objects(matrix, distance, weighted=weighted)
    rule = "weighted_medoid" if weighted else "medoid"
    names = [place_of_item(name) for name in matrix.items]
    rows = [
        ObjectRow(
            *names[i],
            f"built: {rule.replace('_', ' ')}",
            matrix.tagset[int(made.codes[i])],
            float(made.distance[i]),
        )
        for i in np.flatnonzero(made.codes >= 0).tolist()
    ]
    open_ = np.flatnonzero(made.codes < 0)
    n_ties = int(made.is_tied.sum())
    warnings = [
        CodedWarning(code, {"n": n})
        for code, n in (("objects_tied", n_ties), ("objects_alone", open_.size - n_ties))
        if n
    ]
    if settings.rule not in ("majority", "consensus"):
        warnings.append(CodedWarning("rule_of_categories", {"rule": settings.rule}))
    summary = page.ReferenceSummary(
        layer=layer,
        rule=rule,
        annotators=list(matrix.annotators),
        n_items=matrix.n_items,
        n_resolved=len(rows),
        n_ties=n_ties,
        n_unresolved=open_.size,
        unresolved=[_open_place(matrix, i) for i in open_[:MOST_LISTED].tolist()],
        warnings=warnings,
        weights=dict(zip(matrix.annotators, made.weights.tolist(), strict=True))
        if weighted
        else {},
    )
    return BuiltReference(summary, rows, list(dict.fromkeys(document for document, _ in names)))


def _open_place(matrix: LabelMatrix, item: int) -> str:
    """Name an open item with the annotators who have an object on it."""
    who = [
        name
        for name, code in zip(matrix.annotators, matrix.codes[item].tolist(), strict=True)
        if code >= 0
    ]
    return f"{', '.join(place_of_item(matrix.items[item]))} ({', '.join(who)})"
