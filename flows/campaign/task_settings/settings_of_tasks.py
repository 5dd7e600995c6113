"""Settings of each task, from the campaign file and the contents of the exports."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, replace
from typing import TypeVar

from ....metrics.errors import MetricsError
from ....metrics.measures import RATINGS
from ....metrics.objects.registry import OBJECT_DISTANCES
from ....metrics.options import (
    AgreementSampling,
    GroupComparison,
    Resampling,
    Sampling,
    UnitMatching,
    Weights,
    field_values,
)
from ....metrics.prevalence.prevalence_options import PrevalenceOptions
from ....metrics.replacement.replacement_options import ReplacementOptions, ReplacementSettings
from ....metrics.units.gamma_settings import GammaSettings
from ....metrics.units.pairwise_f import require_matching_is_used
from ....tasks.inputs.assessment_options import JudgeSettings
from ....tasks.intake.ingest import SourceSpec
from ....tasks.intake.layer_contents import Contents
from ....tasks.intake.validate import ValidationSpec
from ....tasks.options import (
    GridSettings,
    ItemSettings,
    Patterns,
    RelationSettings,
    ScoringSettings,
    UnitSettings,
)
from ....tasks.ranking.ranking_options import RankOptions, RankSettings
from ....tasks.units.alignment import DissimilaritySpec
from ...toml_file import ConfigError
from ..file.campaign_config import Config
from ..file.declared import attributes_of_annotators, declared_in, expectations_in
from ..file.hiding import hiding_of
from ..file.measure_keys import OF_GRIDS, Estimate, Judges, Ranking, ReadingGrid, Replacement
from ..file.sources import Layer

_Options = TypeVar("_Options")


def source_specs(config: Config) -> list[SourceSpec]:
    hiding = hiding_of(config)
    return [
        SourceSpec(
            path=source.path,
            format=source.format,
            annotator=source.annotator,
            role=source.role,
            batch=source.batch,
            layers=source.layers,
            options=source.options,
            layer_names=source.layer_names,
            batch_pattern=source.batch_pattern,
            number=number,
            hiding=hiding,
        )
        for number, source in enumerate(config.sources, 1)
    ]


def validation_spec(config: Config) -> ValidationSpec:
    declared = declared_in(config)
    hiding = hiding_of(config)
    if hiding is not None:
        roles = {hiding.name(name): role for name, role in declared.roles.items()}
        declared = replace(declared, roles=roles)
    return ValidationSpec(declared, config.campaign.privacy, expectations=expectations_in(config))


def dissimilarity_spec(config: Config, layer: str, found: Contents) -> DissimilaritySpec:
    return dissimilarity_of(config.units, found.units[layer].mean_length())


def dissimilarity_of(weights: Weights, mean_length: float) -> DissimilaritySpec:
    """Return the spec; `mean_length` of the units is used only by `hamming`."""
    needed = mean_length if weights.position == "hamming" else None
    return DissimilaritySpec(**field_values(Weights, weights), mean_length=needed)


def _inherited(kind: type[_Options], section: _Options) -> _Options:
    """Return the options that a section of the campaign file inherits from their class."""
    return kind(**field_values(kind, section))


def item_settings(config: Config, layer: str) -> ItemSettings:
    declared = config.layers.get(layer, Layer())
    return ItemSettings(
        sampling=AgreementSampling(
            **field_values(Sampling, config.sampling), interval=config.intervals.interval
        ),
        resampling=replace(
            _inherited(Resampling, config.resampling), reliability=config.reliability_of(layer)
        ),
        groups=_inherited(GroupComparison, config.groups),
        measures=tuple(name for name in config.measures_of(layer) if name not in RATINGS),
        ratings=tuple(name for name in config.item_measures if name in RATINGS),
        two_groups=_groups_as_shown(config),
        period=config.report.period,
        null=declared.null,
        universes=declared.universes,
        attributes=attributes_of_annotators(config),
        is_private=config.campaign.privacy and declared.distance_name in OBJECT_DISTANCES,
    )


def _groups_as_shown(config: Config) -> tuple[tuple[str, ...], ...]:
    """Return the annotators of the two groups under their displayed names."""
    return tuple(tuple(map(config.shown_as, group)) for group in config.items.groups.values())


def require_two_groups(config: Config, humans: Collection[str]) -> None:
    """Raise ConfigError for a member of a group who is not an annotator of labels."""
    for name in (name for group in _groups_as_shown(config) for name in group):
        if name not in humans:
            raise ConfigError(
                f"items.groups: no annotator {name!r} gave labels; the annotators are "
                f"{', '.join(sorted(humans))}"
            )


def unit_settings(config: Config) -> UnitSettings:
    """Return the settings of units. Raises ConfigError for one that no measure uses."""
    try:
        require_matching_is_used(config.unit_measures, config.units, "units.{}".format)
    except MetricsError as error:
        raise ConfigError(str(error)) from None
    return UnitSettings(
        interval=config.intervals.interval,
        measures=config.unit_measures,
        matching=_inherited(UnitMatching, config.units),
        alignments_kept=max(config.units.alignments_shown, config.report.document_pages),
        period=config.report.period,
    )


def relation_settings(config: Config) -> RelationSettings:
    return RelationSettings(config.sampling, config.report.period)


def gamma_settings(config: Config) -> GammaSettings:
    return GammaSettings.from_options(config.chance, config.sampling)


STANDARD_GRID = ReadingGrid(
    measures=("gamma",),
    degradations=("omission", "shift", "category"),
    magnitudes=(0.0, 0.1, 0.25, 0.5, 0.8),
    shifts=(0.0, 0.4, 0.8, 1.4, 2.0),
    trials=6,
    annotators=3,
)
"""Used for a campaign without [grid]: a few inexpensive trials of a small campaign."""
STANDARD_UNITS = 25  # per annotator, as in Mathet & Widlöcher (2011), section 6.1


def grid_settings(config: Config) -> GridSettings:
    is_standard = config.reading_grid is None
    grid = config.reading_grid or STANDARD_GRID
    measures = grid.measures or tuple(m for m in config.units.measures if m in OF_GRIDS)
    return GridSettings(
        grid=replace(grid, measures=measures),
        units=STANDARD_UNITS if is_standard else None,
        processes=config.chance.processes,
        seed=config.seed,
    )


def scoring_settings(config: Config) -> ScoringSettings:
    return ScoringSettings(config.sampling, not_assigned(config))


def not_assigned(config: Config) -> Patterns:
    """Return the pattern of the documents that were not assigned to each system."""
    return tuple(
        (who.pseudonym or name, who.not_assigned)
        for name, who in config.annotators.items()
        if who.not_assigned
    )


def estimate_options(declared: Estimate) -> PrevalenceOptions:
    return _inherited(PrevalenceOptions, declared)


def rank_options(config: Config, declared: Ranking) -> RankOptions:
    own = _inherited(RankSettings, declared)
    return RankOptions(**vars(config.sampling), **vars(own))


def judge_settings(config: Config, declared: Judges) -> JudgeSettings:
    """Return the options with pseudonyms, and without the files, whose numbers are read apart."""
    shown, reference = config.shown_as, declared.reference
    return replace(
        _inherited(JudgeSettings, declared),
        reference=reference and shown(reference),
        earlier={shown(system): shown(before) for system, before in declared.earlier.items()},
        lengths=None,
        confidence=None,
    )


def replacement_settings(config: Config, declared: Replacement) -> ReplacementSettings:
    shown = config.shown_as
    options = replace(
        _inherited(ReplacementOptions, declared),
        earlier={shown(system): shown(before) for system, before in declared.earlier.items()},
    )
    return ReplacementSettings(
        **asdict(options), replicates=config.intervals.replicates, seed=config.seed
    )
