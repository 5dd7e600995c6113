"""Stage that estimates what the corpus contains, separate from agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....data.store.store import Store
from ....tasks.intake.shards import ValidatedShard
from ....tasks.layers import LayerSpec
from ....tasks.prevalence.corpus_labels import has_mean
from ....tasks.prevalence.estimates_of_run import EstimateAnalysis
from ....tasks.queues_of_rounds import items_drawn_at_random, read_queues
from ...toml_file import ConfigError
from ..file.measure_keys import Estimate
from ..run import Run
from ..task_settings import settings_of_tasks
from ..task_settings.layers_of_campaign import require_system
from .analyses import measure_layers


def estimate_corpora(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec]
) -> list[str]:
    """Return the paths of the summaries, one for each layer selected in [estimate].

    Raises ConfigError for a layer that cannot be estimated, an unknown category, and a mean of
    categories without values.
    """
    declared = run.config.estimate
    if declared is None:
        return []
    chosen = _chosen(declared, layers)
    options = settings_of_tasks.estimate_options(declared)
    drawn = items_drawn_at_random(read_queues(Store(run.store_url)))
    analyses = [
        EstimateAnalysis(
            layer,
            replace(
                options,
                only=tuple(one for one in layer.tagset if one in declared.only),
            ),
            None
            if declared.audit == "random"
            else tuple((document, item) for name, document, item in drawn if name == layer.name),
            run.config.report.period,
        )
        for layer in chosen
    ]
    return measure_layers(
        run,
        "count labels of systems and audit",
        "estimates",
        analyses,
        shards,
        rows=lambda one: one.n_labels,
    )


def _chosen(declared: Estimate, layers: Sequence[LayerSpec]) -> list[LayerSpec]:
    known = {one.name: one for one in layers if one.is_labels and one.systems and not one.sets}
    names = declared.layers or tuple(known)
    require_system("estimate.layers", names, known)
    chosen = [known[name] for name in names]
    tagset = {category for layer in chosen for category in layer.tagset}
    for category in declared.only if chosen else ():
        if category not in tagset:
            raise ConfigError(
                f"estimate.only: {category!r} does not occur; there are {', '.join(sorted(tagset))}"
            )
    for layer in chosen:
        if "mean" in declared.measures and not has_mean(layer.tagset, ordered=layer.ordered):
            raise ConfigError(
                f"estimate.measures: layer {layer.name!r} has no mean, as its categories are no "
                "numbers and not in the order of a scale; select others with layers"
            )
    wanted = declared.only or tagset
    return [layer for layer in chosen if not set(layer.tagset).isdisjoint(wanted)]
