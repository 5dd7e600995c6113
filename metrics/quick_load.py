"""Compiled kernels read from Numba's cache without what only compilation needs.

Before it reads a kernel from its cache, Numba imports all that it could compile, SciPy's linear
algebra among it, enters it into its tables and compiles its reference counting; with the machine
code of the kernel it parses what others could be compiled from. That is 0.25 s of a process that
compiles nothing. None of it is Numba's public interface: another version than the one known here
reads its cache in its own way.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numba
from llvmlite import binding
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.dispatcher import Dispatcher
from numba.core.runtime._nrt_python import c_helpers

Kernel = TypeVar("Kernel", bound=Any)
_KNOWN = "0.68."  # versions of Numba whose cache is read so


class _MachineCode(JITCodeLibrary):
    """A kernel from the cache: its bitcode is parsed when one that calls it is compiled."""

    _from_cache = False
    _bitcode: bytes | None = None

    @classmethod
    def _unserialize(cls, codegen: Any, state: tuple[str, str, Any]) -> Any:
        name, kind, data = state
        if kind != "object":
            return super()._unserialize(codegen, state)  # type: ignore[no-untyped-call]
        library = cls(codegen, name)  # type: ignore[no-untyped-call]
        library._from_cache = True
        machine_code, library._bitcode = data
        library.enable_object_caching()  # type: ignore[no-untyped-call]
        library._set_compiled_object(machine_code)  # type: ignore[no-untyped-call]
        library._finalize_final_module()  # type: ignore[no-untyped-call]
        return library

    def _get_module_for_linking(self) -> Any:
        if self._bitcode is not None:
            self._shared_module = binding.parse_bitcode(self._bitcode)
            self._bitcode = None
        return super()._get_module_for_linking()  # type: ignore[no-untyped-call]

    def get_pointer_to_function(self, name: str) -> Any:
        if self._from_cache:
            return self._codegen._engine.get_function_address(name)
        return super().get_pointer_to_function(name)  # type: ignore[no-untyped-call]


class _FewEnvironments(CompileResultCacheImpl):
    """Keeps those environments only that hold a constant: to read one imports what it is of."""

    def reduce(self, cres: Any) -> tuple[Any, ...]:
        *rest, environments = super().reduce(cres)  # type: ignore[no-untyped-call]
        return (*rest, tuple(each for each in environments if each.consts))


class _QuickCache(FunctionCache):
    _impl_class = _FewEnvironments

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel, or None: then it is compiled, which does the rest first."""
        target_context.codegen()._library_class = _MachineCode
        for name, address in c_helpers.items():  # the memory of the kernels' arrays
            binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]


def quickly_loaded(kernel: Kernel) -> Kernel:
    """A kernel of `njit(cache=True)` that Python calls, to be read from the cache quickly.

    It gains where the kernel and those that it calls use arrays and numbers only: a cached kernel
    imports the parts of Numba that it was compiled from (`numba.np.arraymath` for `any`, `sum`,
    `argsort` and the like, and with it SciPy).
    """
    plain: Any = kernel
    compiled = isinstance(plain, Dispatcher)  # it is not, under NUMBA_DISABLE_JIT
    if compiled and numba.__version__.startswith(_KNOWN):
        plain._cache = _QuickCache(plain.py_func)  # type: ignore[attr-defined,no-untyped-call]
    return kernel
