"""What the campaign file makes of the layers that validation found."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.flows.campaign.file.campaign_config import Config, load_campaign
from accordeur.flows.campaign.file.declared import require_tables
from accordeur.flows.campaign.task_settings import settings_of_tasks as plan
from accordeur.flows.campaign.task_settings.layers_of_campaign import (
    layer_contents,
    layer_specs,
)
from accordeur.flows.toml_file import ConfigError
from accordeur.metrics.agreement.distances import NamedTable
from accordeur.tasks.intake.layer_contents import OF_SCORES
from accordeur.tasks.intake.shards import ShardFacts


def config(**more: object) -> Config:
    return Config.model_validate({"campaign": {"name": "c"}, "sources": [{"path": "x"}], **more})


def shard(**layers: dict[str, dict[str, int]]) -> ShardFacts:
    """Return the facts of a shard whose rows are all of one annotator."""
    rows = {
        table: {layer: {"anna": counts} for layer, counts in of_table.items()}
        for table, of_table in layers.items()
    }
    names = {layer: {"anna": 1} for of_table in layers.values() for layer in of_table}
    return ShardFacts(key="", taking_part=names, **rows)  # type: ignore[arg-type]


def test_layers_add_up_over_shards_and_roles_are_told_apart() -> None:
    found = layer_contents(
        config(),
        [
            ShardFacts(
                key="",
                unit_layers={"e": {"anna": {"A": 2}, "sys": {"C": 7}}},
                unit_lengths={"e": {"anna": [2, 7], "sys": [7, 700]}},
                taking_part={"e": {"anna": 1, "sys": 1}},
                roles={"anna": ["human"], "sys": ["system"]},
            ),
            ShardFacts(
                key="",
                unit_layers={"e": {"anna": {"A": 1, "B": 1}}},
                unit_lengths={"e": {"anna": [2, 5]}},
                taking_part={"e": {"ben": 1}},
                roles={"ben": []},
            ),
        ],
    )
    [layer] = layer_specs(config(), found)
    assert (layer.kind, layer.tagset) == ("units", ("A", "B"))
    [scored] = layer_specs(config(), found, OF_SCORES)
    assert scored.tagset == ("A", "B", "C")
    assert (layer.humans, layer.systems) == (("anna", "ben"), ("sys",))
    hamming = config(units={"position": "hamming"})
    assert plan.dissimilarity_spec(hamming, "e", found).mean_length == 3.0


def test_scales_are_in_the_order_of_their_numbers() -> None:
    found = layer_contents(config(), [shard(label_layers={"s": {"10": 1, "9": 1, "-1": 1}})])
    [layer] = layer_specs(config(), found)
    assert layer.tagset == ("-1", "9", "10")


def test_an_order_of_names_must_be_declared() -> None:
    found = layer_contents(config(), [shard(label_layers={"s": {"low": 1, "mid": 1, "high": 1}})])
    with pytest.raises(ConfigError, match=r"layers\.s: the ordinal distance needs the order"):
        layer_specs(config(layers={"s": {"distance": "ordinal"}}), found)
    declared = {"distance": "ordinal", "categories": ["low", "mid", "high"]}
    [layer] = layer_specs(config(layers={"s": declared}), found)
    assert layer.tagset == ("low", "mid", "high")


def test_somebody_with_two_roles_is_refused() -> None:
    parts = [ShardFacts(key="", roles={"anna": [role]}) for role in ("human", "system")]
    with pytest.raises(ConfigError, match="'anna' is human and system in different exports"):
        layer_contents(config(), parts)
    declared = config(annotators={"anna": {"role": "system"}})
    assert layer_contents(declared, parts).roles == {"anna": "system"}


def test_a_declared_layer_that_nothing_holds_is_refused() -> None:
    found = layer_contents(config(), [shard(label_layers={"s": {"a": 1}})])
    with pytest.raises(ConfigError, match=r"layers\.t: no export holds this layer; .*found are s"):
        layer_specs(config(layers={"t": {}}), found)


def test_items_with_several_labels_are_compared_as_sets() -> None:
    """MASI of Passonneau 2006, 1 − J·M: {a} and {a, b} overlap by J = 1/2, M = 2/3."""
    parts = [shard(label_layers={"s": {"a": 1, "a + b": 1, "c": 1}})]
    found = layer_contents(config(), parts)
    [layer] = layer_specs(config(layers={"s": {"distance": "masi"}}), found)
    assert layer.tagset == ("a", "a + b", "c")
    assert layer.distances is not None
    assert layer.distances[0] == pytest.approx((0, 1 - 1 / 2 * 2 / 3, 1))


def test_declared_distances_become_a_matrix() -> None:
    found = layer_contents(config(), [shard(label_layers={"s": {"a": 1, "b": 1, "c": 1}})])
    declared = config(layers={"s": {"categories": ["a", "b", "c"], "distance": {"a": {"c": 0.25}}}})
    [layer] = layer_specs(declared, found)
    assert layer.distances == ((0.0, 1.0, 0.25), (1.0, 0.0, 1.0), (0.25, 1.0, 0.0))


def test_units_on_a_scale_are_as_far_apart_as_their_ranks_or_numbers() -> None:
    """On labels the name of a distance is enough; an alignment needs the matrix."""
    found = layer_contents(config(), [shard(unit_layers={"u": {"1": 1, "2": 1, "5": 1}})])
    [layer] = layer_specs(config(layers={"u": {"distance": "ordinal"}}), found)
    assert layer.distances == ((0, 0.5, 1), (0.5, 0, 0.5), (1, 0.5, 0))
    [layer] = layer_specs(config(layers={"u": {"distance": "interval"}}), found)
    assert layer.distances == ((0, 0.25, 1), (0.25, 0, 0.75), (1, 0.75, 0))
    [layer] = layer_specs(config(), found)
    assert layer.distances is None
    own = {"categories": ["1", "2", "5"], "distance": {"1": {"2": 0.1}}}
    [layer] = layer_specs(config(layers={"u": own}), found)
    assert layer.distances is not None
    assert layer.distances[0] == (0, 0.1, 1)
    on_places = {"distance": "ordinal", "kind": "positions"}
    [layer] = layer_specs(config(layers={"u": on_places}), found)
    assert (layer.distance, layer.distances) == ("ordinal", None)


@pytest.mark.parametrize(
    ("distance", "message"),
    [
        ("ratio", "units have no ratio distance: choose one of nominal, ordinal, interval"),
        ("interval", "needs numbers, and the categories .* are not all numbers"),
    ],
)
def test_a_distance_that_units_do_not_have_is_refused(distance: str, message: str) -> None:
    found = layer_contents(config(), [shard(unit_layers={"u": {"low": 1, "high": 1}})])
    with pytest.raises(ConfigError, match=rf"layers\.u\.distance: .*{message}"):
        layer_specs(config(layers={"u": {"distance": distance}}), found)


def test_a_circular_distance_says_how_long_its_circle_is() -> None:
    found = layer_contents(config(), [shard(label_layers={"hour": {"8": 1, "14": 1, "20": 1}})])
    with pytest.raises(ConfigError, match=r"layers\.hour: the circular distance needs the length"):
        layer_specs(config(layers={"hour": {"distance": "circular"}}), found)
    said = {"distance": "circular", "circumference": 24}
    [layer] = layer_specs(config(layers={"hour": said}), found)
    assert (layer.distance, layer.distances) == ("circular/24", None)
    hours = {"distance": "circular", "categories": [str(hour) for hour in range(24)]}
    [layer] = layer_specs(config(layers={"hour": hours}), found)
    assert layer.distance == "circular"
    with pytest.raises(ValueError, match="circumference applies only to distance"):
        config(layers={"hour": {"circumference": 24}})


def test_a_tree_distance_says_what_separates_the_names_of_a_path() -> None:
    counts = {"bird": 1, "bird.crow": 1, "oak": 1}
    of_both = shard(label_layers={"l": counts}, unit_layers={"u": counts})
    found = layer_contents(config(), [of_both])
    said = {"distance": "tree", "separator": "."}
    layers = layer_specs(config(layers={"l": said, "u": said}), found)
    by_name = {one.name: one for one in layers}
    assert (by_name["l"].distance, by_name["l"].distances) == ("tree/.", None)
    steps = [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    assert by_name["u"].distances == tuple(tuple(step / 3 for step in row) for row in steps)
    for name in ("l", "u"):
        with pytest.raises(ConfigError, match=rf"layers\.{name}.*paths with the separator '/'"):
            layer_specs(config(layers={name: {"distance": "tree"}}), found)
    with pytest.raises(ValueError, match="separator applies only to distance"):
        config(layers={"l": {"separator": "."}})


def test_distances_may_be_a_file_as_in_commands(tmp_path: Path) -> None:
    (tmp_path / "taxonomy.txt").write_text("animal\n  bird\n  dog\nplant\n  oak\n")
    (tmp_path / "pairs.csv").write_text("category,category,distance\nbird,dog,0.25\n")
    file = tmp_path / "campaign.toml"
    base = '[campaign]\nname = "c"\n[[sources]]\npath = "x"\n'
    counts = {"bird": 1, "dog": 1, "oak": 1}
    found = layer_contents(config(), [shard(label_layers={"l": counts}, unit_layers={"u": counts})])

    def loaded(distances: str, **more: str) -> Config:
        layers = "".join(
            f'[layers.{name}]\ndistance = "{distances}"\n{more.get(name, "")}' for name in "lu"
        )
        file.write_text(base + layers)
        return load_campaign(file)

    for layer in layer_specs(loaded("taxonomy.txt"), found):
        assert layer.distances == ((0, 0.5, 1), (0.5, 0, 1), (1, 1, 0))
    tagset = 'categories = ["bird", "dog", "oak"]\n'
    for layer in layer_specs(loaded("pairs.csv", l=tagset, u=tagset), found):
        assert layer.distances == ((0, 0.25, 1), (0.25, 0, 1), (1, 1, 0))
    require_tables(loaded("taxonomy.txt"))
    for name, tagset, message in (
        ("missing.txt", "", "layers.l.distance: .*no such file"),
        (
            "pairs.csv",
            'categories = ["bird"]\n',
            "layers.l.distance: .*'dog', which is not one of the",
        ),
    ):
        with pytest.raises(ConfigError, match=message):
            require_tables(loaded(name, l=tagset, u=tagset))
    fish = layer_contents(config(), [shard(label_layers={"l": {"bird": 1, "fish": 1}})])
    with pytest.raises(ConfigError, match=r"layers\.l\.distance: .*no category 'fish'"):
        layer_specs(loaded("taxonomy.txt"), fish)


def test_a_distance_on_sets_keeps_its_name() -> None:
    found = layer_contents(
        config(), [shard(label_layers={"s": {"a": 1, "a + b": 1}, "t": {"a+b": 1}})]
    )
    sets, single = layer_specs(config(layers={"s": {"distance": "masi"}}), found)
    distance = sets.item_distance()
    assert isinstance(distance, NamedTable)
    assert (distance.name, sets.labels()) == ("masi", ("a", "b"))
    assert (single.labels(), single.members()) == ((), None)
