"""Rates and memory of ingesting large exports (read, check, sort into Parquet).

    python benchmarks/readers/ingest.py [--documents 100000] [--megabytes 500] [--only jsonl]

Creates small brat documents and one JSON lines file of labels in a temporary folder (with the
functions of `throughput.py`), a tenth and the whole, and ingests each in a separate process. Prints
a Markdown table: CPU seconds, rows and megabytes per CPU second, and the peak memory with a tenth
and with all of the input. The number of rows in the store is compared with the number written.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORMATS = {"brat": ("brat", "units"), "jsonl": ("table", "labels"), "csv": ("table", "labels")}


def ingested(case: str, path: str, store: str) -> None:
    """Run in a separate process: CPU seconds, peak megabytes, rows of the store."""
    sys.path.insert(0, str(ROOT))
    from accordeur.tasks.intake.ingest import SourceSpec, ingest

    format, table = FORMATS[case]
    start = time.process_time()
    found = ingest(store, SourceSpec(path, format, None, None, "", (), {}, {}))
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([seconds, peak, found.rows[table], found.rows["rejected"]]))


def run(case: str, path: Path, store: Path) -> tuple[float, float, int]:
    command = [sys.executable, __file__, "--run", case, str(path), str(store)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, peak, rows, rejected = json.loads(done.stdout.splitlines()[-1])
    if rejected:
        raise SystemExit(f"{case}: {rejected} rows were rejected")
    return seconds, peak, rows


def main() -> None:
    from throughput import make_brat, make_csv, make_jsonl, size_of

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=100_000, help="brat documents, in all")
    parser.add_argument("--megabytes", type=int, default=500)
    parser.add_argument("--only", choices=list(FORMATS))
    parser.add_argument("--run", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.run:
        ingested(*given.run)
        return
    print("| input | MB | rows | CPU s | rows/s | MB/s | peak MB at 1/10 | at 1/1 |")
    print("|---|---|---|---|---|---|---|---|")
    for case in [given.only] if given.only else FORMATS:
        with tempfile.TemporaryDirectory() as folder:
            peaks = []
            for share in (10, 1):
                path = Path(folder, str(share))
                path.mkdir()
                n_bytes = given.megabytes * 1_000_000 // share
                if case == "brat":
                    expected = make_brat(path, given.documents // 2 // share)
                else:
                    make = make_jsonl if case == "jsonl" else make_csv
                    path /= f"x.{case}"
                    expected = make(path, n_bytes)
                seconds, peak, rows = run(case, path, Path(folder, f"store-{share}"))
                peaks.append(peak)
                if rows != expected:
                    raise SystemExit(f"{case}: {rows} rows where {expected} were written")
            megabytes = size_of(path) / 1e6
        print(
            f"| {case} | {megabytes:.0f} | {rows} | {seconds:.0f} | {rows / seconds:.0f} "
            f"| {megabytes / seconds:.1f} | {peaks[0]:.0f} | {peaks[1]:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
