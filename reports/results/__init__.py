"""The results document (`results.json`), with everything that a report shows.

Flows assemble it, `reports.views` formats it, other programs read it. Its JSON schema is versioned:
within a major version fields may be added, but not removed or redefined. An undefined number is
null in JSON and has a `reason`.
"""

from __future__ import annotations

from pydantic import Field

from ...metrics.causes.mechanisms import Mechanism as Mechanism
from ...metrics.effect_of_omission import Effect as Effect
from ...metrics.pace import Pace as Pace
from ...metrics.results import AnnotatorReliability as AnnotatorReliability
from ...metrics.results import AttributeGroups as AttributeGroups
from ...metrics.results import Confusion as Confusion
from ...metrics.results import ErrorCost as ErrorCost
from ...metrics.results import GroupAgreement as GroupAgreement
from ...metrics.results import LabelModel as LabelModel
from ...metrics.results import ReliabilityBin as ReliabilityBin
from ...metrics.results import ReplacementDecision as ReplacementDecision
from ...metrics.results import ReplacementPoint as ReplacementPoint
from ...metrics.results import SoftReference as SoftReference
from ...metrics.results import Universe as Universe
from ..value import Finding as Finding
from ..value import Model as Model
from ..value import Named as Named
from ..value import Notice as Notice
from ..value import Number as Number
from ..value import Plain as Plain
from ..value import Value as Value
from .actions import Action as Action
from .actions import ActionKind as ActionKind
from .actions import Cause as Cause
from .actions import CauseSearch as CauseSearch
from .actions import Disagreement as Disagreement
from .actions import Example as Example
from .actions import Repair as Repair
from .actions import SearchedLayer as SearchedLayer
from .campaign import Annotator as Annotator
from .campaign import Batch as Batch
from .campaign import Campaign as Campaign
from .campaign import Coverage as Coverage
from .campaign import Note as Note
from .corpus_estimates import AccuracyDifference as AccuracyDifference
from .corpus_estimates import CategoryShare as CategoryShare
from .corpus_estimates import CorpusEstimates as CorpusEstimates
from .corpus_estimates import Corrected as Corrected
from .corpus_estimates import JudgeDrift as JudgeDrift
from .corpus_estimates import PartShares as PartShares
from .corpus_estimates import ShareChange as ShareChange
from .corpus_estimates import SystemEstimates as SystemEstimates
from .corpus_estimates import TextbookShare as TextbookShare
from .items import AlignedWord as AlignedWord
from .items import Arc as Arc
from .items import Distribution as Distribution
from .items import DrawnObject as DrawnObject
from .items import ItemAgreement as ItemAgreement
from .items import NumberedBox as NumberedBox
from .items import ObjectStudy as ObjectStudy
from .items import RatedItem as RatedItem
from .items import RatingStudy as RatingStudy
from .items import WorstObjects as WorstObjects
from .measured import LayerInfluences as LayerInfluences
from .measured import LayerResults as LayerResults
from .measured import Measured as Measured
from .mistakes import GRADES as GRADES
from .mistakes import Grade as Grade
from .mistakes import Mistake as Mistake
from .mistakes import MistakeGrade as MistakeGrade
from .mistakes import MistakeQueue as MistakeQueue
from .mistakes import MistakeReason as MistakeReason
from .mistakes import SystematicDifference as SystematicDifference
from .mistakes import Variation as Variation
from .mistakes import grade_of as grade_of
from .readings import CategoryChange as CategoryChange
from .readings import GridCurve as GridCurve
from .readings import GridReading as GridReading
from .readings import ModificationPoint as ModificationPoint
from .readings import Reading as Reading
from .readings import ReadingTable as ReadingTable
from .readings import Resampling as Resampling
from .references_and_scores import ReferenceSummary as ReferenceSummary
from .references_and_scores import SystemComparison as SystemComparison
from .references_and_scores import SystemScores as SystemScores
from .references_and_scores import Validity as Validity
from .release import Release as Release
from .replacement import LostItem as LostItem
from .replacement import Replacement as Replacement
from .replacement import ReplacementPart as ReplacementPart
from .replacement import ReplacementTest as ReplacementTest
from .replacement import SystemReplacement as SystemReplacement
from .row_validation import CopiedWork as CopiedWork
from .row_validation import Expectation as Expectation
from .row_validation import RejectedRow as RejectedRow
from .row_validation import Validation as Validation
from .run import Changes as Changes
from .run import Drift as Drift
from .run import Gate as Gate
from .run import GateOutcome as GateOutcome
from .run import Run as Run
from .run import RunPoint as RunPoint
from .run import Stage as Stage
from .units import AlignedUnit as AlignedUnit
from .units import Alignment as Alignment
from .units import ChanceProcess as ChanceProcess
from .units import RelationAgreement as RelationAgreement
from .units import UnitAgreement as UnitAgreement
from .units import UnitaryAlignment as UnitaryAlignment
from .units import UnitParts as UnitParts

SCHEMA_VERSION = "3.0"  # 3.0: actions in place of the causes of gates


class _Given(Model):
    """What the report shows before the measured values: campaign, run, gates, rows."""

    schema_version: str = SCHEMA_VERSION
    campaign: Campaign
    run: Run
    release: Release | None = None
    annotators: list[Annotator] = Field(default_factory=list)
    gates: list[Gate] = Field(default_factory=list)
    actions: list[Action] = Field(default_factory=list)  # of the furthest gate first
    coverage: Coverage | None = None
    coverages: list[Coverage] = Field(default_factory=list)  # one per layer
    validation: Validation | None = None


class Results(Measured, _Given):
    batches: list[Batch] = Field(default_factory=list)
    paces: list[Plain[Pace]] = Field(default_factory=list)  # of humans whose exports have times
    history: list[RunPoint] = Field(default_factory=list)
    drift: list[Drift] = Field(default_factory=list)  # of main values, against earlier runs
    alerts: list[Notice] = Field(default_factory=list)

    def __repr__(self) -> str:
        """Return the gates and the names of what there is, on one screen."""
        found = {name: getattr(self, name) for name in type(self).model_fields}
        lists = [
            f"{name} ({len(one)})" for name, one in found.items() if isinstance(one, list) and one
        ]
        parts = [name for name, one in found.items() if isinstance(one, Model)]
        gates = [f"gate {one.outcome}: {one.measure} {one.layer}".rstrip() for one in self.gates]
        heading = f"Results of {self.campaign.name}, {self.run.started}".rstrip(", ")
        return "\n".join([heading, *gates[:10], f"has {', '.join([*parts, *lists])}"])

    __str__ = __repr__
