"""Stages that count shards and summarise layers, for every kind of layer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....tasks.analysis import Analysis, Counted, SummarisedAnalysis, count_task, summarise_task
from ....tasks.intake.shards import ShardFacts, ValidatedShard
from ....tasks.isolation import Counting, Probe, Summarising
from ...progress.names import shards_named
from ..run import Run
from ..task_settings import sharding


def count_shards(
    run: Run,
    stage: str,
    analyses: Sequence[Analysis],
    shards: Sequence[ValidatedShard],
    *,
    rows: Callable[[ShardFacts], int],
    after: Sequence[str] = (),
) -> list[Counted]:
    """Count every shard for each analysis, in the order of the shards.

    rows   number of rows of a shard on which its cost depends
    after  what the tasks use besides the shards (see `Run.made`)
    """
    groups = _of_equal_cost(run, shards, rows)
    order = {shard.key: shard.shard.number for shard in shards}
    with run.stage(stage, len(groups)) as timed:
        futures = [
            run.submit(
                count_task,
                shards_named(order[key] for key in keys),
                keys,
                analyses,
                stage=stage,
                after=[*keys, *after],
                fresh=run.fresh,
            )
            for keys in groups
        ]
        probes = [Probe(stage, Counting(analyses), tuple(keys)) for keys in groups]
        parts = run.gather(futures, probes, makes=lambda part: [one.place for one in part])
        done = [one for part in parts for one in part]
        run.note(timed, [one.outcome for one in done])
    return sorted(done, key=lambda one: order[one.key])


def summarise_layers(
    run: Run, stage: str, analyses: Sequence[SummarisedAnalysis], counted: Sequence[Counted]
) -> list[str]:
    """Return the paths of the summaries of layers whose shards were counted."""
    with run.stage(stage, len(analyses)) as timed:
        futures = [
            run.submit(
                summarise_task,
                analysis.name,
                analysis,
                [one for one in counted if one.layer == analysis.name],
                stage=stage,
                after=[one.place for one in counted if one.layer == analysis.name],
                fresh=run.fresh,
            )
            for analysis in analyses
        ]
        keys = tuple(dict.fromkeys(one.key for one in counted))
        probes = [Probe(stage, Summarising(analysis), keys) for analysis in analyses]
        summaries = run.gather(futures, probes, makes=lambda one: [one.path])
        run.note(timed, [one.outcome for one in summaries])
    return [one.path for one in summaries]


def _of_equal_cost(
    run: Run, shards: Sequence[ValidatedShard], rows: Callable[[ShardFacts], int]
) -> list[list[str]]:
    """Group shard keys by about equal estimated cost: rows × annotators."""
    costs = {
        shard.key: 1.0 + rows(shard.facts) * max(1, len(shard.facts.roles)) for shard in shards
    }
    n_rows = sum(rows(shard.facts) for shard in shards)
    n_groups = sharding.n_groups(len(costs), n_rows, run.config.engine.workers)
    return sharding.groups_of(costs, n_groups)
