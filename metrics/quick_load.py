"""Compiled kernels read from Numba's cache without what only compilation needs.

Before it reads a kernel from its cache, Numba imports all that it could compile, SciPy's linear
algebra among it, and enters it into its tables: 0.2 s of a process that compiles nothing.
"""

from __future__ import annotations

from typing import Any, TypeVar

from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

Kernel = TypeVar("Kernel", bound=Any)


class _QuickCache(FunctionCache):
    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None: then it is compiled, which does the rest first."""
        rtsys.initialize(target_context)  # the memory of the kernels' arrays
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]


def quickly_loaded(kernel: Kernel) -> Kernel:
    """A kernel of `njit(cache=True)` that Python calls, to be read from the cache quickly.

    It gains where the kernel and those that it calls use arrays and numbers only: a cached kernel
    imports the parts of Numba that it was compiled from (`numba.np.arraymath` for `any`, `sum`,
    `argsort` and the like, and with it SciPy).
    """
    kernel._cache = _QuickCache(kernel.py_func)  # type: ignore[no-untyped-call]
    return kernel
