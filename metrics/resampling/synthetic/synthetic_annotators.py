"""Synthetic annotators who err like real ones, more or less often (Brégeon 2018, 3.3).

From a real campaign the profile has, for each item, the majority label, p1 (the share of annotators
with another label) and the wrong labels that occurred. A synthetic annotator makes a share p2 of
errors, drawn in an interval; errors are assigned to items with a probability proportional to p1 (or
to p1 ** influence), without replacement. Thus one real campaign gives campaigns of any agreement,
in which difficult items remain difficult.

Three older generators, kept for comparison, start from perfect agreement and replace some
annotations by a category drawn from the whole tagset (including the right one): annotations in
random order, annotator by annotator, item by item. They do not use p1. Other packages
add generators (`metrics.resampling.study_plugins`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, TypeAlias, get_args

import numpy as np

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Floats, Ints, Ints32
from ...errors import MetricsError
from ...options import Ties
from ..majority import majority_shares, scale_positions

Spread: TypeAlias = Literal["equal", "independent", "widest"]
WrongClass: TypeAlias = Literal["uniform", "observed"]
_LAST = 1e200  # items with p1 = 0 come after all others, in random order


@dataclass(frozen=True, slots=True)
class ItemProfile:
    """Input of synthetic annotators. N items, K categories.

    reference  int64 (N,): majority label
    p1         float64 (N,) in [0, 1]: share of labels that differ from the majority
    wrong      float64 (N, K): share of each wrong label among the item's errors; a row of 0 without
               errors
    n_left_out items without a label, or without a majority under `abstain`
    """

    reference: Ints
    p1: Floats
    wrong: Floats
    tagset: tuple[str, ...]
    n_left_out: int = 0

    def __post_init__(self) -> None:
        n_items, n_categories = self.reference.shape[0], len(self.tagset)
        if self.p1.shape != (n_items,) or self.wrong.shape != (n_items, n_categories):
            raise MetricsError(
                f"a profile of {n_items} items and {n_categories} categories needs p1 of shape "
                f"({n_items},) and wrong of shape ({n_items}, {n_categories}); found "
                f"{self.p1.shape} and {self.wrong.shape}"
            )
        if n_items == 0 or n_categories < 2:
            raise MetricsError("a profile needs at least one item and two categories")
        if not ((self.p1 >= 0) & (self.p1 <= 1)).all():
            raise MetricsError("p1 holds shares of annotators: every value must lie in [0, 1]")


@dataclass(frozen=True, slots=True)
class LabelGenerator:
    """How a campaign of synthetic annotators is drawn.

    labels  of a profile of N items, n annotators, a share of errors in [0, 1] and a generator of
            random numbers: codes int32 (N, n). None: `p1`
    """

    name: str
    labels: Callable[[ItemProfile, int, float, np.random.Generator], Ints32] | None = None


@dataclass(frozen=True, slots=True)
class Synthesis:
    """How synthetic annotators are generated.

    n_annotators  number of annotators (9 in the report)
    generator     `p1`, one of the older three, or one of a plugin
    p2            interval of the error share of an annotator (for the older generators, of the
                  share of annotations redrawn); None: from 0 to `error_share_by_chance`
    spread        `equal`: one p2 per campaign, all annotators alike; `independent`: each annotator
                  draws in the interval; `widest`: the campaign's mean is drawn in the interval,
                  each annotator in the widest interval around it (0 to 60 % for a mean of 30 %)
    wrong_class   `uniform` over the other categories, or `observed`: as on this item (uniform for
                  items without errors)
    influence     exponent of p1: 1 proportional, 0 none, 2 stronger
    """

    n_annotators: int = 9
    generator: str = "p1"
    p2: tuple[float, float] | None = None
    spread: Spread = "equal"
    wrong_class: WrongClass = "uniform"
    influence: float = 1.0

    def __post_init__(self) -> None:
        for name, allowed in (
            ("generator", tuple(GENERATORS)),
            ("spread", get_args(Spread)),
            ("wrong_class", get_args(WrongClass)),
        ):
            if getattr(self, name) not in allowed:
                raise MetricsError(
                    f"{name} is {getattr(self, name)!r}; it must be one of {', '.join(allowed)}"
                )
        if self.n_annotators < 2:
            raise MetricsError(f"n_annotators is {self.n_annotators}; it must be 2 or more")
        if self.p2 is not None and not 0 <= self.p2[0] <= self.p2[1] <= 1:
            raise MetricsError(f"p2 is {self.p2}; it must be an interval within [0, 1]")
        if not self.influence >= 0:
            raise MetricsError(f"influence is {self.influence}; it must be 0 or more")


def item_profile(
    matrix: LabelMatrix,
    *,
    ties: Ties = "random",
    values: Floats | None = None,
    ordered: bool = False,
    seed: int = 0,
) -> ItemProfile:
    """Build the profile of a real campaign; `random` ties are drawn once, by `seed`.

    Raises MetricsError if no item has a majority label.
    """
    matrix.require_humans("the profile of a campaign")
    positions = scale_positions(len(matrix.tagset), ties=ties, values=values, ordered=ordered)
    counts = matrix.counts()
    shares = majority_shares(counts, ties=ties, values=positions)
    kept = shares.sum(axis=1) > 0
    if not kept.any():
        raise MetricsError("no item has a majority label, so no profile can be estimated")
    counts, shares = counts[kept], shares[kept]
    drawn = np.random.default_rng(seed).random((counts.shape[0], 1))
    reference = np.minimum((np.cumsum(shares, axis=1) <= drawn).sum(axis=1), len(matrix.tagset) - 1)
    rows = np.arange(counts.shape[0])
    wrong = counts.astype(np.float64)
    wrong[rows, reference] = 0.0
    n_wrong = wrong.sum(axis=1)
    return ItemProfile(
        reference=reference.astype(np.int64),
        p1=n_wrong / counts.sum(axis=1),
        wrong=wrong / np.maximum(n_wrong, 1.0)[:, None],
        tagset=matrix.tagset,
        n_left_out=int((~kept).sum()),
    )


def error_share_by_chance(profile: ItemProfile, synthesis: Synthesis) -> float:
    """Return the error share p2 at which items with errors are labelled as if at random.

    It is (K - 1)/K of the items that can have errors; with p1, these are the contested items. More
    errors would make annotators agree again, because all would err on the same items, and then on
    uncontested items.
    """
    contested = float((profile.p1 > 0).mean())
    if synthesis.generator != "p1" or synthesis.influence == 0 or contested == 0:
        contested = 1.0
    return contested * (len(profile.tagset) - 1) / len(profile.tagset)


def set_unanimous_share(profile: ItemProfile, share: float, *, seed: int = 0) -> ItemProfile:
    """Set the share of items without errors, keeping the mean of p1 (up to p1 = 1).

    The report found that the share of unanimous items matters. The least contested items become
    unanimous; if the p1 of the others reaches 1, the mean falls.
    """
    if not 0 <= share <= 1:
        raise MetricsError(f"share is {share}; it must lie in [0, 1]")
    n_items = profile.p1.size
    shuffled = np.random.default_rng(seed).permutation(n_items)
    order = shuffled[np.argsort(profile.p1[shuffled], kind="stable")]
    p1 = profile.p1.copy()
    p1[order[: round(share * n_items)]] = 0.0
    rest = p1.sum()
    if rest > 0:
        p1 = np.minimum(p1 * profile.p1.sum() / rest, 1.0)
    return replace(profile, p1=p1)


def pool_errors_by_category(profile: ItemProfile) -> ItemProfile:
    """Pool the wrong labels of each majority category over its items.

    With few annotators an item has one or two wrong labels. With pooled errors, annotators still
    confuse mainly similar categories, so that a coefficient with a distance is reached at the
    campaign's own share of errors. A category without errors has no shares to pool, so its errors
    are uniform.
    """
    errors = profile.wrong * profile.p1[:, None]
    pooled = np.zeros((len(profile.tagset), len(profile.tagset)))
    np.add.at(pooled, profile.reference, errors)
    total = pooled.sum(axis=1, keepdims=True)
    pooled = np.divide(pooled, total, out=np.zeros_like(pooled), where=total > 0)
    return replace(profile, wrong=pooled[profile.reference])


def synthetic_labels(
    profile: ItemProfile, synthesis: Synthesis, rng: np.random.Generator
) -> Ints32:
    """Draw one synthetic campaign, codes int32 (N, n)."""
    low, high = synthesis.p2 or (0.0, error_share_by_chance(profile, synthesis))
    drawn = GENERATORS[synthesis.generator].labels
    if drawn is not None:
        return drawn(profile, synthesis.n_annotators, float(rng.uniform(low, high)), rng)
    shares = _error_shares(synthesis, low, high, rng)
    return DrawnErrors.draw(profile, synthesis, rng).labels(shares)


@dataclass(frozen=True, slots=True)
class DrawnErrors:
    """What is drawn for n annotators and N items whatever their share of errors.

    place  int64 (n, N): the order in which the items of an annotator get an error
    wrong  int64 (n, N): the label of the item if it has one
    right  int64 (N,)
    """

    place: Ints
    wrong: Ints
    right: Ints

    @classmethod
    def draw(
        cls, profile: ItemProfile, synthesis: Synthesis, rng: np.random.Generator
    ) -> DrawnErrors:
        n_items, n = profile.reference.size, synthesis.n_annotators
        # Successive draws without replacement, item i with weight w_i, are the smallest of
        # E_i / w_i with E_i exponential (Efraimidis & Spirakis 2006).
        weight = profile.p1**synthesis.influence
        slowness = np.divide(1.0, weight, out=np.full(n_items, _LAST), where=weight > 0)
        keys = rng.exponential(size=(n, n_items)) * slowness
        place = np.empty((n, n_items), dtype=np.int64)
        np.put_along_axis(place, np.argsort(keys, axis=1), np.arange(n_items)[None, :], axis=1)
        return cls(place, _wrong_labels(profile, synthesis, rng), profile.reference)

    def labels(self, shares: Floats) -> Ints32:
        """Return the labels where the annotators err on these shares of the items, int32 (N, n)."""
        n_errors = np.rint(shares * self.right.size).astype(np.int64)
        codes = np.where(self.place < n_errors[:, None], self.wrong, self.right[None, :])
        return np.ascontiguousarray(codes.T, dtype=np.int32)


def _error_shares(
    synthesis: Synthesis, low: float, high: float, rng: np.random.Generator
) -> Floats:
    n = synthesis.n_annotators
    if synthesis.spread == "independent":
        return rng.uniform(low, high, size=n)
    mean = float(rng.uniform(low, high))
    if synthesis.spread == "equal":
        return np.full(n, mean)
    return rng.uniform(max(0.0, 2 * mean - 1), min(1.0, 2 * mean), size=n)


def _wrong_labels(profile: ItemProfile, synthesis: Synthesis, rng: np.random.Generator) -> Ints:
    """Draw a wrong label for every annotator and item, int64 (n, N)."""
    n_items, n_categories = profile.wrong.shape
    drawn = rng.random((synthesis.n_annotators, n_items))
    other = np.minimum((drawn * (n_categories - 1)).astype(np.int64), n_categories - 2)
    uniform = other + (other >= profile.reference)
    if synthesis.wrong_class == "uniform":
        return uniform
    bounds = np.cumsum(profile.wrong, axis=1)
    observed = (bounds[None, :, :] <= drawn[:, :, None]).sum(axis=2)
    last_seen = n_categories - 1 - np.argmax(profile.wrong[:, ::-1] > 0, axis=1)
    seen = profile.wrong.sum(axis=1) > 0
    return np.where(seen, np.minimum(observed, last_seen), uniform)


def _redrawn_labels(
    order: str, profile: ItemProfile, n: int, share: float, rng: np.random.Generator
) -> Ints32:
    """Perfect agreement with a share of annotations drawn again from the whole tagset."""
    n_items = profile.reference.size
    codes = np.tile(profile.reference[:, None], (1, n)).astype(np.int32)
    cells = np.arange(n_items * n)  # item by item
    if order == "annotator_by_annotator":
        cells = cells.reshape(n_items, n).T.reshape(-1)
    elif order == "random_order":
        cells = rng.permutation(cells)
    chosen = cells[: round(share * cells.size)]
    codes.reshape(-1)[chosen] = rng.integers(0, len(profile.tagset), size=chosen.size)
    return codes


_OLDER = ("random_order", "annotator_by_annotator", "item_by_item")
GENERATORS: dict[str, LabelGenerator] = {"p1": LabelGenerator("p1")}
GENERATORS |= {name: LabelGenerator(name, partial(_redrawn_labels, name)) for name in _OLDER}
