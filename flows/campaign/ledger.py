"""Record of the stored files that a run's tasks used or found damaged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...tasks.node import Outcome
from ...tasks.units.chance import Drawn
from ..progress.watcher import watcher


@dataclass(slots=True)
class Ledger:
    """Stored files that the tasks used, from which the manifest is made.

    places   complete place → hash of its receipt
    series   folder of samples → number of samples used
    files    further files that the run used
    damaged  files whose content had changed since they were written; they were recomputed
    """

    places: dict[str, str] = field(default_factory=dict)
    series: dict[str, int] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    def add(self, outcomes: Sequence[Outcome | Drawn]) -> tuple[int, int]:
        """Record the outcomes of tasks; return the number of parts and of those reused."""
        n_parts = n_reused = 0
        for one in outcomes:
            parts: Sequence[Outcome | Drawn] = [one]
            if isinstance(one, Outcome):
                self.places[one.place] = one.receipt
                parts = one.parts or parts
            else:
                end = one.job.first + one.job.count
                self.series[one.series] = max(end, self.series.get(one.series, 0))
            n_parts += len(parts)
            n_reused += sum(part.reused for part in parts)
            new = [path for path in one.damaged if path not in self.damaged]
            self.damaged += new
            for path in new:
                watcher().note(f"damaged in the store, computed again: {path}")
        return n_parts, n_reused
