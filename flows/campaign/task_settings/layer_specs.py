"""The layers of a campaign, from validation results and declarations in the campaign file.

The kind, categories and distances of each layer are determined here, for the tasks (`LayerSpec`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, TypeAlias

from ....data.errors import DataError
from ....data.label_sets import is_set, set_labels, set_members, set_name
from ....data.readers.common.category_features import holds_tokens_only
from ....metrics.agreement.distance_checks import require_circumference, require_order
from ....metrics.agreement.distances import SETS, set_distance_table
from ....metrics.agreement.label_matrix import sort_categories
from ....metrics.arrays import Floats
from ....metrics.errors import MetricsError
from ....metrics.objects.registry import OBJECT_DISTANCES
from ....metrics.unitizing.gamma_settings import scale_distances
from ....tasks.intake.shards import ShardFacts
from ....tasks.layers import LayerSpec
from ...toml_file import ConfigError
from ..file.campaign_config import Config
from ..file.declared import roles_of
from ..file.sources import Layer

Matrix: TypeAlias = tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class LayerContents:
    """Contents of the validated campaign, summed over shards."""

    unit_layers: dict[str, dict[str, int]]
    label_layers: dict[str, dict[str, int]]
    unit_length: dict[str, int]
    taking_part: dict[str, dict[str, int]]
    roles: dict[str, str]
    relation_layers: dict[str, dict[str, int]] = field(default_factory=dict)
    relating: dict[str, dict[str, int]] = field(default_factory=dict)


def layer_contents(config: Config, shards: Sequence[ShardFacts]) -> LayerContents:
    """Sum the facts of the shards.

    Raises ConfigError for an annotator with two roles, RoleError for a system declared human.
    """
    roles: dict[str, set[str]] = {}
    for shard in shards:
        for name, of_name in shard.roles.items():
            roles.setdefault(name, set()).update(of_name)
    declared = {who.pseudonym or name: who.role for name, who in config.annotators.items()}
    return LayerContents(
        {
            layer: counts
            for layer, counts in _add_counts_by_layer(shard.unit_layers for shard in shards).items()
            if layer in config.layers or not holds_tokens_only(layer, counts)
        },
        _add_counts_by_layer(shard.label_layers for shard in shards),
        _added_counts(shard.unit_length for shard in shards),
        _add_counts_by_layer(shard.taking_part for shard in shards),
        roles_of(roles, declared),
        _add_counts_by_layer(shard.relation_layers for shard in shards),
        _add_counts_by_layer(shard.relating for shard in shards),
    )


def _add_counts_by_layer(parts: Any) -> dict[str, dict[str, int]]:
    total: dict[str, dict[str, int]] = {}
    for part in parts:
        for layer, counts in part.items():
            total[layer] = _added_counts([total.get(layer, {}), counts])
    return dict(sorted(total.items()))


def _added_counts(parts: Any) -> dict[str, int]:
    total: dict[str, int] = {}
    for part in parts:
        for name, n in part.items():
            total[name] = total.get(name, 0) + n
    return dict(sorted(total.items()))


def layer_specs(config: Config, found: LayerContents) -> list[LayerSpec]:
    """Return one spec for each layer found, in alphabetical order.

    Raises ConfigError for a declared layer that is in no export, or a distance that does not apply
    to units.
    """
    specs = []
    for name, counts in found.label_layers.items():
        specs.append(_layer_spec(name, "items", counts, config, found))
    for name, counts in found.unit_layers.items():
        specs.append(_layer_spec(name, units_or_positions(config, name), counts, config, found))
    held = sorted({*found.label_layers, *found.unit_layers})
    for name in config.layers:
        if name not in held:
            raise ConfigError(
                f"layers.{name}: no export holds this layer; {layers_found_instead(name, held)}"
            )
    return specs


def layers_found_instead(name: str, held: Collection[str]) -> str:
    """The layers found, instead of the one of this name, and which of them may be meant."""
    near = get_close_matches(name, held, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    if not held:
        return "the layers found are none"
    return (
        f"{meant}the layers found are {', '.join(sorted(held))}; layer_names of a source renames "
        f'them: {{ "" = "{name}" }} if the export gives the layer no name'
    )


def require_system(key: str, names: Collection[str], known: Collection[str]) -> None:
    """Raise ConfigError for a layer under a key of the campaign file that has no system.

    known  the layers with a system, for `estimate.layers` with one label an item
    """
    what = " with one label an item" if key == "estimate.layers" else ""
    for name in names:
        if name not in known:
            raise ConfigError(
                f"{key}: layer {name!r} has no system{what}; "
                f'{", ".join(known) or "no layer"} has: give role = "system" in [annotators]'
            )


def _layer_spec(
    name: str, kind: str, counts: Mapping[str, int], config: Config, found: LayerContents
) -> LayerSpec:
    declared = config.layers.get(name, Layer())
    tagset = tagset_of(config, name, kind, counts)
    taking_part = found.taking_part.get(name, {})

    def annotators_with_role(role: str) -> tuple[str, ...]:
        return tuple(who for who in sorted(taking_part) if found.roles[who] == role)

    return LayerSpec(
        name=name,
        kind=kind,
        tagset=tagset,
        humans=annotators_with_role("human"),
        systems=annotators_with_role("system"),
        references=annotators_with_role("reference"),
        distance=distance_with_parameter(declared),
        distances=layer_distances(name, kind, declared, tagset),
        sets=kind == "items" and holds_sets(declared, counts),
        complete=kind != "units" and config.items.complete,
    )


def distance_with_parameter(declared: Layer) -> str:
    """Return the name of a layer's distance with its parameter: `circular/24`, `tree/.`."""
    if declared.circumference is not None:
        return f"{declared.distance}/{declared.circumference:g}"
    return declared.distance + (f"/{declared.separator}" if declared.separator else "")


def layer_distances(
    name: str, kind: str, declared: Layer, tagset: tuple[str, ...]
) -> Matrix | None:
    """Return the layer's distance matrix: for sets, declared, or for a scale of units; else None.

    Raises ConfigError for a distance that does not apply to units, and for a file of distances
    without a category of the data.
    """
    if declared.distance in SETS:
        return _set_matrix(declared.distance, tagset)
    key = "distances" if declared.distances else "distance"
    try:
        if declared.distances or kind != "units":
            return declared_distances(declared, tagset)
        matrix = scale_distances(distance_with_parameter(declared), tagset)
    except (MetricsError, DataError) as error:
        raise ConfigError(f"layers.{name}.{key}: {error}") from None
    return None if matrix is None else _rows_of(matrix)


def _set_matrix(distance: str, sets: Sequence[str]) -> Matrix:
    """Return distances between the sets of labels found; a single label is a set of one."""
    return _rows_of(set_distance_table(distance, set_members(sets)[1]))


def _rows_of(matrix: Floats) -> Matrix:
    return tuple(tuple(row) for row in matrix.tolist())


def declared_distances(layer: Layer, tagset: tuple[str, ...]) -> Matrix | None:
    """Return the declared distances, 1 where not given; None without a declaration.

    Raises MetricsError for a category that neither the tagset nor the file of distances declares.
    """
    if not layer.distances:
        return None
    table = layer.table_of_distances
    if not layer.tagset:
        table.require_known(tagset, declare="tagset")
    return _rows_of(table.distances_in_tagset(tagset))


def units_or_positions(config: Config, layer: str) -> str:
    """Return `positions` if the campaign file declares that units have given places."""
    declared = config.layers.get(layer, Layer())
    return "positions" if declared.kind in ("positions", "items") else "units"


def holds_sets(declared: Layer, counts: Mapping[str, int]) -> bool:
    """Whether items of a layer have several labels or none, or a distance on sets applies."""
    return declared.distance in SETS or any(map(is_set, counts))


def tagset_of(config: Config, layer: str, kind: str, counts: Mapping[str, int]) -> tuple[str, ...]:
    """Return the declared categories of a layer, else the ones found; for sets, their names.

    counts  number of occurrences by category (for labels, by name of the set)

    Raises ConfigError if a distance or a measure needs an order that is not declared.
    """
    declared = config.layers.get(layer, Layer())
    sets = kind == "items" and holds_sets(declared, counts)
    if sets and any(map(is_set, counts)):
        return tuple(sorted(counts, key=set_labels))
    if declared.tagset:
        return tuple(set_name([label]) for label in declared.tagset) if sets else declared.tagset
    given = {label for name in counts for label in set_labels(name)} if kind == "items" else counts
    found = sort_categories({name for name in given if name})
    if declared.distance in OBJECT_DISTANCES:
        return found
    on_items = config.item_measures if kind != "units" else ()
    try:
        require_order(found, distance_with_parameter(declared), on_items, declare="tagset")
        if kind != "units" and declared.circumference is None:
            require_circumference(found, declared.distance, declare="circumference")
    except MetricsError as error:
        raise ConfigError(f"layers.{layer}: {error}") from None
    return found
