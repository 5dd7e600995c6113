"""Compiled kernels on disk: never those of older sources, and all of them at set-up.

Numba's cache of a kernel knows only the kernel's own file, not the files of the kernels that it
calls: after an edit or a pull it would go on running old machine code. So a cached kernel older
than the newest module of the package is dropped when the package is imported.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def drop_stale_kernels(package: Path = _PACKAGE) -> int:
    """Remove cached kernels older than the newest module of the package; returns how many."""
    folders = [package, *(module.parent for module in package.glob("*/__init__.py"))]
    newest = max(source.stat().st_mtime_ns for one in folders for source in one.glob("*.py"))
    n_dropped = 0
    for cached in (file for one in folders for file in one.glob("__pycache__/*.nb[ic]")):
        try:
            if cached.stat().st_mtime_ns < newest:
                cached.unlink(missing_ok=True)
                n_dropped += 1
        except FileNotFoundError:  # another process was faster
            continue
    return n_dropped
