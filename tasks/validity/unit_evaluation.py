"""Units of systems against a reference: matches, errors, slot error rates, disorder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...metrics.estimate import Estimate
from ...metrics.measure import MATCHES, Match
from ...metrics.scoring.baseline import reference_by_itself
from ...metrics.scoring.category_counts import CategoryCounts
from ...metrics.scoring.precision_recall import match_all, unit_errors
from ...metrics.scoring.rates import Rate, precision_recall_f, rate_statistic, rates_by_category
from ...metrics.scoring.ratio import ratio
from ...metrics.scoring.slot_error_rate import GROUIN, slot_error_counts, slot_error_rate
from ...metrics.scoring.units import Units
from .evaluation import (
    Compared,
    Evaluation,
    Presence,
    ScoredDocuments,
    ScoringSettings,
    SystemResult,
    Wanted,
    excluded_documents,
)

if TYPE_CHECKING:
    from ...metrics.alignment.dissimilarity import Dissimilarity

UnitRows = NDArray[np.int64]  # (U, 3): start, end, category (-1: without one)

_RATES: tuple[Rate, ...] = ("precision", "recall", "f")
_NOTHING = np.empty((0, 3), np.int64)
MAIN = "exact_f"


def evaluate_units(
    reference: Mapping[str, UnitRows],
    systems: Mapping[str, Mapping[str, UnitRows]],
    presence: Mapping[str, Presence],
    *,
    tagset: tuple[str, ...],
    dissimilarity: Dissimilarity | None,
    settings: ScoringSettings,
    wanted: Wanted,
) -> Evaluation:
    """Every system's units in the documents of the reference.

    reference, systems  document → rows
    dissimilarity       of the observed disorder; None: that is not computed
    """
    names = sorted(reference)
    found = Evaluation()
    shared = set(names)
    assigned: dict[str, list[str]] = {}
    for system in systems:
        excluded = excluded_documents(names, presence[system])
        assigned[system] = [name for name in names if name not in excluded]
        shared -= excluded
    for system, rows in systems.items():
        result = SystemResult(system, ScoredDocuments.of(names, presence[system]))
        found.systems.append(result)
        if not assigned[system]:
            continue
        gold, given = units_in(reference, assigned[system]), units_in(rows, assigned[system])
        n = len(assigned[system])
        counts = match_all(gold, given, tagset=tagset, n_documents=n)
        for match in MATCHES:
            _rates(match, counts[match], result, settings, wanted)
        errors = unit_errors(gold, given, n_documents=n)
        result.errors = {kind: int(of_kind.sum()) for kind, of_kind in errors.items()}
        weighted = slot_error_rate(errors, weights=GROUIN, **settings.sampling())
        more = [
            slot_error_rate(errors, **settings.sampling()),
            replace(weighted, measure="weighted_slot_error_rate"),
        ]
        if dissimilarity is not None and wanted.values("observed_disorder", ""):
            more.append(_disorder(gold, given, n, tagset, dissimilarity, settings))
        result.values += [one for one in more if wanted.values(one.measure, "")]
    if shared:
        found.compared = _compared(reference, systems, sorted(shared), tagset, wanted)
    units = units_in(reference, names)
    whole = match_all(units, units, tagset=tagset, matches=["exact"], n_documents=len(names))
    if wanted.values("reference_by_itself", ""):
        found.baselines = [reference_by_itself(whole["exact"].reference, **settings.sampling())]
    return found


def units_in(rows: Mapping[str, UnitRows], documents: Sequence[str]) -> Units:
    """The units of these documents, sorted, so that nothing depends on the order of an export."""
    if not documents:
        return Units.empty()
    found = [rows.get(name, _NOTHING) for name in documents]
    found = [one[np.lexsort((one[:, 2], one[:, 1], one[:, 0]))] for one in found]
    joined = np.concatenate(found)
    index = np.repeat(np.arange(len(found)), [len(one) for one in found])
    return Units(index, joined[:, 0], joined[:, 1], joined[:, 2])


def _rates(
    match: Match,
    counts: CategoryCounts,
    result: SystemResult,
    settings: ScoringSettings,
    wanted: Wanted,
) -> None:
    sampling = settings.sampling()
    for prefix, average in ((match, "micro"), (f"{match}_macro", "macro")):
        names = {rate: f"{prefix}_{rate}" for rate in _RATES}
        if any(wanted.values(name, "") for name in names.values()):
            rates = precision_recall_f(counts, average=average, **sampling)  # type: ignore[arg-type]  # one of two
            result.values += [
                replace(getattr(rates, rate), measure=name)
                for rate, name in names.items()
                if wanted.values(name, "")
            ]
    names = {rate: f"{match}_{rate}" for rate in _RATES}
    chosen = {
        category: [rate for rate, name in names.items() if wanted.values(name, category)]
        for category in counts.tagset
    }
    if not any(chosen.values()):
        return
    for category, rates in rates_by_category(counts, **sampling).items():
        result.by_category.setdefault(category, []).extend(
            replace(getattr(rates, rate), measure=names[rate]) for rate in chosen[category]
        )


def _disorder(
    reference: Units,
    system: Units,
    n_documents: int,
    tagset: Sequence[str],
    dissimilarity: Dissimilarity,
    settings: ScoringSettings,
) -> Estimate:
    """Disorder of the best alignment of reference and system."""
    from ...metrics.scoring.disorder import observed_disorder
    from ...metrics.unitizing.settings import describe
    from .unit_pairs import alignments_of_two

    return observed_disorder(
        alignments_of_two(reference, system, n_documents, tagset, dissimilarity),
        dissimilarity=describe(dissimilarity),
        **settings.sampling(),
    )


def _compared(
    reference: Mapping[str, UnitRows],
    systems: Mapping[str, Mapping[str, UnitRows]],
    documents: Sequence[str],
    tagset: tuple[str, ...],
    wanted: Wanted,
) -> dict[str, dict[str, Compared]]:
    """The counts of all systems on the documents that were assigned to all of them."""
    found: dict[str, dict[str, Compared]] = {}
    gold, n = units_in(reference, documents), len(documents)
    matches = [match for match in MATCHES if wanted.compared(f"{match}_f")]
    for system, rows in systems.items():
        given = units_in(rows, documents)
        counts = match_all(gold, given, tagset=tagset, matches=matches, n_documents=n)
        for match, of_match in counts.items():
            statistic = rate_statistic("f", tagset=of_match.tagset)
            one = Compared(of_match.stacked(pooled=True), statistic)
            found.setdefault(f"{match}_f", {})[system] = one
        if wanted.compared("slot_error_rate"):
            errors = unit_errors(gold, given, n_documents=n)
            one = Compared(slot_error_counts(errors), ratio)
            found.setdefault("slot_error_rate", {})[system] = one
    return found
