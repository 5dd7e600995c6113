"""The set-up compiles every kernel, in a process a core."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

LATER = """
import numpy as np
from numba.core import event
from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.units.gamma import gamma

class Compiled(event.Listener):
    names = []
    def on_start(self, e): self.names.append(e.data["dispatcher"].py_func.__name__)
    def on_end(self, e): pass

def crowd(n_annotators):
    rng = np.random.default_rng(1)
    starts = rng.random(6 * n_annotators) * 60
    owners = np.repeat(np.arange(n_annotators, dtype=np.int32), 6)
    return Continuum(starts, starts + 9, rng.integers(0, 2, len(owners)).astype(np.int32), owners,
                     tuple(map(str, range(n_annotators))), ("A", "B"), length=80.0)

with event.install_listener("numba:compile", Compiled()):
    for n_annotators in (2, 3, 5, 9):
        for objective in ("sum", "mean") if n_annotators == 9 else ("sum", "mean", "soft"):
            assert best_alignment(crowd(n_annotators), objective=objective).optimal
    gamma([crowd(4)], precision=0.5, replicates=2)
print(Compiled.names)
"""


@pytest.mark.long
def test_after_the_set_up_an_alignment_compiles_nothing(tmp_path: Path) -> None:
    kept = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    set_up = [sys.executable, "-c", "from accordeur.flows.cli import main; main()", "compile"]
    subprocess.run(set_up, cwd=ROOT, env=kept, check=True, timeout=600)
    later = subprocess.run(
        [sys.executable, "-c", LATER],
        cwd=ROOT,
        env=kept,
        check=True,
        capture_output=True,
        text=True,
    )
    assert later.stdout.strip() == "[]"
