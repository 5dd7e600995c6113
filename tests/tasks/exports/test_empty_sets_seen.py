"""`look` and `agree` on a table of sets with empty cells: why rows are rejected, and the codes."""

from __future__ import annotations

from pathlib import Path

from accordeur.tasks.inputs.look import look
from accordeur.tasks.inputs.look_text import lines_of_look
from tests.flows.command_line import accordeur

FRAMES = ("economy", "conflict; health", "", "health; economy; morality")
EMPTY = "the row has no label; --option empty=finished reads it as the empty set"


def written(folder: Path) -> Path:
    rows = [
        f"a{k},{who},{FRAMES[(k + (k % 5 == 0 and who == 'K2')) % len(FRAMES)]}"
        for k in range(24)
        for who in ("K1", "K2")
    ]
    path = folder / "news.csv"
    path.write_text("\n".join(["article,coder,frames", *rows]) + "\n", encoding="utf-8")
    return path


def test_look_says_why_rows_of_sets_are_rejected_and_counts_codes(tmp_path: Path) -> None:
    path = written(tmp_path)
    lines = lines_of_look(look([path], {"separator": ";"}))
    assert "label frames (conflict, economy, health, morality)" in lines[0]
    assert lines[1] == "48 rows read, 12 rejected"
    assert lines[2].endswith(", 4 categories")
    assert f"warning: Rows rejected: 12. The reason of the first: {EMPTY}." in lines
    answered = lines_of_look(look([path], {"separator": ";", "empty": "finished"}))
    assert answered[1] == "48 rows read"


def test_agree_names_the_option_that_reads_empty_cells_as_empty_sets(tmp_path: Path) -> None:
    columns = ("--item", "article", "--annotator", "coder", "--label", "frames")
    options = (*columns, "--option", "separator=;", "--replicates", "0")
    done = accordeur("agree", written(tmp_path), *options)
    assert EMPTY in done.stdout + done.stderr
    single = accordeur("agree", written(tmp_path), *columns, "--replicates", "0")
    assert "the row has no label" in single.stdout + single.stderr
    assert "empty=finished" not in single.stdout + single.stderr
