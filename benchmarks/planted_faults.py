"""Faults that are planted in campaigns, and the causes that name them."""

from __future__ import annotations

import numpy as np

from accordeur.metrics.arrays import Floats
from accordeur.metrics.causes.cause import Cause
from accordeur.metrics.causes.disagreement import PartKind
from accordeur.metrics.causes.mechanisms import MechanismKind
from benchmarks.planted_campaigns import (
    ANNOTATORS,
    BAD,
    CATEGORIES,
    LENGTH,
    N_DOCUMENTS,
    PAIR,
    WEEK,
    WEEKS,
    Documents,
    Fault,
    Rates,
)


def _every(cause: Cause) -> bool:
    """Whether a cause is of every category: of all disagreement, or of almost all of it."""
    return cause.kind.categories == ()


def _since(cause: Cause, week: int = WEEK) -> bool:
    """Whether a cause begins in this week or one beside it."""
    part = cause.part
    if part is None or part.kind is not PartKind.since:
        return False
    first = int(part.name.rpartition("-")[2].removeprefix("W"))
    return abs(first - week - (part.name.rpartition("-")[2][0] == "W")) <= 1  # 2026-W02 is week 1


def _in(cause: Cause, kind: PartKind, name: str) -> bool:
    return cause.part is not None and (cause.part.kind, cause.part.name) == (kind, name)


def _of_pair(cause: Cause) -> bool:
    return cause.kind.categories == (CATEGORIES[PAIR[0]], CATEGORIES[PAIR[1]])


def _is_chloe(cause: Cause) -> bool:
    return cause.annotator == ANNOTATORS[BAD]


def _careless(rates: Rates, of: Documents) -> None:
    _worsen(rates, np.ones(N_DOCUMENTS, dtype=bool), 0.25, only=BAD)


def _falling(rates: Rates, of: Documents) -> None:
    for week in range(2, WEEKS + 1):
        _worsen(rates, of.week == week, 0.035 * (week - 1))


def _worsen(rates: Rates, those: np.ndarray, by: float, only: int | None = None) -> None:
    who = slice(None) if only is None else slice(only, only + 1)
    for table in (rates.error, rates.miss):
        table[np.flatnonzero(those)[:, None], who] += by


def _exchange(rates: Rates, those: np.ndarray, by: float, only: int | None = None) -> None:
    who = slice(None) if only is None else slice(only, only + 1)
    rates.exchange[np.flatnonzero(those)[:, None], who] += by


def _add(
    table: Floats, by: float, those: np.ndarray | None = None, only: int | None = None
) -> None:
    who = slice(None) if only is None else slice(only, only + 1)
    rows = np.arange(N_DOCUMENTS) if those is None else np.flatnonzero(those)
    table[rows[:, None], who] += by


def _two_exchange(rates: Rates, of: Documents) -> None:
    """From a week on, half of the annotators exchange LOC and ORG."""
    for a in (2, 3):
        _exchange(rates, of.week >= WEEK, 0.9, only=a)


def _copy(rates: Rates, of: Documents) -> None:
    rates.copy[:, BAD] = 0.97


def _favour(rates: Rates, of: Documents) -> None:
    rates.favour[:, BAD, 0] = 0.35


def _avoid(rates: Rates, of: Documents) -> None:
    """An annotator uses ORG in place of LOC: less of one is more of the other."""
    rates.shun[:, BAD, 0] = 0.6


def _unknown_to_two(rates: Rates, of: Documents) -> None:
    """Two annotators do not know DATE, and use MISC."""
    rates.shun[:, :2, 3] = 0.95


def _offset(rates: Rates, of: Documents) -> None:
    rates.offset[np.flatnonzero(of.batch == 1), BAD] = 1


def _by_night(rates: Rates, of: Documents) -> None:
    for table in (rates.error, rates.miss):
        table[of.hours >= 22] += 0.4


def _late(rates: Rates, of: Documents) -> None:
    rates.late += 0.5


def _one_late(rates: Rates, of: Documents) -> None:
    rates.late[:, BAD] += 0.8


def _in_strata(cause: Cause, kind: PartKind, *cuts: str) -> bool:
    return cause.part is not None and cause.part.kind is kind and cause.part.name in cuts


def _from_position(cause: Cause) -> bool:
    """Whether a cause begins within 250 characters of where it does."""
    part = cause.part
    is_position = part is not None and part.kind is PartKind.from_position
    return is_position and part is not None and abs(int(part.name) - LENGTH + 800) <= 250


def _is(cause: Cause, kind: MechanismKind) -> bool:
    return cause.mechanism is not None and cause.mechanism.kind is kind


def _miss_category(rates: Rates, of: Documents) -> None:
    rates.miss[..., 3] += 0.6


FAULTS = (
    Fault(
        "a careless annotator", _careless,
        lambda c: _is_chloe(c) and c.part is None and _every(c),
    ),
    Fault("quality falls each week", _falling, lambda c: _every(c) and not c.annotator
          and c.part is not None and c.part.kind is PartKind.since),
    Fault(
        "LOC and ORG exchanged from week 4",
        _two_exchange,
        lambda c: _of_pair(c) and _since(c),
    ),
    Fault(
        "one bad batch",
        lambda r, of: _worsen(r, of.batch == 1, 0.4),
        lambda c: _in(c, PartKind.batch, "B") and _every(c) and not c.annotator,
    ),
    Fault(
        "one hard type of documents",
        lambda r, of: _worsen(r, of.type == 3, 0.35),
        lambda c: _in(c, PartKind.document_type, "tweet") and _every(c) and not c.annotator,
    ),
    Fault(
        "an annotator careless from week 4",
        lambda r, of: _worsen(r, of.week >= WEEK, 0.45, only=BAD),
        lambda c: _is_chloe(c) and _since(c) and _every(c),
    ),
    Fault(
        "LOC and ORG exchanged throughout",
        lambda r, of: _exchange(r, of.week > 0, 0.4),
        lambda c: _of_pair(c) and c.part is None and not c.annotator,
    ),
    Fault(
        "worse from week 4 on",
        lambda r, of: _worsen(r, of.week >= WEEK, 0.15),
        lambda c: _since(c) and _every(c) and not c.annotator,
    ),
    Fault(
        "one bad week",
        lambda r, of: _worsen(r, of.week == 6, 0.75),
        lambda c: _in(c, PartKind.period, "2026-W07") and _every(c) and not c.annotator,
    ),
    Fault(
        "an annotator exchanges LOC and ORG",
        lambda r, of: _exchange(r, of.week > 0, 0.9, only=BAD),
        lambda c: _of_pair(c) and _is_chloe(c) and c.part is None,
    ),
    Fault(
        "LOC and ORG exchanged in one type",
        lambda r, of: _exchange(r, of.type == 1, 0.6),
        lambda c: _of_pair(c) and _in(c, PartKind.document_type, "news") and not c.annotator,
    ),
    Fault(
        "an annotator misses units",
        lambda r, of: _add(r.miss, 0.3, only=BAD),
        lambda c: _is_chloe(c) and c.kind.cause == "missing" and not c.marks_more
        and c.part is None,
        of_labels=False,
    ),
    Fault(
        "an annotator marks too many units",
        lambda r, of: _add(r.extra, 0.45, only=BAD),
        lambda c: _is_chloe(c) and c.kind.cause == "missing" and c.marks_more and c.part is None,
        of_labels=False,
    ),
    Fault(
        "boundaries differ from week 4 on",
        lambda r, of: _add(r.shift, 0.8, of.week >= WEEK),
        lambda c: c.kind.cause == "boundary" and _since(c) and not c.annotator,
        of_labels=False,
    ),
    Fault(
        "units of one category missed",
        _miss_category,
        lambda c: (c.kind.cause, c.kind.categories) == ("missing", ("DATE",)) and c.part is None
        and not c.annotator,
        of_labels=False,
    ),
)  # fmt: skip

MECHANISMS = (
    Fault("an annotator copies another", _copy,
          lambda c: _is(c, MechanismKind.alike) and c.annotator == ANNOTATORS[0]
          and c.mechanism is not None and c.mechanism.other == ANNOTATORS[BAD]),
    Fault("an annotator favours a category", _favour,
          lambda c: _is(c, MechanismKind.more) and _is_chloe(c)
          and c.mechanism is not None and c.mechanism.category == CATEGORIES[0]),
    Fault("an annotator's units of a batch have an offset", _offset,
          lambda c: _is(c, MechanismKind.offset) and _is_chloe(c)
          and _in(c, PartKind.batch, "B"), of_labels=False),
    Fault("units are missed late in documents", _late,
          lambda c: _from_position(c) and not c.annotator, of_labels=False),
    Fault("an annotator misses units late in documents", _one_late,
          lambda c: _from_position(c) and _is_chloe(c), of_labels=False),
    Fault("errors by night", _by_night,
          lambda c: _in_strata(c, PartKind.from_hour, "22:00", "20:00") and not c.annotator),
    Fault("an annotator avoids a category", _avoid,
          lambda c: _is_chloe(c) and c.mechanism is not None
          and (c.mechanism.kind, c.mechanism.category)
          in ((MechanismKind.less, CATEGORIES[0]), (MechanismKind.more, CATEGORIES[1]))),
    Fault("two annotators do not use a category", _unknown_to_two,
          lambda c: _is(c, MechanismKind.uneven) and not c.annotator
          and c.kind.categories == ("DATE", "MISC")),
)  # fmt: skip
"""Faults whose mechanism must be named, too, whatever the value does."""
