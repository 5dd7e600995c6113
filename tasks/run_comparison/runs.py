"""A finished run as input of `accordeur compare`."""

from __future__ import annotations

from dataclasses import dataclass

from ...data.store.store import Store
from ...reports.portfolio.portfolio_results import ComparedRun
from ...reports.results import Results


@dataclass(frozen=True, slots=True)
class RunToCompare:
    """A finished run: its results and metadata, and their location."""

    name: str
    store: Store
    folder: str
    results: Results
    number: int = 0  # 0 for a run outside a store

    def described(self) -> ComparedRun:
        return ComparedRun(
            name=self.name,
            number=self.number,
            started=self.results.run.started,
            version=self.results.run.version,
            report=self.store.location(f"{self.folder}/report.html"),
        )
