"""User CPU time and memory of the readers of JSON exports, compared with `json`.

    python benchmarks/readers/json_exports.py [--documents 20000] [--repeat 3] [--only doccano]

Creates one export per tool in a temporary folder (600 characters and five units per document). The
plain parser is `json.loads` of each line, or `json.load` of a single array, discarding the result.
Each run is a separate process, which first reads a tenth of the documents, so that imports are not
counted. Prints a Markdown table: medians, their ratio, and the peak memory with a tenth and with
all of the documents. The number of units read is compared with the number written.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TEXT = "The quick brown fox 😀 jumps over the lazy dog. " * 12
SPANS = [(k * 90 + 4, k * 90 + 9) for k in range(5)]
TOKENS = [{"text": t, "start": 0, "end": 1, "id": k} for k, t in enumerate(TEXT.split())]
FILES = {
    "prodigy": "prodigy.jsonl",
    "doccano": "anna.jsonl",
    "label_studio": "tasks.json",
    "argilla": "records.json",
}


def utf16(offset: int) -> int:
    return len(TEXT[:offset].encode("utf-16-le")) // 2


def documents(format: str, n: int) -> Iterator[dict[str, Any]]:
    """Yield `n` documents as the tool exports them."""
    spans = [{"start": a, "end": b, "label": "X"} for a, b in SPANS]
    regions = [
        {
            "id": str(a),
            "type": "labels",
            "from_name": "label",
            "value": {"start": utf16(a), "end": utf16(b), "text": TEXT[a:b], "labels": ["X"]},
        }
        for a, b in SPANS
    ]
    common: dict[str, dict[str, Any]] = {
        "prodigy": {
            "text": TEXT,
            "tokens": TOKENS,
            "spans": spans,
            "answer": "accept",
            "_annotator_id": "anna",
        },
        "doccano": {"text": TEXT, "label": [[a, b, "X"] for a, b in SPANS]},
        "label_studio": {
            "data": {"text": TEXT},
            "annotations": [{"completed_by": 1, "result": regions}],
        },
        "argilla": {
            "fields": {"text": TEXT},
            "responses": {"spans": [{"value": spans, "user_id": "anna"}]},
        },
    }
    keys = ("_input_hash", "_task_hash") if format == "prodigy" else ("id",)
    for k in range(n):
        yield {**dict.fromkeys(keys, k), **common[format]}


def make(format: str, path: Path, n: int) -> None:
    with path.open("w", encoding="utf-8") as stream:
        lines = path.suffix == ".jsonl"
        stream.write("" if lines else "[")
        for k, document in enumerate(documents(format, n)):
            stream.write("" if lines or not k else ",")
            stream.write(json.dumps(document, ensure_ascii=False) + ("\n" if lines else ""))
        stream.write("" if lines else "]")


def plain(path: Path) -> int:
    with path.open(encoding="utf-8") as stream:
        if path.suffix == ".jsonl":
            return sum(1 for line in stream if json.loads(line))
        return len(json.load(stream))


def ours(format: str, path: Path) -> int:
    from accordeur.data.blocks import Block
    from accordeur.data.readers.base import SourceOptions
    from accordeur.data.readers.sources import read_rows

    rows = read_rows(path, format, SourceOptions())
    units = (row for row in rows if row.TABLE == "units")
    return sum(len(row) if isinstance(row, Block) else 1 for row in units)


def one_run(who: str, format: str, path: Path) -> None:
    """Run in a separate process: count, user CPU seconds (without imports), peak MB."""
    read = plain if who == "plain" else lambda file: ours(format, file)
    read(path.parent / "small" / path.name if path.parent.name != "small" else path)  # imports
    start = time.process_time()
    count = read(path)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([count, seconds, peak]))


def run(who: str, format: str, path: Path, repeat: int) -> tuple[int, float, float]:
    command = [sys.executable, __file__, "--run", who, format, str(path)]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    found = [
        json.loads(subprocess.run(command, check=True, capture_output=True, env=environment).stdout)
        for _ in range(repeat)
    ]
    return found[0][0], statistics.median(f[1] for f in found), max(f[2] for f in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", choices=list(FILES))
    parser.add_argument("--run", nargs=3)
    options = parser.parse_args()
    if options.run:
        one_run(options.run[0], options.run[1], Path(options.run[2]))
        return
    print("| format | MB | json (s) | reader (s) | ratio | peak MB, a tenth | peak MB, all |")
    print("|---|---|---|---|---|---|---|")
    for format in [options.only] if options.only else FILES:
        file = FILES[format]
        with tempfile.TemporaryDirectory() as folder:
            small, path = Path(folder) / "small" / file, Path(folder) / file
            small.parent.mkdir()
            make(format, small, options.documents // 10)
            make(format, path, options.documents)
            _, base, _ = run("plain", format, path, options.repeat)
            units, seconds, peak = run("reader", format, path, options.repeat)
            assert units == options.documents * len(SPANS), "units were lost"
            tenth = run("reader", format, small, 1)[2]
            size = path.stat().st_size / 1e6
        print(
            f"| {format} | {size:.0f} | {base:.2f} | {seconds:.2f} | {seconds / base:.1f} "
            f"| {tenth:.0f} | {peak:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
