"""Scores of a campaign's systems, layer by layer, as an analysis of a run.

The annotations of references and systems are stored shard by shard, then merged and summarised in
the same way as exports. The reference is an annotator with that role or, if there is none, the one
built by the run (`tasks.references`), which the report shows in its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...data.schema import State
from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.agreement.label_matrix import HUMAN
from ...metrics.estimate import Estimate
from ...metrics.options import Sampling
from ...metrics.scoring.compare_systems import SystemComparison
from ...reports import results as page
from ...reports.warnings import in_english
from ..analysis import Counted, Counting, SummarisedAnalysis
from ..intake.accepted import read_accepted
from ..layers import (
    FIRST_PASS,
    LayerSpec,
    document_names,
    finished_passes,
    label_rows,
    matrix_of_rows,
    stored_continua,
)
from ..options import MeasureSelection, Patterns, ScoringSettings
from ..units.alignment import DissimilaritySpec
from . import label_scores as labels
from . import unit_scores as units
from .evaluation import Evaluation, Presence, compare_pairs_of_systems
from .human_range import (
    HumanRange,
    LeaveOneOut,
    leave_one_out_labels,
    leave_one_out_units,
    score_human_labels,
    score_human_units,
)

_LABEL_COLUMNS = ["document", "item", "annotator", "label"]
_DOCUMENT = ""  # the column of documents; no annotator can have this name
_SAID = pa.schema(
    [("document", pa.string()), ("annotator", pa.string()), ("units", pa.list_(pa.int64()))]
)
_PRESENCE = pa.schema(
    [("document", pa.string()), ("system", pa.string()), ("finished", pa.bool_())]
)


@dataclass(frozen=True, slots=True)
class Against:
    """A reference; `place` is where a built reference is stored, None for an annotator's rows."""

    name: str
    place: str | None = None


@dataclass(frozen=True, slots=True)
class ScoreCounting(Counting):
    """What references, systems and humans annotated.

    not_assigned  regular expression, by system, of the documents that were not assigned to it
    """

    layer: LayerSpec
    references: tuple[Against, ...]
    humans: tuple[str, ...]
    not_assigned: Patterns

    @property
    def folder(self) -> Folder:
        return Folder.SCORED

    def further_inputs(self, key: str) -> list[str]:  # noqa: ARG002  # uses all shards together
        return [one.place for one in self.references if one.place is not None]

    def count(self, store: Store, place: str, key: str) -> dict[str, Any]:
        count = _labels_of_shard if self.layer.is_labels else units_of_shard
        said = count(store, key, self.layer, self.references, self.humans)
        store.write_table(f"{place}/said.parquet", said)
        presence = presence_in_shard(store, key, self.layer, self.not_assigned)
        store.write_table(f"{place}/presence.parquet", presence)
        return {}


@dataclass(frozen=True, slots=True)
class ScoreAnalysis(SummarisedAnalysis):
    """Analysis of the scores of every system of a layer against each of its references.

    built          reference built by the run, used if no annotator has the role
    dissimilarity  dissimilarity of the campaign, for the observed disorder of units
    human_range    settings for scoring humans beside the systems, against the same references
    """

    layer: LayerSpec
    how: ScoringSettings
    built: Against | None = None
    dissimilarity: DissimilaritySpec | None = None
    human_range: HumanRange | None = None

    @property
    def layer_name(self) -> str:
        return self.layer.name

    @property
    def references(self) -> list[Against]:
        given = [Against(name) for name in self.layer.references]
        return given or ([self.built] if self.built else [])

    @property
    def humans(self) -> tuple[str, ...]:
        """The humans who are scored beside the systems."""
        is_scored = self.human_range is not None and self.human_range.scores_humans(self.layer)
        return self.layer.humans if is_scored else ()

    @property
    def counting(self) -> ScoreCounting:
        layer = replace(self.layer.without_distance(), humans=(), references=())
        return ScoreCounting(layer, tuple(self.references), self.humans, self.how.not_assigned)

    def summarise(self, store: Store, counted: Sequence[Counted]) -> page.LayerResults:
        places = [one.place for one in counted]
        said = pa.concat_tables([store.read_table(f"{place}/said.parquet") for place in places])
        presence = read_presence(store, places, self.layer)
        found: list[page.Validity] = []
        for reference in self.references:
            if self.layer.is_labels:
                evaluation, same = self._labels(said, presence, reference)
            else:
                evaluation, same = self._units(store, said, presence, reference)
            validity = as_validity(evaluation, self.layer, reference.name, self.how.sampling)
            found.append(validity.model_copy(update={"humans": same}))
        if self.human_range is not None and self.humans and found:
            keys = [one.key for one in counted]
            out = self._left_out(store, keys, said, presence, self.human_range)
            beside = {"human_range": out.humans, "leave_one_out": out.systems}
            found = [one.model_copy(update=beside) for one in found]
        alerts = {in_english(one): one for scored in found for one in scored.notices}
        return page.LayerResults(validity=found, alerts=list(alerts.values()))

    def _labels(
        self, said: pa.Table, presence: dict[str, Presence], reference: Against
    ) -> tuple[Evaluation, list[page.SystemScores]]:
        """Score every system, and the humans, against one reference."""
        sides, humans = _label_sides(said, presence, self.layer, reference.name, self.humans)
        evaluation = labels.score_labels(sides, self.how.sampling, _reported_measures(labels.MAIN))
        if self._contains_humans(reference):
            return evaluation, []
        return evaluation, score_human_labels(sides, humans, self.layer, self.how.sampling)

    def _units(
        self, store: Store, said: pa.Table, presence: dict[str, Presence], reference: Against
    ) -> tuple[Evaluation, list[page.SystemScores]]:
        layer, metric = self.layer, self.dissimilarity
        sides, humans = _unit_sides(said, presence, layer, reference.name, self.humans)
        if reference.place is not None:
            sides = replace(sides, reference=_read_built_units(store, reference.place, layer))
        evaluation = units.score_units(
            sides,
            self.how.sampling,
            _reported_measures(units.MAIN),
            dissimilarity=None if metric is None else metric.dissimilarity_for(layer),
        )
        if self._contains_humans(reference):
            return evaluation, []
        return evaluation, score_human_units(sides, humans, layer, self.how.sampling)

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
            of_labels, humans = _label_sides(said, presence, layer, first, self.humans)
            return leave_one_out_labels(of_labels, humans, layer, how, sampling)
        of_units, _ = _unit_sides(said, presence, layer, first, ())
        return leave_one_out_units(store, keys, of_units, layer, how, sampling)


def _reported_measures(main: str) -> MeasureSelection:
    """Select the measures of the report: no macro averages of units, only exact by category."""

    def values(measure: str, category: str) -> bool:
        if category:
            return measure in ("precision", "recall", "f") or measure.startswith("exact_")
        return "_macro_" not in measure

    return MeasureSelection(values, lambda measure: measure == main)


def _labels_of_shard(
    store: Store,
    key: str,
    layer: LayerSpec,
    references: Sequence[Against],
    humans: Sequence[str] = (),
) -> pa.Table:
    """Return one row per item: its document, and the codes of each reference, system and human.

    Labels of a reference built by the run are read from its rows.
    """
    scored = [*layer.systems, *humans]
    columns = [*(one.name for one in references), *scored]
    rows = label_rows(store, key, layer, columns)
    here = read_accepted(store, key, "documents", columns=["document"])["document"]
    by_scored = pc.is_in(rows["annotator"], value_set=pa.array(scored, pa.string()))
    for one in references:
        if one.place is not None:
            built = store.read_table(f"{one.place}/reference.parquet", columns=_LABEL_COLUMNS)
            of_shard = built.filter(pc.is_in(built["document"], value_set=here.combine_chunks()))
            of_scored = rows.filter(by_scored).select(_LABEL_COLUMNS)
            rows = pa.concat_tables([of_scored, of_shard])
    matrix = matrix_of_rows(rows, layer, columns, "system")
    names = pa.array(document_names(matrix), pa.string())
    homes = np.empty(0, np.int64) if matrix.documents is None else matrix.documents
    codes = {name: pa.array(matrix.codes[:, column]) for column, name in enumerate(columns)}
    return pa.table({_DOCUMENT: names.take(pa.array(homes)), **codes})


def _label_sides(
    said: pa.Table,
    presence: dict[str, Presence],
    layer: LayerSpec,
    reference: str,
    humans: Sequence[str],
) -> tuple[labels.LabelSides, dict[str, NDArray[np.integer]]]:
    """Return reference and systems, and the codes of the humans on the same items."""
    documents = said[_DOCUMENT].combine_chunks().dictionary_encode()
    everyone = labels.LabelSides(
        said[reference].to_numpy(),
        {name: said[name].to_numpy() for name in (*layer.systems, *humans)},
        presence,
        np.asarray(documents.indices, dtype=np.int64),
        documents.dictionary.to_pylist(),
        layer.tagset,
        layer.item_distance(),
    ).sorted_by_document()
    systems, of_humans = (
        {name: everyone.systems[name] for name in names} for names in (layer.systems, humans)
    )
    return replace(everyone, systems=systems), of_humans


def units_of_shard(
    store: Store,
    key: str,
    layer: LayerSpec,
    references: Sequence[Against],
    humans: Sequence[str] = (),
) -> pa.Table:
    """Return one row per document that an annotator finished: start, end, category of units.

    A reference built by the run has no rows in the shards.
    """
    given = [one.name for one in references if one.place is None]
    rows = [
        {
            "document": document,
            "annotator": annotator,
            "units": np.stack(
                [one.starts, one.ends, one.categories], axis=1, dtype=np.int64, casting="unsafe"
            )[one.owners == a].ravel(),
        }
        for names, role in ((given, "reference"), (layer.systems, "system"), (humans, HUMAN))
        for document, one, _ in (stored_continua(store, key, layer, names, role) if names else ())
        for a, annotator in enumerate(one.annotators)
    ]
    return pa.Table.from_pylist(rows, _SAID)


def _unit_sides(
    said: pa.Table,
    presence: dict[str, Presence],
    layer: LayerSpec,
    reference: str,
    humans: Sequence[str],
) -> tuple[units.UnitSides, dict[str, dict[str, units.UnitRows]]]:
    """Return reference and systems, and the units of the humans by document."""
    by: dict[str, dict[str, units.UnitRows]] = {
        name: {} for name in (reference, *layer.systems, *humans)
    }
    columns = (said[name] for name in ("document", "annotator", "units"))
    for document, annotator, rows in zip(*columns, strict=True):
        if annotator.as_py() in by:
            values = rows.values.to_numpy().reshape(-1, 3)
            by[annotator.as_py()][document.as_py()] = values
    systems, of_humans = ({name: by[name] for name in names} for names in (layer.systems, humans))
    return units.UnitSides(by[reference], systems, presence, layer.tagset), of_humans


def _read_built_units(store: Store, place: str, layer: LayerSpec) -> dict[str, units.UnitRows]:
    """Return (start, end, category) rows of every document of the built reference."""
    documents = store.read_table(f"{place}/documents.parquet")["document"].to_pylist()
    found: dict[str, list[tuple[int, int, int]]] = {name: [] for name in documents}
    code = {category: k for k, category in enumerate(layer.tagset)}
    for row in store.read_table(f"{place}/reference.parquet").to_pylist():
        found[row["document"]].append(
            (row["start_offset"], row["end_offset"], code.get(row["category"], -1))
        )
    return {name: np.array(rows, np.int64).reshape(-1, 3) for name, rows in found.items()}


def presence_in_shard(store: Store, key: str, layer: LayerSpec, not_assigned: Patterns) -> pa.Table:
    """Return document, system, and whether it finished it (true) or was not assigned it (false).

    Documents are declared as not assigned in an export or in the campaign file.
    """
    found = [
        (document, annotator, True)
        for document, annotator, pass_ in finished_passes(store, key, layer.name)
        if annotator in layer.systems and pass_ == FIRST_PASS
    ]
    rows = read_accepted(store, key, "assignments")
    rows = rows.filter(pc.equal(rows["state"], str(State.NOT_ASSIGNED)))
    found += [
        (row["document"], row["annotator"], False)
        for row in rows.select(["document", "annotator", "layer"]).to_pylist()
        if row["annotator"] in layer.systems and row["layer"] in ("", layer.name)
    ]
    documents = read_accepted(store, key, "documents", columns=["document"])["document"].to_pylist()
    for system, pattern in not_assigned:
        if system in layer.systems:
            found += [
                (name, system, False) for name in filter(re.compile(pattern).search, documents)
            ]
    rows = [dict(zip(_PRESENCE.names, row, strict=True)) for row in found]
    return pa.Table.from_pylist(rows, _PRESENCE)


def read_presence(store: Store, places: Sequence[str], layer: LayerSpec) -> dict[str, Presence]:
    present: dict[str, set[str]] = {system: set() for system in layer.systems}
    excluded: dict[str, set[str]] = {system: set() for system in layer.systems}
    for place in places:
        for row in store.read_table(f"{place}/presence.parquet").to_pylist():
            (present if row["finished"] else excluded)[row["system"]].add(row["document"])
    return {system: Presence(present[system], excluded[system]) for system in layer.systems}


def as_validity(
    evaluation: Evaluation, layer: LayerSpec, reference: str, sampling: Sampling
) -> page.Validity:
    """Convert the evaluation to its form in the results document."""
    kind = "items" if layer.is_labels else "units"
    return page.Validity(
        reference=reference,
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
            _system_comparison(one, layer, measure)
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


def _system_comparison(
    one: SystemComparison, layer: LayerSpec, measure: str
) -> page.SystemComparison:
    return page.SystemComparison.from_measured(
        one, layer=layer.name, measure=measure, p_value=one.p_randomisation
    )
