"""Inputs of a study: a table of labels, exports with units, or a layer of a campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from ...data.option_names import in_campaign_file
from ...data.row_account import rejection_summary
from ...metrics.agreement.coefficients import compute_coefficient
from ...metrics.agreement.distance_checks import require_order
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.alignment.continuum import Continuum
from ...metrics.resampling.grids.alignment_measures import AlignmentMeasure
from ...metrics.resampling.grids.perfect_campaign import perfect_campaign_of
from ...reports.results import Validation
from ...tasks.inputs.exported_labels import MeasuredLabels, read_exported_labels
from ...tasks.inputs.reading_options import Reading
from ...tasks.layers import LayerSpec
from ...tasks.reporting.validation_summary import validation_of_export, validation_without_links
from ...tasks.study.study_cells import Inputs
from ...tasks.units.alignment import DissimilaritySpec
from ...tasks.units.units_of_exports import read_units
from ..campaign.earlier.units_of_run import units_of_last_run
from ..campaign.file.sources import Layer
from ..campaign.task_settings.layers_of_campaign import declared_distances
from ..campaign.task_settings.settings_of_tasks import dissimilarity_of
from ..toml_file import ConfigError
from .study_config import StudyConfig


@dataclass(frozen=True, slots=True)
class Own:
    """Settings of a reading grid: the layer's distances, weights and Δ∅, chance models.

    n_annotators  most common number of annotators per document of a campaign; else None
    """

    dissimilarity: DissimilaritySpec
    layer: LayerSpec
    processes: tuple[str, ...] = ()
    n_annotators: int | None = None


@dataclass(frozen=True, slots=True)
class StudyInputs:
    """Labels or a model of units, observed values, and settings (None: a measure's defaults)."""

    inputs: Inputs
    observed: dict[str, float] = field(default_factory=dict)
    own: Own | None = None
    set_aside: str = ""  # a sentence on the rejected rows of the export
    validation: Validation | None = None


@in_campaign_file()
def read_inputs_of(config: StudyConfig) -> StudyInputs:
    """Return the user's labels or the model of their units, and the campaign's own values.

    Raises ConfigError for a campaign that was not run or distances of unknown categories, DataError
    for exports or layers that cannot be read.
    """
    data, observed = config.data, dict(config.observed)
    if data.campaign:
        return _inputs_of_campaign(config)
    if data.labels:
        reading = Reading(data.format, data.options, layer=data.layer, categories=data.categories)
        measured = MeasuredLabels(read_exported_labels(Path(data.labels), reading))
        matrix, account = measured.matrix, measured.account
        if config.study.privacy:
            matrix = _with_numbered_annotators(matrix, config.study.seed)
        observed |= _coefficients(config, matrix)
        validation = validation_of_export(account, is_private=config.study.privacy)
        return StudyInputs(matrix, observed, None, rejection_summary(account.rejected), validation)
    if data.units:
        paths = [Path(one) for one in data.units]
        units = read_units(paths, Reading(data.format, data.options, layer=data.layer))
        continua, account = units.continua, units.account()
        own = _declared_dissimilarity(config, continua[0].tagset, continua)
        dissimilarity = None if own is None else own.dissimilarity.dissimilarity_for(own.layer)
        for name in config.grid.measure:
            if name not in observed:
                observed[name] = AlignmentMeasure(name, dissimilarity)(continua)
        validation = validation_of_export(account, is_private=config.study.privacy)
        return StudyInputs(
            perfect_campaign_of(continua),
            observed,
            own,
            rejection_summary(account.rejected),
            validation,
        )
    return StudyInputs(None, observed, _declared_dissimilarity(config, config.units.categories, ()))


def units_of_study(config: StudyConfig) -> dict[str, Any]:
    """Return [units] with its defaults, of a reading grid of synthetic documents; else nothing."""
    if config.study.kind != "reading_grid" or config.data.files:
        return {}
    return config.units.model_dump(mode="json")


def _declared_dissimilarity(
    config: StudyConfig, tagset: tuple[str, ...], continua: Sequence[Continuum]
) -> Own | None:
    """Return the dissimilarity declared under [dissimilarity]; None without that section."""
    declared = config.dissimilarity
    if declared is None:
        return None
    try:
        of_tagset = Layer(categories=tagset, distance=declared.distance)
    except ValidationError as error:
        message = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise ConfigError(f"dissimilarity.distance: {message}") from None
    if continua:
        mean_length = float(np.concatenate([c.ends - c.starts for c in continua]).mean())
    else:
        mean_length = (config.units.shortest + config.units.longest) / 2
    layer = LayerSpec("", "units", tagset, (), distances=declared_distances(of_tagset, tagset))
    return Own(dissimilarity_of(declared, mean_length), layer)


def _inputs_of_campaign(config: StudyConfig) -> StudyInputs:
    """Return a layer of units of the campaign's last run, with the settings of that run."""
    path = Path(config.data.campaign)
    found = units_of_last_run(
        path, config.data.layer or "", asked_as=("data.campaign", "data.layer")
    )
    layer, continua, results = found.layer, found.continua, found.results
    [values] = [part["values"] for part in results["units"] if part["layer"] == layer.name]
    measured = {one["measure"]: one["value"] for one in values if one["value"] is not None}
    sizes = Counter(c.n_annotators for c in continua)
    own = Own(
        found.dissimilarity,
        layer,
        found.campaign.chance.processes,
        max(sizes, key=lambda n: (sizes[n], n), default=None),
    )
    wanted = {key: value for key, value in measured.items() if key in config.grid.measure}
    return StudyInputs(
        perfect_campaign_of(continua),
        wanted | dict(config.observed),
        own,
        validation=validation_without_links(results),
    )


def _with_numbered_annotators(matrix: LabelMatrix, seed: int) -> LabelMatrix:
    """Rename the annotators with random numbers, which do not reveal order or spelling."""
    numbers = np.random.default_rng(seed).permutation(matrix.n_annotators) + 1
    return replace(matrix, annotators=tuple(f"annotator {n}" for n in numbers.tolist()), items=())


def _coefficients(config: StudyConfig, matrix: LabelMatrix) -> dict[str, float]:
    """Return the values of the campaign's own labels, to be read off. Raises MetricsError."""
    names, distance = config.coefficients, config.study.distance
    if not config.data.categories:
        require_order(matrix.tagset, distance, names, declare="data.categories")
    if config.study.kind != "synthetic":
        return {}
    return {
        name: compute_coefficient(name, matrix, distance=distance).value
        for name in names
        if name not in config.observed
    }
