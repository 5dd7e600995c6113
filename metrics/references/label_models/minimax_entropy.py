"""Minimax entropy (Zhou, Platt, Basu & Mao 2012; "conditional" since Zhou et al. 2014).

Labels of annotator a on item i of class l are modelled as

    P(k | a, i, l) ∝ exp(σ_a[l, k] + τ_i[k])

where σ_a are the annotator's confusions and τ_i the confusion that the item causes for everyone.
The multipliers σ and τ belong to constraints that the model's expected counts equal the observed
counts; slack in the constraints becomes squared penalties. The labels minimise the maximum entropy,
by coordinate descent: posteriors in closed form, then σ and τ by L-BFGS.
"""

from __future__ import annotations

import numpy as np

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Floats, Ints
from ...compiling import njit
from ...errors import MetricsError
from ..label_list import LabelList
from .model_reference import (
    ModelReference,
    labels_to_fit,
    maximise,
    model_reference,
    normalise_log_scores,
)


def minimax_entropy(
    labels: LabelMatrix | LabelList,
    *,
    penalty: float = 0.1,
    max_rounds: int = 50,
    tolerance: float = 1e-5,
    steps: int = 25,
) -> ModelReference:
    """Fit the minimax entropy model and return the labels of highest posterior.

    penalty     γ: the weight of ½‖σ‖² is γ·K², the weight of ½‖τ‖² this times (labels per annotator
                / labels per item), after Zhou, Liu, Platt & Meek 2014; a larger γ assumes less
                confusion
    max_rounds  maximum rounds of coordinate descent
    steps       iterations of L-BFGS in each round
    tolerance   stop when the objective per label increases by less

    The initial posteriors are the shares of votes, and classes have the same prior probability.
    `prevalence` is the mean posterior; `parameters` has annotator `(A, K, K)` and item `(N, K)`.
    The penalty outweighs a few dozen labels: the posteriors are then nearly equal, and a warning
    says so. Raises MetricsError without labels, with fewer than two categories or a penalty that is
    not positive, RoleError if an annotator is not human.
    """
    from scipy.optimize import minimize  # takes a second to import

    if not penalty > 0:
        raise MetricsError(f"penalty is {penalty}; it must be above 0")
    given = labels_to_fit(labels, "minimax_entropy", max_rounds=max_rounds, steps=steps)
    n_annotators, width = len(given.annotator_names), len(given.tagset)
    n_sigma = n_annotators * width * width
    # Labels per annotator over labels per item, ignoring those without labels.
    ratio = int(given.has_label().sum()) / np.unique(given.annotators).size
    penalties = np.full(n_sigma + given.n_items * width, penalty * width**2 * ratio)
    penalties[:n_sigma] = penalty * width**2
    parameters = np.zeros(penalties.size)
    posterior = given.vote_shares()

    def step() -> float:
        nonlocal parameters, posterior
        parameters = minimize(
            _loss,
            parameters,
            args=(
                given.annotators,
                given.items,
                given.codes,
                posterior,
                penalties,
                n_annotators,
            ),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": steps},
        ).x
        scores = _scores(
            parameters,
            given.annotators,
            given.items,
            given.codes,
            given.n_items,
            n_annotators,
            width,
        )
        posterior, likelihood = normalise_log_scores(scores)
        return likelihood - 0.5 * float((penalties * parameters**2).sum())

    objective, converged = maximise(
        step, max_rounds=max_rounds, tolerance=tolerance, n_labels=len(given)
    )
    return model_reference(
        "minimax_entropy",
        given,
        posterior,
        objective=objective,
        converged=converged,
        settings={
            "penalty": float(penalty),
            "max_rounds": max_rounds,
            "tolerance": tolerance,
            "steps": steps,
        },
        parameters={
            "annotator": parameters[:n_sigma].reshape(n_annotators, width, width),
            "item": parameters[n_sigma:].reshape(given.n_items, width),
        },
    )


@njit(cache=True)
def _loss(
    parameters: Floats,
    annotators: Ints,
    items: Ints,
    codes: Ints,
    posterior: Floats,
    penalties: Floats,
    n_annotators: int,
) -> tuple[float, Floats]:
    """Negative penalised expected log-probability of the labels, and its gradient."""
    width = posterior.shape[1]
    n_sigma = n_annotators * width * width
    loss = 0.0
    gradient = penalties * parameters
    for p in range(parameters.shape[0]):
        loss += 0.5 * penalties[p] * parameters[p] * parameters[p]
    shares = np.empty(width)
    for r in range(annotators.shape[0]):
        tau = n_sigma + items[r] * width
        for label in range(width):
            weight = posterior[items[r], label]
            if weight == 0.0:
                continue
            sigma = (annotators[r] * width + label) * width
            highest = -np.inf
            for k in range(width):
                shares[k] = parameters[sigma + k] + parameters[tau + k]
                highest = max(highest, shares[k])
            said = shares[codes[r]]
            total = 0.0
            for k in range(width):
                shares[k] = np.exp(shares[k] - highest)
                total += shares[k]
            loss -= weight * (said - highest - np.log(total))
            for k in range(width):
                slope = weight * (shares[k] / total - (1.0 if k == codes[r] else 0.0))
                gradient[sigma + k] += slope
                gradient[tau + k] += slope
    return loss, gradient


@njit(cache=True)
def _scores(
    parameters: Floats,
    annotators: Ints,
    items: Ints,
    codes: Ints,
    n_items: int,
    n_annotators: int,
    width: int,
) -> Floats:
    """Σ over an item's labels of log P(label | class), up to the constant log K: (N, K)."""
    n_sigma = n_annotators * width * width
    scores = np.full((n_items, width), -np.log(width))
    shares = np.empty(width)
    for r in range(annotators.shape[0]):
        tau = n_sigma + items[r] * width
        for label in range(width):
            sigma = (annotators[r] * width + label) * width
            highest = -np.inf
            for k in range(width):
                shares[k] = parameters[sigma + k] + parameters[tau + k]
                highest = max(highest, shares[k])
            total = 0.0
            for k in range(width):
                total += np.exp(shares[k] - highest)
            scores[items[r], label] += shares[codes[r]] - highest - np.log(total)
    return scores
