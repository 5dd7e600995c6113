"""A campaign whose quality declines weekly: exports of labels and units, and its campaign file.

Each week, three annotators annotate 32 more documents, with more errors than the week before: 160
documents after five weeks. To see the alerts in its report, run it week by week:

    for week in 1 2 3 4 5; do
        python -m benchmarks.weekly_campaign FOLDER $week && accordeur run FOLDER/campaign.toml
    done
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

WEEKS, PER_WEEK = 5, 32
ANNOTATORS = ("ana", "bruno", "chloe")
STANCES, CATEGORIES = ("for", "against", "neither"), ("claim", "evidence", "background")
LENGTH, N_UNITS, N_ITEMS = 2000, 8, 6
FIRST_ERROR, WORSE = 0.08, 0.08  # error probability in week 1, and weekly increase

CAMPAIGN = """[campaign]
name = "Arguments, week by week"
guideline = "1.{guideline}"

[[sources]]
path = "labels.csv"
format = "table"
layer_names = {{ "" = "stance" }}

[[sources]]
path = "units.csv"
format = "table"
layer_names = {{ "" = "arguments" }}

[[gates]]
measure = "krippendorff_alpha"
layer = "stance"
at_least = 0.6

[[gates]]
measure = "gamma"
layer = "arguments"
at_least = 0.6
"""


def write_week(folder: Path, week: int) -> Path:
    """Write the exports after a number of weeks (1 to 5); return the path of the campaign file.

    The guideline changes in week 3.
    """
    return write_campaign(folder, week * PER_WEEK, ANNOTATORS, guideline=0 if week < 3 else 1)


def write_campaign(
    folder: Path, n_documents: int, annotators: Sequence[str], *, guideline: int = 0
) -> Path:
    """Write exports with errors that grow for `WEEKS` weeks; return the campaign file's path."""
    rng = np.random.default_rng(1)
    labels, units = [], []
    for d in range(n_documents):
        document, error = f"d{d:03}", FIRST_ERROR + WORSE * min(d // PER_WEEK, WEEKS - 1)
        for i in range(N_ITEMS):
            truth = rng.choice(STANCES)
            for who in annotators:
                label = rng.choice(STANCES) if rng.random() < error else truth
                labels.append((document, f"{document}-{i}", who, label))
        for start in rng.permutation(LENGTH // 50)[:N_UNITS] * 50:
            length, truth = int(rng.integers(10, 45)), rng.choice(CATEGORIES)
            for who in annotators:
                missed, moved, renamed = rng.random(3) < error
                shift = int(rng.integers(1, 8)) if moved else 0
                category = rng.choice(CATEGORIES) if renamed else truth
                if not missed:
                    begin = int(start) + shift
                    units.append((document, who, begin, begin + length, category))
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "labels.csv", ("document", "item", "annotator", "label"), labels)
    _write(folder / "units.csv", ("document", "annotator", "start", "end", "category"), units)
    campaign = folder / "campaign.toml"
    campaign.write_text(CAMPAIGN.format(guideline=guideline), encoding="utf-8")
    return campaign


def _write(path: Path, header: tuple[str, ...], rows: list[tuple[object, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


if __name__ == "__main__":
    write_week(Path(sys.argv[1]), int(sys.argv[2]))
