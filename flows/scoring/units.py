"""Scores of units: those of a run, and of segmentations, speech and coreference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ...metrics.errors import MetricsError
from ...metrics.measures import COREFERENCE, DIARIZATION, STRUCTURES
from ...metrics.scoring.ratio import ratio
from ...metrics.scoring.units import Units
from ...tasks.validity.evaluation import Compared
from .scores import Options, Scores
from .segments import of_units, score_segments
from .sides import Work


def score_units(gold: Work, systems: Mapping[str, Work], options: Options, result: Scores) -> None:
    """Add the scores of every system's units."""
    from ...tasks.validity.unit_evaluation import units_in

    sides = [gold, *systems.values()]
    tagset = options.tagset_of({unit[3] for work in sides for unit in work.units} - {""})
    if not options.measures or not {*options.measures} <= {*STRUCTURES}:  # names may differ
        _evaluate(gold, systems, tagset, options, result)
    is_asked = set(options.measures).intersection
    for name, work in systems.items():
        here = gold.without(work.not_scored(gold))
        names = sorted(here.documents)
        if is_asked(DIARIZATION) or (not options.measures and _speech(gold)):
            reference, system = (units_in(one.unit_rows(tagset), names) for one in (here, work))
            _diarization(name, reference, system, len(names), options, result)
        if is_asked(COREFERENCE):
            _coreference(name, here, work, names, options, result)
    score_segments(of_units, gold, systems, options, result)


def _evaluate(
    gold: Work,
    systems: Mapping[str, Work],
    tagset: tuple[str, ...],
    options: Options,
    result: Scores,
) -> None:
    """What a run computes, by the campaign's default dissimilarity."""
    from ...metrics.alignment.dissimilarity import Dissimilarity
    from ...tasks.validity.unit_evaluation import MAIN, evaluate_units

    found = evaluate_units(
        gold.unit_rows(tagset),
        {name: work.unit_rows(tagset) for name, work in systems.items()},
        {name: work.presence() for name, work in systems.items()},
        tagset=tagset,
        dissimilarity=Dissimilarity(),
        settings=options.settings(),
        wanted=options.wanted(MAIN),
    )
    result.take(options, found)


def _speech(gold: Work) -> bool:
    return gold.offset_unit == "ms" and gold.source.endswith(".rttm")


def _diarization(
    name: str, reference: Units, system: Units, n: int, options: Options, result: Scores
) -> None:
    from ...metrics.scoring.diarization import (
        diarization_error_rate,
        diarization_errors,
        diarization_times,
    )

    counted = {"collar": options.collar, "overlaps": not options.skip_overlap}
    times = diarization_times(reference, system, n_documents=n, **counted)  # type: ignore[arg-type]  # of two kinds
    asked = {**counted, **options.sampling()}
    estimate = replace(diarization_error_rate(times, **asked), measure=DIARIZATION[0])
    result.add(options, name, estimate)
    for error, part in diarization_errors(times, **asked).items():
        result.add(options, name, replace(part, measure=f"der_{error}"))
    counts = np.stack([times[:, 1:4].sum(axis=1), times[:, 4]], axis=1)
    result.compared.setdefault("der", {})[name] = Compared(counts, ratio)


def _coreference(
    name: str,
    gold: Work,
    work: Work,
    names: Sequence[str],
    options: Options,
    result: Scores,
) -> None:
    from ...metrics.scoring.coreference import (
        coreference_counts,
        coreference_score,
        coreference_statistic,
    )

    sides = [_chains(gold), _chains(work)]
    if not sides[0]:
        raise MetricsError(
            f"{gold.source}: no relation joins two units of {gold.name!r}: coreference needs chains"
        )
    mentions = [one for one in sorted({*sides[0], *sides[1]}) if one[0] in gold.documents]
    home = {document: d for d, document in enumerate(names)}
    counts = coreference_counts(
        [sides[0].get(mention, -1) for mention in mentions],
        [sides[1].get(mention, -1) for mention in mentions],
        documents=[home[document] for document, _, _ in mentions],
        n_documents=len(names),
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
