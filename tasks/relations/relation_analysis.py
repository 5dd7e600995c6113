"""Summary of a layer of relations: from counts to the values in the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.agreement.counts import ItemCounts
from ...metrics.agreement.counts import join_counts as merge_counts
from ...metrics.agreement.structures.chain_counts import (
    ChainCounts,
    chain_estimates,
    join_chain_counts,
)
from ...metrics.agreement.structures.relation_counts import (
    ALPHA,
    NO_RELATION,
    RelationCounts,
    f_by_category,
    f_by_pair,
    join_relation_counts,
    relation_estimates,
)
from ...metrics.agreement.structures.relation_disagreement import relation_disagreements
from ...metrics.estimate import Estimate
from ...reports import results as page
from ..analysis import Counted, Counting, SummarisedAnalysis
from ..batches_and_periods import (
    Ints,
    agreement_by_group,
    documents_with_last_change,
    points_of_groups,
    with_periods,
)
from ..causes import PERIOD, cause_fields, parts_of_campaign
from ..named_estimates import named_estimates
from ..options import RelationSettings
from ..stored_arrays import read_arrays
from ..units.alignment import alignment_place
from .relations_of_shard import CHAINS, COUNTS, ROWS, RelationSpec, count_relations

_MOST_PAIRS = 45
_MOST_CATEGORIES = 60
_CHARTED = "relation_category"  # name in gates: α of the category, with "no relation" as a category
_CHARTED_OF_CHAINS = "chain_alpha"  # name in gates: α with the first distance between sets


def _relations_from(arrays: Mapping[str, Any], spec: RelationSpec) -> RelationCounts:
    def counts(kind: str, tagset: tuple[str, ...]) -> ItemCounts:
        given = {name: arrays[f"{kind}.{name}"] for name in ROWS}
        n_documents = len(arrays["linked"])
        return ItemCounts(spec.humans, tagset, **given, n_units=n_documents)

    return RelationCounts(
        counts("category", (*spec.tagset, NO_RELATION)),
        counts("typing", spec.tagset),
        *(arrays[name] for name in COUNTS),
    )


@dataclass(frozen=True, slots=True)
class RelationCounting(Counting):
    """Counts of relations between the places of units."""

    folder = Folder.RELATIONS
    spec: RelationSpec

    def count(self, store: Store, place: str, key: str) -> dict[str, Any]:
        count_relations(store, place, key, self.spec)
        return {}

    def further_inputs(self, key: str) -> list[str]:
        return [
            alignment_place(key, layer, dissimilarity)
            for layer, dissimilarity in self.spec.units
            if dissimilarity is not None
        ]


@dataclass(frozen=True, slots=True)
class RelationAnalysis(SummarisedAnalysis):
    """Analysis of agreement on one layer of relations between units."""

    spec: RelationSpec
    how: RelationSettings

    @property
    def layer_name(self) -> str:
        return self.spec.name

    @property
    def counting(self) -> RelationCounting:
        return RelationCounting(self.spec)

    def summarise(self, store: Store, counted: Sequence[Counted]) -> page.LayerResults:
        return summarise_relations(store, self.spec, counted, self.how)


def summarise_relations(
    store: Store, spec: RelationSpec, counted: Sequence[Counted], settings: RelationSettings
) -> page.LayerResults:
    """Compute all values of one layer of relations."""
    parts: list[dict[str, Any]] = [
        read_arrays(store, f"{one.place}/counts.parquet") for one in counted
    ]
    n_relations, n_left_out, n_repeated = np.sum([part["n"] for part in parts], axis=0).tolist()
    relations = [_relations_from(part, spec) for part in parts if "linked" in part]
    chains = [
        ChainCounts(*(part[f"chains.{name}"] for name in CHAINS))
        for part in parts
        if "chains.matches" in part
    ]
    summary = page.RelationAgreement(
        layer=spec.name,
        tagset=list(spec.tagset),
        annotators=list(spec.humans),
        directed=spec.directed,
        n_relations=n_relations,
        n_left_out=n_left_out,
        n_repeated=n_repeated,
        n_documents=max(_n_documents(relations), _n_documents(chains)),
        chain_categories=list(spec.chains),
    ).model_copy(
        update=_summarise_links(relations, spec, settings)
        | _summarise_chains(chains, spec, settings)
    )
    changes = _last_changes(store, spec, counted)
    groups = with_periods(changes, settings.period)
    if relations:
        names = _names(parts, "documents")
        of_documents = parts_of_campaign(with_periods(changes, PERIOD), names)
        found = relation_disagreements(
            join_relation_counts(relations), spec.humans, spec.tagset, of_documents
        )
        summary = summary.model_copy(update=cause_fields(found))
    points = [
        *_relation_points(parts, relations, groups, spec, settings),
        *_chain_points(parts, chains, groups, spec, settings),
    ]
    return page.LayerResults(relations=[summary], points=points)


def _n_documents(parts: Sequence[RelationCounts] | Sequence[ChainCounts]) -> int:
    return sum(part.n_documents for part in parts)


def _summarise_links(
    parts: Sequence[RelationCounts], spec: RelationSpec, settings: RelationSettings
) -> dict[str, Any]:
    if not parts:
        return {}
    counts = join_relation_counts(parts)
    by_pair = f_by_pair(counts, settings.sampling) if len(spec.humans) > 2 else []
    return {
        "values": named_estimates(relation_estimates(counts, settings.sampling).items()),
        "per_category": named_estimates(
            f_by_category(counts, settings.sampling)[:_MOST_CATEGORIES]
        ),
        "per_pair": named_estimates(by_pair[:_MOST_PAIRS]),
    }


def _last_changes(store: Store, spec: RelationSpec, counted: Sequence[Counted]) -> pa.Table:
    """Return batch and time of each document, by the last change in the layers of the ends."""
    tables = [
        documents_with_last_change(store, one.key, layer)
        for one in counted
        for layer, _ in spec.units
    ]
    changes = pa.concat_tables(tables).group_by("document")
    groups = changes.aggregate([("batch", "max"), ("time", "max")])
    return groups.rename_columns(["document", "batch", "time"])


def _names(parts: Sequence[Mapping[str, Any]], key: str) -> list[str]:
    return [name for part in parts if key in part for name in part[key].tolist()]


def _relation_points(
    parts: Sequence[Mapping[str, Any]],
    relations: Sequence[RelationCounts],
    groups: pa.Table,
    spec: RelationSpec,
    settings: RelationSettings,
) -> list[page.RunPoint]:
    """Compute α of the category for each batch and period."""
    if not relations:
        return []
    points = agreement_by_group(
        merge_counts([part.category for part in relations]),
        _names(parts, "documents"),
        groups,
        spec.name,
        measures=[ALPHA],
        distance="nominal",
        sampling=settings.sampling,
    )
    return [point.model_copy(update={"measure": _CHARTED}) for point in points]


def _chain_points(
    parts: Sequence[Mapping[str, Any]],
    chains: Sequence[ChainCounts],
    groups: pa.Table,
    spec: RelationSpec,
    settings: RelationSettings,
) -> list[page.RunPoint]:
    """Compute α of the chains for each batch and period."""
    if not chains:
        return []
    counts = join_chain_counts(chains)

    def values(those: Ints) -> list[Estimate]:
        part, n_annotators = counts.documents(those), len(spec.humans)
        return chain_estimates(part, n_annotators=n_annotators, sampling=settings.sampling)[:1]

    points = points_of_groups(groups, _names(parts, "chains.documents"), spec.name, values)
    return [point.model_copy(update={"measure": _CHARTED_OF_CHAINS}) for point in points]


def _summarise_chains(
    parts: Sequence[ChainCounts], spec: RelationSpec, settings: RelationSettings
) -> dict[str, Any]:
    if not parts:
        return {}
    counts = join_chain_counts(parts)
    found = chain_estimates(counts, n_annotators=len(spec.humans), sampling=settings.sampling)
    return {
        "chains": list(found),
        "n_mentions": int(counts.n_mentions.sum()),
        "n_chains": int(counts.n_chains.sum()),
    }
