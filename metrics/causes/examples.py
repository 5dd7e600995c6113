"""Examples of a cause: the places that its candidate names, those that show it most often first.

A place is an item, or a unit of one annotator. A comparison is one annotator's label or unit there
beside that of another annotator, so that one rule chooses the examples of every candidate.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Flags, Ints, numbered
from .cause import Cause
from .disagreement import Comparisons, Disagreement
from .mechanisms import MechanismKind

_MIXING = 2_654_435_761  # Knuth's multiplier
MOST_PLACES = 60  # of which the first ten that differ are shown


def places_of_cause(found: Disagreement, cause: Cause) -> Ints:
    """Return at most `MOST_PLACES` places that show a cause, one of each document first.

    Places where more annotators differ come first. None if the places are not known.
    """
    chosen: list[tuple[Ints, Ints]] = []
    agreed: list[Ints] = []
    for one in () if found.comparisons is None else found.comparisons():
        those = _shows(found, cause, one) & _is_in_part(found, cause, one)
        chosen.append((one.places[those], one.documents[those]))
        if (other := _too_alike(cause)) is not None:
            pair = _is(found, one.own, cause.annotator) & _is(found, one.other, other)
            agreed.append(one.places[pair & ~one.is_apart])
    if not chosen:
        return np.empty(0, dtype=np.int64)
    places, documents = (np.concatenate(column) for column in zip(*chosen, strict=True))
    if agreed:
        both = np.isin(places, np.concatenate(agreed))
        places, documents = places[both], documents[both]
    different, first = np.unique(places, return_index=True)
    counts = np.bincount(numbered(places)[1], minlength=different.size)
    mixed = different * _MIXING % (1 << 32)  # so that equal ones are of all documents
    order = np.lexsort((mixed, -counts))
    in_document = _rank_within(documents[first][order])
    order = order[np.lexsort((np.arange(order.size), -counts[order], in_document))]
    return np.asarray(different[order[:MOST_PLACES]])


def _rank_within(groups: Ints) -> Ints:
    """Return how often the group of each row has occurred before, (R,)."""
    order = np.argsort(groups, kind="stable")
    sizes = np.unique(groups, return_counts=True)[1]
    rank = np.empty(groups.size, dtype=np.int64)
    rank[order] = np.arange(groups.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return rank


def _too_alike(cause: Cause) -> str | None:
    is_alike = cause.mechanism is not None and cause.mechanism.kind is MechanismKind.alike
    return cause.mechanism.other if cause.mechanism is not None and is_alike else None


def _is(found: Disagreement, annotators: Ints, name: str) -> Flags:
    """Return where an annotator is the one named; everywhere without a name."""
    if not name:
        return np.ones(annotators.shape, dtype=np.bool_)
    return np.asarray(annotators == found.annotators.index(name))


def _is_in_part(found: Disagreement, cause: Cause, one: Comparisons) -> Flags:
    if cause.part is None:
        return np.ones(one.places.shape, dtype=np.bool_)
    if not cause.part.is_of_strata:
        return found.document_groups_in(cause.part)[one.groups]
    s, chosen = cause.part.strata_in(found.strata)
    first, last, _ = chosen.indices(len(found.strata[s].cuts) + 1)
    return (one.strata[s] >= first) & (one.strata[s] < last)


def _shows(found: Disagreement, cause: Cause, one: Comparisons) -> Flags:
    """Return the comparisons that differ as the cause says, by its mechanism if it has one."""
    own, other = (_is(found, side, cause.annotator) for side in (one.own, one.other))
    mechanism = cause.mechanism
    match None if mechanism is None else mechanism.kind:
        case MechanismKind.alike:
            return own & one.is_apart
        case MechanismKind.offset if mechanism is not None:
            at = (one.start == mechanism.start) & (one.end == mechanism.end)
            return own & ~one.is_alone & at
        case MechanismKind.more | MechanismKind.less | MechanismKind.uneven if mechanism:
            side = other if mechanism.kind is MechanismKind.less else own
            return side & one.is_apart & (one.category == _code(found, mechanism.category))
    causes = {
        kind.cause
        for kind, amount in zip(found.kinds, found.amounts.sum(axis=(0, 1, 2)), strict=True)
        if amount and cause.kind.cause in ("", kind.cause)
    }
    apart = np.zeros(one.places.shape, dtype=np.bool_)
    if "missing" in causes:
        side = own if cause.marks_more else other if cause.kind.cause else own | other
        apart |= side & one.is_alone
    if "boundary" in causes:
        apart |= own & ~one.is_alone & ((one.start != 0) | (one.end != 0))
    if "category" in causes:
        apart |= own & ~one.is_alone & ~one.is_same
    if cause.kind.categories:
        codes = [_code(found, name) for name in cause.kind.categories]
        apart &= np.isin(one.category, codes)
        if len(codes) > 1:
            apart &= np.isin(one.beside, codes)
    return apart


def _code(found: Disagreement, category: str) -> int:
    return found.categories.index(category)
