"""From the campaign file and what was found in the exports to what each task is told."""

from __future__ import annotations

from dataclasses import replace

from ....metrics.alignment.dissimilarity import SPORADIC_DELTA_EMPTY
from ....tasks.intake.ingest import SourceSpec
from ....tasks.intake.validate import ValidationSpec
from ....tasks.items.settings import ItemSettings
from ....tasks.scores.evaluation import ScoringSettings
from ....tasks.units.alignment import DissimilaritySpec
from ....tasks.units.chance import ChanceSettings
from ....tasks.units.grid_readings import GridSettings
from ....tasks.units.work import UnitSettings
from ..file.config import Config
from ..file.declared import declared_in
from ..file.hiding import hiding_of
from ..file.measures import ReadingGrid, Weights, of_grids
from ..file.sources import Layer
from .found import Found


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
            number=number,
            hiding=hiding_of(config),
        )
        for number, source in enumerate(config.sources, 1)
    ]


def validation_spec(config: Config) -> ValidationSpec:
    declared = declared_in(config)
    hiding = hiding_of(config)
    if hiding is not None:
        roles = {hiding.name(name): role for name, role in declared.roles.items()}
        declared = replace(declared, roles=roles)
    return ValidationSpec(declared, config.campaign.privacy)


def dissimilarity_spec(config: Config, layer: str, found: Found) -> DissimilaritySpec:
    n_units = sum(found.unit_layers[layer].values())
    return dissimilarity_of(config.units, found.unit_length[layer] / max(n_units, 1))


def dissimilarity_of(weights: Weights, mean_length: float) -> DissimilaritySpec:
    """`mean_length` of the units, which only `hamming` looks at.

    Without a position, γ compares as in 2015 and the holistic measure as in 2011.
    """
    default = SPORADIC_DELTA_EMPTY if weights.position == "sporadic" else 1.0
    of_holistic = ("sporadic", weights.delta_empty or SPORADIC_DELTA_EMPTY)
    return DissimilaritySpec(
        position=weights.position or "positional",
        holistic=None if weights.position else of_holistic,
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
        measures=config.item_measures,
        n_replicates=config.intervals.replicates,
        level=config.intervals.level,
        ties=config.resampling.ties,
        max_annotators=config.resampling.max_annotators,
        seed=config.seed,
    )


def unit_settings(config: Config) -> UnitSettings:
    return UnitSettings(
        measures=config.unit_measures,
        n_replicates=config.intervals.replicates,
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
        measures=grid.measures or tuple(m for m in config.units.measures if m in of_grids()),
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
    not_assigned = tuple(
        (who.pseudonym or name, who.not_assigned)
        for name, who in config.annotators.items()
        if who.not_assigned
    )
    return ScoringSettings(
        config.intervals.replicates, config.intervals.level, config.seed, not_assigned
    )
