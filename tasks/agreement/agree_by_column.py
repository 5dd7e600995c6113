"""`accordeur agree --by COLUMN`: a coefficient for the labels with each value of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ...data.errors import DataError
from ...data.joined_names import joined_name, named_part
from ...data.option_names import option
from ...data.readers.tables.column_names import NoColumnError, listed_columns
from ...data.readers.tables.given import Given, GivenTable
from ...data.row_account import ExportAccount
from ...data.schema import UNNAMED_LAYER
from ...metrics.agreement.coefficients import mark_as_complete_items
from ...metrics.agreement.evaluate import evaluate_matrix
from ...metrics.agreement.label_matrix import sort_categories
from ...metrics.close_names import did_you_mean
from ...metrics.coded_warning import CodedWarning
from ...metrics.estimate import Estimate, add_reading_settings
from ...metrics.measures import COEFFICIENTS, OBJECTS, RATINGS
from ...metrics.objects.evaluate import MeasuredObjects
from ...metrics.reason import Reason, ReasonCode
from ..inputs.data_warnings import warnings_on_matrix
from ..inputs.estimate_warnings import warnings_on_coefficients, warnings_on_lone_labels
from ..inputs.exported_labels import ExportedLabels, MeasuredLabels, read_layers_of_labels
from ..inputs.label_options import LabelOptions
from ..inputs.measure_difference import MeasureDifference
from ..inputs.measure_names import require_known_measures
from ..inputs.part_kind import PartKind
from ..inputs.reading_options import Reading
from ..inputs.reading_warnings import warnings_on_reading
from ..inputs.results_of_exports import ExportResults
from .agree import default_measures, require_no_names
from .agreement_differences import differences_of_parts
from .intraclass import intraclass_forms

_MOST_NAMED = 4  # parts in a warning


def agree_by_column(
    path: Given | Sequence[Given], reading: Reading, options: LabelOptions, column: str
) -> ExportResults:
    """Compute the requested coefficients, or else the first one, for each value of a column.

    The column may be a property of items, of documents, of annotators or of labels, or the question
    that a label answers. Questions have categories of their own; other values share all categories.
    Several columns, separated by commas, are crossed; rows without a value are a part, too.

    Returns the values as `parts`, and the account of all rows. Raises DataError without labels.
    """
    given = [path] if isinstance(path, Path | GivenTable) else path
    of_file = "" if isinstance(given[0], GivenTable) else reading.options.get("layer", "")
    if reading.layer is not None or of_file not in ("", column):
        raise DataError(f"{option('by', column)} reads the column as the layer: remove the other")
    reading = replace(reading, options={"layer": column, **reading.options})
    try:
        found = read_layers_of_labels(
            path,
            reading,
            sets=options.sets,
            complete=options.complete,
            queue=None if options.queue is None else Path(options.queue),
            objects=options.objects,
        )
    except NoColumnError as error:
        if error.column == column:
            raise DataError(no_column_sentence(column, error.known)) from None
        raise
    layers = _with_common_categories(found)
    if len(layers) > 1 and all(one.rows.matrix().n_items == 1 for one in layers):
        raise DataError(
            f"{option('by', column)}: each value has a single item, of which no coefficient says "
            "anything; `consensus` has the votes and their share for each item, and `mistakes` "
            "lists the labels to look at again"
        )
    first = layers[0]
    if first.notes.n_unnamed_tables:
        require_no_names(options)
    tally = first.shard.tally_of_others(*(one.contents for one in layers))
    shown = joined_name([one.strip() for one in column.split(",")])
    parts: list[tuple[str, Estimate]] = []
    remarks: list[tuple[str, CodedWarning]] = []
    for one in layers:
        one.rows.count(tally, one.shard.roles, common=None, fewest=2)
        name = _name_of_part(one.contents.name, column)
        estimates, about = _of_part(one, options, is_declared=bool(reading.categories))
        parts += [(name, of) for of in add_reading_settings(estimates, one.settings)]
        remarks += [(name, of) for of in about]
    account = ExportAccount(tally, first.shard.rejected, first.settings)
    people = sorted({who for one in layers for who in one.layer.humans})
    warnings = [*warnings_on_reading(first.notes, people), *_once_for_all_parts(remarks)]
    differences = [] if options.objects else _differences(layers, options, parts, reading)
    return ExportResults(
        (),
        account.rows,
        account.rejected,
        warnings,
        by=shown,
        parts=parts,
        differences=differences,
    )


def _differences(
    layers: Sequence[ExportedLabels],
    options: LabelOptions,
    parts: Sequence[tuple[str, Estimate]],
    reading: Reading,
) -> list[MeasureDifference]:
    """Return the difference of each coefficient of two parts with the same categories."""
    measures = [*dict.fromkeys(one.measure for _, one in parts if one.measure in COEFFICIENTS)]
    if len(layers) != 2 or layers[0].layer.tagset != layers[1].layer.tagset or not measures:
        return []
    matrices = [one.rows.matrix() for one in layers]
    distance = options.distance_between_categories(
        layers[0].layer.tagset, measures, tagset_is_declared=bool(reading.categories)
    )
    return differences_of_parts(matrices, measures, distance, options)


def _once_for_all_parts(remarks: Sequence[tuple[str, CodedWarning]]) -> list[CodedWarning]:
    """Return each warning once, with the parts that it is about; numbers of items are added."""
    found: dict[str, CodedWarning] = {}
    names: dict[str, list[str]] = {}
    for name, one in remarks:
        counted = {"n": 0} if one.code == "lone_labels" else {}
        key = repr((one.code, one.messages, {**one.figures, **counted}))
        if key in found and counted:
            total = int(found[key].figures["n"]) + int(one.figures["n"])
            one = replace(one, figures={**one.figures, "n": total})
        found[key] = one
        names.setdefault(key, []).append(name)
    return [
        replace(one, figures={**one.figures, "layer": _listed(names[key])})
        for key, one in found.items()
    ]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def _name_of_part(layer: str, column: str) -> str:
    return named_part("" if layer == UNNAMED_LAYER["labels"] else layer, column)


def no_column_sentence(column: str, known: Sequence[str]) -> str:
    """Explain that a table has no such column to group its labels by."""
    kinds = [*PartKind]
    return (
        f"{option('by', column)}: {did_you_mean(column, [*kinds, *known])}it must be one of "
        f"{', '.join(kinds)}, or a column: {listed_columns(known)}"
    )


def _with_common_categories(layers: list[ExportedLabels]) -> list[ExportedLabels]:
    """Return the parts with the categories of all, unless an annotator labels an item in several.

    These are then answers to different questions.
    """
    if len({one.layer.tagset for one in layers}) == 1:
        return layers
    labels = layers[0].shard.accepted.tables["labels"]
    cell = ["document", "item", "annotator", "pass"]
    n_values = labels.group_by(cell).aggregate([("layer", "count_distinct")])
    if any(n > 1 for n in n_values["layer_count_distinct"].unique().to_pylist()):
        return layers
    sets = any(one.layer.sets for one in layers)
    layers = [one.as_sets() for one in layers] if sets else layers
    found = dict.fromkeys(name for one in layers for name in one.layer.tagset)
    common = tuple(found) if sets else sort_categories({*found})
    return [one.with_layer(replace(one.layer, tagset=common)) for one in layers]


def _of_part(
    labels: ExportedLabels, options: LabelOptions, *, is_declared: bool
) -> tuple[list[Estimate], list[CodedWarning]]:
    """Return the coefficients of the labels of a part, and what a user should know of them."""
    known, usual = options.measures, default_measures(len(labels.layer.humans))
    if options.objects is not None:
        what = f"the measures with the distance {options.distance.name} are"
        known, usual = require_known_measures(known, OBJECTS, what), OBJECTS
    wanted = tuple(dict.fromkeys(known)) or usual[:1]
    if len(labels.layer.humans) < 2:
        one_annotator = Reason(ReasonCode.ONE_ANNOTATOR)
        return [Estimate(name, float("nan"), one_annotator) for name in wanted], []
    matrix = MeasuredLabels(labels).matrix
    if options.objects is not None:
        objects = MeasuredObjects.from_matrix(matrix, options.objects, options)
        return objects.values(wanted, for_new_annotators=options.for_new_annotators), []
    forms = [name for name in wanted if name in RATINGS]
    measures = tuple(name for name in wanted if name not in RATINGS)
    level, seed = options.confidence_level, options.seed
    ratings = intraclass_forms(matrix, forms, level=level, seed=seed)
    if not measures:
        return ratings, []
    distance = options.distance_between_categories(
        matrix.tagset, measures, tagset_is_declared=is_declared
    )
    found = evaluate_matrix(matrix, measures=measures, distance=distance, sampling=options)
    found = found[: len(measures)]  # without one added because another is undefined
    if options.complete:
        found = mark_as_complete_items(found)
    return [*found, *ratings], [
        *warnings_on_matrix(matrix, distance=distance, distance_name=options.distance.name),
        *warnings_on_lone_labels(found),
        *warnings_on_coefficients(found, measures, matrix, options),
    ]
