"""Times in a column of a table, which an option names."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_rows
from accordeur.data.validation.preparation import accepted_rows
from accordeur.data.validation.rule import Declared

LABELS = """document,item,annotator,label,created_at
d1,i1,ann,x,2026-11-02T10:00:00Z
d1,i2,ann,x,2026-11-02T11:30:00+02:00
d1,i1,ben,y,2026-11-03 08:00:00
d2,i3,ann,y,
d2,i3,,y,2026-11-04
"""
UNITS = """document,annotator,start,end,category,when
d1,ann,0,5,A,2026-11-02
d1,ann,6,9,A,2026-11-05T12:00:00
"""


def times(path: Path, column: str) -> dict[tuple[str, str], str]:
    options = SourceOptions(extra={"time": column})
    accepted = accepted_rows(read_rows(path, "table", options), Declared())
    rows = accepted.tables["assignments"].to_pylist()
    assert {row["state"] for row in rows} == {"finished"}
    assert column not in options.notes.named.get("ignored_columns", ())
    return {(row["document"], row["annotator"]): row["time"] for row in rows}


def written(folder: Path, text: str) -> Path:
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_last_time_of_an_annotator_in_a_document_is_that_of_the_work(tmp_path: Path) -> None:
    assert times(written(tmp_path, LABELS), "created_at") == {
        ("d1", "ann"): "2026-11-02T10:00:00Z",  # half an hour after the other, by the clock of UTC
        ("d1", "ben"): "2026-11-03 08:00:00",
        ("d2", "ann"): "",
    }
    assert times(written(tmp_path, UNITS), "when") == {("d1", "ann"): "2026-11-05T12:00:00"}


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        (LABELS.replace("2026-11-03 08:00:00", "3/11/26"), "created_at", "line 4: '3/11/26' in"),
        (LABELS, "updated_at", "no column 'updated_at' for the option `time`"),
        ("item,ann,ben,when\ni1,x,y,2026-11-02\n", "when", "of several annotators"),
    ],
)
def test_what_is_no_time_is_refused_in_a_sentence(
    tmp_path: Path, text: str, column: str, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        times(written(tmp_path, text), column)


def test_the_filled_in_table_of_a_round_needs_no_times(tmp_path: Path) -> None:
    text = "document,item,annotator,role,label,purpose\nd1,i1,ann,human,x,random\n"
    assert times(written(tmp_path, text), "created_at") == {("d1", "ann"): ""}


def test_times_of_rows_decide_between_two_deliveries(tmp_path: Path) -> None:
    header = "document,item,annotator,label,created_at"
    for name, row in (("b", "d,i,ann,x,2026-11-02"), ("a", "d,i,ann,y,2026-11-09")):
        (tmp_path / f"{name}.csv").write_text(f"{header}\n{row}\n", encoding="utf-8")
    options = SourceOptions(extra={"time": "created_at"})
    accepted = accepted_rows(read_rows(tmp_path, "table", options), Declared())
    assert accepted.tables["labels"]["labels"].to_pylist() == [["y"]]
    assert accepted.rows_rejected == 0


@pytest.mark.parametrize(("purpose", "is_doubted"), [("purpose", False), ("why", True)])
def test_nothing_is_doubted_in_the_filled_in_table_of_a_round(
    tmp_path: Path, purpose: str, is_doubted: bool
) -> None:
    rows = [f"document,item,annotator,role,label,{purpose}"]
    for k in range(30):  # most items have one label; where there are two, they are equal
        given = ("random", "informative", "audit")[k % 3]
        rows.append(f"{k},s{k % 4},{'ab'[k % 2]},human,{'xyz'[k % 3]},{given}")
        if k % 5 == 0:
            rows.append(f"{k},s{k % 4},gold,audit,{'xyz'[k % 3]},audit")
    options = SourceOptions()
    list(read_rows(written(tmp_path, "\n".join(rows)), "table", options))
    assert bool({*options.notes.named} - {"ignored_columns"}) is is_doubted
