"""Systems that locate units, each compared with a panel of annotators; items are documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...metrics.arrays import Floats
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.measure import Match
from ...metrics.replacement.judge_checks import CheckedItems
from ...metrics.replacement.judge_comparison import JudgeComparison
from ...metrics.replacement.replaceability import LostItem, replaceability
from ...metrics.replacement.replacement_options import OF_UNITS, ReplacementSettings
from ...metrics.replacement.unit_checks import (
    advantage_trend,
    length_trend,
    marking_ratios,
    unit_self_consistency,
)
from ...metrics.replacement.unit_comparison import (
    AnnotatedUnits,
    UnitSimilarityFunction,
    compare_units,
    disorder_similarity_function,
    f_similarity_function,
)
from ...metrics.unit_rows import NO_UNITS, UnitRows, Units
from ...reports import results as page
from .judge_checks import advantage_drift, panel_members, require_earlier_systems, thirds_by_length
from .judged_labels import Groups
from .replacement_results import systems_with_verdicts

if TYPE_CHECKING:
    from ...metrics.alignment.dissimilarity import Dissimilarity

_MATCHES: dict[str, Match] = {"exact_f": "exact", "type_f": "type", "overlap_f": "overlap"}
_THIRDS = ("1/3", "2/3", "3/3")  # of a document, in order


@dataclass(frozen=True)
class UnitRuns:
    """What the data have of systems that locate units beside the units that are judged.

    later    (document, system, number of the annotation pass) → units, of the passes after the
             first; an entry without units: the system left the document empty in that pass
    lengths  (D,): of the documents, nan where unknown; None where none is known
    """

    later: Mapping[tuple[int, str, int], UnitRows] = field(default_factory=dict)
    lengths: Floats | None = None


def annotated_units(
    rows: Mapping[tuple[int, str], UnitRows], annotators: Sequence[str], n_documents: int
) -> AnnotatedUnits:
    """Combine the units by (document, annotator) of everyone who finished a document."""
    column = {name: a for a, name in enumerate(annotators)}
    finished = np.zeros((n_documents, len(annotators)), np.bool_)
    sizes, homes, owners = [], [], []
    for (document, name), units in rows.items():
        finished[document, column[name]] = True
        sizes.append(len(units))
        homes.append(document)
        owners.append(column[name])
    together = np.concatenate([NO_UNITS, *rows.values()])
    documents, of_annotators = (
        np.repeat(np.array(one, np.int64), sizes) for one in (homes, owners)
    )
    return AnnotatedUnits(Units(documents, *together.T), of_annotators, finished)


def judge_units(
    annotated: AnnotatedUnits,
    humans: Sequence[str],
    systems: Sequence[str],
    settings: ReplacementSettings,
    *,
    tagset: Sequence[str],
    document_names: Sequence[str],
    dissimilarity: Dissimilarity | None = None,
    layer: str = "",
    groups: Groups | None = None,
    assigned: NDArray[np.bool_] | None = None,
    runs: UnitRuns | None = None,
) -> page.Replacement:
    """Compare every system with the humans; columns of `annotated` are humans, then systems.

    dissimilarity  between two units, for the alignment `disorder`
    groups         parts: kind → (names, index of each document's part or -1)
    assigned       bool (D, S): which documents each system was assigned; None: all
    runs           further passes of the systems, and lengths of the documents

    Raises MetricsError for an alignment of labels, and for a document shorter than its units.
    """
    runs = runs or UnitRuns()
    similarity = unit_similarity_function(settings.alignment, len(tagset), dissimilarity)

    everything = np.ones((len(document_names), len(systems)), np.bool_)
    of_systems = everything if assigned is None else assigned

    def compare(
        units: AnnotatedUnits, chosen: NDArray[np.bool_] = of_systems
    ) -> list[JudgeComparison]:
        return compare_units(
            units, len(humans), similarity, missing=settings.missing, assigned=chosen
        )

    def compare_part(part: AnnotatedUnits) -> list[JudgeComparison]:
        return compare(part, of_systems & part.has_units_of(len(humans)))

    subsets = {
        "category": {
            name: compare_part(annotated.select_category(code))
            for code, name in enumerate(tagset if len(tagset) > 1 else ())
        },
        "position": {},
    }
    if runs.lengths is not None:
        _require_inside(annotated, runs.lengths, document_names)
        subsets["position"] = {
            name: compare_part(annotated.select_third(third, runs.lengths))
            for third, name in enumerate(_THIRDS)
        }
    comparisons = dict(zip(systems, compare(annotated), strict=True))
    require_earlier_systems(settings, comparisons)
    judged = annotated  # what the systems were assigned
    if assigned is not None:
        of_all = np.pad(assigned, ((0, 0), (len(humans), 0)), constant_values=True)
        judged = replace(annotated, finished=annotated.finished & of_all)
    documents = np.arange(len(document_names))
    how = CheckedItems(documents, settings.level)
    found, checks = [], {}
    for s, (system, comparison) in enumerate(comparisons.items()):
        own = {
            kind: {name: comparison_of[s] for name, comparison_of in ones.items()}
            for kind, ones in subsets.items()
        }
        found.append(
            replaceability(
                system,
                comparison,
                humans,
                settings,
                compared_by=_described(settings.alignment, dissimilarity),
                documents=documents,
                groups={**(groups or {}), **thirds_by_length(runs.lengths)},
                subsets=own,
            )
        )
        panel = panel_members(comparison, settings)
        checks[system] = [
            *_consistency(system, judged, runs, similarity, how, column=len(humans) + s),
            *advantage_drift(system, comparisons, settings, how),
            *marking_ratios(judged, len(humans) + s, len(humans), how),
            *_trends(comparison, own["position"], panel, runs.lengths, how),
        ]
    counts = annotated.counts()

    def lost(system: str, one: LostItem) -> page.LostItem:
        column, finished = len(humans) + list(systems).index(system), annotated.finished[one.item]
        return page.LostItem(
            item=document_names[one.item],
            advantage=one.advantage,
            n_units=int(counts[one.item, column]) if finished[column] else None,
            units={name: int(counts[one.item, a]) for a, name in enumerate(humans) if finished[a]},
        )

    return systems_with_verdicts(
        found, settings, kind="units", layer=layer, lost=lost, checks=checks
    )


def _consistency(
    system: str,
    annotated: AnnotatedUnits,
    runs: UnitRuns,
    similarity: UnitSimilarityFunction,
    how: CheckedItems,
    *,
    column: int,
) -> list[Estimate]:
    """Of the system's runs with one another, where its first run finished; [] of a single run.

    column  of the system in `annotated`, which holds its first run
    """
    present = annotated.finished[:, column]
    own = {
        (d, str(pass_)): units
        for (d, name, pass_), units in runs.later.items()
        if name == system and present[d]
    }
    if not own:
        return []
    first = annotated.owners == column
    homes = annotated.units.documents[first]
    units = annotated.units.select(first)
    rows = np.stack([*units.arrays()[1:], units.gaps], axis=1)
    for d in np.nonzero(present)[0].tolist():
        own[d, "1"] = rows[homes == d]
    numbers = sorted({name for _, name in own})
    together = annotated_units(own, numbers, len(annotated.finished))
    return [unit_self_consistency(together, similarity, how)]


def _trends(
    comparison: JudgeComparison,
    of_thirds: Mapping[str, JudgeComparison],
    panel: NDArray[np.bool_],
    lengths: Floats | None,
    how: CheckedItems,
) -> list[Estimate]:
    """How the advantage over the panel changes along the documents, and with their length."""
    if lengths is None:
        return []
    first, _, last = (one.select_annotators(panel) for one in of_thirds.values())
    found = [
        advantage_trend("position_trend", last, first, how),
        length_trend(comparison.select_annotators(panel), lengths, how),
    ]
    return [replace(one, n_annotators=int(panel.sum())) for one in found]


def _require_inside(annotated: AnnotatedUnits, lengths: Floats, names: Sequence[str]) -> None:
    with np.errstate(invalid="ignore"):
        beyond = np.nonzero(annotated.units.ends > lengths[annotated.units.documents])[0]
    if beyond.size:
        d, end = annotated.units.documents[beyond[0]], annotated.units.ends[beyond[0]]
        raise MetricsError(
            f"lengths: document {names[d]!r} has the length {lengths[d]:g}, but a unit that ends "
            f"at {end}; lengths of documents must be in the unit of the offsets"
        )


def unit_similarity_function(
    alignment: str, n_categories: int, dissimilarity: Dissimilarity | None
) -> UnitSimilarityFunction:
    """Return the similarity of units. Raises MetricsError for an alignment of labels only."""
    if alignment in _MATCHES:
        return f_similarity_function(_MATCHES[alignment], n_categories)
    if alignment != "disorder" or dissimilarity is None:
        raise MetricsError(
            f"the alignment {alignment} does not compare units; choose one of {', '.join(OF_UNITS)}"
        )
    return disorder_similarity_function(dissimilarity, n_categories)


def _described(alignment: str, dissimilarity: Dissimilarity | None) -> dict[str, object]:
    """Return the settings of the alignment function for the signatures."""
    if alignment != "disorder" or dissimilarity is None:
        return {}
    from ...metrics.units.gamma_settings import dissimilarity_settings

    return dissimilarity_settings(dissimilarity)
