"""GLAD: annotators' abilities and items' difficulties (Whitehill et al. 2009).

Annotator a gives item i its label with probability σ(α_a·β_i), and each other label with an equal
share of the rest; β_i = exp(b_i) > 0 is the ease of the item. EM: posteriors of labels, then the
penalised expected likelihood in α and b by L-BFGS. The normal priors of the authors' software, α
and b ~ N(1, 1), fix the scale of α·β.
"""

from __future__ import annotations

import numpy as np

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Floats, Ints
from ...compiling import njit
from ..label_list import LabelList
from .model_reference import ModelReference, labels_to_fit, model_reference, normalise_log_scores

_PRIOR_MEAN = 1.0


def glad(
    labels: LabelMatrix | LabelList,
    *,
    max_rounds: int = 100,
    tolerance: float = 1e-6,
    steps: int = 25,
) -> ModelReference:
    """Fit GLAD and return the labels of highest posterior.

    max_rounds  maximum number of EM rounds
    tolerance   stop when the penalised log-likelihood per label increases by less
    steps       iterations of L-BFGS in each M-step (which need not converge: generalised EM)

    All labels have the same prior probability. `parameters` has ability `(A,)` and ease `(N,)`,
    exp(b). Raises MetricsError without labels or with fewer than two categories, RoleError if an
    annotator is not human.
    """
    from scipy.optimize import minimize  # takes a second to import

    given = labels_to_fit(labels, "glad", max_rounds=max_rounds, steps=steps)
    n_annotators, width = len(given.annotator_names), len(given.tagset)
    shape = (given.n_items, width)
    parameters = np.full(n_annotators + given.n_items, _PRIOR_MEAN)
    objective: list[float] = []
    converged = False
    while len(objective) < max_rounds and not converged:
        ability, ease = parameters[:n_annotators], np.exp(parameters[n_annotators:])
        x = ability[given.annotators] * ease[given.items]
        # log σ(x) for the given label, log((1 − σ(x)) / (K − 1)) for each other label.
        right, wrong = -np.logaddexp(0, -x), -np.logaddexp(0, x) - np.log(width - 1)
        scores = np.zeros(shape)
        np.add.at(scores, (given.items, given.codes), right - wrong)
        scores += np.bincount(given.items, weights=wrong, minlength=given.n_items)[:, None]
        scores -= np.log(width)
        posterior, likelihood = normalise_log_scores(scores)
        objective.append(likelihood - 0.5 * float(((parameters - _PRIOR_MEAN) ** 2).sum()))
        if len(objective) > 1:
            converged = objective[-1] - objective[-2] < tolerance * len(given)
        if not converged:
            chance = posterior[given.items, given.codes]
            parameters = minimize(
                _expected_loss,
                parameters,
                args=(given.annotators, given.items, chance, n_annotators),
                jac=True,
                method="L-BFGS-B",
                options={"maxiter": steps},
            ).x
    return model_reference(
        "glad",
        given,
        posterior,
        objective=objective,
        converged=converged,
        settings={"max_rounds": max_rounds, "tolerance": tolerance, "steps": steps},
        parameters={
            "ability": parameters[:n_annotators],
            "ease": np.exp(parameters[n_annotators:]),
        },
    )


@njit(cache=True)
def _expected_loss(
    parameters: Floats,
    annotators: Ints,
    items: Ints,
    chance: Floats,
    n_annotators: int,
) -> tuple[float, Floats]:
    """Negative penalised expected log-likelihood, and its gradient.

    chance  (R,): posterior probability that the given label is the item's label
    """
    loss = 0.0
    gradient = np.zeros(parameters.shape[0])
    for p in range(parameters.shape[0]):
        away = parameters[p] - _PRIOR_MEAN
        loss += 0.5 * away * away
        gradient[p] = away
    for r in range(annotators.shape[0]):
        a, b = annotators[r], n_annotators + items[r]
        ease = np.exp(parameters[b])
        x = parameters[a] * ease
        # log(1 + e^x) without overflow
        log_one_plus = max(x, 0.0) + np.log1p(np.exp(-abs(x)))
        loss += log_one_plus - chance[r] * x
        slope = 1.0 / (1.0 + np.exp(-x)) - chance[r]
        gradient[a] += slope * ease
        gradient[b] += slope * x
    return loss, gradient
