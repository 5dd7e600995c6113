"""Scores of a campaign's systems, layer by layer, as an analysis of a run.

The annotations of references and systems are stored shard by shard, then merged and summarised in
the same way as exports. `references_of` says what is scored against. An audit estimates the error
of each reference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.arrays import Flags
from ...metrics.causes.disagreement import Part
from ...metrics.coded_warning import CodedWarning, Figures
from ...metrics.estimate import Estimate
from ...metrics.options import Sampling
from ...metrics.unit_rows import UnitRows, gap_code
from ...reports import results as page
from ...reports.warnings import in_english
from ..analysis import Counted, Counting, LayerAnalysis
from ..cause_examples import texts_in
from ..causes import parts_of_layer
from ..layers import LayerSpec
from ..options import MeasureSelection, Patterns, ScoringSettings
from ..units.alignment import DissimilaritySpec
from . import label_scores as labels
from . import unit_scores as units
from .causes_of_scores import causes_of_scores
from .evaluation import Evaluation, Presence, compare_pairs_of_systems
from .human_range import (
    HumanRange,
    LeaveOneOut,
    leave_one_out_labels,
    leave_one_out_units,
    score_human_labels,
    score_human_units,
)
from .shared_documents import Renamed
from .sides_of_shard import (
    Against,
    audited_units,
    documents_of_humans,
    error_of_reference,
    joined_items,
    label_sides,
    labels_of_shard,
    presence_in_shard,
    read_presence,
    references_of,
    unit_sides,
    units_of_shard,
)


@dataclass(frozen=True, slots=True)
class ScoreCounting(Counting):
    """What references, systems and humans annotated; the other humans tell what there is in all.

    not_assigned  regular expression, by system, of the documents that were not assigned to it
    renamed       documents of systems that have another name in the reference
    """

    folder = Folder.SCORED
    layer: LayerSpec
    references: tuple[Against, ...]
    humans: tuple[str, ...]
    not_assigned: Patterns
    renamed: Renamed = field(default_factory=dict)

    def further_inputs(self, key: str) -> list[str]:  # noqa: ARG002  # uses all shards together
        return [one.place for one in self.references if one.place is not None]

    def count(self, store: Store, place: str, key: str) -> dict[str, Any]:
        if self.layer.is_labels:
            said = labels_of_shard(
                store, key, self.layer, self.references, self.humans, self.renamed
            )
        else:
            of_units = units_of_shard(
                store, key, self.layer, self.references, self.humans, self.renamed
            )
            said = pa.concat_tables([of_units, documents_of_humans(store, key, self.layer)])
        store.write_table(f"{place}/said.parquet", said)
        presence = presence_in_shard(store, key, self.layer, self.not_assigned, self.renamed)
        store.write_table(f"{place}/presence.parquet", presence)
        return {}


@dataclass(frozen=True, slots=True)
class ScoreAnalysis(LayerAnalysis):
    """Analysis of the scores of every system of a layer against each of its references.

    built          reference built by the run
    dissimilarity  dissimilarity of the campaign, for the observed disorder of units
    human_range    settings for scoring humans beside the systems, against the same references
    renamed        as in `ScoreCounting`
    """

    layer: LayerSpec
    how: ScoringSettings
    built: Against | None = None
    dissimilarity: DissimilaritySpec | None = None
    human_range: HumanRange | None = None
    renamed: Renamed = field(default_factory=dict)

    @property
    def references(self) -> list[Against]:
        return references_of(self.layer, self.built)

    @property
    def humans(self) -> tuple[str, ...]:
        """The humans who are scored beside the systems."""
        is_scored = self.human_range is not None and self.human_range.scores_humans(self.layer)
        return self.layer.humans if is_scored else ()

    @property
    def counting(self) -> ScoreCounting:
        layer = replace(self.layer.without_distance(), references=())
        return ScoreCounting(
            layer, tuple(self.references), self.humans, self.how.not_assigned, self.renamed
        )

    def summarise(self, store: Store, counted: Sequence[Counted]) -> page.LayerResults:
        places = [one.place for one in counted]
        said = pa.concat_tables([store.read_table(f"{place}/said.parquet") for place in places])
        if self.layer.is_labels:
            said = joined_items(said)
        presence = read_presence(store, places, self.layer)
        found: list[page.Validity] = []
        keys = [one.key for one in counted]

        def parts(names: Sequence[str]) -> tuple[tuple[Part, Flags], ...]:
            return parts_of_layer(store, keys, self.layer, names)

        texts_of = texts_in(store, keys)
        sides: labels.LabelSides | units.UnitSides
        for reference in self.references:
            if self.layer.is_labels:
                sides, evaluation, same = self._labels(said, presence, reference)
                if self.layer.audits:
                    evaluation.error = error_of_reference(
                        said, self.layer, reference.name, self.how.sampling
                    )
            else:
                sides, evaluation, same = self._units(store, said, presence, reference)
            if not self.layer.systems:
                evaluation.baselines = []
            self._add_reference_not_used(store, reference, evaluation)
            validity = as_validity(evaluation, self.layer, reference.name, self.how.sampling)
            systems = [
                one.model_copy(update=causes_of_scores(sides, one, reference.name, parts, texts_of))
                for one in validity.systems
            ]
            found.append(validity.model_copy(update={"humans": same, "systems": systems}))
        if self.human_range is not None and self.humans and found:
            out = self._left_out(store, keys, said, presence, self.human_range)
            beside = {"human_range": out.humans, "leave_one_out": out.systems}
            found = [one.model_copy(update=beside) for one in found]
        alerts = {in_english(one): one for scored in found for one in scored.notices}
        return page.LayerResults(validity=found, alerts=list(alerts.values()))

    def _add_reference_not_used(self, store: Store, reference: Against, found: Evaluation) -> None:
        """Add the built reference that is not scored against."""
        is_labels = self.layer.is_labels
        if self.built is None or reference == self.built or found.coverage is None:
            return
        found.instead_of = self.built.name
        table = "reference" if is_labels else "documents"
        n_built = store.read_table(f"{self.built.place}/{table}.parquet").num_rows
        n_covered = found.coverage.n_covered
        if n_covered < n_built:
            code = "smaller_reference" if is_labels else "smaller_reference_of_units"
            figures: Figures = {
                "reference": reference.name, "n": n_covered,
                "built": self.built.name, "total": n_built,
            }  # fmt: skip
            found.notices.insert(0, CodedWarning(code, figures))

    def _labels(
        self, said: pa.Table, presence: dict[str, Presence], reference: Against
    ) -> tuple[labels.LabelSides, Evaluation, list[page.SystemScores]]:
        """Score every system, and the humans, against one reference."""
        sides, humans = label_sides(said, presence, self.layer, reference.name, self.humans)
        evaluation = labels.score_labels(sides, self.how.sampling, _reported_measures(labels.MAIN))
        labels.warn_of_copies(evaluation, sides, humans)
        if self._contains_humans(reference):
            return sides, evaluation, []
        return sides, evaluation, score_human_labels(sides, humans, self.layer, self.how.sampling)

    def _units(
        self, store: Store, said: pa.Table, presence: dict[str, Presence], reference: Against
    ) -> tuple[units.UnitSides, Evaluation, list[page.SystemScores]]:
        layer, metric = self.layer, self.dissimilarity
        sides, humans = unit_sides(said, presence, layer, reference.name, self.humans)
        if reference.place is not None:
            built = _read_built_reference(store, reference.place, layer)
            sides = replace(sides, reference=built, open_places=_read_open(store, reference.place))
        evaluation = units.score_units(
            sides,
            self.how.sampling,
            _reported_measures(units.MAIN),
            dissimilarity=None if metric is None else metric.dissimilarity_for(layer),
        )
        units.warn_of_copies(evaluation, sides, humans)
        if layer.audits:
            audit = audited_units(said, layer)
            evaluation.error = units.unit_error_of_reference(sides, audit, self.how.sampling)
        if self._contains_humans(reference):
            return sides, evaluation, []
        return sides, evaluation, score_human_units(sides, humans, layer, self.how.sampling)

    def _contains_humans(self, reference: Against) -> bool:
        """Whether the run built the reference of the humans' own annotations, without decisions."""
        if reference.place is None or self.human_range is None:
            return False
        return self.human_range.reference.rule != "adjudicated"

    def _left_out(
        self,
        store: Store,
        keys: Sequence[str],
        said: pa.Table,
        presence: dict[str, Presence],
        how: HumanRange,
    ) -> LeaveOneOut:
        layer, sampling = self.layer, self.how.sampling
        first = self.references[0].name
        if layer.is_labels:
            of_labels, humans = label_sides(said, presence, layer, first, self.humans)
            return leave_one_out_labels(of_labels, humans, layer, how, sampling)
        of_units, _ = unit_sides(said, presence, layer, first, ())
        return leave_one_out_units(store, keys, of_units, layer, how, sampling)


def _reported_measures(main: str) -> MeasureSelection:
    """Select the measures of the report: no macro averages of units, only exact by category."""

    def values(measure: str, category: str) -> bool:
        if category:
            return measure in ("precision", "recall", "f") or measure.startswith("exact_")
        return "_macro_" not in measure

    return MeasureSelection(values, lambda measure: measure == main)


def _read_built_reference(store: Store, place: str, layer: LayerSpec) -> dict[str, UnitRows]:
    """Return the units of every document of the built reference."""
    documents = store.read_table(f"{place}/documents.parquet")["document"].to_pylist()
    found: dict[str, list[tuple[int, int, int, int]]] = {name: [] for name in documents}
    code = {category: k for k, category in enumerate(layer.tagset)}
    for row in store.read_table(f"{place}/reference.parquet").to_pylist():
        gaps = gap_code(row["fragments"] or ())
        category = code.get(row["category"], -1)
        found[row["document"]].append((row["start_offset"], row["end_offset"], category, gaps))
    return {name: np.array(rows, np.int64).reshape(-1, 4) for name, rows in found.items()}


def _read_open(store: Store, place: str) -> dict[str, units.OpenPlaces]:
    """Return the open places of the built reference by document: place, start and end of units."""
    found: dict[str, list[tuple[int, int, int]]] = {}
    for row in store.read_table(f"{place}/open.parquet").to_pylist():
        bounds = (row["place"], row["start_offset"], row["end_offset"])
        found.setdefault(row["document"], []).append(bounds)
    return {name: np.array(rows, np.int64) for name, rows in found.items()}


def as_validity(
    evaluation: Evaluation, layer: LayerSpec, reference: str, sampling: Sampling
) -> page.Validity:
    """Convert the evaluation to its form in the results document."""
    kind = "items" if layer.is_labels else "units"
    return page.Validity(
        reference=reference,
        layer=layer.name,
        kind=kind,
        instead_of=evaluation.instead_of,
        error=evaluation.error,
        coverage=evaluation.coverage,
        systems=[
            page.SystemScores(
                system=system,
                layer=layer.name,
                kind=kind,
                values=list(one.values),
                per_category=[
                    page.Named(name=category, value=value)
                    for category, values in one.by_category.items()
                    for value in values
                ],
                errors=one.errors,
                n_documents=one.documents.scored,
                n_missing_documents=one.documents.missing,
                n_not_assigned=one.documents.not_assigned,
            )
            for system, one in evaluation.systems.items()
        ],
        comparisons=[
            page.SystemComparison.from_measured(
                one, layer=layer.name, measure=measure, p_value=one.p_randomisation
            )
            for measure, one in compare_pairs_of_systems(evaluation.compared, sampling)
        ],
        baselines=[_baseline_scores(one, layer, kind) for one in evaluation.baselines],
        beside=[
            page.SystemScores(system=name, layer=layer.name, kind=kind, values=values)
            for name, values in evaluation.beside.items()
        ],
        notices=[
            *evaluation.notices,
            *(
                notice
                for system, one in evaluation.systems.items()
                for notice in one.documents.notices(system)
            ),
        ],
    )


def _baseline_scores(estimate: Estimate, layer: LayerSpec, kind: str) -> page.SystemScores:
    """Return a trivial baseline under its own name; it is the same for every system."""
    category = estimate.detail.category
    name = estimate.measure.replace("_", " ") + (f": {category}" if category else "")
    return page.SystemScores(system=name, layer=layer.name, kind=kind, values=[estimate])
