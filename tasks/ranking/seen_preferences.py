"""What `accordeur look` says of a file of preferences between systems."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...data.errors import DataError
from ...data.readers.tables.known_shapes import Shape
from ...data.readers.tables.preference_shapes import preference_shape
from .preferences import read_preferences
from .ranking_options import RankOptions

_OF_TOOLS = ("label-studio", "argilla", "mqm")  # which can be read as labels, too


@dataclass(frozen=True, slots=True)
class SeenPreferences:
    """A file of preferences.

    shape     which a query reads; None for a table with columns of usual names
    columns   role → column
    lacks     what must be named before the systems can be ranked; "" if nothing
    """

    path: str
    shape: Shape | None
    columns: Mapping[str, str]
    n_comparisons: int = 0
    n_systems: int = 0
    n_items: int = 0
    n_raters: int = 0
    n_unanswered: int = 0
    lacks: str = ""

    @property
    def are_labels_too(self) -> bool:
        return self.shape is not None and self.shape.key in _OF_TOOLS

    @property
    def command(self) -> str:
        """The command that ranks the systems, as it is typed."""
        query = ["--query", self.shape.key] if self.shape else []
        return shlex.join(["accordeur", "rank", self.path, *query])


def seen_preferences(path: Path) -> SeenPreferences | None:
    """Return what a file of preferences has; None for other files.

    A table without a known shape is one of preferences if columns of usual names hold systems that
    recur on other items, and outcomes.
    """
    if not path.is_file():
        return None
    shape = preference_shape(path)
    try:
        found = read_preferences(path, RankOptions(query=shape.key if shape else ""))
    except DataError as error:
        return SeenPreferences(str(path), shape, {}, lacks=str(error)) if shape else None
    own = found.comparisons
    of_items = {*zip(own.left, own.items, strict=True), *zip(own.right, own.items, strict=True)}
    if not shape and len(of_items) == len(own.systems):
        return None  # two texts of each item
    n_items = np.unique(own.items).size
    return SeenPreferences(
        str(path), shape, found.columns, own.n, len(own.systems), n_items, len(found.raters),
        found.n_unanswered,
    )  # fmt: skip
