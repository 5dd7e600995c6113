"""The layers found, each with what the campaign file says of it, as tasks are told them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from flows.campaign.config import Config
from flows.campaign.config_sources import Layer
from flows.campaign.found import Found
from flows.campaign.tagsets import kind_of_units, tagset_of
from flows.toml_file import ConfigError
from metrics.agreement.label_sets import SET_DISTANCES, set_distance
from tasks.item_names import SET_SIGN
from tasks.layers import LayerSpec


def layer_specs(config: Config, found: Found) -> list[LayerSpec]:
    """One spec for each layer found, in alphabetical order.

    Raises ConfigError for a declared layer that no export holds.
    """
    specs = []
    for name, counts in found.label_layers.items():
        specs.append(_layer_spec(name, "items", counts, config, found))
    for name, counts in found.unit_layers.items():
        specs.append(_layer_spec(name, kind_of_units(config, name), counts, config, found))
    held = sorted({*found.label_layers, *found.unit_layers})
    for name in config.layers:
        if name not in held:
            raise ConfigError(
                f"layers.{name}: no export holds this layer; the layers found are "
                f"{', '.join(held) or 'none'}"
            )
    return specs


def _layer_spec(
    name: str, kind: str, counts: Mapping[str, int], config: Config, found: Found
) -> LayerSpec:
    declared = config.layers.get(name, Layer())
    distance = declared.distance
    tagset = tagset_of(config, name, kind, counts)
    taking_part = found.taking_part.get(name, {})

    def those(role: str) -> tuple[str, ...]:
        return tuple(who for who in sorted(taking_part) if found.roles[who] == role)

    return LayerSpec(
        name=name,
        kind=kind,
        tagset=tagset,
        humans=those("human"),
        systems=those("system"),
        references=those("reference"),
        distance=distance,
        distances=_set_matrix(distance, tagset)
        if distance in SET_DISTANCES
        else category_matrix(declared, tagset),
    )


def _set_matrix(distance: str, sets: Sequence[str]) -> tuple[tuple[float, ...], ...]:
    """Distances between the sets of labels found, `a+b`; a single label is a set of one."""
    given = [frozenset(written.split(SET_SIGN)) for written in sets]
    tags = sorted(frozenset().union(*given))
    members = np.array([[tag in labels for tag in tags] for labels in given], dtype=np.bool_)
    return tuple(tuple(row) for row in set_distance(distance, members).tolist())


def category_matrix(layer: Layer, tagset: tuple[str, ...]) -> tuple[tuple[float, ...], ...] | None:
    """The distances that a layer declares, 1 where it is silent; None where it declares none."""
    if not layer.distances:
        return None
    given = {
        frozenset((first, second)): value
        for first, others in layer.distances.items()
        for second, value in others.items()
    }
    return tuple(
        tuple(0.0 if a == b else given.get(frozenset((a, b)), 1.0) for b in tagset) for a in tagset
    )
