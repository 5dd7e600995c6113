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
from ...metrics.pair_names import pair_name
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
    from .unit_estimates import f_by_part

    whole = gamma_with_alignments(paths, reading, options)
    new_annotators = options.interval == "annotators"
    if options.measure == "gamma":
        dissimilarity = options.dissimilarity_for(
            "gamma", whole.units.continua, tagset_is_declared=bool(reading.categories)
        )
        settings = options.settings("gamma")
        parts = _parts(by, whole.units.continua, dissimilarity, settings, new_annotators)
    else:
        settings = options.settings(options.measure)
        parts = f_by_part(
            by,
            options.measure,
            whole.units.continua,
            settings,
            options,
            new_annotators=new_annotators,
        )
    return replace(whole.found, by=by, parts=parts)


def _parts(
    by: PartKind,
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
    new_annotators: bool,
) -> list[tuple[str, Estimate]]:
    """Compute γ of each category's units, of each pair, or of the others without an annotator."""
    from ...metrics.units.breakdown import (
        gamma_by_category,
        gamma_by_pair,
        gamma_without_each,
    )

    if by is PartKind.pair:
        pairs = gamma_by_pair(
            continua, dissimilarity, settings=settings, new_annotators=new_annotators
        )
        return [(pair_name(a, b), value) for (a, b), value in pairs.items()]
    of_each = gamma_by_category if by is PartKind.category else gamma_without_each
    found = of_each(continua, dissimilarity, settings=settings, new_annotators=new_annotators)
    return list(found.items())


def gamma_with_alignments(
    paths: Sequence[Given],
    reading: Reading = DEFAULT_READING,
    options: GammaOptions = DEFAULT_GAMMA,
) -> MeasuredUnits:
    """The same with the documents and their alignments."""
    from ...metrics.chance.corpus import corpus_of_continua
    from ...metrics.units.pairwise_f import require_matching_is_used
    from .unit_estimates import chance_models, unit_estimates, with_annotator_intervals

    if options.empty_pairs and options.measure != "gamma":
        raise MetricsError(
            f"{option('empty_pairs')} is a variant of γ-cat, which is computed only with "
            f"the measure gamma"
        )
    require_matching_is_used((options.measure,), options, option)
    settings = options.settings(options.measure)
    queue = None if options.queue is None else Path(options.queue)
    units = read_units(paths, reading, queue=queue, trim=options.trim)
    continua, account = units.continua, units.account()
    dissimilarity = options.dissimilarity_for(
        options.measure, continua, tagset_is_declared=bool(reading.categories)
    )
    remarks = units.warnings()
    n_unknown = sum(not one.length_given for one in continua)
    if n_unknown:
        drawn = chance_models(options.measure, corpus_of_continua(continua), settings)
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
        estimates = unit_estimates(options.measure, continua, dissimilarity, settings, options)
    if options.interval == "annotators":
        expected = None if result is None else result.expected
        own = (continua, dissimilarity, settings, expected, options)
        groups = [(options.measure, estimates)]
        if result is not None:  # γ, then measures on its alignments
            groups = [(one.measure, [one]) for one in estimates]
        estimates = [
            one for name, some in groups for one in with_annotator_intervals(some, name, *own)
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
