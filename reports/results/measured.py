"""The measured values of layers, and what a stage of a run hands on to the report of a layer."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from ...metrics.estimate import Estimate
from ..value import Model, Notice
from .actions import Disagreement, Repair, SearchedLayer
from .corpus_estimates import CorpusEstimates
from .items import Distribution, ItemAgreement
from .mistakes import MistakeQueue
from .readings import GridCurve, Reading, ReadingTable, Resampling
from .references_and_scores import ReferenceSummary, Validity
from .replacement import Replacement
from .run import RunPoint
from .units import RelationAgreement, UnitAgreement


class Measured(Model):
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
    replacement: list[Replacement] = Field(default_factory=list)
    estimates: list[CorpusEstimates] = Field(default_factory=list)
    disagreements: list[Disagreement] = Field(default_factory=list)
    mistakes: list[MistakeQueue] = Field(default_factory=list)  # one per layer
    repairs: list[Repair] = Field(default_factory=list)  # confusions of categories, all documents

    def searched(self) -> Iterator[tuple[SearchedLayer, list[tuple[str, Estimate]]]]:
        """Yield what causes are searched in, with its values by the names of gates."""
        for items in self.items:
            yield items, [(one.measure, one) for one in items.values]
        for units in self.units:
            yield units, [(one.measure, one) for one in (*units.values, *units.explained)]
        for relations in self.relations:
            yield relations, [(f"relation_{one.name}", one.value) for one in relations.values]
        for validity in self.validity:
            for scores in validity.systems:
                yield scores, [(one.measure, one) for one in scores.values]

    def searched_for(self, layer: str, of: str = "") -> SearchedLayer | None:
        """Return the results of a layer, or of a system's scores on it, if causes are searched."""
        found = (one for one, _ in self.searched())
        return next((one for one in found if (one.layer, one.of) == (layer, of)), None)


class LayerInfluences(Model):
    """Influences of documents on the main value of a layer, in columns.

    The last row, of document "", is the standard error of chance.
    """

    layer: str
    measure: str
    value: float
    document: list[str]
    influence: list[float]


class LayerResults(Measured):
    """Results of one stage for one layer; the report joins them.

    place  of a reference that was built, with the files to release; "" for others
    """

    points: list[RunPoint] = Field(default_factory=list)  # of batches and periods
    influences: list[LayerInfluences] = Field(default_factory=list)
    alerts: list[Notice] = Field(default_factory=list)
    place: str = ""
