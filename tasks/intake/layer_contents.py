"""What each layer contains, decided once, from the facts of its shards.

Only rows of finished work count. Agreement sees what humans used: rows of other roles change
neither its categories nor its annotators. Scores see the rows of every role.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal, TypeAlias

from ...data.errors import DataError
from ...data.label_sets import is_set, labels_of_set_name, set_name
from ...data.option_names import option
from ...data.readers.common.category_features import holds_only_unmarked_relation_ends
from ...data.schema import NOT_HUMAN, UNNAMED_LAYER, Role
from ...metrics.agreement.label_matrix import require_distinct, sort_categories
from .shards import RowsOfLayers, ShardFacts

LayerTable: TypeAlias = Literal["labels", "units", "relations"]

OF_AGREEMENT = (Role.HUMAN,)
OF_SCORES = (Role.HUMAN, *NOT_HUMAN)


@dataclass(frozen=True, slots=True)
class LayerContents:
    """What one layer contains.

    table        the table that holds its rows
    rows         annotator → category → rows, in all passes; for labels the category is the name of
                 the set (`data.label_sets`)
    taking_part  annotators who finished a document of the layer's sources in the first pass
    lengths      annotator → number and total length of the units of the first pass
    roles        annotator → role
    """

    name: str
    table: LayerTable
    rows: Mapping[str, Mapping[str, int]]
    taking_part: frozenset[str] = frozenset()
    lengths: Mapping[str, Sequence[int]] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)

    def annotators(self, role: str) -> tuple[str, ...]:
        """Return the annotators with this role, sorted.

        For labels, those who labelled something; for units, those who finished a document, because
        a document without units is a result, too.
        """
        found = {name for name, own in self.rows.items() if own}
        if self.table == "units":
            found |= self.taking_part
        elif self.table == "labels":
            found &= self.taking_part
        return tuple(sorted(name for name in found if self.role(name) == role))

    @property
    def has_rows_of_humans(self) -> bool:
        return any(own and self.role(name) == Role.HUMAN for name, own in self.rows.items())

    def role(self, annotator: str) -> str:
        return self.roles.get(annotator, Role.HUMAN)

    def counts(self, roles: Iterable[str] = OF_AGREEMENT) -> dict[str, int]:
        """Count the rows by category; of annotators with other roles only if nobody else has any.

        Without the exception, a layer of a system and a reference would have no categories.
        """
        roles = {*roles}
        return self._sum(own for name, own in self.rows.items() if self.role(name) in roles) or (
            self._sum(self.rows.values())
        )

    @staticmethod
    def _sum(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
        total: dict[str, int] = {}
        for part in parts:
            for category, n in part.items():
                total[category] = total.get(category, 0) + n
        return dict(sorted(total.items()))

    def single_labels(self) -> set[str]:
        """Return the categories; of sets, the labels in them."""
        alone = {name for name in self.counts() if not is_set(name)}
        return alone.union(*(labels_of_set_name(name) for name in {*self.counts()} - alone))

    def holds_sets(self, roles: Iterable[str] = OF_AGREEMENT) -> bool:
        """Return whether an item has several labels or none."""
        return self.table == "labels" and any(map(is_set, self.counts(roles)))

    def tagset(
        self,
        roles: Iterable[str] = OF_AGREEMENT,
        *,
        declared: Sequence[str] = (),
        sets: bool = False,
    ) -> tuple[str, ...]:
        """Return the declared categories, else those found, in order; for sets, their names.

        sets  whether a category is a set of labels; sets of several labels are always those found

        Raises MetricsError for a category that is declared twice.
        """
        declared = require_distinct(declared)
        counts = self.counts(roles)
        if sets and any(map(is_set, counts)):
            return tuple(sorted(counts, key=labels_of_set_name))
        if declared:
            return tuple(set_name([label]) for label in declared) if sets else declared
        found = {label for name in counts for label in self._labels(name)}
        return sort_categories({label for label in found if label})

    def _labels(self, category: str) -> tuple[str, ...]:
        return labels_of_set_name(category) if self.table == "labels" else (category,)

    def mean_length(self) -> float:
        """Return the mean length of the humans' units, of all units without one; 0 without any."""
        of_humans = [own for name, own in self.lengths.items() if self.role(name) == Role.HUMAN]
        used = of_humans or [*self.lengths.values()]
        return sum(own[1] for own in used) / max(sum(own[0] for own in used), 1)


@dataclass(frozen=True, slots=True)
class Contents:
    """The layers of an export or a campaign, by table, in alphabetical order, and the roles.

    A layer of tokens that only relations attach to is left out.
    """

    labels: Mapping[str, LayerContents]
    units: Mapping[str, LayerContents]
    relations: Mapping[str, LayerContents]
    roles: Mapping[str, str]

    def names(self) -> list[str]:
        """Return the names of the layers of labels and units, sorted."""
        return sorted({*self.labels, *self.units})

    def layer(self, name: str, *, is_items: bool) -> LayerContents:
        """Return a layer of labels, or of units."""
        return (self.labels if is_items else self.units)[name]


def contents_of(
    shards: Sequence[ShardFacts], roles: Mapping[str, str], *, declared: Iterable[str] = ()
) -> Contents:
    """Add up the facts of the shards.

    roles     annotator → role; humans may be left out
    declared  names of layers that are never left out
    """
    declared = {*declared}
    taking_part: dict[str, set[str]] = {}
    lengths: dict[str, dict[str, Sequence[int]]] = {}
    for shard in shards:
        for layer, names in shard.taking_part.items():
            taking_part.setdefault(layer, set()).update(names)
        for layer, of_layer in shard.unit_lengths.items():
            total = lengths.setdefault(layer, {})
            for name, own in of_layer.items():
                before = total.get(name, (0, 0))
                total[name] = (before[0] + own[0], before[1] + own[1])

    def layers(table: LayerTable) -> dict[str, LayerContents]:
        found = {
            layer: LayerContents(
                layer,
                table,
                rows,
                frozenset(taking_part.get(layer, ())),
                lengths.get(layer, {}) if table == "units" else {},
                roles,
            )
            for layer, rows in _added(getattr(shard, _FACTS[table]) for shard in shards).items()
        }
        return {
            layer: one
            for layer, one in found.items()
            if table == "relations" or layer in declared or not _has_tokens_only(one)
        }

    return Contents(layers("labels"), layers("units"), layers("relations"), roles)


_FACTS = {"labels": "label_layers", "units": "unit_layers", "relations": "relation_layers"}


def _has_tokens_only(layer: LayerContents) -> bool:
    return holds_only_unmarked_relation_ends(layer.name, layer.counts())


def _added(parts: Iterable[RowsOfLayers]) -> dict[str, dict[str, dict[str, int]]]:
    total: dict[str, dict[str, dict[str, int]]] = {}
    for part in parts:
        for layer, of_layer in part.items():
            for annotator, counts in of_layer.items():
                own = total.setdefault(layer, {}).setdefault(annotator, {})
                for category, n in counts.items():
                    own[category] = own.get(category, 0) + n
    return {layer: dict(sorted(of_layer.items())) for layer, of_layer in sorted(total.items())}


def choose_layer(
    layers: Mapping[str, LayerContents], wanted: str | None, *, where: str, what: str
) -> LayerContents | None:
    """Return the layer that is meant: the one with this name, else the only one; None without any.

    A layer in which only other roles than humans have rows is meant only by its name, if there are
    others.

    where  the exports, for messages
    what   what the layers hold: "labels", "units"

    Raises DataError if there are several and none is named, and for a name that no layer has.
    """
    if not layers:
        return None
    if wanted is None:
        meant = [one for one in layers.values() if one.has_rows_of_humans] or [*layers.values()]
        if len(meant) > 1:
            raise DataError(
                f"{where}: holds several layers of {what} "
                f"({', '.join(repr(one.name) for one in meant)}): choose one with {option('layer')}"
            )
        return meant[0]
    found = layers.get(wanted or UNNAMED_LAYER.get(what, ""))
    if found is None:
        raise DataError(
            f"{where}: no layer {wanted!r} of {what}; {layers_found_instead(wanted, layers)}"
        )
    return found


def layers_found_instead(name: str, held: Iterable[str]) -> str:
    """Return the layers found, instead of the one of this name, and which of them may be meant."""
    held = sorted(held)
    if not held:
        return "no such layer was found"
    near = get_close_matches(name, held, n=1)
    meant = f"did you mean {near[0]}? " if near else ""
    return f"{meant}the layers found are {', '.join(held)}"
