"""Demonstrations: a campaign of real files in three formats, and drawn labels of a judge."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from .errors import UserError

SOURCE = Path(__file__).parent / "demo_campaign"
CAMPAIGN_FILE = "campaign.toml"


def write_demo(folder: Path) -> Path:
    """Copy the campaign and return its campaign file; an existing copy is kept.

    Raises UserError if the folder contains anything else.
    """
    campaign = folder / CAMPAIGN_FILE
    if campaign.is_file():
        return campaign
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder} is not empty: give a new folder for the demonstration")
    try:
        shutil.copytree(SOURCE, folder, dirs_exist_ok=True)
    except OSError as error:
        reason = error.strerror or "it cannot be written"
        raise UserError(
            f"{folder}: {reason.lower()}: give a folder that you may write to"
        ) from error
    return campaign


_BARS = """# What the judge must reach, stated before its labels are looked at.
[[bars]]
measure = "cohen_kappa"
at_least = 0.4

[[bars]]
measure = "recall"
of = "bad"
at_least = 0.7
"""


def write_judge_demo(folder: Path) -> tuple[Path, Path]:
    """Write labels of three humans and a judge on 80 answers, and bars; return their paths.

    The labels are drawn: who is right how often is known. Existing files are kept. Raises UserError
    for a folder that cannot be written.
    """
    labels, bars = folder / "labels.csv", folder / "bars.toml"
    drawn = random.Random(5)
    lines = ["item,ann,ben,cat,gpt"]
    for number in range(1, 81):
        is_bad = drawn.random() < 0.35
        right = [drawn.random() < share for share in (0.93, 0.9, 0.91, 0.86)]
        lines.append(
            f"answer {number}," + ",".join("bad" if r == is_bad else "good" for r in right)
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in ((labels, "\n".join(lines) + "\n"), (bars, _BARS)):
            if not path.exists():
                path.write_text(text, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or "it cannot be written"
        raise UserError(
            f"{folder}: {reason.lower()}: give a folder that you may write to"
        ) from error
    return labels, bars
