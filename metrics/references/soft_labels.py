"""References that are distributions: the share of annotators for each category of an item.

| rule | distribution of an item |
|---|---|
| votes | shares of its labels |
| dirichlet | its labels, shrunk to the labels of all items (Dirichlet-multinomial, by likelihood) |
| dawid_skene | posterior of its one true category (Dawid & Skene 1979) |

`votes` and `dirichlet` predict the labels of annotators, `dawid_skene` the true label: if two
annotators in a hundred differ, this is variation for the first two rules, and error for the last.

The quality of these predictions is measured on held-out annotators: mean log-loss of their labels,
and the share of labels that were given in each tenth of predicted probability (reliability diagram;
Murphy & Winkler 1977; for all categories, Kull et al. 2019).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import get_args

import numpy as np

from ..agreement.label_matrix import LabelMatrix
from ..arrays import Floats, Ints, shares
from ..bootstrap import ratio_of_sums
from ..dirichlet_multinomial import fit_dirichlet, posterior_means
from ..distribution_scores import entropy
from ..errors import MetricsError
from ..estimate import NO_INTERVAL
from ..intervals.evaluate import Resampled, evaluate
from ..options import NO_INTERVALS, Sampling, SoftRule
from ..reliability_bins import reliability_bins
from ..results import SoftReference
from .further_annotator import hold_out_annotators, labels_of_classes
from .label_list import LabelList
from .label_models.dawid_skene import dawid_skene
from .label_reference import require_humans

SOFT_RULES: tuple[SoftRule, ...] = get_args(SoftRule)


@dataclass(frozen=True, slots=True)
class SoftLabels:
    """A distribution over the tagset for each item.

    probabilities  float64 (N, K), rows sum to 1; nan for items without a label
    n_labels       int64 (N,): labels that an item has
    """

    probabilities: Floats
    n_labels: Ints
    tagset: tuple[str, ...]
    rule: SoftRule
    items: tuple[str, ...] = ()

    @property
    def mean_entropy(self) -> float:
        """Mean entropy of the items with a label, in bits; nan without one."""
        given = self.probabilities[self.n_labels > 0]
        if not len(given):
            return float("nan")
        return float(entropy(given).mean())


def soft_labels(matrix: LabelMatrix, rule: SoftRule = "votes") -> SoftLabels:
    """Return the distribution of each item under a rule.

    Raises MetricsError for an unknown rule and for labels to which a model cannot be fitted,
    RoleError if an annotator is not human.

    >>> codes = np.array([[0, 0, 1], [1, 1, 1], [0, 0, -1]])
    >>> matrix = LabelMatrix(codes=codes, tagset=("no", "yes"), annotators=("a", "b", "c"))
    >>> soft_labels(matrix).probabilities.round(2).tolist()
    [[0.67, 0.33], [0.0, 1.0], [1.0, 0.0]]
    """
    if rule not in SOFT_RULES:
        raise MetricsError(f"rule is {rule!r}; it must be one of {', '.join(SOFT_RULES)}")
    require_humans(matrix.annotators, matrix.roles, rule)
    counts = matrix.counts()
    n_labels = counts.sum(axis=1)
    if rule == "dawid_skene":
        found = dawid_skene(matrix).posterior
    elif rule == "dirichlet":
        found = posterior_means(counts, fit_dirichlet(counts))
    else:
        found = shares(counts)
    found = np.where(n_labels[:, None] > 0, found, np.nan)
    return SoftLabels(found, n_labels, matrix.tagset, rule, tuple(matrix.items))


def held_out_fit(
    matrix: LabelMatrix, rule: SoftRule = "votes", sampling: Sampling = NO_INTERVALS
) -> SoftReference:
    """Log-loss and calibration on held-out annotators, as `hold_out_annotators` does.

    The items and their entropy are not counted.

    With `dawid_skene`, the posterior is combined with the pooled error rates of the other
    annotators. Only items that others labelled count. Values are nan if no item has two labels.
    Raises as `soft_labels`.
    """
    require_humans(matrix.annotators, matrix.roles, rule)
    held_out = hold_out_annotators(
        matrix, lambda rest: _of_further_annotator(rest, rule), seed=sampling.seed
    )
    rows, predicted, codes = held_out.items, held_out.predicted, held_out.codes
    if not rows.size:
        return SoftReference(rule, level=sampling.confidence_level)
    loss = -np.log(held_out.of_given)
    homes = rows if matrix.documents_to_resample is None else matrix.documents_to_resample[rows]
    units = np.unique(homes, return_inverse=True)[1]
    counts = np.stack([np.bincount(units, weights=loss), np.bincount(units)], axis=1)
    [mean_loss] = evaluate(counts, [Resampled(ratio_of_sums, within=(0.0, math.inf))], sampling)
    given = np.zeros(predicted.shape, dtype=bool)
    given[np.arange(codes.size), codes] = True
    bins = reliability_bins(predicted.ravel(), given.ravel(), sampling.confidence_level)
    return SoftReference(
        rule,
        log_loss=float(loss.mean()),
        interval=NO_INTERVAL if mean_loss.interval is None else mean_loss.interval.bounds,
        level=sampling.confidence_level,
        baseline=float(-np.log(held_out.overall[np.arange(rows.size), codes]).mean()),
        calibration_error=sum(one.n * abs(one.predicted - one.observed) for one in bins)
        / sum(one.n for one in bins),
        bins=bins,
        n_labels=int(rows.size),
    )


def _of_further_annotator(matrix: LabelMatrix, rule: SoftRule) -> Floats:
    """Predict the label of a further annotator like these, float64 (N, K)."""
    soft = soft_labels(matrix, rule).probabilities
    if rule != "dawid_skene":
        return soft
    return labels_of_classes(LabelList.from_labels(matrix, rule=rule), soft)
