"""The cases that recorded decisions are on, and why other decisions no longer apply.

A decision is on the case with its key. Records of version 0.2.0 name a case by its annotators and
annotations instead; they are compared with the names that the present cases had in that form, under
the names of annotators and under their pseudonyms. A record that fits no case or several is
reported, never guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from ...metrics.coded_warning import CodedWarning
from ...metrics.references.adjudication import Decision
from ...metrics.references.disagreement_cases import Case, GivenAnnotation, is_case_key

ITEM_OF_0_2 = "\x1f"  # between document and item in the name of a case


class Lost(StrEnum):
    """Why a decision does not apply; the value is the code of the warning."""

    CHANGED = "decisions_reopened"
    AGREED = "decisions_without_disagreement"
    GONE = "decisions_without_document"
    NOT_MAPPED = "decisions_not_mapped"


IN_DANGER = (Lost.CHANGED, Lost.NOT_MAPPED)
"""Reasons for which a release waits: somebody decided, and the reference does not say so."""


@dataclass(frozen=True, slots=True)
class DecidedCases:
    """Decisions on the present cases, under their keys, and the other decisions by reason."""

    decisions: tuple[Decision, ...]
    lost: tuple[tuple[Lost, Decision], ...]

    @property
    def warnings(self) -> list[CodedWarning]:
        counts = Counter(reason for reason, _ in self.lost)
        return [
            CodedWarning(reason, {"n": counts[reason], "names": self._places(reason)})
            for reason in Lost
            if counts[reason]
        ]

    def of_document(self, document: str) -> list[Decision]:
        return [one for one in self.decisions if one.document == document]

    def _places(self, reason: Lost, most: int = 5) -> str:
        """Name the places of some lost decisions."""
        places = dict.fromkeys(place_of(one) for why, one in self.lost if why is reason)
        more = ", …" if len(places) > most else ""
        return ", ".join([*places][:most]) + more


NO_DECISIONS = DecidedCases((), ())


def decided_cases(
    cases: Sequence[Case],
    decisions: Sequence[Decision],
    *,
    documents: Collection[str],
    other_names: Mapping[str, str] = {},
) -> DecidedCases:
    """Find the present case of each decision of a layer.

    documents    all documents of the layer
    other_names  annotator → the name that the exports have in place of the pseudonym

    A decision whose place has been decided again later is replaced, not lost.
    """
    of_key = {case.case: case for case in cases}
    of_document: dict[str, list[Case]] = {}
    for case in cases:
        of_document.setdefault(case.document, []).append(case)
    found: list[Decision] = []
    others: list[tuple[Lost, Decision]] = []
    for decision in decisions:
        if is_case_key(decision.case):
            here = [of_key[decision.case]] if decision.case in of_key else []
        else:
            here = _cases_named(decision.case, of_document, other_names)
        if len(here) == 1:
            found.append(decision.on(here[0]))
        else:
            others.append(_why_lost(decision, of_document, documents))
    decided = {one.case for one in found}
    lost = [
        (reason, decision)
        for reason, decision in others
        if not _is_replaced(reason, decision, of_document, decided)
    ]
    return DecidedCases(tuple(found), tuple(lost))


def _why_lost(
    decision: Decision, of_document: Mapping[str, Sequence[Case]], documents: Collection[str]
) -> tuple[Lost, Decision]:
    if not is_case_key(decision.case):
        document, sign, item = decision.case.partition(ITEM_OF_0_2)
        if not sign:
            is_held = any(one in documents for one in _prefixes(decision.case))
            return (Lost.NOT_MAPPED if is_held else Lost.GONE), decision
        decision = replace(decision, document=document, item=item)
    if decision.document not in documents:
        return Lost.GONE, decision
    is_disputed = any(
        _same_place(case, decision) for case in of_document.get(decision.document, ())
    )
    return (Lost.CHANGED if is_disputed else Lost.AGREED), decision


def _is_replaced(
    reason: Lost,
    decision: Decision,
    of_document: Mapping[str, Sequence[Case]],
    decided: Collection[str],
) -> bool:
    """Whether all present cases at its place, or in its document, are decided."""
    if reason is Lost.CHANGED:
        cases = [one for one in of_document[decision.document] if _same_place(one, decision)]
    elif reason is Lost.NOT_MAPPED:
        named = [one for one in _prefixes(decision.case) if one in of_document]
        cases = [case for document in named for case in of_document[document]]
    else:
        return False
    return all(case.case in decided for case in cases)


def _same_place(case: Case, decision: Decision) -> bool:
    """Whether the case is on the decision's item, or its units overlap the decision's bounds."""
    (start, end), (first, last) = case.bounds, decision.bounds
    if np.isnan(start) or np.isnan(first):
        return case.where == decision.item
    return start < last and first < end


def place_of(decision: Decision) -> str:
    """Name the place of a decision for a message."""
    if not decision.document:
        return decision.case
    start, end = decision.bounds
    return f"{decision.document}, {decision.item or f'{start:.0f}–{end:.0f}'}"


def _cases_named(
    name: str, of_document: Mapping[str, Sequence[Case]], other_names: Mapping[str, str]
) -> list[Case]:
    """Return the cases that had this name in version 0.2.0."""
    document, sign, item = name.partition(ITEM_OF_0_2)
    if sign:
        return [one for one in of_document.get(document, ()) if one.where == item]
    return [
        case
        for document in _prefixes(name)
        for case in of_document.get(document, ())
        if _has_name(case, name.removeprefix(f"{document}|"), other_names)
    ]


def _prefixes(name: str) -> Iterator[str]:
    """Yield what may be the document in a name of version 0.2.0: `document|annotator=…;…`."""
    return (name[:end] for end, sign in enumerate(name) if sign == "|")


def _has_name(case: Case, units: str, other_names: Mapping[str, str]) -> bool:
    """Whether the units of the case, in some order and under some names, make this text."""
    texts = [
        {_text(annotator, one), _text(other_names.get(annotator, annotator), one)}
        for annotator, one in case.said.items()
        if not one.is_missing
    ]
    return _is_joined_of(units, texts)


def _text(annotator: str, one: GivenAnnotation) -> str:
    return f"{annotator}={one.start:g}-{one.end:g}:{one.category}"


def _is_joined_of(text: str, alternatives: Sequence[Collection[str]]) -> bool:
    """Whether the text is one text of each set, in any order, with semicolons between them."""
    if not alternatives:
        return not text
    for k, texts in enumerate(alternatives):
        others = [*alternatives[:k], *alternatives[k + 1 :]]
        for one in texts:
            rest = text.removeprefix(one)
            if rest == text:
                continue
            if not others:
                if not rest:
                    return True
            elif rest.startswith(";") and _is_joined_of(rest[1:], others):
                return True
    return False
