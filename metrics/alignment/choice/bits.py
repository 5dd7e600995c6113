"""One machine instruction that Numba has no name for."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic


def _lowest_bit(_context: Any, _word: Any) -> Any:
    def count_zeros(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), count_zeros


def _lowest_bit_uncompiled(word: int) -> int:
    return (int(word) & -int(word)).bit_length() - 1


_is_compiled = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
lowest_bit: Any = intrinsic(_lowest_bit) if _is_compiled else _lowest_bit_uncompiled
"""The place, from 0, of the lowest set bit of an int64 that is not 0."""
