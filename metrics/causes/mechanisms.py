"""What explains the disagreement of a cause: its mechanism.

A mechanism is declared by its tests. A test counts, by group of documents, the disagreement that it
explains in excess of what works the other way, and the disagreement of an annotator in a part in
excess of that of the others (of an offset: all pairs of units). A mechanism is named if it explains
at least `EXPLAINED` of the whole, and its interval, corrected for the number of all comparisons,
excludes 0. Of several, the one that explains most is named.

| mechanism | explains | the other way |
|---|---|---|
| more of a category | the annotator chose it where others did not | others chose it |
| less of a category | others chose it where the annotator did not | the annotator chose it |
| uneven use of a category | some annotators chose it where others did not | the others chose it |
| constant offset | bounds a fixed distance from another annotator's | the opposite distance |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ..arrays import Flags, Floats, Ints
from .disagreement import Choices, Disagreement, DisagreementKind, Part
from .jackknife import corrected_half_widths, jackknife_errors

EXPLAINED = 0.5
_FEWEST_GROUPS = 2


class MechanismKind(StrEnum):
    """How a disagreement comes about.

    alike   two annotators agree too well
    rate    comparisons differ more often, in a part of strata, than the others of the annotator
    """

    more = "more"
    less = "less"
    uneven = "uneven"
    offset = "offset"
    alike = "alike"
    rate = "rate"


@dataclass(frozen=True, slots=True)
class Mechanism:
    """What explains a cause, with what the annotator and the others do.

    kind            more | less | uneven | offset | alike | rate
    category        that is used more or less
    by_annotator    uses of the category, if these are uneven, beside one other annotator
    start, end      the offset of bounds, in the unit of the offsets
    other           the annotator who is too alike
    share           of what the annotator did: uses of the category, units with the offset; of a
                    pair too alike, its own agreement, in the unit of the value; of a rate, the
                    comparisons that differ
    share_of_others  the same of the others, or of other work; nan for an offset
    n, n_of         counts of `share`; 0 of a pair too alike
    """

    kind: MechanismKind
    share: float
    share_of_others: float = float("nan")
    category: str = ""
    start: int = 0
    end: int = 0
    other: str = ""
    n: int = 0
    n_of: int = 0
    by_annotator: tuple[tuple[str, int], ...] = ()

    @property
    def names(self) -> tuple[MechanismKind, str, int, int, str]:
        return self.kind, self.category, self.start, self.end, self.other


@dataclass(frozen=True, slots=True, eq=False)
class _Tests:
    """M tests: what each explains (M, G), of what (G,), counts (G,) and its description."""

    explained: Floats
    whole: Floats
    counts: Ints
    describe: Callable[[int], Mechanism]


def n_mechanisms(found: Disagreement) -> int:
    """Return how many tests a cause has."""
    n_categories = 0 if found.choices is None else 2 * len(_named(found))
    return n_categories + (0 if found.offsets is None else len(found.offsets.steps))


def find_mechanism(
    found: Disagreement, names: tuple[DisagreementKind, str, Part | None], n_tests: int
) -> Mechanism | None:
    """Return what explains most of the disagreement of a cause; None if nothing.

    n_tests  for which intervals are corrected
    """
    kind, annotator, part = names
    if part is not None and part.is_of_strata:
        return _rate(found, annotator, part)
    every = np.ones(found.amounts.shape[0], dtype=np.bool_)
    groups = every if part is None else found.document_groups_in(part)
    if annotator:
        a = found.annotators.index(annotator)
        declared = [of_annotator(found, a, groups) for of_annotator in _OF_ANNOTATOR]
    else:
        declared = [_test_of_uneven_use(found, name, groups) for name in kind.categories if name]
    clear: list[tuple[float, Mechanism]] = []
    for tests in declared:
        if tests is not None:
            shares = _clear_shares(tests, n_tests)
            clear += [(shares[m], tests.describe(m)) for m in np.flatnonzero(shares).tolist()]
    return max(clear, key=lambda one: one[0])[1] if clear else None


def _rate(found: Disagreement, annotator: str, part: Part) -> Mechanism:
    """Return how many comparisons differ in a part of strata, and in the rest."""
    s, chosen = part.strata_in(found.strata)
    strata = found.strata[s]
    whose = slice(None) if not annotator else [found.annotators.index(annotator)]
    apart, uses = (one[:, whose].sum(axis=(0, 1, 2)) for one in (strata.apart, strata.uses))
    # of all annotators, each comparison is counted for both
    once = 1 if annotator else 2
    n, n_of = float(apart[chosen].sum()) / once, float(uses[chosen].sum()) / once
    rest = float(apart.sum()) / once - n, float(uses.sum()) / once - n_of
    return Mechanism(MechanismKind.rate, n / n_of, rest[0] / rest[1], n=round(n), n_of=round(n_of))


def _clear_shares(tests: _Tests, n_tests: int) -> Floats:
    """Return the share that each test explains, (M,); 0 where it is too small or not clear."""
    takes_part = tests.counts > 0
    explained, whole = tests.explained[:, takes_part], tests.whole[takes_part]
    total, n = float(whole.sum()), int(tests.counts.sum())
    if whole.size < _FEWEST_GROUPS or not total > 0:
        return np.zeros(explained.shape[0])
    shares = explained.sum(axis=1) / total
    left = np.where(total - whole > 0, total - whole, np.nan)
    omitted = (explained.sum(axis=1, keepdims=True) - explained) / left
    errors, freedom = jackknife_errors(omitted)
    # counts without any variance are not certain: at least the error of a share of 1/2
    errors = np.maximum(errors, 0.5 / np.sqrt(n))
    half = corrected_half_widths(errors, freedom, n_tests)
    return np.where((shares >= EXPLAINED) & (shares - half > 0), shares, 0.0)


def _named(found: Disagreement) -> Sequence[int]:
    return [k for k, name in enumerate(found.categories) if name]


def _tests_of_categories(found: Disagreement, a: int, groups: Flags) -> _Tests | None:
    """Test whether an annotator uses a category more, or less, than the others."""
    if found.choices is None:
        return None
    named = _named(found)
    own, others = _by_side(found.choices.apart, a, groups)
    net = (own - others)[:, named].T.astype(np.float64)
    counts = np.maximum(own.sum(axis=1), others.sum(axis=1))

    def describe(m: int) -> Mechanism:
        k, is_more = named[m % len(named)], m < len(named)
        assert found.choices is not None
        uses, of_others = (one.sum(axis=0) for one in _by_side(found.choices.uses, a, groups))
        return Mechanism(
            MechanismKind.more if is_more else MechanismKind.less,
            float(uses[k] / max(1, uses.sum())),
            float(of_others[k] / max(1, of_others.sum())),
            category=found.categories[k],
            n=int(uses[k]),
            n_of=int(uses.sum()),
        )

    net = np.concatenate([net, -net])
    return _Tests(net, _excess(found.choices, a, groups, counts), counts, describe)


def _excess(choices: Choices, a: int, groups: Flags, counts: Ints) -> Floats:
    """Return by how much an annotator disagrees more than the others among themselves, (G,)."""
    uses, apart = (one[groups].sum(axis=(0, 3)) for one in (choices.uses, choices.apart))
    others = np.arange(len(uses)) != a
    among = np.ix_(others, others)
    rate = float(apart[among].sum()) / max(1, int(uses[among].sum()))
    own, _ = _by_side(choices.uses, a, groups)
    return counts - rate * own.sum(axis=1)


def _by_side(counts: Ints, a: int, groups: Flags) -> tuple[Ints, Ints]:
    """Return counts (G, K) of an annotator beside the others, and of the others beside them."""
    inside = groups[:, None]
    return counts[:, a].sum(axis=1) * inside, counts[:, :, a].sum(axis=1) * inside


def _tests_of_offsets(found: Disagreement, a: int, groups: Flags) -> _Tests | None:
    """Test whether an annotator's bounds are a fixed distance from another annotator's."""
    offsets = found.offsets
    if offsets is None:
        return None
    opposite = [offsets.steps.index((-start, -end)) for start, end in offsets.steps]
    own = offsets.counts[:, a].sum(axis=1) * groups[:, None]
    paired = offsets.paired[:, a].sum(axis=1) * groups
    net = (own - own[:, opposite]).T.astype(np.float64)

    def describe(m: int) -> Mechanism:
        n, n_of = int(own[:, m].sum()), int(paired.sum())
        start, end = offsets.steps[m]
        return Mechanism(
            MechanismKind.offset, n / max(1, n_of), start=start, end=end, n=n, n_of=n_of
        )

    return _Tests(net, paired.astype(np.float64), paired, describe)


def _test_of_uneven_use(found: Disagreement, category: str, groups: Flags) -> _Tests | None:
    """Test whether some annotators use a category where the others do not, and not the reverse."""
    if found.choices is None:
        return None
    k, inside = found.categories.index(category), groups[:, None, None]
    apart, uses = (one[..., k] * inside for one in (found.choices.apart, found.choices.uses))
    way = np.sign(apart.sum(axis=0) - apart.sum(axis=0).T)
    whole = apart.sum(axis=(1, 2))
    # an item is compared with each other annotator, most of all with one who has labelled it, too
    counts = uses.sum(axis=0).max(axis=1).tolist()

    def describe(m: int) -> Mechanism:
        by_annotator = tuple(zip(found.annotators, counts, strict=True))
        share = float((apart * way).sum() / max(1, whole.sum()))
        return Mechanism(MechanismKind.uneven, share, category=category, by_annotator=by_annotator)

    explained = (apart * way).sum(axis=(1, 2)).astype(np.float64)
    return _Tests(explained[None], whole.astype(np.float64), whole, describe)


_OF_ANNOTATOR = (_tests_of_categories, _tests_of_offsets)
