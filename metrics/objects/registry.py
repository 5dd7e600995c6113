"""Registry of the distances between objects: built in, and those of other packages.

A distance is a module-level `ObjectDistance`, and its line in `BUILT_IN`; another package adds one
with an entry point of the group `accordeur.object_distances`.
"""

from __future__ import annotations

from ..agreement.distances import DISTANCES
from ..plugins import load_plugins
from .object_distance import ObjectDistance

BUILT_IN: tuple[ObjectDistance, ...] = ()

OBJECT_DISTANCES: dict[str, ObjectDistance] = {one.name: one for one in BUILT_IN}
OBJECT_DISTANCES |= load_plugins(
    "accordeur.object_distances", ObjectDistance, known={*DISTANCES, *OBJECT_DISTANCES}
)
