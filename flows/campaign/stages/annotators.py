"""Cards of annotators for the report, without places: `accordeur annotators` has these."""

from __future__ import annotations

from collections.abc import Sequence

from ....data.store.store import Store
from ....metrics.references.mistakes import MIN_ANNOTATORS
from ....reports.views.annotators import annotator_sections
from ....tasks.annotators.annotator_cards import LayerCards
from ....tasks.intake.layer_contents import Contents
from ....tasks.intake.shards import ValidatedShard
from ....tasks.layers import LayerSpec
from ....tasks.references.disagreement_cases import documents_with_places
from ..beside_results import BesideResults
from ..run import Run
from ..task_settings import settings_of_tasks

MOST_ROWS = 500_000  # labels and units; cards of more are made on request


def compare_annotators(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec], found: Contents
) -> BesideResults:
    """Return the cards of each layer in which annotators can be compared; none for a release."""
    n_rows = sum(shard.facts.n_labels + shard.facts.n_units for shard in shards)
    if run.request.is_release or n_rows > MOST_ROWS:
        return BesideResults()
    store, keys, sampling = Store(run.store_url), [one.key for one in shards], run.config.sampling
    made = []
    for layer in (one for one in layers if len(one.humans) >= MIN_ANNOTATORS):
        cards = LayerCards(store, keys, layer, sampling, places_of=())
        if layer.is_labels:
            made.append(cards.of_labels())
        else:
            spec = settings_of_tasks.dissimilarity_spec(run.config, layer.name, found)
            made.append(cards.of_units(documents_with_places(store, keys, layer, spec)))
    comparable = [one for one in made if one.are_comparable]
    return BesideResults(sections=annotator_sections(comparable, run.config.report.language))
