"""What `accordeur look` says of a file of preferences between systems."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from ...data.errors import DataError
from ...data.readers.tables.known_shapes import Shape
from ...data.readers.tables.preference_shapes import preference_shape
from ...metrics.coded_warning import CodedWarning, Figures
from .preferences import Preferences, read_preferences
from .ranking_options import RankOptions

_OF_TOOLS = ("label-studio", "argilla", "mqm")  # which can be read as labels, too
_MOST_TRIED = 8  # columns that may be the items; each is a reading of the table


@dataclass(frozen=True, slots=True)
class SeenPreferences:
    """A file of preferences.

    shape     which a query reads; None for a table with columns of usual names
    columns   role → column
    lacks     what must be named before the systems can be ranked; "" if nothing
    item      column of the items that its name does not show; "" if its name does, or there is none
    unused    the other columns of a table without a known shape
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
    item: str = ""
    unused: tuple[str, ...] = ()

    @property
    def are_labels_too(self) -> bool:
        return self.shape is not None and self.shape.key in _OF_TOOLS

    @property
    def options(self) -> dict[str, str]:
        """The options that reading it needs."""
        query = {"query": self.shape.key} if self.shape else {}
        return query | ({"item": self.item} if self.item else {})

    @property
    def command(self) -> str:
        """The command that ranks the systems, as it is typed."""
        options = chain(*((f"--{name}", own) for name, own in self.options.items()))
        return shlex.join(["accordeur", "rank", self.path, *options])

    @property
    def doubts(self) -> tuple[CodedWarning, ...]:
        """The warning that columns are not used."""
        figures: Figures = {"n": len(self.unused), "names": ", ".join(self.unused)}
        return (CodedWarning("ignored_columns", figures),) if self.unused else ()


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
    item = "" if shape or "item" in found.columns else _item_column(path, found)
    found = read_preferences(path, RankOptions(item=item)) if item else found
    own = found.comparisons
    of_items = {*zip(own.left, own.items, strict=True), *zip(own.right, own.items, strict=True)}
    if not shape and len(of_items) == len(own.systems):
        return None  # two texts of each item
    n_items = np.unique(own.items).size
    return SeenPreferences(
        str(path), shape, found.columns, own.n, len(own.systems), n_items, len(found.raters),
        found.n_unanswered, item=item, unused=() if shape else found.unused,
    )  # fmt: skip


def _item_column(path: Path, found: Preferences) -> str:
    """Return the only unused column by which raters compare the same pairs once each; else ""."""
    fitting = []
    for name in found.unused if len(found.unused) <= _MOST_TRIED else ():
        own = read_preferences(path, RankOptions(item=name)).comparisons
        low, high = np.minimum(own.left, own.right), np.maximum(own.left, own.right)
        compared = np.stack([own.items, low, high, own.raters])
        n_of_pairs = np.unique(compared[:3], axis=1, return_counts=True)[1]
        is_once = np.unique(compared, axis=1).shape[1] == own.n == found.comparisons.n
        are_shared = 2 * n_of_pairs[n_of_pairs > 1].sum() > own.n
        if is_once and are_shared and np.unique(own.items).size > 1:
            fitting.append(name)
    return fitting[0] if len(fitting) == 1 else ""
