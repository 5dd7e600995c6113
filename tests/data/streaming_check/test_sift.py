"""Rows that wait for what is read after them: bounded, and refused as a run refuses them."""

from __future__ import annotations

from typing import Any

import pytest

from accordeur.data.schema import Document, Relation, Unit
from accordeur.data.streaming_check import sift
from accordeur.data.validation.rules import Declared


def test_units_held_for_their_document_are_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sift, "ROWS_AT_ONCE", 4)
    monkeypatch.setattr(sift, "HELD_ROWS", 3)
    held: list[int] = []
    ready = sift.Sifter._ready

    def watched(self: sift.Sifter, rows: dict[str, Any], source: int) -> Any:
        found = ready(self, rows, source)
        held.append(rows["units"].num_rows)
        return found

    monkeypatch.setattr(sift.Sifter, "_ready", watched)
    rows = [
        Unit(document="late", annotator="anna", unit=f"u{u}", start_offset=u, end_offset=u + 9)
        for u in range(40)
    ]
    sifter = sift.Sifter(Declared())
    found = list(sifter.source(iter([*rows, Document(document="late", length=20)]), 0))
    assert max(held) <= 3
    assert sum(int(one.kept.sum()) for one in found if one.table == "units") == 40
    late = [row for _, one in sifter.end() for row in one.rejected.to_pylist()]
    assert len(late) == 28  # u12 … u39 end after 20
    assert {(row["rule"], row["document"]) for row in late} == {("inside_document", "late")}
    assert late[0]["value"] == "48"


def test_units_and_relations_wait_for_what_is_read_after_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sift, "ROWS_AT_ONCE", 1)
    units = [
        Unit(
            document="d",
            annotator="anna",
            unit=f"u{u}",
            start_offset=u,
            end_offset=u + 9,
            location=f"line {u}",
        )
        for u in (0, 1, 15)
    ]
    relations = [
        Relation(document="d", annotator="anna", relation=f"r{b}", from_unit="u0", to_unit=f"u{b}")
        for b in (1, 15)
    ]
    sifter = sift.Sifter(Declared())
    found = list(sifter.source(iter(relations), 0))
    found += sifter.source(iter([*units, Document(document="d", length=20)]), 1)
    rejected = [row for one in found for row in one.rejected.to_pylist()]
    assert [(row["rule"], row["location"]) for row in rejected] == [("inside_document", "line 15")]
    [(source, late)] = sifter.end()
    assert source == 0
    assert late.kept.tolist() == [True, False]
    assert late.rejected["rule"].to_pylist() == ["ends_accepted"]
