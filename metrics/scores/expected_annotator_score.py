"""Expected score of other annotators, to compare a system's score with.

Each item's labels are split at random into two halves, and one half is scored against the other,
like a system. Halves differ more than all annotators together; how much more follows from the
Dirichlet-multinomial fitted to the labels (`metrics.dirichlet_multinomial`):

    other annotators = mean over splits · expected score of groups of full size / of half the size

The accuracy of this estimate for disjoint groups of annotators of public data sets is in
`benchmarks/results/disagreement.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..arrays import Flags, Floats, Ints, divide, shares
from ..dirichlet_multinomial import fit_dirichlet
from ..distribution_scores import DISTRIBUTION_SCORES
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..intervals.evaluate import Resampled
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason, ReasonCode
from ..signature import How
from .score_estimates import estimate_of_counts
from .soft_scores import SoftReference, item_scores

MOST_SPLITS = 40
_LABELS_SPLIT = 4_000_000  # labels in all splits together; with more labels, there are fewer splits
_SIMULATED = 20_000  # minimum number of simulated items for each number of annotators


def expected_annotator_scores(
    reference: SoftReference,
    measures: Sequence[str],
    *,
    distribution: Callable[[Ints], Floats] = shares,
    sampling: Sampling = NO_INTERVALS,
) -> list[Estimate]:
    """Score the same number of other annotators by each measure, with its interval.

    distribution  function from label counts (N, K) to distributions, the same that made the
                  reference

    Items with one label are excluded. The value is nan if no item has two. `detail` has the number
    of splits, and the `growth` from groups of half the size to full ones.
    """
    rng = np.random.default_rng([sampling.seed, 1])
    shared = reference.select_items(reference.counts.sum(axis=1) > 1)
    counts = shared.counts
    n_splits = int(np.clip(_LABELS_SPLIT // max(1, int(counts.sum())), 2, MOST_SPLITS))
    sums = {name: np.zeros(len(counts)) for name in measures}
    for _ in range(n_splits if len(counts) else 0):
        one, other = split_labels_in_halves(counts, rng)
        half = replace(shared, counts=one, probabilities=distribution(one))
        for name in measures:
            sums[name] += item_scores(name, half, distribution(other)) / n_splits
    growth = (
        _growth_with_group_size(shared, measures, distribution, rng)
        if len(counts)
        else dict.fromkeys(measures, 1.0)
    )
    return [
        _estimate(name, shared, sums[name], growth[name], n_splits, sampling) for name in measures
    ]


def split_labels_in_halves(counts: Ints, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Split each item's labels at random into two halves; one label of an odd number is dropped."""
    halves = counts.sum(axis=1) // 2
    items, codes = np.nonzero(counts)
    labels = np.repeat(np.stack([items, codes]), counts[items, codes], axis=1)
    order = np.lexsort((rng.random(labels.shape[1]), labels[0]))
    of_item, of_code = labels[0][order], labels[1][order]
    starts = np.concatenate([[0], np.cumsum(counts.sum(axis=1))[:-1]])
    place = np.arange(of_item.size) - starts[of_item]
    width = counts.shape[1]

    def tally(chosen: Flags) -> Ints:
        flat = of_item[chosen] * width + of_code[chosen]
        return np.bincount(flat, minlength=counts.size).reshape(counts.shape)

    first = place < halves[of_item]
    return tally(first), tally(~first & (place < 2 * halves[of_item]))


def _growth_with_group_size(
    shared: SoftReference,
    measures: Sequence[str],
    distribution: Callable[[Ints], Floats],
    rng: np.random.Generator,
) -> dict[str, float]:
    """Expected score between groups of full size over the score between groups of half the size."""
    prior = fit_dirichlet(shared.counts)
    n_labels = shared.counts.sum(axis=1)
    n_repeats = -(-_SIMULATED // n_labels.size)
    full = np.tile(n_labels, n_repeats)
    drawn = rng.standard_gamma(np.broadcast_to(prior, (full.size, prior.size)))
    drawn[drawn.sum(axis=1) == 0, prior.argmax()] = 1.0
    of_items = drawn / drawn.sum(axis=1, keepdims=True)
    scores: list[dict[str, float]] = []
    for size in (full, full // 2):
        one, other = (rng.multinomial(size, of_items).astype(np.int64) for _ in range(2))
        against = replace(shared, counts=one, probabilities=distribution(one), documents=None)
        scores.append(
            {
                name: float(item_scores(name, against, distribution(other)).sum())
                for name in measures
            }
        )
    return {
        name: scores[0][name] / scores[1][name] if scores[1][name] > 0 else 1.0 for name in measures
    }


def _estimate(
    measure: str,
    shared: SoftReference,
    of_items: Floats,
    growth: float,
    n_splits: int,
    sampling: Sampling = NO_INTERVALS,
) -> Estimate:
    def statistic(sums: Floats) -> Floats:
        return growth * divide(sums[:, 0], sums[:, 1])

    return estimate_of_counts(
        How(measure=measure, annotators="split halves", splits=n_splits),
        shared.sums_by_document(of_items),
        Resampled(statistic, within=(0.0, DISTRIBUTION_SCORES[measure].maximum)),
        reason=Reason(ReasonCode.NO_PAIRED_ITEM),
        n_items=of_items.size,
        detail=Detail(n_splits=n_splits, growth=growth),
        rows=shared.drawn,
        sampling=sampling,
    )
