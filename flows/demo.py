"""Demonstrations: a campaign of real files, and drawn labels and preferences."""

from __future__ import annotations

import math
import random
import shutil
from collections.abc import Mapping
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
        raise _not_writable(folder, error) from error
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


def write_judge_demo(folder: Path) -> list[str]:
    """Write labels of three humans and a judge on 80 answers, and bars; return the command.

    The labels are drawn: who is right how often is known. Existing files are kept. Raises UserError
    for a folder that cannot be written.
    """
    drawn = random.Random(5)
    lines = ["item,ann,ben,cat,gpt"]
    for number in range(1, 81):
        is_bad = drawn.random() < 0.35
        right = [drawn.random() < share for share in (0.93, 0.9, 0.91, 0.86)]
        lines.append(
            f"answer {number}," + ",".join("bad" if r == is_bad else "good" for r in right)
        )
    _write(folder, {"labels.csv": "\n".join(lines) + "\n", "bars.toml": _BARS})
    humans = ["--human", "ann", "--human", "ben", "--human", "cat"]
    labels, bars = str(folder / "labels.csv"), str(folder / "bars.toml")
    return ["judge", labels, "--judge", "gpt", *humans, "--bars", bars]


def write_crowd_demo(folder: Path) -> list[str]:
    """Write labels of twelve workers on 150 posts, five labels each; return the command.

    Politics is harder than sports, and the last worker often answers at random. Existing files are
    kept. Raises UserError for a folder that cannot be written.
    """
    drawn, stances = random.Random(7), ("against", "neutral", "for")
    workers = {f"w{number:02d}": 0.9 - 0.02 * number for number in range(1, 12)} | {"w12": 0.35}
    lines = ["item,topic,annotator,label"]
    for number in range(1, 151):
        topic, right = drawn.choice(("sports", "politics")), drawn.choice(stances)
        for worker in sorted(drawn.sample([*workers], 5)):
            share = workers[worker] - 0.2 * (topic == "politics")
            label = right if drawn.random() < share else drawn.choice(stances)
            lines.append(f"post {number},{topic},{worker},{label}")
    _write(folder, {"labels.csv": "\n".join(lines) + "\n"})
    return ["agree", str(folder / "labels.csv"), "--by", "topic"]


def write_rank_demo(folder: Path) -> list[str]:
    """Write preferences of five raters between four systems; return the command.

    The raters have tastes, which are drawn. An existing file is kept. Raises UserError for a folder
    that cannot be written.
    """
    drawn = random.Random(4)
    tastes = [[drawn.gauss(strength, 0.4) for strength in (0.9, 0.7, 0, -1)] for _ in range(5)]
    lines = ["item,rater,left,right,outcome"]
    for number in range(240):
        rater, (left, right) = number % 5, drawn.sample(range(4), 2)
        d = tastes[rater][left] - tastes[rater][right]
        chances = (math.exp(d / 2), 0.5, math.exp(-d / 2))
        [said] = drawn.choices(("left", "tie", "right"), chances)
        pair = f"{'ABCD'[left]},{'ABCD'[right]}"
        lines.append(f"prompt {number // 3},rater {rater + 1},{pair},{said}")
    _write(folder, {"preferences.csv": "\n".join(lines) + "\n"})
    return ["rank", str(folder / "preferences.csv")]


def _write(folder: Path, files: Mapping[str, str]) -> None:
    """Write the files that the folder lacks."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            if not (folder / name).exists():
                (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise _not_writable(folder, error) from error


def _not_writable(folder: Path, error: OSError) -> UserError:
    reason = (error.strerror or "it cannot be written").lower()
    return UserError(f"{folder}: {reason}: give a folder that you may write to")
