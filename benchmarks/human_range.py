"""Whether a system equal to the annotators lies in the human range of the report.

    python benchmarks/human_range.py [--campaigns 200]

Annotators have different accuracies around .8; the system's is their mean, so that it belongs in
the middle of the band. The adjudicated reference is the truth with some errors. Units: the bounds
of an annotator are off by up to one position with the rate of its errors.
Writes benchmarks/results/human-range.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.options import NO_INTERVALS
from accordeur.reports.results import SystemScores
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.references.reference_settings import ReferenceSettings
from accordeur.tasks.scores.evaluation import Presence
from accordeur.tasks.scores.human_range import (
    HumanRange,
    leave_one_out_in_documents,
    leave_one_out_labels,
    score_human_labels,
    score_human_units,
)
from accordeur.tasks.scores.label_scores import LabelSides
from accordeur.tasks.scores.unit_scores import UnitSides

RESULTS = Path(__file__).parent / "results" / "human-range.md"
RIGHT = {3: (0.7, 0.8, 0.9), 4: (0.7, 0.77, 0.83, 0.9), 6: (0.7, 0.74, 0.78, 0.82, 0.86, 0.9)}
EQUAL = 0.8
OF_REFERENCE = 0.97
TAGSET = ("a", "b", "c")
Point = tuple[list[float], float]  # scores of the humans, and of the system


def layer_of(kind: str, n: int) -> LayerSpec:
    return LayerSpec("l", kind, TAGSET, tuple(f"h{a}" for a in range(n)), ("system",))


def points(
    same: Sequence[SystemScores], humans: Sequence[SystemScores], systems: Sequence[SystemScores],
    own: float,
) -> dict[str, Point]:  # fmt: skip
    """The last value (accuracy, or F) of humans and system by the way they are compared."""

    def of(scores: Sequence[SystemScores]) -> list[float]:
        return [one.values[-1].value for one in scores]

    return {
        "until 0.1.0": (of(humans), own),
        "same reference": (of(same), own),
        "leave-one-out": (of(humans), float(np.mean(of(systems)))),
    }


def labels(seed: int, n_annotators: int, n: int = 600) -> dict[str, Point]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    right = np.array([*RIGHT[n_annotators], EQUAL, OF_REFERENCE])[:, None]
    given = np.where(
        rng.random((right.size, n)) < right, truth, (truth + rng.integers(1, 3, n)) % 3
    )
    *of_humans, system, reference = given
    layer = layer_of("items", n_annotators)
    humans = dict(zip(layer.humans, of_humans, strict=True))
    sides = LabelSides(
        reference, {"system": system}, {"system": Presence({"d"})}, np.zeros(n, int), ["d"], TAGSET
    )
    out = leave_one_out_labels(sides, humans, layer, HumanRange(ReferenceSettings()), NO_INTERVALS)
    own = score_human_labels(sides, {"system": system}, layer, NO_INTERVALS)[0].values[-1].value
    return points(
        score_human_labels(sides, humans, layer, NO_INTERVALS), out.humans, out.systems, own
    )


def units(seed: int, n_annotators: int, n_documents: int = 60) -> dict[str, Point]:
    rng = np.random.default_rng(seed)
    layer = layer_of("units", n_annotators)
    names = [*layer.humans, "system", "reference"]
    rows: dict[str, dict[str, NDArray[np.int64]]] = {name: {} for name in names}
    for d in range(n_documents):
        starts = 20 * np.arange(5)
        ends, categories = starts + rng.integers(4, 8, 5), rng.integers(0, 3, 5)
        true = np.stack([starts, ends, categories, 0 * starts], axis=1)
        for name, right in zip(names, (*RIGHT[n_annotators], EQUAL, OF_REFERENCE), strict=True):
            shift = rng.integers(0, 2, 5) * 2 - 1
            wrong = np.stack([0 * shift, shift, 0 * shift, 0 * shift], axis=1) * (
                rng.random((5, 1)) > right
            )
            rows[name][f"d{d}"] = (true + wrong).astype(np.int64)
    humans = {name: rows[name] for name in layer.humans}
    sides = UnitSides(
        rows["reference"],
        {"system": rows["system"]},
        {"system": Presence(set(rows["system"]))},
        TAGSET,
    )
    continua = [(d, continuum(humans, d, layer)) for d in rows["reference"]]
    out = leave_one_out_in_documents(
        continua, sides, layer, HumanRange(ReferenceSettings()), NO_INTERVALS
    )
    own = score_human_units(sides, sides.systems, layer, NO_INTERVALS)[0].values[-1].value
    return points(
        score_human_units(sides, humans, layer, NO_INTERVALS), out.humans, out.systems, own
    )


def continuum(
    humans: dict[str, dict[str, NDArray[np.int64]]], document: str, layer: LayerSpec
) -> Continuum:
    found = [
        (start, end, category, a)
        for a, name in enumerate(layer.humans)
        for start, end, category, _ in humans[name][document].tolist()
    ]
    starts, ends, categories, owners = np.array(sorted(found)).T
    return Continuum(
        starts.astype(float), ends.astype(float), categories.astype(np.int32),
        owners.astype(np.int32), layer.humans, TAGSET,
    )  # fmt: skip


def rows_of(kind: str, n_annotators: int, campaigns: int) -> list[str]:
    simulate = labels if kind == "labels" else units
    found = [simulate(seed, n_annotators) for seed in range(campaigns)]
    rows = []
    for way in found[0]:
        humans = np.array([one[way][0] for one in found])
        system = np.array([one[way][1] for one in found])
        low, high = humans.min(axis=1), humans.max(axis=1)
        inside = ((low <= system) & (system <= high)).mean()
        rows.append(
            f"| {kind} | {n_annotators} | {way} | {low.mean():.3f} – {high.mean():.3f} | "
            f"{system.mean():.3f} | {(system - humans.mean(axis=1)).mean():+.3f} | {inside:.0%} |"
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=200)
    campaigns = parser.parse_args().campaigns
    lines = [
        "# A system equal to the annotators beside the human range",
        "",
        f"Made by `benchmarks/human_range.py`, {campaigns} campaigns per row: 600 items, or 60",
        "documents of five units. The accuracies of the annotators go from .7 to .9; the system's",
        "is their mean, .8. The adjudicated reference is right in 97 %. Until 0.1.0, annotators",
        "were scored against references built without them, and the system, on the same axis,",
        "against the adjudicated one.",
        "",
        "| | annotators | references | mean band | system | system − mean of humans | inside |",
        "|" + "---|" * 7,
    ]
    for kind in ("labels", "units"):
        for n_annotators in RIGHT:
            lines += rows_of(kind, n_annotators, campaigns if kind == "labels" else campaigns // 4)
            print("\n".join(lines[-3:]), flush=True)
    RESULTS.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
