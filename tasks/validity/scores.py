"""An evaluation as the results document has it."""

from __future__ import annotations

from ...metrics.estimate import Estimate
from ...metrics.scoring.compare import Comparison
from ...reports import results as page
from ..layers import LayerSpec
from .evaluation import Evaluation, ScoringSettings, Wanted, compare_pairs


def reported(main: str) -> Wanted:
    """What the report shows; of units no macro averages, by category the exact match alone."""

    def values(measure: str, category: str) -> bool:
        if category:
            return measure in ("precision", "recall", "f") or measure.startswith("exact_")
        return "_macro_" not in measure

    return Wanted(values, lambda measure: measure == main)


def as_validity(
    evaluation: Evaluation, layer: LayerSpec, kind: str, reference: str, settings: ScoringSettings
) -> page.Validity:
    return page.Validity(
        reference=reference,
        systems=[
            page.SystemScores(
                system=one.system,
                layer=layer.name,
                kind=kind,
                values=list(one.values),
                per_category=[
                    page.Named(name=category, value=value)
                    for category, values in one.by_category.items()
                    for value in values
                ],
                errors=one.errors,
                n_documents=one.documents.scored,
                n_missing_documents=one.documents.missing,
                n_not_assigned=one.documents.not_assigned,
            )
            for one in evaluation.systems
        ],
        comparisons=[
            _comparison(one, layer, measure)
            for measure, one in compare_pairs(evaluation.compared, settings)
        ],
        baselines=[_baseline(one, layer, kind) for one in evaluation.baselines],
        notices=[
            notice for one in evaluation.systems for notice in one.documents.notices(one.system)
        ],
    )


def _baseline(estimate: Estimate, layer: LayerSpec, kind: str) -> page.SystemScores:
    """What costs nothing, under its own name: the same for every system."""
    category = estimate.detail.get("category")
    name = estimate.measure.replace("_", " ") + (f": {category}" if category else "")
    return page.SystemScores(system=name, layer=layer.name, kind=kind, values=[estimate])


def _comparison(one: Comparison, layer: LayerSpec, measure: str) -> page.SystemComparison:
    return page.SystemComparison(
        layer=layer.name,
        measure=measure,
        first=one.first,
        second=one.second,
        difference=one.difference,
        interval=one.interval,
        level=one.level,
        p_value=one.p_randomisation,
        p_corrected=one.p_corrected,
        reason=one.reason,
    )
