"""Warnings about the values of a command that a table of values does not show by itself.

The terminal prints the sentences; with `--json`, `warnings` contains code, sentence and figures.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ...metrics.agreement.formulas.coefficient import AVAILABLE
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.bootstrap import METHOD
from ...metrics.coded_warning import CodedWarning
from ...metrics.estimate import Estimate
from ...metrics.measures import BY_ALIGNMENT, RATINGS, measure_of
from ...metrics.options import Sampling


def warnings_on_estimates(estimates: Sequence[Estimate]) -> list[CodedWarning]:
    if not estimates:
        return []
    found = [*_few_annotators(estimates), *_few_units(estimates[0])]
    found += _unresolved_items_warning(estimates[0])
    causes = {(one.measure, one.detail.interval_reason): one for one in estimates}
    for one in estimates:
        last = causes[one.measure, one.detail.interval_reason]
        found += [*(_monte_carlo_only(one) if one is last else ()), *_greedy_alignment_warning(one)]
    reasons: dict[str, dict[str, None]] = {}
    for one in estimates:
        reason = one.detail.interval_reason
        if reason and not math.isnan(one.value) and not one.detail.monte_carlo_error > 0:
            reasons.setdefault(reason, {})[one.measure] = None
    found += [
        CodedWarning("no_interval", {"measures": ", ".join(measures), "reason": reason})
        for reason, measures in reasons.items()
    ]
    found += [*_moved_bootstrap_warning(estimates), *_without_width(estimates)]
    found += _generalised_intervals(estimates)
    return [*found, *warnings_on_lone_labels(estimates)]


def warnings_on_lone_labels(estimates: Sequence[Estimate]) -> list[CodedWarning]:
    """Say which of the coefficients count labels that are alone on their item, and how."""
    n = max((one.detail.n_unpaired for one in estimates), default=0)
    counting = (one for one in estimates if one.how.missing == AVAILABLE and one.detail.n_unpaired)
    names = ", ".join(dict.fromkeys(one.measure for one in counting))
    return [CodedWarning("lone_labels", {"n": n, "names": names})] if names else []


def warnings_on_coefficients(
    coefficients: Sequence[Estimate],
    wanted: Sequence[str],
    matrix: LabelMatrix,
    sampling: Sampling,
) -> list[CodedWarning]:
    """Warn of one category that has all labels or most, and of documents too few or too short.

    wanted  the requested coefficients; others were added because they are defined
    """
    from ...metrics.agreement.diagnosis.category_findings import (
        prevalence_paradox,
        single_category,
    )
    from ...metrics.agreement.diagnosis.document_findings import few_documents, short_documents
    from ...metrics.agreement.diagnosis.thresholds_and_shares import Thresholds

    alone, prevalent = single_category(matrix), prevalence_paradox(matrix, Thresholds())
    found = [alone.warning("single_category", advice=True)] if alone else []
    found += [prevalent.warning("prevalence")] if prevalent and not alone else []
    found += [
        CodedWarning("added_for_one_category", {"measure": one.measure})
        for one in coefficients
        if one.measure not in wanted
    ]
    few = few_documents(matrix, Thresholds()) if sampling.gives_intervals else None
    found += [few.warning("few_documents")] if few else []
    has_bootstrap = sampling.gives_intervals and sampling.interval == "bootstrap"
    short = short_documents(matrix, Thresholds()) if has_bootstrap else None
    return found + ([short.warning("short_documents")] if short else [])


def _generalised_intervals(estimates: Sequence[Estimate]) -> Iterable[CodedWarning]:
    """Explain why one missing rating widens the interval of an ICC."""
    names = [
        one.measure
        for one in estimates
        if one.measure in RATINGS
        and one.how.missing == "reml"
        and one.how.interval is not None
        and one.how.interval.method == "generalised"
    ]
    if names:
        yield CodedWarning("generalised_intervals", {"measures": ", ".join(names)})


def _few_annotators(estimates: Sequence[Estimate]) -> Iterable[CodedWarning]:
    """Warn of the first interval for new annotators that too few of them support."""
    widened = [one for one in estimates if one.is_for_new_annotators]
    if widened:
        from ...metrics.agreement.annotator_sample import few_annotators_finding

        for few in [*filter(None, map(few_annotators_finding, widened))][:1]:
            yield few.warning("few_for_new_annotators", advice=True)


def _few_units(one: Estimate) -> Iterable[CodedWarning]:
    if one.measure in BY_ALIGNMENT:
        from ...metrics.units.breakdown import FEWEST_UNITS

        if 0 < one.n_items < FEWEST_UNITS:
            figures = {"n_units": one.n_items, "fewest": FEWEST_UNITS}
            yield CodedWarning("few_units", figures, ("finding.few_units.text",))


def _unresolved_items_warning(one: Estimate) -> Iterable[CodedWarning]:
    if n := one.detail.n_unresolved:
        yield CodedWarning("unresolved_items", {"n_items": n})


def _monte_carlo_only(one: Estimate) -> Iterable[CodedWarning]:
    error = one.detail.monte_carlo_error
    if error > 0 and not math.isnan(one.value):
        reason = one.detail.interval_reason or ""
        yield CodedWarning(
            "monte_carlo_only",
            {"measure": one.measure, "monte_carlo_error": error, "reason": reason},
        )


def _greedy_alignment_warning(one: Estimate) -> Iterable[CodedWarning]:
    if one.measure == "holistic_greedy":
        of = one.detail
        figures = {
            "n_documents_not_ideal": of.n_documents_not_ideal,
            "largest_excess_of_disorder": of.largest_excess_of_disorder,
            "difference_from_exact": of.difference_from_exact,
        }
        yield CodedWarning("greedy_alignment", figures)


def _moved_bootstrap_warning(estimates: Sequence[Estimate]) -> Iterable[CodedWarning]:
    """Warn of coefficients on labels whose bootstrap replicates are all on one side of the value.

    Their interval ends at the value.
    """
    outside = [
        one.measure
        for one in estimates
        if one.how.interval is not None
        and one.how.interval.method == METHOD
        and one.detail.interval_reason == ""
        and one.value in one.interval
        and one.value < measure_of(one.measure).maximum
        and one.interval[0] < one.interval[1]
    ]
    if outside:
        yield CodedWarning("interval_outside_value", {"measures": ", ".join(outside)})


def _without_width(estimates: Sequence[Estimate]) -> Iterable[CodedWarning]:
    flat = [one.measure for one in estimates if one.interval[0] == one.interval[1]]
    if flat:
        yield CodedWarning("interval_without_width", {"measures": ", ".join(flat)})
