"""Checks of annotator names, categories and positions that reveal an export that was read wrongly.

They find names that look the same, annotators who share no category or time unit with others, and
speakers of one recording that were taken for annotators. A coefficient would show each as
disagreement. These checks say what to inspect; they are not tests of significance.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .arrays import Flags, Floats, Ints
from .coded_warning import Finding

if TYPE_CHECKING:
    from .alignment.continuum import Continuum

FEWEST_GIVEN = 5  # labels of an annotator; fewer give no finding
FEWEST_REPEATS = 1.25  # labels per category; measurements, which rarely repeat, have fewer
FARTHER = 100.0  # ratio of times; no annotator skips so much of a recording
FEWEST_ANNOTATORS = 2  # annotators with a unit in a document
FEWEST_UNITS = 4  # units in all documents
FEWEST_COMMON = 20  # items of each two annotators
_MOST_COMPARED = 30  # annotators
_APART, _ERRORS_APART = 0.15, 3.0  # share of equal labels; in standard errors
_BY_CHANCE = 0.001  # probability that an annotator is never alone with a label


def look_alike_names(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Group names that look the same; groups have at least two names.

    The names of a group differ only in case, white space, the encoding of letters (an é may be one
    code point, or a letter and its accent) or the notation of a number (1 and 1.0). Groups and
    their names are sorted; a name of white space only is in no group.
    """
    groups: dict[str, set[str]] = {}
    for name in names:
        if read := _normalised_look(name):
            groups.setdefault(read, set()).add(name)
    return sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1)


def _normalised_look(name: str) -> str:
    visible = name.lower() if name.isascii() else _visible(name)
    read = " ".join(visible.split())
    try:
        number = float(read)
    except ValueError:
        return read
    return repr(number + 0.0) if math.isfinite(number) else read


def _visible(name: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(c for c in folded if unicodedata.category(c) != "Cf")


def annotators_with_own_categories(counts: NDArray[np.integer]) -> list[int]:
    """Annotators with at least `FEWEST_GIVEN` labels who share no category with another annotator.

    counts  (A, K): how often annotator a gave category k

    Returns [] if most categories were given only once, as with measurements.
    """
    used_by = (counts > 0).sum(axis=0)
    shared = (counts * (used_by > 1)).sum(axis=1)
    if counts.shape[0] < 2 or counts.sum() < FEWEST_REPEATS * np.count_nonzero(used_by):
        return []
    return np.flatnonzero((counts.sum(axis=1) >= FEWEST_GIVEN) & (shared == 0)).tolist()


def annotators_apart(codes: NDArray[np.integer]) -> tuple[list[int], float, float]:
    """Annotators who agree with each other and not with the others, as systems among people do.

    codes  (N, A): category of each item by annotator, -1 where there is none

    Returns the group, [] if there is none, its least share of equal labels and the largest one with
    the others. The others, two at least, agree with each other no less than with the group.
    """
    n_annotators = codes.shape[1]
    if not 4 <= n_annotators <= _MOST_COMPARED:
        return [], math.nan, math.nan
    labels = np.ascontiguousarray(codes.T)
    n_common, equal = np.ones((2, n_annotators, n_annotators))
    for a, b in combinations(range(n_annotators), 2):
        both = (labels[a] >= 0) & (labels[b] >= 0)
        n_common[a, b] = n_common[b, a] = np.count_nonzero(both)
        equal[a, b] = equal[b, a] = np.count_nonzero(both & (labels[a] == labels[b]))
    least_common = n_common[np.triu_indices(n_annotators, 1)].min()
    if least_common < FEWEST_COMMON:
        return [], math.nan, math.nan
    shares = equal / n_common
    np.fill_diagonal(shares, -math.inf)
    group = [*map(int, np.unravel_index(int(shares.argmax()), shares.shape))]
    while n_annotators - len(group) >= 2:
        others = [a for a in range(n_annotators) if a not in group]
        inside = shares[np.ix_(group, group)]
        least, most = float(inside[inside >= 0].min()), float(shares[np.ix_(group, others)].max())
        of_others = shares[np.ix_(others, others)]
        error = math.sqrt(max(least * (1 - least), most * (1 - most)) / least_common)
        is_apart = least - most >= max(_APART, _ERRORS_APART * error)
        if is_apart and most <= of_others[of_others >= 0].mean() + error:
            return sorted(group), least, most
        group.append(max(others, key=lambda a: float(shares[a, group].min())))
    return [], math.nan, math.nan


def label_after_discussion(codes: NDArray[np.integer]) -> int | None:
    """Find the column that is always one of the others' labels, and theirs where they agree.

    codes  (N, A): category of each item by annotator, -1 where there is none

    A decision after discussion and a majority are so. Returns None if there is no such column, and
    if one of A equal annotators may be so by chance: of D items on which one contradicts all
    others, who agree, none is theirs with the probability A (1 - 1/A)^D.
    """
    n_annotators = codes.shape[1]
    if not 3 <= n_annotators <= _MOST_COMPARED:
        return None
    labels = np.ascontiguousarray(codes[(codes >= 0).all(axis=1)].T)
    n_like = np.zeros(labels.shape, dtype=np.int8)  # others with the same label
    for a, b in combinations(range(n_annotators), 2):
        is_same = labels[a] == labels[b]
        n_like[a] += is_same
        n_like[b] += is_same
    may_be = (n_like > 0).all(axis=1)
    if np.count_nonzero(may_be) != 1:
        return None
    others_agree = n_like.max(axis=0) == n_annotators - 2
    n_alone = np.count_nonzero((n_like == 0) & others_agree)
    by_chance = n_annotators * (1 - 1 / n_annotators) ** n_alone
    return int(may_be.argmax()) if by_chance < _BY_CHANCE else None


def annotators_in_other_time_unit(last_ends: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Find annotators whose end times are `FARTHER` times larger or smaller than the others'.

    last_ends  for each document: annotator → end of their last unit

    The result has the ratio of each: the median over documents of the annotator's end divided by
    the median end of the others. If only two annotators differ, the one with the larger times is
    reported.
    """
    ratios: dict[str, list[float]] = {}
    for ends in last_ends:
        for who, end in ends.items():
            others = [other for name, other in ends.items() if name != who and other > 0]
            if others and end > 0:
                ratios.setdefault(who, []).append(end / float(np.median(others)))
    found = {who: float(np.median(each)) for who, each in ratios.items()}
    far = {who: ratio for who, ratio in found.items() if ratio >= FARTHER}
    behind = {who: ratio for who, ratio in found.items() if ratio <= 1 / FARTHER}
    return far or behind


def no_overlap_finding(continua: Sequence[Continuum]) -> Finding | None:
    """Find exports where no units of different annotators overlap, as in tiers of a transcript."""
    n_units, n_documents = units_without_overlap(continua)
    if not n_units:
        return None
    return Finding("never_overlap", {"n_units": n_units, "n_documents": n_documents})


def units_without_overlap(continua: Sequence[Continuum]) -> tuple[int, int]:
    """Count the (units, documents) with several annotators if none of their units overlap.

    Returns (0, 0) if units of different annotators overlap, or if there are too few units to tell.
    """
    n_units = n_documents = 0
    for one in continua:
        counts = np.bincount(one.owners, minlength=max(one.n_annotators, 1))
        if (counts > 0).sum() < FEWEST_ANNOTATORS:
            continue
        if _has_overlap(one).any():
            return 0, 0
        n_units += one.n_units
        n_documents += 1
    return (n_units, n_documents) if n_units >= FEWEST_UNITS else (0, 0)


def _has_overlap(one: Continuum) -> Flags:
    """Whether each unit overlaps a unit of another annotator."""
    n_met = _n_overlapped(one.starts, one.ends, one.starts, one.ends)
    for annotator in np.unique(one.owners).tolist():
        own = one.owners == annotator
        starts, ends = one.starts[own], one.ends[own]
        n_met[own] -= _n_overlapped(starts, ends, starts, ends)
    return n_met > 0


def _n_overlapped(
    starts: Floats,
    ends: Floats,
    of_starts: Floats,
    of_ends: Floats,
) -> Ints:
    """For each unit, count the other units that start before its end and end after its start."""
    begun = np.searchsorted(np.sort(of_starts), ends, side="left")
    over = np.searchsorted(np.sort(of_ends), starts, side="right")
    return np.asarray(begun - over, dtype=np.int64)
