"""`accordeur judge`: systems that judge, checked against the humans who label the same items.

The parts are computed as `agree`, `score`, `estimate` and `replace` compute them, from one reading
of the exports.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...data.errors import DataError
from ...data.option_names import option
from ...data.readers.tables.annotators_as_columns import options_for_columns
from ...data.readers.tables.given import Given
from ...data.schema import Role
from ...metrics.agreement.distances import Distance, category_values
from ...metrics.agreement.evaluate import evaluate_matrix
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.agreement.rating_pairs import MOST_VALUES
from ...metrics.arrays import Floats, Ints, numbered
from ...metrics.coded_warning import CodedWarning
from ...metrics.estimate import Estimate, add_reading_settings
from ...metrics.references.votes import majority
from ...metrics.replacement.replacement_options import PanelOptions
from ...metrics.scores.stated_confidence import stated_confidence
from ...reports import results as page
from ...reports.results import GateOutcome
from ...reports.results.judges import (
    Candidate,
    CategoryScores,
    ConfusionCell,
    JudgeReport,
    JudgeScores,
    JudgeVerdict,
    ScoreDifference,
)
from ..inputs.assessment_options import EstimateOptions, JudgeOptions, ReplaceOptions, ScoreOptions
from ..inputs.export_results import ExportSummary
from ..inputs.exported_labels import ExportedLabels, read_exported_labels
from ..inputs.item_numbers import read_item_numbers
from ..inputs.reading_options import Reading
from ..intake.layer_contents import OF_SCORES
from ..item_names import document_names, split_item
from ..layers import LayerSpec
from ..prevalence.corpus_estimates import estimate_corpus
from ..prevalence.corpus_labels import corpus_labels, with_scale
from ..replacement.judge_checks import read_lengths
from ..replacement.judged_layers import batches_of_layer, judge_systems_on_labels, later_labels
from ..replacement.replacement_results import judged_systems
from ..scores.evaluation import Evaluation, Presence, compare_pairs_of_systems
from ..scores.label_scores import MAIN, LabelSides, score_labels
from ..scores.sides_of_shard import presence_in_shard, presence_of_systems
from ..stored_annotations import label_rows, matrix_of_rows
from .bars import judge_by_bars, read_bars
from .candidate_agreement import (
    NOMINAL,
    OF_MANY,
    ORDERED,
    candidate_agreement,
    candidate_ratings,
    human_ratings,
)

MAJORITY, PANEL = "majority", "panel"
FEWEST_RATINGS = 3  # different numbers; two are categories
MOST_ITEMS_OF_CELL = 100


def judge_exports(
    paths: Given | Sequence[Given],
    systems: Sequence[str],
    reading: Reading,
    options: JudgeOptions,
) -> ExportSummary[JudgeReport]:
    """Check systems against the humans of an export of labels.

    systems  names; none: those that the export or `reading` has as systems

    Raises DataError for a system without labels, if there is no system or no human, for items with
    several labels, for an unknown reference, and for a bar on a value that is not computed.
    """
    bars = None if options.bars is None else read_bars(Path(options.bars))
    reading = _with_columns(paths, {*systems, *options.humans}, reading, options)
    roles = {**reading.roles, **dict.fromkeys(systems, Role.SYSTEM)}
    labels = read_exported_labels(paths, replace(reading, roles=roles))
    if labels.contents.holds_sets(OF_SCORES):
        raise DataError(
            "items have several labels: give each label a layer of its own, with yes or no for "
            "every item, and judge one layer at a time"
        )
    judged = _Judged.of(labels, systems, reading, options)
    evaluation = judged.scores()
    found = JudgeReport(
        annotators=list(judged.layer.humans),
        systems=list(judged.systems),
        agreement=judged.human_agreement(),
        candidates=judged.candidates(),
        human_ratings=judged.human_ratings(),
        ratings=judged.ratings(),
        reference=judged.reference_name,
        n_reference=int((judged.reference >= 0).sum()),
        n_items=judged.matrix.n_items,
        n_unlabelled_by_humans=judged.n_unlabelled_by_humans(),
        scores=judged.scores_by_system(evaluation),
        differences=judged.differences(evaluation),
        corrected=judged.corrected(),
        replacement=judged.replacement(),
        verdicts=[],
        bars_file="" if bars is None else bars.file,
        bars_hash="" if bars is None else bars.digest,
    )
    values = list(_values(found))
    verdicts = [
        _verdict_by_replacement(found.replacement, system)
        if bars is None
        else judge_by_bars(bars.bars, values, system)
        for system in found.systems
    ]
    account = labels.account(labels.rows(), fewest=1)
    return ExportSummary(
        found.model_copy(update={"verdicts": verdicts}),
        account.rows,
        account.rejected,
        [*labels.warnings(), *judged.warnings(evaluation)],
    )


def _with_columns(
    paths: Given | Sequence[Given], named: set[str], reading: Reading, options: JudgeOptions
) -> Reading:
    """Return the reading of a table whose columns are the humans and the judges, if it is one."""
    given = list(paths) if isinstance(paths, Sequence) else [paths]
    if not options.humans:
        return reading
    found = options_for_columns(given[0], named, reading.options) if len(given) == 1 else {}
    if not found:
        raise DataError(
            f"{option('human')}: {', '.join(options.humans)} must be columns of one table, beside "
            "those of the judges"
        )
    return replace(reading, options=found)


@dataclass(frozen=True)
class _Judged:
    """The labels of humans, systems and a reference on the same items.

    matrix     of the humans and the systems, with their roles
    reference  int (N,): index of the label in the tagset, -1 where there is none
    presence   of each system in the documents
    """

    labels: ExportedLabels
    layer: LayerSpec
    systems: tuple[str, ...]
    matrix: LabelMatrix
    reference: Ints
    reference_name: str
    presence: dict[str, Presence]
    distance: Distance
    options: JudgeOptions

    @classmethod
    def of(
        cls,
        labels: ExportedLabels,
        named: Sequence[str],
        reading: Reading,
        options: JudgeOptions,
    ) -> _Judged:
        layer = LayerSpec.of(labels.contents, declared=reading.tagset, roles=OF_SCORES)
        if not layer.humans:
            raise DataError(
                "every annotator is a system: a judge is checked against labels of humans"
            )
        systems = judged_systems(layer.humans, layer.systems, named, "judge")
        layer = replace(layer, systems=tuple(systems))
        store, key = labels.shard.store, labels.shard.key
        references = layer.references
        chosen = _chosen_reference(options.reference, layer)
        names = (*layer.humans, *layer.systems, *references)
        rows = label_rows(store, key, layer, names)
        everyone = matrix_of_rows(rows, layer, names, HUMAN)
        n = len(layer.humans)
        people = everyone.select_annotators(range(n))
        if chosen == MAJORITY:
            reference = majority(people).codes.astype(np.int64)
        else:
            reference = everyone.codes[:, names.index(chosen)].astype(np.int64)
        judged = everyone.select_annotators(range(n + len(systems)))
        matrix = replace(judged, roles=(HUMAN,) * n + (Role.SYSTEM.value,) * len(systems))
        presence = presence_of_systems([presence_in_shard(store, key, layer, ())], layer)
        if options.panel:
            matrix, presence, systems = _with_panel(matrix, presence, systems)
            layer = replace(layer, systems=tuple(systems))
        distance = options.distance_between_categories(
            layer.tagset, tagset_is_declared=bool(reading.tagset)
        )
        return cls(
            labels, layer, tuple(systems), matrix, reference, chosen, presence, distance, options
        )

    @property
    def measures(self) -> tuple[str, ...]:
        return NOMINAL if self.options.distance == "nominal" else ORDERED

    def of_documents(self, matrix: LabelMatrix) -> LabelMatrix:
        """Return a matrix whose documents are those with names; else the file is the only one."""
        return matrix if self.labels.names_documents else replace(matrix, documents=None)

    def human_agreement(self) -> list[Estimate]:
        """Return the agreement of the humans, as `accordeur agree` has it; [] with one human."""
        if len(self.layer.humans) < 2:
            return []
        measured = self.labels.measured()
        many = measured.matrix.n_annotators > 2
        measures = [OF_MANY.get(one, one) if many else one for one in self.measures]
        found = evaluate_matrix(
            measured.matrix, measures=measures, distance=self.distance, sampling=self.options
        )
        return add_reading_settings(found, self.labels.settings)

    def candidates(self) -> list[Candidate]:
        return candidate_agreement(
            self.of_documents(self.matrix),
            self.systems,
            measures=self.measures,
            distance=self.distance,
            sampling=self.options,
        )

    @property
    def values(self) -> Floats | None:
        """The numbers of the categories; None if they are no ratings, or too many."""
        if not FEWEST_RATINGS <= len(self.layer.tagset) <= MOST_VALUES:
            return None
        return category_values(self.layer.tagset)

    def ratings(self) -> list[Candidate]:
        if self.values is None:
            return []
        matrix = self.of_documents(self.matrix)
        return candidate_ratings(matrix, self.systems, self.values, self.options)

    def human_ratings(self) -> list[Estimate]:
        if self.values is None:
            return []
        return human_ratings(self.of_documents(self.matrix), self.values, self.options)

    def n_unlabelled_by_humans(self) -> int:
        humans = self.matrix.codes[:, : len(self.layer.humans)]
        return int((humans < 0).all(axis=1).sum())

    def codes(self, system: str) -> Ints:
        column = self.matrix.annotators.index(system)
        return self.matrix.codes[:, column].astype(np.int64)

    def scores(self) -> Evaluation:
        homes = self.matrix.documents
        sides = LabelSides(
            self.reference,
            {system: self.codes(system) for system in self.systems},
            self.presence,
            np.zeros(self.matrix.n_items, np.int64) if homes is None else homes,
            document_names(self.matrix),
            self.layer.tagset,
        )
        options = ScoreOptions(
            replicates=self.options.replicates, level=self.options.level, seed=self.options.seed
        )
        return score_labels(sides, self.options, options.selected_measures(MAIN))

    def scores_by_system(self, evaluation: Evaluation) -> list[JudgeScores]:
        settings = self.labels.settings
        evaluation.add_reading_settings(settings)
        return [
            JudgeScores(
                system=system,
                values=one.values,
                categories=[
                    CategoryScores(
                        category=category,
                        n_reference=values[0].detail.n_reference,
                        values=values,
                    )
                    for category, values in one.by_category.items()
                    if values
                ],
                **self._confidence(system),
                confusion=list(self._confusion(system)),
            )
            for system, one in evaluation.systems.items()
        ]

    def _confidence(self, system: str) -> dict[str, Any]:
        """Return the fields of the stated confidence of a system, {} if none is given."""
        if self.options.confidence is None:
            return {}
        read = read_item_numbers(
            Path(self.options.confidence), "confidence", what="confidence", skip_empty=True
        )
        own = read.get(system, read.get("", {}))
        keys = [self._document_and_item(i) for i in range(self.matrix.n_items)]
        given = np.array([own.get(key, own.get(("", key[1]), math.nan)) for key in keys])
        codes = self.codes(system)
        chosen = np.isfinite(given) & (self.reference >= 0) & (codes >= 0)
        homes = self.of_documents(self.matrix).documents_to_resample
        found = stated_confidence(
            given[chosen],
            (codes == self.reference)[chosen],
            documents=None if homes is None else numbered(homes[chosen])[1],
            sampling=self.options,
        )
        values = [found.brier, found.calibration_error]
        return {"confidence": values, "reliability": list(found.bins)}

    def _confusion(self, system: str) -> Iterator[ConfusionCell]:
        """Yield the cells with items, the most frequent first within each reference label."""
        codes, tagset = self.codes(system), (*self.layer.tagset, "")
        referenced = self.reference >= 0
        for k, category in enumerate(self.layer.tagset):
            for j, label in enumerate(tagset):
                code = -1 if label == "" and j == len(tagset) - 1 else j
                where = np.flatnonzero(referenced & (self.reference == k) & (codes == code))
                if where.size:
                    yield ConfusionCell(
                        reference=category,
                        label=label,
                        n=where.size,
                        items=[self._item_name(i) for i in where[:MOST_ITEMS_OF_CELL].tolist()],
                    )

    def _item_name(self, item: int) -> str:
        document, name = self._document_and_item(item)
        return f"{document}/{name}" if document else name

    def _document_and_item(self, item: int) -> tuple[str, str]:
        """Return the names of document and item; the document is "" if the file is the only one."""
        document, name = split_item(self.matrix.items[item])
        return (document if self.labels.names_documents else ""), name

    def differences(self, evaluation: Evaluation) -> list[ScoreDifference]:
        return [
            ScoreDifference(
                measure=measure,
                first=one.first,
                second=one.second,
                difference=one.difference,
                interval=one.interval,
                p_value=one.p_corrected,
                reason=one.reason,
            )
            for measure, one in compare_pairs_of_systems(evaluation.compared, self.options)
        ]

    def corrected(self) -> page.CorpusEstimates | None:
        """Return shares of the corpus, if the items that humans labelled are a random part."""
        if not self.options.audit_is_random:
            return None
        options = EstimateOptions(
            level=self.options.level,
            audit_is_random=True,
            drawn_by=self.options.drawn_by,
        )
        matrix = self.of_documents(self.matrix)
        own = corpus_labels(matrix, self.systems, options.target, ordered=with_scale(self.layer))
        return estimate_corpus(matrix, own, options, random_by="declared", layer="")

    def replacement(self) -> page.Replacement:
        """Return the alt-test, the panel's verdict, and the checks that the data allow."""
        own = {field.name: getattr(self.options, field.name) for field in fields(PanelOptions)}
        options = ReplaceOptions(**own, replicates=self.options.replicates, seed=self.options.seed)
        store, key = self.labels.shard.store, self.labels.shard.key
        judged = replace(self.layer, systems=tuple(one for one in self.systems if one != PANEL))
        lengths = self.options.lengths
        return judge_systems_on_labels(
            self.matrix,
            later_labels(store, key, judged),
            self.layer,
            options,
            presence=self.presence,
            batches=batches_of_layer(store, [key], judged),
            lengths={} if lengths is None else read_lengths(Path(lengths)),
            with_documents=self.labels.names_documents,
        )

    def warnings(self, evaluation: Evaluation) -> list[CodedWarning]:
        return [
            notice
            for system, one in evaluation.systems.items()
            for notice in one.documents.notices(system)
        ]


def _chosen_reference(wanted: str | None, layer: LayerSpec) -> str:
    """Return the reference: the one named, else the only one with the role, else the majority.

    The majority of one human is that human.
    """
    if wanted is None and len(layer.references) == 1:
        return layer.references[0]
    if wanted in (None, MAJORITY):
        return layer.humans[0] if len(layer.humans) == 1 else MAJORITY
    known = (*layer.references, *layer.humans)
    if wanted not in known:
        raise DataError(
            f"{option('reference', wanted)}: no label of {wanted!r}; give {MAJORITY} or one of "
            f"{', '.join(known)}"
        )
    return wanted


def _with_panel(
    matrix: LabelMatrix, presence: dict[str, Presence], systems: Sequence[str]
) -> tuple[LabelMatrix, dict[str, Presence], list[str]]:
    """Add the majority of the systems as one more system. Raises DataError for fewer than three."""
    if len(systems) < 3 or PANEL in matrix.annotators:
        raise DataError(
            f"{option('panel')} is the majority of three or more systems, and there are "
            f"{len(systems)}"
            if len(systems) < 3
            else f"{option('panel')}: an annotator already has the name {PANEL}"
        )
    columns = [matrix.annotators.index(one) for one in systems]
    votes = replace(matrix.select_annotators(columns), roles=())
    codes = np.column_stack([matrix.codes, majority(votes).codes])
    present = frozenset[str]().union(*(presence[one].present for one in systems))
    return (
        replace(
            matrix,
            codes=codes.astype(np.int32),
            annotators=(*matrix.annotators, PANEL),
            roles=(*matrix.roles, Role.SYSTEM.value),
        ),
        {**presence, PANEL: Presence(present)},
        [*systems, PANEL],
    )


def _values(found: JudgeReport) -> Iterator[tuple[str, str, Estimate]]:
    """Yield every value that a bar can be on: its system, category or "", and value."""
    for candidate in found.candidates:
        yield from ((candidate.system, "", one.mean) for one in candidate.measures)
    for candidate in found.ratings:
        yield from ((candidate.system, "", one.mean) for one in candidate.measures)
    for scores in found.scores:
        yield from ((scores.system, "", one) for one in (*scores.values, *scores.confidence))
        for part in scores.categories:
            yield from ((scores.system, part.category, one) for one in part.values)
    if found.corrected is not None:
        yield from found.corrected.values()
    for judged in found.replacement.systems:
        yield from ((judged.system, "", one) for one in (*judged.values, *judged.checks))


def _verdict_by_replacement(found: page.Replacement, system: str) -> JudgeVerdict:
    """Return the verdict without bars: whether the system may replace an annotator."""
    outcomes = {
        "may": GateOutcome.passed,
        "may_not": GateOutcome.failed,
        "undecided": GateOutcome.undecided,
    }
    [verdict] = (one.verdict for one in found.systems if one.system == system)
    return JudgeVerdict(system=system, outcome=outcomes[verdict], by="replacement")
