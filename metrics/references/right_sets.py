"""EM over the sets of right labels of items: one label, or two that are both right.

Given the set, annotator a gives one of its labels, each equally likely, with probability 1 − ε_a,
else one of the others. The share of items with two right labels is averaged over several values,
because few annotators do not determine it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints, Number, distinct_rows
from .label_list import LabelList
from .label_models.model_reference import maximise

_START = 0.1  # initial error rate
_PSEUDO_LABELS = 5.0  # weight, in labels, of the mean rate in an annotator's error rate
_PSEUDO_MEAN = 20.0  # weight, in labels, of _START in this mean
_SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8)  # shares of such items
_PRIOR_VARIATION = 3.0  # prior of this share: the density of Beta(1, 4), with mean .2
_PSEUDO_ITEMS = 10.0  # weight, in items, of equal prevalences
_WIDEST = 600.0  # difference of log-likelihoods whose exponentials can be multiplied
_SURE = 1e-9


@dataclass(slots=True)
class RightSetsFit:
    """Estimates for the items and annotators.

    right        float64 (N, K): probability that the label is right
    variation    float64 (N,): probability that two labels are right
    error_rates  float64 (A,); nan for an annotator without a label
    converged    whether every fit converged
    """

    right: Floats
    variation: Floats
    error_rates: Floats
    converged: bool


def fit_right_sets(
    labels: LabelList,
    distances: Floats | None,
    exclusive: Sequence[int],
    *,
    max_rounds: int,
    tolerance: float,
) -> RightSetsFit:
    """Average the fits for each share of items with variation, weighted by their likelihoods.

    With three annotators, errors and variation are hard to distinguish: a single best share would
    be a matter of chance.
    """
    n_labels = len(labels)
    labels, weights_of_items, pattern = distinct_label_patterns(labels)
    fits, likelihoods, converged = [], [], []
    for share in _SHARES:
        fit = RightSets(labels, weights_of_items, distances, exclusive, share)
        objective, is_done = maximise(
            fit.step, max_rounds=max_rounds, tolerance=tolerance, n_labels=max(n_labels, 1)
        )
        fits.append(fit)
        likelihoods.append(objective[-1])
        converged.append(is_done)
    log_weights = np.array(likelihoods) + _PRIOR_VARIATION * np.log1p(-np.array(_SHARES))
    weights = np.exp(log_weights - log_weights.max())
    weights /= weights.sum()
    return RightSetsFit(
        sum(weight * fit.right for weight, fit in zip(weights, fits, strict=True))[pattern],
        sum(weight * fit.variation for weight, fit in zip(weights, fits, strict=True))[pattern],
        sum(weight * fit.error_rates for weight, fit in zip(weights, fits, strict=True)),
        all(converged),
    )


def distinct_label_patterns(labels: LabelList) -> tuple[LabelList, Floats, Ints]:
    """Return the distinct items, their frequencies float64 (P,), and the index of each item, (N,).

    Items are equal if the same annotators gave the same labels.
    """
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
        found, inverse, count = distinct_rows(rows)
        pattern[alike] = n + inverse
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


class RightSets:
    """EM over sets of one or two right labels; updates `right`, `variation` and `error_rates`."""

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
        self.n_of_item = self.counts.sum(axis=1)
        self.pairs = _co_occurring_pairs(self.counts, exclusive)
        near = np.ones(self.pairs.shape[1])
        if distances is not None:
            far = np.asarray(distances, dtype=np.float64)[self.pairs[0], self.pairs[1]]
            near = 1.0 - far / 2
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
        """Run one E-step and M-step; return the log-likelihood under the previous parameters."""
        labels, (n, width) = self.labels, self.counts.shape
        wrong = np.log(self.rates)[labels.annotators]
        right = np.log1p(-self.rates)[labels.annotators]
        gain = np.bincount(self.cells, right - wrong, n * width).reshape(n, width)
        all_wrong = np.bincount(labels.items, wrong, n)
        priors = np.maximum(self.prevalence, _SURE)
        n_other = self.counts - self.n_of_item[:, None]
        single = all_wrong[:, None] + gain + n_other * np.log(width - 1) + np.log(priors[:width])
        best_pair, members = self._scores_of_pairs(gain, all_wrong)
        highest = np.maximum(single.max(axis=1), best_pair)
        alone = np.exp(single - highest[:, None])
        # The share of a pair is a product, so that sums over pairs are products of matrices.
        member, scale = np.exp(members), np.exp(best_pair - highest)
        prior_of_pair = np.zeros((width, width))
        prior_of_pair[tuple(self.pairs)] = priors[width:]
        one_of_two = scale[:, None] * member * (member @ (prior_of_pair + prior_of_pair.T))
        both = one_of_two.sum(axis=1) / 2
        norm = alone.sum(axis=1) + both
        self.right = (alone + one_of_two) / norm[:, None]
        self.variation = both / norm
        weights = self.weights * (self.n_of_item > 0)
        per_unit = weights / norm
        together = (member * (per_unit * scale)[:, None]).T @ member * prior_of_pair
        total = np.concatenate([per_unit @ alone, together[tuple(self.pairs)]])
        self.prevalence = self._with_share(total + _PSEUDO_ITEMS * self.pseudo)
        self._estimate_rates()
        return float(weights @ (highest + np.log(norm)))

    def _scores_of_pairs(
        self, gain: NDArray[Number], all_wrong: NDArray[Number]
    ) -> tuple[Floats, Floats]:
        """Return the log-likelihood of the best pair (N,), and what each member adds to it (N, K).

        The log-likelihood of two right labels is the sum of three: of the best pair and of both.
        """
        width = gain.shape[1]
        if width == 2:  # if both labels are right, no label can be wrong
            return -self.n_of_item * np.log(2.0), np.zeros(gain.shape)
        members = gain + self.counts * np.log((width - 2) / 2)
        best = np.partition(members, width - 2, axis=1)[:, width - 2 :]
        # Where more than 40 labels agree, the probability of a pair is below 1e-12 without them.
        best[:, 1] = np.minimum(best[:, 1], best[:, 0] + _WIDEST)
        members = np.minimum(members, best[:, 1:]) - best.mean(axis=1, keepdims=True)
        return all_wrong - self.n_of_item * np.log(width - 2) + best.sum(axis=1), members

    def _with_share(self, counts: Floats) -> Floats:
        """Scale prevalences so that the pairs have their total share."""
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
        if self.counts.shape[1] == 2:  # if both labels are right, none can be wrong
            weights = weights * (1.0 - self.variation[labels.items])
        errors = np.bincount(labels.annotators, is_wrong, size)
        out_of = np.bincount(labels.annotators, weights, size)
        mean = (errors.sum() + _START * _PSEUDO_MEAN) / (out_of.sum() + _PSEUDO_MEAN)
        rates = (errors + _PSEUDO_LABELS * mean) / (out_of + _PSEUDO_LABELS)
        self.rates = np.clip(rates, 1e-6, 0.5)


def _co_occurring_pairs(counts: Ints, exclusive: Sequence[int]) -> Ints:
    """(2, P): the pairs of labels that occur on the same item, without exclusive labels."""
    given = (counts > 0).astype(np.float32)
    together = np.triu(given.T @ given, k=1)
    together[list(exclusive)] = together[:, list(exclusive)] = 0
    return np.array(np.nonzero(together > 0), dtype=np.int64)
