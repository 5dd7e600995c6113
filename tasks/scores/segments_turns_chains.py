"""Scores of segments, speaker turns and coreference chains, from exports."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...data.errors import DataError
from ...data.schema import OffsetUnit
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.measures import COREFERENCE, DIARIZATION, SEGMENTATION
from ...metrics.unit_rows import UnitRows
from ..inputs.assessment_options import ScoreOptions
from ..stored_annotations import label_rows, unit_rows
from .evaluation import Evaluation, Presence
from .shard_to_score import KEY, ShardToScore, Side
from .unit_scores import units_of_documents

Boundaries = list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]
Unit = tuple[str, str]  # document, and name of the unit in it
_NO_END, _END = ("0", "false", "no", ""), ("1", "true", "yes")


@dataclass(frozen=True, slots=True)
class _Annotations:
    """What one side annotated in the documents of the reference.

    documents  finished documents → length, -1 where unknown
    labels     (document, item) → label, in the order of the export
    units      start, end, category of the units of each finished document
    bounds     unit → (start, end)
    links      pairs of linked units
    """

    name: str
    source: str
    documents: Mapping[str, int]
    labels: Mapping[tuple[str, str], str]
    units: Mapping[str, UnitRows]
    bounds: Mapping[Unit, tuple[int, int]]
    links: Sequence[tuple[Unit, Unit]]

    @classmethod
    def of(cls, scored: ShardToScore, side: Side) -> _Annotations:
        store, layer, documents = scored.store, scored.layer, side.work.documents
        labels: dict[tuple[str, str], str] = {}
        units: dict[str, list[tuple[int, int, int]]] = {name: [] for name in documents}
        bounds: dict[Unit, tuple[int, int]] = {}
        if layer.is_labels:
            for row in label_rows(store, KEY, layer, [side.name]).to_pylist():
                labels[row["document"], row["item"]] = row["label"]
        else:
            code = {category: k for k, category in enumerate(layer.tagset)}
            for row in unit_rows(store, KEY, layer, [side.name]).to_pylist():
                place = (row["start_offset"], row["end_offset"])
                units[row["document"]].append((*place, code.get(row["category"], -1)))
                bounds[row["document"], row["unit"]] = place
        relations = store.accepted_rows(KEY, "relations").to_pylist()
        return cls(
            side.work.name,
            side.work.source,
            documents,
            labels,
            {name: np.array(rows, np.int64).reshape(-1, 3) for name, rows in units.items()},
            bounds,
            [
                ((row["document"], row["from_unit"]), (row["document"], row["to_unit"]))
                for row in relations
                if row["annotator"] == side.name
            ],
        )

    def without(self, documents: Collection[str]) -> _Annotations:
        kept = {name: n for name, n in self.documents.items() if name not in documents}
        return replace(self, documents=kept)


def score_structures(
    scored: ShardToScore,
    reference: Side,
    systems: Sequence[Side],
    presence: Mapping[str, Presence],
    options: ScoreOptions,
    found: Evaluation,
) -> None:
    """Add the requested scores of structures; for speech, by default.

    A document that a system lacks counts as wrong: it has no boundary, turn or chain.
    """
    is_asked = {*options.measures}.intersection
    is_speech = not options.measures and _is_speech(scored, reference)
    gold = _Annotations.of(scored, reference)
    for side in systems:
        name, work = side.name, _Annotations.of(scored, side)
        here = gold.without(presence[name].excluded(list(gold.documents)))
        if not scored.layer.is_labels and (is_asked(DIARIZATION) or is_speech):
            of_reference = {document: gold.units[document] for document in here.documents}
            _add_diarization(name, of_reference, work.units, options, found)
        if not scored.layer.is_labels and is_asked(COREFERENCE):
            _add_coreference(name, here, work, options, found)
        if is_asked(SEGMENTATION):
            _add_segmentation_scores(
                name, here, work, options, found, of_labels=scored.layer.is_labels
            )


def _is_speech(scored: ShardToScore, reference: Side) -> bool:
    units = scored.store.accepted_rows(KEY, "documents", columns=["offset_unit"])
    in_time = set(units["offset_unit"].to_pylist()) == {str(OffsetUnit.MS)}
    return in_time and reference.work.source.endswith(".rttm")


def _add_if_chosen(name: str, estimate: Estimate, options: ScoreOptions, found: Evaluation) -> None:
    if options.wants(estimate.measure):
        found.systems[name].values.append(estimate)


def _add_diarization(
    name: str,
    reference: Mapping[str, UnitRows],
    system: Mapping[str, UnitRows],
    options: ScoreOptions,
    found: Evaluation,
) -> None:
    from ...metrics.scores.diarization import (
        ERRORS,
        diarization_error_rate,
        diarization_times,
        error_counts,
        error_rate_statistic,
    )

    documents = sorted(reference)
    collar, overlaps = options.collar, not options.skip_overlap
    sides = [units_of_documents(rows, documents) for rows in (reference, system)]
    times = diarization_times(
        *sides,
        n_documents=len(documents),
        collar=collar,
        overlaps=overlaps,
    )
    mean_turn = float(np.mean(sides[0].ends - sides[0].starts)) if len(sides[0]) else 1.0
    of = partial(
        diarization_error_rate,
        times,
        collar=collar,
        overlaps=overlaps,
        mean_turn=mean_turn,
        sampling=options,
    )
    for measure, errors in zip(DIARIZATION, (ERRORS, *((one,) for one in ERRORS)), strict=True):
        _add_if_chosen(name, replace(of(errors=errors), measure=measure), options, found)
    statistic = error_rate_statistic(mean_turn=mean_turn)
    found.add_for_comparison(DIARIZATION[0], name, error_counts(times), statistic)


def _add_coreference(
    name: str, gold: _Annotations, work: _Annotations, options: ScoreOptions, found: Evaluation
) -> None:
    from ...metrics.scores.coreference import (
        coreference_score,
        coreference_statistic,
        system_coreference_counts,
    )

    of_reference, of_system = _chains_of_work(gold), _chains_of_work(work)
    if not of_reference:
        raise MetricsError(
            f"{gold.source}: no relation joins two units of {gold.name!r}: coreference needs chains"
        )
    mentions = [one for one in sorted({*of_reference, *of_system}) if one[0] in gold.documents]
    home = {document: d for d, document in enumerate(sorted(gold.documents))}
    counts = system_coreference_counts(
        [of_reference.get(mention, -1) for mention in mentions],
        [of_system.get(mention, -1) for mention in mentions],
        documents=[home[document] for document, _, _ in mentions],
        n_documents=len(home),
    )
    for metric in COREFERENCE:
        if metric in options.measures:
            _add_if_chosen(
                name, coreference_score(counts, metric=metric, sampling=options), options, found
            )
            found.add_for_comparison(metric, name, counts, coreference_statistic(metric))


def _chains_of_work(work: _Annotations) -> dict[tuple[str, int, int], int]:
    """Map (document, start, end) of each linked unit to its chain, formed by connected links."""
    parent: dict[Unit, Unit] = {}

    def root(unit: Unit) -> Unit:
        while parent.setdefault(unit, unit) != unit:
            parent[unit] = parent[parent[unit]]
            unit = parent[unit]
        return unit

    for first, second in work.links:
        if first in work.bounds and second in work.bounds:
            parent[root(first)] = root(second)
    numbers: dict[Unit, int] = {}
    return {
        (unit[0], *work.bounds[unit]): numbers.setdefault(root(unit), len(numbers))
        for unit in list(parent)
    }


def _add_segmentation_scores(
    name: str,
    gold: _Annotations,
    work: _Annotations,
    options: ScoreOptions,
    found: Evaluation,
    *,
    of_labels: bool,
) -> None:
    from ...metrics.scores.segmentation import segmentation_counts, segmentation_score

    boundaries = (
        _boundaries_from_labels(gold, work) if of_labels else _boundaries_from_units(gold, work)
    )
    references, segmentations = zip(*boundaries, strict=True)
    missing = [document not in work.documents for document in sorted(gold.documents)]
    for measure in SEGMENTATION:
        if measure not in options.measures:
            continue
        counts = segmentation_counts(
            references,
            segmentations,
            measure=measure,  # type: ignore[arg-type]  # a name from SEGMENTATION
            k=options.window,
        )
        if measure != "ghd":  # its cost has no maximum
            counts.sums[missing, 0] = counts.sums[missing, 1]
        _add_if_chosen(name, segmentation_score(counts, sampling=options), options, found)
        found.add_for_comparison(measure, name, counts.sums, counts.statistic)


def _boundaries_from_labels(gold: _Annotations, work: _Annotations) -> Boundaries:
    """Return for each document the boundaries of reference and system after each item but the last.

    Items are in reading order: numerical if all names are integers, else as in the reference. An
    item without a label of the system is wrong; a document that the system lacks has no boundary.
    """
    items: dict[str, list[str]] = {document: [] for document in sorted(gold.documents)}
    for document, item in gold.labels:
        if document in items:
            items[document].append(item)
    found: Boundaries = []
    for document, given in items.items():
        names = sorted(given, key=int) if all(map(str.isdecimal, given)) else given
        inner = [(document, name) for name in names[:-1]]
        reference = [_segment_ends(gold, item) for item in inner]
        system = [
            _segment_ends(work, item)
            if item in work.labels
            else not truth and document in work.documents
            for item, truth in zip(inner, reference, strict=True)
        ]
        found.append((np.array(reference, np.bool_), np.array(system, np.bool_)))
    return found


def _segment_ends(work: _Annotations, item: tuple[str, str]) -> bool:
    label = work.labels[item].strip().lower()
    if label not in _NO_END + _END:
        raise DataError(
            f"{work.source}: item {item[1]!r} is labelled {label!r}; for segmentation a label is 1 "
            "where a segment ends after the item, else 0"
        )
    return label in _END


def _boundaries_from_units(gold: _Annotations, work: _Annotations) -> Boundaries:
    """Return a boundary at the end of each unit, in the document's offset unit.

    The length of a document is the last end if it is unknown.
    """
    ends: list[dict[str, set[int]]] = []
    for one in (gold, work):
        of_document: dict[str, set[int]] = {document: set() for document in gold.documents}
        for document in of_document.keys() & one.units.keys():
            of_document[document].update(one.units[document][:, 1].tolist())
        ends.append(of_document)
    found: Boundaries = []
    for document, length in sorted(gold.documents.items()):
        last = max((end for side in ends for end in side[document]), default=1)
        n = max(length, last)
        sides = np.zeros((2, n - 1), dtype=np.bool_)
        for places, side in zip(sides, ends, strict=True):
            places[[end - 1 for end in side[document] if end < n]] = True
        found.append((sides[0], sides[1]))
    return found
