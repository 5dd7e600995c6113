"""Counts of the relations of a shard between the places of units.

A place is a unitary alignment of the layer that contains the end units, or the position itself in
a layer on given places. Annotators who drew no relation of the layer in the whole campaign are
excluded; the others are taken to have considered every place where they have units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.agreement.structures.chain_counts import (
    chain_counts,
    chains_of_links,
    join_chain_counts,
)
from ...metrics.agreement.structures.relation_counts import (
    RelationCounts,
    Relations,
    join_relation_counts,
    relation_counts,
)
from ..layers import LayerSpec
from ..stored_annotations import FIRST_PASS, unit_rows
from ..stored_arrays import write_arrays
from ..units.alignment import DissimilaritySpec, alignment_place

COUNTS = ("alike", "drawn", "linked")
ROWS = ("codes", "unit", "times")
CHAINS = ("matches", "observed", "within", "n_labels", "n_mentions", "n_chains")


@dataclass(frozen=True, slots=True)
class RelationSpec:
    """One layer of relations as plain values.

    stored   name of the layer in the tables; `name` is its display name
    tagset   categories compared as relations
    chains   categories whose links form chains
    humans   annotators who drew a relation of the layer, in order
    units    layers of the end units, each with its dissimilarity (None for positions)
    """

    name: str
    stored: str
    tagset: tuple[str, ...]
    chains: tuple[str, ...]
    humans: tuple[str, ...]
    units: tuple[tuple[LayerSpec, DissimilaritySpec | None], ...]
    directed: bool = True


@dataclass(slots=True)
class Places:
    """Places of a document: annotators with a unit at each place, and the place of each unit."""

    owners: list[set[int]] = field(default_factory=list)
    of_unit: dict[tuple[int, str], int] = field(default_factory=dict)

    def add(self, units: Sequence[tuple[int, str]]) -> None:
        self.owners.append({owner for owner, _ in units})
        self.of_unit.update(dict.fromkeys(units, len(self.owners) - 1))

    def present(self, n_annotators: int) -> NDArray[np.bool_]:
        found = np.zeros((len(self.owners), n_annotators), dtype=bool)
        for place, owners in enumerate(self.owners):
            found[place, list(owners)] = True
        return found


def count_relations(store: Store, place: str, key: str, spec: RelationSpec) -> None:
    """Write the counts of a shard's relations, document by document, into the place."""
    rows = store.accepted_rows(key, "relations")
    keep = pc.and_(pc.equal(rows["layer"], spec.stored), pc.equal(rows["pass"], FIRST_PASS))
    keep = pc.and_(keep, pc.is_in(rows["annotator"], value_set=pa.array(spec.humans, pa.string())))
    by_document: dict[str, list[dict[str, Any]]] = {}
    for row in rows.filter(keep).to_pylist():
        by_document.setdefault(row["document"], []).append(row)
    n_relations = sum(map(len, by_document.values()))
    relations, chains, n_used, n_repeated = [], [], 0, 0
    compared: list[str] = []
    chained: list[str] = []
    for document, places in _places(store, key, spec).items():
        present = places.present(len(spec.humans))
        if present.any(axis=0).sum() < 2:
            continue
        links = list(_links(by_document.get(document, ()), places, spec))
        n_used += len(links)
        if spec.tagset:
            plain = [link for link in links if link[3] in spec.tagset]
            columns = np.array(
                [(s, t, spec.tagset.index(c), a) for s, t, a, c in plain], dtype=np.int64
            ).reshape(-1, 4)
            sources, targets, categories, owners = columns.T
            between = Relations(
                present, sources, targets, categories, owners, spec.tagset, spec.humans
            )
            relations.append(relation_counts(between, directed=spec.directed))
            compared.append(document)
            n_repeated += relations[-1].category.n_duplicates
        joined = np.array([link[:3] for link in links if link[3] in spec.chains], dtype=np.int64)
        if joined.size:
            chains.append(chain_counts(chains_of_links(present, *joined.T)))
            chained.append(document)
    arrays: dict[str, NDArray[np.generic]] = {
        "n": np.array([n_relations, n_relations - n_used, n_repeated])
    }
    if relations:
        arrays |= _relation_arrays(join_relation_counts(relations))
        arrays["documents"] = np.array(compared, dtype=np.str_)
    if chains:
        of_shard = join_chain_counts(chains)
        arrays |= {f"chains.{name}": getattr(of_shard, name) for name in CHAINS}
        arrays["chains.documents"] = np.array(chained, dtype=np.str_)
    write_arrays(store, f"{place}/counts.parquet", arrays)


def _places(store: Store, key: str, spec: RelationSpec) -> dict[str, Places]:
    """Return the places of each document, over all layers of the end units."""
    owner_of = {name: a for a, name in enumerate(spec.humans)}
    found: dict[str, Places] = {}
    for layer, dissimilarity in spec.units:
        if dissimilarity is None:
            at: dict[tuple[str, int, int], list[tuple[int, str]]] = {}
            for row in unit_rows(store, key, layer, spec.humans).to_pylist():
                where = (row["document"], row["start_offset"], row["end_offset"])
                at.setdefault(where, []).append((owner_of[row["annotator"]], row["unit"]))
            for (document, _, _), units in at.items():
                found.setdefault(document, Places()).add(units)
            continue
        place = alignment_place(key, layer, dissimilarity)
        columns = ["document", "annotators", "units", "owners", "alignments"]
        for row in store.read_table(f"{place}/alignments.parquet", columns=columns).to_pylist():
            owners = [owner_of.get(row["annotators"][a]) for a in row["owners"]]
            for together in row["alignments"]:
                units = [
                    (owner, row["units"][u]) for u in together if (owner := owners[u]) is not None
                ]
                if units:
                    found.setdefault(row["document"], Places()).add(units)
    return dict(sorted(found.items()))


def _links(
    rows: Sequence[Mapping[str, Any]], places: Places, spec: RelationSpec
) -> Iterator[tuple[int, int, int, str]]:
    """Yield (source place, target place, annotator, category) of relations between two places."""
    for row in rows:
        owner = spec.humans.index(row["annotator"])
        source = places.of_unit.get((owner, row["from_unit"]))
        target = places.of_unit.get((owner, row["to_unit"]))
        if source is not None and target is not None and source != target:
            yield source, target, owner, row["category"]


def _relation_arrays(counts: RelationCounts) -> dict[str, NDArray[np.generic]]:
    arrays: dict[str, NDArray[np.generic]] = {name: getattr(counts, name) for name in COUNTS}
    for kind in ("category", "typing"):
        part = getattr(counts, kind)
        arrays |= {f"{kind}.{name}": getattr(part, name) for name in ROWS}
    return arrays
