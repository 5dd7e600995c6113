"""Kernels come from the cache quickly where they are there, and are compiled where they are not."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba.core.caching import FunctionCache

from accordeur.metrics.alignment.compilation import compile_kernels

ROOT = Path(__file__).resolve().parents[2]
ALIGNED = """
import sys
import numpy as np
from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
for n in (2, 5):  # the second has so many candidates that prices choose
    starts, owners = np.tile([0.0, 4.0], n), np.repeat(np.arange(n, dtype=np.int32), 2)
    zeros = np.zeros(2 * n, dtype=np.int32)
    best_alignment(Continuum(starts, starts + 3.0, zeros, owners, tuple("abcde"[:n]), ("x",)))
print([m for m in ("scipy.linalg", "numba.np.arraymath", "numba.np.arrayobj") if m in sys.modules])
from numba.core.runtime import rtsys
print(rtsys._init)
"""
KERNEL = """
import sys
import numpy as np
from numba import njit
from accordeur.metrics.quick_load import quickly_loaded

@njit(cache=True)
def squares(values):
    return values * values

@quickly_loaded
@njit(cache=True)
def norm(values):
    return np.sqrt(np.sum(squares(values)))

if __name__ == "__main__":
    import kernel
    print(kernel.norm(np.array([3.0, 4.0])), kernel.norm(np.array([3, 4])))
    print(sum(kernel.norm.stats.cache_hits.values()))
"""
CALLER = """
import kernel
import numpy as np
from numba import njit

@njit
def both(values):
    return kernel.norm(values) + kernel.norm(2.0 * values)

values = np.array([3.0, 4.0])
print(kernel.norm(values), sum(kernel.norm.stats.cache_hits.values()), both(values))
"""


def printed(*arguments: str) -> list[str]:
    """What a script prints; it finds modules beside it, whatever earlier tests have set."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_an_alignment_reads_its_kernels_without_what_only_compilation_needs() -> None:
    compile_kernels()
    assert printed("-c", ALIGNED) == ["[]", "False"]


def written(file: Path, source: str) -> str:
    path = f"import sys; sys.path[:0] = [{str(ROOT)!r}]\n"
    file.write_text(path + source, encoding="utf-8")
    return str(file)


def test_a_kernel_is_compiled_once_and_read_later(tmp_path: Path) -> None:
    file = written(tmp_path / "kernel.py", KERNEL)
    assert printed(file) == ["5.0 5.0", "0"]
    assert printed(file) == ["5.0 5.0", "2"]


def test_a_kernel_that_was_read_is_compiled_into_those_that_call_it(tmp_path: Path) -> None:
    printed(written(tmp_path / "kernel.py", KERNEL))
    assert printed(written(tmp_path / "caller.py", CALLER)) == ["5.0 1 15.0"]


def test_another_numba_reads_its_cache_in_its_own_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba, "__version__", "0.69.0")
    monkeypatch.syspath_prepend(tmp_path)
    written(tmp_path / "kernel_of_another.py", KERNEL)
    kernel = importlib.import_module("kernel_of_another")
    assert type(kernel.norm._cache) is FunctionCache
