"""Scores of systems against a reference from exports, without a campaign (driver in memory).

The analysis is the same as in a run (`labels`, `units`): documents that the reference finished are
scored, and a document missing from a system's export counts as wrong. Chance-corrected coefficients
raise an error (`metrics.validity_separation`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ...data.errors import DataError
from ...data.in_memory.works import Work, account_of_works, read_works
from ...data.label_sets import set_name
from ...data.option_names import option
from ...data.readers.notes import SourceNotes
from ...data.readers.sources import annotators_of_paths
from ...data.readers.tables.given import GivenTable
from ...data.row_account import RowAccount, RowTally, require_no_rejected
from ...data.schema import Rejected
from ...metrics.agreement.label_matrix import sort_categories
from ...metrics.errors import MetricsError
from ...metrics.measures import STRUCTURES
from ...metrics.scoring.compare_systems import SystemComparison
from ...reports.warnings import in_english
from ..inputs.assessment_options import ScoreOptions
from ..inputs.data_warnings import warnings_on_reading, without_warnings_on_rejected
from ..wording import counted
from .evaluation import Evaluation, Presence, compare_pairs_of_systems
from .reference_and_systems import (
    NamedExport,
    choose_reference,
    choose_systems,
    distinct_names,
    namer_of_files,
    warnings_of_same_work,
    with_reference_documents,
)

MOST_COMPARED = 20


@dataclass(slots=True)
class ExportScores:
    """All output of `accordeur score`."""

    reference: str
    is_single_annotator: bool
    rejected: list[Rejected]
    rows: RowAccount = field(default_factory=lambda: RowTally().account())
    evaluation: Evaluation = field(default_factory=lambda: Evaluation({}))
    comparisons: list[tuple[str, SystemComparison]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def score_exports(
    reference: str | GivenTable,
    systems: Sequence[str | GivenTable],
    *,
    format: str = "auto",
    reference_options: Mapping[str, str] | None = None,
    system_options: Mapping[str, str] | None = None,
    layer: str | None = None,
    single_annotator: bool = False,
    unfinished: bool = False,
    strict: bool = False,
    options: ScoreOptions | None = None,
) -> ExportScores:
    """Score every system against the reference.

    reference, systems  paths, or `path#annotator` if an export has several annotators
    strict              raise an error for a row that cannot be scored (by default it is rejected)

    Raises DataError for data that cannot be read or compared, MetricsError for a measure that the
    exports do not support.
    """
    chosen = (options or ScoreOptions()).with_soft()
    named = NamedExport.of(reference)
    asked = [NamedExport.of(system) for system in systems]
    file_with_export_folder = namer_of_files([named.path, *(one.path for one in asked)])
    rejected: list[Rejected] = []
    reading = SourceNotes()

    annotators = _annotators_of_paths(named, asked, format, system_options or {})

    def works_of(path: str | GivenTable, extra: Mapping[str, str] | None) -> dict[str, Work]:
        found, faults = read_works(
            path,
            format=format,
            options=extra,
            layer=layer,
            unfinished=unfinished,
            notes=reading,
            annotator=annotators.get(str(path)),
        )
        faults = [replace(one, source=file_with_export_folder(path, one.source)) for one in faults]
        if strict:
            require_no_rejected(faults)
        rejected.extend(faults)
        return found

    of_reference = works_of(named.path, reference_options)
    same = [one for one in asked if one.path == named.path]
    scored_here = [one.annotator for one in same if one.annotator is not None]
    if chosen.soft is not None:
        from .score_soft_exports import crew_of_export, score_soft_exports

        crew = crew_of_export(of_reference, named, scored_here)
        result = ExportScores(f"labels of {crew.whole.name} ({chosen.soft})", False, rejected)
        result.evaluation, scored = score_soft_exports(
            crew,
            lambda path: of_reference if path == named.path else works_of(path, system_options),
            asked,
            chosen,
            result.notes,
        )
        result.rows = account_of_works(crew.whole, scored, crew.members)
        result.notes += map(
            in_english, without_warnings_on_rejected(warnings_on_reading(reading), rejected)
        )
        return _complete_scores(result, crew.whole, scored, chosen)
    if same and any(one.annotator is None for one in same):
        scored_here = [name for name in of_reference if name != named.annotator]
    gold = choose_reference(
        of_reference, named, systems=scored_here, single_annotator=single_annotator
    )
    works: list[Work] = []
    for one in asked:
        is_same = one.path == named.path and (system_options or {}) == (reference_options or {})
        of_system = of_reference if is_same else works_of(one.path, system_options)
        works += choose_systems(of_system, one, gold.name if is_same else None)
    for work in works:
        if work.read_with and gold.read_with and work.read_with != gold.read_with:
            raise DataError(
                f"{work.name!r} was read with {_read_with(work)}, the reference with "
                f"{_read_with(gold)}: choose one feature for both with the option category"
            )
    result = ExportScores(gold.name, single_annotator, rejected, account_of_works(gold, works))
    for work in (gold, *works):
        if work.n_refused:
            result.notes.append(
                f"{work.name}: {counted(work.n_refused, 'run')} of chunk tags that the scheme "
                "does not allow; the strict reading makes no unit of them"
            )
    named_works = zip(distinct_names(works), works, strict=True)
    result.notes += map(
        in_english, without_warnings_on_rejected(warnings_on_reading(reading), rejected)
    )
    aligned = {
        name: with_reference_documents(gold, work, name, result.notes) for name, work in named_works
    }
    result.notes += map(in_english, warnings_of_same_work(gold, aligned))
    result.evaluation = _evaluate_works(gold, aligned, chosen)
    return _complete_scores(result, gold, works, chosen)


def _annotators_of_paths(
    reference: NamedExport, systems: Sequence[NamedExport], format: str, options: Mapping[str, str]
) -> dict[str, str]:
    """Return the annotator of each export that names none, where all are files or all folders."""
    exports = [reference, *systems]
    paths = [*dict.fromkeys(one.path for one in exports if isinstance(one.path, str))]
    if any(one.annotator for one in exports):
        return {}
    annotators = zip(paths, annotators_of_paths(paths, format, options), strict=True)
    return {path: annotator for path, annotator in annotators if annotator is not None}


def _complete_scores(
    result: ExportScores, gold: Work, works: Sequence[Work], chosen: ScoreOptions
) -> ExportScores:
    """Add notes, how the data were read, and comparisons of systems.

    Raises MetricsError if none of the measures can be computed.
    """
    for name, scored in result.evaluation.systems.items():
        result.notes += map(in_english, scored.documents.notices(name))
    result.notes += map(in_english, result.evaluation.notices)
    read_with = [work.read_with for work in (*works[:1], gold)]
    result.evaluation.add_reading_settings(
        {key: text for one in read_with for key, text in one.items()}
    )
    _compare_systems(result, chosen)
    if result.evaluation.is_empty:
        raise MetricsError(
            f"{', '.join(chosen.measures)} cannot be computed on "
            f"{'labels' if gold.is_labels else 'units'}; leave {option('measure')} out to "
            f"see what can"
        )
    return result


def _evaluate_works(gold: Work, systems: Mapping[str, Work], options: ScoreOptions) -> Evaluation:
    """Score labels and units as in a run, and the requested structures."""
    presence = {
        name: Presence(work.documents.keys(), work.not_assigned) for name, work in systems.items()
    }
    found = Evaluation.unscored(list(gold.documents), presence)
    tagset = _common_tagset(gold, systems, options)
    if gold.is_labels:
        found = _evaluate_labels(gold, systems, presence, tagset, options)
    # Speakers may have other names in a system, so their units are matched only on request.
    elif not options.measures or not {*options.measures} <= {*STRUCTURES}:
        found = _evaluate_units(gold, systems, presence, tagset, options)
    if options.measures or gold.source.endswith(".rttm"):
        from .structures import score_structures

        score_structures(gold, systems, presence, tagset, options, found)
    if len({frozenset(one.excluded(list(gold.documents))) for one in presence.values()}) > 1:
        for measure in STRUCTURES:  # counted on each system's own documents
            found.compared.pop(measure, None)
    return found


def _common_tagset(
    gold: Work, systems: Mapping[str, Work], options: ScoreOptions
) -> tuple[str, ...]:
    """Return the given tagset, else the sorted categories. Raises DataError for unknown ones."""
    works = [gold, *systems.values()]
    declared = options.tagset
    if gold.is_labels:
        declared = tuple(set_name([label]) for label in declared)
        used = {label for work in works for label in work.labels.values()}
    else:
        used = {unit[3] for work in works for unit in work.units} - {""}
    if not declared:
        return sort_categories(used)
    for category in sorted(used - set(declared)):
        raise DataError(f"label {category!r} is not in the tagset ({', '.join(declared)})")
    return declared


def _evaluate_labels(
    gold: Work,
    systems: Mapping[str, Work],
    presence: Mapping[str, Presence],
    tagset: tuple[str, ...],
    options: ScoreOptions,
) -> Evaluation:
    from .label_scores import MAIN, LabelSides, score_labels

    distance = options.distance_between_categories(tagset, tagset_is_declared=bool(options.tagset))
    works = (gold, *systems.values())
    items = sorted({key for work in works for key in work.labels if key[0] in gold.documents})
    code = {category: k for k, category in enumerate(tagset)}
    names = sorted(gold.documents)
    index = {document: d for d, document in enumerate(names)}

    def codes(work: Work) -> NDArray[np.int64]:
        return np.array(
            [code[work.labels[item]] if item in work.labels else -1 for item in items], np.int64
        )

    sides = LabelSides(
        codes(gold),
        {name: codes(work) for name, work in systems.items()},
        presence,
        np.array([index[document] for document, _ in items], np.int64),
        names,
        tagset,
        distance,
    )
    return score_labels(sides, options, options.selected_measures(MAIN))


def _evaluate_units(
    gold: Work,
    systems: Mapping[str, Work],
    presence: Mapping[str, Presence],
    tagset: tuple[str, ...],
    options: ScoreOptions,
) -> Evaluation:
    from ...metrics.alignment.dissimilarity import Dissimilarity
    from .structures import unit_rows_of_work
    from .unit_scores import MAIN, UnitSides, score_units

    rows = {name: unit_rows_of_work(work, tagset) for name, work in systems.items()}
    sides = UnitSides(unit_rows_of_work(gold, tagset), rows, presence, tagset)
    wanted = options.selected_measures(MAIN)
    table = None
    if options.distances is not None:
        options.distance_between_categories(tagset, tagset_is_declared=bool(options.tagset))
        table = options.distances.distances_in_tagset(tagset)
    dissimilarity = Dissimilarity(category_distances=table)
    return score_units(sides, options, wanted, dissimilarity=dissimilarity)


def _read_with(work: Work) -> str:
    return ", ".join(f"{key} {value}" for key, value in work.read_with.items())


def _compare_systems(result: ExportScores, options: ScoreOptions) -> None:
    """Compare every pair of systems by each requested measure or, by default, the main one."""
    compared = result.evaluation.compared
    n_systems = max((len(counts) for counts in compared.values()), default=0)
    if n_systems > MOST_COMPARED and options.replicates:
        result.notes.append(
            f"more than {MOST_COMPARED} systems: not compared in pairs; name fewer with "
            f"{option('system')}"
        )
        return
    result.comparisons = compare_pairs_of_systems(compared, options)
