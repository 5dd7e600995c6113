"""Numba's `njit` for every kernel, with a hook before the first compilation and stale-cache checks.

Kernels are cached on disk: only the first use after an installation compiles them, for several
seconds. This module does not import Numba before a kernel is defined.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

_waiting: list[Callable[[], None]] = []


def call_before_compiling(call: Callable[[], None]) -> None:
    """Register a function that is called once, before the first uncached kernel is compiled."""
    _waiting.append(call)


def njit(**options: Any) -> Callable[[Kernel], Kernel]:
    """Numba's decorator of the same name."""
    import numba

    _listen_to_compiler()
    return numba.njit(**options)  # type: ignore[no-any-return]


@cache
def _listen_to_compiler() -> None:
    from numba.core import event

    class Compiling(event.Listener):  # type: ignore[misc]  # Numba has no types
        def on_start(self, _event: Any) -> None:
            while _waiting:
                _waiting.pop()()

        def on_end(self, _event: Any) -> None:
            pass

    event.register("numba:compile", Compiling())  # type: ignore[no-untyped-call]  # as above


def drop_stale_kernels(package: Path) -> int:
    """Remove cached kernels older than the newest module of the package; return their number.

    Numba's cache of a kernel depends only on the kernel's own file, not on the files of the kernels
    that it calls: after an edit, it would still run the old machine code.
    """
    folders = [package, *(module.parent for module in package.glob("*/__init__.py"))]
    newest = max(source.stat().st_mtime_ns for one in folders for source in one.glob("*.py"))
    n_dropped = 0
    for cached in (file for one in folders for file in one.glob("__pycache__/*.nb[ic]")):
        try:
            if cached.stat().st_mtime_ns < newest:
                cached.unlink(missing_ok=True)
                n_dropped += 1
        except FileNotFoundError:  # another process has removed it
            continue
    return n_dropped
