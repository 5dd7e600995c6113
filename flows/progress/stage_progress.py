"""Progress of a stage, and its estimated remaining time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class StageProgress:
    """Completed tasks of a stage, shown in Prefect's interface and structured logs."""

    name: str
    n_tasks: int
    clock: Callable[[], float] = time.monotonic
    n_done: int = 0
    started: float = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.clock()

    def expect(self, n_more: int) -> None:
        """Increase the total for tasks that were not planned."""
        self.n_tasks = max(self.n_tasks, self.n_done + n_more)

    @property
    def share(self) -> float:
        """Share of the stage's tasks that are done, 0..1."""
        return self.n_done / self.n_tasks if self.n_tasks else 0.0

    def seconds_left(self) -> float | None:
        """Estimated remaining time; None before the first task is done."""
        if not self.n_done:
            return None
        return (self.clock() - self.started) / self.n_done * (self.n_tasks - self.n_done)

    def __str__(self) -> str:
        left = self.seconds_left()
        said = f"{self.name}: {self.n_done} of {self.n_tasks} tasks"
        return said if left is None else f"{said}, about {duration_in_words(left)} left"


def duration_in_words(seconds: float) -> str:
    """Format a duration: 40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
