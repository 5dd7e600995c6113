"""Compiled kernels on several cores, with the same numbers on any number of them.

Kernels release the GIL, so plain threads are sufficient: Numba's own parallel loops are not safe
inside the threads of a Dask worker. Work is split the same way whatever the number of threads.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


def available_threads() -> int:
    """Return the number of usable cores, limited by OMP_NUM_THREADS (1 in a Dask worker)."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(cores or 1, int(asked) if asked.isdecimal() else sys.maxsize))


def map_in_threads(
    work: Callable[[Part], Result], parts: Iterable[Part], *, threads: int | None = None
) -> list[Result]:
    """Apply `work` to each part, in this and other threads; return results in the parts' order.

    threads  maximum number of threads; None: one per core
    """
    parts = list(parts)
    threads = min(available_threads() if threads is None else threads, len(parts))
    if threads <= 1:
        return [work(part) for part in parts]
    results: dict[int, Result] = {}
    left = deque(enumerate(parts))

    def go_on() -> None:
        while True:
            try:
                i, part = left.popleft()
            except IndexError:
                return
            results[i] = work(part)

    others = [_thread_pool().submit(go_on) for _ in range(threads - 1)]
    try:
        go_on()
    finally:
        left.clear()
        begun = [other for other in others if not other.cancel()]
        wait(begun)
    for other in begun:
        other.result()
    return [results[i] for i in range(len(parts))]


@cache
def _thread_pool() -> ThreadPoolExecutor:
    """Reusable threads, because starting and stopping them takes as long as a small kernel."""
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="spread")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        after_in_child=_thread_pool.cache_clear
    )  # a fork inherits the pool, but not its threads


def split_ranges(total: int, size: int) -> list[tuple[int, int]]:
    """Return `[first, last)` ranges of at most `size` that cover 0..total."""
    return [(first, min(first + size, total)) for first in range(0, total, size)]
