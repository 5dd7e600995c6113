"""Campaigns with one planted fault, or none: labels and units.

Each campaign has 8 weeks of 20 documents, in 5 batches that cross the weeks, of 4 types, with 4
annotators: 6 labels a document, or 8 true units in 2,000 characters, of 5 categories. Documents
vary in difficulty. Without a fault, annotators err alike. With a fault, the same random numbers
give the same campaign except for the fault, so that the two values differ by its cost.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, fields
from datetime import date, timedelta

import numpy as np

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.arrays import Floats, Ints
from accordeur.metrics.causes.cause import Cause
from accordeur.metrics.causes.strata import StrataOfWork, strata_of_times

WEEKS, PER_WEEK, N_ITEMS, N_UNITS, LENGTH = 8, 20, 6, 8, 2000
N_DOCUMENTS = WEEKS * PER_WEEK
ANNOTATORS = ("ana", "bruno", "chloe", "dario")
CATEGORIES = ("LOC", "ORG", "PER", "DATE", "MISC")
SHARES = (0.28, 0.26, 0.2, 0.14, 0.12)
BATCHES = ("A", "B", "C", "D", "E")
TYPES = ("letter", "news", "report", "tweet")
BAD, PAIR, WEEK = 2, (0, 1), 4  # chloe; LOC and ORG; the fault begins in this week, from 1
_FIRST_DAY = date(2026, 1, 5)


@dataclass(slots=True)
class Rates:
    """Probabilities of errors by document, annotator and category, (D, A, K).

    error     another category at random
    exchange  the other one of LOC and ORG
    miss, shift, extra   of units: not marked; with other bounds; marked in addition
    favour  this category, in place of any other one
    shun    the next category in place of this one
    copy    (D, A): all work of the first annotator is copied
    offset  (D, A): both bounds are one character later
    late    (D, A): units not marked that begin in the last 800 characters
    """

    error: Floats
    exchange: Floats
    miss: Floats
    shift: Floats
    extra: Floats
    favour: Floats
    shun: Floats
    copy: Floats
    offset: Floats
    late: Floats


@dataclass(frozen=True, slots=True)
class Documents:
    """Week (from 1), batch and type of each document, int64 (D,)."""

    week: Ints
    batch: Ints
    type: Ints

    @property
    def names(self) -> list[str]:
        return [f"{TYPES[t]}-{d:03}" for d, t in enumerate(self.type.tolist())]

    @property
    def batches(self) -> list[str]:
        return [BATCHES[b] for b in self.batch.tolist()]

    @property
    def days(self) -> list[str]:
        return [
            (_FIRST_DAY + timedelta(weeks=w - 1, days=d % 5)).isoformat()
            for d, w in enumerate(self.week.tolist())
        ]

    @property
    def hours(self) -> Ints:
        """Hour of each annotator's work, int64 (D, A), from 9 to 23."""
        shape = self.week.size, len(ANNOTATORS)
        return np.random.default_rng(9).integers(9, 24, shape)

    @property
    def work(self) -> list[StrataOfWork]:
        """Hour and order of the work, as a run reads them from times."""
        days, (d, a) = self.days, np.indices(self.hours.shape)
        times = [
            f"{days[i]}T{hour:02d}:{i % 60:02d}:00Z"
            for i, hour in zip(d.ravel().tolist(), self.hours.ravel().tolist(), strict=True)
        ]
        return strata_of_times(times, d.ravel(), a.ravel(), self.hours.shape)

    @property
    def weeks(self) -> list[str]:
        iso = [date.fromisoformat(day).isocalendar() for day in self.days]
        return [f"{one.year}-W{one.week:02d}" for one in iso]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: how it changes the rates, of which kinds of layers, and which cause names it.

    size  factor of the change of all rates
    """

    name: str
    plant: Callable[[Rates, Documents], None]
    is_named_by: Callable[[Cause], bool]
    of_labels: bool = True
    of_units: bool = True
    size: float = 1.0


def documents() -> Documents:
    number = np.arange(N_DOCUMENTS)
    return Documents(number // PER_WEEK + 1, number % len(BATCHES), (number // 5) % len(TYPES))


def rates_of(rng: np.random.Generator, of: Documents, fault: Fault | None) -> Rates:
    """Return the rates of a campaign: documents differ in difficulty, annotators do not."""
    shape = (N_DOCUMENTS, len(ANNOTATORS), len(CATEGORIES))
    difficulty = rng.gamma(4.0, 0.25, N_DOCUMENTS)[:, None, None]
    rates = Rates(*(np.zeros(shape) for _ in range(7)), *np.zeros((3, *shape[:2])))
    rates.error += 0.10 * difficulty
    rates.miss += 0.08 * difficulty
    rates.shift += 0.15 * difficulty
    rates.extra += 0.04 * difficulty
    if fault is None:
        return rates
    planted = deepcopy(rates)
    fault.plant(planted, of)
    for rate in fields(Rates):
        without, with_fault = getattr(rates, rate.name), getattr(planted, rate.name)
        setattr(rates, rate.name, without + fault.size * (with_fault - without))
    return rates


def labels_of(seed: int, fault: Fault | None) -> LabelMatrix:
    """Return the labels of a campaign."""
    rng, of = np.random.default_rng([seed, 1]), documents()
    rates = rates_of(rng, of, fault)
    document = np.repeat(np.arange(N_DOCUMENTS), N_ITEMS)
    truth = rng.choice(len(CATEGORIES), document.size, p=SHARES)
    codes = _categories(rng, truth[:, None], rates, document[:, None], np.arange(4)[None, :])
    copied = rng.random(codes.shape) < rates.copy[document]
    codes = np.where(copied, codes[:, :1], codes)
    return LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=CATEGORIES,
        annotators=ANNOTATORS,
        documents=document,
        items=tuple(f"i{i}" for i in range(document.size)),
    )


def _categories(
    rng: np.random.Generator, truth: Ints, rates: Rates, document: Ints, who: Ints
) -> Ints:
    """Return the categories that annotators give, of the shape that the arguments broadcast to."""
    where = np.broadcast_arrays(document, who, truth)
    shape = where[0].shape
    guess, draw = rng.integers(0, len(CATEGORIES), shape), rng.random((2, *shape))
    given = np.where(draw[0] < rates.error[where[0], where[1], where[2]], guess, where[2])
    exchanged = draw[1] < rates.exchange[where[0], where[1], where[2]]
    first, second = PAIR
    other = np.where(given == first, second, np.where(given == second, first, given))
    given = np.where(exchanged, other, given)
    favour = rates.favour[where[0], where[1]]  # with the categories in the last dimension
    if favour.any():
        draw = rng.random(shape)
        for k in range(len(CATEGORIES)):
            given = np.where((draw < favour[..., k]) & (given != k), k, given)
    shun = np.take_along_axis(rates.shun[where[0], where[1]], given[..., None], axis=-1)[..., 0]
    if shun.any():
        given = np.where(rng.random(shape) < shun, (given + 1) % len(CATEGORIES), given)
    return np.asarray(given)


def units_of(seed: int, fault: Fault | None) -> list[Continuum]:
    """Return the units of a campaign, a continuum for each document."""
    rng, of = np.random.default_rng([seed, 2]), documents()
    rates = rates_of(rng, of, fault)
    return [_continuum(rng, rates, d) for d in range(N_DOCUMENTS)]


def _continuum(rng: np.random.Generator, rates: Rates, d: int) -> Continuum:
    n_slots = LENGTH // 50
    slots = rng.permutation(n_slots)
    lengths = rng.integers(10, 40, n_slots)
    truth = rng.choice(len(CATEGORIES), n_slots, p=SHARES)
    who = np.arange(len(ANNOTATORS))[None, :]
    category = _categories(rng, truth[:, None], rates, np.full((1, 1), d), who)
    draw = rng.random((3, n_slots, len(ANNOTATORS)))
    bounds = rng.integers(6, 16, (n_slots, len(ANNOTATORS)))
    is_true = np.arange(n_slots)[:, None] < N_UNITS
    at = (np.full((1, 1), d), who, truth[:, None])
    marked = np.where(is_true, draw[0] >= rates.miss[at], False)
    is_late = slots * 50 >= LENGTH - 800
    marked &= ~(is_late[:, None] & (rng.random(marked.shape) < rates.late[d]))
    marked |= (~is_true) & (draw[1] < rates.extra[at] * N_UNITS / (n_slots - N_UNITS))
    shift = np.where(draw[2] < rates.shift[at], bounds, 0)
    for table in (marked, shift, category):
        copied = rng.random(table.shape) < rates.copy[d]
        table[:] = np.where(copied, table[:, :1], table)
    slot, owner = np.nonzero(marked)
    is_later = 0
    if rates.offset[d].any():
        is_later = rng.random(owner.size) < rates.offset[d, owner]
    starts = slots[slot] * 50.0 + shift[slot, owner] + is_later
    return Continuum(
        starts, starts + lengths[slot], category[slot, owner], owner, ANNOTATORS, CATEGORIES,
        length=float(LENGTH),
    )  # fmt: skip
