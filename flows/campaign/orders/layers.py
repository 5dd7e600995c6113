"""The layers found, each with what the campaign file says of it, as tasks are told them."""

from __future__ import annotations

from collections.abc import Mapping

from ....tasks.layers import LayerSpec
from ...toml_file import ConfigError
from ..file.config import Config
from ..file.sources import Layer
from .category_distances import distance_of, layer_distances
from .found import Found
from .tagsets import holds_sets, kind_of_units, tagset_of


def layer_specs(config: Config, found: Found) -> list[LayerSpec]:
    """One spec for each layer found, in alphabetical order.

    Raises ConfigError for a declared layer that no export holds, or a distance that units do not
    have.
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
        distance=distance_of(declared),
        distances=layer_distances(name, kind, declared, tagset),
        sets=kind == "items" and holds_sets(declared, counts),
    )
