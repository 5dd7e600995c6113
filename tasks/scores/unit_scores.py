"""Scores of units against a reference: matches, errors, slot error rates, disorder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...metrics.estimate import Estimate
from ...metrics.estimate_detail import Detail
from ...metrics.measure import MATCHES
from ...metrics.options import Sampling
from ...metrics.results import ReferenceCoverage
from ...metrics.scores.baseline import chance_of_reference
from ...metrics.scores.precision_recall_f import rate_statistic
from ...metrics.scores.slot_error_rate import (
    ERROR_RATE,
    GROUIN,
    slot_error_counts,
    slot_error_rate,
)
from ...metrics.scores.unit_match_counts import (
    are_on_open_places,
    count_unit_errors,
    match_units_by_each,
)
from ...metrics.unit_rows import NO_UNITS, UnitRows, Units
from ..options import MeasureSelection
from .evaluation import Evaluation, Presence

if TYPE_CHECKING:  # the import compiles kernels, which are needed only for disorders
    from ...metrics.alignment.best_alignment import Alignment
    from ...metrics.alignment.dissimilarity import Dissimilarity

OpenPlaces = NDArray[np.int64]  # (P, 3): number of the place, start and end of a unit there

_NO_PLACES = np.empty((0, 3), np.int64)
MAIN = "exact_f"


@dataclass(frozen=True, slots=True)
class UnitSides:
    """Rows of units by document, for the reference and for each system.

    open_places  places that the reference leaves undecided, by document
    documents    all documents that anybody annotated
    """

    reference: Mapping[str, UnitRows]
    systems: Mapping[str, Mapping[str, UnitRows]]
    presence: Mapping[str, Presence]
    tagset: tuple[str, ...]
    open_places: Mapping[str, OpenPlaces] = field(default_factory=dict)
    documents: frozenset[str] = frozenset()

    def coverage(self) -> ReferenceCoverage:
        places = (self.open_places.get(name, _NO_PLACES)[:, 0] for name in self.reference)
        n_open = sum(np.unique(one).size for one in places)
        return ReferenceCoverage(
            len(self.reference), len(self.documents | self.reference.keys()), n_open
        )

    def decided(self, rows: Mapping[str, UnitRows]) -> dict[str, UnitRows]:
        """Return the units (system or human, by document) without those on open places."""
        found = dict(rows)
        for name in self.open_places.keys() & rows.keys() & self.reference.keys():
            on_open = are_on_open_places(
                rows[name][:, :2], self.reference[name][:, :2], self.open_places[name][:, 1:]
            )
            found[name] = rows[name][~on_open]
        return found

    def not_assigned(self, system: str) -> set[str]:
        """Documents that the system lacks and was not assigned."""
        one = self.presence[system]
        return set(one.not_assigned - one.present)


def score_units(
    sides: UnitSides,
    sampling: Sampling,
    wanted: MeasureSelection,
    *,
    dissimilarity: Dissimilarity | None,
) -> Evaluation:
    """Score every system's units in the documents of the reference.

    Units on places that the reference leaves open are not scored, and counted as `on_open_places`.

    dissimilarity  for the observed disorder; None: not computed
    """
    names = sorted(sides.reference)
    found = Evaluation.unscored(names, {system: sides.presence[system] for system in sides.systems})
    found.coverage = sides.coverage()
    decided = {system: sides.decided(rows) for system, rows in sides.systems.items()}
    n_open = {
        system: sum(len(rows) - len(decided[system][name]) for name, rows in of_system.items())
        for system, of_system in sides.systems.items()
    }
    sides = replace(sides, systems=decided)
    shared = names
    for system, result in found.systems.items():
        excluded = sides.presence[system].excluded(names)
        assigned = [name for name in names if name not in excluded]
        shared = [name for name in shared if name not in excluded]
        if not assigned:
            continue
        n = len(assigned)
        gold, given = (
            units_of_documents(rows, assigned) for rows in (sides.reference, sides.systems[system])
        )
        for match, counts in match_units_by_each(
            gold, given, tagset=sides.tagset, n_documents=n
        ).items():
            result.add_rates(counts, sampling, wanted, prefix=f"{match}_")
        errors = count_unit_errors(gold, given, n_documents=n)
        result.errors = {kind: int(of_kind.sum()) for kind, of_kind in errors.items()}
        rows = [np.unique(np.column_stack(astuple(one)), axis=0) for one in (gold, given)]
        is_whole = sides.reference.keys() == sides.systems[system].keys()
        n_wrong = int(not np.array_equal(rows[0], rows[1]))
        found.warn_if_same(system, n_wrong, len(rows[0]), is_whole=is_whole)
        if sides.open_places:
            result.errors["on_open_places"] = n_open[system]
        weighted = slot_error_rate(errors, weights=GROUIN, sampling=sampling)
        more = [
            slot_error_rate(errors, sampling=sampling),
            replace(weighted, measure="weighted_slot_error_rate"),
        ]
        if dissimilarity is not None and wanted.values("observed_disorder", ""):
            more.append(_disorder(gold, given, n, sides.tagset, dissimilarity, sampling))
        result.add(more, wanted)
    if shared:
        _add_comparisons(sides, shared, found, wanted)
    if wanted.values("reference_by_itself", ""):
        units = units_of_documents(sides.reference, names)
        whole = match_units_by_each(
            units, units, tagset=sides.tagset, matches=["exact"], n_documents=len(names)
        )
        found.baselines = [chance_of_reference(whole["exact"].reference, sampling=sampling)]
    return found


def warn_of_copies(
    found: Evaluation, sides: UnitSides, humans: Mapping[str, Mapping[str, UnitRows]]
) -> None:
    """Compare the systems with the reference in its units that no human has."""
    alone: dict[str, set[tuple[int, ...]]] = {}
    for name, rows in sides.reference.items():
        given = [own[name] for own in humans.values() if name in own]
        if len(given) > 1:
            alone[name] = _as_set(rows).difference(*map(_as_set, given))
    for system, of_system in sides.systems.items():
        own = {name: alone[name] for name in alone.keys() - sides.not_assigned(system)}
        lacking = [one - _as_set(of_system.get(name, NO_UNITS)) for name, one in own.items()]
        found.warn_if_copied(system, sum(map(len, lacking)), sum(map(len, own.values())))


def _as_set(rows: UnitRows) -> set[tuple[int, ...]]:
    return set(map(tuple, rows.tolist()))


def unit_error_of_reference(
    sides: UnitSides, audit: Mapping[str, UnitRows], sampling: Sampling
) -> Estimate:
    """Return the errors of the reference per unit of an audit, in the audited documents.

    audit  right units by document

    Units on places that the reference leaves open are left out (`n_unlabelled` of the detail). The
    value is nan if the reference has none of the audited documents, or the audit no unit in them.
    """
    names = sorted(audit.keys() & sides.reference.keys())
    right, given = (
        units_of_documents(rows, names) for rows in (sides.decided(audit), sides.reference)
    )
    n_open = sum(len(audit[name]) for name in names) - len(right.documents)
    errors = count_unit_errors(right, given, n_documents=len(names))
    found = slot_error_rate(errors, sampling=sampling)
    about = Detail(n_documents=len(names), n_unlabelled=n_open)
    return replace(found, detail=found.detail | about)


def units_of_documents(rows: Mapping[str, UnitRows], documents: Sequence[str]) -> Units:
    """Return the units of these documents, sorted, so that the export order has no effect."""
    if not documents:
        return Units.empty()
    found = [rows.get(name, NO_UNITS) for name in documents]
    found = [one[np.lexsort(one.T[::-1])] for one in found]
    index = np.repeat(np.arange(len(found)), [len(one) for one in found])
    return Units(index, *np.concatenate(found).T)


def align_with_reference(
    reference: Units,
    system: Units,
    n_documents: int,
    tagset: Sequence[str],
    dissimilarity: Dissimilarity,
) -> list[Alignment]:
    """Compute the best alignment of reference and system in each of `n_documents` documents."""
    from ...metrics.alignment.best_alignment import best_alignment
    from ...metrics.alignment.continuum import Continuum

    documents, starts, ends, categories = (
        np.concatenate(pair) for pair in zip(reference.arrays(), system.arrays(), strict=True)
    )
    owners = np.repeat([0, 1], [len(reference), len(system)]).astype(np.int32)
    order = np.argsort(documents, kind="stable")
    bounds = np.searchsorted(documents[order], np.arange(n_documents + 1))
    return [
        best_alignment(
            Continuum(
                starts[chosen].astype(np.float64),
                ends[chosen].astype(np.float64),
                categories[chosen].astype(np.int32),
                owners[chosen],
                ("reference", "system"),
                tuple(tagset),
            ),
            dissimilarity,
        )
        for chosen in (order[first:last] for first, last in pairwise(bounds.tolist()))
    ]


def _disorder(
    reference: Units,
    system: Units,
    n_documents: int,
    tagset: Sequence[str],
    dissimilarity: Dissimilarity,
    sampling: Sampling,
) -> Estimate:
    """Compute the disorder of the best alignment of reference and system."""
    from ...metrics.scores.disorder import observed_disorder
    from ...metrics.units.gamma_settings import dissimilarity_settings

    return observed_disorder(
        align_with_reference(reference, system, n_documents, tagset, dissimilarity),
        dissimilarity=dissimilarity_settings(dissimilarity),
        sampling=sampling,
    )


def _add_comparisons(
    sides: UnitSides, shared: Sequence[str], found: Evaluation, wanted: MeasureSelection
) -> None:
    """Store the counts of all systems on the documents that all of them were assigned."""
    gold, n = units_of_documents(sides.reference, shared), len(shared)
    matches = [match for match in MATCHES if wanted.compared(f"{match}_f")]
    for system, rows in sides.systems.items():
        given = units_of_documents(rows, shared)
        counts = match_units_by_each(
            gold, given, tagset=sides.tagset, matches=matches, n_documents=n
        )
        for match, of_match in counts.items():
            stacked = of_match.stacked(pooled=True)
            found.add_for_comparison(f"{match}_f", system, stacked, rate_statistic("f"))
        if wanted.compared("slot_error_rate"):
            errors = slot_error_counts(count_unit_errors(gold, given, n_documents=n))
            found.add_for_comparison("slot_error_rate", system, errors, ERROR_RATE)
