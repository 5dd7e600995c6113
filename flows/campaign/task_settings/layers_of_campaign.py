"""The layers of a campaign, from validation results and declarations in the campaign file.

The kind, categories and distances of each layer are determined here, for the tasks (`LayerSpec`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TypeAlias

from ....data.errors import DataError
from ....data.label_sets import set_members
from ....metrics.agreement.distance_checks import (
    require_circumference,
    require_order,
)
from ....metrics.agreement.distances import SETS, set_distance_table
from ....metrics.arrays import Floats
from ....metrics.coded_warning import CodedWarning
from ....metrics.errors import MetricsError
from ....metrics.objects.registry import OBJECT_DISTANCES
from ....metrics.units.gamma_settings import scale_distances
from ....tasks.inputs.data_warnings import incomparable_labels
from ....tasks.intake.layer_contents import (
    OF_AGREEMENT,
    OF_SCORES,
    Contents,
    LayerContents,
    contents_of,
    layers_found_instead,
)
from ....tasks.intake.shards import ShardFacts
from ....tasks.layers import LayerSpec
from ...toml_file import ConfigError
from ..file.campaign_config import Config
from ..file.declared import roles_of
from ..file.sources import Layer

Matrix: TypeAlias = tuple[tuple[float, ...], ...]


def layer_contents(config: Config, shards: Sequence[ShardFacts]) -> Contents:
    """Add up the facts of the shards, with the declared roles.

    Raises ConfigError for an annotator with two roles, RoleError for a system declared human.
    """
    roles: dict[str, set[str]] = {}
    for shard in shards:
        for name, of_name in shard.roles.items():
            roles.setdefault(name, set()).update(of_name)
    declared = {who.pseudonym or name: who.role for name, who in config.annotators.items()}
    return contents_of(shards, roles_of(roles, declared), declared=config.layers)


def layer_specs(
    config: Config, found: Contents, roles: Sequence[str] = OF_AGREEMENT
) -> list[LayerSpec]:
    """Return one spec for each layer found: layers of labels, then of units, each by name.

    roles  whose rows give the categories: the humans' for agreement, everybody's for scores

    Raises ConfigError for a declared layer that is in no export, or a distance that does not apply
    to units.
    """
    specs = [layer_spec(one, "items", config, roles) for one in found.labels.values()]
    for name, one in found.units.items():
        specs.append(layer_spec(one, units_or_positions(config, name), config, roles))
    for name in config.layers:
        if name not in found.names():
            raise ConfigError(
                f"layers.{name}: no export holds this layer; "
                f"{layers_to_rename(name, found.names())}"
            )
    return specs


def layers_to_rename(name: str, held: Collection[str]) -> str:
    """Return the layers found instead of a declared one, and the key that renames layers."""
    found = layers_found_instead(name, held)
    if not held:
        return found
    return (
        f"{found}; layer_names of a source renames "
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


def layer_spec(
    contents: LayerContents, kind: str, config: Config, roles: Sequence[str] = OF_AGREEMENT
) -> LayerSpec:
    """Return the layer with what the campaign file declares about it.

    Annotators are in the order of their names in the exports, so that pseudonyms change no value.

    Raises ConfigError for a distance that does not apply, and if a distance or a measure needs an
    order that is not declared.
    """
    name = contents.name
    declared = config.layers.get(name, Layer())
    sets = declared.distance_name in SETS
    spec = LayerSpec.of(contents, kind=kind, declared=declared.categories, sets=sets, roles=roles)
    if not declared.categories:
        table = declared.table_of_distances if declared.distances else None
        own = contents.tagset(OF_AGREEMENT)
        spec = spec.with_comparable_categories(own, distance_with_parameter(declared), table)
    has_order = declared.categories or contents.holds_sets(roles)
    if not has_order and declared.distance_name not in OBJECT_DISTANCES:
        _require_order_and_circumference(config, declared, spec)
    names = config.names_in_exports

    def in_order(annotators: Sequence[str]) -> tuple[str, ...]:
        return tuple(sorted(annotators, key=lambda shown: names.get(shown, shown)))

    return replace(
        spec,
        humans=in_order(spec.humans),
        systems=in_order(spec.systems),
        references=in_order(spec.references),
        audits=in_order(spec.audits),
        distance=distance_with_parameter(declared),
        distances=layer_distances(name, kind, declared, spec.tagset),
        complete=kind != "units" and config.items.complete,
    )


def warnings_on_incomparable_labels(config: Config, found: Contents) -> list[CodedWarning]:
    """Warn of labels of systems that the declared distance of their layer cannot compare."""
    warnings: list[CodedWarning] = []
    for one in found.labels.values():
        kept = layer_spec(one, "items", config, OF_SCORES)
        if not kept.sets and not config.layers.get(one.name, Layer()).categories:
            warnings += incomparable_labels(one, kept)
    return warnings


def _require_order_and_circumference(config: Config, declared: Layer, spec: LayerSpec) -> None:
    on_items = config.item_measures if spec.is_labels else ()
    distance = distance_with_parameter(declared)
    try:
        require_order(spec.tagset, distance, on_items, declare="categories")
        if spec.is_labels and declared.circumference is None:
            require_circumference(spec.tagset, declared.distance_name, declare="circumference")
    except MetricsError as error:
        raise ConfigError(f"layers.{spec.name}: {error}") from None


def distance_with_parameter(declared: Layer) -> str:
    """Return the name of a layer's distance with its parameter: `circular/24`, `tree/.`."""
    if declared.circumference is not None:
        return f"{declared.distance_name}/{declared.circumference:g}"
    return declared.distance_name + (f"/{declared.separator}" if declared.separator else "")


def layer_distances(
    name: str, kind: str, declared: Layer, tagset: tuple[str, ...]
) -> Matrix | None:
    """Return the layer's distance matrix: for sets, declared, or for a scale of units; else None.

    Raises ConfigError for a distance that does not apply to units, and for a file of distances
    without a category of the data.
    """
    if declared.distance_name in SETS:
        return _set_matrix(declared.distance_name, tagset)
    try:
        if declared.distances or kind != "units":
            return declared_distances(declared, tagset)
        matrix = scale_distances(distance_with_parameter(declared), tagset)
    except (MetricsError, DataError) as error:
        raise ConfigError(f"layers.{name}.distance: {error}") from None
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
    if not layer.categories:
        table.require_known(tagset, declare="categories")
    return _rows_of(table.distances_in_tagset(tagset))


def units_or_positions(config: Config, layer: str) -> str:
    """Return `positions` if the campaign file declares that units have given places."""
    declared = config.layers.get(layer, Layer())
    return "positions" if declared.kind in ("positions", "items") else "units"
