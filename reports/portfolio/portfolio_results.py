"""The JSON of a comparison of two runs, and of an index of campaigns."""

from __future__ import annotations

import math
from enum import StrEnum

from pydantic import Field

from ..results import Action, Batch, Changes, Gate, Note, RunPoint
from ..value import Finding, Model, Notice, Number, Value


class Unpaired(StrEnum):
    """Why a difference has no interval; worded in the messages under `compare.unpaired_…`."""

    NO_SECOND = "only_in_one"
    UNDEFINED = "undefined"
    NO_TABLES = "no_tables"
    DECLARED_DISTANCE = "declared_distance"
    OTHER_VALUE = "other_value"
    OTHER_LABELS = "other_labels"
    NOT_ALL_DOCUMENTS = "not_all_documents"
    NO_COUNTS = "no_counts"
    NOTHING_SHARED = "nothing_shared"
    FEW_SHARED = "few_shared"


class Fate(StrEnum):
    """How a document changed from the first run to the second."""

    SHARED = "shared"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"


class DocumentEffect(Model):
    """`effect`: the change less the change without this document, in both runs."""

    document: str
    fate: Fate
    effect: Number


class Paired(Model):
    """The change on the documents of both runs, with its interval."""

    n_documents: int
    first: Number
    second: Number
    change: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    level: float = 0.95


class ValueChange(Model):
    """One value in both runs; differences are the second minus the first.

    of        category and system of an estimate of the corpus; "" for a value of the layer
    interval  of the change; documents in both runs are paired, others are samples
    paired    None if `unpaired` gives a reason
    effects   effects of the documents that changed the value most, the largest first
    """

    layer: str
    measure: str
    of: str = ""
    first: Value | None
    second: Value | None
    change: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    level: float = 0.95
    paired: Paired | None = None
    unpaired: Unpaired | None = None
    n_effects: int = 0  # documents with an effect; `effects` holds the largest
    effects: list[DocumentEffect] = Field(default_factory=list)

    @property
    def place(self) -> str:
        return ", ".join(filter(None, (self.layer, self.of)))


class SettingKind(StrEnum):
    """Worded in the messages under `compare.setting_…`."""

    ANNOTATOR = "annotator"
    GUIDELINE = "guideline"
    BATCH_GUIDELINE = "batch_guideline"
    TAGSET = "tagset"
    ROWS_ACCEPTED = "rows_accepted"
    ROWS_REJECTED = "rows_rejected"
    CAMPAIGN_FILE = "campaign_file"
    SEED = "seed"
    GATE = "gate"
    OPTION = "option"
    PACKAGE = "package"


class Setting(Model):
    """Something that differs between the two runs; "" in a run that does not have it.

    `of`: the annotator, batch, layer, gate or package; for an option its key and the values.
    """

    kind: SettingKind
    of: str = ""
    first: str
    second: str


class ComparedRun(Model):
    name: str
    number: int = 0  # 0 for a run outside a store
    started: str = ""
    version: str = ""
    report: str = ""  # its address


class JudgeChange(Model):
    """A system that labels items in both runs: how its labels changed on their common items.

    changed    share of its labels that differ in the second run
    advantage  its advantage over the annotators of the second run, minus that of its earlier labels
    """

    layer: str
    system: str
    changed: Value
    advantage: Value


class Comparison(Model):
    campaign: str
    first: ComparedRun
    second: ComparedRun
    documents: Changes | None = None  # None if a run has no ledger
    data: list[Setting] = Field(default_factory=list)
    options: list[Setting] = Field(default_factory=list)
    code: list[Setting] = Field(default_factory=list)
    values: list[ValueChange] = Field(default_factory=list)
    judges: list[JudgeChange] = Field(default_factory=list)


class IndexedRun(Model):
    """outcome: pass, undecided, fail or open; "" if the results cannot be read.

    values  the main value of each layer
    report  its address relative to the index; "" if the page is no longer kept
    """

    number: int
    started: str = ""
    outcome: str = ""
    guideline: str = ""
    values: list[RunPoint] = Field(default_factory=list)
    report: str = ""


class IndexedCampaign(Model):
    """A campaign as in its store; all facts except `runs` are from the last run."""

    name: str
    store: str
    page: str  # its page, beside the index
    outcome: str
    description: str = ""
    guideline: str = ""
    gates: list[Gate] = Field(default_factory=list)
    actions: list[Action] = Field(default_factory=list)
    finding: Finding | None = None
    alerts: list[Notice] = Field(default_factory=list)
    notes: list[Note] = Field(default_factory=list)
    batches: list[Batch] = Field(default_factory=list)
    runs: list[IndexedRun] = Field(default_factory=list)  # in order

    @property
    def last(self) -> IndexedRun:
        """Return the last run that could be read."""
        return next(one for one in reversed(self.runs) if one.outcome)

    def worst_gate(self) -> Gate | None:
        """Return the gate with the smallest margin, of all documents or of the last delivery.

        An undefined gate comes first.
        """
        return min(self.gates, key=_margin, default=None)

    def worst_margin(self) -> float:
        """Return the margin of the worst gate; ∞ without a gate."""
        worst = self.worst_gate()
        return math.inf if worst is None else _margin(worst)


def _margin(gate: Gate) -> float:
    return gate.worst_margin if math.isfinite(gate.worst_margin) else -math.inf


class Index(Model):
    version: str
    campaigns: list[IndexedCampaign] = Field(default_factory=list)
