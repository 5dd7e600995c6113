"""`accordeur agree --per COLUMN`: a coefficient for each question of a table, one line each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...data.errors import DataError
from ...data.option_names import option
from ...data.readers.tables.given import Given
from ...data.row_account import ExportAccount
from ...metrics.agreement.evaluate import evaluate_matrix
from ...metrics.coded_warning import CodedWarning
from ...metrics.estimate import Estimate, add_reading_settings
from ...metrics.reason import Reason, ReasonCode
from ..inputs.data_warnings import warnings_on_matrix
from ..inputs.estimate_warnings import warnings_on_coefficients
from ..inputs.exported_labels import ExportedLabels, read_layers_of_labels
from ..inputs.label_options import LabelOptions
from ..inputs.reading_options import Reading
from ..inputs.reading_warnings import warnings_on_reading
from ..inputs.results_of_exports import ExportResults
from .agree import default_measures


def agree_per_question(
    path: Given | Sequence[Given], reading: Reading, options: LabelOptions, question: str
) -> ExportResults:
    """Compute the first coefficient for each question, whose labels are read as a layer.

    question  the column that says which question a label answers

    Returns the questions as `parts`, and the account of all rows. Raises DataError without labels,
    and for a distance between objects.
    """
    if options.objects is not None:
        raise DataError(f"{option('per')} is for distances between categories")
    reading = replace(reading, options={"layer": question, **reading.options})
    layers = read_layers_of_labels(path, reading, sets=options.sets, complete=options.complete)
    first = layers[0]
    tally = first.shard.tally_of_others(*(one.contents for one in layers))
    parts: list[tuple[str, Estimate]] = []
    remarks: list[CodedWarning] = []
    for one in layers:
        one.rows().count(tally, one.shard.roles, common=None, fewest=2)
        name = one.contents.name
        estimate, about = _of_question(one, options, is_declared=bool(reading.categories))
        parts += [(name, of) for of in add_reading_settings([estimate], one.settings)]
        remarks += (replace(of, figures={**of.figures, "layer": name}) for of in about)
    account = ExportAccount(tally, first.shard.rejected, first.settings)
    people = sorted({who for one in layers for who in one.layer.humans})
    remarks = [*warnings_on_reading(first.notes, people), *remarks]
    return ExportResults((), account.rows, account.rejected, remarks, by=question, parts=parts)


def _of_question(
    labels: ExportedLabels, options: LabelOptions, *, is_declared: bool
) -> tuple[Estimate, list[CodedWarning]]:
    """Return the coefficient of the labels of one question, and what a user should know of them."""
    measure = next(iter(options.measures), default_measures(len(labels.layer.humans))[0])
    if len(labels.layer.humans) < 2:
        reason = Reason(ReasonCode.ONE_ANNOTATOR)
        return Estimate(measure, float("nan"), reason), []
    matrix = labels.measured().matrix
    distance = options.distance_between_categories(
        matrix.tagset, (measure,), tagset_is_declared=is_declared
    )
    found = evaluate_matrix(matrix, measures=(measure,), distance=distance, sampling=options)
    return found[0], [
        *warnings_on_matrix(matrix, found, distance=distance, distance_name=options.distance.name),
        *warnings_on_coefficients(found, (measure,), matrix, options),
    ]
