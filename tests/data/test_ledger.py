"""The ledger of a run, and what changed from one ledger to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations

import numpy as np
import pyarrow as pa
import pytest

from accordeur.data.ledger import (
    LEDGER,
    accepted_work,
    campaign_ledger,
    is_finished,
    read_ledger,
    work_of_shard,
)
from accordeur.data.ledger_changes import compare_ledgers, with_history
from accordeur.data.schema import SCHEMAS
from accordeur.data.store.parquet_format import table_bytes

Row = tuple[str, str, str, int]  # document, text, annotator, content


def ledger(*rows: Row, run: int = 1, names: Mapping[str, str] | None = None) -> pa.Table:
    """A ledger; the code of an annotator is the name, `names` are pseudonyms."""
    shown = names or {}
    return pa.Table.from_pylist(
        [
            {
                "run": run, "document": document, "sha256": text, "code": who,
                "annotator": shown.get(who, who),
                "role": "system" if who == "sys" else "human",
                "layer": "topic" if who else "",
                "state": "finished" if who else "not_assigned", "time": "",
                "n_exported": int(content > 0), "n_rows": int(content > 0),
                "exported": content, "content": content, "n_files": 1,
                "copies": "", "arrived": run if who else 0, "corrected": 0,
            }
            for document, text, who, content in rows
        ],
        LEDGER,
    )  # fmt: skip


BEFORE = ledger(("d1", "t1", "ann", 1), ("d1", "t1", "ben", 2), ("d2", "t2", "ann", 3))


def test_nothing_changed() -> None:
    for order in permutations(range(3)):
        found = compare_ledgers(BEFORE, BEFORE.take(list(order)))
        assert not found
        assert [(one.annotator, one.n_unchanged) for one in found.work] == [("ann", 2), ("ben", 1)]


def test_work_arrives_vanishes_and_is_corrected() -> None:
    now = ledger(("d1", "t1", "ann", 9), ("d2", "t2", "ann", 3), ("d3", "t3", "ann", 4))
    found = compare_ledgers(BEFORE, now)
    assert found.arrived == (("d3", "ann", "topic"),)
    assert found.vanished == (("d1", "ben", "topic"),)
    assert found.corrected == (("d1", "ann", "topic"),)
    assert (found.added, found.removed, found.changed) == (("d3",), (), ("d1",))
    assert found.annotators_removed == ("ben",)
    ann, ben = found.work
    assert (ann.n_arrived, ann.n_vanished, ann.n_corrected, ann.n_unchanged) == (1, 0, 1, 1)
    assert (ben.n_arrived, ben.n_vanished, ben.n_corrected, ben.n_unchanged) == (0, 1, 0, 0)


def test_pseudonyms_change_nothing() -> None:
    shown = ledger(
        ("d1", "t1", "ann", 1), ("d1", "t1", "ben", 2), ("d2", "t2", "ann", 3),
        names={"ann": "N2", "ben": "N1"},
    )  # fmt: skip
    found = compare_ledgers(BEFORE, shown)
    assert not found
    assert (found.annotators_added, found.annotators_removed) == ((), ())
    assert [one.annotator for one in found.work] == ["N1", "N2"]


def test_an_annotator_whose_work_all_vanished_has_the_present_name() -> None:
    now = ledger(("d1", "t1", "ann", 1), ("d2", "t2", "ann", 3), names={"ann": "N2"})
    found = compare_ledgers(BEFORE, now, names={"ben": "N1"})
    assert found.vanished == (("d1", "N1", "topic"),)


def test_a_system_that_is_added_changes_no_document() -> None:
    both = pa.concat_tables([BEFORE, ledger(("d1", "t1", "sys", 5), ("d2", "t2", "sys", 6))])
    found = compare_ledgers(BEFORE, both)
    assert (found.n_changed, found.n_arrived, found.annotators_added) == (0, 2, ())
    assert compare_ledgers(both, BEFORE).changed == ("d1", "d2")


def with_column(rows: pa.Table, name: str, values: list[object]) -> pa.Table:
    at = rows.column_names.index(name)
    return rows.set_column(at, name, pa.array(values, rows.schema.field(name).type))


def test_other_rules_correct_nothing() -> None:
    now = with_column(BEFORE, "content", [1, 7, 3])  # the same rows, of which others are accepted
    found = compare_ledgers(BEFORE, now)
    assert found.accepted_otherwise == (("d1", "ben", "topic"),)
    assert (found.n_corrected, found.n_arrived, found.changed) == (0, 0, ("d1",))
    [_, ben] = found.work
    assert (ben.n_accepted_otherwise, ben.n_unchanged) == (1, 0)
    assert with_history(BEFORE, now)["corrected"].to_pylist() == [0, 0, 0]
    unknown = with_column(now, "exported", [0, 0, 0])  # what a release keeps
    assert compare_ledgers(BEFORE, unknown).corrected == (("d1", "ben", "topic"),)


def test_work_in_copies_that_differ_was_not_corrected() -> None:
    now = with_column(BEFORE, "exported", [1, 7, 3])
    now = with_column(now, "content", [1, 0, 3])
    now = with_column(now, "copies", ["", "conflict", ""])
    found = compare_ledgers(BEFORE, now)
    assert found.conflicting == (("d1", "ben", "topic"),)
    assert (found.n_corrected, found.n_vanished, found.changed) == (0, 0, ("d1",))
    undecided = with_history(BEFORE, now)
    assert compare_ledgers(BEFORE, undecided) == found  # a run compares what it keeps
    assert not compare_ledgers(undecided, with_history(undecided, now))
    withdrawn = compare_ledgers(undecided, BEFORE)  # the second copy was taken away again
    assert withdrawn.accepted_otherwise == (("d1", "ben", "topic"),)
    assert withdrawn.n_corrected == 0
    chosen = with_column(with_column(BEFORE, "exported", [1, 9, 3]), "content", [1, 9, 3])
    assert compare_ledgers(undecided, chosen).corrected == (("d1", "ben", "topic"),)


def test_work_vanishes_from_one_of_two_layers() -> None:
    spans = with_column(BEFORE, "layer", ["spans"] * 3)
    both = pa.concat_tables([BEFORE, spans])
    found = compare_ledgers(both, pa.concat_tables([BEFORE, spans.slice(1)]))
    assert found.vanished == (("d1", "ann", "spans"),)
    assert (found.n_corrected, found.n_arrived) == (0, 0)
    counts = {(one.annotator, one.layer): one.n_unchanged for one in found.work}
    assert counts == {("ann", "spans"): 1, ("ann", "topic"): 2, ("ben", "spans"): 1,
                      ("ben", "topic"): 1}  # fmt: skip


def test_ledgers_of_two_stores_are_matched_by_name() -> None:
    other = with_column(BEFORE, "code", ["x", "y", "x"])
    other = with_column(other, "exported", [7, 8, 9])  # with another secret
    assert not compare_ledgers(BEFORE, other)


def test_renamed_documents_are_the_same_work() -> None:
    now = ledger(("d1", "t1", "ann", 1), ("d1", "t1", "ben", 2), ("new", "t2", "ann", 3))
    found = compare_ledgers(BEFORE, now)
    assert found.renamed == (("d2", "new"),)
    assert (found.n_arrived, found.n_vanished, found.n_changed) == (0, 0, 0)
    without_text = [ledger((name, "", "ann", 3)) for name in ("d2", "new")]
    assert compare_ledgers(*without_text).renamed == (("d2", "new"),)


def test_copies_are_not_taken_for_renamed_documents() -> None:
    before = ledger(("a", "1", "ann", 1), ("b", "1", "ann", 1))
    found = compare_ledgers(before, ledger(("c", "1", "ann", 1)))
    assert (found.n_added, found.n_removed, found.n_renamed) == (1, 2, 0)
    empty = compare_ledgers(ledger(("a", "", "", 0)), ledger(("b", "", "", 0)))
    assert (empty.n_added, empty.n_removed, empty.n_renamed) == (1, 1, 0)  # nothing to know them by


def test_names_are_few_and_counts_are_whole() -> None:
    before = ledger(*((f"d{k:03d}", str(k), "ann", k + 1) for k in range(100)))
    found = compare_ledgers(before, ledger(("d000", "0", "ann", 1)))
    assert (found.n_removed, len(found.removed)) == (99, 20)
    assert (found.n_vanished, len(found.vanished)) == (99, 20)


@pytest.mark.parametrize("seed", range(5))
def test_counts_are_those_of_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)

    def drawn() -> dict[tuple[str, str], int]:
        cells = [(f"d{d}", f"a{a}") for d in range(12) for a in range(4)]
        return {cell: int(rng.integers(1, 3)) for cell in cells if rng.random() < 0.7}

    def rows(of: dict[tuple[str, str], int]) -> pa.Table:
        return ledger(*((d, d, a, content) for (d, a), content in of.items()))

    first, second = drawn(), drawn()
    found = compare_ledgers(rows(first), rows(second), most=None)
    assert {work[:2] for work in found.arrived} == second.keys() - first.keys()
    assert {work[:2] for work in found.vanished} == first.keys() - second.keys()
    both = first.keys() & second.keys()
    corrected = {cell for cell in both if first[cell] != second[cell]}
    assert {work[:2] for work in found.corrected} == corrected
    n_kept = sum(one.n_unchanged for one in found.work)
    assert n_kept + found.n_arrived + found.n_corrected == len(second)
    assert n_kept + found.n_vanished + found.n_corrected == len(first)


def test_the_runs_of_arrival_and_correction_are_carried_on() -> None:
    second = ledger(("d1", "t1", "ann", 9), ("d2", "t2", "ann", 3), ("d3", "", "ann", 4), run=2)
    second = with_history(BEFORE, second)
    third = ledger(("d3", "", "ann", 4), ("d1", "t1", "ann", 9), ("d2", "t2", "ann", 5), run=3)
    third = with_history(second, third)
    rows = {row["document"]: (row["arrived"], row["corrected"]) for row in third.to_pylist()}
    assert rows == {"d1": (1, 2), "d2": (1, 3), "d3": (2, 0)}


def tables(**given: Iterable[dict[str, object]]) -> dict[str, pa.Table]:
    documents = [{"document": "d", "length": 9, "sha256": "1"}, {"document": "e", "length": 9}]
    rows = {"documents": documents, **given}
    who = {
        (row["document"], row["annotator"], row["layer"]): None
        for of in given.values()
        for row in of
    }
    rows["assignments"] = [
        {"document": d, "annotator": a, "layer": layer, "pass": 1, "state": "finished", "time": ""}
        for d, a, layer in who
    ]
    return {
        name: pa.Table.from_pylist([{"source": "", **row} for row in rows.get(name, ())], schema)
        for name, schema in SCHEMAS.items()
    }


def unit(document: str, start: int, category: str = "A", **more: object) -> dict[str, object]:
    return {
        "document": document, "annotator": "anna", "layer": "x", "pass": 1, "unit": f"u{start}",
        "start_offset": start, "end_offset": 9, "category": category, "fragments": [], **more,
    }  # fmt: skip


def label(document: str, value: str, annotator: str = "ben") -> dict[str, object]:
    return {
        "document": document, "annotator": annotator, "layer": "y", "pass": 1, "item": "i",
        "labels": [value],
    }  # fmt: skip


def work_on(given: dict[str, pa.Table], exported: dict[str, pa.Table] | None = None) -> pa.Table:
    return work_of_shard(given, with_unread(exported or given), key="k" * 16)


def with_unread(exported: dict[str, pa.Table], *rows: dict[str, object]) -> dict[str, pa.Table]:
    schema = SCHEMAS["rejected"].append(pa.field("layer", pa.string()))
    return exported | {"rejected": pa.Table.from_pylist([*rows], schema)}


def contents(**given: list[dict[str, object]]) -> dict[tuple[str, str], int]:
    work = work_on(tables(**given)).to_pylist()
    return {(row["document"], row["annotator"]): row["content"] for row in work}


def test_content_depends_on_rows_and_neither_on_order_nor_on_names() -> None:
    both = contents(units=[unit("d", 1), unit("d", 2), unit("e", 2), unit("e", 1)])
    assert both["d", "anna"] == both["e", "anna"] != 0
    assert contents() == {("d", ""): 0, ("e", ""): 0}
    assert contents(units=[unit("d", 1, "B")]) != contents(units=[unit("d", 1)])
    given = contents(labels=[label("d", "p"), label("e", "p", "anna"), label("e", "q")])
    assert given["d", "ben"] == given["e", "anna"] != given["e", "ben"]
    parts = [unit("d", 1, fragments=[[1, 3], [5, 9]])]
    assert contents(units=parts) != contents(units=[unit("d", 1)])


def test_ids_of_units_may_change_and_ends_of_relations_may_not() -> None:
    def link(start: str, end: str, ids: str) -> dict[str, object]:
        return {
            "document": "d", "annotator": "anna", "layer": "x", "pass": 1, "category": "r",
            "relation": "r1", "from_unit": f"{ids}{start}", "to_unit": f"{ids}{end}",
        }  # fmt: skip

    def linked(start: str, end: str, ids: str) -> dict[tuple[str, str], int]:
        units = [unit("d", k, unit=f"{ids}{k}") for k in (1, 2)]
        return contents(units=units, relations=[link(start, end, ids)])

    assert linked("1", "2", "T") == linked("1", "2", "new") != linked("2", "1", "T")


def test_a_ledger_has_the_run_and_no_texts_of_a_private_campaign() -> None:
    work = work_on(tables(labels=[label("d", "p")]))
    found = campaign_ledger(work, run=3, codes=["x", ""], roles=["human", ""], is_private=True)
    assert found.schema == LEDGER
    assert {*found["sha256"].to_pylist()} == {""}
    assert found["arrived"].to_pylist() == [3, 0]


def test_what_was_exported_is_hashed_with_what_the_rules_reject() -> None:
    exported = tables(units=[unit("d", 1), unit("d", 2, "NEW")])
    strict, open_ = (
        work_on(tables(units=kept), exported).slice(0, 1).to_pylist()[0]
        for kept in ([unit("d", 1)], [unit("d", 1), unit("d", 2, "NEW")])
    )
    assert (strict["n_exported"], strict["n_rows"]) == (2, 1)
    assert (open_["n_exported"], open_["n_rows"]) == (2, 2)
    assert strict["exported"] == open_["exported"] != 0
    assert strict["content"] != open_["content"]


def test_a_hash_of_what_was_exported_cannot_be_guessed() -> None:
    given = tables(labels=[label("d", "p")])
    one, other, without = (
        work_of_shard(given, with_unread(given), key=key)["exported"][0].as_py()
        for key in ("a" * 16, "b" * 16, "")
    )
    assert one != other
    assert without == 0


def test_work_that_the_rules_reject_whole_has_arrived_and_no_release_has_it() -> None:
    exported = tables(labels=[label("d", "p", "stranger"), label("d", "p")])
    work = work_on(tables(labels=[label("d", "p")]), exported)
    states = {row["annotator"]: row["state"] for row in work.to_pylist() if row["annotator"]}
    assert states == {"ben": "finished", "stranger": ""}
    assert is_finished(work).tolist() == [True, True, False]
    released = accepted_work(work)
    assert "stranger" not in released["annotator"].to_pylist()
    assert {*released["exported"].to_pylist()} == {0}


def test_rows_that_cannot_be_read_are_part_of_the_work() -> None:
    given = tables(units=[unit("d", 1)])
    bad = {"document": "d", "annotator": "anna", "layer": "x", "rule": "not_an_offset",
           "table_name": "units"}  # fmt: skip
    alone = {**bad, "annotator": "ben", "value": "3;x"}
    whole = work_of_shard(given, with_unread(given), key="k" * 16).to_pylist()[0]
    found = [
        work_of_shard(given, with_unread(given, {**bad, "value": value}, alone), key="k" * 16)
        for value in ("3;x", "3;y")
    ]
    anna, again = (work.to_pylist()[0] for work in found)
    assert (anna["n_exported"], anna["n_rows"]) == (2, 1)
    assert anna["content"] == whole["content"]
    assert len({whole["exported"], anna["exported"], again["exported"]}) == 3
    [ben] = [row for row in found[0].to_pylist() if row["annotator"] == "ben"]
    assert (ben["n_exported"], ben["n_rows"], ben["state"]) == (1, 0, "")


def test_the_ledger_of_an_earlier_version_is_not_read() -> None:
    assert read_ledger(table_bytes(BEFORE).to_pybytes()).num_rows == 3
    assert read_ledger(table_bytes(BEFORE.drop_columns(["layer"])).to_pybytes()) is None
    assert read_ledger(None) is None
