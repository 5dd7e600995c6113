"""Labels that are probably mistakes, apart from items on which competent annotators differ.

A Dawid–Skene-like model in which one or two labels of an item are right: annotator a gives one of
the right labels, each equally likely, with probability 1 − ε_a, else one of the others. EM
estimates every ε_a and the prevalence of every label and pair of labels. The probability that a
label is wrong is the posterior of all sets without it; an item varies with the posterior of pairs.

Verdicts of peers on annotations are a second model (EM of judges, each with an acceptance rate of
right and of wrong annotations). A few audited items calibrate both with a penalised logistic
regression. Sources: Dawid & Skene 1979; errors and variation as in Weber-Genzel, Peng, de Marneffe
& Plank 2024.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..agreement.label_matrix import HUMAN
from ..errors import MetricsError
from .label_list import LabelList
from .model import maximise

MOST_CATEGORIES = 200  # the model has a parameter for each pair of labels that items share
MIN_ANNOTATORS = 3  # of two annotators who differ nothing says which one is wrong
VERDICT_WEIGHT = 0.5  # verdicts on one annotation are not independent of each other
_START = 0.1  # error rate
_PSEUDO_LABELS = 5.0  # with which an annotator's error rate is drawn to the mean of all
_PSEUDO_MEAN = 20.0  # labels with which that mean is drawn to _START
_PSEUDO_VERDICTS = 1.0
_SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8)  # of items that vary
_PRIOR_VARIATION = 3.0  # a share of varying items has the prior density Beta(1, 4), with mean .2
_PSEUDO_ITEMS = 10.0  # with which prevalences are drawn to equal ones
_CELLS = 4_000_000  # items × sets held at once
_SURE = 1e-9
_PRIOR_SLOPE = 0.5  # of log-odds, which posteriors of such models overstate

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Judgments:
    """V verdicts of annotators on annotations of others.

    items, codes, authors, judges  integers (V,): the label of an item by its author, and who judged
    accepted  bool (V,)
    """

    items: Indices
    codes: Indices
    authors: Indices
    judges: Indices
    accepted: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Audit:
    """M items whose right labels are known: items int64 (M,), right bool (M, K)."""

    items: Indices
    right: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Mistakes:
    """How probable it is that a label is wrong.

    probability  float64 (N, K), 0 to 1: no right label of the item is this one; nan where no human
                 annotator gave it
    variation    float64 (N,), 0 to 1: two labels of the item are right; nan for items without one
    error_rates  float64 (A,): the model's, by annotator; nan for an annotator without a label
    converged    whether the fit to the labels stopped by itself
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
    """Probability that each given label is wrong.

    labels     an annotator may give several labels to an item; labels of systems inform the model,
               but are not judged
    distances  float64 (K, K) in [0, 1]: near labels are more often both right; None: all alike
    exclusive  categories that are not right together with another one
    judgments  verdicts of peers; those of an author on their own annotation are not used
    audit      items of known labels: probabilities of the others are then calibrated on them
    Raises MetricsError for fewer than two categories, more than MOST_CATEGORIES, fewer than three
    annotators (unless there are judgments), or an audit without an error or without a right label.

    >>> labels = LabelList([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [0, 0, 1, 1, 1, 1], 2,
    ...                    ("a", "b", "c"), ("no", "yes"))
    >>> bool(find_mistakes(labels).probability[0].argmax() == 1)
    True
    """
    _require_possible(labels, judgments)
    fit = _averaged(labels, distances, exclusive, max_rounds=max_rounds, tolerance=tolerance)
    log_odds = -_logit(fit.right)
    if judgments is not None:
        log_odds = log_odds - VERDICT_WEIGHT * verdict_evidence(judgments, labels)
    given = _given_by_humans(labels)
    if audit is not None:
        log_odds = _calibrated(log_odds, labels, given, audit)
    labelled = labels.labelled()
    return Mistakes(
        np.where(given, 1 / (1 + np.exp(-log_odds)), np.nan),
        np.where(labelled, fit.variation, np.nan),
        fit.error_rates,
        fit.converged,
    )


def _require_possible(labels: LabelList, judgments: Judgments | None) -> None:
    width, n_annotators = len(labels.tagset), len(np.unique(labels.annotators))
    if not 2 <= width <= MOST_CATEGORIES:
        raise MetricsError(
            f"mistakes are looked for in 2 to {MOST_CATEGORIES} categories; found {width}"
        )
    if n_annotators < MIN_ANNOTATORS and judgments is None:
        raise MetricsError(
            f"mistakes are looked for among three annotators or more; found {n_annotators}: of two "
            "who differ, nothing says which one is wrong"
        )


@dataclass(slots=True)
class _Fit:
    """right float64 (N, K), variation float64 (N,), error_rates float64 (A,)."""

    right: Floats
    variation: Floats
    error_rates: Floats
    converged: bool


def _averaged(
    labels: LabelList,
    distances: Floats | None,
    exclusive: Sequence[int],
    *,
    max_rounds: int,
    tolerance: float,
) -> _Fit:
    """Fits with each share of varying items, averaged by their likelihoods.

    Three annotators hardly tell errors from variation: one share would be chosen by chance.
    """
    n_labels = len(labels)
    labels, weights_of_items, pattern = _patterns(labels)
    fits, likelihoods, converged = [], [], []
    for share in _SHARES:
        fit = _RightSets(labels, weights_of_items, distances, exclusive, share)
        objective, is_done = maximise(
            fit.step, max_rounds=max_rounds, tolerance=tolerance, n_labels=max(n_labels, 1)
        )
        fits.append(fit)
        likelihoods.append(objective[-1])
        converged.append(is_done)
    log_weights = np.array(likelihoods) + _PRIOR_VARIATION * np.log1p(-np.array(_SHARES))
    weights = np.exp(log_weights - log_weights.max())
    weights /= weights.sum()
    return _Fit(
        sum(weight * fit.right for weight, fit in zip(weights, fits, strict=True))[pattern],
        sum(weight * fit.variation for weight, fit in zip(weights, fits, strict=True))[pattern],
        sum(weight * fit.error_rates for weight, fit in zip(weights, fits, strict=True)),
        all(converged),
    )


def _patterns(labels: LabelList) -> tuple[LabelList, Floats, Indices]:
    """Items with the same labels of the same annotators as one item; how many; and which it is."""
    width = len(labels.tagset)
    given = labels.annotators * width + labels.codes
    order = np.lexsort((given, labels.items))
    given, n_of_item = given[order], np.bincount(labels.items, minlength=labels.n_items)
    starts = np.cumsum(n_of_item) - n_of_item
    pattern = np.empty(labels.n_items, dtype=np.int64)
    items, entries, counts, n = [], [], [], 0
    for size in np.unique(n_of_item):
        alike = np.nonzero(n_of_item == size)[0]
        rows = given[starts[alike][:, None] + np.arange(size)]
        found, inverse, count = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
        pattern[alike] = n + inverse.ravel()
        items.append(np.repeat(np.arange(n, n + len(found)), size))
        entries.append(found.ravel())
        counts.append(count)
        n += len(found)
    cells = np.concatenate(entries)
    listed = LabelList(
        np.concatenate(items), cells // width, cells % width, n, labels.annotator_names,
        labels.tagset,
    )  # fmt: skip
    return listed, np.concatenate(counts).astype(np.float64), pattern


class _RightSets:
    """EM over sets of one or two right labels; `right`, `variation` and `error_rates` change."""

    def __init__(
        self,
        labels: LabelList,
        weights: Floats,
        distances: Floats | None,
        exclusive: Sequence[int],
        share: float,
    ) -> None:
        self.weights, self.share = weights, share
        n, width, n_annotators = labels.n_items, len(labels.tagset), len(labels.annotator_names)
        self.labels = labels
        self.cells = labels.items * width + labels.codes
        self.counts = np.bincount(self.cells, minlength=n * width).reshape(n, width)
        self.pairs = _pairs_given(self.counts, exclusive)
        near = np.ones(self.pairs.shape[1])
        if distances is not None:
            near = 1.0 - np.asarray(distances, dtype=np.float64)[self.pairs[0], self.pairs[1]]
        pseudo = np.concatenate([np.ones(width), near])
        self.pseudo = pseudo / pseudo.sum()
        self.prevalence = self._with_share(self.pseudo)
        self.n_labels = np.bincount(labels.annotators, minlength=n_annotators)
        self.rates = np.full(n_annotators, _START)
        self.right = np.full((n, width), 0.5)
        self.variation = np.zeros(n)

    @property
    def error_rates(self) -> Floats:
        return np.where(self.n_labels > 0, self.rates, np.nan)

    def step(self) -> float:
        """One E-step and M-step; the log-likelihood under the parameters before it."""
        labels, (n, width) = self.labels, self.counts.shape
        log_prevalence = np.log(np.maximum(self.prevalence, _SURE))
        wrong = np.log(self.rates)[labels.annotators]
        better = np.bincount(
            self.cells, np.log1p(-self.rates)[labels.annotators] - wrong, n * width
        ).reshape(n, width)
        all_wrong = np.bincount(labels.items, wrong, n)
        n_of_item = self.counts.sum(axis=1)
        first, second = self.pairs
        total, likelihood = np.zeros(len(self.prevalence)), 0.0
        at_once = max(1, _CELLS // len(self.prevalence))
        for start in range(0, n, at_once):
            part = slice(start, start + at_once)
            gain, count = better[part], self.counts[part]
            others = all_wrong[part, None] - n_of_item[part, None] * np.log(max(width - 1, 1))
            single = others + gain + count * np.log(max(width - 1, 1))
            if width == 2:  # both labels are right: no label can be wrong
                both = np.broadcast_to(
                    -n_of_item[part, None] * np.log(2.0), (len(count), len(first))
                )
            else:
                step = np.log((width - 2) / 2)
                both = all_wrong[part, None] - n_of_item[part, None] * np.log(width - 2)
                both = both + (gain + count * step)[:, first] + (gain + count * step)[:, second]
            scores = log_prevalence + np.concatenate([single, both], axis=1)
            highest = scores.max(axis=1, keepdims=True)
            shares = np.exp(scores - highest)
            norm = shares.sum(axis=1, keepdims=True)
            shares /= norm
            is_labelled = n_of_item[part] > 0
            weights = self.weights[part] * is_labelled
            likelihood += float(weights @ (highest + np.log(norm))[:, 0])
            total += weights @ shares
            of_pairs = shares[:, width:]
            self.right[part] = shares[:, :width]
            for code in range(width):
                members = (first == code) | (second == code)
                self.right[part, code] += of_pairs[:, members].sum(axis=1)
            self.variation[part] = of_pairs.sum(axis=1)
        self.prevalence = self._with_share(total + _PSEUDO_ITEMS * self.pseudo)
        self._estimate_rates()
        return likelihood

    def _with_share(self, counts: Floats) -> Floats:
        """Prevalences in which pairs have their share."""
        width = self.counts.shape[1]
        single, pairs = counts[:width], counts[width:]
        if not len(pairs):
            return single / single.sum()
        return np.concatenate(
            [(1 - self.share) * single / single.sum(), self.share * pairs / pairs.sum()]
        )

    def _estimate_rates(self) -> None:
        labels, size = self.labels, len(self.rates)
        weights = self.weights[labels.items]
        is_wrong = weights * (1.0 - self.right.ravel()[self.cells])
        if self.counts.shape[1] == 2:  # where both labels are right, none can be wrong
            weights = weights * (1.0 - self.variation[labels.items])
        errors = np.bincount(labels.annotators, is_wrong, size)
        out_of = np.bincount(labels.annotators, weights, size)
        mean = (errors.sum() + _START * _PSEUDO_MEAN) / (out_of.sum() + _PSEUDO_MEAN)
        rates = (errors + _PSEUDO_LABELS * mean) / (out_of + _PSEUDO_LABELS)
        self.rates = np.clip(rates, 1e-6, 0.5)


def _pairs_given(counts: NDArray[np.int64], exclusive: Sequence[int]) -> Indices:
    """(2, P): the pairs of labels that some item has both of, without those that exclude others."""
    given = (counts > 0).astype(np.float32)
    together = np.triu(given.T @ given, k=1)
    together[list(exclusive)] = together[:, list(exclusive)] = 0
    return np.array(np.nonzero(together > 0), dtype=np.int64)


def verdict_evidence(judgments: Judgments, labels: LabelList) -> Floats:
    """Log-odds, float64 (N, K), that one author's annotation with the label is right, by verdicts.

    EM: an annotation is right or wrong, and each judge accepts right ones and wrong ones at rates
    of their own. Of several authors of a label the best counts. 0 where no peer judged.
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
        of_right = _acceptance(right[of_verdict], judges, accepted, size)
        of_wrong = _acceptance(1 - right[of_verdict], judges, accepted, size)
        evidence = np.where(
            accepted,
            np.log(of_right / of_wrong)[judges],
            np.log((1 - of_right) / (1 - of_wrong))[judges],
        )
        prior = np.clip(right.mean(), _SURE, 1 - _SURE)
        log_odds = np.log(prior / (1 - prior)) + np.bincount(of_verdict, evidence)
        before, right = right, 1 / (1 + np.exp(-log_odds))
        if np.abs(right - before).max() < 1e-8:
            break
    best = np.full(n * width, -np.inf)
    np.maximum.at(best, keys // size, log_odds)
    return np.where(np.isfinite(best), best, 0.0).reshape(n, width)


def _acceptance(
    weights: Floats, judges: Indices, accepted: NDArray[np.bool_], n_judges: int
) -> Floats:
    """Share of verdicts that accept, by judge, drawn to the share of all."""
    yes = np.bincount(judges, weights * accepted, n_judges)
    all_ = np.bincount(judges, weights, n_judges)
    mean = (yes.sum() + 0.5) / (all_.sum() + 1.0)
    return np.asarray((yes + _PSEUDO_VERDICTS * mean) / (all_ + _PSEUDO_VERDICTS))


def _given_by_humans(labels: LabelList) -> NDArray[np.bool_]:
    given = np.zeros((labels.n_items, len(labels.tagset)), dtype=np.bool_)
    roles = labels.roles or (HUMAN,) * len(labels.annotator_names)
    is_human = np.array([role == HUMAN for role in roles], dtype=np.bool_)[labels.annotators]
    given[labels.items[is_human], labels.codes[is_human]] = True
    return given


def _calibrated(
    log_odds: Floats, labels: LabelList, given: NDArray[np.bool_], audit: Audit
) -> Floats:
    """Log-odds after a logistic regression on the labels of audited items.

    Features: the log-odds, and the annotator of labels that only one annotator gave. Normal priors
    of standard deviation 1: slope of the log-odds around 0.5, annotators around 0.
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
        slope = rows.T @ (1 / (1 + np.exp(-linear)) - targets) + precision * shift
        return float(value), slope

    fitted = minimize(loss, centre, jac=True, method="L-BFGS-B").x
    return np.asarray(fitted[0] + fitted[1] * log_odds + alone * fitted[2 + author])


def _logit(shares: Floats) -> Floats:
    inside = np.clip(shares, _SURE, 1 - _SURE)
    return np.log(inside / (1 - inside))
