"""Whole runs at 10³ … 10⁶ documents: time, worker memory, and cost of the orchestration.

    python benchmarks/runs/scale.py sizes --documents 1000 10000 100000
    python benchmarks/runs/scale.py workers --documents 20000 --runs 3 --share 0.25
    python benchmarks/runs/scale.py overhead --documents 2000 2000x25 2000x33 10000 --runs 5
    python benchmarks/runs/scale.py model --documents 1000 4000 16000

2000x25 means 2,000 documents of three annotators with 25 units on average; 2000 alone has nine.
`sizes` runs a campaign, then again with nothing changed. `workers` compares one worker with two.
`overhead` compares the flow, after its start-up, with the same batches computed by the same
functions in plain processes. `model` fits a line on the smaller sizes and compares its prediction
for the largest with a run.

"After start-up" is the time from the start of the first task to the end of the flow, as recorded by
Prefect. Each writes its table to benchmarks/results/scale-*.md, with the load of the machine; under
other load, only CPU times are meaningful.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from scale_corpus import Size, units_in, write_campaign
from scale_model import Line, Load
from scale_runs import ROOT, run_bare, run_campaign

DEFAULT = {"overhead": "2000 2000x25 2000x33 10000"}


def sizes(scratch: Path, asked: Sequence[Size], workers: int) -> Iterator[str]:
    yield ("| documents | units | wall, s | after start-up, s | CPU, s | worker, MB | flow, MB |")
    yield "|---|---|---|---|---|---|---|"
    again_rows, notes = [], []
    for size in asked:
        folder, n = scratch / str(size), size.documents
        campaign = write_campaign(folder, size, workers)
        n_units = units_in(campaign)
        first = run_campaign(campaign, scratch / "prefect")
        yield (
            f"| {n:,} | {n_units:,} | {first.wall:.1f} | {first.after_start:.1f} | "
            f"{first.cpu:.0f} | {first.worker_mb:.0f} | {first.flow_mb:.0f} |"
        )
        again = run_campaign(campaign, scratch / "prefect")
        again_rows.append(
            f"| {n:,} | {again.wall:.1f} | {again.wall / first.wall:.1%} | {again.flow:.2f} | "
            f"{again.flow / first.flow:.1%} |"
        )
        notes.append(f"<!-- {n}: {dict(first.stages)}; cpu {first.cpu:.1f} {again.cpu:.1f} -->")
        shutil.rmtree(folder)
    yield ""
    yield "| documents, nothing changed | wall, s | of the first's | flow, s | of the first's |"
    yield "|---|---|---|---|---|"
    yield from again_rows
    yield from notes


def workers(scratch: Path, size: Size, runs: int, share: float | None = None) -> Iterator[str]:
    folder, home = scratch / "workers", scratch / "prefect"
    ways = ["flow", "bare processes", *([] if share is None else ["flow, limited"])]
    walls: dict[tuple[str, int], list[float]] = {(way, n): [] for way in ways for n in (1, 2)}
    for _ in range(runs):
        for (way, n), of_way in walls.items():
            campaign = write_campaign(folder, size, n)
            shutil.rmtree(folder / f"store-{n}", ignore_errors=True)
            if way == "bare processes":
                of_way.append(run_bare(campaign, scratch)["wall"])
            else:
                limit = None if way == "flow" else share
                of_way.append(run_campaign(campaign, home, limit).after_start)
    yield f"{size.documents:,} documents; medians of {runs}, seconds after start-up (fastest)."
    yield ""
    yield f"| | a worker may use | 1 worker | 2 workers | ratio |\n{'|---' * 5}|"
    for way in ways:
        allowed = f"{share:.0%} of a core" if way == "flow, limited" else "a core"
        one, two = (walls[way, n] for n in (1, 2))
        ratio, best = statistics.median(one) / statistics.median(two), min(one) / min(two)
        cells = (f"{statistics.median(of):.1f} ({min(of):.1f})" for of in (one, two))
        yield f"| {way} | {allowed} | {' | '.join(cells)} | {ratio:.2f} ({best:.2f}) |"


def overhead(scratch: Path, asked: Sequence[Size], runs: int) -> Iterator[str]:
    """Run flow and plain processes alternately, each size once per round, in varying order."""
    walls: dict[tuple[Size, str], list[float]] = {
        (size, way): [] for size in asked for way in ("flow", "bare")
    }
    n_units, notes = {}, []
    for _ in range(runs):
        for size, way in walls:
            campaign = write_campaign(scratch / str(size), size, 2)
            n_units[size] = units_in(campaign)
            shutil.rmtree(campaign.parent / "store-2", ignore_errors=True)
            if way == "flow":
                measured = run_campaign(campaign, scratch / "prefect")
                seconds, stages = measured.after_start, measured.stages
            else:
                told = run_bare(campaign, scratch)
                seconds, stages = told["wall"], told["stages"]
            walls[size, way].append(seconds)
            notes.append(f"<!-- {size} {way} {seconds:.3f}: {dict(stages)} -->")
        walls = dict(reversed(walls.items()))
    columns = "units an annotator | units | | flow after start-up, s | bare, s | overhead"
    yield f"| documents | {columns} |\n{'|---' * 7}|"
    for size in asked:
        for name, of in (("median", statistics.median), ("fastest", min)):
            flow, bare = (of(walls[size, way]) for way in ("flow", "bare"))
            yield (
                f"| {size.documents:,} | {size.units:g} | {n_units[size]:,} | {name} "
                f"| {flow:.2f} | {bare:.2f} | {flow / bare - 1:+.0%} |"
            )
        pairs = zip(walls[size, "flow"], walls[size, "bare"], strict=True)
        ratio = statistics.median(flow / bare for flow, bare in pairs)
        cells = f"{size.documents:,} | {size.units:g} | {n_units[size]:,} | pairs | | "
        yield f"| {cells} | {ratio - 1:+.0%} |"
    yield f"\n{runs} runs of each in turn; pairs: median ratio of two runs one after the other."
    yield _fitted(asked, walls)
    yield from notes


def _fitted(asked: Sequence[Size], walls: Mapping[tuple[Size, str], list[float]]) -> str:
    """Fit the difference of the medians by least squares: a constant, and a cost per document."""
    of_documents = [size.documents for size in asked]
    if len(set(of_documents)) < 2:
        return "One number of documents, to which no line is fitted."
    medians = {key: statistics.median(of) for key, of in walls.items()}
    difference = [medians[size, "flow"] - medians[size, "bare"] for size in asked]
    slope, constant = np.polyfit(of_documents, difference, 1)
    return (
        f"What the flow takes longer, fitted to the medians: {constant:.2f} s whatever the size, "
        f"and {1e6 * slope:.0f} µs a document."
    )


def model(scratch: Path, documents: Sequence[int], workers: int) -> Iterator[str]:
    """Fit on the smaller sizes (files and tasks by counting rules), and check on the largest."""
    names = ("CPU, s", "store, MB", "files", "tasks")
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    *fitted, last = sorted(documents)
    run_campaign(write_campaign(scratch / "first", Size(fitted[0]), workers), scratch / "prefect")
    for n in (*fitted, last):  # the first run also creates Prefect's database
        campaign = write_campaign(scratch / str(n), Size(n), workers)
        store = campaign.parent / f"store-{workers}"
        measured = run_campaign(campaign, scratch / "prefect")
        kept = [one for one in store.rglob("*") if one.is_file() and "reports" not in one.parts]
        by_shard = [one for one in kept if one.parts[-3] in ("accepted", "aligned")]
        seen["CPU, s"].append((n, measured.cpu))
        seen["store, MB"].append((n, sum(one.stat().st_size for one in kept) / 1e6))
        seen["files"].append((n, len(by_shard)))
        seen["tasks"].append((n, measured.n_tasks))
        shutil.rmtree(campaign.parent)
    sizes = " | ".join(f"{n:,}" for n in fitted)
    yield f"| | {sizes} | predicted at {last:,} | measured | off by |"
    yield f"|---{'|---' * len(fitted)}|---|---|---|"
    for name, points in seen.items():
        line = Line.through(points[0], points[-2])
        by_rule = {"files": Load(last, workers).files, "tasks": Load(last, workers).tasks}
        predicted = float(by_rule[name]) if name in by_rule else line.at(last)
        cells = " | ".join(f"{value:.1f}" for _, value in points[:-1])
        measured_last = points[-1][1]
        yield (
            f"| {name} | {cells} | {predicted:.1f} | {measured_last:.1f} | "
            f"{predicted / measured_last - 1:+.0%} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["sizes", "workers", "overhead", "model"])
    parser.add_argument("--documents", type=Size.parse, nargs="+", help="of nine units; or 2000x25")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--share", type=float, help="of a core, that a worker may use")
    parser.add_argument("--scratch", type=Path, help="default: a folder that is removed")
    options = parser.parse_args()
    asked = options.documents or [
        Size.parse(one) for one in DEFAULT.get(options.what, "2000").split()
    ]
    if options.what == "model" and any(size.units != Size(0).units for size in asked):
        parser.error("model: its rules are counted at nine units an annotator")
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        if options.what == "sizes":
            lines = sizes(Path(folder), asked, options.workers)
        elif options.what == "model":
            lines = model(Path(folder), [size.documents for size in asked], options.workers)
        elif options.what == "workers":
            lines = workers(Path(folder), asked[0], options.runs, options.share)
        else:
            lines = overhead(Path(folder), asked, options.runs)
        before = os.getloadavg()[0]
        said = []
        for line in lines:
            print(line, flush=True)
            said.append(line)
    said.append(
        f"\n{os.cpu_count()} cores; load {before:.1f} before, {os.getloadavg()[0]:.1f} after."
    )
    results = ROOT / "benchmarks" / "results" / f"scale-{options.what}.md"
    results.write_text("\n".join(said) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
