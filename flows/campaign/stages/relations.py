"""Stage that measures agreement on relations between units."""

from __future__ import annotations

from collections.abc import Sequence

from ....data.schema import Role
from ....tasks.intake.layer_contents import Contents, layers_found_instead
from ....tasks.intake.shards import ValidatedShard
from ....tasks.layers import LayerSpec
from ....tasks.relations.relation_analysis import RelationAnalysis
from ....tasks.relations.relations_of_shard import RelationSpec
from ...toml_file import ConfigError
from ..file.campaign_config import Config
from ..file.measure_keys import EVERY_CATEGORY, UNNAMED_RELATIONS, RelationLayer
from ..run import Run
from ..task_settings import settings_of_tasks
from .analyses import measure_layers


def measure_relations(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec], found: Contents
) -> list[str]:
    """Return the paths of the summaries of the layers of relations."""
    specs = relation_specs(run.config, layers, found)
    settings = settings_of_tasks.relation_settings(run.config)
    analyses = [RelationAnalysis(spec, settings) for spec in specs]
    return measure_layers(
        run, "count relations", "relations", analyses, shards, rows=lambda one: one.n_relations
    )


def relation_specs(
    config: Config, layers: Sequence[LayerSpec], found: Contents
) -> list[RelationSpec]:
    """Return one spec for each layer of relations with at least two human annotators.

    Raises ConfigError for a declared layer of relations that is in no export.
    """
    units = tuple(
        (
            layer.only_humans(),
            settings_of_tasks.dissimilarity_spec(config, layer.name, found)
            if layer.kind == "units"
            else None,
        )
        for layer in layers
        if layer.kind != "items"
    )
    names = {stored: stored or UNNAMED_RELATIONS for stored in found.relations}
    for name in config.relations:
        if name not in names.values():
            raise ConfigError(
                f"relations.{name}: no export holds this layer of relations; "
                f"{layers_found_instead(name, names.values())}"
            )
    specs = []
    for stored, name in names.items():
        declared = config.relations.get(name, RelationLayer())
        contents = found.relations[stored]
        categories = sorted(contents.counts())
        every = EVERY_CATEGORY in declared.chains
        chains = tuple(c for c in categories if every or c in declared.chains)
        humans = contents.annotators(Role.HUMAN)
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
