"""The results document (`results.json`): everything a report shows, and nothing else.

Flows assemble it, `reports.views` formats it, other programs read it. Its JSON schema is
versioned: a field may be added within a major version, none removed or redefined. A number that is
undefined is null in JSON and carries a `reason`.
"""

from __future__ import annotations

from pydantic import Field

from reports.results.campaign import Annotator as Annotator
from reports.results.campaign import Batch as Batch
from reports.results.campaign import Campaign as Campaign
from reports.results.campaign import Coverage as Coverage
from reports.results.disagreements import Disagreement as Disagreement
from reports.results.disagreements import Repair as Repair
from reports.results.items import Confusion as Confusion
from reports.results.items import Distribution as Distribution
from reports.results.items import ItemAgreement as ItemAgreement
from reports.results.items import Universe as Universe
from reports.results.readings import GridCurve as GridCurve
from reports.results.readings import GridReading as GridReading
from reports.results.readings import ModificationPoint as ModificationPoint
from reports.results.readings import Reading as Reading
from reports.results.readings import ReadingTable as ReadingTable
from reports.results.readings import Resampling as Resampling
from reports.results.relations import RelationAgreement as RelationAgreement
from reports.results.run import Changes as Changes
from reports.results.run import Gate as Gate
from reports.results.run import GateOutcome as GateOutcome
from reports.results.run import Release as Release
from reports.results.run import Run as Run
from reports.results.run import RunPoint as RunPoint
from reports.results.run import Stage as Stage
from reports.results.units import AlignedUnit as AlignedUnit
from reports.results.units import Alignment as Alignment
from reports.results.units import ChanceProcess as ChanceProcess
from reports.results.units import UnitAgreement as UnitAgreement
from reports.results.units import UnitaryAlignment as UnitaryAlignment
from reports.results.validation import Expectation as Expectation
from reports.results.validation import RejectedRow as RejectedRow
from reports.results.validation import Validation as Validation
from reports.results.validity import ReferenceSummary as ReferenceSummary
from reports.results.validity import SystemComparison as SystemComparison
from reports.results.validity import SystemScores as SystemScores
from reports.results.validity import Validity as Validity
from reports.value import Finding as Finding
from reports.value import Model as Model
from reports.value import Named as Named
from reports.value import Notice as Notice
from reports.value import Number as Number
from reports.value import Value as Value

SCHEMA_VERSION = "2.0"  # 2.0: the outcome of a gate in place of `passed`


class Results(Model):
    schema_version: str = SCHEMA_VERSION
    campaign: Campaign
    run: Run
    release: Release | None = None
    annotators: list[Annotator] = Field(default_factory=list)
    gates: list[Gate] = Field(default_factory=list)
    coverage: Coverage | None = None
    coverages: list[Coverage] = Field(default_factory=list)  # one a layer
    validation: Validation | None = None
    distributions: list[Distribution] = Field(default_factory=list)
    items: list[ItemAgreement] = Field(default_factory=list)
    units: list[UnitAgreement] = Field(default_factory=list)
    relations: list[RelationAgreement] = Field(default_factory=list)
    resampling: list[Resampling] = Field(default_factory=list)
    grids: list[GridCurve] = Field(default_factory=list)
    readings: list[Reading] = Field(default_factory=list)
    reading_tables: list[ReadingTable] = Field(default_factory=list)
    references: list[ReferenceSummary] = Field(default_factory=list)
    validity: list[Validity] = Field(default_factory=list)
    disagreements: list[Disagreement] = Field(default_factory=list)
    repairs: list[Repair] = Field(default_factory=list)  # taken from the confusions when empty
    batches: list[Batch] = Field(default_factory=list)
    history: list[RunPoint] = Field(default_factory=list)
    alerts: list[Notice] = Field(default_factory=list)
