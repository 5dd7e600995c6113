"""Stage that lists probable errors, separate from agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....data.store.store import Store
from ....tasks.intake.layer_contents import Contents
from ....tasks.intake.shards import ValidatedShard
from ....tasks.layers import LayerSpec
from ....tasks.mistakes.mistake_tables import NO_TABLES, read_verdicts_and_audits_of_campaign
from ....tasks.mistakes.mistakes_of_run import MistakeSearch, can_have_queue, mistakes_node
from ....tasks.node import Node
from ..run import Run
from ..task_settings import settings_of_tasks
from .references_and_scores import all_decisions, names_in_old_decisions

TASK = "find mistakes"


def look_for_mistakes(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec], found: Contents
) -> list[str]:
    """Return the paths of the summaries, one for each layer of three or more annotators.

    Raises DataError for a table of verdicts or audited items that cannot be read.
    """
    nodes = _nodes(run, shards, layers, found)
    return [one.fields for one in run.complete("mistakes", nodes, task=TASK)]


def begin_looking_for_mistakes(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec], found: Contents
) -> None:
    """Submit the searches in layers of labels, which need no other stage than validation."""
    run.begin(TASK, _nodes(run, shards, [one for one in layers if one.is_labels], found))


def _nodes(
    run: Run, shards: Sequence[ValidatedShard], layers: Sequence[LayerSpec], found: Contents
) -> dict[str, list[Node]]:
    with_systems = run.config.mistakes.with_systems
    if not with_systems:  # the categories of systems and references change no probability
        layers = [replace(layer.agreement or layer, systems=()) for layer in layers]
    chosen = [layer.with_informative() for layer in layers if can_have_queue(layer)]
    if not chosen or run.request.is_release:
        return {}
    keys = [shard.key for shard in shards]
    tables = read_verdicts_and_audits_of_campaign(run.config.mistakes, chosen, run.config.shown_as)
    decisions = all_decisions(run.config, Store(run.store_url))
    options = replace(run.config.mistakes, judgments=None, audited=None)  # the tables were read
    searches = [
        MistakeSearch(
            layer,
            None
            if layer.is_labels
            else settings_of_tasks.dissimilarity_spec(run.config, layer.name, found),
            options,
            tuple(decision for name, decision in decisions if name == layer.name),
            tables.get(layer.name, NO_TABLES),
            names_in_old_decisions(run.config, decisions),
        )
        for layer in chosen
    ]
    return {one.layer.name: [mistakes_node(keys, one)] for one in searches}
