"""Judges of a campaign: the layers that are checked, and the tables that the file names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ....data.errors import DataError
from ....tasks.candidates.bars import require_computable
from ....tasks.candidates.judged_labels import chosen_reference, read_confidence
from ....tasks.candidates.judges_of_run import JudgeAnalysis
from ....tasks.candidates.slices import read_slices_table
from ....tasks.layers import LayerSpec
from ....tasks.replacement.judge_checks import read_lengths
from ...toml_file import ConfigError
from ..file.campaign_config import Config
from .layers_of_campaign import require_system
from .settings_of_tasks import judge_settings, not_assigned

_T = TypeVar("_T", float, str)


def judge_analyses(config: Config, layers: Sequence[LayerSpec]) -> list[JudgeAnalysis]:
    """Return the check of each layer that [judges] selects; [] without this section.

    Raises ConfigError for an unknown layer or reference, a panel of fewer than three, a bar on an
    unknown category, and a table that cannot be read.
    """
    declared = config.judges
    if declared is None:
        return []
    known = {
        one.name: one
        for one in layers
        if one.is_labels and one.systems and one.humans and not one.sets
    }
    require_system("judges.layers", declared.layers, known)
    chosen = [known[name] for name in declared.layers or known]
    options = judge_settings(config, declared)
    try:
        for layer in chosen:
            chosen_reference(layer, options)
            require_computable(declared.bars, layer.tagset, options, layer.item_distance())
        lengths = {} if declared.lengths is None else read_lengths(Path(declared.lengths))
        own = declared.confidence
        confidence = {} if own is None else read_confidence(Path(own))
        slices = {} if declared.by is None else read_slices_table(Path(declared.by))
    except DataError as error:
        raise ConfigError(f"judges: {error}") from None
    stated = {config.shown_as(system): own for system, own in confidence.items()}
    return [
        JudgeAnalysis(
            layer,
            replace(options, earlier=layer.earlier_systems(options.earlier)),
            config.sampling,
            not_assigned(config),
            _rows(lengths),
            tuple((system, *row) for system, own in sorted(stated.items()) for row in _rows(own)),
            _rows(slices),
        )
        for layer in chosen
    ]


def _rows(of_items: Mapping[tuple[str, str], _T]) -> tuple[tuple[str, str, _T], ...]:
    return tuple((document, item, of_items[document, item]) for document, item in sorted(of_items))
