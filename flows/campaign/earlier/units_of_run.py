"""Units of one layer of a campaign's last run, and the settings of that run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....data.errors import DataError
from ....data.store.store import Store
from ....metrics.alignment.continuum import Continuum
from ....tasks.calibration.calibrate import Material
from ....tasks.inputs.unit_options import CalibrationOptions
from ....tasks.layers import LayerSpec
from ....tasks.queues_of_rounds import cells_not_for_agreement
from ....tasks.stored_annotations import stored_continua
from ....tasks.units.alignment import DissimilaritySpec
from ...toml_file import ConfigError
from ..adjudication.adjudicate import last_run
from ..file.campaign_config import Config, load_campaign
from .history import earlier_runs, last_results


@dataclass(frozen=True, slots=True)
class UnitsOfRun:
    """Units of a run: one continuum of humans per document; `results` is the results document."""

    campaign: Config
    layer: LayerSpec
    dissimilarity: DissimilaritySpec
    continua: list[Continuum]
    results: dict[str, Any]


def units_of_last_run(path: Path, layer: str, *, asked_as: tuple[str, str]) -> UnitsOfRun:
    """Return the units of a layer; `layer` may be empty if there is only one layer of units.

    asked_as  names of the options for campaign and layer, for messages

    Raises ConfigError for a campaign that was not run, DataError for a layer without units in its
    last run.
    """
    campaign = load_campaign(path)
    store = Store(campaign.store.url)
    done = earlier_runs(store)
    if not done:
        raise ConfigError(
            f"{asked_as[0]}: {path.name} has not been run (accordeur run {path.name})"
        )
    run = last_run(store)
    layers = {one.name: one for one in run.layers if not one.is_labels}
    name = layer or (next(iter(layers)) if len(layers) == 1 else "")
    if name not in layers:
        raise DataError(
            f"{asked_as[1]}: {f'no layer of units {name!r}' if name else 'which layer of units?'}; "
            f"the campaign's last run has {', '.join(layers) or 'none'}"
        )
    spec = layers[name]
    continua = [
        continuum
        for key in run.keys
        for _, continuum, _ in stored_continua(
            store, key, spec, spec.humans, "human", without=cells_not_for_agreement(store, spec)
        )
    ]
    results = last_results(store, done)
    return UnitsOfRun(campaign, spec, run.dissimilarities[name], continua, results)


def material_of_campaign(campaign: Path, layer: str, asked: CalibrationOptions) -> Material:
    """Return the layer of the campaign's last run, with the dissimilarity of that run."""
    found = units_of_last_run(campaign, layer, asked_as=("--campaign", "--layer"))
    return Material(
        f"{found.campaign.campaign.name}: {found.layer.name}",
        found.layer.name,
        found.continua,
        found.dissimilarity.dissimilarity_for(found.layer),
        asked.processes or found.campaign.chance.processes,
        None,
        [],
        found.results,
    )
