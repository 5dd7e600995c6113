"""Whole runs at 10³ … 10⁶ documents: time, memory of the workers, what the orchestration costs.

    python benchmarks/scale.py sizes --documents 1000 10000 100000
    python benchmarks/scale.py workers --documents 20000 --runs 3 --share 0.25
    python benchmarks/scale.py overhead --documents 2000 --runs 3
    python benchmarks/scale.py model --documents 1000 4000 16000

`sizes` runs a campaign of three annotators × about ten units a document, then again with nothing
changed. `workers` compares one worker with two. `overhead` compares the flow, after its start-up,
with the same batches computed by the same functions in bare processes. `model` fits a line on the
smaller sizes and compares what it says of the largest with a run of it.

"After start-up" is from the start of the first task to the end of the flow, as Prefect recorded
them. Each writes its table to
benchmarks/results/scale-*.md, with the load of the machine: beside other work, read the CPU.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
from scale_model import Line, Load
from shares import Shares

ROOT = Path(__file__).resolve().parent.parent
ANNOTATORS = ("anna", "ben", "chloe")
CATEGORIES = ("PER", "LOC", "ORG", "MISC")
LENGTH, UNITS = 2000, 10
N_SOURCES = 4


def write_exports(folder: Path, n_documents: int) -> None:
    """Units of a reference, degraded by each annotator: moved, left out, mislabelled."""
    folder.mkdir(parents=True)
    rng = np.random.default_rng(0)
    for source, documents in enumerate(np.array_split(np.arange(n_documents), N_SOURCES)):
        n_units = rng.poisson(UNITS, documents.size)
        document = np.repeat(documents, n_units)
        start = rng.integers(0, LENGTH - 60, document.size)
        end = start + rng.integers(3, 40, document.size)
        category = rng.integers(0, len(CATEGORIES), document.size)
        parts = []
        for name in ANNOTATORS:
            kept = rng.random(document.size) > 0.1
            moved = rng.integers(-2, 3, (2, document.size)) * (rng.random(document.size) < 0.2)
            wrong = rng.random(document.size) < 0.1
            said = np.where(wrong, rng.integers(0, len(CATEGORIES), document.size), category)
            table = {
                "document": np.char.add("doc-", document[kept].astype(str)),
                "annotator": np.full(kept.sum(), name),
                "start": np.maximum(0, start + moved[0])[kept],
                "end": (end + moved[1] + 4)[kept],
                "category": np.array(CATEGORIES)[said[kept]],
            }
            parts.append(pa.table(table))
        pq.write_table(pa.concat_tables(parts), folder / f"part-{source}.parquet")


def write_campaign(folder: Path, n_documents: int, workers: int) -> Path:
    """A campaign folder with its exports; they are written once."""
    if not (folder / "exports").exists():
        write_exports(folder / "exports", n_documents)
    sources = "".join(
        f'[[sources]]\npath = "exports/part-{k}.parquet"\nformat = "table"\n'
        for k in range(N_SOURCES)
    )
    campaign = folder / f"campaign-{workers}.toml"
    campaign.write_text(
        f'[campaign]\nname = "scale"\n{sources}[engine]\nworkers = {workers}\n'
        f'[store]\nurl = "store-{workers}"\n',
        encoding="utf-8",
    )
    return campaign


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of wall and CPU, and MB of the largest worker and of the flow's own process.

    flow: of the flow of the campaign, whole; after_start: of it, from its first task on. n_tasks:
    of its stages, and the report.
    """

    wall: float
    flow: float
    after_start: float
    cpu: float
    worker_mb: float
    flow_mb: float
    stages: Mapping[str, float]
    n_tasks: int


def watched(
    command: list[str], environment: Mapping[str, str], shares: Shares | None = None
) -> tuple[float, float, float, float]:
    """(wall, CPU of the whole tree, peak MB of a descendant, peak MB of the process itself)."""
    began = time.time()
    process = subprocess.Popen(
        command, cwd=ROOT, env=dict(environment), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    tree = psutil.Process(process.pid)
    cpu: dict[int, float] = {}
    peak: dict[int, float] = {}
    while process.poll() is None:
        try:
            processes = [tree, *tree.children(recursive=True)]
        except psutil.NoSuchProcess:
            break
        for one in processes:
            try:
                if shares is not None:
                    shares.hold(one)
                times, memory = one.cpu_times(), one.memory_info().rss
            except psutil.NoSuchProcess:
                continue
            cpu[one.pid] = times.user + times.system
            peak[one.pid] = max(peak.get(one.pid, 0), memory / 1e6)
        time.sleep(0.1)
    said = process.stderr.read().decode() if process.stderr else ""
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{said[-3000:]}")
    own = peak.pop(process.pid)
    return time.time() - began, sum(cpu.values()), max(peak.values(), default=0.0), own


def run_campaign(campaign: Path, home: Path, share: float | None = None) -> Measured:
    environment = {**os.environ, "PREFECT_HOME": str(home), "PYTHONPATH": str(ROOT)}
    environment.pop("PREFECT_API_URL", None)
    command = [sys.executable, "-m", "flows.cli", "run", str(campaign)]
    began = datetime.now(UTC)
    shares = None if share is None else Shares(share)
    wall, cpu, worker, own = watched(command, environment, shares)
    if shares is not None and not shares.let_go():
        raise SystemExit("--share: no worker was found")
    flow, after_start = recorded(home / "prefect.db", began)
    store = campaign.parent / campaign.stem.replace("campaign", "store")
    newest = max((store / "reports").glob("run-*/results.json"))
    run = json.loads(newest.read_text(encoding="utf-8"))["run"]
    stages = {one["name"]: one["seconds"] for one in run["stages"]}
    n_tasks = 1 + sum(one["n_tasks"] for one in run["stages"])
    return Measured(wall, flow, after_start, cpu, worker, own, stages, n_tasks)


def recorded(database: Path, since: datetime) -> tuple[float, float]:
    """(seconds of the campaign's flow, of it from its first task on), as Prefect has them."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        flows = connection.execute(
            "select start_time, end_time from flow_run where parent_task_run_id is null"
        ).fetchall()
        tasks = connection.execute("select start_time from task_run where flow_run_id is not null"
                                   " and task_key not like 'measure%'").fetchall()  # fmt: skip
    [(start, end)] = [one for one in ([_moment(t) for t in row] for row in flows) if one[0] > since]
    first = min((t for (text,) in tasks if text and (t := _moment(text)) > since), default=end)
    return (end - start).total_seconds(), (end - first).total_seconds()


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def sizes(scratch: Path, documents: list[int], workers: int) -> Iterator[str]:
    yield ("| documents | units | wall, s | after start-up, s | CPU, s | worker, MB | flow, MB |")
    yield "|---|---|---|---|---|---|---|"
    again_rows, notes = [], []
    for n in documents:
        folder = scratch / str(n)
        campaign = write_campaign(folder, n, workers)
        first = run_campaign(campaign, scratch / "prefect")
        n_units = sum(
            pq.read_metadata(one).num_rows for one in (folder / "exports").glob("*.parquet")
        )
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


def workers(
    scratch: Path, n_documents: int, runs: int, share: float | None = None
) -> Iterator[str]:
    folder, home = scratch / "workers", scratch / "prefect"
    ways = ["flow", "bare processes", *([] if share is None else ["flow, limited"])]
    walls: dict[tuple[str, int], list[float]] = {(way, n): [] for way in ways for n in (1, 2)}
    for _ in range(runs):
        for (way, n), of_way in walls.items():
            campaign = write_campaign(folder, n_documents, n)
            shutil.rmtree(folder / f"store-{n}", ignore_errors=True)
            if way == "bare processes":
                of_way.append(run_bare(campaign, scratch)["wall"])
            else:
                limit = None if way == "flow" else share
                of_way.append(run_campaign(campaign, home, limit).after_start)
    yield f"{n_documents:,} documents; medians of {runs}, seconds after start-up (fastest)."
    yield ""
    yield f"| | a worker may use | 1 worker | 2 workers | ratio |\n{'|---' * 5}|"
    for way in ways:
        allowed = f"{share:.0%} of a core" if way == "flow, limited" else "a core"
        one, two = (walls[way, n] for n in (1, 2))
        ratio, best = statistics.median(one) / statistics.median(two), min(one) / min(two)
        cells = (f"{statistics.median(of):.1f} ({min(of):.1f})" for of in (one, two))
        yield f"| {way} | {allowed} | {' | '.join(cells)} | {ratio:.2f} ({best:.2f}) |"


def run_bare(campaign: Path, scratch: Path) -> Mapping[str, Any]:
    """What `bare_run.py` tells of the campaign."""
    said = scratch / "bare.json"
    watched(
        [sys.executable, str(ROOT / "benchmarks" / "bare_run.py"), str(campaign), str(said)],
        {**os.environ, "PYTHONPATH": str(ROOT)},
    )
    told: Mapping[str, Any] = json.loads(said.read_text())
    return told


def overhead(scratch: Path, n_documents: int, runs: int) -> Iterator[str]:
    flow: list[Measured] = []
    bare: list[Mapping[str, Any]] = []
    for _ in range(runs):
        campaign = write_campaign(scratch / "overhead", n_documents, 2)
        store = scratch / "overhead" / "store-2"
        shutil.rmtree(store, ignore_errors=True)
        flow.append(run_campaign(campaign, scratch / "prefect"))
        shutil.rmtree(store, ignore_errors=True)
        bare.append(run_bare(campaign, scratch))
    walls = [one.after_start for one in flow], [one["wall"] for one in bare]
    yield f"| documents | runs | | flow after start-up, s | bare, s | overhead |\n{'|---' * 6}|"
    for name, of in (("median", statistics.median), ("fastest", min)):
        with_flow, without = (of(one) for one in walls)
        yield (
            f"| {n_documents:,} | {runs} | {name} | {with_flow:.2f} | {without:.2f} | "
            f"{with_flow / without - 1:+.0%} |"
        )
    for one, other in zip(flow, bare, strict=True):
        yield f"<!-- flow {dict(one.stages)}; bare {other['stages']} -->"


def model(scratch: Path, documents: list[int], workers: int) -> Iterator[str]:
    """Fit on the smaller sizes (files, tasks: counted rules, no fit), and check on the largest."""
    names = ("CPU, s", "store, MB", "files", "tasks")
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    *fitted, last = sorted(documents)
    run_campaign(write_campaign(scratch / "first", fitted[0], workers), scratch / "prefect")
    for n in (*fitted, last):  # the first run makes Prefect's database besides
        campaign = write_campaign(scratch / str(n), n, workers)
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
    parser.add_argument("--documents", type=int, nargs="+", default=[2000])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--share", type=float, help="of a core, that a worker may use")
    parser.add_argument("--scratch", type=Path, help="default: a folder that is removed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.scratch) as folder:
        if options.what == "sizes":
            lines = sizes(Path(folder), options.documents, options.workers)
        elif options.what == "model":
            lines = model(Path(folder), options.documents, options.workers)
        elif options.what == "workers":
            lines = workers(Path(folder), options.documents[0], options.runs, options.share)
        else:
            lines = overhead(Path(folder), options.documents[0], options.runs)
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
