"""Kind and categories of a layer, by the campaign file and what was found in the exports."""

from __future__ import annotations

from collections.abc import Mapping

from ....data.label_sets import set_labels, set_name
from ....metrics.agreement.distances import SETS, require_circle, require_order
from ....metrics.agreement.label_matrix import sorted_categories
from ....metrics.errors import MetricsError
from ...toml_file import ConfigError
from ..file.config import Config
from ..file.sources import Layer


def kind_of_units(config: Config, layer: str) -> str:
    """`positions` where the campaign file says that the units stand on given places."""
    declared = config.layers.get(layer, Layer())
    return "positions" if declared.kind in ("positions", "items") else "units"


def holds_sets(declared: Layer, counts: Mapping[str, int]) -> bool:
    """Whether items of a layer have several labels, or are compared as if they could."""
    return declared.distance in SETS or any(len(set_labels(name)) > 1 for name in counts)


def tagset_of(config: Config, layer: str, kind: str, counts: Mapping[str, int]) -> tuple[str, ...]:
    """The categories of a layer: those declared, else those found; of sets of labels their names.

    counts: category → how often it was found; of labels, the name of the set.
    Raises ConfigError when a distance or a measure needs an order that nothing gives.
    """
    declared = config.layers.get(layer, Layer())
    sets = kind == "items" and holds_sets(declared, counts)
    if sets and any(len(set_labels(name)) > 1 for name in counts):
        return tuple(sorted(counts, key=set_labels))
    if declared.tagset:
        return tuple(set_name([label]) for label in declared.tagset) if sets else declared.tagset
    given = {label for name in counts for label in set_labels(name)} if kind == "items" else counts
    found = sorted_categories({name for name in given if name})
    on_items = config.item_measures if kind != "units" else ()
    try:
        require_order(found, declared.distance, on_items, declare="tagset")
        if kind != "units" and declared.circumference is None:
            require_circle(found, declared.distance, declare="circumference")
    except MetricsError as error:
        raise ConfigError(f"layers.{layer}: {error}") from None
    return found
