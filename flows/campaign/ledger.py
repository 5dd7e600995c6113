"""What a run's tasks used of the store, and what they found damaged there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...tasks.analysis import Outcome
from ...tasks.units.chance import Drawn
from ..progress.watcher import watcher


@dataclass(slots=True)
class Ledger:
    """What the tasks used of the store: the manifest is made of it.

    places     finished place → hash of its receipt
    series     folder of samples → how many of them were used
    damaged    files that were not what had been written, and were computed again
    """

    places: dict[str, str] = field(default_factory=dict)
    series: dict[str, int] = field(default_factory=dict)
    damaged: list[str] = field(default_factory=list)

    def add(self, outcomes: Sequence[Outcome | Drawn]) -> int:
        """Note what tasks left in the store; returns how many found it there."""
        for one in outcomes:
            if isinstance(one, Outcome):
                self.places[one.place] = one.receipt
            else:
                end = one.job.first + one.job.count
                self.series[one.series] = max(end, self.series.get(one.series, 0))
            new = [path for path in one.damaged if path not in self.damaged]
            self.damaged += new
            for path in new:
                watcher().note(f"damaged in the store, computed again: {path}")
        return sum(one.reused for one in outcomes)
