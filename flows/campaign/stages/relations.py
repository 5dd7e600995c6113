"""The stage of a run that measures agreement on relations between units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ....tasks.isolation.one_by_one import Probe
from ....tasks.layers import LayerSpec
from ....tasks.relations.counts import RelationSpec, count_relations_task
from ....tasks.relations.summary import RelationSettings, summarise_relations_task
from ...progress.names import shards_named
from ...toml_file import ConfigError
from ..file.config import Config
from ..file.measures import EVERY_CATEGORY, UNNAMED_RELATIONS, RelationLayer
from ..orders import plan
from ..orders.found import Found

if TYPE_CHECKING:
    from ..run import Run


def relate(
    run: Run,
    shards: Sequence[Mapping[str, Any]],
    layers: Sequence[LayerSpec],
    found: Found,
    groups: Sequence[list[str]],
) -> list[str]:
    """Paths of the summaries of the layers of relations; `groups` are keys of shards."""
    specs = relation_specs(run.config, layers, found)
    if not specs:
        return []
    intervals = run.config.intervals
    settings = RelationSettings(
        intervals.replicates, intervals.level, run.config.seed, run.config.report.period
    )
    order = {shard["key"]: shard["shard"] for shard in shards}
    futures = []
    with run.stage("relations", len(specs) * (len(groups) + 1)) as stage:
        for spec in specs:
            asked = [
                run.submit(
                    count_relations_task,
                    f"{spec.name}, {shards_named(order[key] for key in keys)}",
                    keys,
                    spec,
                    fresh=run.fresh,
                )
                for keys in groups
            ]
            probes = [Probe("count relations", tuple(keys), {"spec": spec}) for keys in groups]
            done = [one for part in run.gather(asked, probes) for one in part]
            done.sort(key=lambda one: order[one["key"]])
            run.note(stage, done)
            futures.append(
                run.submit(
                    summarise_relations_task, spec.name, spec, done, settings, fresh=run.fresh
                )
            )
        summaries = run.gather(futures)
        run.note(stage, summaries)
    return [one["path"] for one in summaries]


def relation_specs(config: Config, layers: Sequence[LayerSpec], found: Found) -> list[RelationSpec]:
    """One spec for each layer of relations that two humans or more drew in.

    Raises ConfigError for a declared layer of relations that no export holds.
    """
    units = tuple(
        (
            layer,
            plan.dissimilarity_spec(config, layer.name, found) if layer.kind == "units" else None,
        )
        for layer in layers
        if layer.kind != "items"
    )
    names = {stored: stored or UNNAMED_RELATIONS for stored in found.relation_layers}
    for name in config.relations:
        if name not in names.values():
            raise ConfigError(
                f"relations.{name}: no export holds this layer of relations; the layers found are "
                f"{', '.join(sorted(names.values())) or 'none'}"
            )
    specs = []
    for stored, name in names.items():
        declared = config.relations.get(name, RelationLayer())
        categories = sorted(found.relation_layers[stored])
        every = EVERY_CATEGORY in declared.chains
        chains = tuple(c for c in categories if every or c in declared.chains)
        humans = tuple(
            who for who in sorted(found.relating[stored]) if found.roles.get(who) == "human"
        )
        if len(humans) > 1:
            specs.append(
                RelationSpec(
                    name=name,
                    stored=stored,
                    tagset=tuple(c for c in categories if c not in chains),
                    chains=chains,
                    humans=humans,
                    units=units,
                    directed=declared.directed,
                )
            )
    return specs
