"""One seed for each (study, cell, trial): results do not depend on how trials are spread."""

from __future__ import annotations

import hashlib

import numpy as np


def trial_seed(study: str, cell: str, trial: int) -> np.random.SeedSequence:
    """The seed of one trial of one cell of a study; both named by text (name and seed, say)."""
    digest = hashlib.sha256(f"{len(study)}:{study}{len(cell)}:{cell}{trial}".encode()).digest()
    return np.random.SeedSequence(int.from_bytes(digest[:16], "big"))
