"""Probable errors in labels, separated from items on which competent annotators differ.

A model like Dawid–Skene's in which one or two labels of an item are right: annotator a gives one of
the right labels, each equally likely, with probability 1 − ε_a, else one of the others. EM
estimates every ε_a and the prevalence of every label and pair of labels. The probability that a
label is wrong is the posterior of all sets without it; the variation of an item is the posterior of
the pairs.

Verdicts of peers on annotations are a second model (EM of judges, with one acceptance rate for
right and one for wrong annotations each). A few audited items calibrate both with a penalised
logistic regression. Sources: Dawid & Skene 1979; errors and variation as in Weber-Genzel, Peng, de
Marneffe & Plank 2024.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from ..agreement.label_matrix import HUMAN
from ..arrays import Flags, Floats, Ints
from ..errors import MetricsError
from .label_list import LabelList
from .right_sets import fit_right_sets

MOST_CATEGORIES = 200  # the model has a parameter for each pair of labels that occurs on an item
MIN_ANNOTATORS = 3  # if two annotators differ, the data do not say which one is wrong
VERDICT_WEIGHT = 0.5  # weight, because verdicts on one annotation are not independent of each other
_PSEUDO_VERDICTS = 1.0
_SURE = 1e-9
_PRIOR_SLOPE = 0.5  # slope of the log-odds, because posteriors of these models are overconfident


@dataclass(frozen=True, slots=True)
class Judgments:
    """V verdicts of annotators on annotations by others.

    items, codes, authors, judges  integers (V,): the label of an item by its author, and its judge
    accepted  bool (V,)
    """

    items: Ints
    codes: Ints
    authors: Ints
    judges: Ints
    accepted: Flags


@dataclass(frozen=True, slots=True)
class Audit:
    """M items with known right labels: items int64 (M,), right bool (M, K)."""

    items: Ints
    right: Flags


@dataclass(frozen=True, slots=True)
class Mistakes:
    """Probabilities that labels are wrong.

    probability  float64 (N, K), 0 to 1: the label is not a right label of the item; nan if no human
                 annotator gave it
    variation    float64 (N,), 0 to 1: two labels of the item are right; nan for items without
                 labels
    error_rates  float64 (A,): estimate for each annotator; nan without labels
    converged    whether the fit to the labels converged
    """

    probability: Floats
    variation: Floats
    error_rates: Floats
    converged: bool


def find_mistakes(
    labels: LabelList,
    *,
    distances: Floats | None = None,
    exclusive: Sequence[int] = (),
    judgments: Judgments | None = None,
    audit: Audit | None = None,
    max_rounds: int = 200,
    tolerance: float = 1e-7,
) -> Mistakes:
    """Estimate the probability that each given label is wrong.

    labels     an annotator may give several labels to an item; labels of systems are used by the
               model, but get no probability
    distances  float64 (K, K) in [0, 1]: labels at a small distance are more often both right; None:
               no difference
    exclusive  categories that are never right together with another one
    judgments  verdicts of peers; verdicts of authors on their own annotations are ignored
    audit      items with known labels, on which all probabilities are then calibrated
    Raises MetricsError for fewer than two categories, more than MOST_CATEGORIES, fewer than three
    annotators (unless there are judgments), or an audit without an error or without a right label.

    >>> labels = LabelList([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [0, 0, 1, 1, 1, 1], 2,
    ...                    ("a", "b", "c"), ("no", "yes"))
    >>> bool(find_mistakes(labels).probability[0].argmax() == 1)
    True
    """
    _require_possible(labels, judgments)
    fit = fit_right_sets(labels, distances, exclusive, max_rounds=max_rounds, tolerance=tolerance)
    log_odds = -logit(np.clip(fit.right, _SURE, 1 - _SURE))
    if judgments is not None:
        log_odds = log_odds - VERDICT_WEIGHT * verdict_evidence(judgments, labels)
    given = _given_by_humans(labels)
    if audit is not None:
        log_odds = _calibrate_log_odds(log_odds, labels, given, audit)
    labelled = labels.has_label()
    return Mistakes(
        np.where(given, expit(log_odds), np.nan),
        np.where(labelled, fit.variation, np.nan),
        fit.error_rates,
        fit.converged,
    )


def has_enough_annotators(labels: LabelList) -> bool:
    """Whether at least three annotators gave labels."""
    return len(np.unique(labels.annotators)) >= MIN_ANNOTATORS


def _require_possible(labels: LabelList, judgments: Judgments | None) -> None:
    width, n_annotators = len(labels.tagset), len(np.unique(labels.annotators))
    if not 2 <= width <= MOST_CATEGORIES:
        raise MetricsError(
            f"mistakes can be found only with 2 to {MOST_CATEGORIES} categories, not {width}"
        )
    if n_annotators < MIN_ANNOTATORS and judgments is None:
        raise MetricsError(
            f"mistakes can be found only with three annotators or more, not {n_annotators}: if "
            "only two differ, nothing shows which one is wrong"
        )


def verdict_evidence(judgments: Judgments, labels: LabelList) -> Floats:
    """Log-odds, float64 (N, K), that an annotation with the label is right, given the verdicts.

    EM: an annotation is right or wrong, and each judge accepts right and wrong annotations at their
    own rates. If a label has several authors, the largest value is used. 0 without a verdict of a
    peer.
    """
    n, width = labels.n_items, len(labels.tagset)
    size = len(labels.annotator_names)
    peers = judgments.authors != judgments.judges
    items, codes, authors = (
        values[peers] for values in (judgments.items, judgments.codes, judgments.authors)
    )
    judges, accepted = judgments.judges[peers], judgments.accepted[peers]
    found = np.zeros((n, width))
    if not len(items):
        return found
    keys, of_verdict = np.unique((items * width + codes) * size + authors, return_inverse=True)
    n_verdicts = np.bincount(of_verdict)
    right = (np.bincount(of_verdict, accepted) + 0.5) / (n_verdicts + 1)
    log_odds = np.zeros(len(keys))
    for _ in range(500):
        of_right = _acceptance_by_adjudicator(right[of_verdict], judges, accepted, size)
        of_wrong = _acceptance_by_adjudicator(1 - right[of_verdict], judges, accepted, size)
        evidence = np.where(
            accepted,
            np.log(of_right / of_wrong)[judges],
            np.log((1 - of_right) / (1 - of_wrong))[judges],
        )
        prior = np.clip(right.mean(), _SURE, 1 - _SURE)
        log_odds = np.log(prior / (1 - prior)) + np.bincount(of_verdict, evidence)
        before, right = right, expit(log_odds)
        if np.abs(right - before).max() < 1e-8:
            break
    best = np.full(n * width, -np.inf)
    np.maximum.at(best, keys // size, log_odds)
    return np.where(np.isfinite(best), best, 0.0).reshape(n, width)


def _acceptance_by_adjudicator(
    weights: Floats, judges: Ints, accepted: Flags, n_judges: int
) -> Floats:
    """Share of accepting verdicts by judge, shrunk to the share of all judges."""
    yes = np.bincount(judges, weights * accepted, n_judges)
    all_ = np.bincount(judges, weights, n_judges)
    mean = (yes.sum() + 0.5) / (all_.sum() + 1.0)
    return np.asarray((yes + _PSEUDO_VERDICTS * mean) / (all_ + _PSEUDO_VERDICTS))


def _given_by_humans(labels: LabelList) -> Flags:
    given = np.zeros((labels.n_items, len(labels.tagset)), dtype=np.bool_)
    roles = labels.roles or (HUMAN,) * len(labels.annotator_names)
    is_human = np.array([role == HUMAN for role in roles], dtype=np.bool_)[labels.annotators]
    given[labels.items[is_human], labels.codes[is_human]] = True
    return given


def _calibrate_log_odds(log_odds: Floats, labels: LabelList, given: Flags, audit: Audit) -> Floats:
    """Calibrate log-odds by a logistic regression on the labels of audited items.

    The features are the log-odds, and the annotator of labels that only one annotator gave. The
    priors are normal with standard deviation 1: slope of the log-odds around 0.5, annotators around
    0.
    """
    from scipy.optimize import minimize

    n_authors = np.zeros(given.shape, dtype=np.int64)
    np.add.at(n_authors, (labels.items, labels.codes), 1)
    author = np.zeros(given.shape, dtype=np.int64)
    author[labels.items, labels.codes] = labels.annotators
    known = np.zeros(given.shape, dtype=np.bool_)
    known[audit.items] = given[audit.items]
    is_error = np.zeros(given.shape, dtype=np.bool_)
    is_error[audit.items] = ~audit.right
    targets = is_error[known].astype(np.float64)
    if not 0 < targets.sum() < len(targets):
        raise MetricsError(
            f"the audited items have {len(targets)} labels, of which {int(targets.sum())} are "
            "errors; a calibration needs both errors and right labels: audit more items"
        )
    rows = np.zeros((len(targets), 2 + len(labels.annotator_names)))
    rows[:, 0], rows[:, 1] = 1.0, log_odds[known]
    alone = n_authors == 1
    rows[np.arange(len(rows)), 2 + author[known]] = alone[known]
    centre, precision = np.zeros(rows.shape[1]), np.ones(rows.shape[1])
    centre[1], precision[0] = _PRIOR_SLOPE, 0.01

    def loss(weights: Floats) -> tuple[float, Floats]:
        linear, shift = rows @ weights, weights - centre
        value = (np.logaddexp(0, linear) - targets * linear).sum() + (
            precision * shift**2
        ).sum() / 2
        slope = rows.T @ (expit(linear) - targets) + precision * shift
        return float(value), slope

    fitted = minimize(loss, centre, jac=True, method="L-BFGS-B").x
    return np.asarray(fitted[0] + fitted[1] * log_odds + alone * fitted[2 + author])
