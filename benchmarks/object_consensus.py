"""What weighting by reliability gains in a consensus of objects: simulated transcriptions, boxes.

    python benchmarks/object_consensus.py

An annotator replaces each word of a true sentence by another word with a probability of its own, or
moves each side of a true box by a share of its length that is normal with this standard deviation.
"Copies" repeat the work of the annotator before them, so that they look more reliable than they
are. Each consensus is compared with the truth on the items that both kinds resolve, and the
weighted one also on those that the plain one leaves open. Which annotator is best is known only in
a simulation. Writes benchmarks/results/object-consensus.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accordeur.metrics.agreement.label_matrix import label_matrix
from accordeur.metrics.objects.object_distance import ObjectDistance
from accordeur.metrics.objects.registry import OBJECT_DISTANCES
from accordeur.metrics.references.object_consensus import consensus_of_objects

RESULTS = Path(__file__).parent / "results" / "object-consensus.md"
KINDS = ("word_error", "box_iou")
N_TRIALS, N_ITEMS, N_WORDS, N_VOCABULARY = 200, 100, 8, 200
CREWS = {
    "3 equal": (0.25,) * 3,
    "5 equal": (0.25,) * 5,
    "3 unequal": (0.05, 0.25, 0.45),
    "5 unequal": (0.05, 0.15, 0.25, 0.35, 0.45),
    "5, one careless": (0.1, 0.1, 0.1, 0.1, 0.6),
    "5, one careful": (0.05, 0.4, 0.4, 0.4, 0.4),
    "5, two of them copies": (0.1, 0.1, 0.4, 0.0, 0.0),
}
COLUMNS = (
    *("distance", "annotators", "plain medoid", "weighted medoid", "gain", "best annotator"),
    *("random annotator", "open, plain", "open, weighted"),
    *("weighted, where plain is open", "random annotator there"),
)
N_COPIES = {"5, two of them copies": 2}
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Trial:
    """Mean distances to the truth, and shares of open items.

    best, random  of the best and of a random annotator, on the items that both consensuses resolve
    tied_*        on the items that only the weighted consensus resolves; nan without one
    """

    plain: float
    weighted: float
    best: float
    random: float
    tied_weighted: float
    tied_random: float
    open_plain: float
    open_weighted: float


def texts_of(kind: str, objects: Numbers) -> list[str]:
    if kind == "box_iou":
        return [" ".join(f"{side:.4f}" for side in row) for row in objects.tolist()]
    return [" ".join(f"w{word:.0f}" for word in row) for row in objects.tolist()]


def truth_of(kind: str, rng: np.random.Generator) -> Numbers:
    if kind == "box_iou":
        return rng.uniform(100, 200, (N_ITEMS, 4))
    return rng.integers(0, N_VOCABULARY, (N_ITEMS, N_WORDS)).astype(float)


def annotate(kind: str, truth: Numbers, error: float, rng: np.random.Generator) -> Numbers:
    if kind == "box_iou":
        size = np.tile(truth[:, 2:], 2)
        found = truth + error * size * rng.normal(size=truth.shape)
        found[:, 2:] = np.maximum(found[:, 2:], 1.0)
        return found
    other = rng.integers(0, N_VOCABULARY, truth.shape)
    return np.where(rng.random(truth.shape) < error, other, truth)


def simulate(kind: str, crew: str, rng: np.random.Generator) -> Trial:
    errors, n_copies = CREWS[crew], N_COPIES.get(crew, 0)
    truth, distance = truth_of(kind, rng), OBJECT_DISTANCES[kind]
    given: list[list[str]] = []
    for a, error in enumerate(errors):
        if a >= len(errors) - n_copies:
            given.append(given[-1])
            continue
        given.append(texts_of(kind, annotate(kind, truth, error, rng)))
    matrix = label_matrix(
        items=[f"i{i:03d}" for _ in given for i in range(N_ITEMS)],
        annotators=[f"a{a}" for a in range(len(given)) for _ in range(N_ITEMS)],
        labels=[text for texts in given for text in texts],
    )
    right = texts_of(kind, truth)
    plain, weighted = (consensus_of_objects(matrix, distance, weighted=w) for w in (False, True))
    both = np.flatnonzero((plain.codes >= 0) & (weighted.codes >= 0))
    tied = np.flatnonzero((plain.codes < 0) & (weighted.codes >= 0))
    to_truth, to_tied = (
        [to_right(distance, texts, right, items) for texts in given] for items in (both, tied)
    )
    of_plain, of_weighted = (
        [matrix.tagset[code] for code in made.codes.tolist()] for made in (plain, weighted)
    )
    return Trial(
        to_right(distance, of_plain, right, both),
        to_right(distance, of_weighted, right, both),
        min(to_truth),
        float(np.mean(to_truth)),
        to_right(distance, of_weighted, right, tied),
        float(np.mean(to_tied)),
        *(float((made.codes < 0).mean()) for made in (plain, weighted)),
    )


def to_right(
    distance: ObjectDistance, texts: list[str], right: list[str], items: NDArray[np.int64]
) -> float:
    """Return the mean distance of texts to the right ones on some items; nan without an item."""
    if not items.size:
        return float("nan")
    first, second = ([distance.read(one[i]) for i in items.tolist()] for one in (texts, right))
    return float(distance.distances(first, second).mean())


def main() -> None:
    lines = [
        "# Gain of weighting in a consensus of objects",
        "",
        f"Means over {N_TRIALS} trials of {N_ITEMS} sentences of {N_WORDS} words or boxes;",
        "distance to the truth, on the items that both consensuses resolve. Gain: plain less",
        "weighted, with its standard error over trials. Last columns: items that only the weighted",
        "consensus resolves.",
        "",
        f"| {' | '.join(COLUMNS)} |",
        "|---" * len(COLUMNS) + "|",
    ]
    for seed, (kind, crew) in enumerate(product(KINDS, CREWS)):
        rng = np.random.default_rng(seed)
        trials = [simulate(kind, crew, rng) for _ in range(N_TRIALS)]

        def mean(name: str, trials: list[Trial] = trials) -> float:
            return float(np.nanmean([getattr(one, name) for one in trials]))

        gains = np.array([one.plain - one.weighted for one in trials])
        error = gains.std(ddof=1) / len(gains) ** 0.5
        has_tied = mean("open_plain") > mean("open_weighted")
        tied = f"{mean('tied_weighted'):.3f} | {mean('tied_random'):.3f}" if has_tied else "– | –"
        lines.append(
            f"| {kind} | {crew} | {mean('plain'):.3f} | {mean('weighted'):.3f} "
            f"| {gains.mean():.3f} ± {error:.3f} | {mean('best'):.3f} | {mean('random'):.3f} "
            f"| {mean('open_plain'):.1%} | {mean('open_weighted'):.1%} | {tied} |"
        )
        print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
