"""A line of a gigabyte, at its real size: rejected without being held."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
GIGABYTE = 1 << 30
MOST_MEGABYTES = 700
READ = """
import json, re, sys
from pathlib import Path
from accordeur.data.errors import DataError
from accordeur.data.blocks import Block
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_rows
rules, rows = [], 0
try:
    for row in read_rows(sys.argv[2], sys.argv[1], SourceOptions()):
        if isinstance(row, Block):
            rows += len(row) if row.TABLE == "labels" else 0
        elif row.TABLE == "rejected":
            rules.append([row.rule, row.location])
        else:
            rows += row.TABLE in ("labels", "units")
except DataError as error:
    rules.append(["DataError", str(error)])
# (ru_maxrss begins with what the process had that started this one)
status = Path("/proc/self/status").read_text()
peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1]) // 1024
print(json.dumps([rules, rows, peak]))
"""
ROWS = {
    "table-csv": ("table", "item,annotator,label\ni1,a,x\n", "i2,a,x\n"),
    "table-jsonl": ("table", '{"item":"i1","annotator":"a","label":"x"}\n',
                    '{"item":"i2","annotator":"a","label":"x"}\n'),
    "doccano-jsonl": ("doccano", '{"id":1,"text":"ab","label":[[0,1,"x"]]}\n',
                      '{"id":2,"text":"ab","label":[[0,1,"x"]]}\n'),
}  # fmt: skip


def read_apart(format: str, path: Path) -> tuple[list[list[str]], int]:
    """Refusals and rows, read in a process whose memory stays below the bound."""
    done = subprocess.run(
        [sys.executable, "-c", READ, format, str(path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-500:]
    rules, rows, peak = json.loads(done.stdout)
    assert peak < MOST_MEGABYTES
    return rules, rows


def with_hole(path: Path, before: str, after: str) -> Path:
    """`before`, a gigabyte without a line end (a hole in the file: no disk is filled), `after`."""
    with path.open("wb") as stream:
        stream.write(before.encode())
        stream.seek(GIGABYTE, 1)
        stream.write(b"\n" + after.encode())
    return path


@pytest.mark.long
@pytest.mark.parametrize("name", list(ROWS))
def test_the_lines_around_it_are_read(name: str, tmp_path: Path) -> None:
    format, before, after = ROWS[name]
    path = with_hole(tmp_path / f"x.{name.split('-')[1]}", before, after)
    rules, rows = read_apart(format, path)
    assert [rule for rule, _ in rules] == ["line_too_long"]
    assert rules[0][1] == f"line {before.count(chr(10)) + 1}"
    assert rows == 2
