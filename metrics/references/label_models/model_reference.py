"""Result of the probabilistic models, and the reference derived from their posteriors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Floats, shares
from ...coded_warning import CodedWarning
from ...errors import MetricsError
from ...signature import input_hash, signature_line
from ..label_list import LabelList
from ..label_reference import CONSENSUALITY, SINGLE_ANNOTATOR, UNRESOLVED, Reference

# Posteriors closer than this are tied: their difference is about the tolerance of a fit, so the
# order of the categories would be noise.
_EQUAL = 1e-4


@dataclass(frozen=True, slots=True)
class ModelReference:
    """A reference estimated from labels, with the fitted model.

    reference      labels of highest posterior
    posterior      float64 (N, K), rows sum to 1; nan for items without a label
    consensuality  float64 (A, K, K): P(annotator gives column | estimated label is row); rows
                   without data are nan. See `caution`
    prevalence     float64 (K,)
    objective      the maximised function by round: log-likelihood or its penalised form
    parameters     further parameters of the model, by name
    """

    reference: Reference
    posterior: Floats
    consensuality: Floats
    prevalence: Floats
    objective: tuple[float, ...]
    converged: bool
    parameters: dict[str, Floats] = field(default_factory=dict)
    caution: CodedWarning = CONSENSUALITY


def labels_to_fit(labels: LabelMatrix | LabelList, rule: str, **rounds: int) -> LabelList:
    """Sort the labels by item. Raises MetricsError if there is nothing to fit, or no round."""
    for name, n in rounds.items():
        if n < 1:
            raise MetricsError(f"{name} is {n}; it must be 1 or more")
    given = LabelList.from_labels(labels, rule=rule)
    if not len(given) or len(given.tagset) < 2:
        raise MetricsError(
            f"{rule} needs labels and at least two categories; found {len(given)} labels and "
            f"{len(given.tagset)} categories"
        )
    return given


def maximise(
    step: Callable[[], float], *, max_rounds: int, tolerance: float, n_labels: int
) -> tuple[list[float], bool]:
    """Iterate `step`; return the objective by round, and whether it converged."""
    objective = [step()]
    while len(objective) < max_rounds:
        objective.append(step())
        if objective[-1] - objective[-2] < tolerance * n_labels:
            return objective, True
    return objective, False


def normalise_log_scores(scores: Floats) -> tuple[Floats, float]:
    """Return posteriors (N, K) of log scores (N, K), and the log-likelihood Σ log Σ exp."""
    highest = scores.max(axis=1, keepdims=True)
    weights = np.exp(scores - highest)
    total = weights.sum(axis=1, keepdims=True)
    return weights / total, float((highest + np.log(total)).sum())


def model_reference(
    rule: str,
    labels: LabelList,
    posterior: Floats,
    *,
    objective: list[float],
    converged: bool,
    settings: dict[str, object],
    parameters: dict[str, Floats] | None = None,
) -> ModelReference:
    """Build the result of a fit. Tied posteriors and unlabelled items stay unresolved."""
    labelled = labels.has_label()
    posterior = np.where(labelled[:, None], posterior, np.nan)
    best = np.where(labelled[:, None], posterior, 0.0)
    highest = best.max(axis=1, initial=0.0)
    tied = labelled & ((best >= highest[:, None] - _EQUAL).sum(axis=1) > 1)
    resolved = labelled & ~tied
    codes = np.where(resolved, best.argmax(axis=1), UNRESOLVED).astype(np.int32)
    warnings = [CONSENSUALITY]
    if len(labels.annotator_names) == 1:
        warnings.append(SINGLE_ANNOTATOR)
    if not converged:
        warnings.append(CodedWarning("not_converged", {"rounds": len(objective)}))
    warnings += _less_sure_warning(labels.vote_shares()[labelled], posterior[labelled])
    reference = Reference(
        codes=codes,
        tagset=labels.tagset,
        rule=rule,
        n_ties=int(tied.sum()),
        annotators=labels.annotator_names,
        items=labels.item_names,
        warnings=tuple(warnings),
        signature=signature_line(
            rule, **settings, input=input_hash([labels.items, labels.annotators, labels.codes])
        ),
        detail={"n_rounds": len(objective), "objective": objective[-1]},
    )
    return ModelReference(
        reference,
        posterior,
        confusion_shares(labels, posterior),
        posterior[labelled].mean(axis=0),
        tuple(objective),
        converged,
        parameters or {},
    )


def _less_sure_warning(votes: Floats, posterior: Floats) -> list[CodedWarning]:
    """Warn if the mean posterior exceeds 1/K by less than half as much as the share of votes.

    This happens if a penalty or prior outweighs few labels, or if annotators hardly agree.
    """
    chance = 1.0 / posterior.shape[1]
    sure, one_sided = float(posterior.max(axis=1).mean()), float(votes.max(axis=1).mean())
    if sure - chance >= 0.5 * (one_sided - chance):
        return []
    return [CodedWarning("model_in_doubt", {"sure": sure})]


def confusion_shares(labels: LabelList, posterior: Floats) -> Floats:
    """(A, K, K): labels given (columns) by estimated category (rows), as shares of each row.

    Rows are nan if the annotator has no label on items of the category.
    """
    return shares(confusion_counts(labels, posterior))


def confusion_counts(labels: LabelList, posterior: Floats) -> Floats:
    """(A, K, K): labels given (columns), each counted by its item's posterior in each row."""
    n_annotators, width = len(labels.annotator_names), len(labels.tagset)
    counts = np.zeros((n_annotators, width, width))
    cells = labels.annotators * width + labels.codes
    for k in range(width):
        counts[:, k] = np.bincount(
            cells, weights=posterior[labels.items, k], minlength=n_annotators * width
        ).reshape(n_annotators, width)
    return counts
