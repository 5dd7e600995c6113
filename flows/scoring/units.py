"""Scores of units: five matches, errors by kind, slot error rates, disorder, baselines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from flows.scoring.scores import (
    COREFERENCE,
    DIARIZATION,
    SEGMENTATION,
    Compared,
    Options,
    Scores,
)
from flows.scoring.segments import of_units, score_segments
from flows.scoring.sides import Work
from metrics.errors import MetricsError
from metrics.scoring.baseline import reference_by_itself
from metrics.scoring.category_counts import CategoryCounts
from metrics.scoring.precision_recall import MATCHES, match_all, unit_errors
from metrics.scoring.rates import Rate, precision_recall_f, rate_statistic, rates_by_category
from metrics.scoring.ratio import ratio
from metrics.scoring.slot_error_rate import GROUIN, slot_error_counts, slot_error_rate
from metrics.scoring.units import Units

_NOT_OF_MATCHES = {*SEGMENTATION, *DIARIZATION, *COREFERENCE}  # speakers' names need not match
_RATES: tuple[Rate, ...] = ("precision", "recall", "f")


def score_units(gold: Work, systems: Mapping[str, Work], options: Options, result: Scores) -> None:
    """Add the scores of every system's units."""
    sides = [gold, *systems.values()]
    tagset = options.tagset_of({unit[3] for work in sides for unit in work.units} - {""})
    homes = {document: d for d, document in enumerate(gold.documents)}
    n = len(homes)
    reference = units_of(gold, homes, tagset)
    prevalences: CategoryCounts | None = None
    for name, work in systems.items():
        system = units_of(work, homes, tagset)
        counts = match_all(reference, system, tagset=tagset, n_documents=n)
        prevalences = counts["exact"]
        for match in MATCHES:
            _rates(name, match, counts[match], options, result)
        if not options.measures or not {*options.measures} <= _NOT_OF_MATCHES:
            _errors(name, reference, system, n, options, result)
        if options.wants("observed_disorder"):
            _disorder(name, reference, system, tagset, n, options, result)
        if set(DIARIZATION) & set(options.measures) or (not options.measures and _speech(gold)):
            _diarization(name, reference, system, n, options, result)
        if set(COREFERENCE) & set(options.measures):
            _coreference(name, gold, work, homes, options, result)
    if prevalences is not None:
        baseline = reference_by_itself(prevalences.reference, **options.sampling())
        result.add(options, "", baseline)
    score_segments(partial(of_units, gold), systems, options, result)


def units_of(work: Work, homes: Mapping[str, int], tagset: tuple[str, ...]) -> Units:
    code = {category: k for k, category in enumerate(tagset)} | {"": -1}
    rows = [(homes[d], start, end, code[c]) for d, start, end, c in work.units if d in homes]
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return Units(table[:, 0], table[:, 1], table[:, 2], table[:, 3])


def _speech(gold: Work) -> bool:
    return gold.offset_unit == "ms" and gold.source.endswith(".rttm")


def _rates(name: str, match: str, counts: CategoryCounts, options: Options, result: Scores) -> None:
    micro = precision_recall_f(counts, **options.sampling())
    macro = precision_recall_f(counts, average="macro", **options.sampling())
    for prefix, rates in ((match, micro), (f"{match}_macro", macro)):
        for rate in _RATES:
            estimate = replace(getattr(rates, rate), measure=f"{prefix}_{rate}")
            result.add(options, name, estimate)
    for category, rates in rates_by_category(counts, **options.sampling()).items():
        for rate in _RATES:
            estimate = replace(getattr(rates, rate), measure=f"{match}_{rate}")
            result.add(options, name, estimate, category)
    measure = f"{match}_f"
    if (options.measures and options.wants(measure)) or match == "exact":
        statistic = rate_statistic("f", tagset=counts.tagset)
        one = Compared(counts.stacked(pooled=True), statistic)
        result.compared.setdefault(measure, {})[name] = one


def _errors(
    name: str, reference: Units, system: Units, n: int, options: Options, result: Scores
) -> None:
    errors = unit_errors(reference, system, n_documents=n)
    result.errors[name] = {kind: int(counts.sum()) for kind, counts in errors.items()}
    result.add(options, name, slot_error_rate(errors, **options.sampling()))
    weighted = slot_error_rate(errors, weights=GROUIN, **options.sampling())
    result.add(options, name, replace(weighted, measure="weighted_slot_error_rate"))
    if "slot_error_rate" in options.measures:
        one = Compared(slot_error_counts(errors), ratio)
        result.compared.setdefault("slot_error_rate", {})[name] = one


def _disorder(
    name: str,
    reference: Units,
    system: Units,
    tagset: tuple[str, ...],
    n: int,
    options: Options,
    result: Scores,
) -> None:
    """The campaign's default dissimilarity; `accordeur run` takes the declared distances."""
    from metrics.alignment.dissimilarity import Dissimilarity
    from metrics.scoring.disorder import observed_disorder
    from metrics.unitizing.settings import describe
    from tasks.validity.unit_pairs import alignments_of_two

    measure = Dissimilarity()
    estimate = observed_disorder(
        alignments_of_two(reference, system, n, tagset, measure),
        dissimilarity=describe(measure),
        **options.sampling(),
    )
    result.add(options, name, estimate)


def _diarization(
    name: str, reference: Units, system: Units, n: int, options: Options, result: Scores
) -> None:
    from metrics.scoring.diarization import (
        diarization_error_rate,
        diarization_errors,
        diarization_times,
    )

    counted = {"collar": options.collar, "overlaps": not options.skip_overlap}
    times = diarization_times(reference, system, n_documents=n, **counted)  # type: ignore[arg-type]  # of two kinds
    asked = {**counted, **options.sampling()}
    estimate = replace(diarization_error_rate(times, **asked), measure="der")
    result.add(options, name, estimate)
    for error, part in diarization_errors(times, **asked).items():
        result.add(options, name, replace(part, measure=f"der_{error}"))
    counts = np.stack([times[:, 1:4].sum(axis=1), times[:, 4]], axis=1)
    result.compared.setdefault("der", {})[name] = Compared(counts, ratio)


def _coreference(
    name: str,
    gold: Work,
    work: Work,
    homes: Mapping[str, int],
    options: Options,
    result: Scores,
) -> None:
    from metrics.scoring.coreference import (
        coreference_counts,
        coreference_score,
        coreference_statistic,
    )

    sides = [_chains(gold), _chains(work)]
    if not sides[0]:
        raise MetricsError(
            f"{gold.source}: no relation joins two units of {gold.name!r}: coreference needs chains"
        )
    mentions = sorted(set(sides[0]) | set(sides[1]))
    counts = coreference_counts(
        [sides[0].get(mention, -1) for mention in mentions],
        [sides[1].get(mention, -1) for mention in mentions],
        documents=[homes[document] for document, _, _ in mentions],
        n_documents=len(homes),
    )
    for metric in COREFERENCE:
        if metric in options.measures:
            estimate = coreference_score(counts, metric=metric, **options.sampling())  # type: ignore[arg-type]  # COREFERENCE lists them
            result.add(options, name, estimate)
            one = Compared(counts, partial(coreference_statistic, metric=metric))  # type: ignore[arg-type]  # as above
            result.compared.setdefault(metric, {})[name] = one


def _chains(work: Work) -> dict[tuple[str, int, int], int]:
    """(document, start, end) of each linked unit → its chain: what links join is one chain."""
    parent: dict[tuple[str, str], tuple[str, str]] = {}

    def root(unit: tuple[str, str]) -> tuple[str, str]:
        while parent.setdefault(unit, unit) != unit:
            parent[unit] = parent[parent[unit]]
            unit = parent[unit]
        return unit

    for document, first, second in work.links:
        if (document, first) in work.bounds and (document, second) in work.bounds:
            parent[root((document, first))] = root((document, second))
    numbers: dict[tuple[str, str], int] = {}
    return {
        (unit[0], *work.bounds[unit]): numbers.setdefault(root(unit), len(numbers))
        for unit in list(parent)
    }
