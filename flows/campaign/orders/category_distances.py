"""How far apart the categories of a layer are, as the campaign file says it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ....metrics.agreement.distances import SETS, set_distance
from ....metrics.errors import MetricsError
from ....metrics.unitizing.category_scales import scale_distances
from ....tasks.item_names import set_members
from ...toml_file import ConfigError
from ..file.sources import Layer

Matrix: TypeAlias = tuple[tuple[float, ...], ...]


def distance_of(declared: Layer) -> str:
    """The name of a layer's distance, a circular one with its circumference: `circular/24`."""
    if declared.circumference is None:
        return declared.distance
    return f"{declared.distance}/{declared.circumference:g}"


def layer_distances(
    name: str, kind: str, declared: Layer, tagset: tuple[str, ...]
) -> Matrix | None:
    """The layer's matrix: of sets, declared, or of a scale of units; None where its name is enough.

    Raises ConfigError for a distance that units do not have.
    """
    if declared.distance in SETS:
        return _set_matrix(declared.distance, tagset)
    if declared.distances or kind != "units":
        return category_matrix(declared, tagset)
    try:
        matrix = scale_distances(declared.distance, tagset)
    except MetricsError as error:
        raise ConfigError(f"layers.{name}.distance: {error}") from None
    return None if matrix is None else tuple(tuple(row) for row in matrix.tolist())


def _set_matrix(distance: str, sets: Sequence[str]) -> Matrix:
    """Distances between the sets of labels found; a single label is a set of one."""
    return tuple(tuple(row) for row in set_distance(distance, set_members(sets)[1]).tolist())


def category_matrix(layer: Layer, tagset: tuple[str, ...]) -> Matrix | None:
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
