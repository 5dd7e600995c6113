"""Batches, periods, passes, universes and atoms: from exports to what the page shows of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from data.rules import Declared
from data.runs import SLOT_BITS
from data.store import Store
from metrics.alignment.continuum import Continuum
from metrics.estimate import Estimate
from reports import results as page
from tasks.coverage import batches_of, coverage_of
from tasks.groups import document_groups, members
from tasks.ingest import SourceSpec, ingest
from tasks.items.counts import count_labels
from tasks.items.settings import ItemSettings
from tasks.items.summary import summarise_labels
from tasks.layers import LayerSpec
from tasks.passes import unit_passes
from tasks.units.alignment import DissimilaritySpec, align_units, read_usage
from tasks.units.atoms import OUTSIDE, atoms_of
from tasks.units.summary import GAMMA, pieces_dealt
from tasks.units.usage import unit_distribution
from tasks.validate import Shard, ValidationSpec, validate
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


def summary_of(labelled: tuple[Store, list[dict[str, Any]]], **settings: Any) -> dict[str, Any]:
    store, shards = labelled
    done = count_labels(store.url, [shard["key"] for shard in shards], [LAYER])
    chosen = ItemSettings(("krippendorff_alpha", "percent_agreement"), replicates=50, **settings)
    found: dict[str, Any] = store.read_json(summarise_labels(store.url, LAYER, done, chosen))
    return found


def test_a_value_for_each_batch_and_what_it_is_made_of(
    labelled: tuple[Store, list[dict[str, Any]]],
) -> None:
    found = summary_of(labelled)
    points = [(p["kind"], p["run"], p["measure"], p["value"]) for p in found["points"]]
    assert points == [
        ("batch", "june", "krippendorff_alpha", 1.0),
        ("batch", "may", "krippendorff_alpha", 1.0),
    ]
    distribution = page.Distribution.model_validate(found["distribution"])
    assert distribution.batches == ["june", "may"]
    assert distribution.batch_counts == [[6, 0, 18], [6, 18, 0]]
    rules = [finding["rule"] for finding in found["items"]["findings"]]
    assert "inhomogeneous_batches" in rules


def test_an_annotator_against_their_own_second_pass(
    labelled: tuple[Store, list[dict[str, Any]]],
) -> None:
    [intra] = summary_of(labelled)["items"]["intra"]
    assert intra["name"] == "ben"
    # 12 items, one of them apart: O 3 + 3, X 9 + 8, Y 1 of 24 labels; nominal α by hand
    expected = 1 - (6 * 17 + 6 * 1 + 17 * 1) / (24 * 23 / 2)
    assert intra["value"]["value"] == pytest.approx(1 - (1 / 12) / (1 - expected))
    assert intra["value"]["interval"][0] < 1


def test_alpha_follows_from_the_coincidences_of_the_page(
    labelled: tuple[Store, list[dict[str, Any]]],
) -> None:
    items = summary_of(labelled)["items"]
    [alpha] = [one["value"] for one in items["values"] if one["measure"] == "krippendorff_alpha"]
    table = np.array(items["coincidences"])
    margins = table.sum(axis=1)
    differ = 1 - np.eye(len(margins))
    by_chance = (np.outer(margins, margins) * differ).sum() / (margins.sum() - 1)
    assert alpha == pytest.approx(1 - (table * differ).sum() / by_chance)


def test_universes_stand_side_by_side(labelled: tuple[Store, list[dict[str, Any]]]) -> None:
    found = summary_of(labelled, null="O", universes={"May only": "^may-"})
    universes = [page.Universe.model_validate(one) for one in found["items"]["universes"]]
    assert [(one.name, one.n_items) for one in universes] == [
        ("all items", 24),
        ("May only", 12),
        ("without O", 18),
    ]
    assert [one.tagset for one in universes] == [["O", "X", "Y"]] * 2 + [["X", "Y"]]
    assert universes[2].values[0].interval == (1.0, 1.0)  # nobody disagrees on X and Y
    assert universes[1].confusion is not None
    assert universes[1].confusion.matrix == [[3, 0, 0], [0, 9, 0], [0, 0, 0]]
    assert summary_of(labelled)["items"]["universes"] == []
    assert found["alerts"] == []


def test_a_universe_that_no_item_fits_is_told_with_an_item_to_look_at(
    labelled: tuple[Store, list[dict[str, Any]]],
) -> None:
    found = summary_of(labelled, universes={"autumn": "^october-", "May only": "^may-"})
    autumn = page.Universe.model_validate(found["items"]["universes"][1])
    assert (autumn.name, autumn.n_items) == ("autumn", 0)
    assert autumn.values[0].reason == "no item fits the pattern of this universe"
    [alert] = found["alerts"]
    assert alert["text"].startswith(
        "Layer stance: no item fits the universe “autumn” (^october-), which is searched in names "
        "such as “"
    )
    names = {f"{month}-{d}, i{i}" for month in ("may", "june") for d in range(3) for i in range(4)}
    assert alert["figures"]["example"] in names


def test_batches_know_their_guideline_their_documents_and_what_is_left(
    labelled: tuple[Store, list[dict[str, Any]]],
) -> None:
    store, shards = labelled
    roles = {"anna": "human", "ben": "human"}
    found = batches_of(store, shards, roles, guideline="1.0", guidelines={"june": "1.1"})
    assert [(b.name, b.guideline, b.n_documents, b.states) for b in found] == [
        ("june", "1.1", 3, {"finished": 6}),
        ("may", "1.0", 3, {"finished": 9}),
    ]


def test_empty_in_one_layer_is_not_hidden_by_another(tmp_path: Path) -> None:
    units = table(
        tmp_path, "units.csv", "document,annotator,start,end,category,layer",
        ["d1,anna,0,3,A,entities", "d2,ben,0,3,A,entities"],
    )  # fmt: skip
    labels = table(
        tmp_path, "labels.csv", "document,item,annotator,label,layer",
        ["d1,i,anna,X,stance", "d1,i,ben,X,stance"],
    )  # fmt: skip
    store, shards = validated(tmp_path, [{"path": units}, {"path": labels}])
    entities, stance, whole = coverage_of(store, shards)
    assert (entities.layer, stance.layer, whole.layer) == ("entities", "stance", "")
    assert whole.states == [["finished", "finished"], ["not_assigned", "finished"]]
    assert entities.states == [["finished", "not_assigned"], ["not_assigned", "finished"]]
    assert stance.counts["finished"] == 2
    assert stance.counts["not_assigned"] == 2


def test_periods_are_those_of_the_last_change(tmp_path: Path) -> None:
    tasks = [
        {
            "id": number,
            "data": {"text": "one two"},
            "annotations": [
                {"id": number, "completed_by": {"email": "anna"}, "created_at": time,
                 "updated_at": time, "result": [
                    {"id": "r", "type": "labels", "from_name": "entities", "to_name": "text",
                     "value": {"start": 0, "end": 3, "labels": ["A"]}}]}
            ],
        }
        for number, time in ((1, "2026-01-31T10:00:00Z"), (2, "2026-02-01T10:00:00Z"))
    ]  # fmt: skip
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    store, shards = validated(tmp_path, [{"path": str(path), "format": "label_studio"}])
    layer = LayerSpec("entities", "units", ("A",), ("anna",))
    keys = [shard["key"] for shard in shards]
    for period, expected in (
        ("month", ["2026-01", "2026-02"]),
        ("week", ["2026-W05"]),
        ("day", ["2026-01-31", "2026-02-01"]),
    ):
        groups = document_groups(store, keys, layer, period)
        assert sorted(set(groups["period"].to_pylist())) == expected
    months = document_groups(store, keys, layer, "month")
    names = sorted(months["document"].to_pylist())
    assert {k: v.tolist() for k, v in members(months, "period", names).items()} == {
        "2026-01": [0],
        "2026-02": [1],
    }


def test_members_of_batches_are_positions_among_the_names() -> None:
    batch = ["b", "a", "", "b", "c", "a"]
    groups = pa.table({"document": [f"d{k}" for k in range(6)], "batch": batch})
    names = ["d5", "d3", "d2", "d0", "d1", "unknown"]
    found = {name: those.tolist() for name, those in members(groups, "batch", names).items()}
    assert found == {"a": [0, 4], "b": [1, 3]}
    assert members(groups, "batch", pa.array(["d0", "d3"])) == {}
    assert members(groups, "batch", []) == {}


def test_units_of_two_passes_and_their_distribution(tmp_path: Path) -> None:
    from metrics.unitizing.settings import GammaSettings

    rows = []
    for d in range(3):
        for pass_ in (1, 2):
            rows += [f"d{d},anna,{s},{s + 5},{c},{pass_}" for s, c in ((0, "A"), (20, "B"))]
        rows.append(f"d{d},ben,0,5,A,1")
    path = table(tmp_path, "units.csv", "document,annotator,start,end,category,pass", rows)
    store, shards = validated(tmp_path, [{"path": path, "batch": "all"}])
    layer = LayerSpec("units", "units", ("A", "B"), ("anna", "ben"))
    keys = [shard["key"] for shard in shards]
    settings = GammaSettings(precision=0.1, n_bootstrap=20)
    [(name, gamma)] = unit_passes(
        store, keys, layer, DissimilaritySpec().for_layer(layer), settings
    )
    assert (name, gamma.value) == ("anna", pytest.approx(1.0))
    aligned = align_units(store.url, keys, layer, DissimilaritySpec())
    assert all(shard["has_passes"] == (shard["n_documents"] > 0) for shard in aligned)
    places = [shard["place"] for shard in aligned]
    documents = pa.concat_tables(store.read_table(f"{p}/alignments.parquet") for p in places)
    distribution = unit_distribution(layer, read_usage(store, places), documents)
    assert distribution.counts == [[3, 3], [3, 0]]
    assert distribution.batches == []
    assert distribution.document_counts == [[2, 1]] * 3


def test_atoms_take_the_category_of_the_unit_over_them() -> None:
    continuum = Continuum(
        np.array([0.0, 4.0, 2.0]),
        np.array([4.0, 6.0, 4.0]),
        np.array([0, 1, 1], dtype=np.int32),
        np.array([0, 0, 1], dtype=np.int32),
        ("anna", "ben"),
        ("A", "B"),
        length=7.0,
    )
    atoms = atoms_of([continuum], ("anna", "ben", "chloe"))
    assert atoms.tagset == ("A", "B", "(no category)", OUTSIDE)
    assert atoms.codes[:, 0].tolist() == [0, 0, 0, 0, 1, 1, 3]
    assert atoms.codes[:, 1].tolist() == [3, 3, 1, 1, 3, 3, 3]
    assert atoms.codes[:, 2].tolist() == [-1] * 7


def test_atoms_warn_only_where_they_say_something_else() -> None:
    from metrics.agreement.diagnosis.diagnose import atoms_against_gamma

    halves = Continuum(
        np.array([0.0, 0.0, 50.0]),
        np.array([100.0, 50.0, 100.0]),
        np.array([0, 0, 0], dtype=np.int32),
        np.array([0, 1, 1], dtype=np.int32),
        ("anna", "ben"),
        ("A",),
        length=200.0,
    )
    atoms = atoms_of([halves], halves.annotators)
    warned = atoms_against_gamma(atoms, Estimate("gamma", 0.3))
    assert warned is not None
    assert warned.figures["kappa_on_atoms"] == 1.0
    assert atoms_against_gamma(atoms, Estimate("gamma", 0.95)) is None


def test_the_worst_documents_have_pages_that_the_report_links(tmp_path: Path) -> None:
    from tasks.document_pages import page_address, write_document_pages
    from tests.reports import samples

    store = Store(str(tmp_path))
    before = samples.typical()
    layer = before.units[0]
    names = [one.document for one in layer.alignments]
    after = write_document_pages(store, before, "run", most=2, drawn=1, language="en")
    pages = [path.removeprefix("run/") for path in store.list("run")]
    assert sorted(pages) == sorted(page_address(layer.layer, name) for name in names[:2])
    assert [one.link for one in after.units[0].alignments] == [page_address(layer.layer, names[0])]
    linked = {one.name: one.link for one in after.units[0].per_document if one.link}
    assert set(linked) <= set(names[:2])
    html = store.read_bytes(f"run/{page_address(layer.layer, names[1])}").decode()
    assert names[1] in html


def test_where_names_are_hidden_an_undeclared_annotator_has_none(tmp_path: Path) -> None:
    path = table(tmp_path, "labels.csv", "item,annotator,label", ["i,anna,x", "i,dora,x"])
    store = Store(str(tmp_path / "store"))
    done = ingest(
        store.url,
        SourceSpec(path, "auto", None, None, "", (), {}, {}),
    )
    spec = ValidationSpec(Declared(roles={"anna": "human"}), pseudonyms={"anna": "P1"})
    kept = [{"files": done["files"], "layers": done["layers"]}]
    [shard] = validate(store.url, kept, [Shard(0, 0, 1 << SLOT_BITS)], spec)["shards"]
    rows = store.read_table(f"accepted/{shard['key']}/rejected.parquet").to_pylist()
    assert [row["rule"] for row in rows] == ["annotator_known"] * 2
    assert "dora" not in json.dumps(rows)


@pytest.mark.parametrize("n_tasks", [1, 2, 3, 9])
def test_the_pieces_of_a_layer_are_dealt_once_each(n_tasks: int) -> None:
    parts = ["categories", "gamma_cat", "pairs", "without"]
    dealt = pieces_dealt(parts, n_tasks)
    assert sorted(piece for task in dealt for piece in task) == sorted([GAMMA, *parts])
    assert len(dealt) == min(n_tasks, 5)
    together = [task for task in dealt if {GAMMA, "gamma_cat"} <= set(task)]
    assert bool(together) == (n_tasks == 1)  # the two that resample all documents are apart
