"""Dawid & Skene 1979: observers' error rates and patients' classes by maximum likelihood (EM).

Given the item's class k, annotator a gives label l with probability π_akl, independently of the
others. E-step: posterior of each item's class (their equation 2.5); M-step: error rates and
prevalences (2.3, 2.4). Starts from the shares of votes, as they did.

With shrinkage s the error rates are means of a posterior: each annotator's row of class k has s
labels more, distributed as the labels of all annotators on that class. Annotators with few labels
are then taken to be like the others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..agreement.label_matrix import LabelMatrix
from ..compiling import njit
from ..errors import MetricsError
from .label_list import LabelList
from .model import ModelReference, labels_to_fit, maximise, model_reference

_FLOOR = 1e-10  # smallest count of an error never seen: log 0 would exclude a class for ever


def dawid_skene(
    labels: LabelMatrix | LabelList,
    *,
    max_rounds: int = 100,
    tolerance: float = 1e-7,
    shrinkage: float = 0.0,
) -> ModelReference:
    """Reference of highest posterior class, annotators' confusion matrices, prevalences.

    max_rounds  of EM
    tolerance   stop when the log-likelihood per label gains less
    shrinkage   number of labels by which an annotator's error rates are drawn to those of all
                annotators; 0: maximum likelihood. The error rates are `parameters["error_rates"]`:
                float64 (A, K, K), P(the annotator says column | the class is row)
    Raises MetricsError without labels or with fewer than two categories, or with a negative
    shrinkage; RoleError when an annotator is not human.
    """
    if shrinkage < 0:
        raise MetricsError(f"shrinkage is {shrinkage:g}; it must be 0 or more")
    given = labels_to_fit(labels, "dawid_skene", max_rounds=max_rounds)
    n_labels = np.bincount(given.items, minlength=given.n_items)
    posterior = given.vote_shares()
    labelled = n_labels > 0

    n_annotators, width = len(given.annotator_names), len(given.tagset)
    counts = np.empty((n_annotators, width, width))  # annotator, label, class

    def step() -> float:
        prevalence = posterior[labelled].mean(axis=0)
        counts[:] = shrinkage * _pooled(given, posterior) if shrinkage else 0.0
        likelihood = _round(
            given.annotators,
            given.codes,
            n_labels,
            np.log(np.maximum(prevalence, _FLOOR)),
            counts,
            posterior,
        )
        return float(likelihood)

    objective, converged = maximise(
        step, max_rounds=max_rounds, tolerance=tolerance, n_labels=len(given)
    )
    return model_reference(
        "dawid_skene",
        given,
        posterior,
        objective=objective,
        converged=converged,
        settings={
            "max_rounds": max_rounds,
            "tolerance": tolerance,
            **({"shrinkage": shrinkage} if shrinkage else {}),
        },
        parameters={"error_rates": np.exp(counts).transpose(0, 2, 1)},
    )


def _pooled(given: LabelList, posterior: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(label | class) of all annotators together, (K, K) with a row per label.

    Each cell has 1/K label more, so that a class that no item seems to have is uniform.
    """
    width = posterior.shape[1]
    counts = np.full((width, width), 1.0 / width)
    np.add.at(counts, given.codes, posterior[given.items])
    pooled: NDArray[np.float64] = counts / counts.sum(axis=0)
    return pooled


@njit(cache=True)
def _round(
    annotators: NDArray[np.int64],
    codes: NDArray[np.int64],
    n_labels: NDArray[np.int64],
    log_prevalence: NDArray[np.float64],
    logs: NDArray[np.float64],
    posterior: NDArray[np.float64],
) -> float:
    """One M-step and E-step on labels sorted by item; `logs` and posteriors change in place.

    logs  [a, l, k]: the label before the class, so that the inner loops run over contiguous
          classes. In: pseudo-counts. Out: logarithms of the error rates

    Returns the log-likelihood under the parameters of the M-step.
    """
    n_items, width = posterior.shape
    n_annotators = logs.shape[0]
    r = 0
    for i in range(n_items):
        for _ in range(n_labels[i]):
            a, label = annotators[r], codes[r]
            for k in range(width):
                logs[a, label, k] += posterior[i, k]
            r += 1
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
        highest = scores.max()
        total = 0.0
        for k in range(width):
            scores[k] = np.exp(scores[k] - highest)
            total += scores[k]
        for k in range(width):
            posterior[i, k] = scores[k] / total
        likelihood += highest + np.log(total)
    return likelihood
