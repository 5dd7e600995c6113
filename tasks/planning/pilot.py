"""The pilot study of a plan: its variance, and warnings."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...data.option_names import option
from ...data.readers.tables.given import Given
from ...data.row_account import RowAccount
from ...data.schema import Rejected
from ...metrics.agreement.coefficients import distance_name
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.agreement.resampling_units import applicable_coefficient
from ...metrics.coded_warning import CodedWarning
from ...metrics.errors import MetricsError
from ...metrics.measures import GENERALISED, ITEMS, MEASURES
from ...metrics.options import Sampling
from ...metrics.resampling.label_pilot import pilot_variance, scale_to_interval
from ...metrics.resampling.planning import PilotVariance
from ...metrics.resampling.planning_error import pilots_without_each_group
from ...metrics.signature import input_hash
from ..inputs.exported_labels import (
    ExportedLabels,
    MeasuredLabels,
    UnitsOnlyError,
    read_exported_labels,
)
from ..inputs.label_options import PlanOptions
from ..inputs.measure_names import require_known_measures
from ..inputs.reading_options import Reading
from ..inputs.unit_options import UnitComparison
from ..units.units_of_exports import read_units
from ..wording import counted

SUBSETS = 20  # random subsets of annotators per size
_FEW = 10  # pilots with fewer documents get a warning
_MISSING = 0.05  # share of missing labels above which it is reported
_TOO_MANY_MISSING = 0.5

# Coefficients that do not use the identity of annotators.
OF_A_CROWD = tuple(name for name in ITEMS if MEASURES[name].anonymous)


class Pilot(NamedTuple):
    """Variance of a pilot, with and without each of its parts, and its signature fields."""

    variance: PilotVariance
    left_out: tuple[PilotVariance | None, ...]
    n_annotators: int
    has_documents: bool
    settings: dict[str, Any]
    input_: str
    rows: RowAccount
    rejected: list[Rejected]
    warnings: list[CodedWarning]


def read_pilot(path: Given, reading: Reading, options: PlanOptions) -> Pilot:
    """Read the labels of a pilot, or its units for γ.

    Raises DataError if there are none, MetricsError for a measure that is not planned, and if they
    do not permit a plan.
    """
    if options.measure is not None:
        require_known_measures((options.measure,), ("gamma", *ITEMS), "plans are of")
    if not options.annotators or min(options.annotators) < 2:
        raise MetricsError("agreement needs two annotators: give numbers of at least 2")
    options.require_no_analytic("plans")
    if options.measure in GENERALISED and 2 not in options.annotators:
        raise MetricsError(
            f"{options.measure} compares two annotators: to plan for more, use "
            f"{option('measure', GENERALISED[options.measure])}"
        )
    if options.measure == "gamma":
        pilot = _unit_pilot(path, reading, options)
    else:
        try:
            labels = read_exported_labels(path, reading)
        except UnitsOnlyError:
            if options.measure is not None:
                raise MetricsError(
                    f"{options.measure} is of labels, and the pilot has units: the only plan of "
                    f"units is {option('measure', 'gamma')}"
                ) from None
            pilot = _unit_pilot(path, reading, options)
        else:
            pilot = _label_pilot(path, labels, reading, options)
    if options.for_new_annotators and math.isnan(pilot.variance.of_annotators):
        raise MetricsError(
            f"{path}: {option('interval', 'annotators')} needs a pilot in which three or more "
            "annotators annotated everything: remove it, or use a larger pilot"
        )
    return pilot


def _label_pilot(
    path: Given, labels: ExportedLabels, reading: Reading, options: PlanOptions
) -> Pilot:
    measured, measure = MeasuredLabels(labels), options.measure or "krippendorff_alpha"
    matrix, account = measured.matrix, measured.account
    distance = options.distance_between_categories(
        matrix.tagset, (measure,), tagset_is_declared=bool(reading.categories)
    )
    remarks = labels.warnings(matrix=matrix, distance=distance, distance_name=options.distance.name)
    matrix = _matrix_with_crowd_in_columns(matrix, options, path)
    applicable_coefficient(measure, matrix)
    arguments: dict[str, Any] = {
        "measure": measure,
        "distance": distance,
        "subsets": SUBSETS,
        "study": f"planning {options.seed}",
    }
    variance = scale_to_interval(
        pilot_variance(matrix, **arguments),
        matrix,
        distance=distance,
        sampling=Sampling(confidence_level=options.confidence_level, seed=options.seed),
    )
    has_documents = matrix.documents is not None
    what = "documents" if has_documents else "items"
    return Pilot(
        variance,
        pilots_without_each_group(matrix, **arguments),
        matrix.n_annotators,
        has_documents,
        {
            "distance": distance_name(distance, matrix.tagset),
            "crowd": options.crowd or None,
            "variance": f"linearised/{what}",
            "subsets": SUBSETS,
            **account.settings,
        },
        input_hash([matrix.codes, *matrix.annotators]),
        account.rows,
        account.rejected,
        [
            *remarks,
            *_missing_warning(matrix),
            *_few_warning(variance, what[:-1]),
            *_reach_warning(variance, options),
        ],
    )


def _unit_pilot(path: Given, reading: Reading, options: PlanOptions) -> Pilot:
    from ...metrics.chance.corpus import corpus_hash, corpus_of_continua
    from ...metrics.resampling.unit_planning import (
        PLANNING,
        scale_to_gamma,
        unit_pilot,
        unit_pilots_without_each_group,
    )
    from ...metrics.units.gamma_settings import GammaSettings, dissimilarity_settings

    if options.crowd:
        raise MetricsError(
            f"{option('crowd')} applies to labels only: units are planned by the number of "
            "annotators per document"
        )
    units = read_units([path], reading)
    continua, account = units.continua, units.account()
    comparison = UnitComparison(distance=options.distance)
    dissimilarity = comparison.dissimilarity_for(
        "gamma", continua, tagset_is_declared=bool(reading.categories)
    )
    settings = replace(PLANNING, seed=options.seed)
    pilot = unit_pilot(continua, dissimilarity, settings=settings)
    variance = scale_to_gamma(
        pilot.variance(),
        continua,
        dissimilarity,
        GammaSettings(confidence_level=options.confidence_level, seed=options.seed),
        new_annotators=options.for_new_annotators,
    )
    return Pilot(
        variance,
        unit_pilots_without_each_group(pilot, study=f"planning {options.seed}"),
        int(variance.annotators.max()),
        True,
        {
            **dissimilarity_settings(dissimilarity),
            "variance": "ratio/documents",
            "precision": settings.precision,
            **account.settings,
        },
        corpus_hash(corpus_of_continua(continua, measure="γ")),
        account.rows,
        account.rejected,
        [
            *units.warnings(),
            *_few_warning(variance, "document"),
            *_reach_warning(variance, options),
        ],
    )


def _matrix_with_crowd_in_columns(
    matrix: LabelMatrix, options: PlanOptions, path: Given
) -> LabelMatrix:
    """Return the pilot's matrix; for a crowd, column j contains the j-th label of each item.

    Raises MetricsError for too few labels, and for a measure that does not apply to a crowd.
    """
    missing = float((matrix.codes < 0).mean())
    if not options.crowd:
        if missing > _TOO_MANY_MISSING:
            raise MetricsError(
                f"{path}: {missing:.0%} of the labels that {matrix.n_annotators} annotators "
                "could have given are missing, which is too many to plan for annotators who "
                f"label everything: if different annotators label each item, add {option('crowd')}"
            )
        return matrix
    if options.measure and options.measure not in OF_A_CROWD:
        raise MetricsError(
            f"{options.measure} depends on who gave a label, but with {option('crowd')} "
            f"each item has "
            f"different annotators: use one of {', '.join(OF_A_CROWD)}"
        )
    if options.for_new_annotators:
        raise MetricsError(
            f"{option('interval', 'annotators')} plans annotators and {option('crowd')} plans "
            "labels: give only one of them"
        )
    rng = np.random.default_rng(options.seed)
    order = rng.random(matrix.codes.shape)
    order[matrix.codes < 0] = 2.0  # missing labels last
    columns = np.argsort(order, axis=1)[:, : int(matrix.n_labels.max(initial=0))]
    codes = np.take_along_axis(matrix.codes, columns, axis=1)
    names = tuple(f"label {k + 1}" for k in range(codes.shape[1]))
    return replace(matrix, codes=codes, annotators=names, roles=())


def _few_warning(pilot: PilotVariance, unit: str) -> list[CodedWarning]:
    n = pilot.n_documents
    if n >= _FEW:
        return []
    return [CodedWarning("few_in_pilot", {"n_documents": n, "pilot": counted(n, unit)})]


def _reach_warning(pilot: PilotVariance, options: PlanOptions) -> list[CodedWarning]:
    if max(options.annotators) <= pilot.max_annotators:
        return []
    if other := GENERALISED.get(pilot.measure):
        return [CodedWarning("plan_for_two", {"measure": pilot.measure, "other": other})]
    figures = {"n_annotators": pilot.n_annotators, "most": pilot.max_annotators}
    return [CodedWarning("beyond_pilot", figures)]


def _missing_warning(matrix: LabelMatrix) -> list[CodedWarning]:
    missing = float((matrix.codes < 0).mean())
    return [CodedWarning("missing_labels", {"share": missing})] if missing > _MISSING else []
