"""Quality of the consensus of spans on the PICO participants, and growth of its run time.

    python benchmarks/consensus.py --data ../shared/data/pico_spans [--copies 4 20]

150 documents, 91 crowd workers, one expert (Nguyen et al. 2017). Nothing is fitted to the expert
except the gold documents of a row. With gold, each document is scored when it is not gold: for each
seed, the documents are split into folds of 30, and the gold documents are the first ones drawn from
the other folds. Writes benchmarks/results/consensus.md; without the data, prints a message and
exits.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.reference.unit_consensus import UnitConsensus, consensus_of_units
from accordeur.metrics.reference.units import reference_units

RESULTS = Path(__file__).parent / "results" / "consensus.md"
FOLD = 30
GOLD = (20, 40, 80)
SEEDS = (0,)
Spans = list[tuple[int, int]]


@dataclass(frozen=True)
class Pico:
    """Spans of each document by worker, by the expert, and by the published aggregations."""

    crowd: list[dict[str, Spans]]
    expert: list[Spans]
    published: list[dict[str, Spans]]

    def document(self, d: int, *, gold: bool) -> Continuum:
        of = {**self.crowd[d], **({"gold": self.expert[d]} if gold else {})}
        rows = [(s, e, a) for a, spans in enumerate(of.values()) for s, e in spans]
        starts, ends, owners = np.array(rows).T
        roles = tuple("reference" if name == "gold" else "human" for name in of)
        return Continuum(
            starts, ends, np.zeros(len(rows)), owners, tuple(of), ("participants",), roles=roles
        )


def read(folder: Path) -> Pico:
    def one(name: str) -> dict[str, dict[str, Spans]]:
        lines = (folder / f"PICO-annos-{name}.jsonl").read_text(encoding="utf-8").splitlines()
        return {
            row["docid"]: {
                who: [(start, end) for start, end in spans]
                for who, spans in row["Participants"].items()
            }
            for row in map(json.loads, lines)
        }

    crowd, expert, published = (
        one(name) for name in ("crowdsourcing", "professional", "crowdsourcing-agg")
    )
    gold = [[span for spans in expert[d].values() for span in spans] for d in crowd]
    return Pico(list(crowd.values()), gold, [published[d] for d in crowd])


def marked(spans: Sequence[tuple[int, int]]) -> set[int]:
    return {c for start, end in spans for c in range(start, end)}


def scores(found: Sequence[Spans], expert: Sequence[Spans]) -> tuple[float, float]:
    """Return character F and exact F over all documents."""
    characters, exact = np.zeros(3), np.zeros(3)
    for made, true in zip(found, expert, strict=True):
        for counts, a, b in ((characters, marked(made), marked(true)), (exact, {*made}, {*true})):
            counts += [len(a & b), len(a), len(b)]
    return tuple(float(2 * c[0] / (c[1] + c[2])) for c in (characters, exact))  # type: ignore[return-value]


def vote(of: dict[str, Spans], share: float) -> Spans:
    end = max(end for spans in of.values() for _, end in spans) + 1
    votes = np.zeros(end + 1)
    for spans in of.values():
        votes[list(marked(spans))] += 1
    kept = np.concatenate([[0], votes > share * len(of)]).astype(int)
    steps = np.diff(kept)
    return list(
        zip(np.nonzero(steps == 1)[0].tolist(), np.nonzero(steps == -1)[0].tolist(), strict=True)
    )


def former(pico: Pico, support: int | None) -> list[Spans]:
    """Apply the rule `majority`; a document with one worker has no spans."""
    found: list[Spans] = []
    for d, of in enumerate(pico.crowd):
        if len(of) < 2:
            found.append([])
            continue
        document = pico.document(d, gold=False)
        made = reference_units(
            document, best_alignment(document), support=support and min(support, len(of))
        )
        found.append(list(zip(made.starts.astype(int), made.ends.astype(int), strict=True)))
    return found


def spans_of(made: UnitConsensus) -> list[Spans]:
    return [[(int(u.start), int(u.end)) for u in one.units] for one in made.documents]


def calibration_error(
    confidence: Sequence[float], truth: Sequence[float], by: Sequence[float]
) -> float:
    """Weighted mean difference between confidence and accuracy in ten bins of confidence."""
    p, y, w = (np.array(one, dtype=float) for one in (confidence, truth, by))
    bins = np.minimum((p * 10).astype(int), 9)
    errors = [abs(((p - y) * w)[bins == b].sum()) for b in range(10)]
    return float(sum(errors) / w.sum())


def calibration(made: UnitConsensus, expert: Sequence[Spans]) -> dict[str, float]:
    units, bounds = [], []
    for one, true in zip(made.documents, expert, strict=True):
        real = marked(true)
        for u in one.units:
            share = len(real & marked([(int(u.start), int(u.end))])) / (u.end - u.start)
            units.append((u.confidence, share, u.end - u.start))
            bounds.append((u.start_confidence, u.start in {s for s, _ in true}, 1))
            bounds.append((u.end_confidence, u.end in {e for _, e in true}, 1))
    p, y, w = zip(*units, strict=True)
    return {
        "units, by length": calibration_error(p, y, w),
        "units": calibration_error(p, y, [1] * len(p)),
        "bounds": calibration_error(*zip(*bounds, strict=True)),
    }


def with_gold(pico: Pico, n_gold: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Score documents that are not gold, with and without gold, over folds and seeds."""
    plain = spans_of(consensus_of_units([pico.document(d, gold=False) for d in range(150)]))
    found: list[Spans] = []
    without: list[Spans] = []
    expert: list[Spans] = []
    for seed in SEEDS:
        order = np.random.default_rng(seed).permutation(len(pico.crowd))
        for first in range(0, len(order), FOLD):
            tested = order[first : first + FOLD].tolist()
            gold = {*[d for d in order.tolist() if d not in tested][:n_gold]}
            documents = [pico.document(d, gold=d in gold) for d in range(len(order))]
            made = spans_of(consensus_of_units(documents, gold="gold"))
            found += [made[d] for d in tested]
            without += [plain[d] for d in tested]
            expert += [pico.expert[d] for d in tested]
    return scores(found, expert), scores(without, expert)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/pico_spans"))
    parser.add_argument("--copies", type=int, nargs="*", default=[4, 20])
    asked = parser.parse_args()
    if not asked.data.is_dir():
        print(f"skipped: no PICO spans in {asked.data} (--data)")
        return
    pico = read(asked.data)
    rows: list[tuple[str, tuple[float, float]]] = [
        (
            f"votes of more than {share:.0%}",
            scores([vote(of, share) for of in pico.crowd], pico.expert),
        )
        for share in (0.3, 0.4, 0.5)
    ]
    rows += [
        (f"published: {name}", scores([of.get(name, []) for of in pico.published], pico.expert))
        for name in ("MajorityVote", "HMMCrowd", "DawidSkene")
    ]
    rows += [
        (f"rule majority, {name}", scores(former(pico, support), pico.expert))
        for name, support in (("more than half", None), ("support 2", 2), ("support 3", 3))
    ]
    documents = [pico.document(d, gold=False) for d in range(len(pico.crowd))]
    made = consensus_of_units(documents)
    rows.append(("rule consensus", scores(spans_of(made), pico.expert)))
    table = [f"| {name} | {f:.3f} | {exact:.3f} |" for name, (f, exact) in rows]
    errors = calibration(made, pico.expert)
    gold_rows = []
    for n in GOLD:
        trained, plain = with_gold(pico, n)
        gold_rows.append(
            f"| {n} | {trained[0]:.3f} | {plain[0]:.3f} | {trained[1]:.3f} | {plain[1]:.3f} |"
        )
        print(gold_rows[-1], flush=True)
    timed, spent = [], []
    for copies in asked.copies:
        began, cpu = time.monotonic(), time.process_time()
        consensus_of_units(documents * copies)
        wall, cpu = time.monotonic() - began, time.process_time() - cpu
        timed.append(f"| {copies * len(documents):,} | {wall:.0f} s | {cpu:.0f} s |")
        spent.append((copies * len(documents), cpu))
    if len(spent) > 1:
        (n, before), (last, cpu) = spent[-2:]
        more = cpu + (cpu - before) / (last - n) * (100_000 - last)
        timed.append(f"| 100,000, extrapolated | | about {round(more, -1):.0f} s |")
    RESULTS.write_text(
        "\n".join(
            [
                "# Consensus of spans: PICO participants",
                "",
                "150 documents, 91 workers, one expert; F of characters and of exact spans over",
                "all documents (standard error about .016). Made by `benchmarks/consensus.py`.",
                "",
                "| without gold | characters | exact spans |",
                "|---|---|---|",
                *table,
                "",
                "Expected calibration error of the rule consensus, in ten bins: "
                + ", ".join(f"{name} {error:.3f}" for name, error in errors.items())
                + ".",
                "",
                f"With gold documents, cross-validated: folds of {FOLD} documents, seed",
                f"{', '.join(map(str, SEEDS))}; “without” is the same documents without any gold.",
                "",
                "| gold documents | characters | without | exact spans | without |",
                "|---|---|---|---|---|",
                *gold_rows,
                "",
                "Copies of the documents, in one process on two cores shared with other work:",
                "",
                "| documents | wall time | CPU time |",
                "|---|---|---|",
                *timed,
                "",
            ]
        ),
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
