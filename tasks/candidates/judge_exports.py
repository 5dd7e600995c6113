"""`accordeur judge`: systems that judge, checked against the humans who label the same items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...data.annotator_names import suggested_roles
from ...data.errors import DataError
from ...data.option_names import option
from ...data.readers.tables.annotators_as_columns import options_for_columns, require_no_columns
from ...data.readers.tables.description import TableDescription, also_listening
from ...data.readers.tables.given import Given
from ...data.schema import Role
from ...metrics.agreement.label_matrix import HUMAN
from ...reports.results.judges import JudgeReport
from ..inputs.assessment_options import JudgeOptions, JudgeSettings
from ..inputs.exported_labels import ExportedLabels, MeasuredLabels, read_exported_labels
from ..inputs.reading_options import Reading
from ..inputs.results_of_exports import ExportSummary
from ..intake.layer_contents import OF_SCORES
from ..layers import LayerSpec
from ..replacement.judge_checks import read_lengths
from ..replacement.judged_layers import batches_of_documents, later_labels
from ..replacement.replacement_results import judged_systems
from ..scores.sides_of_shard import presence_in_shard, presence_of_systems
from ..stored_annotations import label_rows, matrix_of_rows
from .bars import read_bars, require_computable
from .judge_report import judge_report, with_verdicts
from .judged_labels import JudgedLabels, LabelsToJudge, annotators_of, read_confidence
from .slices import read_slices


def judge_exports(
    paths: Given | Sequence[Given],
    systems: Sequence[str],
    reading: Reading,
    options: JudgeOptions,
) -> ExportSummary[JudgeReport]:
    """Check systems against the humans of an export of labels.

    systems  names; none: those that the export or `reading` has as systems

    Raises DataError for a system without labels, if there is no system or no human, for items with
    several labels, for an unknown reference or column of slices, and for a bar on a value that is
    not computed.
    """
    bars = None if options.bars is None else read_bars(Path(options.bars))
    reading = _with_columns(paths, {*systems, *options.humans}, reading, options)
    roles = {**reading.roles, **dict.fromkeys(systems, Role.SYSTEM)}
    tables: list[TableDescription] = []
    with also_listening(tables.append):
        labels = read_exported_labels(paths, replace(reading, roles=roles))
    slices = {} if options.by is None else read_slices(paths, tables, options.by)
    given = replace(_labels_to_judge(labels, systems, reading, options), slices=slices)
    distance = options.distance_between_categories(
        given.layer.tagset, tagset_is_declared=bool(reading.categories)
    )
    if bars is not None:
        require_computable(bars.bars, given.layer.tagset, options, distance)
    found, warnings = judge_report(JudgedLabels.of(given, distance, options, options))
    account = labels.account(fewest=1)
    said = labels.warnings(distance=distance, distance_name=options.distance.name)
    return ExportSummary(
        with_verdicts(found, bars),
        account.rows,
        account.rejected,
        [*said, *warnings],
    )


def _labels_to_judge(
    labels: ExportedLabels, named: Sequence[str], reading: Reading, options: JudgeSettings
) -> LabelsToJudge:
    if labels.contents.holds_sets(OF_SCORES):
        raise DataError(
            "items have several labels: give each label a layer of its own, with yes or no for "
            "every item, and judge one layer at a time"
        )
    layer = LayerSpec.of(labels.contents, declared=reading.categories, roles=OF_SCORES)
    if not layer.humans:
        raise DataError("every annotator is a system: a judge is checked against labels of humans")
    systems = judged_systems(layer.humans, layer.systems, named, "judge")
    _require_humans(layer, reading)
    layer = replace(layer, systems=tuple(systems))
    store, key = labels.shard.store, labels.shard.key
    names = annotators_of(layer)
    return LabelsToJudge(
        layer,
        matrix_of_rows(label_rows(store, key, layer, names), layer, names, HUMAN),
        MeasuredLabels(labels).matrix if len(layer.humans) > 1 else None,
        presence_of_systems([presence_in_shard(store, key, layer, ())], layer),
        later_labels(store, key, layer),
        batches_of_documents(store, [key]),
        {} if options.lengths is None else read_lengths(Path(options.lengths)),
        {} if options.confidence is None else read_confidence(Path(options.confidence)),
        reading=labels.settings,
        names_documents=labels.names_documents,
    )


def _with_columns(
    paths: Given | Sequence[Given], named: set[str], reading: Reading, options: JudgeOptions
) -> Reading:
    """Return the reading of a table whose columns are the humans and the judges, if it is one."""
    given = list(paths) if isinstance(paths, Sequence) else [paths]
    if not options.humans:
        if len(given) == 1 and "layout" not in reading.options:
            require_no_columns(given[0], named)
        return reading
    found = options_for_columns(given[0], named, reading.options) if len(given) == 1 else {}
    if not found:
        raise DataError(
            f"{option('human')}: {', '.join(options.humans)} must be columns of one table, beside "
            "those of the judges"
        )
    return replace(reading, options=found)


def _require_humans(layer: LayerSpec, reading: Reading) -> None:
    """Raise DataError for a human with the name of a model, unless the role is declared."""
    undeclared = [name for name in layer.humans if name not in reading.roles]
    models = [name for name, role in suggested_roles(undeclared).items() if role == Role.SYSTEM]
    if models:
        raise DataError(
            f"{', '.join(models)} would count as human, and is named like a model: name it with "
            f"{option('judge')}, or declare it with {option('role', f'{models[0]}=human')}"
        )
