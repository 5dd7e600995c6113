"""A layer as plain values: what to measure, and who takes part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..data.label_sets import labels_of_set_name, set_members, set_name
from ..data.schema import Role
from ..metrics.agreement.distances import (
    SETS,
    Distance,
    NamedTable,
    distance_table,
    needs_ordered_categories,
)
from ..metrics.objects.object_distance import ObjectDistance
from .intake.layer_contents import OF_AGREEMENT, LayerContents

if TYPE_CHECKING:
    from ..metrics.agreement.distance_table import DistanceTable


@dataclass(frozen=True, slots=True)
class LayerSpec:
    """One layer as plain values: what to measure and who takes part.

    kind        `items` (labels), `positions` (units on given places, as labels) or `units`
    tagset      all categories; for sets of labels, the names of the sets (`data.label_sets`)
    humans      annotators whose agreement is measured, in order
    systems, references, audits  the other annotators, by role
    distance    name of the distance between categories, or between objects
    distances   K × K matrix of a distance on sets or one declared in the campaign file; or None
    sets        whether a category is a set of labels
    adaptive    path in the store of the labels (of units: documents × annotators) that were
                collected because they were informative, and do not count for agreement; "": none
    complete    whether agreement is computed on the items that every human annotator labelled
    agreement   of a layer with the categories of all roles: the layer as agreement sees it; None:
                the same
    """

    name: str
    kind: str
    tagset: tuple[str, ...]
    humans: tuple[str, ...]
    systems: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    audits: tuple[str, ...] = ()
    distance: str = "nominal"
    distances: tuple[tuple[float, ...], ...] | None = None
    sets: bool = False
    adaptive: str = ""
    complete: bool = False
    agreement: LayerSpec | None = None

    @classmethod
    def of(
        cls,
        contents: LayerContents,
        *,
        kind: str = "",
        declared: Sequence[str] = (),
        sets: bool = False,
        roles: Sequence[str] = OF_AGREEMENT,
    ) -> LayerSpec:
        """Return the layer with the nominal distance.

        kind      default: `items` for labels, else `units`
        declared  the categories, if they are declared
        sets      whether single labels are sets of one, too; items with several always are sets
        roles     whose rows give the categories
        """
        sets = contents.table == "labels" and (sets or contents.holds_sets(roles))
        return cls(
            name=contents.name,
            kind=kind or ("items" if contents.table == "labels" else "units"),
            tagset=contents.tagset(roles, declared=declared, sets=sets),
            humans=contents.annotators(Role.HUMAN),
            systems=contents.annotators(Role.SYSTEM),
            references=contents.annotators(Role.REFERENCE),
            audits=contents.annotators(Role.AUDIT),
            sets=sets,
        )

    def with_comparable_categories(
        self, own: Sequence[str], distance: str, table: DistanceTable | None = None
    ) -> LayerSpec:
        """Return the layer with only the categories that a distance can compare with some.

        own              categories that the distance is for: those of the humans, or the reference
        distance, table  its name and, if there is one, its table

        Labels in other categories, which others than `own` gave, count as missing. This is for a
        tagset that is not declared: rows outside a declared one are rejected. Sets and objects are
        all kept.
        """
        from ..metrics.agreement.distance_checks import comparable_categories

        named = replace(self, distance=distance)
        if self.sets or named.objects is not None:
            return self
        return replace(named, tagset=comparable_categories(self.tagset, own, distance, table))

    @property
    def humans_and_systems(self) -> tuple[str, ...]:
        return (*self.humans, *self.systems)

    def earlier_systems(self, earlier: Mapping[str, str]) -> dict[str, str]:
        """Return, of systems and the systems that were their earlier runs, those of the layer."""
        return {one: before for one, before in earlier.items() if {one, before} <= {*self.systems}}

    @property
    def objects(self) -> ObjectDistance | None:
        """The distance of a layer whose labels are objects; None if they are categories."""
        from ..metrics.objects.registry import OBJECT_DISTANCES  # with entry points of packages

        return OBJECT_DISTANCES.get(self.distance)

    @property
    def is_labels(self) -> bool:
        return self.kind in ("items", "positions")

    def with_informative(self) -> LayerSpec:
        """The layer with all its labels, as references and the choice of labels use it."""
        own = self.agreement and self.agreement.with_informative()
        return replace(self, adaptive="", complete=False, agreement=own)

    def only_humans(self) -> LayerSpec:
        """The layer without the other roles, which no measure of agreement uses."""
        return replace(self.agreement or self, systems=(), references=(), audits=())

    def without_references(self) -> LayerSpec:
        """The layer without references and audits, which only scores against a reference use."""
        return replace(self, references=(), audits=())

    def without_distance(self) -> LayerSpec:
        """The layer without its distance, which no count of labels uses."""
        return replace(self, distance="nominal", distances=None)

    def with_distance(self, distance: Distance) -> LayerSpec:
        """The layer with a distance between its categories: a name, or a table."""
        if isinstance(distance, str):
            return replace(self, distance=distance, distances=None)
        table = distance.table if isinstance(distance, NamedTable) else distance
        return replace(
            self,
            distance=distance.name if isinstance(distance, NamedTable) else self.distance,
            distances=tuple(map(tuple, table.tolist())),
        )

    @property
    def ordered(self) -> bool:
        """Whether the tagset is in the order of a scale."""
        return needs_ordered_categories(self.distance)

    def distance_matrix(self) -> NDArray[np.float64] | None:
        return None if self.distances is None else np.array(self.distances, dtype=np.float64)

    def item_distance(self) -> Distance:
        """Distance argument of coefficients: a name, a named table (sets), or a matrix."""
        matrix = self.distance_matrix()
        if matrix is None:
            return self.distance
        return NamedTable(self.distance, matrix) if self.distance in SETS else matrix

    def direct_distances(self, marginals: NDArray[np.generic]) -> NDArray[np.float64] | None:
        """Return the layer's distances in [0, 1]; None for nominal."""
        return direct_distances(self.item_distance(), self.tagset, marginals)

    def labels_in_category(self, category: str) -> tuple[str, ...]:
        """Return the labels of a category: several if categories are sets."""
        return labels_of_set_name(category) if self.sets else (category,)

    def category_of_labels(self, labels: Sequence[str]) -> str:
        """Return the category of an item with these labels: one label unless `sets` is true."""
        return set_name(labels) if self.sets else labels[0]

    def members(self) -> NDArray[np.bool_] | None:
        """Return the members of each set, bool (K, labels), in the order of `labels`; else None."""
        return set_members(self.tagset)[1] if self.sets else None

    def labels(self) -> tuple[str, ...]:
        """Return the labels that occur in sets, in alphabetical order; () for other layers."""
        return set_members(self.tagset)[0] if self.sets else ()


def direct_distances(
    distance: Distance, tagset: Sequence[str], marginals: NDArray[np.generic]
) -> NDArray[np.float64] | None:
    """The distances between the categories in [0, 1], float64 (K, K); None for nominal.

    A named distance is divided by its largest value, a table is used as it is.

    marginals  (K,): counts of the categories; only `ordinal` needs them
    """
    if isinstance(distance, str) and distance == "nominal":
        return None
    table = distance_table(distance, tagset=tagset, marginals=marginals)
    if not isinstance(distance, str):
        return table
    largest = float(table.max(initial=0.0))
    return table / largest if largest else table
