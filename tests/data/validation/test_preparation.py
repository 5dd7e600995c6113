"""Every row is accepted or rejected with its reason, and what several sources say is one row."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accordeur.data.schema import (
    SCHEMAS,
    Assignment,
    Document,
    Label,
    Record,
    Rejected,
    Relation,
    Role,
    State,
    Unit,
)
from accordeur.data.validation.rule import Declared
from accordeur.tasks.intake.shards import shard_facts
from tests.data.validation.prepared_rows import DECLARED, prepared, rules_broken, unit


def test_what_a_reader_refused_is_counted_among_the_rows() -> None:
    rejected = Rejected(
        "a.ann", "line 2", "not_a_number", "x", "…", table_name="units", document="d"
    )
    result = prepared([rejected, unit()])
    assert (result.rows_in, result.rows_accepted, result.rows_rejected) == (2, 1, 1)


def test_two_texts_of_one_document_cannot_be_compared() -> None:
    first = [Document("d", 10, sha256="1", text="0123456789"), unit()]
    other = [Document("d", 11, sha256="2", text="01234567890"), unit(annotator="ben")]
    result = prepared(first, other)
    assert rules_broken(result) == [
        ("documents", "text_agrees", "d"),
        ("units", "text_agrees", "d"),
    ]
    assert result.tables["documents"]["length"].to_pylist() == [10]


def test_a_document_seen_twice_is_one_row() -> None:
    result = prepared(
        [Document("d", -1), Label("d", "i", "anna", ("x",))],
        [Document("d", 10, sha256="1", text="0123456789"), unit()],
    )
    assert result.tables["documents"].select(["document", "length"]).to_pylist() == [
        {"document": "d", "length": 10}
    ]
    assert result.rows_rejected == 0


def test_a_document_is_in_the_first_batch_that_any_source_names() -> None:
    result = prepared(
        [Document("d", 5, text="whole"), Document("e", 5)],
        [Document("d", -1, batch="spring")],
        [Document("d", -1, batch="summer")],
    )
    rows = {row["document"]: row for row in result.tables["documents"].to_pylist()}
    assert (rows["d"]["batch"], rows["d"]["length"]) == ("spring", 5)
    assert rows["e"]["batch"] == ""


def test_the_four_states_of_absence_are_kept_apart() -> None:
    result = prepared(
        [
            Document("d", 10),
            Document("e", 10),
            unit(),
            Assignment("d", "anna"),
            Assignment("d", "ben"),
            Assignment("e", "anna", state=State.UNFINISHED),
            Assignment("e", "ben", state=State.NOT_ASSIGNED),
        ]
    )
    rows = result.tables["assignments"].to_pylist()
    states = {(row["document"], row["annotator"]): row["state"] for row in rows}
    assert states == {
        ("d", "anna"): "finished",
        ("d", "ben"): "finished_empty",
        ("e", "anna"): "unfinished",
        ("e", "ben"): "not_assigned",
    }


def test_who_had_everything_refused_did_not_leave_the_document_empty() -> None:
    """Else a text that differs would make γ count every unit of the others as one they missed."""
    records: list[Record] = [
        Document("d", 10),
        Document("e", 10),
        unit(),
        *(Assignment("d", who) for who in ("anna", "ben", "zoe")),
        Assignment("d", "bot", role=Role.SYSTEM),
        Assignment("d", "gold", role=Role.REFERENCE),
        Assignment("e", "ben"),
        *(replace(unit(who, 4, 99), annotator=who) for who in ("anna", "ben", "bot")),
        Rejected("a.ann", "line 1", "text_differs", "", "another text", "units", "d", "gold"),
        Rejected("a.ann", "line 2", "rejected_unit", "", "its unit", "relations", "d", "zoe"),
    ]
    result = prepared(records, declared=Declared())
    rows = result.tables["assignments"].to_pylist()
    assert {(row["document"], row["annotator"]): row["state"] for row in rows} == {
        ("d", "anna"): "finished",  # one unit was accepted
        ("d", "ben"): "unfinished",
        ("d", "zoe"): "finished_empty",  # nothing but a relation was rejected
        ("d", "bot"): "finished_empty",  # a system answers for its file: it missed everything
        ("d", "gold"): "unfinished",
        ("e", "ben"): "finished_empty",
    }
    assert shard_facts("", result, result.tables).n_all_refused == 2


def test_later_labels_that_differ_from_the_first_are_counted() -> None:
    def label(item: str, *labels: str, pass_: int = 1) -> Label:
        return Label("d", item, "anna", labels, pass_=pass_)

    first = [Document("d", -1), label("i", "x"), label("j", "x"), label("j", "x")]
    last = [label("i", "y"), label("i", "x"), label("i", "y", pass_=2), label("j", "x", "y")]
    result = prepared([*first, *last])
    assert result.rejected["rule"].to_pylist() == ["label_occurs_once"] * 4
    assert shard_facts("", result, result.tables).n_conflicting_labels == 2


def test_documents_whose_units_are_counted_in_different_ways_are_counted() -> None:
    in_chars = [Document("d", -1), Document("e", -1), unit()]
    in_ms = [Document(name, -1, offset_unit="ms") for name in ("d", "e", "f")]
    seconds = [*in_ms, unit(start=2500, end=9000, annotator="ben")]
    for sources, n in (((in_chars, seconds), 1), ((in_chars, in_ms), 0), ((seconds, in_ms), 0)):
        result = prepared(*sources)
        assert shard_facts("", result, result.tables).n_counted_unlike == n


def test_an_assignment_speaks_of_the_layers_of_its_source_only() -> None:
    """Who was asked for labels has not left the units empty."""
    result = prepared(
        [unit(), Assignment("d", "anna")],
        [Label("d", "i", "ben", ("x",)), Assignment("d", "ben")],
    )
    rows = result.tables["assignments"].to_pylist()
    assert sorted((row["annotator"], row["layer"], row["state"]) for row in rows) == [
        ("anna", "units", "finished"),
        ("ben", "labels", "finished"),
    ]


names = st.sampled_from(["anna", "ben", "guest", ""])

some_units = st.builds(
    Unit,
    st.sampled_from(["d", "e", "é/f"]),
    names,
    st.sampled_from(["T1", "T2", "T3"]),
    st.integers(-2, 12),
    st.integers(-2, 12),
    st.sampled_from(["A", "B", "C", ""]),
    layer=st.sampled_from(["", "other"]),
)

some_labels = st.builds(
    Label,
    st.sampled_from(["d", "e"]),
    st.sampled_from(["i", "j"]),
    names,
    st.lists(st.sampled_from(["x", "y", "z"]), max_size=2).map(tuple),
)

some_documents = st.builds(
    Document,
    st.sampled_from(["d", "e"]),
    st.integers(-1, 12),
    sha256=st.sampled_from(["", "1", "2"]),
)

some_assignments = st.builds(
    Assignment, st.sampled_from(["d", "e"]), names, state=st.sampled_from([*State, "asleep"])
)

some_relations = st.builds(
    Relation,
    st.sampled_from(["d", "e"]),
    names,
    st.just("R"),
    st.sampled_from(["T1", "T2"]),
    st.sampled_from(["T1", "T3"]),
)

records = st.lists(
    st.one_of(some_units, some_labels, some_documents, some_assignments, some_relations),
    max_size=25,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(records, records)
def test_no_row_is_ever_lost(first: list[Record], second: list[Record]) -> None:
    result = prepared(first, second)
    assert result.rows_in == len(first) + len(second)
    assert result.rows_in == result.rows_accepted + result.rows_rejected
    assert result.rejected.num_rows == result.rows_rejected
    assert all(row["rule"] and row["message"] for row in result.rejected.to_pylist())
    for name, table in result.tables.items():
        assert table.schema.equals(SCHEMAS[name]), name
    units = result.tables["units"].to_pylist()
    assert all(
        u["start_offset"] < u["end_offset"] and u["annotator"] in DECLARED.roles for u in units
    )


def test_the_order_of_sources_decides_which_copy_stays() -> None:
    first, second = unit(source="one"), unit(source="two")
    assert prepared([first], [second]).tables["units"]["source"].to_pylist() == ["one"]
    assert prepared([second], [first]).tables["units"]["source"].to_pylist() == ["two"]
