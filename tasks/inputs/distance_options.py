"""Options that name a distance between categories or objects, or the file of one."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...data.errors import DataError
from ...data.option_names import option
from ...data.untrusted.files import is_special
from ...metrics.agreement.distance_table import DistanceTable
from ...metrics.errors import MetricsError
from ...metrics.objects.object_distance import ObjectDistance
from ...metrics.options import Option

if TYPE_CHECKING:
    from ...metrics.agreement.distances import Distance


@dataclass(frozen=True)
class ChosenDistance:
    """The distance that a user chose, by what it is.

    name     of a distance between categories or objects; "nominal" beside a table
    table    declared distances between categories
    objects  a distance between objects
    """

    name: str = "nominal"
    table: DistanceTable | None = None
    objects: ObjectDistance | None = None

    def __str__(self) -> str:
        return self.name


NOMINAL = ChosenDistance()
_FILES = (".csv", ".tsv", ".txt", ".json", ".xlsx", ".xls", ".parquet")


def is_distance_file(given: str) -> bool:
    """Whether the text is the path of a table of distances, and no name of a distance."""
    is_path = os.sep in given and os.path.lexists(given)
    return is_path or is_special(given) or given.lower().endswith(_FILES)


def choose_category_distance(given: str) -> ChosenDistance:
    """Return a distance between categories or sets. Raises MetricsError with their list."""
    from ...metrics.agreement.distances import IN_COMMANDS

    return _choose(given, IN_COMMANDS)


def choose_label_distance(given: str) -> ChosenDistance:
    """Return a distance between categories, sets or objects. Raises MetricsError with a list."""
    from ...metrics.agreement.distances import IN_COMMANDS

    if given in IN_COMMANDS:
        return ChosenDistance(given)
    from ...metrics.objects.registry import OBJECT_DISTANCES

    if given in OBJECT_DISTANCES:
        return ChosenDistance(given, objects=OBJECT_DISTANCES[given])
    return _choose(given, (*IN_COMMANDS, *OBJECT_DISTANCES))


def choose_single_label_distance(given: str) -> ChosenDistance:
    """Return a distance between single labels. Raises MetricsError with a list."""
    from ...metrics.agreement.distances import OF_LABELS

    return _choose(given, OF_LABELS)


def choose_unit_distance(given: str) -> ChosenDistance:
    """Return a distance between the categories of units. Raises MetricsError with a list."""
    from ...metrics.agreement.distances import OF_UNITS

    return _choose(given, OF_UNITS)


def _choose(given: str, offered: Collection[str]) -> ChosenDistance:
    """Return the table in a file, or the distance of an offered name."""
    from ...metrics.agreement.distance_checks import check_offered

    if is_distance_file(given):
        return ChosenDistance(table=read_distances(Path(given)))
    return ChosenDistance(check_offered(given, offered))


def read_distances(path: Path) -> DistanceTable:
    """Read a table of distances. Raises DataError for its form and for its values."""
    from ...data.distance_files import is_category_tree, read_category_tree, read_distance_file

    try:
        if is_category_tree(path):
            return DistanceTable.from_tree_paths(read_category_tree(path))
        found = read_distance_file(path)
        if isinstance(found, list):
            return DistanceTable.from_pairs(found)
        return DistanceTable.from_square_table(*found)
    except MetricsError as error:
        raise DataError(f"{path.name}: {error}") from None


FILE_OF_DISTANCES = (
    "Or a table of distances, 0..1: square, or with the columns category, category, distance (CSV, "
    "TSV, Excel), or JSON; other pairs: 1. Or a taxonomy (.txt), one category per line, indented "
    "below its parent."
)
SCALE = ("--scale",)  # a scale of the categories is the distance of its name
DISTANCE = Option(
    "Distance between categories, for coefficients that take one: nominal, ordinal, interval, "
    "ratio, linear, quadratic, circular/24, tree (paths such as animal/bird; tree/. for another "
    "separator), jaccard or masi between sets of labels. An unknown "
    f"name lists them all. {FILE_OF_DISTANCES}",
    text=choose_category_distance,
    other_flags=SCALE,
)
DISTANCE_OF_LABELS = Option(
    f"{DISTANCE.help} The distance of objects, such as word_error of transcriptions, reads each "
    "label as an object: α, σ, KS and mean distances are then computed.",
    text=choose_label_distance,
    other_flags=SCALE,
)


class CategoryDistances:
    """Options that have a distance between categories: a named one, or a table."""

    distance: ChosenDistance

    def distance_between_categories(
        self, tagset: Sequence[str], measures: Sequence[str] = (), *, tagset_is_declared: bool
    ) -> Distance:
        """Return the distance for these coefficients; `tagset_is_declared`: it was given."""
        from ...metrics.agreement.distance_checks import resolve_distance

        return resolve_distance(
            tagset,
            self.distance.name,
            self.distance.table,
            measures,
            tagset_is_declared=tagset_is_declared,
            options=(option("distance"), option("categories")),
        )
