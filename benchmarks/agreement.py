"""Compare coefficients on items with other packages, on the same labels in one run.

    python benchmarks/agreement.py --peers PYTHON [--items 1000000] [--rounds 3] [--skip-slow]

PYTHON is the interpreter of a separate environment with krippendorff, irrCAC, statsmodels and
scikit-learn, which the project does not need. Each task runs in a separate process: CPU seconds
(user and system) are medians of the rounds, and memory is the peak above the memory in use after
loading the data. Labels are generated from a seed. Prints Markdown tables; exits with 1 if a value
differs from the peer's.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
N_CATEGORIES = 8
N_ANNOTATORS = 10
TOLERANCE = 5e-4  # irrCAC rounds its values

Values = dict[str, float]


def labels(n_items: int, n_annotators: int, n_categories: int, missing: float) -> np.ndarray:
    """Codes (N, A) of annotators who are right three times out of four, −1 for a missing label."""
    rng = np.random.default_rng(0)
    truth = rng.choice(n_categories, n_items, p=rng.dirichlet(np.full(n_categories, 3.0)))
    guess = rng.integers(0, n_categories, (n_items, n_annotators))
    codes = np.where(rng.random(guess.shape) < 0.75, truth[:, None], guess).astype(np.int32)
    codes[rng.random(guess.shape) < missing] = -1
    return codes


# ---------------------------------------------------------------------------------------- ours


def matrix_of(codes: np.ndarray) -> Any:
    from accordeur.metrics.agreement.label_matrix import LabelMatrix

    n_categories = int(codes.max()) + 1
    names = tuple(f"a{a}" for a in range(codes.shape[1]))
    return LabelMatrix(
        codes=codes, tagset=tuple(str(k) for k in range(n_categories)), annotators=names
    )


def ours(measures: tuple[str, ...], **options: Any) -> Callable[[np.ndarray], Values]:
    def run(codes: np.ndarray) -> Values:
        from accordeur.metrics.agreement.registry import compute_all

        found = compute_all(matrix_of(codes), measures=measures, **options)
        return {estimate.measure: estimate.value for estimate in found}

    return run


def our_counts_in_parts(codes: np.ndarray) -> Values:
    """Sixteen batches counted separately and added: bitwise identical values."""
    from accordeur.metrics.agreement.counts import count, merge
    from accordeur.metrics.agreement.label_matrix import LabelMatrix
    from accordeur.metrics.agreement.registry import from_counts

    whole = matrix_of(codes)
    parts = [
        count(LabelMatrix(codes=part, tagset=whole.tagset, annotators=whole.annotators))
        for part in np.array_split(codes, 16)
    ]
    merged = merge(parts)
    return {measure: from_counts(measure, merged).value for measure in FOUR}


def our_bootstrap(codes: np.ndarray) -> Values:
    """10,000 replicates of every coefficient for many annotators."""
    from accordeur.metrics.agreement.inference import bootstrap
    from accordeur.metrics.measures import COEFFICIENTS

    measures = [name for name, spec in COEFFICIENTS.items() if not spec.generalisation]
    found = bootstrap(matrix_of(codes), measures=measures, n_replicates=10_000, seed=1)
    return {name: interval.standard_error for name, interval in found.items()}


# --------------------------------------------------------------------------------------- peers
# These run in the peers' interpreter, without the project's packages.


def krippendorff_alpha(codes: np.ndarray) -> Values:
    import krippendorff

    data = np.where(codes.T < 0, np.nan, codes.T.astype(np.float64))
    return {"krippendorff_alpha": krippendorff.alpha(data, level_of_measurement="nominal")}


def krippendorff_interval(codes: np.ndarray) -> Values:
    import krippendorff

    data = np.where(codes.T < 0, np.nan, codes.T.astype(np.float64))
    return {"krippendorff_alpha": krippendorff.alpha(data, level_of_measurement="interval")}


def krippendorff_from_counts(codes: np.ndarray) -> Values:
    """Use its fast path: labels that are already counted, excluding the time of counting."""
    import krippendorff

    n_categories = int(codes.max()) + 1
    table = np.stack([(codes == k).sum(axis=1) for k in range(n_categories)], axis=1)
    start = time.process_time()
    value = krippendorff.alpha(value_counts=table, level_of_measurement="nominal")
    return {"krippendorff_alpha": value, "cpu": time.process_time() - start}


def irrcac(name: str, measure: str) -> Callable[[np.ndarray], Values]:
    def run(codes: np.ndarray) -> Values:
        import pandas as pd
        from irrCAC.raw import CAC

        frame = pd.DataFrame(np.where(codes < 0, np.nan, codes + 1.0))
        value = getattr(CAC(frame, digits=6), name)()["est"]["coefficient_value"]
        return {measure: float(value)}

    return run


def statsmodels_fleiss(codes: np.ndarray) -> Values:
    """Count with NumPy, as its own `aggregate_raters` takes minutes."""
    from statsmodels.stats.inter_rater import fleiss_kappa

    n_categories = int(codes.max()) + 1
    table = np.stack([(codes == k).sum(axis=1) for k in range(n_categories)], axis=1)
    return {"fleiss_kappa": fleiss_kappa(table)}


def sklearn_cohen(codes: np.ndarray) -> Values:
    from sklearn.metrics import cohen_kappa_score

    return {"cohen_kappa": cohen_kappa_score(codes[:, 0], codes[:, 1])}


FOUR = ("fleiss_kappa", "conger_kappa", "krippendorff_alpha", "gwet_ac1")

OURS: dict[str, Callable[[np.ndarray], Values]] = {
    "four": ours(FOUR),
    "alpha": ours(("krippendorff_alpha",)),
    "interval": ours(("krippendorff_alpha",), distance="interval"),
    "fleiss": ours(("fleiss_kappa",)),
    "conger": ours(("conger_kappa",)),
    "ac1": ours(("gwet_ac1",)),
    "cohen": ours(("cohen_kappa",)),
    "parts": our_counts_in_parts,
    "bootstrap": our_bootstrap,
}
PEERS: dict[str, Callable[[np.ndarray], Values]] = {
    "krippendorff": krippendorff_alpha,
    "krippendorff interval": krippendorff_interval,
    "krippendorff, counts given": krippendorff_from_counts,
    "irrCAC fleiss": irrcac("fleiss", "fleiss_kappa"),
    "irrCAC conger": irrcac("conger", "conger_kappa"),
    "irrCAC gwet": irrcac("gwet", "gwet_ac1"),
    "irrCAC krippendorff": irrcac("krippendorff", "krippendorff_alpha"),
    "statsmodels, counted by NumPy": statsmodels_fleiss,
    "scikit-learn": sklearn_cohen,
}

# Comparisons: label, our task, peer, data (`missing` or `complete`), slow.
COMPARISONS = (
    ("α", "alpha", "krippendorff", "missing", False),
    ("α", "alpha", "krippendorff, counts given", "missing", False),
    ("α interval", "interval", "krippendorff interval", "missing", False),
    ("α", "alpha", "irrCAC krippendorff", "missing", True),
    ("π (Fleiss)", "fleiss", "irrCAC fleiss", "missing", True),
    ("κ (Conger)", "conger", "irrCAC conger", "missing", True),
    ("AC1", "ac1", "irrCAC gwet", "missing", True),
    ("π (Fleiss), none missing", "fleiss", "statsmodels, counted by NumPy", "complete", False),
    ("κ (Cohen), two annotators", "cohen", "scikit-learn", "two", False),
)


# ----------------------------------------------------------------------------------- measuring


class PeakMemory:
    """Sample the resident memory of this process; `ru_maxrss` would include loading."""

    def __enter__(self) -> PeakMemory:
        self.base = self.peak = resident()
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()
        return self

    def watch(self) -> None:
        while not self.stop.wait(0.002):
            self.peak = max(self.peak, resident())

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join()
        self.peak = max(self.peak, resident())


def resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def run_task(call: Callable[[np.ndarray], Values], path: Path, rounds: int) -> dict[str, Any]:
    codes = np.load(path)
    call(codes[:1000])  # imports and compiles
    if len(codes) > 30_000:
        call(codes[:30_000])  # above the size from which our kernel counts
    with PeakMemory() as memory:
        call(codes)
    times, wall, values = [], [], {}
    for _ in range(rounds):
        before, clock = time.process_time(), time.perf_counter()
        values = call(codes)
        times.append(values.pop("cpu", time.process_time() - before))
        wall.append(time.perf_counter() - clock)
    return {
        "cpu": statistics.median(times),
        "wall": statistics.median(wall),
        "memory": (memory.peak - memory.base) / 1e6,
        "values": values,
    }


def in_process(python: str, task: str, path: Path, rounds: int) -> dict[str, Any]:
    done = subprocess.run(
        [python, __file__, "--task", task, "--data", str(path), "--rounds", str(rounds)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{task} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", help="interpreter of the peers' environment")
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--skip-slow", action="store_true", help="leave irrCAC out")
    parser.add_argument("--task", help=argparse.SUPPRESS)
    parser.add_argument("--data", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    if options.task:
        call = {**OURS, **PEERS}[options.task]
        print(json.dumps(run_task(call, options.data, options.rounds)))
        return
    with tempfile.TemporaryDirectory() as folder:
        wrong = report(Path(folder), options)
    sys.exit(1 if wrong else 0)


def report(folder: Path, options: argparse.Namespace) -> bool:
    data = {
        "missing": labels(options.items, N_ANNOTATORS, N_CATEGORIES, 0.2),
        "complete": labels(options.items, N_ANNOTATORS, N_CATEGORIES, 0.0),
        "two": labels(options.items, 2, N_CATEGORIES, 0.0),
        "campaign": labels(100_000, 5, 5, 0.1),
    }
    for name, codes in data.items():
        np.save(folder / f"{name}.npy", codes)
    wrong = False
    found: dict[tuple[str, str], dict[str, Any]] = {}

    def our(task: str, name: str) -> dict[str, Any]:
        if (task, name) not in found:
            rounds = 1 if task == "bootstrap" else options.rounds
            found[task, name] = in_process(sys.executable, task, folder / f"{name}.npy", rounds)
        return found[task, name]

    if options.peers:
        print(f"{options.items:,} items × {N_ANNOTATORS} annotators, {N_CATEGORIES} categories, ")
        print("20 % of labels missing unless said.\n")
        print("| | peer | its CPU (s) | ours (s) | ratio | its memory (MB) | ours (MB) | value |")
        print("|---|---|---|---|---|---|---|---|")
        for label, task, peer, name, slow in COMPARISONS:
            if slow and options.skip_slow:
                continue
            mine = our(task, name)
            rounds = 1 if slow else options.rounds
            theirs = in_process(options.peers, peer, folder / f"{name}.npy", rounds)
            same = all(
                abs(mine["values"][measure] - value) < TOLERANCE
                for measure, value in theirs["values"].items()
            )
            wrong |= not same
            (value,) = mine["values"].values()
            print(
                f"| {label} | {peer} | {theirs['cpu']:.2f} | {mine['cpu']:.3f} "
                f"| {theirs['cpu'] / mine['cpu']:.0f} | {theirs['memory']:.0f} "
                f"| {mine['memory']:.0f} | {value:.6f} {'=' if same else '≠'} |"
            )
    four, parts = our("four", "missing"), our("parts", "missing")
    wrong |= four["values"] != parts["values"]
    bootstrap = our("bootstrap", "campaign")
    print("\n| ours alone | CPU (s) | wall (s) | memory (MB) |")
    print("|---|---|---|---|")
    for label, result in (
        ("π, κ, α and AC1 together", four),
        ("the same from 16 batches added, equal bit for bit", parts),
        (
            f"10,000 bootstraps of {len(bootstrap['values'])} coefficients, 100,000 items × 5 × 5",
            bootstrap,
        ),
    ):
        print(f"| {label} | {result['cpu']:.2f} | {result['wall']:.2f} | {result['memory']:.0f} |")
    return wrong


if __name__ == "__main__":
    main()
