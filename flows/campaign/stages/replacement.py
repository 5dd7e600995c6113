"""Stage that judges whether systems may replace an annotator, separate from agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ....metrics.errors import MetricsError
from ....metrics.replacement.replacement_options import alignment_for
from ....tasks.intake.layer_contents import Contents
from ....tasks.intake.shards import ValidatedShard
from ....tasks.layers import LayerSpec
from ....tasks.replacement.judge_checks import read_lengths
from ....tasks.replacement.judged_labels import label_similarity_function
from ....tasks.replacement.judges_of_run import JudgeFacts, ReplacementAnalysis
from ...toml_file import ConfigError
from ..file.campaign_config import Config
from ..file.sources import JUDGE_FACTS
from ..run import Run
from ..task_settings import settings_of_tasks
from ..task_settings.layers_of_campaign import require_system
from .analyses import measure_layers


def judge_systems(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec], found: Contents
) -> list[str]:
    """Return the paths of the summaries, one for each layer selected in [replacement].

    Raises ConfigError for an unknown layer, or one whose labels the alignment does not support.
    """
    declared = run.config.replacement
    if declared is None:
        return []
    judged = {layer.name: layer.with_informative() for layer in layers if layer.systems}
    require_system("replacement.layers", declared.layers, judged)
    settings = settings_of_tasks.replacement_settings(run.config, declared)
    earlier = settings.earlier
    known = {system for layer in judged.values() for system in layer.systems}
    for name in (*earlier, *earlier.values()):
        if name not in known:
            raise ConfigError(
                f"replacement.earlier: {name!r} is not a system of the exports; the systems are "
                f"{', '.join(sorted(known))}"
            )
    not_assigned = settings_of_tasks.not_assigned(run.config)
    lengths: tuple[tuple[str, str, float], ...] = ()
    if declared.lengths is not None:
        of_units = any(not layer.is_labels for layer in judged.values())
        of_items = read_lengths(Path(declared.lengths), of_documents=of_units)
        lengths = tuple(sorted((*item, length) for item, length in of_items.items()))
    facts = facts_of_judges(run.config)
    analyses = [
        ReplacementAnalysis(
            layer,
            replace(
                settings,
                alignment=alignment_for(settings.alignment, of_units=not layer.is_labels),
                earlier=layer.earlier_systems(earlier),
            ),
            not_assigned,
            None
            if layer.is_labels
            else settings_of_tasks.dissimilarity_spec(run.config, name, found),
            lengths,
            tuple(facts.get(system, JudgeFacts()) for system in layer.systems),
        )
        for name, layer in judged.items()
        if not declared.layers or name in declared.layers
    ]
    for analysis in (one for one in analyses if one.layer.is_labels):
        try:
            label_similarity_function(analysis.how.alignment, analysis.layer.tagset, None)
        except MetricsError as error:
            raise ConfigError(
                f"replacement.alignment, layer {analysis.layer_name!r}: {error}"
            ) from None
    return measure_layers(
        run,
        "compare systems",
        "judge systems",
        analyses,
        shards,
        rows=lambda one: one.n_labels + one.n_units,
    )


def facts_of_judges(config: Config) -> dict[str, JudgeFacts]:
    """Return what the campaign file says of each system, by the name that is shown."""
    return {
        config.shown_as(name): JudgeFacts(*(getattr(one, key) for key in JUDGE_FACTS))
        for name, one in config.annotators.items()
        if one.role == "system"
    }
