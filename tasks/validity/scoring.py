"""Systems against references, layer by layer; nothing here knows of a chance-corrected coefficient.

Only documents that the reference finished are scored; what a system lacks of them is wrong
(`tasks.validity.evaluation`).

The reference is the annotators' with that role; where there is none, the one that the run built
(`tasks.validity.reference`), whose name in the report says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from prefect import task

from ...data.store.hashes import settings_hash
from ...data.store.store import Store
from ...metrics.signature import VERSION
from ..layers import LayerSpec
from ..units.alignment import DissimilaritySpec
from .against import Against
from .evaluation import ScoringSettings
from .human_range import HumanRange, range_of_humans
from .label_scores import validity_of_labels
from .unit_scores import validity_of_units


def score_layer(
    store_url: str,
    keys: Sequence[str],
    layer: LayerSpec,
    settings: ScoringSettings,
    *,
    built: Against | None = None,
    dissimilarity: DissimilaritySpec | None = None,
    human_range: HumanRange | None = None,
) -> str:
    """Scores of every system of the layer against each of its references, as JSON; its path.

    built          the reference that the run made, taken where nobody has the role
    dissimilarity  the campaign's, for the observed disorder of units
    human_range    each human against the others' reference, to read beside
    """
    store = Store(store_url)
    key = settings_hash(
        list(keys), asdict(layer), asdict(settings), str(built), str(dissimilarity),
        str(human_range), VERSION,
    )  # fmt: skip
    path = f"summaries/scores-{key}.json"
    references = [Against(name) for name in layer.references] or ([built] if built else [])
    found = []
    for reference in references:
        if layer.is_labels:
            scored = validity_of_labels(store, keys, layer, reference, settings)
        else:
            scored = validity_of_units(store, keys, layer, reference, settings, dissimilarity)
        if human_range is not None:
            people = range_of_humans(store, keys, layer, human_range, settings.sampling())
            scored = scored.model_copy(update={"human_range": people})
        found.append(scored)
    alerts = {one.text: one for scored in found for one in scored.notices}
    return store.write_json(
        path,
        {
            "validity": [one.model_dump(mode="json") for one in found],
            "alerts": [one.model_dump(mode="json") for one in alerts.values()],
        },
    )


@task(name="score systems", task_run_name="score systems {layer.name}")
def score_layer_task(
    store_url: str,
    keys: Sequence[str],
    layer: LayerSpec,
    settings: ScoringSettings,
    built: Against | None = None,
    dissimilarity: DissimilaritySpec | None = None,
    human_range: HumanRange | None = None,
) -> str:
    return score_layer(
        store_url,
        keys,
        layer,
        settings,
        built=built,
        dissimilarity=dissimilarity,
        human_range=human_range,
    )
