"""Which disagreements of the results are decided: by a reference, or by recorded decisions."""

from __future__ import annotations

from collections.abc import Sequence

from ...data.store.store import Store
from ...reports import results as page
from ..layers import LayerSpec
from ..references.disagreement_cases import decided_places


def with_decisions(
    store: Store,
    keys: Sequence[str],
    layers: Sequence[LayerSpec],
    references: Sequence[page.ReferenceSummary],
    found: Sequence[page.Disagreement],
) -> list[page.Disagreement]:
    """Add to the disagreements who decided them, and on which category."""
    disputed = {one.layer for one in found}
    decided = {
        (layer.name, *place): by
        for layer in layers
        if layer.name in disputed and layer.references
        for place, by in decided_places(store, keys, layer).items()
    }
    for reference in references:
        for row in reference.history:  # in chronological order
            place = (reference.layer, row["document"], row["item"])
            decided[place] = {row["by"]: row["decision"]}

    def by_whom(one: page.Disagreement) -> dict[str, str]:
        places = (one.layer, one.document, one.where), (one.layer, one.document, "")
        return next((decided[place] for place in places if place in decided), {})

    return [one.model_copy(update={"decided": by_whom(one)}) for one in found]
