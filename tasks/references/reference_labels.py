"""The reference of a layer of labels: built by a rule, then updated with decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.item_name import place_of_item
from ...metrics.references.adjudication import adjudicate_labels
from ...metrics.references.audited_confidence import audited_confidence
from ...metrics.references.disagreement_cases import Case
from ...metrics.references.further_annotator import predicted_agreement
from ...metrics.references.label_list import LabelList, thin_items
from ...metrics.references.label_models.dawid_skene import consensus_of_labels, dawid_skene
from ...metrics.references.label_models.held_out_loss import compare_label_models
from ...metrics.references.label_models.mace import mace
from ...metrics.references.label_models.model_reference import ModelReference
from ...metrics.references.label_reference import Reference
from ...metrics.references.votes import majority, unanimity
from ...metrics.results import LabelModel
from ...reports import results as page
from ..layers import LayerSpec
from ..options import RULES_WITH_GOLD
from .decided_cases import NO_DECISIONS
from .disagreement_cases import cases_of_labels
from .reference_settings import (
    MODELS,
    MOST_LISTED,
    BuiltReference,
    LabelRow,
    ReferenceSettings,
    decision_history,
)

MOST_COMPARED = 10_000  # labels used to compare models; takes a minute
RULES_THAT_WEIGH = (*MODELS, "mace", "consensus")  # annotators, by a model of their errors


def labels_reference(
    matrix: LabelMatrix,
    layer: LayerSpec,
    settings: ReferenceSettings,
    gold: Mapping[str, int] = {},
    audit: Mapping[str, int] = {},
) -> BuiltReference:
    """Build the reference of a layer of labels, with its decisions.

    gold, audit  item → category; those of the audit change no label
    """
    chosen = matrix
    if settings.annotator is not None:
        column = matrix.annotators.index(settings.annotator)
        chosen = LabelMatrix(
            codes=matrix.codes[:, column : column + 1],
            tagset=matrix.tagset,
            annotators=(settings.annotator,),
            documents=matrix.documents,
            items=matrix.items,
        )
    reference = reference_by_rule(chosen, settings, ordered=layer.ordered, gold=gold)
    names = [place_of_item(name) for name in matrix.items]
    documents = list(dict.fromkeys(document for document, _ in names))
    cases: tuple[Case, ...] = ()
    recorded = NO_DECISIONS
    if settings.annotator is None:  # one annotator is used unchanged, without decisions
        cases = cases_of_labels(matrix, layer)
        recorded = settings.decided(layer.name, cases, set(documents))
    decisions = recorded.decisions
    decided = {decision.case for decision in decisions}
    if settings.rule == "adjudicated":
        n_ties = 0
        reference, _ = adjudicate_labels(reference, cases, decisions)
    elif decided:
        n_ties = _n_undecided_ties(reference, cases, decided)
        kept = replace(reference, detail=dict(reference.detail))
        reference, _ = adjudicate_labels(
            kept, [case for case in cases if case.case in decided], decisions
        )
        reference = replace(reference, warnings=kept.warnings)
    else:
        n_ties = reference.n_ties
    agreement = predicted_agreement(
        matrix,
        reference.codes,
        weighs_annotators=settings.rule in RULES_THAT_WEIGH,
        seed=settings.sampling.seed,
    )
    audited = np.array([audit.get(item, -1) for item in matrix.items], dtype=np.int64)
    confidence = audited_confidence(matrix, reference.codes, audited)
    rows = [
        LabelRow(
            *names[i],
            settings.name,
            matrix.tagset[int(reference.codes[i])],
            float(agreement[i]),
            None if np.isnan(confidence[i]) else float(confidence[i]),
        )
        for i in np.nonzero(~reference.unresolved)[0].tolist()
    ]
    unresolved = np.nonzero(reference.unresolved)[0].tolist()
    summary = page.ReferenceSummary(
        layer=layer.name,
        rule=settings.rule,
        annotators=list(reference.annotators),
        n_items=reference.n_items,
        n_resolved=reference.n_resolved,
        n_ties=n_ties,
        n_unresolved=reference.n_unresolved,
        unresolved=[", ".join(names[i]) for i in unresolved[:MOST_LISTED]],
        warnings=[*reference.warnings, *recorded.warnings],
        history=decision_history(cases, decisions),
        n_decisions=len(recorded.decisions),
        n_decisions_lost=len(recorded.lost),
        is_single_annotator=reference.is_single_annotator,
        label_models=_label_models(matrix, settings),
    )
    return BuiltReference(summary, rows, documents)


def reference_by_rule(
    matrix: LabelMatrix,
    settings: ReferenceSettings,
    *,
    ordered: bool,
    gold: Mapping[str, int] = {},
) -> Reference:
    """Build the reference by the rule; `adjudicated` and `annotator` start from the majority.

    Raises MetricsError for ties that the categories do not allow, or too few labels for a model.
    """
    if settings.rule == "unanimity":
        return unanimity(matrix)
    model = fit_annotator_model(matrix, settings, gold)
    if model is not None:
        return replace(model.reference, rule=settings.rule)
    return majority(
        matrix,
        ties=settings.ties,  # type: ignore[arg-type]  # checked by the campaign file
        ordered=ordered,
        seed=settings.sampling.seed,
    )


def fit_annotator_model(
    matrix: LabelMatrix, settings: ReferenceSettings, gold: Mapping[str, int] = {}
) -> ModelReference | None:
    """Fit the annotator model of the rule; None for a rule based on votes."""
    if settings.rule == "mace":
        return mace(matrix, seed=settings.sampling.seed)
    if settings.rule in RULES_WITH_GOLD:
        known = np.array([gold.get(item, -1) for item in matrix.items], dtype=np.int64)
        fit = consensus_of_labels if settings.rule == "consensus" else dawid_skene
        return fit(matrix, gold=known if gold else None)
    return MODELS[settings.rule](matrix) if settings.rule in MODELS else None


def _label_models(matrix: LabelMatrix, settings: ReferenceSettings) -> list[LabelModel]:
    """Compare held-out fits if the rule is a model, on at most `MOST_COMPARED` labels."""
    if settings.rule not in RULES_THAT_WEIGH or matrix.n_annotators < 2:
        return []
    given = LabelList.from_labels(thin_items(matrix, MOST_COMPARED), rule=settings.rule)
    return [
        replace(fit, by_annotator=dict([*fit.by_annotator.items()][:MOST_LISTED]))
        for fit in compare_label_models(given, seed=settings.sampling.seed)
    ]


def _n_undecided_ties(reference: Reference, cases: Sequence[Case], decided: set[str]) -> int:
    """Count undecided cases whose most common labels are tied."""
    n = 0
    for case in cases:
        given = [said.category for said in case.said.values()]
        counts = sorted((given.count(category) for category in set(given)), reverse=True)
        n += case.case not in decided and len(counts) > 1 and counts[0] == counts[1]
    return n
