"""Options that name a distance between categories or objects, or the file of one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from ...data.errors import DataError
from ...data.option_names import option
from ...metrics.agreement.distance_table import DistanceTable
from ...metrics.errors import MetricsError
from ...metrics.options import Option

if TYPE_CHECKING:
    from ...metrics.agreement.distances import Distance


def require_category_distance(name: str) -> str:
    """Validate the name of a distance between labels. Raises MetricsError with their list."""
    from ...metrics.agreement.distance_checks import check_offered
    from ...metrics.agreement.distances import IN_COMMANDS

    return check_offered(name, IN_COMMANDS)


def require_label_distance(name: str) -> str:
    """Validate the name of a distance between categories or objects, with a list of them."""
    from ...metrics.agreement.distance_checks import check_offered
    from ...metrics.agreement.distances import IN_COMMANDS

    if name in IN_COMMANDS:
        return name
    from ...metrics.objects.registry import OBJECT_DISTANCES

    return check_offered(name, (*IN_COMMANDS, *OBJECT_DISTANCES))


def require_single_label_distance(name: str) -> str:
    """Validate the name of a distance between single labels. Raises MetricsError with a list."""
    from ...metrics.agreement.distance_checks import check_offered
    from ...metrics.agreement.distances import OF_LABELS

    return check_offered(name, OF_LABELS)


def require_unit_distance(name: str) -> str:
    """Validate the name of a distance between units. Raises MetricsError with a list."""
    from ...metrics.agreement.distance_checks import check_offered
    from ...metrics.agreement.distances import OF_UNITS

    return check_offered(name, OF_UNITS)


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


DistancesFile: TypeAlias = Annotated[
    DistanceTable | None,
    Option(
        "Table of distances between categories, 0..1, in place of --distance: square, or with the "
        "columns category, category, distance (CSV, TSV, Excel), or JSON; other pairs: 1. Or a "
        "taxonomy (.txt), one category per line, indented below its parent: tree distances.",
        text=read_distances,
    ),
]
DISTANCE = Option(
    "Distance between categories, for coefficients that take one: nominal, ordinal, interval, "
    "ratio, linear, quadratic, circular/24, tree (paths such as animal/bird; tree/. for another "
    "separator), jaccard or masi between sets of labels. An unknown "
    "name lists them all.",
    text=require_category_distance,
)
DISTANCE_OF_LABELS = Option(
    f"{DISTANCE.help} The distance of objects, such as word_error of transcriptions, reads each "
    "label as an object: α, σ, KS and mean distances are then computed.",
    text=require_label_distance,
)


class CategoryDistances:
    """Options that have a distance between categories: a named one, or a table."""

    distance: str
    distances: DistanceTable | None

    def distance_between_categories(
        self, tagset: Sequence[str], measures: Sequence[str] = (), *, tagset_is_declared: bool
    ) -> Distance:
        """Return the distance for these coefficients; `tagset_is_declared`: it was given."""
        from ...metrics.agreement.distance_checks import resolve_distance

        return resolve_distance(
            tagset,
            self.distance,
            self.distances,
            measures,
            tagset_is_declared=tagset_is_declared,
            options=(option("distance"), option("tagset")),
        )
