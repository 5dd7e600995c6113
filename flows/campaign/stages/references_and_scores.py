"""Stages that build references and score systems, separate from agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ....data.readers.tables.distributions import is_distribution_table
from ....data.store.store import Store
from ....data.untrusted.files import sha256_of_file
from ....metrics.options import Sampling, field_values
from ....metrics.references.disagreement_cases import is_case_key
from ....tasks.intake.layer_contents import Contents
from ....tasks.intake.shards import ValidatedShard
from ....tasks.layers import LayerSpec
from ....tasks.options import ReferenceOptions
from ....tasks.references.build import (
    Curation,
    ReferenceRule,
    copy_released_files,
    curation_node,
    reference_node,
)
from ....tasks.references.reference_settings import ReferenceSettings
from ....tasks.references.release import slug
from ....tasks.scores.human_range import HumanRange
from ....tasks.scores.scores_of_run import ScoreAnalysis
from ....tasks.scores.shared_documents import Renamed, renamed_documents
from ....tasks.scores.sides_of_shard import Against, references_of
from ....tasks.scores.soft_scores_of_run import SoftScoreAnalysis
from ....tasks.units.alignment import DissimilaritySpec
from ..adjudication.adjudicate import decision_key, recorded_decisions, remember_run
from ..adjudication.decisions import Decisions
from ..file.campaign_config import Config
from ..file.hiding import hidden_decisions
from ..file.measure_keys import UNNAMED_RELATIONS, Reference
from ..file.reference import decisions_declared, require_gold
from ..run import Run
from ..task_settings import settings_of_tasks
from .analyses import measure_layers


def build_references_and_score_systems(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec], found: Contents
) -> list[str]:
    """Return the paths of the summaries: references of the layers, then scores of systems."""
    store = Store(run.store_url)
    keys = [shard.key for shard in shards]
    dissimilarities = {
        layer.name: settings_of_tasks.dissimilarity_spec(run.config, layer.name, found)
        for layer in layers
        if not layer.is_labels
    }
    of_categories = [layer for layer in layers if layer.objects is None]
    of_objects = [layer.name for layer in layers if layer.objects is not None]
    relations = [name or UNNAMED_RELATIONS for name in found.relations]
    remember_run(store, keys, of_categories, dissimilarities, [*of_objects, *relations])
    layers = [layer.with_informative() for layer in layers]  # what agreement leaves out counts here
    require_gold(run.config, {name for layer in layers for name in layer.references})
    settings = reference_settings(run.config, store)
    folder = f"{run.request.folder}/reference"
    store.delete_folder(folder)
    curations = [
        Curation(
            replace(layer.without_references(), systems=(), agreement=None).without_distance(), name
        )
        for layer in layers
        for name in layer.references
    ]
    outcomes = run.complete_here([curation_node(keys, one) for one in curations])
    chosen = _layers_to_build(layers, settings)
    built: dict[str, Against] = {}
    if settings is not None and chosen:
        rules = [
            ReferenceRule(
                replace(layer, systems=()),
                dissimilarities.get(layer.name),
                settings.only_decisions_on(layer.name),
            )
            for layer in chosen
        ]
        nodes = {one.layer.name: [reference_node(keys, one)] for one in rules}
        made = run.complete("references", nodes, task="build reference")
        for layer, one in zip(chosen, made, strict=True):
            built[layer.name] = Against(settings.name, one.place)
            copy_released_files(store, one.place, f"{folder}/{slug(layer.name)}")
        outcomes += made
    summaries = [one.fields for one in outcomes]
    of_categories = [layer for layer in layers if layer.objects is None]
    scores = _score_systems(run, shards, of_categories, built, settings, dissimilarities)
    return summaries + scores + _score_soft(run, shards, of_categories, settings)


def reference_settings(config: Config, store: Store) -> ReferenceSettings | None:
    """Return the campaign's rule and all decisions; None if no reference is requested.

    Without [reference], recorded decisions imply the rule `adjudicated`.
    """
    decisions = all_decisions(config, store)
    declared = config.reference
    if declared is None and not decisions:
        return None
    declared = declared or Reference(rule="adjudicated")
    shown = {
        "annotator": declared.annotator and config.shown_as(declared.annotator),
        "gold": declared.gold and config.shown_as(declared.gold),
    }
    return ReferenceSettings(
        **field_values(ReferenceOptions, declared) | shown,
        decisions=tuple(decisions),
        other_names=names_in_old_decisions(config, decisions),
        sampling=config.sampling,
        privacy=config.campaign.privacy,
    )


def all_decisions(config: Config, store: Store) -> Decisions:
    """Return all decisions on disagreements: first from the store, then from the file."""
    decisions = hidden_decisions(config, recorded_decisions(store))
    known = {decision_key(*one) for one in decisions}
    of_file = hidden_decisions(config, decisions_declared(config))
    return decisions + [one for one in of_file if decision_key(*one) not in known]


def names_in_old_decisions(config: Config, decisions: Decisions) -> dict[str, str]:
    """Map pseudonyms to names in the exports, if a decision of version 0.2.0 may contain these."""
    if all(is_case_key(one.case) for _, one in decisions):
        return {}
    return config.names_in_exports


def _layers_to_build(
    layers: Sequence[LayerSpec], settings: ReferenceSettings | None
) -> list[LayerSpec]:
    """Return layers with two or more humans or, if one annotator is selected, that annotator's.

    Decisions are on categories and units, so that objects have no adjudicated reference.
    """
    if settings is None:
        return []
    if settings.rule == "adjudicated":
        layers = [layer for layer in layers if layer.objects is None]
    if settings.annotator is None:
        return [layer for layer in layers if len(layer.humans) >= 2]
    return [layer for layer in layers if settings.annotator in layer.humans]


def _score_systems(
    run: Run,
    shards: Sequence[ValidatedShard],
    layers: Sequence[LayerSpec],
    built: Mapping[str, Against],
    settings: ReferenceSettings | None,
    dissimilarities: Mapping[str, DissimilaritySpec],
) -> list[str]:
    rule = settings or ReferenceSettings(sampling=Sampling(seed=run.config.seed))
    how = settings_of_tasks.scoring_settings(run.config)
    analyses = []
    for layer in layers:
        own = built.get(layer.name)
        if (layer.systems or layer.audits) and references_of(layer, own):
            measure = dissimilarities.get(layer.name)
            beside = HumanRange(rule, measure) if layer.systems else None
            renamed = _renamed_documents(run, shards, layer, settings)
            analyses.append(ScoreAnalysis(layer, how, own, measure, beside, renamed))
    return measure_layers(
        run, "count scores", "score systems", analyses, shards, rows=lambda one: one.rows_accepted
    )


def require_shared_documents(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec]
) -> None:
    """Raise DataError for a system that has no document of the reference that it is scored on."""
    settings = reference_settings(run.config, Store(run.store_url))
    built = {layer.name for layer in _layers_to_build(layers, settings)}
    for layer in layers:
        if layer.systems and (layer.references or layer.name in built):
            _renamed_documents(run, shards, layer, settings)


def _renamed_documents(
    run: Run,
    shards: Sequence[ValidatedShard],
    layer: LayerSpec,
    settings: ReferenceSettings | None,
) -> Renamed:
    chosen = settings.annotator if settings is not None else None
    made_of = layer.references or ((chosen,) if chosen else layer.humans)
    store, keys = Store(run.store_url), [shard.key for shard in shards]
    return renamed_documents(store, keys, layer, made_of)


def _score_soft(
    run: Run,
    shards: Sequence[ValidatedShard],
    layers: Sequence[LayerSpec],
    settings: ReferenceSettings | None,
) -> list[str]:
    """Score systems against the label distribution of the annotators, if requested."""
    if settings is None or settings.soft is None:
        return []
    how = settings_of_tasks.scoring_settings(run.config)
    analyses = []
    for layer in layers:
        if layer.is_labels and len(layer.humans) > 1:
            given = _distribution_tables(run.config, layer)
            if layer.systems or given:
                own = layer.without_references()
                analyses.append(SoftScoreAnalysis(own, settings.soft, how, given))
    return measure_layers(
        run,
        "count labels of systems",
        "score against distributions",
        analyses,
        shards,
        rows=lambda one: one.n_labels,
    )


def _distribution_tables(config: Config, layer: LayerSpec) -> dict[str, tuple[str, str]]:
    """Map each system to its table of distributions over the layer's tagset, and its hash."""
    found = {}
    for name, one in config.annotators.items():
        if one.distributions and is_distribution_table(Path(one.distributions), layer.tagset):
            digest = sha256_of_file(one.distributions)
            found[config.shown_as(name)] = (one.distributions, digest)
    return found
