"""Batches, passes and universes of a layer of labels: from exports to what the page shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordeur.data.store.store import Store
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.options import Sampling
from accordeur.reports import results as page
from accordeur.reports.warnings import in_english
from accordeur.tasks.agreement.item_agreement import LabelAnalysis
from accordeur.tasks.agreement.values_of_parts import fields_by_part
from accordeur.tasks.analysis import count
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.options import ItemSettings
from tests.tasks.stores import table, validated

TAGSET = ("O", "X", "Y")

LAYER = LayerSpec("stance", "items", TAGSET, ("anna", "ben"))


@pytest.fixture
def labelled(tmp_path: Path) -> tuple[Store, list[dict[str, Any]]]:
    """Six documents: in May all agree on X, in June on Y; ben labels May's twice, one apart."""
    rows = []
    for month, label in (("may", "X"), ("june", "Y")):
        for d in range(3):
            for i in range(4):
                for who in ("anna", "ben"):
                    given = "O" if i == 0 else label
                    rows.append(f"{month}-{d},i{i},{who},{given},stance,1")
                    if who == "ben" and month == "may":
                        again = "Y" if (d, i) == (0, 1) else given
                        rows.append(f"{month}-{d},i{i},{who},{again},stance,2")
    path = table(tmp_path, "labels.csv", "document,item,annotator,label,layer,pass", rows)
    return validated(tmp_path, [{"path": path, "batch_pattern": "^([a-z]+)-"}])


def summary_of(labelled: tuple[Store, list[dict[str, Any]]], **settings: Any) -> page.LayerResults:
    store, shards = labelled
    chosen = ItemSettings(
        Sampling(50), measures=("krippendorff_alpha", "percent_agreement"), **settings
    )
    labels = LabelAnalysis(LAYER, chosen)
    return labels.summarise(store, count(store.url, [shard.key for shard in shards], [labels]))


def test_a_value_for_each_batch_and_what_it_is_made_of(
    labelled: tuple[Store, list[dict[str, Any]]],
) -> None:
    found = summary_of(labelled)
    points = [(p.kind, p.run, p.measure, p.value) for p in found.points]
    assert [one for one in points if one[2] == "krippendorff_alpha"] == [
        ("batch", "june", "krippendorff_alpha", 1.0),
        ("batch", "may", "krippendorff_alpha", 1.0),
    ]
    [distribution] = found.distributions
    assert distribution.batches == ["june", "may"]
    assert distribution.batch_counts == [[6, 0, 18], [6, 18, 0]]
    rules = [finding.code for finding in found.items[0].findings]
    assert "inhomogeneous_batches" in rules


def test_an_annotator_against_their_own_second_pass(
    labelled: tuple[Store, list[dict[str, Any]]],
) -> None:
    [intra] = summary_of(labelled).items[0].intra
    assert intra.name == "ben"
    # 12 items, one of them apart: O 3 + 3, X 9 + 8, Y 1 of 24 labels; nominal α by hand
    expected = 1 - (6 * 17 + 6 * 1 + 17 * 1) / (24 * 23 / 2)
    assert intra.value.value == pytest.approx(1 - (1 / 12) / (1 - expected))
    assert intra.value.interval[0] < 1


def test_alpha_follows_from_the_coincidences_of_the_page(
    labelled: tuple[Store, list[dict[str, Any]]],
) -> None:
    [items] = summary_of(labelled).items
    [alpha] = [one.value for one in items.values if one.measure == "krippendorff_alpha"]
    table = np.array(items.coincidences)
    margins = table.sum(axis=1)
    differ = 1 - np.eye(len(margins))
    by_chance = (np.outer(margins, margins) * differ).sum() / (margins.sum() - 1)
    assert alpha == pytest.approx(1 - (table * differ).sum() / by_chance)


def test_universes_stand_side_by_side(labelled: tuple[Store, list[dict[str, Any]]]) -> None:
    found = summary_of(labelled, null="O", universes={"May only": "^may-"})
    universes = found.items[0].universes
    assert [(one.name, one.n_items) for one in universes] == [
        ("all items", 24),
        ("May only", 12),
        ("without O", 18),
    ]
    assert [one.tagset for one in universes] == [("O", "X", "Y")] * 2 + [("X", "Y")]
    lower, upper = universes[2].values[0].interval
    assert 0.5 < lower < upper == 1  # nobody disagrees on X and Y
    assert universes[1].confusion is not None
    assert universes[1].confusion.matrix == [[3, 0, 0], [0, 9, 0], [0, 0, 0]]
    assert summary_of(labelled).items[0].universes == []
    assert found.alerts == []


def test_a_universe_that_no_item_fits_is_told_with_an_item_to_look_at(
    labelled: tuple[Store, list[dict[str, Any]]],
) -> None:
    found = summary_of(labelled, universes={"autumn": "^october-", "May only": "^may-"})
    autumn = found.items[0].universes[1]
    assert (autumn.name, autumn.n_items) == ("autumn", 0)
    assert str(autumn.values[0].reason) == "no item fits the pattern of this subset"
    [alert] = found.alerts
    assert in_english(alert).startswith(
        "Layer stance: no item matches the subset “autumn” (^october-), which is searched for in "
        "names such as “"
    )
    names = {f"{month}-{d}, i{i}" for month in ("may", "june") for d in range(3) for i in range(4)}
    assert alert.figures["example"] in names


def test_pairs_are_those_who_share_items_wherever_they_stand() -> None:
    """Sixty annotators, two an item: 30 pairs of 1,770, most of them late in the alphabet."""
    codes = np.full((120, 60), -1, np.int32)
    for i in range(120):
        codes[i, [2 * (i % 30), 2 * (i % 30) + 1]] = i // 30 % 3
    people = tuple(f"a{n:02}" for n in range(60))
    settings = ItemSettings(Sampling(20), measures=("krippendorff_alpha",))
    found = fields_by_part(
        LabelMatrix(codes=codes, tagset=TAGSET, annotators=people), settings, "nominal"
    )
    assert found["n_pairs"] == 30
    assert [one.name for one in found["per_pair"]] == [
        f"a{n:02} – a{n + 1:02}" for n in range(0, 60, 2)
    ]
    assert all(np.isfinite(one.value.interval).all() for one in found["per_pair"])


def test_measurements_have_no_value_of_each_number() -> None:
    rng = np.random.default_rng(0)
    tagset = tuple(map(str, range(80)))
    matrix = LabelMatrix(
        codes=rng.integers(0, 80, (50, 3)).astype(np.int32),
        tagset=tagset,
        annotators=("a", "b", "c"),
    )
    settings = ItemSettings(Sampling(0), measures=("krippendorff_alpha",))
    assert fields_by_part(matrix, settings, "interval")["per_category"] == []
    assert len(fields_by_part(matrix, settings, "nominal")["per_category"]) == 80
