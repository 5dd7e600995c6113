"""Documents cut into shards, shards dealt into groups."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from accordeur.data.intake.sorted_runs import SLOT_BITS
from accordeur.flows.campaign.task_settings.sharding import (
    MOST_SHARDS,
    contiguous_groups,
    equal_shards,
    groups_of_equal_cost,
    sources_for,
)
from accordeur.tasks.intake.ingest import RawFiles


@given(st.integers(1, 10**7), st.integers(1, 5000))
def test_shards_cover_every_slot_once(n_documents: int, per_batch: int) -> None:
    shards = equal_shards(n_documents, per_batch)
    assert shards[0].low == 0
    assert shards[-1].high == 1 << SLOT_BITS
    assert all(a.high == b.low for a, b in pairwise(shards))


def test_a_campaign_that_grows_splits_its_shards_in_halves() -> None:
    small = {s.low for s in equal_shards(100, 50)}
    large = {s.low for s in equal_shards(400, 50)}
    assert small < large


@given(st.integers(1, 40), st.integers(1, 40))
def test_neighbouring_shards_are_grouped_about_equally(n_shards: int, n_groups: int) -> None:
    shards = equal_shards(n_shards, 1)
    groups = contiguous_groups(shards, min(n_groups, len(shards)))
    assert [shard for group in groups for shard in group] == shards
    sizes = {len(group) for group in groups}
    assert min(sizes) >= max(sizes) - 1 >= 0


def test_a_group_gets_its_files_only() -> None:
    ranges = [f"x/units-{k}-{k << 28:08x}-{((k + 1) << 28) - 1:08x}.parquet" for k in range(16)]
    files = {"units": [*ranges, "x/units-00000.parquet"], "labels": []}
    of_shards = sources_for([RawFiles(files, {})], equal_shards(8, 1)[2:4])
    of_group = {"units": [*ranges[4:8], "x/units-00000.parquet"], "labels": []}
    assert of_shards == [RawFiles(of_group, {})]


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1e6), max_size=40), st.integers(1, 9))
def test_groups_are_a_partition_the_costliest_first(costs: dict[str, float], n: int) -> None:
    groups = groups_of_equal_cost(costs, n)
    assert sorted(key for group in groups for key in group) == sorted(costs)
    sums = [sum(costs[key] for key in group) for group in groups]
    assert sums == sorted(sums, reverse=True)
    if sums and len(costs) >= n:
        assert max(sums) <= sum(costs.values()) / n + max(costs.values()) + 1e-6


def test_rows_bound_a_shard_where_sources_hold_different_documents() -> None:
    assert len(equal_shards(100, 200)) == 1
    assert len(equal_shards(100, 200, 250_000)) == 4
    assert len(equal_shards(10**6, 1)) == MOST_SHARDS
    assert len(equal_shards(10**6, 1, 10**9)) == 16_384
