"""Stages that count shards and summarise layers, for every kind of layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....tasks.analysis import Analysis, Counted, SummarisedAnalysis, count_node, summary_node
from ....tasks.intake.shards import ShardFacts, ValidatedShard
from ....tasks.node import Node
from ...progress.names import shards_named
from ..run import Run
from ..task_settings import sharding


def measure_layers(
    run: Run,
    counting: str,
    summarising: str,
    analyses: Sequence[SummarisedAnalysis],
    shards: Sequence[ValidatedShard],
    *,
    rows: Callable[[ShardFacts], int],
) -> list[str]:
    """Count every shard, and return the paths of the summaries; no stage without an analysis."""
    if not analyses:
        return []
    counted = count_shards(run, counting, analyses, shards, rows=rows)
    return summarise_layers(run, summarising, analyses, counted)


def count_shards(
    run: Run,
    stage: str,
    analyses: Sequence[Analysis],
    shards: Sequence[ValidatedShard],
    *,
    rows: Callable[[ShardFacts], int],
) -> list[Counted]:
    """Count every shard for each analysis, in the order of the shards.

    rows   number of rows of a shard on which its cost depends
    """
    groups = _of_equal_cost(run, shards, rows)
    order = {shard.key: shard.shard.number for shard in shards}
    counted = [(one.layer_name, key) for keys in groups for key in keys for one in analyses]
    outcomes = run.complete(
        stage,
        {
            shards_named(order[key] for key in keys): [
                count_node(one.counting, key) for key in keys for one in analyses
            ]
            for keys in groups
        },
        of_all=False,
    )
    done = [Counted(*one, outcome) for one, outcome in zip(counted, outcomes, strict=True)]
    return sorted(done, key=lambda one: order[one.key])


def summarise_layers(
    run: Run, stage: str, analyses: Sequence[SummarisedAnalysis], counted: Sequence[Counted]
) -> list[str]:
    """Return the paths of the summaries of layers whose shards were counted."""
    return [one.fields for one in run.complete(stage, _summary_nodes(analyses, counted))]


def begin_summaries(
    run: Run, stage: str, analyses: Sequence[SummarisedAnalysis], counted: Sequence[Counted]
) -> None:
    """Submit the tasks of `summarise_layers`, before tasks that run beside them."""
    run.begin(stage, _summary_nodes(analyses, counted))


def _summary_nodes(
    analyses: Sequence[SummarisedAnalysis], counted: Sequence[Counted]
) -> dict[str, list[Node]]:
    return {
        one.layer_name: [
            summary_node(one, [part for part in counted if part.layer == one.layer_name])
        ]
        for one in analyses
    }


def _of_equal_cost(
    run: Run, shards: Sequence[ValidatedShard], rows: Callable[[ShardFacts], int]
) -> list[list[str]]:
    """Group shard keys by about equal estimated cost: rows × annotators."""
    costs = {
        shard.key: 1.0 + rows(shard.facts) * max(1, len(shard.facts.roles)) for shard in shards
    }
    n_rows = sum(rows(shard.facts) for shard in shards)
    n_groups = sharding.n_groups(len(costs), n_rows, run.config.engine.workers)
    return sharding.groups_of_equal_cost(costs, n_groups)
