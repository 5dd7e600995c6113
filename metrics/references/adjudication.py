"""Adjudication: cases to discuss, decisions with their authors, and cases that are still open.

This is the most expensive way to a reference, and the best: the annotators review together every
annotation that was not unanimous (Mathet & Widlöcher 2016, section 6.3). This module reads and
writes no files: cases and decisions are plain records.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ..alignment.continuum import UNLABELLED, Continuum, Fragments
from ..coded_warning import CodedWarning
from ..errors import MetricsError
from ..signature import signature_line
from .disagreement_cases import (
    NOTHING,
    Case,
    cases_by_alignment_row,
)
from .label_reference import UNRESOLVED, Reference, require_humans
from .unit_reference import OpenUnit, Reason, UnitReference, median_bounds, proposed_fragments

if TYPE_CHECKING:
    from ..alignment.best_alignment import Alignment


@dataclass(frozen=True, slots=True)
class Decision:
    """Decision on a case.

    case  key of the case (`case_key`); its name in records of version 0.2.0
    document, item, bounds  where the case is, to find what became of it: `item` of labels,
              `bounds` of units; not in records of version 0.2.0
    category  the category of the reference; "" with `keep` False: nothing is annotated here
    start, end  bounds of the unit; nan for a label, or to keep the proposed bounds and fragments
    fragments   of a discontinuous unit with these bounds
    who, when, why  stored with the reference; `when` in ISO 8601, compared as text
    """

    case: str
    category: str
    who: str
    when: str
    why: str = ""
    start: float = float("nan")
    end: float = float("nan")
    keep: bool = True
    document: str = ""
    item: str = ""
    bounds: tuple[float, float] = (float("nan"), float("nan"))
    fragments: Fragments = ()

    def on(self, case: Case) -> Decision:
        """Return the decision with the key and the place of the case."""
        bounds = case.bounds
        item = case.where if np.isnan(bounds[0]) else ""
        return replace(self, case=case.case, document=case.document, item=item, bounds=bounds)


@dataclass(frozen=True, slots=True)
class Revision:
    """Decisions matched with cases.

    settled  case → the valid decision, which is the latest
    open     cases without a decision, in the order of the cases
    history  every decision, in chronological order
    """

    settled: dict[str, Decision]
    open: tuple[Case, ...]
    history: tuple[Decision, ...] = field(default=())


def match_decisions(cases: Sequence[Case], decisions: Iterable[Decision]) -> Revision:
    """Find the cases that are settled, with their decisions, and the cases that are open.

    If a case has several decisions, the latest is valid (for equal times, the last one given); all
    stay in the history. Raises MetricsError for a decision on an unknown case, or without who or
    when.
    """
    history = sorted(decisions, key=lambda decision: decision.when)
    known = {case.case for case in cases}
    for decision in history:
        if decision.case not in known:
            raise MetricsError(
                f"a decision by {decision.who!r} is on case {decision.case!r}, which is not in the "
                "list of disagreements: correct its name, or list the disagreements again"
            )
        if not decision.who or not decision.when:
            raise MetricsError(
                f"the decision on case {decision.case!r} does not say who decided and when: a "
                "reference is released with its history, fill in both"
            )
    settled = {decision.case: decision for decision in history}
    return Revision(
        settled, tuple(case for case in cases if case.case not in settled), tuple(history)
    )


def adjudicate_labels(
    reference: Reference, cases: Sequence[Case], decisions: Iterable[Decision]
) -> tuple[Reference, Revision]:
    """Apply decisions to a reference; items whose cases are open become unresolved.

    The cases are of the matrix that the reference was built from: their rows are its items.
    Items without disagreement keep the label of `reference`. An item with an open case is
    unresolved even if a vote would settle it, because nobody has reviewed it. A decision with
    `keep` False leaves the item without a label. Raises MetricsError for a category outside the
    tagset, and as `match_decisions`.
    """
    revision = match_decisions(cases, decisions)
    codes = reference.codes.copy()
    for case in cases:
        row, decision = case.row, revision.settled.get(case.case)
        codes[row] = UNRESOLVED
        if decision is None or not decision.keep:
            continue
        require_valid_decision(decision, reference.tagset)
        codes[row] = _code(decision, reference.tagset)
    adjudicated = replace(
        reference,
        codes=codes,
        rule="adjudication",
        n_ties=0,
        warnings=_still_open(revision),
        signature=_signature(revision, reference.rule),
        detail={
            "n_decided": len(revision.settled),
            "n_open": len(revision.open),
            "base": reference.rule,
        },
    )
    return adjudicated, revision


def adjudicate_units(
    continuum: Continuum,
    alignment: Alignment,
    decisions: Iterable[Decision],
    *,
    document: str,
    layer: str = "",
) -> tuple[UnitReference, Revision]:
    """Build the reference of a document from units that all annotators agree on and from decisions.

    A decision gives category and bounds, or fragments; without bounds the medians are used, and the
    fragments that most annotators give; `keep` False removes the unit; category "" is a unit
    without a category. Open cases are in `open`, with the reason. Raises MetricsError as
    `match_decisions`, and for a category outside the tagset or an end that is not after its start;
    RoleError if an annotator is not human.
    """
    require_humans(continuum.annotators, continuum.roles, "adjudication")
    cases = cases_by_alignment_row(continuum, alignment, document, layer)
    revision = match_decisions(tuple(cases.values()), decisions)
    starts, ends = median_bounds(continuum, alignment)
    proposed = proposed_fragments(continuum, alignment)
    present = alignment.units >= 0
    support = present.sum(axis=1)
    rows: list[tuple[float, float, int, int]] = []
    fragments: dict[int, Fragments] = {}
    still_open: list[OpenUnit] = []
    for row in range(alignment.units.shape[0]):
        start, end = float(starts[row]), float(ends[row])
        if row not in cases:
            any_unit = alignment.units[row][present[row]][0]
            rows.append((start, end, int(continuum.categories[any_unit]), row))
            continue
        decision = revision.settled.get(cases[row].case)
        if decision is None:
            disorder = float(alignment.disorders[row])
            reason: Reason = "category" if support[row] == continuum.n_annotators else "support"
            still_open.append(OpenUnit(row, reason, start, end, int(support[row]), disorder))
        elif decision.keep:
            if not (np.isnan(decision.start) and np.isnan(decision.end)):
                fragments[row] = decision.fragments
            start = start if np.isnan(decision.start) else decision.start
            end = end if np.isnan(decision.end) else decision.end
            require_valid_decision(replace(decision, start=start, end=end), continuum.tagset)
            rows.append((start, end, _code(decision, continuum.tagset), row))
    rows.sort()
    table = np.array(rows, dtype=np.float64).reshape(-1, 4)
    unitary = table[:, 3].astype(np.int64)
    reference = UnitReference(
        table[:, 0],
        table[:, 1],
        table[:, 2].astype(np.int32),
        support[unitary].astype(np.int64),
        np.ones(len(rows)),
        unitary,
        tuple(fragments.get(row, proposed[row]) for row in unitary.tolist()),
        tuple(sorted(still_open, key=lambda case: (-case.disorder, case.start, case.end))),
        continuum.tagset,
        continuum.annotators,
        warnings=_still_open(revision),
        signature=_signature(revision, "unanimous units"),
    )
    return reference, revision


def require_valid_decision(decision: Decision, tagset: Sequence[str], *, called: str = "") -> None:
    """Raise MetricsError for a category outside the tagset, or for invalid bounds.

    called  the name of the case in the message; "": its own name
    """
    if not decision.keep:
        return
    where = f"the decision on {called or decision.case!r} by {decision.who!r} gives"
    if decision.category != NOTHING and decision.category not in tagset:
        raise MetricsError(
            f"{where} {decision.category!r}, which is not one of the categories "
            f"({', '.join(tagset)}): correct it, or declare the category in the campaign file and "
            "run the campaign again"
        )
    if decision.start >= decision.end or decision.start < 0:
        raise MetricsError(
            f"{where} the bounds {decision.start:g}–{decision.end:g}: the end must be after the "
            "start, and neither before 0"
        )
    flat = [bound for fragment in decision.fragments for bound in fragment]
    if flat and (
        sorted(set(flat)) != flat or (decision.start, decision.end) != (flat[0], flat[-1])
    ):
        raise MetricsError(
            f"{where} the fragments {flat}: each must begin after the one before has ended"
        )


def _code(decision: Decision, tagset: tuple[str, ...]) -> int:
    return UNLABELLED if decision.category == NOTHING else tagset.index(decision.category)


def _still_open(revision: Revision) -> tuple[CodedWarning, ...]:
    n_open = len(revision.open)
    if not n_open:
        return ()
    return (CodedWarning("still_open", {"n": n_open}),)


def _signature(revision: Revision, base: str) -> str:
    return signature_line(
        "adjudication",
        base=base,
        decided=len(revision.settled),
        open=len(revision.open),
        by=",".join(sorted({decision.who for decision in revision.history})),
    )
