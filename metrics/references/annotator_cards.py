"""A card for each annotator: their labels beside those of the others, without their own vote.

The values are additive over units (documents; items without documents), and `intervals.evaluate`
gives their intervals. The difference from the others compares, item by item, with what the other
annotators reach among themselves, so it does not depend on which items an annotator labelled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..annotator_card import (
    FEWEST,
    LEVEL,
    AnnotatorCard,
    CardBatch,
    CardCategory,
    CardDirection,
    CardPlace,
    CardValue,
    Quantity,
)
from ..arrays import Flags, Floats, Ints
from ..intervals.evaluate import Mean, Share, evaluate, ratio_of_columns
from ..intervals.interval import Interval, symmetric_interval
from ..intervals.share_and_rate_intervals import ratio_over_units
from ..options import Sampling
from .card_directions import clear_differences, directions_of_annotators
from .card_trends import trend_p_values
from .differences_from_others import SystematicDifference, systematic_differences
from .equal_annotators import equality_p_values
from .label_list import LabelList
from .other_labels import NO_DECISION, OtherLabels, other_labels

MOST_PLACES = 10
_OF_A_KIND = 5  # places with the same two labels, before those of others are listed


@dataclass(frozen=True, slots=True, eq=False)
class CardInput:
    """The labels of a layer, with what else is known of their items.

    labels     one label per annotator and item
    units      int64 (N,): resampling unit of each item
    reference  int64 (N,): category in the reference, -1 for none; None without a reference
    batches    name of a batch → items, bool (N,), in the order of time
    nothing    category that stands for no unit; None for labels
    ordered    float64 (R,) of each label, nan for none: what can be below or above the others'
    place_of   item → its document and its name there
    """

    labels: LabelList
    units: Ints
    reference: Ints | None = None
    batches: Mapping[str, Flags] = field(default_factory=dict)
    nothing: int | None = None
    ordered: Mapping[Quantity, Floats] = field(default_factory=dict)
    place_of: Callable[[int], tuple[str, str]] = lambda item: ("", str(item))

    @property
    def n_tests(self) -> int:
        """Tests that each annotator is put to: agreement, each direction, a trend over batches."""
        return 1 + len(self.ordered) + (len(self.batches) > 1)


def annotator_cards(
    given: CardInput, sampling: Sampling, *, places_of: Collection[str] | None = None
) -> list[AnnotatorCard]:
    """Return the cards of annotators with a label beside another one, largest gain first.

    places_of  annotators whose places are listed; None: all
    """
    labels, others = given.labels, other_labels(given.labels)
    n_annotators = len(labels.annotator_names)
    p_values, declines = (
        _equality_p_values(given, sampling.seed),
        _decline_p_values(given, sampling),
    )
    absent = () if given.nothing is None else (given.nothing,)
    systematic: dict[str, list[SystematicDifference]] = {}
    for one in systematic_differences(labels, absent):
        systematic.setdefault(one.annotator, []).append(one)
    right = _right(given)
    directions = directions_of_annotators(
        labels, given.units, given.ordered, n_tests=given.n_tests, seed=sampling.seed
    )
    pooled = _own_by_decision(labels.codes, others.decision, len(labels.tagset))
    order = np.argsort(labels.annotators, kind="stable")
    order = order[others.n_others[order] > 0]
    bounds = np.searchsorted(labels.annotators[order], np.arange(n_annotators + 1)).tolist()
    found = []
    for a, name in enumerate(labels.annotator_names):
        rows = order[bounds[a] : bounds[a + 1]]
        if rows.size:
            card = _Card(given, others, right, pooled, sampling, rows, systematic.get(name, ()))
            has_places = places_of is None or name in places_of
            made = card.made(name, float(p_values[a]), has_places=has_places)
            own = directions[a]
            if has_places:
                own = [replace(one, places=_places_of(given, a, one)) for one in own]
            found.append(replace(made, directions=tuple(own), p_decline=float(declines[a])))
    return sorted(found, key=lambda one: (-one.gain[0], one.annotator))


def _equality_p_values(given: CardInput, seed: int) -> Floats:
    """Return the p-value of each annotator's difference from the others, corrected for all.

    Beside an annotator far below, equal others are all above. The others are therefore also
    compared without those who are below, and their larger p-value counts.
    """
    p_values, total = _differences(given, given.labels, seed)
    below = (p_values < LEVEL) & (total < 0)
    if below.any():
        kept = ~below[given.labels.annotators]
        among_rest, _ = _differences(given, given.labels.select(kept), seed)
        among_rest[np.isnan(among_rest)] = 1.0
        p_values = np.where(below, p_values, np.maximum(p_values, among_rest))
    return p_values


def _differences(given: CardInput, labels: LabelList, seed: int) -> tuple[Floats, Floats]:
    """Return the p-value and the sum of the differences of each annotator."""
    others, n_annotators = other_labels(labels), len(labels.annotator_names)
    values = others.agreement - others.among_others
    known = np.isfinite(values)
    units, who = given.units[labels.items[known]], labels.annotators[known]
    p_values = equality_p_values(
        units, who, values[known], n_annotators, n_tests=given.n_tests, seed=seed
    )
    total = np.bincount(who, weights=values[known], minlength=n_annotators)
    return p_values, total.astype(np.float64)


def _decline_p_values(given: CardInput, sampling: Sampling) -> Floats:
    """Return the p-value of each annotator's decline over the batches; 1 where it rises.

    Beside an annotator who changes much, equal others change to the other side. They are therefore
    also compared without those who change most, and their larger p-value counts.
    """
    p_values, slopes = _trends(given, given.labels, sampling.seed)
    changes = np.where(p_values < LEVEL, np.abs(slopes), 0.0)
    if changes.any():
        kept = ~(changes > changes.max() / 2)
        among_rest, _ = _trends(
            given, given.labels.select(kept[given.labels.annotators]), sampling.seed
        )
        p_values = np.where(kept, np.fmax(p_values, among_rest), p_values)
    return np.where(slopes > 0, 1.0, p_values)


def _trends(given: CardInput, labels: LabelList, seed: int) -> tuple[Floats, Floats]:
    """Return p-values and slopes of the difference from the others over the batches."""
    n_annotators = len(labels.annotator_names)
    if len(given.batches) < 2:
        return np.full(n_annotators, math.nan), np.full(n_annotators, math.nan)
    position = np.full(labels.n_items, math.nan)
    for place, members in enumerate(given.batches.values()):
        position[members] = place
    others = other_labels(labels)
    values = others.agreement - others.among_others
    known = np.isfinite(values) & np.isfinite(position[labels.items])
    items, who = labels.items[known], labels.annotators[known]
    return trend_p_values(
        given.units[items],
        who,
        values[known],
        position[items],
        n_annotators,
        n_tests=given.n_tests,
        seed=seed,
    )


def _places_of(given: CardInput, annotator: int, lean: CardDirection) -> tuple[CardPlace, ...]:
    """Return places where a unit begins, or is as long, as no other's, and theirs are alike."""
    if not lean.leans or lean.of == "label":  # whose differences are places of the labels
        return ()
    values = given.ordered[lean.of]
    sign = 1 if lean.above > lean.below else -1
    found = clear_differences(given.labels, values, annotator, sign, most=_OF_A_KIND)
    return tuple(
        CardPlace(*given.place_of(item), f"{own:g}", f"{theirs:g}", n, n)
        for item, own, theirs, n in found
    )


def _own_by_decision(own: Ints, decision: Ints, width: int) -> Ints:
    """Count the labels given (columns) where the others decide each category (rows), (K, K)."""
    known = decision != NO_DECISION
    counts = np.bincount(decision[known] * width + own[known], minlength=width * width)
    return counts.reshape(width, width).astype(np.int64)


def _right(given: CardInput) -> tuple[Floats, Floats]:
    """Whether each label is that of the reference, and the share of the others' that are, (R,)."""
    labels = given.labels
    right = np.full(len(labels), math.nan)
    if given.reference is None:
        return right, right
    of_reference = given.reference[labels.items]
    known = of_reference >= 0
    right[known] = labels.codes[known] == of_reference[known]
    n_right = np.bincount(labels.items, weights=np.nan_to_num(right), minlength=labels.n_items)
    n_others = np.bincount(labels.items, minlength=labels.n_items)[labels.items] - 1
    of_others = np.full(len(labels), math.nan)
    shared = known & (n_others > 0)
    of_others[shared] = (n_right[labels.items] - right)[shared] / n_others[shared]
    return right, of_others


def card_value(statistic: Mean | Share, sums: Floats, sampling: Sampling) -> CardValue:
    """Return the value of sums and numbers of labels or units by resampling unit, (D, 2)."""
    n = int(sums[:, 1].sum())
    if not n:
        return CardValue()
    [found] = evaluate(sums, [statistic], sampling)
    low, high = (math.nan, math.nan) if found.interval is None else found.interval.bounds
    return CardValue(found.value, low, high, n)


def _part(some: int, of_all: int) -> float:
    return float(some / of_all) if of_all else math.nan


@dataclass(frozen=True, slots=True)
class _Card:
    """The labels of one annotator, by their rows in the list."""

    given: CardInput
    others: OtherLabels
    right: tuple[Floats, Floats]
    pooled: Ints  # of all annotators, as `_own_by_decision` counts
    sampling: Sampling
    rows: Ints
    systematic: Sequence[SystematicDifference]

    def made(self, name: str, p_value: float, *, has_places: bool) -> AnnotatorCard:
        others, rows, nothing = self.others, self.rows, self.given.nothing
        own, decision = self.given.labels.codes[rows], others.decision[rows]
        agreement, among = others.agreement[rows], others.among_others[rows]
        right, right_others = (one[rows] for one in self.right)
        alike = (own == decision).astype(np.float64)
        compared = np.isfinite(among)
        rest = self.pooled - _own_by_decision(own, decision, len(self.pooled))
        found = alone = CardValue()
        found_of_others = alone_of_others = math.nan
        if nothing is not None:
            is_unit = (decision != NO_DECISION) & (decision != nothing)
            marked = (own != nothing) & (decision != NO_DECISION)
            found = self._share((own != nothing).astype(np.float64), is_unit)
            alone = self._share((decision == nothing).astype(np.float64), marked)
            units = np.arange(len(rest)) != nothing
            found_of_others = _part(rest[np.ix_(units, units)].sum(), rest[units].sum())
            alone_of_others = _part(rest[nothing, units].sum(), rest[:, units].sum())
        return AnnotatorCard(
            name,
            rows.size,
            self._mean(agreement),
            float(among[compared].mean()) if compared.any() else math.nan,
            self._difference(agreement - among, compared),
            p_value,
            self._share(alike, decision != NO_DECISION),
            tuple(self._categories(own, decision, rest)),
            self._share(right, np.isfinite(right)),
            float(np.nanmean(right_others)) if np.isfinite(right_others).any() else math.nan,
            found,
            alone,
            tuple(self._batches(agreement, among)),
            tuple(self._places(own, decision)) if has_places else (),
            found_of_others=found_of_others,
            alone_of_others=alone_of_others,
        )

    def _sums(self, amounts: Floats, kept: Flags) -> Floats:
        """Sum of the amounts and number of labels by unit, float64 (D, 2)."""
        units = self.given.units[self.given.labels.items[self.rows[kept]]]
        _, number = np.unique(units, return_inverse=True)
        n = np.bincount(number).astype(np.float64)
        return np.stack([np.bincount(number, weights=amounts[kept], minlength=n.size), n], axis=1)

    def _mean(self, amounts: Floats) -> CardValue:
        kept = np.isfinite(amounts)
        return card_value(Mean(ratio_of_columns(0, 1)), self._sums(amounts, kept), self.sampling)

    def _share(self, amounts: Floats, kept: Flags) -> CardValue:
        return card_value(Share(ratio_of_columns(0, 1)), self._sums(amounts, kept), self.sampling)

    def _difference(self, amounts: Floats, kept: Flags) -> CardValue:
        sums = self._sums(amounts, kept)
        if not len(sums):
            return CardValue()
        ratio = ratio_over_units(sums[:, :1], sums[:, 1:])
        value, n_units = float(ratio.value[0]), len(sums)
        settings = Interval(
            level=self.sampling.confidence_level,
            method="student",
            over="units",
            standard_error=math.sqrt(float(ratio.variance[0])),
            n_units=n_units,
        )
        interval = symmetric_interval(settings, value, df=max(n_units - 1, 1), within=(-1.0, 1.0))
        return CardValue(value, *interval.bounds, int(sums[:, 1].sum()))

    def _categories(self, own: Ints, decision: Ints, rest: Ints) -> list[CardCategory]:
        """Return the categories that the others decide on, the most frequent first."""
        tagset = self.given.labels.tagset
        found = []
        for k in np.unique(decision).tolist():
            if k in (NO_DECISION, self.given.nothing):
                continue
            here = decision == k
            counts = np.bincount(own[here], minlength=len(tagset))
            n, n_alike = int(here.sum()), int(counts[k])
            share = CardValue(n_alike / n, n=n)
            if n >= FEWEST:
                share = self._share((own == k).astype(np.float64), here)
            counts[k] = 0
            other = int(counts.argmax())
            habits = {(one.own, one.others) for one in self.systematic}
            n_other = int(counts[other])
            label = tagset[other] if n_other else ""
            share_of_others = _part(rest[k, other], rest[k].sum())
            found.append(
                CardCategory(
                    tagset[k], share, label, n_other, (other, k) in habits, share_of_others
                )
            )
        return sorted(found, key=lambda one: (-one.same.n, one.category))

    def _batches(self, agreement: Floats, among: Floats) -> list[CardBatch]:
        items, found = self.given.labels.items[self.rows], []
        for name, members in self.given.batches.items():
            here = members[items] & np.isfinite(among)
            if n := int(here.sum()):
                values = (float(one[here].mean()) for one in (agreement, among))
                found.append(CardBatch(name, n, *values))
        return found

    def _places(self, own: Ints, decision: Ints) -> list[CardPlace]:
        """Return up to `MOST_PLACES` places: of habits, if there are some, else clear ones."""
        n_decided, n_others = self.others.n_decided[self.rows], self.others.n_others[self.rows]
        items = self.given.labels.items[self.rows]
        habits = {(one.others, one.own) for one in self.systematic}
        kinds: dict[tuple[int, int], list[tuple[float, int, int]]] = {}
        for k in np.flatnonzero((decision != NO_DECISION) & (own != decision)).tolist():
            clear = float(n_decided[k] / n_others[k])
            kinds.setdefault((int(decision[k]), int(own[k])), []).append((-clear, int(items[k]), k))
        shown = {kind: kinds[kind] for kind in kinds if kind in habits} or kinds
        ranked = [
            (rank // _OF_A_KIND, -len(places), kind, k)
            for kind, places in shown.items()
            for rank, (_, _, k) in enumerate(sorted(places))
        ]
        tagset, place_of = self.given.labels.tagset, self.given.place_of
        return [
            CardPlace(
                *place_of(int(items[k])),
                tagset[own[k]],
                tagset[decision[k]],
                int(n_decided[k]),
                int(n_others[k]),
            )
            for _, _, _, k in sorted(
                sorted(ranked)[:MOST_PLACES], key=lambda each: (*each[1:3], int(items[each[3]]))
            )
        ]
