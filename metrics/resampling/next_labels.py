"""Which labels to collect next: a random share, and the labels that reduce the error most.

The random share is a design fixed by a seed: the items have a random order, and every item has its
own random order of annotators. The share advances along both, a few labels per item; it never looks
at a label. A label that was collected for another reason and is next in
the design belongs to it from then on, and costs nothing. Agreement over the labels of the design is
therefore unbiased, whatever else was collected.

The other labels go to the items of largest error / √n, where the error is 1 − the largest posterior
of a Dawid–Skene model with shrunk error rates and n the number of labels of the item. On each item
the annotator is the one whose label is expected to reduce the entropy of the posterior most.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..agreement.label_matrix import LabelMatrix
from ..arrays import Flags, Floats, Ints
from ..errors import MetricsError
from ..intervals.binomial import clopper_pearson_limits
from ..options import RANDOM_DEPTH, RANDOM_SHARE
from ..references.label_models.dawid_skene import dawid_skene

_MOST_DEPTH = 12  # labels of an item that are tried to narrow the interval of the agreement
_DEEP = 4  # labels of an item that show how more labels on an item pay
_NEVER = np.iinfo(np.uint64).max

Purpose = Literal["random", "informative"]


@dataclass(frozen=True, slots=True)
class NextLabel:
    """One label to collect, or one that was collected and now belongs to the random share.

    item, annotator  rows and columns of the matrix
    purpose          random (of the design) or informative
    probability  random: of this annotator among those whom the item could still get, in (0, 1];
                 informative: 1, as the labels so far decide
    error            1 − the largest posterior of the item before this round; nan without a model
    exists           whether the label was collected before
    """

    item: int
    annotator: int
    purpose: Purpose
    probability: float
    error: float
    exists: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """What a round must keep to.

    random_share   share of the new labels that is assigned at random, in [0, 1]
    random_depth   labels of the design on one item before it goes on to the next item
    per_annotator  largest number of new labels of an annotator; None: no limit
    per_item       largest number of labels of an item in all; None: no limit
    seed           of the design: keep it over the rounds of a campaign
    """

    random_share: float = RANDOM_SHARE
    random_depth: int = RANDOM_DEPTH
    per_annotator: int | None = None
    per_item: int | None = None
    seed: int = 0


def next_labels(
    labels: LabelMatrix,
    budget: int,
    limits: Limits = Limits(),
    *,
    design: Flags | None = None,
    allowed: Flags | None = None,
    strength: float | None = None,
) -> list[NextLabel]:
    """Labels to collect next, the random share first, then by expected reduction of the error.

    Items without a label get a random one before anything else. Fewer than `budget` labels are
    returned where no more are allowed.

    Parameters
    ----------
    labels
        Labels collected so far, N items × A annotators; items may be without a label.
    budget
        Number of new labels, 1 or more.
    limits
        Random share, load of annotators, labels of an item, seed.
    design
        bool (N, A): labels that belong to the random share already. Default: all that exist.
    allowed
        bool (N, A): who may label which item. Default: every annotator may label every item.
    strength
        Labels of each class by which the error rates of an annotator are drawn to those of all
        (`dawid_skene`). Default: one for each category.

    Raises
    ------
    MetricsError
        For a budget below 1, a share outside [0, 1] or a matrix of another shape.
    """
    given = labels.codes >= 0
    round_ = Round(given, budget, limits, design, allowed, labels.items, labels.annotators)
    round_.fill_random_share()
    left = budget - round_.n_new
    if left and limits.random_share < 1 and given.any():
        posterior, rates = class_and_label_posteriors(labels, strength=strength)
        uncertainty = _entropy(rates)  # of an annotator's label on a class, (A, K)

        def gain(item: int, who: Ints) -> Floats:
            expected = np.einsum("k,akl->al", posterior[item], rates[who])
            gains: Floats = _entropy(expected) - uncertainty[who] @ posterior[item]
            return gains

        round_.add_by_error(left, 1 - posterior.max(axis=1), gain)
    return round_.chosen


def next_documents(
    labelled: Flags,
    disorders: Floats,
    budget: int,
    limits: Limits = Limits(),
    *,
    documents: Sequence[str],
    annotators: Sequence[str],
    annotator_disorders: Floats,
    design: Flags | None = None,
    allowed: Flags | None = None,
) -> list[NextLabel]:
    """The same for documents with units: by disorder / √n, from annotators of low disorder.

    Parameters
    ----------
    given
        bool (N, A): which annotator finished which document.
    disorders
        (N,) of the best alignments; nan (one annotator, or none) counts as their mean.
    annotator_disorders
        (A,) mean disorder of the documents of each annotator; nan counts as their mean.
    """
    round_ = Round(labelled, budget, limits, design, allowed, documents, annotators)
    round_.fill_random_share()
    left = budget - round_.n_new
    if left and limits.random_share < 1:
        of_annotators = _without_nan(annotator_disorders)
        round_.add_by_error(left, _without_nan(disorders), lambda _, who: -of_annotators[who])
    return round_.chosen


def next_for_agreement(
    labelled: Flags,
    budget: int,
    limits: Limits = Limits(),
    *,
    items: Sequence[str],
    annotators: Sequence[str],
    variance: Callable[[Ints], float] | None,
    design: Flags | None = None,
    allowed: Flags | None = None,
    n_deep: int = 20,
) -> list[NextLabel]:
    """Labels that narrow the interval of the agreement most, all of them assigned at random.

    Items that have labels of the design come first, as one more label gives them a pair, then new
    items, in random order. Each gets the number of labels with which the variance after the round
    is smallest; of equally good numbers the smallest.

    variance  (N,) labels of the design on each item → variance of the agreement; None where it is
              unknown: `random_depth` labels on each item
    n_deep    items that are to have four labels, as only these show how labels of an item vary; up
              to a quarter of the round is spent on them
    """

    def filled(depth: int) -> Round:
        round_ = Round(labelled, budget, limits, design, allowed, items, annotators)
        missing = n_deep - int((round_.design.sum(axis=1) >= _DEEP).sum())
        if missing > 0:
            round_.add_random_labels(
                min(budget // 4, missing * (_DEEP - 1)), _DEEP, started_first=True
            )
        round_.add_random_labels(budget, depth, started_first=True)
        return round_

    if variance is None:
        return filled(limits.random_depth).chosen
    most = min(len(annotators), limits.per_item or len(annotators), _MOST_DEPTH)
    rounds = [filled(depth) for depth in range(2, max(most, 2) + 1)]
    return min(rounds, key=lambda one: variance(one.design.sum(axis=1))).chosen


def _without_nan(values: Floats) -> Floats:
    known = values[~np.isnan(values)]
    return np.where(np.isnan(values), known.mean() if known.size else 1.0, values)


def class_and_label_posteriors(
    labels: LabelMatrix, *, strength: float | None = None
) -> tuple[Floats, Floats]:
    """P(class) of every item, (N, K), and P(label | class) of every annotator, (A, K, K).

    Of the Dawid–Skene model with shrunk error rates (`strength` as in `next_labels`). Items without
    a label have the prevalences; annotators without one have the error rates of all annotators
    together. With one category all probabilities are 1.
    """
    if len(labels.tagset) == 1:
        return np.ones((labels.n_items, 1)), np.ones((labels.n_annotators, 1, 1))
    strength = len(labels.tagset) if strength is None else strength
    fit = dawid_skene(labels, strength=strength, max_rounds=40, tolerance=1e-5)
    posterior = np.where(np.isnan(fit.posterior), fit.prevalence, fit.posterior)
    return posterior, fit.parameters["rates"]


@dataclass(frozen=True, slots=True)
class RandomOrder:
    """The design of the random share: keys of cells (N, A) and of items (N,), smallest first."""

    cells: NDArray[np.uint64]
    items: NDArray[np.uint64]


def random_order(items: Sequence[str], annotators: Sequence[str], seed: int) -> RandomOrder:
    """A random order of the annotators on each item, and of the items: the same for equal names."""
    of_items, of_annotators = _hashes(items), _hashes(annotators)
    start = _mix_bits(np.array([seed], np.uint64))
    mixed_items = _mix_bits(of_items ^ start)
    return RandomOrder(
        _mix_bits(mixed_items[:, None] + _mix_bits(of_annotators)[None, :]), _mix_bits(mixed_items)
    )


def _hashes(names: Sequence[str]) -> NDArray[np.uint64]:
    digests = b"".join(blake2b(name.encode(), digest_size=8).digest() for name in names)
    return np.frombuffer(digests, np.uint64)


def _mix_bits(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64 (Steele, Lea & Flood 2014): a bijection that looks random."""
    with np.errstate(over="ignore"):
        values = values + np.uint64(0x9E3779B97F4A7C15)
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed: NDArray[np.uint64] = values ^ (values >> np.uint64(31))
    return mixed


class Round:
    """What is collected and allowed while a round is filled."""

    def __init__(
        self,
        given: Flags,
        budget: int,
        limits: Limits,
        design: Flags | None,
        allowed: Flags | None,
        items: Sequence[str],
        annotators: Sequence[str],
    ) -> None:
        if budget < 1:
            raise MetricsError(f"budget is {budget}; it must be 1 or more")
        if not 0 <= limits.random_share <= 1:
            raise MetricsError(f"random_share is {limits.random_share:g}; it must lie in 0..1")
        for name, cells in (("design", design), ("allowed", allowed)):
            if cells is not None and cells.shape != given.shape:
                raise MetricsError(f"{name} has shape {cells.shape}; the labels have {given.shape}")
        self.budget, self.limits = budget, limits
        self.given = given.copy()
        self.design = given.copy() if design is None else design & given
        self.allowed = np.ones(given.shape, np.bool_) if allowed is None else allowed
        self.order = random_order(items, annotators, limits.seed)
        self.n_labels = given.sum(axis=1)
        self.most_of_item = given.shape[1] if limits.per_item is None else limits.per_item
        no_limit = np.iinfo(np.int64).max
        capacity = no_limit if limits.per_annotator is None else limits.per_annotator
        self.left = np.full(given.shape[1], capacity, np.int64)
        self.chosen: list[NextLabel] = []
        self.n_new = 0

    def fill_random_share(self) -> None:
        """A random label for each item without one, then the random share of what is left."""
        first = min(self.budget, int((self.n_labels == 0).sum()))
        self.label_new_items(first)
        share = round((self.budget - first) * self.limits.random_share)
        self.add_random_labels(first + share, self.limits.random_depth)

    def add_random_labels(self, n: int, depth: int, *, started_first: bool = False) -> None:
        """Advance the random share until it has n new labels, or nothing is left to draw.

        Items in their random order get `depth` labels of the design each; then all get one more,
        and so on. started_first: items with more labels of the design first.
        """
        exhausted = np.zeros(len(self.given), np.bool_)
        for most in range(depth, max(self.given.shape[1], depth) + 1):
            counts = self.design.sum(axis=1)
            short = np.flatnonzero((counts < most) & ~exhausted)
            first = -counts[short] if started_first else np.zeros_like(short)
            for item in short[np.lexsort((self.order.items[short], first))].tolist():
                for _ in range(most - int(counts[item])):
                    if self.n_new >= n:
                        return
                    if not self._assign_designed(item):
                        exhausted[item] = True
                        break

    def label_new_items(self, n: int) -> None:
        """A random label for each item without one, up to n of them."""
        unlabelled = np.flatnonzero(self.n_labels == 0)
        for item in unlabelled[np.argsort(self.order.items[unlabelled], kind="stable")].tolist():
            if self.n_new >= n:
                return
            self._assign_designed(item)

    def _assign_designed(self, item: int) -> bool:
        """The next annotator of the design on this item; whether there is one."""
        room = self.n_labels[item] < self.most_of_item
        possible = self.allowed[item] & ~self.design[item]
        possible &= self.given[item] | ((self.left > 0) & room)
        n_possible = int(possible.sum())
        if not n_possible:
            return False
        annotator = int(np.where(possible, self.order.cells[item], _NEVER).argmin())
        self.design[item, annotator] = True
        self._add_label(item, annotator, "random", 1 / n_possible, float("nan"))
        return True

    def add_by_error(
        self,
        n: int,
        error: Floats,
        gain: Callable[[int, Ints], Floats],
    ) -> None:
        """Add n labels by error / √(number of labels), each from the annotator of largest gain."""

        def priority(item: int) -> float:
            return float(-error[item] / np.sqrt(max(self.n_labels[item], 1)))

        keys = self.order.items.tolist()
        queue = [(priority(item), keys[item], item) for item in range(len(error))]
        heapq.heapify(queue)
        while n and queue:
            _, key, item = heapq.heappop(queue)
            possible = self.allowed[item] & ~self.given[item] & (self.left > 0)
            if not possible.any() or self.n_labels[item] >= self.most_of_item:
                continue
            who = np.flatnonzero(possible)
            best = int(who[np.lexsort((self.order.cells[item, who], -gain(item, who)))[0]])
            self._add_label(item, best, "informative", 1.0, float(error[item]))
            n -= 1
            heapq.heappush(queue, (priority(item), key, item))

    def _add_label(
        self, item: int, annotator: int, purpose: Purpose, probability: float, error: float
    ) -> None:
        exists = bool(self.given[item, annotator])
        self.chosen.append(NextLabel(item, annotator, purpose, probability, error, exists))
        if not exists:
            self.given[item, annotator] = True
            self.n_labels[item] += 1
            self.left[annotator] -= 1
            self.n_new += 1


def _entropy(shares: Floats) -> Floats:
    """Of distributions along the last axis, in nats."""
    logs = np.log(np.maximum(shares, 1e-300))
    entropy: Floats = -(shares * logs).sum(axis=-1)
    return entropy


def consensus_error_limit(n_wrong: int, n_audited: int, *, level: float = 0.95) -> float:
    """Upper Clopper–Pearson limit of a consensus' error, from a random audit against gold labels.

    One-sided: the error is below it in at least `level` of all audits. 1 without an audited item.
    A model's own posteriors promise less error than there is, so nothing else is ever promised.

    Raises MetricsError for impossible counts. Source: Clopper & Pearson (1934).

    >>> round(consensus_error_limit(5, 100), 4)
    0.1023
    """
    if not 0 <= n_wrong <= n_audited:
        raise MetricsError(f"{n_wrong} wrong of {n_audited} audited items is impossible")
    if not n_audited:
        return 1.0
    return clopper_pearson_limits(n_wrong, n_audited, 2 * level - 1)[1]
