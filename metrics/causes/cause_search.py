"""The causes of a low agreement: where disagreement exceeds the rest of the campaign, ranked.

The gain of a candidate (`metrics.causes.candidates`) is 0 in expectation if errors are evenly
spread, so a gain whose interval excludes 0 is a cause. Two annotators who are too alike
(`metrics.causes.similar_pairs`) raise the value, so that their gain is negative. The intervals are
Bonferroni-corrected for the number of all candidates and of the mechanisms that may explain them
(`metrics.causes.mechanisms`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from .candidates import Estimates, estimates_of_candidates
from .cause import Cause
from .confounded import with_confounded
from .disagreement import EVERY_KIND, Disagreement, DisagreementKind, PartKind
from .jackknife import corrected_half_widths
from .mechanisms import EXPLAINED, find_mechanism, n_mechanisms
from .similar_pairs import compare_pairs
from .strata import StratumKind

MOST_CAUSES = 4
_ABOUT_AS_MUCH = 0.7  # share of the largest gain from which a better supported candidate is chosen
_ALMOST_ALL = 0.8  # share of a cause's gain from which a narrower cause replaces it
_FEWEST_GROUPS = 2  # of documents, to leave one out


class Unexamined(StrEnum):
    """What cannot be examined: kinds of disagreement, single annotators, pairs too alike, …"""

    categories = "categories"
    annotators = "annotators"
    pairs = "pairs"
    parts = "parts"
    hours = "hours"
    positions = "positions"


@dataclass(frozen=True, slots=True)
class Causes:
    """The clear causes, those that recover most first, of a number of candidates."""

    causes: tuple[Cause, ...] = ()
    n_candidates: int = 0
    unexamined: tuple[Unexamined, ...] = ()


def find_causes(disagreement: Disagreement) -> Causes:
    """Return the clear causes; none if nothing stands out.

    Two annotators who are too alike are found first, and are not compared in what follows, where
    every other annotator would seem to disagree. The cause that is supported best, of those that
    recover about as much as the one whose interval begins highest, is taken first, or a narrower
    one that explains almost all of it. Its disagreement is reduced to that of the rest, and a
    further cause must be clear in what remains, and keep half of its gain there, so that one fault
    is one cause.
    """
    whole, pairs = disagreement, compare_pairs(disagreement)
    candidates = candidate_causes(disagreement, pairs.n_compared)
    n = _n_tests(whole, len(candidates) + pairs.n_compared)
    alike = pairs.clear(n)
    if alike:
        disagreement = whole.without_pairs([one.names for one in alike])
        candidates = candidate_causes(disagreement, pairs.n_compared)
    scale = float(disagreement.chances.sum() / whole.chances.sum()) if alike else 1.0
    alone = {one.names: one for one in candidates}
    clear = [one for one in candidates if one.is_clear]
    chosen: list[Cause] = []
    while clear and len(chosen) < MOST_CAUSES:
        best = _best_supported(clear)
        chosen.append(alone[best.names])
        disagreement = _repaired(disagreement, best)
        remaining = {one.names for one in clear if not _is_explained(one, best)}
        candidates_left = candidate_causes(disagreement, pairs.n_compared)
        clear = [
            one
            for one in candidates_left
            if one.is_clear
            and one.names in remaining
            and one.gain >= EXPLAINED * alone[one.names].gain
        ]
    found = [
        replace(
            one,
            gain=one.gain * scale,
            interval=(one.interval[0] * scale, one.interval[1] * scale),
            mechanism=find_mechanism(whole, one.names, n),
        )
        for one in (with_confounded(whole, cause) for cause in chosen)
    ]
    found += [
        Cause(EVERY_KIND, one.names[0], None, one.gain, one.interval, mechanism=one.mechanism)
        for one in alike
    ]
    found.sort(key=lambda one: -abs(one.gain))
    n_candidates = len(candidates) + pairs.n_compared
    kinds = {one.kind for one in whole.strata}
    is_examined = {
        Unexamined.categories: len(whole.kinds) > 1,
        Unexamined.annotators: len(whole.annotators) > 2,
        Unexamined.pairs: pairs.n_compared > 0,
        Unexamined.parts: bool(whole.parts),
        Unexamined.hours: StratumKind.hour in kinds,
        Unexamined.positions: StratumKind.position in kinds,
    }
    unexamined = tuple(one for one, is_done in is_examined.items() if not is_done)
    return Causes(tuple(_of_different_mechanisms(found)), n_candidates, unexamined)


def _of_different_mechanisms(causes: Sequence[Cause]) -> list[Cause]:
    """Keep the first cause of an annotator with a mechanism: others are of the same fault."""
    found: dict[object, Cause] = {}
    for k, one in enumerate(causes):
        mechanism = one.mechanism
        same = k if mechanism is None else (one.annotator, one.part_of_strata, mechanism.names)
        found.setdefault(same, one)
    return list(found.values())


def _n_tests(found: Disagreement, n_candidates: int) -> int:
    """Return how many comparisons are made: of candidates, and of what may explain causes."""
    return n_candidates + MOST_CAUSES * n_mechanisms(found)


def _best_supported(clear: Sequence[Cause]) -> Cause:
    largest = max(clear, key=lambda one: one.interval[0])
    alike = [
        one for one in clear if one.gain >= _ABOUT_AS_MUCH * largest.gain and one.overlaps(largest)
    ]
    best = max(alike, key=lambda one: one.support)
    while narrower := [one for one in clear if one.names != best.names and _is_narrower(one, best)]:
        best = max(narrower, key=lambda one: one.support)
    return best


def _is_narrower(one: Cause, other: Cause) -> bool:
    """Return whether a cause explains another, as a part of it.

    It explains almost all of it as some of its annotators or kinds in the same part, or at least
    half of it as the same annotator's work in a part of strata.
    """
    if one.part_of_strata is not None and other.part is None:
        is_part = one.annotator == other.annotator and not other.kind.categories
        return is_part and one.gain >= EXPLAINED * other.gain
    of_annotator = other.annotator in ("", one.annotator)
    is_part = one.part == other.part and of_annotator and other.kind.includes(one.kind)
    return is_part and one.gain >= _ALMOST_ALL * other.gain


def _is_explained(one: Cause, best: Cause) -> bool:
    """Return whether a cause is the best one, or one that a part of strata explains by half.

    Such a cause is of all of the annotator's work, or of most of it, since a period or batch.
    """
    if one.names == best.names or best.part_of_strata is None:
        return one.names == best.names
    is_broad = one.part is None or one.part.kind is PartKind.since
    is_part = one.annotator == best.annotator and is_broad and not one.kind.categories
    return is_part and best.gain >= EXPLAINED * one.gain


def _repaired(found: Disagreement, cause: Cause) -> Disagreement:
    """Reduce the amounts of the cause so that the value rises by its gain."""
    excess = cause.gain * float(found.chances.sum())
    if (part := cause.part_of_strata) is not None:
        s, chosen = part.strata_in(found.strata)
        own, _ = found.strata[s].spread(found.amounts.sum(axis=3), found.chances)
        whose = slice(None) if not cause.annotator else found.annotators.index(cause.annotator)
        amount = float(own[:, whose][..., chosen].sum()) / (1 if cause.annotator else 2)
        return found.scale_stratum(part, cause.annotator, max(0.0, 1.0 - excess / amount))
    cells = found.cells(*cause.names)
    amount = float(found.amounts[cells].sum())
    return found.scale_cells(cells, max(0.0, 1.0 - excess / amount)) if amount > 0 else found


def candidate_causes(disagreement: Disagreement, n_others: int = 0) -> list[Cause]:
    """Return every candidate with its gain and corrected interval; none for a single document.

    n_others  number of other candidates that are compared
    """
    if not disagreement.amounts.size or not disagreement.amounts.sum() > 0:
        return []
    if np.count_nonzero(disagreement.chances.sum(axis=(1, 2)) > 0) < _FEWEST_GROUPS:
        return []
    estimates = estimates_of_candidates(disagreement)
    n = _n_tests(disagreement, n_others + sum(len(one.names) for one in estimates))
    return [cause for one in estimates for cause in _causes(disagreement, one, n)]


def _causes(found: Disagreement, estimates: Estimates, n_tests: int) -> list[Cause]:
    """Attach intervals; the counts are added only to causes that are clear."""
    half = corrected_half_widths(estimates.errors, estimates.freedom, n_tests)
    causes = []
    for k, names in enumerate(estimates.names):
        gain, error = float(estimates.gains[k]), float(estimates.errors[k])
        bounds = (gain - float(half[k]), gain + float(half[k]))
        is_known = math.isfinite(gain) and math.isfinite(bounds[0]) and error > 0
        cause = Cause(
            *names,
            gain=gain,
            interval=bounds if is_known else (math.nan, math.nan),
            support=gain / error if is_known else 0.0,
        )
        causes.append(_with_disagreement_counts(found, cause) if cause.is_clear else cause)
    return causes


def _with_disagreement_counts(found: Disagreement, cause: Cause) -> Cause:
    if cause.part_of_strata is not None:
        return cause  # its mechanism has the counts
    kind, annotator, part = cause.names
    cells = found.cells(*cause.names)
    everything = found.cells(EVERY_KIND, annotator, part)
    rest = found.cells(EVERY_KIND, "", part if annotator else None) & ~everything
    more = False
    if annotator:
        a = found.annotators.index(annotator)
        missing = kind if kind.cause == "missing" else DisagreementKind("missing")
        amounts = np.where(found.cells(missing, "", part), found.amounts, 0)
        more = bool(amounts[:, a].sum() > amounts[:, :, a].sum())
    return replace(
        cause,
        n=int(found.counts[cells].sum()),
        n_compared=int(found.compared[everything[..., 0]].sum()),
        n_rest=int(found.counts[rest & found.cells(kind)].sum()),
        n_compared_rest=int(found.compared[rest[..., 0]].sum()),
        marks_more=more,
    )
