"""Documents that come, go, change and are renamed between two runs."""

from __future__ import annotations

import pyarrow as pa

from accordeur.data.changes import SCHEMA, Changes, compare_fingerprints, document_fingerprints
from accordeur.data.schema import SCHEMAS


def table(*rows: tuple[str, str, int]) -> pa.Table:
    names = ("document", "sha256", "annotations")
    return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows], SCHEMA)


def test_nothing_changed() -> None:
    same = table(("a", "1", 5), ("b", "", 7))
    assert compare_fingerprints(same, same) == Changes()
    assert not compare_fingerprints(same, same.take([1, 0]))


def test_each_kind_of_change_is_told() -> None:
    before = table(
        ("kept", "1", 1),
        ("gone", "2", 2),
        ("old name", "3", 3),
        ("other text", "4", 4),
        ("other marks", "5", 5),
        ("old, no text", "", 66),
    )
    now = table(
        ("kept", "1", 1),
        ("new name", "3", 33),  # annotated further, too
        ("other text", "44", 4),
        ("other marks", "5", 55),
        ("fresh", "7", 7),
        ("new, no text", "", 66),
    )
    found = compare_fingerprints(before, now)
    assert found.added == ("fresh",)
    assert found.removed == ("gone",)
    assert found.renamed == (("old name", "new name"), ("old, no text", "new, no text"))
    assert found.changed == ("other marks", "other text")
    assert (found.n_added, found.n_removed, found.n_renamed, found.n_changed) == (1, 1, 2, 2)


def test_copies_are_not_taken_for_renamed_documents() -> None:
    before = table(("a", "1", 1), ("b", "1", 1))
    found = compare_fingerprints(before, table(("c", "1", 1)))
    assert (found.n_added, found.n_removed, found.n_renamed) == (1, 2, 0)
    empty = compare_fingerprints(
        table(("a", "", 0)), table(("b", "", 0))
    )  # nothing to know them by
    assert (empty.n_added, empty.n_removed, empty.n_renamed) == (1, 1, 0)


def test_names_are_few_and_counts_are_whole() -> None:
    before = table(*((f"d{k:03d}", str(k), k) for k in range(100)))
    found = compare_fingerprints(before, table(("d000", "0", 0)))
    assert found.n_removed == 99
    assert len(found.removed) == 20


def tables(units: list[dict[str, object]], labels: list[dict[str, object]]) -> dict[str, pa.Table]:
    documents = [{"document": "d", "length": 9, "sha256": "1"}, {"document": "e", "length": 9}]
    rows = {"documents": documents, "units": units, "labels": labels}
    return {
        name: pa.Table.from_pylist(
            [{field.name: row.get(field.name) for field in SCHEMAS[name]} for row in given],
            SCHEMAS[name],
        )
        for name, given in rows.items()
    }


def test_a_fingerprint_depends_on_rows_and_neither_on_order_nor_on_the_name() -> None:
    def unit(document: str, start: int, category: str = "A") -> dict[str, object]:
        return {
            "document": document, "annotator": "anna", "layer": "x", "pass": 1,
            "start_offset": start, "end_offset": 9, "category": category,
        }  # fmt: skip

    def label(document: str, value: str) -> dict[str, object]:
        return {
            "document": document, "annotator": "ben", "layer": "y", "pass": 1,
            "item": "i", "labels": [value],
        }  # fmt: skip

    def marks(units: list[dict[str, object]], labels: list[dict[str, object]]) -> list[int]:
        return document_fingerprints(tables(units, labels))["annotations"].to_pylist()

    both = marks([unit("d", 1), unit("d", 2), unit("e", 2), unit("e", 1)], [])
    assert both[0] == both[1] != 0
    assert marks([], []) == [0, 0]
    assert marks([unit("d", 1, "B")], []) != marks([unit("d", 1)], [])
    assert marks([], [label("d", "p")])[0] == marks([], [label("e", "p")])[1]
    assert marks([], [label("d", "p")]) != marks([], [label("d", "q")])
