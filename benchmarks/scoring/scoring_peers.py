"""Peers of `scoring.py`, which runs them in an interpreter without the project's packages.

PYTHON benchmarks/scoring/scoring_peers.py TASK data.npz    # prints seconds and values as JSON
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from scoring_data import N_EM_ROUNDS, TAGSET, tags_of, user_seconds


def peer_units(data: dict[str, np.ndarray]) -> tuple[float, dict[str, float]]:
    from nervaluate import Evaluator

    def documents(side: str) -> list[list[dict[str, Any]]]:
        found: list[list[dict[str, Any]]] = [[] for _ in range(int(data["r_documents"].max()) + 1)]
        columns = (data[f"{side}_{name}"] for name in ("documents", "starts", "ends", "categories"))
        for d, start, end, category in zip(*(c.tolist() for c in columns), strict=True):
            # nervaluate's ends are inclusive.
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


if __name__ == "__main__":
    with np.load(sys.argv[2]) as arrays:
        print(json.dumps(PEERS[sys.argv[1]](dict(arrays.items()))))
