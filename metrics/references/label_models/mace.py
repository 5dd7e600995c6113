"""MACE: annotators who know or spam (Hovy, Berg-Kirkpatrick, Vaswani & Hovy 2013).

On each item, annotator a either knows (probability θ_a) and gives the item's label, or spams and
draws a label from their own distribution ξ_a. EM from several starting points, of which the best is
kept; counts are smoothed as in the authors' software (0.01 / K).
"""

from __future__ import annotations

import numpy as np

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Floats
from ..label_list import LabelList
from .model_reference import ModelReference, labels_to_fit, model_reference, normalise_log_scores


def mace(
    labels: LabelMatrix | LabelList,
    *,
    restarts: int = 10,
    max_rounds: int = 100,
    tolerance: float = 1e-6,
    seed: int = 0,
) -> ModelReference:
    """Fit MACE and return the labels of highest posterior.

    restarts    number of starts: the first at θ = ½ and uniform ξ, the others drawn with `seed`
    max_rounds  maximum number of EM rounds in each
    tolerance   stop when the log-likelihood per label increases by less

    All labels have the same prior probability. `parameters` has competence θ `(A,)` and spam ξ
    `(A, K)`. Raises MetricsError without labels or with fewer than two categories, RoleError if an
    annotator is not human.
    """
    given = labels_to_fit(labels, "mace", restarts=restarts, max_rounds=max_rounds)
    n_annotators, width = len(given.annotator_names), len(given.tagset)
    rng = np.random.default_rng(seed)
    best: tuple[Floats, ...] | None = None
    best_objective: list[float] = []
    best_converged = False
    for start in range(restarts):
        competence = np.full(n_annotators, 0.5)
        spam = np.full((n_annotators, width), 1 / width)
        if start:
            competence = rng.uniform(0.2, 0.8, n_annotators)
            spam = rng.dirichlet(np.full(width, 5.0), n_annotators)
        *found, objective, converged = _fit_from_start(
            given, competence, spam, max_rounds, tolerance
        )
        if best is None or objective[-1] > best_objective[-1]:
            best, best_objective, best_converged = tuple(found), objective, converged
    assert best is not None
    posterior, competence, spam = best
    return model_reference(
        "mace",
        given,
        posterior,
        objective=best_objective,
        converged=best_converged,
        settings={
            "restarts": restarts,
            "max_rounds": max_rounds,
            "tolerance": tolerance,
            "seed": seed,
        },
        parameters={"competence": competence, "spam": spam},
    )


def _fit_from_start(
    given: LabelList,
    competence: Floats,
    spam: Floats,
    max_rounds: int,
    tolerance: float,
) -> tuple[Floats, Floats, Floats, list[float], bool]:
    """Run EM from these parameters; return the fit, each round's objective, and convergence."""
    n_annotators, width = spam.shape
    smoothing = 0.01 / width
    objective: list[float] = []
    converged = False
    cells = given.annotators * width + given.codes
    n_labels = np.bincount(given.annotators, minlength=n_annotators)
    while True:
        # P(label given | item's label), for the item's own label and for any other label.
        guessed = (1 - competence[given.annotators]) * spam[given.annotators, given.codes]
        known = competence[given.annotators] + guessed
        scores = np.zeros((given.n_items, width)) - np.log(width)
        scores += np.bincount(given.items, weights=np.log(guessed), minlength=given.n_items)[
            :, None
        ]
        np.add.at(scores, (given.items, given.codes), np.log(known) - np.log(guessed))
        posterior, likelihood = normalise_log_scores(scores)
        objective.append(likelihood)
        if len(objective) > 1:
            converged = objective[-1] - objective[-2] < tolerance * len(given)
        if converged or len(objective) == max_rounds:
            return posterior, competence, spam, objective, converged
        # P(spammed | label): 1 if it is not the item's label, else the share of spam in `known`.
        chance = posterior[given.items, given.codes]
        spammed = 1 - chance * competence[given.annotators] / known
        n_spammed = np.bincount(given.annotators, weights=spammed, minlength=n_annotators)
        competence = (n_labels - n_spammed + smoothing) / (n_labels + 2 * smoothing)
        drawn = np.bincount(cells, weights=spammed, minlength=n_annotators * width)
        spam = drawn.reshape(n_annotators, width) + smoothing
        spam = spam / spam.sum(axis=1, keepdims=True)
