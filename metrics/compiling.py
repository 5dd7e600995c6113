"""Numba's `njit` for every kernel, and a call before the first one has to be compiled.

Kernels are kept on disk: only the first use after an installation compiles, which takes seconds
that somebody waits for. This module does not import Numba until a kernel is defined.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

_waiting: list[Callable[[], None]] = []


def before_compiling(call: Callable[[], None]) -> None:
    """Call once, before the first kernel that is not on disk is compiled in this process."""
    _waiting.append(call)


def njit(**options: Any) -> Callable[[Kernel], Kernel]:
    """Numba's decorator of the same name."""
    import numba

    _listen()
    return numba.njit(**options)  # type: ignore[no-any-return]


@cache
def _listen() -> None:
    from numba.core import event

    class Compiling(event.Listener):  # type: ignore[misc]  # Numba has no types
        def on_start(self, _event: Any) -> None:
            while _waiting:
                _waiting.pop()()

        def on_end(self, _event: Any) -> None:
            pass

    event.register("numba:compile", Compiling())  # type: ignore[no-untyped-call]  # as above
