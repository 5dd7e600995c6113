"""`accordeur gamma`: γ and γ-cat of exported units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...data.option_names import option
from ...data.readers.tables.given import Given
from ...metrics.errors import MetricsError
from ...metrics.estimate import add_reading_settings
from ...metrics.measures import PAIRWISE_F
from ..inputs.data_warnings import warnings_on_unknown_lengths
from ..inputs.part_kind import PartKind
from ..inputs.reading_options import Reading
from ..inputs.results_of_exports import ExportResults
from ..inputs.unit_options import GammaOptions
from .units_of_exports import DEFAULT_READING, ExportUnits, read_units

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...metrics.alignment.continuum import Continuum
    from ...metrics.alignment.dissimilarity import Dissimilarity
    from ...metrics.estimate import Estimate
    from ...metrics.results import ErrorCost
    from ...metrics.units.gamma import GammaResult
    from ...metrics.units.gamma_settings import GammaSettings
    from .unit_estimates import UnitMeasure

WITH_PARTS = ("gamma", *PAIRWISE_F)
DEFAULT_GAMMA = GammaOptions()


@dataclass(frozen=True, slots=True)
class MeasuredUnits:
    """Results of a command on units, and the data they were computed on.

    result  γ with its alignments; None for another measure
    """

    found: ExportResults
    units: ExportUnits
    result: GammaResult | None = None


def gamma(
    paths: Sequence[Given],
    reading: Reading = DEFAULT_READING,
    options: GammaOptions = DEFAULT_GAMMA,
    by: PartKind | None = None,
) -> ExportResults:
    """Compute the measure on the units of one or several exports, with the rejected rows.

    γ is accompanied by γ-cat, and the holistic measure by the value of the greedy algorithm of
    2011. `by` names parts for each of which γ, or a pairwise F, is computed as well. Raises
    DataError, MetricsError.
    """
    if by is None:
        return gamma_with_alignments(paths, reading, options).found
    if options.measure not in WITH_PARTS:
        raise MetricsError(
            f"{option('by')} is for the measures {', '.join(WITH_PARTS)}, not {options.measure}"
        )
    whole = gamma_with_alignments(paths, reading, options)
    continua = whole.units.continua
    parts = _unit_measure(options, continua, reading).by_part(by, continua)
    return replace(whole.found, by=by, parts=parts)


def _unit_measure(
    options: GammaOptions, continua: Sequence[Continuum], reading: Reading
) -> UnitMeasure:
    from .unit_estimates import UnitMeasure

    dissimilarity = options.dissimilarity_for(
        options.measure, continua, tagset_is_declared=bool(reading.categories)
    )
    settings, wanted = options.settings(options.measure), options.interval == "annotators"
    return UnitMeasure(options.measure, dissimilarity, settings, options, wanted)


def gamma_with_alignments(
    paths: Sequence[Given],
    reading: Reading = DEFAULT_READING,
    options: GammaOptions = DEFAULT_GAMMA,
) -> MeasuredUnits:
    """The same with the documents and their alignments."""
    from ...metrics.chance.corpus import corpus_of_continua
    from ...metrics.units.pairwise_f import require_matching_is_used

    if options.empty_pairs and options.measure != "gamma":
        raise MetricsError(
            f"{option('empty_pairs')} is a variant of γ-cat, which is computed only with "
            f"the measure gamma"
        )
    require_matching_is_used((options.measure,), options, option)
    queue = None if options.queue is None else Path(options.queue)
    units = read_units(paths, reading, queue=queue, trim=options.trim)
    continua, account = units.continua, units.account()
    measure = _unit_measure(options, continua, reading)
    dissimilarity, settings = measure.dissimilarity, measure.settings
    remarks = units.warnings()
    n_unknown = sum(not one.length_given for one in continua)
    if n_unknown:
        drawn = measure.chance_models(corpus_of_continua(continua))
        remarks += warnings_on_unknown_lengths(n_unknown, options.measure, drawn)
    result = None
    costs: tuple[ErrorCost, ...] = ()
    explained: list[Estimate] = []
    if options.measure == "gamma":
        from ...metrics.units.disorder_by_cause import error_costs
        from ...metrics.units.gamma import gamma as gamma_of

        result = gamma_of(continua, dissimilarity, settings)
        costs = error_costs(_disorder_by_cause(continua, result, dissimilarity), result.corpus)
        estimates = _with_gamma_cat(continua, result, dissimilarity, settings, options)
        explained = _found_where_what(continua, result, options)
    else:
        estimates = measure.estimates(continua)
    if result is None:
        estimates = measure.with_wanted_intervals(estimates, continua)
    else:  # γ, then measures on its alignments
        estimates = [
            value
            for one in estimates
            for value in replace(measure, name=one.measure).with_wanted_intervals(
                [one], continua, result.expected
            )
        ]
    if options.replicates and len(continua) > 1:
        from ...metrics.agreement.diagnosis.diagnose import few_documents_with_units

        few = few_documents_with_units(estimates[0])
        remarks += [few.warning("few_documents")] if few else []
    found = ExportResults(
        add_reading_settings(estimates, account.settings),
        account.rows,
        account.rejected,
        remarks,
        costs,
        add_reading_settings(explained, account.settings),
    )
    return MeasuredUnits(found, units, result)


def _disorder_by_cause(
    continua: Sequence[Continuum], result: GammaResult, dissimilarity: Dissimilarity
) -> NDArray[np.float64]:
    from ...metrics.chance.corpus import corpus_of_continua
    from ...metrics.units.disorder_by_cause import disorder_by_cause
    from ...metrics.units.gamma_settings import set_mean_length

    used = set_mean_length(dissimilarity, corpus_of_continua(continua))
    return disorder_by_cause(continua, result.alignments, used)


def _found_where_what(
    continua: Sequence[Continuum], result: GammaResult, options: GammaOptions
) -> list[Estimate]:
    """Return found, where, what from the alignments of γ."""
    from ...metrics.units.found_units import count_found_units, found_estimates, how_found

    names = sorted({name for one in continua for name in one.annotators})
    return found_estimates(
        count_found_units(continua, result.alignments, names),
        options,
        how=how_found(result.corpus),
        new_annotators=options.interval == "annotators",
    )


def _with_gamma_cat(
    continua: Sequence[Continuum],
    result: GammaResult,
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    options: GammaOptions,
) -> list[Estimate]:
    """Return γ, γ-cat on its alignments and, on request, γ-cat with empty pairs."""
    from ...metrics.units.gamma_cat import gamma_cat

    category = gamma_cat(continua, result.alignments, dissimilarity, **options.arguments)
    if not options.empty_pairs:
        return [result.corpus, category.gamma_cat]
    from ...metrics.units.gamma_cat_empty_pairs import empty_pairs_of_gamma

    beside = empty_pairs_of_gamma(continua, result, dissimilarity, settings)
    return [result.corpus, category.gamma_cat, beside]
