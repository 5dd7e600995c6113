"""What a layer contains is decided once, from the rows of finished work."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.schema import Assignment, Document, Label, Role, State, Unit
from accordeur.tasks.agreement.rating_study import ratings_in_exports
from accordeur.tasks.inputs.exported_labels import MeasuredLabels, read_exported_labels
from accordeur.tasks.inputs.label_options import RatingOptions
from accordeur.tasks.inputs.one_shard import Exports, OneShard
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.intake.layer_contents import OF_SCORES, choose_layer
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.stored_annotations import label_rows, matrix_of_rows, stored_continua


def read(*rows: object) -> OneShard:
    exports = Exports(rows, SourceOptions(), "exports")  # type: ignore[arg-type]
    return OneShard(exports, Reading(), table="labels")


def work(annotator: str, labels: str, role: Role = Role.HUMAN, layer: str = "l") -> list[object]:
    """An annotator's labels on items 0, 1 …, one letter each; `.` is none."""
    return [
        Assignment("d", annotator, role),
        *(
            Label("d", str(item), annotator, (label,), layer=layer)
            for item, label in enumerate(labels)
            if label != "."
        ),
    ]


ANNA_AND_BEN = [Document("d", -1), *work("anna", "aabb"), *work("ben", "abab")]


def test_systems_and_references_add_no_category_to_agreement() -> None:
    others = [*work("sys", "cdef", Role.SYSTEM), *work("gold", "gggg", Role.REFERENCE)]
    layer = read(*ANNA_AND_BEN, *others).contents.labels["l"]
    spec = LayerSpec.of(layer)
    assert spec.tagset == ("a", "b")
    assert (spec.humans, spec.systems, spec.references) == (("anna", "ben"), ("sys",), ("gold",))
    assert LayerSpec.of(layer, roles=OF_SCORES).tagset == tuple("abcdefg")


def test_without_humans_a_layer_has_the_categories_of_all() -> None:
    shard = read(
        Document("d", -1), *work("sys", "ab", Role.SYSTEM), *work("gold", "ac", Role.REFERENCE)
    )
    assert LayerSpec.of(shard.contents.labels["l"]).tagset == ("a", "b", "c")


def test_only_who_labelled_a_layer_is_its_annotator() -> None:
    shard = read(*ANNA_AND_BEN, *work("carl", "xy", layer="other"))
    assert shard.contents.labels["l"].annotators("human") == ("anna", "ben")
    assert shard.contents.labels["other"].annotators("human") == ("carl",)


def test_who_finished_a_document_without_units_is_an_annotator_of_units() -> None:
    rows = [
        Document("d", 9),
        *(Assignment("d", who) for who in ("anna", "ben")),
        Unit("d", "anna", "1", 0, 3, "A", layer="u"),
    ]
    shard = read(*rows)
    layer = shard.contents.units["u"]
    assert layer.annotators("human") == ("anna", "ben")
    spec = LayerSpec.of(layer)
    [(document, continuum, _)] = stored_continua(shard.store, shard.key, spec, spec.humans, "human")
    assert (document, continuum.annotators, len(continuum.starts)) == ("d", ("anna", "ben"), 1)


def test_unfinished_work_gives_neither_categories_nor_annotators() -> None:
    rows = [Assignment("d", "carl", state=State.UNFINISHED)]
    rows += [Label("d", "0", "carl", ("z",), layer="l")]
    layer = read(*ANNA_AND_BEN, *rows).contents.labels["l"]
    assert layer.tagset() == ("a", "b")
    assert layer.annotators("human") == ("anna", "ben")


def test_a_matrix_of_one_shard_is_that_of_a_run() -> None:
    shard = read(*ANNA_AND_BEN)
    spec = LayerSpec.of(shard.contents.labels["l"])
    rows = label_rows(shard.store, shard.key, spec, spec.humans)
    matrix = matrix_of_rows(rows, spec, spec.humans, "human")
    assert matrix.codes.T.tolist() == [[0, 0, 1, 1], [0, 1, 0, 1]]


def test_the_layer_that_is_meant_is_chosen_in_one_place() -> None:
    layers = read(*ANNA_AND_BEN, *work("carl", "xy", layer="other")).contents.labels
    with pytest.raises(DataError, match=r"e\.csv: holds several layers of labels \('l', 'other'\)"):
        choose_layer(layers, None, where="e.csv", what="labels")
    wrong = r"e\.csv: no layer 'othr' of labels; did you mean other\? the layers found are l, other"
    with pytest.raises(DataError, match=wrong):
        choose_layer(layers, "othr", where="e.csv", what="labels")
    assert choose_layer(layers, "l", where="", what="labels") is layers["l"]
    assert choose_layer({}, "l", where="", what="labels") is None


def test_items_of_documents_whose_names_join_alike_are_different_items(tmp_path: Path) -> None:
    """Document a with item b/1, and document a/b with item 1."""
    rows = ["document,item,annotator,label,pass"]
    for n in range(6):
        for k, place in enumerate((f"a,b/{n}", f"a/b,{n}")):
            for who, shift in (("anna", 0), ("ben", 1)):
                rows += [f"{place},{who},{(n + k * 3 + shift * p) % 5},{p}" for p in (1, 2)]
    path = tmp_path / "ratings.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    labels = read_exported_labels(path, Reading())
    measured = MeasuredLabels(labels)
    matrix, account = measured.matrix, measured.account
    assert matrix.n_items == 12
    assert (account.rows.measured, account.rows.excluded) == (24, {"later_pass": 24})
    assert {name: one.n_items for name, one in labels.passes().items()} == {"anna": 12, "ben": 12}
    study = ratings_in_exports(path, Reading(), RatingOptions(replicates=50)).found
    assert study.repeatability is not None
    assert study.repeatability.n_items == 24
