"""Shards, groups and layers."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.runs import SLOT_BITS
from flows.campaign import plan
from flows.campaign.config import Config, ConfigError


@given(st.integers(1, 10**7), st.integers(1, 5000))
def test_shards_cover_every_slot_once(n_documents: int, per_batch: int) -> None:
    shards = plan.shards_of(n_documents, per_batch)
    assert shards[0].low == 0
    assert shards[-1].high == 1 << SLOT_BITS
    assert all(a.high == b.low for a, b in pairwise(shards))


def test_a_campaign_that_grows_splits_its_shards_in_halves() -> None:
    small = {s.low for s in plan.shards_of(100, 50)}
    large = {s.low for s in plan.shards_of(400, 50)}
    assert small < large


@given(st.integers(1, 40), st.integers(1, 40))
def test_neighbouring_shards_are_grouped_about_equally(n_shards: int, n_groups: int) -> None:
    shards = plan.shards_of(n_shards, 1)
    groups = plan.contiguous(shards, min(n_groups, len(shards)))
    assert [shard for group in groups for shard in group] == shards
    sizes = {len(group) for group in groups}
    assert min(sizes) >= max(sizes) - 1 >= 0


def test_a_group_is_told_of_its_files_only() -> None:
    ranges = [f"x/units-{k}-{k << 28:08x}-{((k + 1) << 28) - 1:08x}.parquet" for k in range(16)]
    files = {"units": [*ranges, "x/units-00000.parquet"], "labels": []}
    told = plan.sources_for([{"files": files, "layers": {}, "key": "k"}], plan.shards_of(8, 1)[2:4])
    of_group = {"units": [*ranges[4:8], "x/units-00000.parquet"], "labels": []}
    assert told == [{"files": of_group, "layers": {}}]


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1e6), max_size=40), st.integers(1, 9))
def test_groups_are_a_partition_the_costliest_first(costs: dict[str, float], n: int) -> None:
    groups = plan.groups_of(costs, n)
    assert sorted(key for group in groups for key in group) == sorted(costs)
    sums = [sum(costs[key] for key in group) for group in groups]
    assert sums == sorted(sums, reverse=True)
    if sums and len(costs) >= n:
        assert max(sums) <= sum(costs.values()) / n + max(costs.values()) + 1e-6


def config(**more: object) -> Config:
    return Config.model_validate({"campaign": {"name": "c"}, "sources": [{"path": "x"}], **more})


def shard(**more: object) -> dict[str, object]:
    empty: dict[str, object] = {
        "unit_layers": {},
        "label_layers": {},
        "unit_length": {},
        "taking_part": {},
        "roles": {},
    }
    return empty | more


def test_layers_add_up_over_shards_and_roles_are_told_apart() -> None:
    found = plan.found_in(
        config(),
        [
            shard(
                unit_layers={"e": {"A": 2}},
                unit_length={"e": 7},
                taking_part={"e": {"anna": 1, "sys": 1}},
                roles={"anna": ["human"], "sys": ["system"]},
            ),
            shard(
                unit_layers={"e": {"A": 1, "B": 1}},
                unit_length={"e": 5},
                taking_part={"e": {"ben": 1}},
                roles={"ben": []},
            ),
        ],
    )
    [layer] = plan.layer_specs(config(), found)
    assert (layer.kind, layer.tagset) == ("units", ("A", "B"))
    assert (layer.humans, layer.systems) == (("anna", "ben"), ("sys",))
    hamming = config(units={"position": "hamming"})
    assert plan.dissimilarity_spec(hamming, "e", found).mean_length == 3.0


def test_scales_are_in_the_order_of_their_numbers() -> None:
    found = plan.found_in(config(), [shard(label_layers={"s": {"10": 1, "9": 1, "-1": 1}})])
    [layer] = plan.layer_specs(config(), found)
    assert layer.tagset == ("-1", "9", "10")


def test_an_order_of_names_must_be_declared() -> None:
    found = plan.found_in(config(), [shard(label_layers={"s": {"low": 1, "mid": 1, "high": 1}})])
    with pytest.raises(ConfigError, match=r"layers\.s: the ordinal distance needs the order"):
        plan.layer_specs(config(layers={"s": {"distance": "ordinal"}}), found)
    declared = {"distance": "ordinal", "tagset": ["low", "mid", "high"]}
    [layer] = plan.layer_specs(config(layers={"s": declared}), found)
    assert layer.tagset == ("low", "mid", "high")


def test_somebody_with_two_roles_is_refused() -> None:
    parts = [shard(roles={"anna": ["human"]}), shard(roles={"anna": ["system"]})]
    with pytest.raises(ConfigError, match="'anna' is human and system in different exports"):
        plan.found_in(config(), parts)
    declared = config(annotators={"anna": {"role": "system"}})
    assert plan.found_in(declared, parts).roles == {"anna": "system"}


def test_a_declared_layer_that_nothing_holds_is_refused() -> None:
    found = plan.found_in(config(), [shard(label_layers={"s": {"a": 1}})])
    with pytest.raises(ConfigError, match=r"layers\.t: no export holds this layer; .*found are s"):
        plan.layer_specs(config(layers={"t": {}}), found)


def test_items_with_several_labels_are_compared_as_sets() -> None:
    """MASI of Passonneau 2006, 1 − J·M: {a} and {a, b} overlap by J = 1/2, M = 2/3."""
    parts = [shard(label_layers={"s": {"a": 1, "a\x1fb": 1, "c": 1}})]
    found = plan.found_in(config(), parts)
    [layer] = plan.layer_specs(config(layers={"s": {"distance": "masi"}}), found)
    assert layer.tagset == ("a", "a+b", "c")
    assert layer.distances is not None
    assert layer.distances[0] == pytest.approx((0, 1 - 1 / 2 * 2 / 3, 1))


def test_declared_distances_become_a_matrix() -> None:
    found = plan.found_in(config(), [shard(label_layers={"s": {"a": 1, "b": 1, "c": 1}})])
    declared = config(layers={"s": {"tagset": ["a", "b", "c"], "distances": {"a": {"c": 0.25}}}})
    [layer] = plan.layer_specs(declared, found)
    assert layer.distances == ((0.0, 1.0, 0.25), (1.0, 0.0, 1.0), (0.25, 1.0, 0.0))


def test_rows_bound_a_shard_where_sources_hold_different_documents() -> None:
    assert len(plan.shards_of(100, 200)) == 1
    assert len(plan.shards_of(100, 200, 250_000)) == 4
    assert len(plan.shards_of(10**6, 1)) == plan.MOST_SHARDS
    assert len(plan.shards_of(10**6, 1, 10**9)) == 16_384
