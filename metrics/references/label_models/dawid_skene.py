"""Dawid & Skene 1979: observers' error rates and patients' classes by maximum likelihood (EM).

Given the item's class k, annotator a gives label l with probability π_akl, independently of the
others. E-step: posterior of each item's class (their equation 2.5); M-step: error rates and
prevalences (2.3, 2.4). Starts from the shares of votes, as they did.

Two extensions. Items whose class is known (gold) keep it in the result, and in the E-step as well,
so that they train the error rates, if this helps to predict other known items (`known`).
With partial pooling each annotator's rates are drawn to those of all annotators together, as if the
annotator had given `strength` more labels in each class (an empirical Bayes form of the
hierarchical model of Paun et al. 2018): rates of few labels are otherwise noise.
In the one-coin form (Zhang et al. 2016) an annotator is right with one probability, and errs alike
in all categories: one rate in place of K(K − 1), for crowds of whom each gives few labels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Flags, Floats, Ints
from ...compiling import njit
from ...errors import MetricsError
from ..gold_training import gold_improves_predictions, gold_not_training_warning
from ..label_list import LabelList
from ..label_reference import UNRESOLVED
from .model_reference import (
    ModelReference,
    confusion_counts,
    labels_to_fit,
    maximise,
    model_reference,
)

POOLED_STRENGTH = 5.0  # labels in each class by which `consensus` draws an annotator's rates to all
_FEWEST_PER_RATE = 10  # labels that an annotator must give for each of the K(K − 1) rates
_CROWD = 20  # annotators from which the one-coin form was better with fewer
_FLOOR = 1e-10  # smallest count of an error never seen: log 0 would exclude a class for ever
_UNEXPECTED = 0.01  # share of uniform classes in the loss of a known item: finite where P = 0
_Fit = tuple[Floats, list[float], bool]  # posteriors, objective, whether it converged


def dawid_skene(
    labels: LabelMatrix | LabelList,
    *,
    max_rounds: int = 100,
    tolerance: float = 1e-7,
    gold: NDArray[np.integer] | None = None,
    strength: float = 0.0,
    one_coin: bool = False,
) -> ModelReference:
    """Reference of highest posterior class, annotators' confusion matrices, prevalences.

    max_rounds  of EM
    tolerance   stop when the log-likelihood per label gains less
    gold        int (N,): the category of items that are known, -1 of the others
    strength    labels by which each annotator's rates are drawn to those of all; 0: not at all
    one_coin    whether an annotator has one probability to be right
    A known item keeps its category, even without a label. Known items train the
    rates only where this predicts other known items better (`known.gold_improves_predictions`);
    else a warning says that they do not. Raises MetricsError without labels, with fewer than two
    categories, for gold of another shape or of a category that does not exist, and for a negative
    strength; RoleError when an annotator is not human.
    """
    given = labels_to_fit(labels, "dawid_skene", max_rounds=max_rounds)
    if strength < 0:
        raise MetricsError(f"strength is {strength}; it must be 0 or more")
    known = np.full(given.n_items, UNRESOLVED) if gold is None else np.asarray(gold, dtype=np.int64)
    if known.shape != (given.n_items,) or known.max(initial=-1) >= len(given.tagset):
        raise MetricsError(
            f"gold has shape {known.shape} and categories up to {known.max(initial=-1)}; expected "
            f"one of 0..{len(given.tagset) - 1}, or -1, for each of the {given.n_items} items"
        )
    is_known = known >= 0

    def fit(known: NDArray[np.integer]) -> _Fit:
        return _fit_posterior(given, known, float(strength), max_rounds, tolerance, one_coin)

    posterior, objective, converged = fit(np.full(given.n_items, UNRESOLVED))
    is_trained = _known_items_help(given, known, posterior, fit)
    if is_trained:
        posterior, objective, converged = fit(known)
    posterior[is_known] = np.eye(len(given.tagset))[known[is_known]]
    settings: dict[str, object] = {"max_rounds": max_rounds, "tolerance": tolerance}
    if strength:
        settings["strength"] = strength
    if one_coin:
        settings["one_coin"] = True
    if is_known.any():
        settings |= {"gold": int(is_known.sum()), "gold_trains": is_trained}
    made = model_reference(
        "dawid_skene",
        given,
        posterior,
        objective=objective,
        converged=converged,
        settings=settings,
        parameters={
            "rates": annotator_confusion_rates(given, posterior, float(strength), one_coin=one_coin)
        },
    )
    if not is_known.any():
        return made
    reference = replace(
        made.reference,
        codes=np.where(is_known, known, made.reference.codes).astype(np.int32),
        warnings=(
            *made.reference.warnings,
            *(() if is_trained else (gold_not_training_warning(is_known),)),
        ),
    )
    return replace(made, reference=reference)


def consensus_of_labels(
    labels: LabelMatrix | LabelList, *, gold: NDArray[np.integer] | None = None
) -> ModelReference:
    """Return the consensus: the pooled model, or its one-coin form in a crowd of few labels each.

    Arguments and errors as `dawid_skene`.
    """
    given = labels_to_fit(labels, "consensus")
    return dawid_skene(
        given, gold=gold, strength=POOLED_STRENGTH, one_coin=is_crowd_of_few_labels(given)
    )


def is_crowd_of_few_labels(labels: LabelList) -> bool:
    """Whether many annotators give fewer labels than their rates of each error need.

    Ten labels per rate, as ten events per variable of a regression (Peduzzi et al. 1996).
    """
    n_annotators, width = len(labels.annotator_names), len(labels.tagset)
    needed = _FEWEST_PER_RATE * width * (width - 1) * n_annotators
    return n_annotators >= _CROWD and len(labels) < needed


def _known_items_help(
    given: LabelList,
    known: NDArray[np.integer],
    posterior: Floats,
    fit: Callable[[NDArray[np.integer]], _Fit],
) -> bool:
    """Whether known items predict other known items better than `posterior`, of a fit without."""
    compared = np.nonzero((known >= 0) & given.has_label())[0]

    def losses(posterior: Floats, items: NDArray[np.intp]) -> Floats:
        right = posterior[items, known[items]]
        uniform = _UNEXPECTED / len(given.tagset)
        loss: Floats = -np.log((1 - _UNEXPECTED) * right + uniform)
        return loss

    def trained_losses(fold: NDArray[np.intp]) -> Floats:
        hidden = known.copy()
        hidden[compared[fold]] = UNRESOLVED
        return losses(fit(hidden)[0], compared[fold])

    return gold_improves_predictions(losses(posterior, compared), trained_losses)


def _fit_posterior(
    given: LabelList,
    known: NDArray[np.integer],
    strength: float,
    max_rounds: int,
    tolerance: float,
    one_coin: bool,
) -> _Fit:
    """Posteriors (N, K) of EM with the categories of known items fixed, its likelihoods, and
    whether it converged."""
    n_labels = np.bincount(given.items, minlength=given.n_items)
    labelled = n_labels > 0
    is_known = known >= 0
    posterior = given.vote_shares()
    posterior[is_known] = np.eye(len(given.tagset))[known[is_known]]

    def step() -> float:
        prevalence = posterior[labelled].mean(axis=0)
        likelihood = _em_round(
            given.annotators,
            given.codes,
            n_labels,
            np.log(np.maximum(prevalence, _FLOOR)),
            len(given.annotator_names),
            posterior,
            is_known,
            strength,
            one_coin,
        )
        return float(likelihood)

    objective, converged = maximise(
        step, max_rounds=max_rounds, tolerance=tolerance, n_labels=len(given)
    )
    return posterior, objective, converged


def annotator_confusion_rates(
    labels: LabelList, posterior: Floats, strength: float, *, one_coin: bool = False
) -> Floats:
    """(A, K, K): P(the annotator gives column | row), drawn to the rates of all by `strength`."""
    counts = confusion_counts(labels, posterior)
    pool = np.maximum(counts.sum(axis=0), _FLOOR)
    counts = np.maximum(counts + strength * pool / pool.sum(axis=1, keepdims=True), _FLOOR)
    if one_coin:
        width = counts.shape[1]
        right = np.einsum("akk->a", counts) / counts.sum(axis=(1, 2))
        wrong = np.maximum(1 - right, _FLOOR) / (width - 1)
        same = np.eye(width)
        return right[:, None, None] * same + wrong[:, None, None] * (1 - same)
    rates: Floats = counts / counts.sum(axis=2, keepdims=True)
    return rates


@njit(cache=True)
def _em_round(
    annotators: Ints,
    codes: Ints,
    n_labels: Ints,
    log_prevalence: Floats,
    n_annotators: int,
    posterior: Floats,
    is_known: Flags,
    strength: float,
    one_coin: bool,
) -> float:
    """One M-step and E-step on labels sorted by item; posteriors of unknown items change in place.

    Returns the log-likelihood under the parameters of the M-step.
    """
    n_items, width = posterior.shape
    # logs[a, l, k]: the label first, so that the inner loops run over contiguous classes.
    logs = np.zeros((n_annotators, width, width))
    r = 0
    for i in range(n_items):
        for _ in range(n_labels[i]):
            a, label = annotators[r], codes[r]
            for k in range(width):
                logs[a, label, k] += posterior[i, k]
            r += 1
    if strength > 0.0:
        for k in range(width):
            pool = np.zeros(width)
            for a in range(n_annotators):
                for label in range(width):
                    pool[label] += logs[a, label, k]
            pool /= max(pool.sum(), _FLOOR)
            for a in range(n_annotators):
                for label in range(width):
                    logs[a, label, k] += strength * pool[label]
    if one_coin:
        for a in range(n_annotators):
            right = np.trace(logs[a])
            wrong = max(logs[a].sum() - right, _FLOOR)
            logs[a, :, :] = wrong / (width - 1)
            for k in range(width):
                logs[a, k, k] = right
    for a in range(n_annotators):
        for k in range(width):
            total = 0.0
            for label in range(width):
                logs[a, label, k] = max(logs[a, label, k], _FLOOR)
                total += logs[a, label, k]
            for label in range(width):
                logs[a, label, k] = np.log(logs[a, label, k] / total)
    likelihood = 0.0
    scores = np.empty(width)
    r = 0
    for i in range(n_items):
        if n_labels[i] == 0:
            continue
        for k in range(width):
            scores[k] = log_prevalence[k]
        for _ in range(n_labels[i]):
            a, label = annotators[r], codes[r]
            for k in range(width):
                scores[k] += logs[a, label, k]
            r += 1
        if is_known[i]:
            for k in range(width):
                likelihood += posterior[i, k] * scores[k]
            continue
        highest = scores.max()
        total = 0.0
        for k in range(width):
            scores[k] = np.exp(scores[k] - highest)
            total += scores[k]
        for k in range(width):
            posterior[i, k] = scores[k] / total
        likelihood += highest + np.log(total)
    return likelihood
