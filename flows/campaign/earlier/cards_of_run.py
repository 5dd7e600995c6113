"""Cards of the annotators of a campaign's last run."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from ....data.errors import DataError
from ....data.store.store import open_store
from ....reports.results.annotators import AnnotatorCards
from ....tasks.annotators.annotator_cards import cards_of_labels, cards_of_stored_units
from ..adjudication.adjudicate import last_run
from ..file.campaign_config import Config, load_campaign
from .history import require_same_names


def cards_of_last_run(
    path: Path, layer: str | None, *, places_of: Collection[str] | None = None
) -> tuple[AnnotatorCards, Config]:
    """Return the cards of a layer, which may be left out if there is only one, and the campaign.

    Raises DataError for a campaign that was not run or has other pseudonyms since, and for a layer
    that its last run has not.
    """
    config = load_campaign(path)
    store = open_store(config.store.url, path)
    run = last_run(store)
    require_same_names(store, config.names_in_exports)
    layers = {one.name: one for one in run.layers}
    name = layer if layer is not None or len(layers) != 1 else next(iter(layers))
    if name not in layers:
        raise DataError(
            f"--layer: {'which layer?' if name is None else f'no layer {name!r};'} the last run of "
            f"{path.name} has {', '.join(layers) or 'none with categories'}"
        )
    spec, keys = layers[name], run.keys
    if len(spec.humans) < 2:
        raise DataError(
            f"{path.name}: cards compare annotators with each other, and layer {name!r} has "
            f"{len(spec.humans)} annotators: accept more in [annotators]"
        )
    if spec.is_labels:
        found = cards_of_labels(store, keys, spec, config.sampling, places_of=places_of)
    else:
        found = cards_of_stored_units(
            store, keys, spec, run.dissimilarities[name], config.sampling, places_of=places_of
        )
    return found, config
