"""Scores and label references side by side with their peers, on the same data in one run.

    python benchmarks/scoring.py --peers PYTHON [--documents 2000] [--labels 1000000]

PYTHON is the interpreter of an environment of its own with nervaluate, crowd-kit, segeval, nltk,
seqeval and pyannote.metrics: none of them is needed by the project. Times are user CPU seconds,
medians of the rounds, after one round that compiles; data are made by a seed. Prints a Markdown
table; exits with 1 when a value differs from the peer's.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
TAGSET = tuple("ABCDEFGH")
N_EM_ROUNDS = 20


def user_seconds(call: Callable[[], Any], rounds: int = 1) -> tuple[float, Any]:
    """Median user CPU time of a call, and what it returned."""
    times, value = [], None
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        value = call()
        times.append(resource.getrusage(resource.RUSAGE_SELF).ru_utime - before)
    return statistics.median(times), value


# ---------------------------------------------------------------------------------------- data


def unit_data(n_documents: int, per_document: int = 100) -> dict[str, np.ndarray]:
    """A reference, and a system that misses, adds, shortens and renames about 10 % each."""
    rng = np.random.default_rng(0)
    shape = (n_documents, per_document)
    lengths = rng.integers(3, 15, shape)
    ends = np.cumsum(rng.integers(1, 30, shape) + lengths, axis=1).ravel()
    starts = ends - lengths.ravel()
    documents = np.repeat(np.arange(n_documents), per_document)
    categories = rng.integers(0, len(TAGSET), ends.size)
    kept, shorter, renamed = rng.random((3, ends.size)) < [[0.9], [0.15], [0.1]]
    said = np.where(renamed, rng.integers(0, len(TAGSET), ends.size), categories)
    # What is added stands in the gap that precedes a unit that was left out.
    extra = ~kept & (rng.random(ends.size) < 0.5)
    order = rng.permutation(int(kept.sum() + extra.sum()))
    return {
        "r_documents": documents,
        "r_starts": starts,
        "r_ends": ends,
        "r_categories": categories,
        "s_documents": np.concatenate([documents[kept], documents[extra]])[order],
        "s_starts": np.concatenate([starts[kept], starts[extra] - 1])[order],
        "s_ends": np.concatenate([(ends - shorter)[kept], starts[extra]])[order],
        "s_categories": np.concatenate([said[kept], said[extra]])[order],
    }


def label_data(n_labels: int, width: int = 4, per_item: int = 10) -> dict[str, np.ndarray]:
    """Labels of a crowd: 10 an item, annotators of accuracy .4 to .95."""
    rng = np.random.default_rng(1)
    n_items = n_labels // per_item
    n_annotators = max(20, n_items // 100)
    truth = rng.integers(0, width, n_items)
    accuracy = rng.uniform(0.4, 0.95, n_annotators)
    items = np.repeat(np.arange(n_items), per_item)
    annotators = rng.integers(0, n_annotators, items.size)
    right = rng.random(items.size) < accuracy[annotators]
    others = (truth[items] + rng.integers(1, width, items.size)) % width
    return {
        "items": items,
        "annotators": annotators,
        "codes": np.where(right, truth[items], others),
    }


def segmentation_data(n_documents: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(2)
    reference = rng.random((n_documents, 60)) < 0.12
    moved = np.roll(reference, 1, axis=1) & (rng.random(reference.shape) < 0.4)
    system = (reference & (rng.random(reference.shape) < 0.6)) | moved
    return {"reference": reference, "system": system}


def turn_data(n_documents: int) -> dict[str, np.ndarray]:
    """Three speakers taking turns, and a system with bounds shifted and speakers mistaken."""
    rng = np.random.default_rng(3)
    shape = (n_documents, 40)
    cuts = np.cumsum(rng.integers(50, 400, shape), axis=1)
    starts, ends = np.concatenate([np.zeros((n_documents, 1), int), cuts[:, :-1]], axis=1), cuts
    who = rng.integers(0, 3, shape)
    said = np.where(rng.random(shape) < 0.15, rng.integers(0, 3, shape), who)
    shift = rng.integers(0, 40, shape)
    return {
        "documents": np.repeat(np.arange(n_documents), 40),
        "r_starts": starts.ravel(),
        "r_ends": ends.ravel(),
        "r_who": who.ravel(),
        "s_starts": (starts + shift).ravel(),
        "s_ends": ends.ravel(),
        "s_who": said.ravel(),
    }


def tag_data(n_sentences: int) -> dict[str, np.ndarray]:
    """Codes of tags (0 is O, then B and I of each category), with chunks that begin by I."""
    rng = np.random.default_rng(4)
    gold = rng.integers(0, 9, (n_sentences, 25))
    return {"gold": gold, "found": np.where(rng.random(gold.shape) < 0.85, gold, (gold + 1) % 9)}


def tags_of(codes: np.ndarray) -> list[list[str]]:
    names = ["O", *(f"{prefix}-{category}" for category in TAGSET[:4] for prefix in "BI")]
    return [[names[code] for code in row] for row in codes.tolist()]


# ---------------------------------------------------------------------------------------- ours


def our_units(data: dict[str, np.ndarray], rounds: int) -> tuple[float, dict[str, float]]:
    from metrics.scoring.precision_recall import Units, match_all, precision_recall_f

    reference, system = (
        Units(*(data[f"{side}_{name}"] for name in ("documents", "starts", "ends", "categories")))
        for side in "rs"
    )

    def score() -> dict[str, float]:
        values = {}
        for match, counts in match_all(reference, system, tagset=TAGSET).items():
            values[match] = precision_recall_f(counts).f.value
            for category in TAGSET:
                values[f"{match} {category}"] = precision_recall_f(
                    counts, category=category
                ).f.value
        return values

    score()
    return user_seconds(score, rounds)


def our_dawid_skene(data: dict[str, np.ndarray], rounds: int) -> tuple[float, list[int]]:
    from metrics.reference.dawid_skene import dawid_skene
    from metrics.reference.label_list import LabelList

    def fit() -> list[int]:
        labels = LabelList(
            data["items"],
            data["annotators"],
            data["codes"],
            int(data["items"].max()) + 1,
            tuple(str(a) for a in range(int(data["annotators"].max()) + 1)),
            TAGSET[:4],
        )
        # A tolerance that never stops: the same number of rounds as the peer.
        found = dawid_skene(labels, max_rounds=N_EM_ROUNDS, tolerance=-np.inf)
        return found.reference.codes.tolist()

    fit()
    return user_seconds(fit, rounds)


def our_segmentation(data: dict[str, np.ndarray], rounds: int) -> tuple[float, dict[str, float]]:
    from metrics.scoring.segmentation import (
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
    from metrics.scoring.diarization import diarization_error_rate, diarization_times
    from metrics.scoring.units import Units

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
    from metrics.scoring.chunks import units_of_tags
    from metrics.scoring.precision_recall import match_units, precision_recall_f

    sides = [tags_of(data[side]) for side in ("gold", "found")]

    def score() -> dict[str, float]:
        values = {}
        for reading in ("lenient", "strict"):
            units = [units_of_tags(tags, tagset=TAGSET, reading=reading) for tags in sides]
            values[reading] = precision_recall_f(match_units(*units, tagset=TAGSET)).f.value
        return values

    score()
    return user_seconds(score, rounds)


# --------------------------------------------------------------------------------------- peers
# These run in the peers' interpreter (`--task`), which has none of the project's packages.


def peer_units(data: dict[str, np.ndarray]) -> tuple[float, dict[str, float]]:
    from nervaluate import Evaluator

    def documents(side: str) -> list[list[dict[str, Any]]]:
        found: list[list[dict[str, Any]]] = [[] for _ in range(int(data["r_documents"].max()) + 1)]
        columns = (data[f"{side}_{name}"] for name in ("documents", "starts", "ends", "categories"))
        for d, start, end, category in zip(*(c.tolist() for c in columns), strict=True):
            # Its ends are inclusive.
            found[d].append({"label": TAGSET[category], "start": start, "end": end - 1})
        return found

    true, predicted = documents("r"), documents("s")
    seconds, results = user_seconds(
        lambda: Evaluator(true, predicted, tags=list(TAGSET), loader="dict").evaluate()
    )
    names = {"exact": "strict", "bounds": "exact", "partial": "partial", "type": "ent_type"}
    values = {ours: results["overall"][theirs].f1 for ours, theirs in names.items()}
    for category in TAGSET:
        values[f"exact {category}"] = results["entities"][category]["strict"].f1
    return seconds, values


def peer_dawid_skene(data: dict[str, np.ndarray]) -> tuple[float, list[int]]:
    import pandas as pd
    from crowdkit.aggregation import DawidSkene

    table = pd.DataFrame(
        {"task": data["items"], "worker": data["annotators"], "label": data["codes"]}
    )
    seconds, labels = user_seconds(
        lambda: DawidSkene(n_iter=N_EM_ROUNDS, tol=-1e300).fit_predict(table)
    )
    return seconds, labels.sort_index().tolist()


def peer_segmentation(data: dict[str, np.ndarray]) -> tuple[float, dict[str, float]]:
    """Sums of costs over sums of scales, from segeval's statistics and nltk's ghd."""
    import segeval
    from nltk.metrics.segmentation import ghd

    def masses(places: np.ndarray) -> tuple[int, ...]:
        cuts = np.concatenate([[-1], np.nonzero(places)[0], [places.size]])
        return tuple(int(m) for m in np.diff(cuts))

    def score() -> dict[str, float]:
        sums = {name: np.zeros(2) for name in ("pk", "window_diff", "boundary_similarity", "ghd")}
        similarity = []
        for reference, system in zip(data["reference"], data["system"], strict=True):
            r, s = masses(reference), masses(system)
            size = max(2, int((len(reference) + 1) / (2 * len(r)) + 0.5))
            for name, function in (("pk", segeval.pk), ("window_diff", segeval.window_diff)):
                sums[name] += (
                    float(function(s, r, window_size=size)) * (reference.size + 1 - size),
                    (reference.size + 1 - size),
                )
            edits = segeval.boundary_statistics(s, r)
            n_edits = len(edits["additions"]) + len(edits["transpositions"])
            cost = len(edits["additions"]) + 0.5 * len(edits["transpositions"])
            sums["boundary_similarity"] += cost, n_edits + len(edits["matches"])
            similarity.append(float(segeval.segmentation_similarity(s, r)))
            text = ["".join("1" if b else "0" for b in side) for side in (reference, system)]
            sums["ghd"] += ghd(*text, ins_cost=1.0, del_cost=1.0, shift_cost_coeff=1.0), 1
        return {
            "pk": sums["pk"][0] / sums["pk"][1],
            "window_diff": sums["window_diff"][0] / sums["window_diff"][1],
            "ghd": sums["ghd"][0],
            "boundary_similarity": 1
            - sums["boundary_similarity"][0] / sums["boundary_similarity"][1],
            "segmentation_similarity": float(np.mean(similarity)),
        }

    return user_seconds(score)


def peer_diarization(data: dict[str, np.ndarray]) -> tuple[float, float]:
    from pyannote.core import Annotation, Segment
    from pyannote.metrics.diarization import DiarizationErrorRate

    n_documents = int(data["documents"].max()) + 1
    sides: dict[str, list[Any]] = {s: [Annotation() for _ in range(n_documents)] for s in "rs"}
    for s, recordings in sides.items():
        for i, d in enumerate(data["documents"].tolist()):
            segment = Segment(float(data[f"{s}_starts"][i]), float(data[f"{s}_ends"][i]))
            recordings[d][segment, i] = str(data[f"{s}_who"][i])

    def score() -> float:
        metric = DiarizationErrorRate()
        for reference, system in zip(sides["r"], sides["s"], strict=True):
            metric(reference, system)
        return float(abs(metric))

    return user_seconds(score)


def peer_chunks(data: dict[str, np.ndarray]) -> tuple[float, dict[str, float]]:
    from seqeval.metrics import f1_score
    from seqeval.scheme import IOB2

    gold, found = (tags_of(data[side]) for side in ("gold", "found"))
    return user_seconds(
        lambda: {
            "lenient": float(f1_score(gold, found)),
            "strict": float(f1_score(gold, found, mode="strict", scheme=IOB2)),
        }
    )


PEERS: dict[str, Callable[[dict[str, np.ndarray]], tuple[float, Any]]] = {
    "units": peer_units,
    "dawid_skene": peer_dawid_skene,
    "segmentation": peer_segmentation,
    "diarization": peer_diarization,
    "chunks": peer_chunks,
}


def run_peer(python: str, task: str, data: dict[str, np.ndarray]) -> tuple[float, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.npz"
        np.savez(path, **data)
        done = subprocess.run(
            [python, __file__, "--task", task, "--data", str(path)],
            check=True,
            capture_output=True,
            text=True,
        )
    seconds, value = json.loads(done.stdout.splitlines()[-1])
    return seconds, value


def same(ours: Any, theirs: Any) -> tuple[bool, str]:
    """Whether what both computed is the same, and a note."""
    if isinstance(theirs, dict):
        away = max(abs(ours[name] - value) for name, value in theirs.items())
        return away < 1e-9, f"{len(theirs)} values, largest difference {away:.1e}"
    if isinstance(theirs, list):
        # Items whose two best classes are equally probable may be settled either way.
        alike = float(np.mean(np.array(ours) == np.array(theirs)))
        return alike > 0.9999, f"{alike:.4%} of labels alike"
    return abs(ours - theirs) < 1e-9, f"{ours:.6f}, difference {abs(ours - theirs):.1e}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--peers", help="Python interpreter of the peers' environment")
    parser.add_argument("--documents", type=int, default=2000, help="documents of 100 units")
    parser.add_argument("--labels", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--task", choices=list(PEERS), help=argparse.SUPPRESS)
    parser.add_argument("--data", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.task:
        with np.load(options.data) as arrays:
            data = dict(arrays.items())
        print(json.dumps(PEERS[options.task](data)))
        return 0
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
