"""Rankings of `accordeur rank` beside published ones: MQM of TED talks at WMT21.

    python -m benchmarks.published_rankings FOLDER

FOLDER has `mqm_ted_ende.tsv` and `mqm_ted_zhen.tsv` of google/wmt-mqm-human-evaluation (commit
7fadea28), whose README publishes the mean score of each system; they are listed here. The score of
a system is the mean over segments of its weighted errors, computed here from the file with the
published weights. `rank` compares systems segment by segment instead: a system that is often
slightly better and seldom much worse stands higher. Writes results/published-rankings.md.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

import accordeur as acc

RESULTS = Path(__file__).parent / "results" / "published-rankings.md"
PUBLISHED = {
    "ende": {
        "ref": 0.91, "Facebook-AI": 1.06, "Online-W": 1.12, "VolcTrans-AT": 1.24,
        "metricsystem3": 1.44, "VolcTrans-GLAT": 1.49, "HuaweiTSC": 1.50, "metricsystem1": 1.63,
        "metricsystem2": 1.69, "metricsystem5": 1.72, "UEdin": 1.77, "metricsystem4": 1.78,
        "eTranslation": 1.96, "Nemo": 2.14,
    },
    "zhen": {
        "refB": 0.42, "DIDI-NLP": 1.65, "metricsystem2": 1.76, "metricsystem1": 1.90, "MiSS": 1.97,
        "IIE-MT": 1.98, "metricsystem4": 2.05, "metricsystem5": 2.15, "SMU": 2.202,
        "Borderline": 2.40, "NiuTrans": 2.49, "Facebook-AI": 2.64, "Online-W": 2.93,
        "metricsystem3": 2.99, "ref": 5.52,
    },
}  # fmt: skip
NAMES = {"ende": "English to German", "zhen": "Chinese to English"}


def weight(category: str, severity: str) -> float:
    severity, category = severity.lower(), category.lower()
    if "non-translation" in category:
        return 25.0
    if severity == "major":
        return 5.0
    if severity == "minor":
        return 0.1 if category.startswith("fluency/punctuation") else 1.0
    return 0.0


def mean_scores(path: Path) -> dict[str, float]:
    """Return the mean over segments of the mean over raters of the summed weights."""
    sums: dict[str, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            own = sums[row["system"]][row["seg_id"]]
            own[row["rater"]] = own.get(row["rater"], 0.0) + weight(
                row["category"], row["severity"]
            )
    return {
        system: float(np.mean([np.mean([*raters.values()]) for raters in segments.values()]))
        for system, segments in sums.items()
    }


def table(name: str, folder: Path) -> list[str]:
    path, published = folder / f"mqm_ted_{name}.tsv", PUBLISHED[name]
    scores, found = mean_scores(path), acc.rank(path, query="mqm")
    lines = [
        "| system | published score (rank) | from the file | strength | ranks not ruled out |",
        "|---|--:|--:|--:|--:|",
    ]
    order = sorted(published, key=lambda system: published[system])
    rows = {row["system"]: row for row in found.to_frame().to_dict("records")}
    lines += [
        f"| {system} | {published[system]:.2f} ({place}) | {scores[system]:.2f} "
        f"| {rows[system]['strength']:+.2f} | {rows[system]['first']}–{rows[system]['last']} |"
        for place, system in enumerate(order, 1)
    ]
    strengths = [-rows[system]["strength"] for system in order]
    of_scores, of_strengths = (
        spearmanr([published[system] for system in order], values).statistic
        for values in ([scores[system] for system in order], strengths)
    )
    said = (
        f"Rank correlation with the published order: {of_scores:.3f} of the scores from the file, "
        f"{of_strengths:.3f} of the strengths."
    )
    return [f"## {NAMES[name]}", "", *lines, "", said, ""]


def main(folder: Path) -> None:
    about = (
        (__doc__ or "")
        .split("\n\n")[2]
        .replace("\n", " ")
        .removesuffix(" Writes results/published-rankings.md. ")
    )
    lines = ["# Rankings beside published ones", "", about, ""]
    for name in PUBLISHED:
        lines += table(name, folder)
    RESULTS.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
