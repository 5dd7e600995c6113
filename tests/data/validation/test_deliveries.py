"""Work that was delivered more than once: which copy counts, whatever the order of files."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest

from accordeur.data.schema import Assignment, Document, Label, Record, Relation, Unit
from accordeur.data.validation.accepted import Accepted
from accordeur.data.validation.preparation import prepare
from accordeur.data.validation.raw_rows import RawRows
from accordeur.data.validation.rule import Declared

Source = Sequence[Record]


def prepared(*sources: Source, deliveries: tuple[int | None, ...] = ()) -> Accepted:
    rows = RawRows()
    for source in sources:
        rows.add(source)
    [raw] = rows.shards()
    return prepare(raw, Declared(deliveries=deliveries), rows.layers)


def units(*spans: tuple[int, int, str], source: str, time: str = "") -> list[Record]:
    """What ann marked in d, in one file."""
    return [
        Document("d", 50, source=source),
        Assignment("d", "ann", source=source, time=time),
        *(
            Unit("d", "ann", f"T{n}", start, end, category, source=source)
            for n, (start, end, category) in enumerate(spans)
        ),
    ]


def label(value: str, *, item: str = "i", source: str, time: str = "") -> list[Record]:
    given = [Assignment("d", "ann", source=source, time=time)] if time else []
    return [*given, Label("d", item, "ann", (value,), source=source)]


def spans(found: Accepted) -> list[tuple[int, int, str]]:
    columns = ("start_offset", "end_offset", "category")
    return sorted(zip(*(found.tables["units"][name].to_pylist() for name in columns), strict=True))


def copies(found: Accepted) -> list[tuple[int, str]]:
    rows = found.deliveries.to_pylist()
    return [(row["n_files"], row["copies"]) for row in rows]


FIRST = ((0, 5, "A"), (6, 9, "B"))
SECOND = ((0, 5, "A"), (6, 9, "C"))


def test_equal_copies_are_counted_once() -> None:
    found = prepared(units(*FIRST, source="w1"), units(*FIRST[::-1], source="w2"))
    assert spans(found) == sorted(FIRST)
    assert copies(found) == [(2, "equal")]
    assert found.rows_rejected == 0
    [excluded] = found.tables["excluded"].to_pylist()
    assert (excluded["reason"], excluded["n_rows"]) == ("delivered_again", 2)
    tally = found.tally()
    assert (tally.n_read, tally.n_accepted) == (4, 2)


def test_the_later_copy_counts_by_the_time_in_the_export_in_any_order_of_files() -> None:
    files = [
        units(*FIRST, source="w1", time="2026-11-02T10:00:00+02:00"),
        units(*SECOND, source="w2", time="2026-11-02T09:00:00Z"),  # an hour later
    ]
    for order in permutations(files):
        found = prepared([row for file in order for row in file])
        assert spans(found) == sorted(SECOND)
        assert copies(found) == [(2, "replaced")]


def test_the_later_copy_counts_by_the_declared_order_of_sources() -> None:
    first, second = units(*FIRST, source="z"), units(*SECOND, source="a")
    assert spans(prepared(first, second, deliveries=(1, 2))) == sorted(SECOND)
    assert spans(prepared(second, first, deliveries=(2, 1))) == sorted(SECOND)
    newest = units(*FIRST, source="b", time="2026-11-02")
    oldest = units(*SECOND, source="a", time="2026-11-01")
    assert spans(prepared(newest, oldest, deliveries=(1, 2))) == sorted(SECOND)  # the user's word


@pytest.mark.parametrize("times", [("", ""), ("2026-11-01", ""), ("2026-11-01", "2026-11-01")])
def test_copies_that_differ_and_have_no_order_are_all_rejected(times: tuple[str, str]) -> None:
    files = [units(*FIRST, source="w1", time=times[0]), units(*SECOND, source="w2", time=times[1])]
    for order in permutations(files):
        found = prepared(*order)
        assert spans(found) == []
        assert [*found.rejected["rule"].to_pylist()] == ["delivered_once"] * 4
        assert {*found.rejected["source"].to_pylist()} == {"w1", "w2"}
        assert copies(found) == [(2, "conflict")]
        assert found.tables["assignments"]["state"].to_pylist() == ["unfinished"]
        assert found.rows_in == found.rows_accepted + found.rows_rejected


def test_work_that_was_emptied_is_replaced() -> None:
    first = units(*FIRST, source="w1", time="2026-11-01")
    emptied = units(source="w2", time="2026-11-08")
    with_others = [*emptied, Unit("e", "ann", "T1", 0, 5, "A", source="w2")]
    found = prepared(first, with_others)
    assert [row["document"] for row in found.tables["units"].to_pylist()] == ["e"]
    assert copies(found) == [(2, "replaced")]
    states = {row["document"]: row["state"] for row in found.tables["assignments"].to_pylist()}
    assert states == {"d": "finished_empty", "e": "finished"}


def test_labels_are_compared_item_by_item() -> None:
    files = [
        [*label("p", source="w1"), *label("q", item="j", source="w1")],
        [*label("p", source="w2"), *label("r", item="k", source="w2")],
    ]
    found = prepared(*files)
    assert sorted(found.tables["labels"]["item"].to_pylist()) == ["i", "j", "k"]
    assert found.rows_rejected == 0
    differ = prepared(label("p", source="w1"), label("q", source="w2"))
    assert differ.rejected["rule"].to_pylist() == ["delivered_once"] * 2
    later = prepared(
        label("p", source="w1", time="2026-11-09"), label("q", source="w2", time="2026-11-10")
    )
    assert later.tables["labels"]["labels"].to_pylist() == [["q"]]


def test_relations_follow_the_copy_that_counts() -> None:
    def linked(source: str, time: str, start: str, end: str) -> list[Record]:
        relation = Relation("d", "ann", "R1", start, end, "cause", source=source)
        return [*units(*FIRST, source=source, time=time), relation]

    found = prepared(linked("w1", "2026-11-01", "T0", "T1"), linked("w2", "2026-11-08", "T1", "T0"))
    assert copies(found) == [(2, "replaced")]
    [relation] = found.tables["relations"].to_pylist()
    assert (relation["source"], relation["from_unit"]) == ("w2", "T1")
    assert found.rows_rejected == 0


def test_files_of_one_layer_each_and_repeats_within_a_file_are_no_deliveries() -> None:
    here = units(*FIRST, source="w1")
    there = [
        Assignment("d", "ann", source="w2"),
        Unit("d", "ann", "T9", 0, 5, "X", layer="other", source="w2"),
    ]
    found = prepared([*here, *there])
    assert len(spans(found)) == 3
    assert copies(found) == []
    again = prepared([*here, *there], units(*SECOND, source="w3"))
    assert copies(again) == [(2, "conflict")]
    assert again.deliveries["layer"].to_pylist() == ["units"]
    assert again.tables["units"]["layer"].to_pylist() == ["other"]
    twice = prepared([*label("p", source="w"), *label("q", source="w")])
    assert twice.rejected["rule"].to_pylist() == ["label_occurs_once"]
