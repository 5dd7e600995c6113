"""The stage of a run that judges whether systems may replace an annotator, apart from agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ....metrics.errors import MetricsError
from ....metrics.options import combine_options
from ....metrics.replacement.options import ReplacementSettings, alignment_for
from ....tasks.intake.shards import ValidatedShard
from ....tasks.layers import LayerSpec
from ....tasks.replacement.campaign import ReplacementAnalysis
from ....tasks.replacement.labels import similarity_of
from ...toml_file import ConfigError
from ..task_settings import plan
from ..task_settings.layers import Found
from .analyses import count_shards, summarise_layers

if TYPE_CHECKING:
    from ..run import Run


def judge_systems(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec], found: Found
) -> list[str]:
    """Paths of the summaries, one for each layer that [replacement] is about.

    Raises ConfigError for a layer that is not there, or whose labels the alignment cannot take.
    """
    declared = run.config.replacement
    if declared is None:
        return []
    judged = {layer.name: layer for layer in layers if layer.systems}
    for name in declared.layers:
        if name not in judged:
            raise ConfigError(
                f"replacement.layers: no layer {name!r} has a system; there "
                f"{'are ' + ', '.join(judged) if judged else 'is none'}: give "
                'role = "system" in [annotators]'
            )
    settings = combine_options(
        ReplacementSettings, declared, run.config.intervals, seed=run.config.seed
    )
    scoring = plan.scoring_settings(run.config)
    analyses = [
        ReplacementAnalysis(
            layer,
            replace(
                settings,
                alignment=alignment_for(settings.alignment, of_units=not layer.is_labels),
            ),
            scoring,
            None if layer.is_labels else plan.dissimilarity_spec(run.config, name, found),
        )
        for name, layer in judged.items()
        if not declared.layers or name in declared.layers
    ]
    for analysis in (one for one in analyses if one.layer.is_labels):
        try:
            similarity_of(analysis.how.alignment, analysis.layer.tagset, None)
        except MetricsError as error:
            raise ConfigError(f"replacement.alignment, layer {analysis.name!r}: {error}") from None
    if not analyses:
        return []
    counted = count_shards(
        run, "compare systems", analyses, shards, rows=lambda one: one.n_labels + one.n_units
    )
    return summarise_layers(run, "judge systems", analyses, counted)
