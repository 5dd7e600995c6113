"""Settings of each task, from the campaign file and the contents of the exports."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ....metrics.measures import RATINGS
from ....metrics.options import Weights, combine_options
from ....metrics.unitizing.settings import GammaSettings
from ....tasks.intake.ingest import SourceSpec
from ....tasks.intake.validate import ValidationSpec
from ....tasks.options import GridSettings, ItemSettings, ScoringSettings, UnitSettings
from ....tasks.units.alignment import DissimilaritySpec
from ...toml_file import ConfigError
from ..file.attributes import attributes_of
from ..file.config import Config
from ..file.declared import declared_in, expectations_in
from ..file.hiding import hiding_of
from ..file.measures import OF_GRIDS, ReadingGrid
from ..file.sources import Layer
from .layers import LayerContents


def source_specs(config: Config) -> list[SourceSpec]:
    hiding = hiding_of(config)
    return [
        combine_options(SourceSpec, source, number=number, hiding=hiding)
        for number, source in enumerate(config.sources, 1)
    ]


def validation_spec(config: Config) -> ValidationSpec:
    declared = declared_in(config)
    hiding = hiding_of(config)
    if hiding is not None:
        roles = {hiding.name(name): role for name, role in declared.roles.items()}
        declared = replace(declared, roles=roles)
    return ValidationSpec(declared, config.campaign.privacy, expectations=expectations_in(config))


def dissimilarity_spec(config: Config, layer: str, found: LayerContents) -> DissimilaritySpec:
    n_units = sum(found.unit_layers[layer].values())
    return dissimilarity_of(config.units, found.unit_length[layer] / max(n_units, 1))


def dissimilarity_of(weights: Weights, mean_length: float) -> DissimilaritySpec:
    """Return the spec; `mean_length` of the units is used only by `hamming`."""
    needed = mean_length if weights.position == "hamming" else None
    return combine_options(DissimilaritySpec, weights, mean_length=needed)


def item_settings(config: Config, layer: str) -> ItemSettings:
    return combine_options(
        ItemSettings,
        config.intervals,
        config.resampling,
        config.report,
        config.layers.get(layer, Layer()),
        smallest_group=config.groups.smallest_group,
        permutations=config.groups.permutations,
        attributes=attributes_of(config),
        measures=tuple(name for name in config.measures_of(layer) if name not in RATINGS),
        reliability=config.reliability_of(layer),
        ratings=tuple(name for name in config.item_measures if name in RATINGS),
        crews=_crews_as_shown(config),
        seed=config.seed,
    )


def _crews_as_shown(config: Config) -> tuple[tuple[str, ...], ...]:
    """Return the annotators of the crews under their displayed names."""
    return tuple(tuple(map(config.shown_as, crew)) for crew in config.items.crews.values())


def require_crews(config: Config, humans: Collection[str]) -> None:
    """Raise ConfigError for a crew member who is not an annotator of labels."""
    for name in (name for crew in _crews_as_shown(config) for name in crew):
        if name not in humans:
            raise ConfigError(
                f"items.crews: no annotator {name!r} gave labels; the annotators are "
                f"{', '.join(sorted(humans))}"
            )


def unit_settings(config: Config) -> UnitSettings:
    return combine_options(
        UnitSettings,
        config.intervals,
        config.report,
        config.campaign,
        measures=config.unit_measures,
        alignments_kept=max(config.units.alignments_shown, config.report.document_pages),
    )


def gamma_settings(config: Config) -> GammaSettings:
    return combine_options(GammaSettings, config.chance, config.intervals, seed=config.seed)


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
    return combine_options(
        GridSettings,
        grid,
        config.chance,
        measures=grid.measures or tuple(m for m in config.units.measures if m in OF_GRIDS),
        seed=config.seed,
        units=STANDARD_UNITS if is_standard else None,
    )


def scoring_settings(config: Config) -> ScoringSettings:
    not_assigned = tuple(
        (who.pseudonym or name, who.not_assigned)
        for name, who in config.annotators.items()
        if who.not_assigned
    )
    return combine_options(
        ScoringSettings, config.intervals, seed=config.seed, not_assigned=not_assigned
    )
