"""One machine instruction that Numba has no name for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic


def _lowest_bit(_context: Any, _word: Any) -> Any:
    def count_zeros(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), count_zeros


lowest_bit: Callable[[int], int] = cast(Any, intrinsic(_lowest_bit))
"""The place, from 0, of the lowest set bit of an int64 that is not 0; for compiled code only."""
