"""Compiled kernels on disk: never those of older sources, and all of them at set-up.

Numba's cache of a kernel knows only the kernel's own file, not the files of the kernels that it
calls: after an edit or a pull it would go on running old machine code. So a cached kernel older
than the newest kernel module is dropped when the package is imported.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent
_KERNEL_MODULES = (
    "pair_graph",
    "candidates",
    "dominance",
    "sweep",
    "dual",
    "blocks",
    "solver",
    "engine",
    "ties",
)


def drop_stale_kernels(package: Path = _PACKAGE) -> int:
    """Remove cached kernels older than the newest of the kernel modules; returns how many."""
    sources = [package / f"{module}.py" for module in _KERNEL_MODULES]
    newest = max(source.stat().st_mtime_ns for source in sources if source.exists())
    n_dropped = 0
    for cached in package.glob("__pycache__/*.nb[ic]"):
        try:
            if cached.stat().st_mtime_ns < newest:
                cached.unlink(missing_ok=True)
                n_dropped += 1
        except FileNotFoundError:  # another process was faster
            continue
    return n_dropped
