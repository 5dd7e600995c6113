"""Throughput and memory of the readers, compared with plain parsers on the same bytes.

    python benchmarks/readers/throughput.py [--documents 20000] [--megabytes 100] [--repeat 3]

Creates its corpora in a temporary folder: small brat documents by two annotators, one JSON lines
file of labels, one CSV of labels, a folder of WebAnno TSV, a pygamma CSV. Each run is a separate
process, which first reads a tenth, so that imports are not counted. The plain parser parses the
same files, with bounds as numbers, and discards the result: `json.loads`, `csv.reader`, for brat
lines split at tabs. Prints a Markdown table: medians of user CPU seconds, their ratio, megabytes
per second, and the peak memory with a tenth and with all of the input.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = "le roi et la reine arrivent 👑 en ville avec toute la cour royale"
WORDS = TEXT.split()


def make_brat(folder: Path, n_documents: int) -> int:
    """Write brat documents; return the number of units."""
    text = " ".join(WORDS * 8)
    found = [(text.index(word, 40), word) for word in ("roi", "reine", "ville", "cour")]
    rows = [f"T{k}\tLabel {at} {at + len(word)}\t{word}\n" for k, (at, word) in enumerate(found, 1)]
    for annotator in ("anna", "boris"):
        for k in range(n_documents):
            name = folder / annotator / f"{k // 1000:03d}" / f"d{k:06d}"
            name.parent.mkdir(parents=True, exist_ok=True)
            name.with_suffix(".txt").write_text(text)
            name.with_suffix(".ann").write_text("".join(rows))
    return 2 * n_documents * len(rows)


def make_jsonl(path: Path, n_bytes: int) -> int:
    rows = 0
    with path.open("w") as stream:
        size = 0
        while size < n_bytes:
            row = {"document": f"d{rows // 20:07d}", "item": str(rows % 20)}
            row |= {"annotator": f"a{rows % 5}", "label": WORDS[rows % 7], "note": " ".join(WORDS)}
            line = json.dumps(row) + "\n"
            stream.write(line)
            size += len(line)
            rows += 1
    return rows


def make_csv(path: Path, n_bytes: int) -> int:
    rows = 0
    with path.open("w") as stream:
        stream.write("document,item,annotator,label\n")
        while stream.tell() < n_bytes:
            for _ in range(1000):
                stream.write(f"d{rows // 20:07d},{rows % 20},a{rows % 5},{WORDS[rows % 7]}\n")
                rows += 1
    return rows


def make_pygamma(path: Path, n_bytes: int) -> int:
    rows = 0
    with path.open("w") as stream:
        while stream.tell() < n_bytes:
            for _ in range(1000):
                stream.write(f"a{rows % 5},Noun,{rows * 3},{rows * 3 + 2}\n")
                rows += 1
    return rows


def make_tsv(folder: Path, n_documents: int) -> int:
    head = "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.NamedEntity|identifier|value\n\n"
    tokens, at, units = [], 0, 0
    for k, word in enumerate(WORDS * 8, start=1):
        length = len(word.encode("utf-16-le")) // 2
        cell = "*\tPER" if k % 4 == 0 else "_\t_"
        units += k % 4 == 0
        tokens.append(f"1-{k}\t{at}-{at + length}\t{word}\t{cell}\t\n")
        at += length + 1
    body = f"{head}\n#Text={' '.join(WORDS * 8)}\n{''.join(tokens)}"
    for k in range(n_documents):
        path = folder / f"d{k:06d}" / "anna.tsv"
        path.parent.mkdir(parents=True)
        path.write_text(body)
    return units * n_documents


def plain_lines(path: Path) -> None:
    files = sorted(path.rglob("*.*")) if path.is_dir() else [path]
    for file in files:
        if file.is_file():
            with file.open(encoding="utf-8") as stream:
                for line in stream:
                    line.split("\t")


def plain_tsv(path: Path) -> None:
    """Parse columns, and the offsets of the token lines as numbers."""
    for file in sorted(path.rglob("*.tsv")):
        with file.open(encoding="utf-8", newline="") as stream:
            for row in csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
                if len(row) > 1:
                    start, _, end = row[1].partition("-")
                    int(start), int(end)


def plain_json(path: Path) -> None:
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            json.loads(line)


def plain_csv(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as stream:
        for _ in csv.reader(stream):
            pass


def plain_bounds(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.reader(stream):
            float(row[2]), float(row[3])


CASES: dict[str, tuple[str, str, Callable[[Path], None]]] = {
    "brat": ("brat", "units", plain_lines),
    "webanno_tsv": ("webanno_tsv", "units", plain_tsv),
    "jsonl": ("table", "labels", plain_json),
    "csv": ("table", "labels", plain_csv),
    "pygamma": ("pygamma_csv", "units", plain_bounds),
}


def run_one(case: str, first: Path, path: Path, which: str) -> None:
    """Run in a separate process: read `first`, which also imports modules, then `path`.

    Prints user seconds, peak kilobytes, and counts for `path`.
    """
    sys.path.insert(0, str(ROOT))
    from accordeur.data.blocks import Block
    from accordeur.data.readers.base import SourceOptions
    from accordeur.data.readers.registry import reader
    from accordeur.data.readers.sources import read_rows

    format, _, plain = CASES[case]
    reader(format)
    counts: Counter[str] = Counter()
    before = 0.0
    for place in (first, path):
        counts.clear()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        if which == "plain":
            plain(place)
            continue
        for row in read_rows(place, format, SourceOptions()):
            counts[row.TABLE] += len(row) if isinstance(row, Block) else 1
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps([usage.ru_utime - before, usage.ru_maxrss, counts]))


def timed(
    case: str, first: Path, path: Path, which: str, repeat: int
) -> tuple[float, int, dict[str, int]]:
    runs = []
    for _ in range(repeat):
        command = [sys.executable, __file__, "--run", case, str(first), str(path), which]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout))
    return statistics.median(run[0] for run in runs), runs[-1][1], runs[-1][2]


def size_of(path: Path) -> int:
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", choices=list(CASES))
    parser.add_argument("--run", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.run:
        case, first, path, which = given.run
        run_one(case, Path(first), Path(path), which)
        return
    print("| input | MB | rows | reader s | plain s | ratio | MB/s | peak MB at 1/10 | at 1/1 |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case in [given.only] if given.only else CASES:
        with tempfile.TemporaryDirectory() as folder:
            folders = Path(folder, "tenth"), Path(folder, "whole")
            expected = 0
            for place, share in zip(folders, (10, 1), strict=True):
                place.mkdir()
                n_bytes = given.megabytes * 1_000_000 // share
                if case == "brat":
                    expected = make_brat(place, given.documents // share)
                elif case == "webanno_tsv":
                    expected = make_tsv(place, given.documents // 10 // share)
                elif case == "jsonl":
                    expected = make_jsonl(place / "x.jsonl", n_bytes)
                elif case == "csv":
                    expected = make_csv(place / "x.csv", n_bytes // 5)
                else:
                    expected = make_pygamma(place / "x.csv", n_bytes // 5)
            inputs = [
                next(p.iterdir()) if case in ("jsonl", "csv", "pygamma") else p for p in folders
            ]
            tenth, whole = inputs
            _, small, _ = timed(case, tenth, tenth, "reader", 1)
            seconds, large, counts = timed(case, tenth, whole, "reader", given.repeat)
            plain, _, _ = timed(case, tenth, whole, "plain", given.repeat)
            table = CASES[case][1]
            if counts.get(table) != expected or counts.get("rejected"):
                raise SystemExit(f"{case}: {counts} where {expected} {table} were written")
            megabytes = size_of(whole) / 1e6
            print(
                f"| {case} | {megabytes:.0f} | {expected} | {seconds:.2f} | {plain:.2f} "
                f"| {seconds / plain:.1f} | {megabytes / seconds:.0f} "
                f"| {small / 1024:.0f} | {large / 1024:.0f} |"
            )


if __name__ == "__main__":
    main()
