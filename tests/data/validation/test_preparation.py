"""Every row is accepted or rejected with its reason, and Great Expectations counts the same."""

from __future__ import annotations

import gc
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data.intake.sorted_runs import SLOT_BITS
from data.intake.spill import read_slots, spill
from data.schema import (
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
from data.store.store import Store
from data.validation import checks
from data.validation.checks import check
from data.validation.preparation import Prepared, prepare
from data.validation.rules import RULES, Declared
from tasks.intake.shard_facts import shard_facts

DECLARED = Declared(
    tagsets={"units": ("A", "B"), "labels": ("x", "y")},
    roles={"anna": "human", "ben": "human"},
)


def prepared(*sources: Sequence[Record], declared: Declared = DECLARED) -> Prepared:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(folder)
        raw: dict[str, list[pa.Table]] = {name: [] for name in SCHEMAS}
        layers = []
        for origin, records in enumerate(sources):
            spilled = spill(records, store, f"source{origin}")
            layers.append(
                sorted(name or table for table, names in spilled.layers.items() for name in names)
            )
            for name, files in spilled.files.items():
                part = read_slots(store, files, name, 0, 1 << SLOT_BITS)
                raw[name].append(
                    part.append_column("origin", pa.array([origin] * part.num_rows, pa.int32()))
                )
        return prepare({k: pa.concat_tables(v) for k, v in raw.items()}, declared, layers)


def rules_broken(result: Prepared) -> list[tuple[str, str, str]]:
    rows = result.rejected.to_pylist()
    return sorted((row["table"], row["rule"], row["value"]) for row in rows)


def unit(name: str = "T1", start: int = 0, end: int = 3, category: str = "A", **more: str) -> Unit:
    return Unit("d", more.pop("annotator", "anna"), name, start, end, category, **more)  # type: ignore[arg-type]


def test_what_was_checked_is_let_go_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker checks dozens of groups before Python looks for circles of references."""
    frames = []

    def noted(*given: object) -> pd.DataFrame:
        frame = make(*given)  # type: ignore[arg-type]
        frames.append(weakref.ref(frame))
        return frame

    make = checks._frame
    monkeypatch.setattr(checks, "_frame", noted)
    views = prepared([Document("d", 10), unit(), Label("d", "i1", "anna", ("x",))]).views
    gc.collect()
    gc.disable()
    try:
        check(views, DECLARED)
        assert [frame() for frame in frames] == [None] * 3
    finally:
        gc.enable()


def test_each_rule_of_units_names_the_row_and_the_value() -> None:
    result = prepared(
        [
            Document("d", 10, sha256="1", text="0123456789"),
            unit(source="a.ann", where="line 1"),
            unit("T2", 5, 5),
            unit("T3", 7, 4),
            unit("T4", -1, 4),
            unit("T5", 8, 11),
            unit("T6", 1, 2, "C"),
            unit("T7", annotator="guest"),
            unit("T8", source="a.ann", where="line 8"),
        ]
    )
    assert rules_broken(result) == [
        ("units", "annotator_known", "guest"),
        ("units", "category_in_tagset", "C"),
        ("units", "inside_document", "11"),
        ("units", "start_before_end", "5–5"),
        ("units", "start_before_end", "7–4"),
        ("units", "start_not_negative", "-1"),
        ("units", "unit_occurs_once", "0–3"),
    ]
    duplicate = next(r for r in result.rejected.to_pylist() if r["rule"] == "unit_occurs_once")
    assert (duplicate["source"], duplicate["where"]) == ("a.ann", "line 8")
    assert duplicate["message"].startswith("the same unit of the same annotator once more (0–3)")
    assert result.tables["units"]["unit"].to_pylist() == ["T1"]
    assert result.rows_in == 9 == result.rows_accepted + result.rows_rejected


def test_labels_and_relations() -> None:
    result = prepared(
        [
            Label("d", "i1", "anna", ("x",)),
            Label("d", "i1", "anna", ("y",)),
            Label("d", "i2", "anna", ("x", "z")),
            Label("d", "i3", "anna", ()),
            unit("T1"),
            unit("T2", 4, 4),
            Relation("d", "anna", "R1", "T1", "T2"),
        ]
    )
    assert rules_broken(result) == [
        ("labels", "label_given", "i3"),
        ("labels", "label_in_tagset", "x + z"),
        ("labels", "label_occurs_once", "i1"),
        ("relations", "ends_accepted", "T1 → T2"),
        ("units", "start_before_end", "4–4"),
    ]


def test_what_a_reader_refused_is_counted_among_the_rows() -> None:
    refused = Rejected("a.ann", "line 2", "not_a_number", "x", "…", table="units", document="d")
    result = prepared([refused, unit()])
    assert (result.rows_in, result.rows_accepted, result.rows_rejected) == (2, 1, 1)


def test_two_texts_of_one_document_cannot_be_compared() -> None:
    first = [Document("d", 10, sha256="1", text="0123456789"), unit()]
    other = [Document("d", 11, sha256="2", text="01234567890"), unit(annotator="ben")]
    result = prepared(first, other)
    assert rules_broken(result) == [
        ("documents", "text_agrees", "2"),
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
        ("d", "zoe"): "finished_empty",  # nothing but a relation was refused
        ("d", "bot"): "finished_empty",  # a system answers for its file: it missed everything
        ("d", "gold"): "unfinished",
        ("e", "ben"): "finished_empty",
    }
    assert shard_facts("", result, result.tables)["n_all_refused"] == 2


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


def test_expectations_and_masks_count_alike_and_every_rule_is_stated() -> None:
    result = prepared(
        [
            Document("d", 10),
            unit(),
            unit("T2", 7, 4),
            unit("T3", 8, 11, "C"),
            Label("d", "i2", "guest", ("x", "z")),
            Assignment("d", "anna", role="wizard", state="asleep"),
        ]
    )
    checks = check(result.views, DECLARED)
    judged = {one.key: (one.n_rows, one.n_unexpected, one.passed) for one in checks}
    masked = {one.key: (one.n_rows, one.n_unexpected, one.passed) for one in result.checks}
    assert judged == masked
    assert all(one.passed == (one.n_unexpected == 0) for one in checks)
    assert {one.key[:2] for one in checks} == {(rule.table, rule.name) for rule in RULES}


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


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
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
    assert all(u["start"] < u["end"] and u["annotator"] in DECLARED.roles for u in units)


def test_the_order_of_sources_decides_which_copy_stays() -> None:
    first, second = unit(source="one"), unit(source="two")
    assert prepared([first], [second]).tables["units"]["source"].to_pylist() == ["one"]
    assert prepared([second], [first]).tables["units"]["source"].to_pylist() == ["two"]
