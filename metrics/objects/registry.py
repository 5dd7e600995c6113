"""Registry of the distances between objects: built in, and those of other packages.

Another package adds a distance with an entry point of the group `accordeur.object_distances` whose
object is an `ObjectDistance`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..agreement.distances import DISTANCES
from ..plugins import load_plugins
from .distances import BUILT_IN
from .object_distance import ObjectDistance

OBJECT_DISTANCES: dict[str, ObjectDistance] = {one.name: one for one in BUILT_IN}
OBJECT_DISTANCES |= load_plugins(
    "accordeur.object_distances", ObjectDistance, known={*DISTANCES, *OBJECT_DISTANCES}
)


@dataclass(frozen=True)
class NamedDistance:
    """A distance by its name, as settings of tasks hold it."""

    name: str

    def problem(self, text: str) -> str:
        return OBJECT_DISTANCES[self.name].problem(text)
