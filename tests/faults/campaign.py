"""A small campaign for the faults: units and labels of three annotators, in many small batches."""

from __future__ import annotations

import random
from pathlib import Path

from tests.flows.small import SMALL_GRID

ANNOTATORS = ("anna", "ben", "chloe")
POISONED = "d07"
_WORDS = ["the", "tuner", "listens", "a", "string", "slips", "low", "again", "fork", "sounds"]


def write_campaign(folder: Path, *, store: str = "store", without: str = "") -> Path:
    """Exports of 12 documents (but `without`) and their campaign file; returns the file."""
    exports = folder / "exports"
    labels = ["document,item,annotator,label"]
    for number in range(12):
        name = f"d{number:02d}"
        draw = random.Random(name)
        words = draw.choices(_WORDS, k=60)
        text, places = " ".join(words), []
        position = 0
        for word in words:
            places.append((position, position + len(word)))
            position += len(word) + 1
        chosen = sorted(draw.sample(range(60), 14))
        for who in ANNOTATORS:
            lines = []
            for n, w in enumerate(chosen):
                if draw.random() < 0.15:
                    continue
                start, end = places[w][0], places[min(59, w + draw.randint(0, 1))][1]
                category = "PER" if draw.random() < 0.8 - 0.6 * (n % 2) else "LOC"
                lines.append(f"T{n + 1}\t{category} {start} {end}\t{text[start:end]}")
            if name != without:
                home = exports / "brat" / who
                home.mkdir(parents=True, exist_ok=True)
                (home / f"{name}.txt").write_text(text, encoding="utf-8")
                (home / f"{name}.ann").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for item in range(8):
            truth = draw.choice("abc")
            for who in ANNOTATORS:
                label = truth if draw.random() < 0.8 else draw.choice("abc")
                if name != without:
                    labels.append(f"{name},{name}-{item},{who},{label}")
    (exports / "labels.csv").write_text("\n".join(labels) + "\n", encoding="utf-8")
    campaign = folder / "campaign.toml"
    campaign.write_text(
        f"""
seed = 7
[campaign]
name = "Faults"
[[sources]]
path = "exports/brat"
format = "brat"
layer_names = {{ "" = "names" }}
[[sources]]
path = "exports/labels.csv"
format = "table"
[intervals]
replicates = 50
[chance]
processes = ["random2"]
precision = 0.05
{SMALL_GRID}
[engine]
workers = 2
in_process_mb = 0
documents_per_batch = 2
[store]
url = "{store}"
""",
        encoding="utf-8",
    )
    return campaign
