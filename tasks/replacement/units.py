"""Systems that locate units, each compared with a panel of annotators; items are documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...metrics.errors import MetricsError
from ...metrics.measure import Match
from ...metrics.replacement.comparison import Comparison
from ...metrics.replacement.judge_checks import Sampled
from ...metrics.replacement.options import OF_UNITS, ReplacementSettings
from ...metrics.replacement.replaceability import LostItem, replaceability
from ...metrics.replacement.unit_comparison import (
    AnnotatedUnits,
    UnitSimilarity,
    compare_units,
    disorder_similarity,
    f_similarity,
)
from ...metrics.scoring.units import Units
from ...reports import results as page
from .checks import drift_of, require_earlier_systems
from .labels import Groups
from .results import as_results

if TYPE_CHECKING:
    from ...metrics.alignment.dissimilarity import Dissimilarity

UnitRows = NDArray[np.int64]  # (U, 3): start, end and category code
_MATCHES: dict[str, Match] = {"exact_f": "exact", "type_f": "type", "overlap_f": "overlap"}


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
    together = np.concatenate([np.zeros((0, 3), np.int64), *rows.values()])
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
) -> page.Replacement:
    """Compare every system with the humans; columns of `annotated` are humans, then systems.

    dissimilarity  between two units, for the alignment `disorder`
    groups         parts: kind → (names, index of each document's part or -1)
    assigned       bool (D, S): which documents each system was assigned; None: all
    """
    similarity = unit_similarity(settings.alignment, len(tagset), dissimilarity)

    def compare(units: AnnotatedUnits) -> list[Comparison]:
        return compare_units(
            units, len(humans), similarity, missing=settings.missing, assigned=assigned
        )

    of_categories = {
        name: compare(annotated.of_category(code))
        for code, name in enumerate(tagset if len(tagset) > 1 else ())
    }
    comparisons = dict(zip(systems, compare(annotated), strict=True))
    require_earlier_systems(settings, comparisons)
    documents = np.arange(len(document_names))
    found = [
        replaceability(
            system,
            comparison,
            humans,
            settings,
            compared_by=_described(settings.alignment, dissimilarity),
            documents=documents,
            groups=groups,
            categories={name: ones[s] for name, ones in of_categories.items()},
        )
        for s, (system, comparison) in enumerate(comparisons.items())
    ]
    how = Sampled(documents, settings.level)
    checks = {system: drift_of(system, comparisons, settings, how) for system in systems}
    counts = annotated.counts()

    def lost(system: str, one: LostItem) -> page.LostItem:
        column, finished = len(humans) + list(systems).index(system), annotated.finished[one.item]
        return page.LostItem(
            item=document_names[one.item],
            advantage=one.advantage,
            n_units=int(counts[one.item, column]) if finished[column] else None,
            units={name: int(counts[one.item, a]) for a, name in enumerate(humans) if finished[a]},
        )

    return as_results(found, settings, kind="units", layer=layer, lost=lost, checks=checks)


def unit_similarity(
    alignment: str, n_categories: int, dissimilarity: Dissimilarity | None
) -> UnitSimilarity:
    """Return the similarity of units. Raises MetricsError for an alignment of labels only."""
    if alignment in _MATCHES:
        return f_similarity(_MATCHES[alignment], n_categories)
    if alignment != "disorder" or dissimilarity is None:
        raise MetricsError(
            f"the alignment {alignment} does not compare units; choose one of {', '.join(OF_UNITS)}"
        )
    return disorder_similarity(dissimilarity, n_categories)


def _described(alignment: str, dissimilarity: Dissimilarity | None) -> dict[str, object]:
    """Return the settings of the alignment function for the signatures."""
    if alignment != "disorder" or dissimilarity is None:
        return {}
    from ...metrics.unitizing.settings import describe

    return describe(dissimilarity)
