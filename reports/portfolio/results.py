"""What a comparison of two runs found, and what an index of campaigns lists: the JSON of both."""

from __future__ import annotations

import math
from enum import StrEnum

from pydantic import Field

from ..results import Batch, Changes, Gate, Note, RunPoint
from ..value import Finding, Model, Notice, Number, Value


class Unpaired(StrEnum):
    """Why a difference has no interval; worded in the messages under `compare.unpaired_…`."""

    NO_SECOND = "only_in_one"
    UNDEFINED = "undefined"
    NO_TABLES = "no_tables"
    TOO_MANY = "too_many"
    DECLARED_DISTANCE = "declared_distance"
    OTHER_VALUE = "other_value"
    OTHER_LABELS = "other_labels"
    NOT_ALL_DOCUMENTS = "not_all_documents"
    NO_COUNTS = "no_counts"
    NOTHING_SHARED = "nothing_shared"
    FEW_SHARED = "few_shared"


class Fate(StrEnum):
    """What became of a document from the first run to the second."""

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
    """The change on what both runs have, with its interval."""

    n_documents: int
    first: Number
    second: Number
    change: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    level: float = 0.95


class ValueChange(Model):
    """One value in both runs: the second minus the first.

    interval  of the change; documents that both runs have are paired, others are samples
    paired    None where `unpaired` says why
    effects   of the documents that moved the value most, the largest first
    """

    layer: str
    measure: str
    first: Value | None
    second: Value | None
    change: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    level: float = 0.95
    paired: Paired | None = None
    unpaired: Unpaired | None = None
    n_effects: int = 0  # documents that have one; `effects` are the largest
    effects: list[DocumentEffect] = Field(default_factory=list)


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
    """Something that the two runs have differently; "" where one does not have it.

    `of`: the annotator, batch, layer, gate or package; of an option its key and the values.
    """

    kind: SettingKind
    of: str = ""
    first: str
    second: str


class ComparedRun(Model):
    name: str
    number: int = 0  # 0 of a run that lies outside of a store
    started: str = ""
    version: str = ""
    report: str = ""  # its place


class JudgeDrift(Model):
    """A system that labels items in both runs: how far it changed on the items of both.

    changed    share of its labels that are others in the second run
    advantage  its advantage over the annotators of the second run, less that of its earlier labels
    """

    layer: str
    system: str
    changed: Value
    advantage: Value


class Comparison(Model):
    campaign: str
    first: ComparedRun
    second: ComparedRun
    documents: Changes | None = None  # None where one run's fingerprints are gone
    data: list[Setting] = Field(default_factory=list)
    options: list[Setting] = Field(default_factory=list)
    code: list[Setting] = Field(default_factory=list)
    values: list[ValueChange] = Field(default_factory=list)
    judges: list[JudgeDrift] = Field(default_factory=list)


class IndexedRun(Model):
    """outcome: pass, undecided, fail or open; "" where the results cannot be read.

    values  the main value of each layer
    report  its address from the index; "" where the page is no longer kept
    """

    number: int
    started: str = ""
    outcome: str = ""
    guideline: str = ""
    values: list[RunPoint] = Field(default_factory=list)
    report: str = ""


class IndexedCampaign(Model):
    """A campaign as its store has it; all facts but `runs` are of the last run."""

    name: str
    store: str
    page: str  # its page, beside the index
    outcome: str
    description: str = ""
    guideline: str = ""
    gates: list[Gate] = Field(default_factory=list)
    finding: Finding | None = None
    alerts: list[Notice] = Field(default_factory=list)
    notes: list[Note] = Field(default_factory=list)
    batches: list[Batch] = Field(default_factory=list)
    runs: list[IndexedRun] = Field(default_factory=list)  # in their order

    @property
    def last(self) -> IndexedRun:
        """The last run that could be read."""
        return next(one for one in reversed(self.runs) if one.outcome)

    def worst_gate(self) -> Gate | None:
        """The gate with the least margin; one that is undefined comes first."""
        return min(self.gates, key=_margin, default=None)


def _margin(gate: Gate) -> float:
    return gate.margin if math.isfinite(gate.margin) else -math.inf


class Index(Model):
    version: str
    campaigns: list[IndexedCampaign] = Field(default_factory=list)
