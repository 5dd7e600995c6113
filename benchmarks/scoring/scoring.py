"""Compare scores and label references with other packages, on the same data in one run.

    python benchmarks/scoring/scoring.py --peers PYTHON [--documents 2000] [--labels 1000000]

PYTHON is the interpreter of a separate environment with nervaluate, crowd-kit, segeval, nltk,
seqeval and pyannote.metrics, which the project does not need. Times are user CPU seconds, medians
of the rounds after one round that compiles; data are generated from a seed. Prints a Markdown
table; exits with 1 if a value differs from the peer's.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scoring_data import (
    N_EM_ROUNDS,
    TAGSET,
    label_data,
    segmentation_data,
    tag_data,
    tags_of,
    turn_data,
    unit_data,
    user_seconds,
)

ROOT = Path(__file__).resolve().parents[2]


def our_units(data: dict[str, np.ndarray], rounds: int) -> tuple[float, dict[str, float]]:
    from accordeur.metrics.scores.precision_recall_f import precision_recall_f, rates_by_category
    from accordeur.metrics.scores.unit_match_counts import match_units_by_each
    from accordeur.metrics.unit_rows import Units

    reference, system = (
        Units(*(data[f"{side}_{name}"] for name in ("documents", "starts", "ends", "categories")))
        for side in "rs"
    )

    def score() -> dict[str, float]:
        values = {}
        for match, counts in match_units_by_each(reference, system, tagset=TAGSET).items():
            values[match] = precision_recall_f(counts).f.value
            for category, rates in rates_by_category(counts).items():
                values[f"{match} {category}"] = rates.f.value
        return values

    score()
    return user_seconds(score, rounds)


def our_dawid_skene(data: dict[str, np.ndarray], rounds: int) -> tuple[float, list[int]]:
    from accordeur.metrics.references.label_list import LabelList
    from accordeur.metrics.references.label_models.dawid_skene import dawid_skene

    def fit() -> list[int]:
        labels = LabelList(
            data["items"],
            data["annotators"],
            data["codes"],
            int(data["items"].max()) + 1,
            tuple(str(a) for a in range(int(data["annotators"].max()) + 1)),
            TAGSET[:4],
        )
        # A tolerance that is never reached, for the same number of rounds as the peer.
        found = dawid_skene(labels, max_rounds=N_EM_ROUNDS, tolerance=-np.inf)
        return found.reference.codes.tolist()

    fit()
    return user_seconds(fit, rounds)


def our_segmentation(data: dict[str, np.ndarray], rounds: int) -> tuple[float, dict[str, float]]:
    from accordeur.metrics.scores.segmentation import (
        SEGMENTATION_MEASURES,
        segmentation_counts,
        segmentation_score,
    )

    def score() -> dict[str, float]:
        values = {}
        for measure in SEGMENTATION_MEASURES:
            counts = segmentation_counts(
                list(data["reference"]), list(data["system"]), measure=measure
            )
            values[measure] = segmentation_score(counts).value
        return values

    score()
    return user_seconds(score, rounds)


def our_diarization(data: dict[str, np.ndarray], rounds: int) -> tuple[float, float]:
    from accordeur.metrics.scores.diarization import diarization_error_rate, diarization_times
    from accordeur.metrics.unit_rows import Units

    def score() -> float:
        sides = [
            Units(data["documents"], data[f"{s}_starts"], data[f"{s}_ends"], data[f"{s}_who"])
            for s in "rs"
        ]
        n_documents = int(data["documents"].max()) + 1
        return diarization_error_rate(diarization_times(*sides, n_documents=n_documents)).value

    score()
    return user_seconds(score, rounds)


def our_chunks(data: dict[str, np.ndarray], rounds: int) -> tuple[float, dict[str, float]]:
    from accordeur.data.readers.formats.conll.chunks import ChunkReader
    from accordeur.metrics.scores.precision_recall_f import precision_recall_f
    from accordeur.metrics.scores.unit_match_counts import match_units
    from accordeur.metrics.unit_rows import Units

    code = {category: k for k, category in enumerate(TAGSET)}

    sides = [tags_of(data[side]) for side in ("gold", "found")]

    def units_of(sentences: list[list[str]], *, strict: bool) -> Units:
        rows = []
        for sentence, tags in enumerate(sentences):
            reader = ChunkReader("iob2", strict)
            chunks = [one for k, tag in enumerate(tags) for one in reader.tag(k, tag)]
            rows += [
                (sentence, one.start, one.end, code[one.type])
                for one in (*chunks, *reader.end())
                if not one.broken
            ]
        return Units(*np.array(rows, dtype=np.int64).reshape(-1, 4).T)

    def score() -> dict[str, float]:
        values = {}
        for reading in ("lenient", "strict"):
            units = [units_of(tags, strict=reading == "strict") for tags in sides]
            values[reading] = precision_recall_f(match_units(*units, tagset=TAGSET)).f.value
        return values

    score()
    return user_seconds(score, rounds)


def run_peer(python: str, task: str, data: dict[str, np.ndarray]) -> tuple[float, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, **data)
        done = subprocess.run(
            [python, str(Path(__file__).with_name("scoring_peers.py")), task, str(path)],
            check=True,
            capture_output=True,
            text=True,
        )
    seconds, value = json.loads(done.stdout.splitlines()[-1])
    return seconds, value


def same(ours: Any, theirs: Any) -> tuple[bool, str]:
    """Whether both results are the same, and a note."""
    if isinstance(theirs, dict):
        away = max(abs(ours[name] - value) for name, value in theirs.items())
        return away < 1e-9, f"{len(theirs)} values, largest difference {away:.1e}"
    if isinstance(theirs, list):
        # Items with two equally probable best classes may have either.
        alike = float(np.mean(np.array(ours) == np.array(theirs)))
        return alike > 0.9999, f"{alike:.4%} of labels alike"
    return abs(ours - theirs) < 1e-9, f"{ours:.6f}, difference {abs(ours - theirs):.1e}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--peers", help="Python interpreter of the peers' environment")
    parser.add_argument("--documents", type=int, default=2000, help="documents of 100 units")
    parser.add_argument("--labels", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    seconds, _ = our_units(unit_data(10_000), options.rounds)
    print(f"1,000,000 units in 10,000 documents, five matches by category: {seconds:.2f} s\n")
    tasks: list[tuple[str, str, str, Callable[..., tuple[float, Any]], dict[str, np.ndarray]]] = [
        (
            "units",
            f"{options.documents * 100:,} units, all matches, by category",
            "nervaluate",
            our_units,
            unit_data(options.documents),
        ),
        (
            "dawid_skene",
            f"Dawid–Skene, {options.labels:,} labels, {N_EM_ROUNDS} rounds",
            "crowd-kit",
            our_dawid_skene,
            label_data(options.labels),
        ),
        (
            "segmentation",
            "300 segmentations, five measures",
            "segeval, nltk",
            our_segmentation,
            segmentation_data(300),
        ),
        (
            "diarization",
            "300 recordings of 40 turns",
            "pyannote.metrics",
            our_diarization,
            turn_data(300),
        ),
        (
            "chunks",
            "5,000 sentences of 25 IOB2 tags, lenient and strict",
            "seqeval",
            our_chunks,
            tag_data(5000),
        ),
    ]
    print(
        "| task | Accordeur (s) | peer | peer (s) | ratio | the same? |\n|---|---|---|---|---|---|"
    )
    all_same = True
    for name, title, peer, ours, data in tasks:
        our_seconds, our_value = ours(data, options.rounds)
        if not options.peers:
            print(f"| {title} | {our_seconds:.3f} | {peer} | not run | – | – |")
            continue
        peer_seconds, peer_value = run_peer(options.peers, name, data)
        agrees, note = same(our_value, peer_value)
        all_same &= agrees
        print(
            f"| {title} | {our_seconds:.3f} | {peer} | {peer_seconds:.2f} | "
            f"{peer_seconds / our_seconds:.0f}× | {'yes' if agrees else 'NO'}: {note} |",
            flush=True,
        )
    return 0 if all_same else 1


if __name__ == "__main__":
    sys.exit(main())
