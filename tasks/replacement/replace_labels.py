"""`accordeur replace`: verdicts on systems from the labels of annotators and systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.in_memory.labels import LabelTable
from ...data.label_sets import set_name
from ...data.readers.tables.given import Given
from ...data.schema import Role
from ...metrics.agreement.coefficients import distance_name, resolve_set_distance
from ...metrics.agreement.distances import SETS, Distance
from ...metrics.agreement.evaluate import evaluate_matrix
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.estimate import Estimate
from ...metrics.options import Sampling
from ..inputs.assessment_options import ReplaceOptions
from ..inputs.data_warnings import warnings_on_reading
from ..inputs.reading_options import Reading
from ..items.agree import categories_of_tables, matrix_of_table, read_label_table, tally_labels
from ..layers import direct_distances
from .judge_checks import JudgeRuns, Lengths, lengths_of_items, read_lengths
from .judged_labels import judge_labels, label_similarity_function, similarity_function_of_codes
from .replace_units import replace_in_unit_exports
from .replacement_results import ExportReplacement, judged_systems


def replace_in_exports(
    paths: Given | Sequence[Given],
    systems: Sequence[str],
    reading: Reading,
    options: ReplaceOptions,
    *,
    own: Callable[[str, str], float] | None = None,
    lengths: Lengths | None = None,
) -> ExportReplacement:
    """Judge the systems against the annotators of an export.

    systems  names; none: those that the export or `reading` has as systems
    own      similarity of two labels, in place of that of the options
    lengths  of the items, or of the documents of units, in place of the file of the options

    Raises DataError for a system without labels, and if there is no system.
    """
    systems = [*systems, *(one for one in options.earlier.values() if systems)]
    if options.of_units and own is None:
        return replace_in_unit_exports(paths, systems, reading, options, lengths)
    roles = {**reading.roles, **dict.fromkeys(systems, Role.SYSTEM)}
    sets = options.alignment == "similarity" and options.distance in SETS
    table = read_label_table(paths, replace(reading, roles=roles), sets=sets, with_systems=True)
    people = sorted(set(table.annotators) - set(table.systems))
    judged = judged_systems(people, table.systems, systems)
    tagset = () if table.sets else reading.tagset
    matrix = matrix_of_table(table, tagset or categories_of_tables([table]))
    humans = [name for name in matrix.annotators if name not in table.systems]
    account = table.account()
    tally_labels(account.tally, table)
    compared = replace(
        _matrix_of_annotators(matrix, [*humans, *judged]),
        roles=(HUMAN,) * len(humans) + (Role.SYSTEM.value,) * len(judged),
    )
    given: Distance = {"rmse": "interval"}.get(options.alignment, "nominal")
    distances, distance = None, "own" if own else ""
    if options.alignment == "similarity":
        given = options.distance_between_categories(
            matrix.tagset, tagset_is_declared=bool(reading.tagset)
        )
        if own is None:
            distances, distance = _distances(compared, given), distance_name(given, matrix.tagset)
    found = judge_labels(
        compared,
        options,
        similarity=similarity_function_of_codes(own, matrix.tagset)
        if own
        else label_similarity_function(options.alignment, matrix.tagset, distances),
        distance=distance,
        document_names=sorted(set(table.documents or ())),
        runs=_judge_runs(table, matrix, judged, lengths, options),
    )
    return ExportReplacement(
        found,
        account.rows,
        account.rejected,
        warnings_on_reading(table.notes, humans),
        _human_agreement(matrix, humans, given, options),
    )


def _human_agreement(
    matrix: LabelMatrix, humans: Sequence[str], distance: Distance, options: ReplaceOptions
) -> Estimate | None:
    """Compute Krippendorff's α of the annotators alone, to report beside a study of a judge."""
    if len(humans) < 2:
        return None
    [found] = evaluate_matrix(
        _matrix_of_annotators(matrix, humans),
        measures=["krippendorff_alpha"],
        distance=distance,
        sampling=Sampling(min(options.replicates, 1000), 0.95, options.seed),
    )[:1]
    return found


def _judge_runs(
    table: LabelTable,
    matrix: LabelMatrix,
    systems: Sequence[str],
    lengths: Lengths | None,
    options: ReplaceOptions,
) -> JudgeRuns:
    """Return later passes of the systems as codes, and the lengths of the items."""
    homes = table.documents or [""] * len(table.items)
    keys = list(dict.fromkeys(zip(homes, table.items, strict=True)))  # in the order of the matrix
    row_of = {key: i for i, key in enumerate(keys)}
    code_of = {category: k for k, category in enumerate(matrix.tagset)}
    passes: dict[str, dict[int, NDArray[np.int64]]] = {}
    for label in table.later:
        key = (label.document if table.documents else "", label.item)
        if label.annotator in systems and key in row_of:
            of_system = passes.setdefault(label.annotator, {})
            codes = of_system.setdefault(label.pass_, np.full(len(keys), -1))
            name = set_name(label.labels) if table.sets or not label.labels else label.labels[0]
            codes[row_of[key]] = code_of.setdefault(name, len(code_of))
    if lengths is None and options.lengths is not None:
        lengths = read_lengths(Path(options.lengths))
    return JudgeRuns(passes, None if lengths is None else lengths_of_items(keys, lengths))


def _matrix_of_annotators(matrix: LabelMatrix, names: Sequence[str]) -> LabelMatrix:
    chosen = [matrix.annotators.index(name) for name in names]
    codes = np.ascontiguousarray(matrix.codes[:, chosen])
    return replace(matrix, codes=codes, annotators=tuple(names), roles=())


def _distances(matrix: LabelMatrix, distance: Distance) -> Any:
    """Return the distances between categories in [0, 1]; None for nominal."""
    is_human = np.array([role == HUMAN for role in matrix.roles])
    given = matrix.codes[:, is_human]
    marginals = np.bincount(given[given >= 0], minlength=len(matrix.tagset))
    return direct_distances(resolve_set_distance(distance, matrix), matrix.tagset, marginals)
