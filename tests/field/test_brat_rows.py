"""brat: pieces in any order, and a fate for every line of an `.ann` file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.flows.in_process import found

CASES = Path(__file__).parent / "cases"
TEXT = "The intake rose and acid detergent fiber fell."


def write(folder: Path, *lines: str, text: str = TEXT) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "d.txt").write_text(text, encoding="utf-8")
    (folder / "d.ann").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return folder


def test_pieces_are_compared_in_the_order_of_the_file() -> None:
    folder = CASES / "brat_fragments_out_of_order" / "in"
    result = found("gamma", folder, "--process", "statistical", "--replicates", "0")
    assert (result["rows"]["n_read"], result["rows"]["rejected"]) == (4, {})
    assert {row["measure"]: row["value"] for row in result["results"]}["gamma"] == 1


@pytest.mark.parametrize(
    ("offsets", "surface", "fits"),
    [
        ("20 40;4 10", "acid detergent fiber intake", True),
        ("20 40;4 10", "intake acid detergent fiber", True),  # written in the order of the text
        ("4 10;20 40", "acid detergent fiber intake", False),
        ("20 40;4 10", "acid detergent fibre intake", False),
        ("41 45;4 10;11 15", "fell intake rose", True),
    ],
)
def test_surfaces_of_pieces(
    tmp_path: Path, read: Callable[..., Any], offsets: str, surface: str, fits: bool
) -> None:
    tables = read(write(tmp_path / "anna", f"T1\tX {offsets}\t{surface}"))
    assert [r.rule for r in tables.rejected] == ([] if fits else ["surface_mismatch"])
    for unit in tables.units:
        assert list(unit.fragments) == sorted(unit.fragments)
        ends = unit.fragments[0][0], unit.fragments[-1][1]
        assert (unit.start_offset, unit.end_offset) == ends


LINES = {
    "T1\tX 4 10\tintake": "units",
    "T2\tX 11 15\trose": "units",
    "T3\tX 41 45\tfull": "surface_mismatch",
    "T4\tX 45 41\tfell": "end_before_start",
    "R1\tCause Arg1:T1 Arg2:T2": "relations",
    "R2\tCause Arg1:T1 Arg2:T3": "rejected_unit",
    "R3\tCause Arg1:T1 Arg2:T4": "rejected_unit",
    "R4\tCause Arg1:T1 Arg2:T9": "unknown_id",
    "*\tEquiv T1 T2": "relations",
    "*\tEquiv T1": "unknown_row",
    "E1\tX:T2 Theme:T1": "relations",
    "E2\tX:T2": "attribute",
    "E3\tX:T4 Theme:T1": "rejected_unit",
    "A1\tNegated T1": "attribute",
    "M1\tLevel R1 high": "attribute",
    "A2\tNegated T3": "rejected_unit",
    "A3\tNegated R2": "rejected_unit",
    "A4\tNegated T4": "rejected_unit",
    "A5\tNegated T9": "unknown_id",
    "A6\tNegated": "unknown_row",
    "N1\tReference T1 Wiki:12\tIntake": "attribute",
    "#1\tAnnotatorNotes E1\twhy": "attribute",
    "#2\tAnnotatorNotes A1\twhy": "attribute",
    "#3\tAnnotatorNotes N1\twhy": "attribute",
    "#4\tAnnotatorNotes E2\twhy": "attribute",
    "# a comment": "attribute",
    "X1\tsomething": "unknown_row",
}


def test_every_line_has_a_fate(tmp_path: Path, read: Callable[..., Any]) -> None:
    tables = read(write(tmp_path / "anna", *LINES))
    fates = Counter({"units": len(tables.units), "relations": len(tables.relations)})
    fates.update(row.rule for row in tables.rejected)
    for row in tables.excluded:
        fates[str(row.reason)] += row.n_rows
    assert fates == Counter(LINES.values())
    of_line = dict(enumerate(LINES.values(), 1))
    for row in tables.rejected:
        assert of_line[int(row.location.removeprefix("line "))] == row.rule
        assert row.rule != "rejected_unit" or "was rejected" in row.message


def test_arguments_of_one_role_are_all_kept(tmp_path: Path, read: Callable[..., Any]) -> None:
    lines = ("T1\tX 4 10\tintake", "T2\tX 11 15\trose", "T3\tX 41 45\tfell")
    tables = read(write(tmp_path / "anna", *lines, "E1\tX:T1 Theme:T2 Theme:T3"))
    assert {(r.category, r.to_unit) for r in tables.relations} == {("Theme", "T2"), ("Theme", "T3")}
    assert len({r.relation for r in tables.relations}) == 2


def test_the_account_of_a_command_has_the_attributes(tmp_path: Path) -> None:
    for who in ("anna", "ben"):
        write(tmp_path / who, "T1\tX 4 10\tintake", "A1\tNegated T1", "#1\tNotes T1\twhy")
    rows = found("gamma", tmp_path, "--process", "statistical", "--replicates", "0")["rows"]
    assert (rows["n_read"], rows["measured"], rows["excluded"]) == (6, 2, {"attribute": 4})
