"""The watcher of a run: progress bars on the terminal, or none.

Tasks run in other processes, so a flow reports its own stages: only the number of finished tasks of
a stage is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from ..commands.terminal import terminal


class Watcher(Protocol):
    def stage(self, name: str, n_tasks: int) -> None: ...

    def advance(self, what: str = "") -> None: ...

    def note(self, text: str) -> None: ...


class SilentWatcher:
    def stage(self, name: str, n_tasks: int) -> None:
        pass

    def advance(self, what: str = "") -> None:
        pass

    def note(self, text: str) -> None:
        pass


_WATCHER: ContextVar[Watcher] = ContextVar("watcher")


_default: Watcher = SilentWatcher()


def watcher() -> Watcher:
    return _WATCHER.get(_default)


def set_default_watcher(one: Watcher) -> None:
    """Use `one` if no other watcher is set in this process."""
    global _default
    _default = one


@contextmanager
def watched_by(one: Watcher) -> Iterator[None]:
    token = _WATCHER.set(one)
    try:
        yield
    finally:
        _WATCHER.reset(token)


class ProgressBars:
    """Rich progress bars, one line per stage, with the remaining time."""

    def __init__(self) -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._progress = Progress(
            TextColumn("{task.description:<18}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=terminal(error=True),
        )
        self._task: object = None

    def __enter__(self) -> ProgressBars:
        self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def stage(self, name: str, n_tasks: int) -> None:
        self._task = self._progress.add_task(name, total=max(n_tasks, 1))
        if n_tasks == 0:
            self.advance()

    def advance(self, what: str = "") -> None:  # noqa: ARG002 - a bar has no room for names
        self._progress.advance(self._task)  # type: ignore[arg-type]  # a rich TaskID
        bar = next(one for one in self._progress.tasks if one.id == self._task)
        if bar.total is not None and bar.completed > bar.total:  # rounds are not planned in advance
            self._progress.update(bar.id, total=bar.completed)

    def note(self, text: str) -> None:
        self._progress.console.print(text, markup=False)
