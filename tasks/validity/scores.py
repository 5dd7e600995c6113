"""What scores of labels and of units share: settings, names, categories, comparisons."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from metrics.estimate import Estimate
from metrics.scoring.category_counts import CategoryCounts
from metrics.scoring.compare import Comparison
from metrics.scoring.rates import rates_by_category
from reports import results as page
from tasks.estimates import value_of
from tasks.layers import LayerSpec

COMPARISON_REPLICATES = 10_000


@dataclass(frozen=True, slots=True)
class ScoringSettings:
    """How the intervals of scores are drawn, as plain values."""

    n_replicates: int = 1000
    level: float = 0.95
    seed: int = 0

    def sampling(self) -> dict[str, Any]:
        return {"n_replicates": self.n_replicates, "level": self.level, "seed": self.seed}


def baseline(estimate: Estimate, layer: LayerSpec, kind: str) -> page.SystemScores:
    """What costs nothing, under its own name: the same for every system."""
    category = estimate.detail.get("category")
    name = estimate.measure.replace("_", " ") + (f": {category}" if category else "")
    return page.SystemScores(system=name, layer=layer.name, kind=kind, values=[value_of(estimate)])


def comparison(one: Comparison, layer: LayerSpec, measure: str) -> page.SystemComparison:
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


def called(estimate: Estimate, measure: str) -> Estimate:
    """The estimate under a name that says the match or average; its signature says the rest."""
    return replace(estimate, measure=measure)


def per_category(
    counts: CategoryCounts, settings: ScoringSettings, digest: str | None = None
) -> list[page.Named]:
    """Precision, recall and F of each category, in the order of the tagset."""
    found = rates_by_category(counts, input_digest=digest, **settings.sampling())
    return [
        page.Named(name=category, value=value_of(rate))
        for category, rates in found.items()
        for rate in (rates.precision, rates.recall, rates.f)
    ]
