"""Names are found as words, long ones anywhere, and replaced in every column that may hold them."""

from __future__ import annotations

import pytest

from accordeur.data.blocks import Block, Rows, as_records
from accordeur.data.errors import DataError
from accordeur.data.intake.hiding import Hiding, pattern_of_names, pseudonymised_rows
from accordeur.data.schema import UNDECLARED, Assignment, Document, Rejected, Unit


@pytest.mark.parametrize(
    ("name", "text", "is_found"),
    [
        ("ann", "annotation", False),
        ("ann", "the guess of Ann_2", True),
        ("zebulon", "reportZebulon5", True),
        ("ann@x.org", "ann-1", True),
        ("coder1", "coder12", False),
        ("coder1", "coder1/d.txt", True),
        ("a", "a", False),
        ("Zoë", "ZOË’s", True),
    ],
)
def test_a_name_is_found_as_a_word_and_a_long_one_anywhere(
    name: str, text: str, is_found: bool
) -> None:
    pattern = pattern_of_names([name])
    assert (pattern is not None and pattern.search(text) is not None) is is_found


def test_blocks_and_records_are_hidden_alike() -> None:
    def rows() -> list[Unit]:
        return [
            Unit("d", who, f"{who}-1", 0, 3, "X", attributes=(("note", f"by {who}"),),
                 source=f"{who}/d.ann", location=f"T1 of {who}")
            for who in ("zebulon", "quentin")
        ]  # fmt: skip

    hiding, files = Hiding({"zebulon": "P1"}, shown=()), ["quentin/d.ann", "zebulon/d.ann"]
    singly = list(pseudonymised_rows(iter(rows()), hiding, files, 2))
    columns = {name: [getattr(one, name) for one in rows()] for name in ("annotator", "unit")}
    assert [(one.annotator, one.unit, one.source) for one in singly] == [
        ("P1", "P1-1", "source 2, file 2"),
        (UNDECLARED, f"{UNDECLARED}-1", "source 2, file 1"),
    ]
    assert singly[0].attributes == (("note", "by P1"),)
    import pyarrow as pa

    arrays = {name: pa.array(values) for name, values in columns.items()}
    plain = {"document": "d", "start_offset": 0, "end_offset": 3, "source": "zebulon/d.ann"}
    [made] = pseudonymised_rows(
        iter([Block("units", n_rows=2, columns={**plain, **arrays})]), hiding, files, 2
    )
    found = list(as_records(iter([made])))
    assert [(one.annotator, one.unit) for one in found] == [
        (one.annotator, one.unit) for one in singly
    ]


def test_privacy_refuses_the_name_of_an_undeclared_annotator_in_that_of_a_document() -> None:
    hiding = Hiding({"zebulon": "P1"}, shown=(), is_private=True)
    rows = [Document("by-quentin", 3), Assignment("d", "quentin"), Rejected("f", "", "r", "", "")]
    with pytest.raises(DataError, match="documents contain the name of an annotator") as error:
        list(pseudonymised_rows(iter(rows), hiding, ["f"], 1))
    assert "quentin" not in str(error.value)


def test_privacy_refuses_a_surname_in_the_name_of_a_document_but_not_in_a_category() -> None:
    hiding = Hiding({"Zacharias Quellmalz": "P1"}, shown=(), is_private=True)
    rows = [Document("labels_by_quellmalz", 3)]
    with pytest.raises(DataError, match="documents contain the name of an annotator"):
        list(pseudonymised_rows(iter(rows), hiding, ["f"], 1))
    young = Hiding({"Xan Young": "P1"}, shown=(), is_private=True)
    unit = Unit("d", "Xan Young", "u", 0, 3, "young", layer="age")
    [kept] = pseudonymised_rows(iter([unit]), young, ["f"], 1)
    assert kept.annotator == "P1"


@pytest.mark.parametrize("in_a_block", [False, True])
def test_what_is_typed_in_a_row_that_is_certainly_rejected_is_not_kept(in_a_block: bool) -> None:
    hiding = Hiding(
        {"ben": "P1"}, shown=(), is_private=True, tagsets={"labels": ("a",), "people": ("person",)}
    )
    labels = {
        "document": ["d"] * 4,
        "item": ["i1", "i2", "i3", "i4"],
        "annotator": ["ben", "ben", "stranger", "ben"],
        "labels": [("a",), ("Quellmalz", "a"), ("a",), ()],
        "layer": ["", "", "other", "other"],
    }
    units = {
        "document": ["d"] * 3,
        "annotator": ["ben", "ben", "stranger"],
        "unit": ["u1", "u2", "u3"],
        "start_offset": [0, 0, 0],
        "end_offset": [3, 3, 3],
        "category": ["person", "Quellmalz", "person"],
        "layer": ["people"] * 3,
    }
    blocks = [Block("labels", n_rows=4, columns=labels), Block("units", n_rows=3, columns=units)]
    rows = iter(blocks) if in_a_block else as_records(iter(blocks))
    found = [*as_records(pseudonymised_rows(rows, hiding, ["f"], 1))]
    assert [(one.item, one.labels) for one in found[:4]] == [
        ("i1", ("a",)),
        ("i2", (UNDECLARED, "a")),
        (UNDECLARED, (UNDECLARED,)),
        ("i4", ()),
    ]
    assert [one.category for one in found[4:]] == ["person", UNDECLARED, UNDECLARED]


def test_whoever_gives_an_audit_has_a_name_where_others_have_none() -> None:
    hiding = Hiding({"anna": "N1"}, shown=(), is_private=True)
    assert [hiding.name(one) for one in ("anna", "guest", "gold")] == ["N1", UNDECLARED, "gold"]


def _documents_by(annotators: range, documents: list[str]) -> list[Rows]:
    hiding = Hiding({str(k): f"P{k}" for k in annotators}, shown=(), is_private=True)
    rows = [Document(name, 3) for name in documents]
    return list(pseudonymised_rows(iter(rows), hiding, ["f"], 1))


def test_numbers_of_tasks_that_are_those_of_annotators_by_coincidence_name_nobody() -> None:
    for form in ("{}", "task {}", "page-{}.png"):
        _documents_by(range(50, 62), [form.format(k) for k in range(1, 101)])


def test_documents_that_are_numbered_as_their_annotators_are_refused() -> None:
    for documents in (["50", "51"], ["a", "b", "c", "50"], ["by_50", "1", "2", "3"]):
        with pytest.raises(DataError, match="documents contain the name of an annotator"):
            _documents_by(range(50, 62), documents)
    hiding = Hiding({"50": "P1", "quentin": "P2"}, shown=(), is_private=True)
    rows: list[Rows] = [Document(f"quentin-{k}", 3) for k in range(100)]
    with pytest.raises(DataError, match="100 of 100"):
        list(pseudonymised_rows(iter(rows), hiding, ["f"], 1))


def test_numbers_of_places_that_are_those_of_annotators_do_not_become_their_pseudonyms() -> None:
    hiding = Hiding({"50": "P1", "quentin": "P2"}, shown=(), is_private=True)
    row = Rejected("f", "line 50, by quentin", "r", "50", "start 50 is after 49")
    [made] = as_records(pseudonymised_rows(iter([row]), hiding, ["f"], 1))
    assert isinstance(made, Rejected)
    assert (made.location, made.value) == ("line (withheld), by P2", "(withheld)")
    assert made.message == "start (withheld) is after 49"
