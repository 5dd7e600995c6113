"""Shared parts of references of labels and of units: settings, rows, decisions, history."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.alignment.continuum import UNLABELLED_NAME, Fragments
from ...metrics.options import Sampling
from ...metrics.references.adjudication import Decision, match_decisions
from ...metrics.references.disagreement_cases import Case, GivenAnnotation
from ...metrics.references.label_list import LabelList
from ...metrics.references.label_models.dawid_skene import dawid_skene
from ...metrics.references.label_models.glad import glad
from ...metrics.references.label_models.minimax_entropy import minimax_entropy
from ...metrics.references.label_models.model_reference import ModelReference
from ...reports import results as page
from ..options import ReferenceOptions
from .decided_cases import DecidedCases, decided_cases

MODELS: dict[str, Callable[[LabelMatrix | LabelList], ModelReference]] = {
    "dawid_skene": dawid_skene,
    "glad": glad,
    "minimax_entropy": minimax_entropy,
}
MOST_LISTED = 500  # open cases on the page


@dataclass(frozen=True)
class ReferenceSettings(ReferenceOptions):
    """Reference options with campaign settings.

    decisions  (layer, decision) of the adjudication, in the order they were recorded
    other_names  annotator → name in the exports, to read decisions of version 0.2.0
    privacy    whether texts are not kept, so formats that need text are not released
    """

    decisions: tuple[tuple[str, Decision], ...] = ()
    other_names: Mapping[str, str] = field(default_factory=dict)
    sampling: Sampling = field(default_factory=Sampling)
    privacy: bool = False

    def leaves_undecided(self, reason: str) -> bool:
        """Return whether the rule decides nothing on an open unit, by the reason why it is open.

        With votes and models, too little support decides that there is no unit.
        """
        return self.rule in ("adjudicated", "unanimity") or reason == "category"

    @property
    def name(self) -> str:
        """Name of the reference in the report."""
        return self.annotator or f"built: {self.rule.replace('_', ' ')}"

    def only_decisions_on(self, layer: str) -> ReferenceSettings:
        """Return the settings without the decisions on other layers."""
        return replace(self, decisions=tuple(one for one in self.decisions if one[0] == layer))

    def decided(
        self, layer: str, cases: Sequence[Case], documents: Collection[str]
    ) -> DecidedCases:
        """Find the present cases of the decisions on a layer with these documents."""
        own = [decision for name, decision in self.decisions if name == layer]
        return decided_cases(cases, own, documents=documents, other_names=self.other_names)


class LabelRow(NamedTuple):
    """One item of a reference; `annotator` is the name of the reference in scoring.

    confidence  P(the label is right), from an audit
    """

    document: str
    item: str
    annotator: str
    label: str
    predicted_agreement: float
    confidence: float | None = None


class ObjectRow(NamedTuple):
    """One item of a reference of objects, with the mean distance of the others' objects to it."""

    document: str
    item: str
    annotator: str
    label: str
    distance: float


class ConsensusRow(NamedTuple):
    """One unit of a consensus: a `UnitRow` with the probabilities of its bounds."""

    document: str
    start_offset: int
    end_offset: int
    category: str
    fragments: Fragments
    support: int
    confidence: float
    start_confidence: float
    end_confidence: float


class UnitRow(NamedTuple):
    """One unit of a reference, marked by `support` annotators; () as fragments if it has no gap."""

    document: str
    start_offset: int
    end_offset: int
    category: str
    fragments: Fragments
    support: int
    confidence: float


class OpenRow(NamedTuple):
    """A unit on a place that the reference leaves undecided; `place` numbers those of a document.

    Scores count nothing there as right or wrong.
    """

    document: str
    place: int
    start_offset: int
    end_offset: int


@dataclass(slots=True)
class BuiltReference:
    """A layer's reference before it is written, with the documents that it covers.

    open_places  of units
    """

    summary: page.ReferenceSummary
    rows: Sequence[LabelRow] | Sequence[ObjectRow] | Sequence[UnitRow] | Sequence[ConsensusRow]
    documents: list[str]
    open_places: list[OpenRow] = field(default_factory=list)


def decision_history(cases: Sequence[Case], decisions: Sequence[Decision]) -> list[dict[str, str]]:
    """Return every decision with author, time and reason, in chronological order."""
    of = {case.case: case for case in cases}
    return [
        {
            "document": of[decision.case].document,
            "item": of[decision.case].where,
            "decision": decision_text(decision),
            "by": decision.who,
            "when": decision.when,
            "why": decision.why,
        }
        for decision in match_decisions(cases, decisions).history
    ]


def decision_text(decision: Decision) -> str:
    """Return the decided category with its bounds, or a note that there is no annotation."""
    if not decision.keep:
        return "(nothing)"
    decided = GivenAnnotation(
        decision.category, decision.start, decision.end, decision.fragments
    ).bounds_text
    return f"{decision.category or UNLABELLED_NAME} {decided}".rstrip()
