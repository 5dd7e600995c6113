"""Small data: a table of ordered labels; campaigns of two annotators; a quick demonstration.

The reading grid takes most of the time of a small run: `SMALL_GRID` has four trials.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from accordeur.flows.demo import write_demo

NO_GRID = "[reading_grid]\ntrials = 0\n"
SMALL_GRID = """
[reading_grid]
measures = ["gamma"]
degradations = ["omission"]
magnitudes = [0.0, 0.5]
trials = 2
"""


def write_quick_demo(folder: Path) -> Path:
    """The demonstration with fewer samples of chance and fewer trials, for what is no number."""
    campaign = write_demo(folder)
    text = campaign.read_text(encoding="utf-8")
    for before, after in (("precision = 0.01", "precision = 0.1"), ("trials = 10", "trials = 2")):
        assert before in text
        text = text.replace(before, after)
    campaign.write_text(text, encoding="utf-8")
    return campaign


def labels_csv(folder: Path, *, n: int = 9, n_items: int = 40, seed: int = 3) -> np.ndarray:
    """Five ordered classes, each annotator noisy around an item's place on the scale."""
    rng = np.random.default_rng(seed)
    latent = rng.uniform(0.5, 3.5, n_items)
    codes = np.clip(np.rint(latent[:, None] + rng.normal(0, 0.7, (n_items, n))), 0, 4).astype(int)
    rows = [f"{i},a{a:02d},{codes[i, a]}" for i in range(n_items) for a in range(n)]
    text = "item,annotator,label\n" + "\n".join(rows) + "\n"
    (folder / "labels.csv").write_text(text, encoding="utf-8")
    return codes


def write_small(folder: Path, engine: str = "workers = 1") -> Path:
    """Write its exports and its campaign file; returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    units, labels = ["document,annotator,start,end,category"], ["document,item,annotator,label"]
    for d in range(4):
        for who in ("anna", "ben"):
            for u in range(5):
                start = 20 * u + (who == "ben") * (u % 2)
                units.append(f"d{d},{who},{start},{start + 8},{'AB'[(u + d) % 2]}")
                labels.append(f"d{d},i{u},{who},{'xy'[(u * d + (who == 'ben') * (u == 1)) % 2]}")
    (folder / "units.csv").write_text("\n".join(units) + "\n", encoding="utf-8")
    (folder / "labels.csv").write_text("\n".join(labels) + "\n", encoding="utf-8")
    campaign = folder / "campaign.toml"
    campaign.write_text(
        f"""
[campaign]
name = "Small"
[[sources]]
path = "units.csv"
format = "table"
[[sources]]
path = "labels.csv"
format = "table"
[intervals]
replicates = 20
[chance]
precision = 0.2
{SMALL_GRID}
[engine]
{engine}
""",
        encoding="utf-8",
    )
    return campaign
