"""What may end beside a flow's last reports, if only it is done before the run's server stops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

_around: list[ExitStack] = []


def before_the_end(wait: Callable[[], object]) -> None:
    """Call `wait` at the end of the `all_done` around this, or now where there is none."""
    if _around:
        _around[-1].callback(wait)
    else:
        wait()


@contextmanager
def all_done() -> Iterator[None]:
    """Wait at the end for all that was left to `before_the_end`, whatever happened."""
    with ExitStack() as waits:
        _around.append(waits)
        try:
            yield
        finally:
            _around.remove(waits)
