"""`accordeur gamma --against`: compare two annotations of the same documents, or two campaigns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ...data.errors import DataError
from ...data.option_names import format_options, option
from ...data.readers.tables.given import Given
from ...metrics.agreement.label_matrix import sort_categories
from ...metrics.coded_warning import CodedWarning
from ...metrics.errors import MetricsError
from ...metrics.measures import GAMMAS, PAIRWISE_F
from ...metrics.signature import How, IntervalMethod
from ..agreement.agreement_differences import (
    Differences,
    rejected_by_side,
    require_fixed_annotators,
    warnings_on_comparison,
)
from ..inputs.measure_difference import MeasureDifference
from ..inputs.reading_options import Reading
from ..inputs.unit_options import GammaOptions
from .gamma_of_exports import DEFAULT_GAMMA
from .units_of_exports import DEFAULT_READING, ExportUnits, read_units

if TYPE_CHECKING:
    from ...metrics.alignment.continuum import Continuum
    from ...metrics.alignment.dissimilarity import Dissimilarity
    from ...metrics.differences import Difference
    from ...metrics.estimate import Estimate
    from ...metrics.units.gamma import GammaResult


def gamma_against(
    first: Sequence[Given],
    second: Sequence[Given],
    reading: Reading = DEFAULT_READING,
    options: GammaOptions = DEFAULT_GAMMA,
    *,
    independent: bool = False,
) -> Differences:
    """Compute the measure (and γ-cat with γ) of both sides, and the differences.

    With γ, each side has its own expected disorder. By default, documents are paired by name if two
    or more annotators annotated them on both sides, as for two versions of a guideline or two
    teams. With `independent`, the two campaigns share nothing. Raises DataError and MetricsError.
    """
    from ...metrics.units.pairwise_f import require_matching_is_used

    known = (*GAMMAS.values(), *PAIRWISE_F)
    if options.measure not in known:
        raise MetricsError(
            f"a comparison is for {', '.join(known)}, not {options.measure}: choose "
            f"one with {option('measure')} (gamma includes gamma_cat)"
        )
    require_matching_is_used((options.measure,), options, option)
    if not options.replicates:
        raise MetricsError(
            f"a comparison tests by resampling: give {option('replicates', '1')} or more"
        )
    require_fixed_annotators(options)
    sides = [read_units(paths, reading, trim=options.trim) for paths in (first, second)]
    read = [side.settings for side in sides]
    if read[0] != read[1]:
        options_read = [", ".join(f"{key} {value}" for key, value in one.items()) for one in read]
        raise DataError(
            f"the first exports were read with {options_read[0] or 'the defaults'}, the second "
            f"with {options_read[1] or 'the defaults'}: name the feature for both with "
            f"{format_options(category='FEATURE')}"
        )
    remarks = [remark for side in sides for remark in side.warnings()]
    remarks = [one for i, one in enumerate(remarks) if one not in remarks[:i]]
    common = None if independent else _documents_compared_on_both_sides(*sides)
    accounts = [side.account(common) for side in sides]
    n_left_out = 0
    if common is not None:
        n_left_out = len({*sides[0].names, *sides[1].names} - {*common})
    both = _on_one_tagset([side.continua_of(common) for side in sides])
    comparison = _Comparison(both, options, n_left_out, paired=not independent)
    if options.measure in PAIRWISE_F:
        compared = [comparison.of_pairwise_f()]
    else:
        compared = comparison.of_gammas(remarks, declared=bool(reading.categories))
    return Differences(
        [replace(one, how=one.how.add_settings(**read[0])) for one in compared],
        (accounts[0].rows, accounts[1].rows),
        rejected_by_side(first, second, [account.rejected for account in accounts]),
        [*warnings_on_comparison(compared), *remarks],
    )


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Two annotations that are compared.

    both        their documents, on one tagset
    n_left_out  documents on one side only, of a paired comparison
    """

    both: Sequence[Sequence[Continuum]]
    options: GammaOptions
    n_left_out: int
    paired: bool

    def of_gammas(self, remarks: list[CodedWarning], *, declared: bool) -> list[MeasureDifference]:
        """Return the difference of the measure, and that of γ-cat with γ; `remarks` grow."""
        from ...metrics.chance.corpus import corpus_of_continua
        from ...metrics.units.gamma import gamma

        measure, settings = self.options.measure, self.options.settings(self.options.measure)
        dissimilarities = [
            self.options.dissimilarity_for(measure, own, tagset_is_declared=declared)
            for own in self.both
        ]
        results = [
            gamma(own, dissimilarity, settings)
            for own, dissimilarity in zip(self.both, dissimilarities, strict=True)
        ]
        corpora = [corpus_of_continua(own, measure="γ") for own in self.both]
        processes = [settings.processes_for(corpus) for corpus in corpora]
        if processes[0] != processes[1]:
            first, second = (", ".join(names) for names in processes)
            remarks.append(CodedWarning("other_chance", {"first": first, "second": second}))
        compared = [self._of_gamma(*results)]
        if measure == "gamma":
            compared.append(self._of_gamma_cat(results, dissimilarities))
        return compared

    def of_pairwise_f(self) -> MeasureDifference:
        from ...metrics.units.difference import pairwise_f_difference
        from ...metrics.units.pairwise_f import f_of_counts, pairwise_counts

        counts = [pairwise_counts(own, self.options.measure, self.options) for own in self.both]
        one, two = map(f_of_counts, counts)
        difference = pairwise_f_difference(*counts, paired=self.paired, **self.options.arguments)
        return self._compared(one, two, difference)

    def _of_gamma(self, one: GammaResult, two: GammaResult) -> MeasureDifference:
        from ...metrics.units.difference import gamma_difference

        difference = gamma_difference(
            one.observed,
            one.expected,
            two.observed,
            two.expected,
            influences=(one.influences, two.influences),
            paired=self.paired,
            **self.options.arguments,
        )
        return self._compared(one.corpus, two.corpus, difference)

    def _of_gamma_cat(
        self, results: Sequence[GammaResult], dissimilarities: Sequence[Dissimilarity]
    ) -> MeasureDifference:
        from ...metrics.units.difference import gamma_cat_difference
        from ...metrics.units.gamma_cat import gamma_cat

        one, two = (
            gamma_cat(own, result.alignments, metric, n_replicates=0, seed=self.options.seed)
            for own, result, metric in zip(self.both, results, dissimilarities, strict=True)
        )
        difference = gamma_cat_difference(
            one.counts,
            two.counts,
            (dissimilarities[0], dissimilarities[1]),
            paired=self.paired,
            **self.options.arguments,
        )
        return self._compared(one.gamma_cat, two.gamma_cat, difference)

    def _compared(self, one: Estimate, two: Estimate, difference: Difference) -> MeasureDifference:
        return MeasureDifference(
            one.measure,
            one.value,
            two.value,
            difference,
            (one.n_items, two.n_items),
            self.n_left_out,
            _how_compared((one.how, two.how), difference, self.options),
            _n_documents(self.both),
        )


def _how_compared(both: tuple[How, How], difference: Difference, options: GammaOptions) -> How:
    """Return how the difference was computed: as the first value, on both inputs."""
    first, second = both
    return replace(first, input=None).for_measure(
        f"difference of {first.measure}",
        interval=IntervalMethod(difference.method, difference.over, difference.level),
        replicates=options.replicates,
        **{
            name: "/".join(dict.fromkeys(str(getattr(one, name)) for one in both))
            for name in ("processes", "chosen", "samples")
            if getattr(first, name) is not None
        },
        first=first.input,
        second=second.input,
    )


def _on_one_tagset(both: Sequence[Sequence[Continuum]]) -> list[list[Continuum]]:
    """Give both sides the same tagset, so that a scale has the same range."""
    tagset = sort_categories({name for own in both for name in own[0].tagset})
    if all(own[0].tagset == both[0][0].tagset for own in both):
        return [list(own) for own in both]
    found = []
    for own in both:
        codes = np.array([tagset.index(name) for name in own[0].tagset] + [-1], dtype=np.int32)
        found.append([replace(c, categories=codes[c.categories], tagset=tagset) for c in own])
    return found


def _n_documents(both: Sequence[Sequence[Continuum]]) -> tuple[int, int]:
    """Count the documents with at least two annotators on each side."""
    one, two = (sum(continuum.n_annotators >= 2 for continuum in own) for own in both)
    return one, two


def _documents_compared_on_both_sides(first: ExportUnits, second: ExportUnits) -> list[str]:
    """Return the documents that two annotators annotated on both sides, sorted."""
    compared = [
        {one.document for one in side.documents if one.continuum.n_annotators > 1}
        for side in (first, second)
    ]
    common = sorted(compared[0] & compared[1])
    if not common:
        raise DataError(
            f"{first.shard.where} and {second.shard.where} have no document in common that two "
            f"annotators annotated in both: to compare two campaigns that share nothing, add "
            f"{option('independent')}"
        )
    return common
