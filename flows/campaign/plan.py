"""From the campaign file and what was found in the exports to what each task is told."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from data.runs import SLOT_BITS, in_range
from flows.campaign.config import Config, ConfigError, Layer
from flows.campaign.config_measures import ReadingGrid, Weights
from flows.campaign.declared import declared_in, roles_of
from metrics.agreement.distances import require_order
from metrics.agreement.label_matrix import sorted_categories
from metrics.agreement.label_sets import SET_DISTANCES, set_distance
from metrics.alignment.dissimilarity import SPORADIC_DELTA_EMPTY
from metrics.errors import MetricsError
from tasks.ingest import SourceSpec
from tasks.items.settings import ItemSettings
from tasks.layers import SET_SIGN, LayerSpec
from tasks.units.alignment import DissimilaritySpec
from tasks.units.chance import ChanceSettings
from tasks.units.grid_readings import GridSettings
from tasks.units.work import UnitSettings
from tasks.validate import Shard, ValidationSpec
from tasks.validity.scores import ScoringSettings

MOST_SHARDS = 1024  # for the sake of small batches; rows may ask for more
MOST_ROWS_IN_SHARD = 100_000  # some hundred MB in memory while they are checked
_SET_MARK = "\x1f"


@dataclass(frozen=True, slots=True)
class Found:
    """What validation found in the whole campaign: sums over shards."""

    unit_layers: dict[str, dict[str, int]]
    label_layers: dict[str, dict[str, int]]
    unit_length: dict[str, int]
    taking_part: dict[str, dict[str, int]]
    roles: dict[str, str]
    relation_layers: dict[str, dict[str, int]] = field(default_factory=dict)
    relating: dict[str, dict[str, int]] = field(default_factory=dict)


def source_specs(config: Config) -> list[SourceSpec]:
    return [
        SourceSpec(
            path=source.path,
            format=source.format,
            annotator=source.annotator,
            role=source.role,
            batch=source.batch,
            batch_pattern=source.batch_pattern,
            layers=source.layers,
            layer_names=dict(source.layer_names),
            options=dict(source.options),
            privacy=config.campaign.privacy,
        )
        for source in config.sources
    ]


def validation_spec(config: Config) -> ValidationSpec:
    return ValidationSpec(
        declared_in(config),
        pseudonyms={
            name: who.pseudonym for name, who in config.annotators.items() if who.pseudonym
        },
    )


def shards_of(n_documents: int, documents_per_batch: int, n_rows: int = 0) -> list[Shard]:
    """Equal ranges of slots, a power of two of them: a growing campaign splits them in halves.

    n_documents: of the largest source, as sources may hold the same documents; n_rows, of all
    sources, bounds a shard where they hold different ones, or documents are long.
    """
    n = 1
    while (n < MOST_SHARDS and n * documents_per_batch < n_documents) or (
        n * MOST_ROWS_IN_SHARD < n_rows
    ):
        n *= 2
    width = (1 << SLOT_BITS) // n
    return [Shard(k, k * width, (k + 1) * width) for k in range(n)]


def contiguous(shards: Sequence[Shard], n_groups: int) -> list[list[Shard]]:
    """Neighbours together, in groups of about equal number: they lie in the same files."""
    bounds = [len(shards) * g // n_groups for g in range(n_groups + 1)]
    return [list(shards[a:b]) for a, b in pairwise(bounds)]


def sources_for(
    sources: Sequence[Mapping[str, Any]], shards: Sequence[Shard]
) -> list[dict[str, Any]]:
    """Of each source, what `tasks.validate` asks for: its layers, and the files of these shards.

    Not all files: with the source, their number grows as that of the groups does.
    """
    low, high = min(shard.low for shard in shards), max(shard.high for shard in shards)
    return [
        {
            "files": {table: in_range(of, low, high) for table, of in source["files"].items()},
            "layers": source["layers"],
        }
        for source in sources
    ]


def groups_of(costs: Mapping[str, float], n_groups: int) -> list[list[str]]:
    """Keys in at most n_groups groups of about equal cost, the costliest group first.

    Longest processing time first (Graham 1969): each key, by falling cost, to the lightest group.
    """
    heap = [(0.0, g) for g in range(min(n_groups, len(costs)))]
    groups: list[list[str]] = [[] for _ in heap]
    for key in sorted(costs, key=lambda one: (-costs[one], one)):
        weight, g = heapq.heappop(heap)
        groups[g].append(key)
        heapq.heappush(heap, (weight + costs[key], g))
    return sorted(groups, key=lambda group: -sum(costs[key] for key in group))


def found_in(config: Config, shards: Sequence[Mapping[str, Any]]) -> Found:
    """Sums over the shards' summaries.

    Raises ConfigError when somebody has two roles, RoleError when a system is declared human.
    """
    roles: dict[str, set[str]] = {}
    for shard in shards:
        for name, of_name in shard["roles"].items():
            roles.setdefault(name, set()).update(of_name)
    declared = {who.pseudonym or name: who.role for name, who in config.annotators.items()}
    return Found(
        _added(shard["unit_layers"] for shard in shards),
        _added(shard["label_layers"] for shard in shards),
        _added_counts(shard["unit_length"] for shard in shards),
        _added(shard["taking_part"] for shard in shards),
        roles_of(roles, declared),
        _added(shard.get("relation_layers", {}) for shard in shards),
        _added(shard.get("relating", {}) for shard in shards),
    )


def _added(parts: Any) -> dict[str, dict[str, int]]:
    total: dict[str, dict[str, int]] = {}
    for part in parts:
        for layer, counts in part.items():
            total[layer] = _added_counts([total.get(layer, {}), counts])
    return dict(sorted(total.items()))


def _added_counts(parts: Any) -> dict[str, int]:
    total: dict[str, int] = {}
    for part in parts:
        for name, n in part.items():
            total[name] = total.get(name, 0) + n
    return dict(sorted(total.items()))


def layer_specs(config: Config, found: Found) -> list[LayerSpec]:
    """One spec for each layer found, in alphabetical order.

    Raises ConfigError for a declared layer that no export holds.
    """
    specs = []
    for name, counts in found.label_layers.items():
        specs.append(_layer_spec(name, "items", counts, config, found))
    for name, counts in found.unit_layers.items():
        declared = config.layers.get(name, Layer())
        kind = "positions" if declared.kind in ("positions", "items") else "units"
        specs.append(_layer_spec(name, kind, counts, config, found))
    held = sorted({*found.label_layers, *found.unit_layers})
    for name in config.layers:
        if name not in held:
            raise ConfigError(
                f"layers.{name}: no export holds this layer; the layers found are "
                f"{', '.join(held) or 'none'}"
            )
    return specs


def _layer_spec(
    name: str, kind: str, counts: Mapping[str, int], config: Config, found: Found
) -> LayerSpec:
    declared = config.layers.get(name, Layer())
    distance = declared.distance
    if any(_SET_MARK in given for given in counts):
        tagset = tuple(sorted({SET_SIGN.join(sorted(given.split(_SET_MARK))) for given in counts}))
    else:
        tagset = declared.tagset or sorted_categories({name for name in counts if name})
        if not declared.tagset:
            on_items = config.items.measures if kind != "units" else ()
            _require_order(name, tagset, distance, on_items)
    taking_part = found.taking_part.get(name, {})

    def those(role: str) -> tuple[str, ...]:
        return tuple(who for who in sorted(taking_part) if found.roles[who] == role)

    return LayerSpec(
        name=name,
        kind=kind,
        tagset=tagset,
        humans=those("human"),
        systems=those("system"),
        references=those("reference"),
        distance=distance,
        distances=_set_matrix(distance, tagset)
        if distance in SET_DISTANCES
        else category_matrix(declared, tagset),
    )


def _set_matrix(distance: str, sets: Sequence[str]) -> tuple[tuple[float, ...], ...]:
    """Distances between the sets of labels found, `a+b`; a single label is a set of one."""
    given = [frozenset(written.split(SET_SIGN)) for written in sets]
    tags = sorted(frozenset().union(*given))
    members = np.array([[tag in labels for tag in tags] for labels in given], dtype=np.bool_)
    return tuple(tuple(row) for row in set_distance(distance, members).tolist())


def _require_order(
    layer: str, tagset: Sequence[str], distance: str, measures: Sequence[str]
) -> None:
    try:
        require_order(tagset, distance, measures, declare="tagset")
    except MetricsError as error:
        raise ConfigError(f"layers.{layer}: {error}") from None


def category_matrix(layer: Layer, tagset: tuple[str, ...]) -> tuple[tuple[float, ...], ...] | None:
    """The distances that a layer declares, 1 where it is silent; None where it declares none."""
    if not layer.distances:
        return None
    given = {
        frozenset((first, second)): value
        for first, others in layer.distances.items()
        for second, value in others.items()
    }
    return tuple(
        tuple(0.0 if a == b else given.get(frozenset((a, b)), 1.0) for b in tagset) for a in tagset
    )


def dissimilarity_spec(config: Config, layer: str, found: Found) -> DissimilaritySpec:
    n_units = sum(found.unit_layers[layer].values())
    return dissimilarity_of(config.units, found.unit_length[layer] / max(n_units, 1))


def dissimilarity_of(weights: Weights, mean_length: float) -> DissimilaritySpec:
    """`mean_length` of the units, which only `hamming` looks at."""
    default = SPORADIC_DELTA_EMPTY if weights.position == "sporadic" else 1.0
    return DissimilaritySpec(
        position=weights.position,
        alpha=weights.alpha,
        beta=weights.beta,
        delta_empty=default if weights.delta_empty is None else weights.delta_empty,
        mean_length=mean_length if weights.position == "hamming" else None,
    )


def item_settings(config: Config, layer: str) -> ItemSettings:
    declared = config.layers.get(layer, Layer())
    return ItemSettings(
        period=config.report.period,
        null=declared.null,
        universes=dict(declared.universes),
        measures=config.items.measures,
        replicates=config.intervals.replicates,
        level=config.intervals.level,
        ties=config.resampling.ties,
        max_annotators=config.resampling.max_annotators,
        seed=config.seed,
    )


def unit_settings(config: Config) -> UnitSettings:
    return UnitSettings(
        measures=config.units.measures,
        replicates=config.intervals.replicates,
        level=config.intervals.level,
        alignments_kept=max(config.units.alignments_shown, config.report.document_pages),
        period=config.report.period,
        seed=config.seed,
        privacy=config.campaign.privacy,
    )


def chance_settings(config: Config) -> ChanceSettings:
    return ChanceSettings(
        processes=config.chance.processes,
        precision=config.chance.precision,
        min_samples=config.chance.min_samples,
        max_samples=config.chance.max_samples,
        reconcile=config.chance.reconcile,
        max_documents=config.chance.max_documents,
        seed=config.seed,
    )


def grid_settings(config: Config, grid: ReadingGrid) -> GridSettings:
    return GridSettings(
        measures=grid.measures or config.units.measures,
        degradations=grid.degradations,
        magnitudes=grid.magnitudes,
        shifts=grid.shifts,
        trials=grid.trials,
        documents=grid.documents,
        annotators=grid.annotators,
        n_perfect=grid.n_perfect,
        processes=config.chance.processes,
        seed=config.seed,
    )


def scoring_settings(config: Config) -> ScoringSettings:
    return ScoringSettings(config.intervals.replicates, config.intervals.level, config.seed)
