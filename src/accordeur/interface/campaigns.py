"""Campaigns: run one, and open what a run wrote."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..data.errors import DataError
from .frames import Kind, frame_of

if TYPE_CHECKING:
    from ..reports.results import Results

RESULTS, VALUES, REPORT = "results.json", "values.parquet", "report.html"


@dataclass(frozen=True)
class Run:
    """What a run of a campaign wrote.

    folder  of the run: `report.html`, `results.json`, `values.parquet`, accepted tables
    """

    folder: Path

    @property
    def report(self) -> Path:
        """The page of the report."""
        return self.folder / REPORT

    @property
    def results(self) -> Results:
        """Everything that the report shows, typed: layers, gates, findings, references, scores."""
        from ..reports.results import Results

        return Results.model_validate_json((self.folder / RESULTS).read_bytes())

    @property
    def values(self) -> Any:
        """Every number of the report, a row each, as a pandas frame."""
        return self.table("values")

    def table(self, name: str, kind: Kind = "pandas") -> Any:
        """A table of the run: `values`, or an accepted one (`units`, `labels`, `rejected`, …).

        Raises DataError for a table that the run did not write.
        """
        import pyarrow.parquet as pq

        found = {one.stem: one for one in sorted(self.folder.glob("**/*.parquet"))}
        if name not in found:
            raise DataError(f"{self.folder} has no table {name!r}; there are {', '.join(found)}")
        read = pq.read_table(found[name])  # type: ignore[no-untyped-call]
        return read if kind == "pyarrow" else frame_of(read.to_pydict(), kind)

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r})"

    def _repr_html_(self) -> str:
        from html import escape

        name = escape(self.results.campaign.name)
        return f'<p>{name}: <a href="{escape(self.report.as_uri())}">report</a></p>'


def run(campaign: str | Path, *, fresh: bool = False) -> Run:
    """Run a campaign as `accordeur run` does, and open what it wrote.

    The run is a process of its own, whose progress is printed here. A failed gate is no error:
    `run(…).results.gates` says which. Raises DataError, with its sentence, where the run ended
    without a report.
    """
    command = [sys.executable, "-P", "-m", "accordeur.flows.cli", "run", str(campaign)]
    done = subprocess.run(  # noqa: S603 - our own command
        [*command, *(["--fresh"] if fresh else [])], stdout=subprocess.PIPE, text=True, check=False
    )
    for line in done.stdout.splitlines():
        _, mark, report = line.partition("report: ")
        if mark:
            return Run(Path(report).parent)
    raise DataError(f"{campaign}: the run ended without a report (exit status {done.returncode})")


def open(path: str | Path) -> Run:
    """The run whose folder, report, store or campaign file this is; of several the last one.

    Raises DataError where there is none.
    """
    place = Path(path)
    if place.suffix == ".toml":
        from ..flows.campaign.file.config import load

        url = load(place).store.url
        if "://" in url:
            raise DataError(
                f"{path}: its store is {url}; download its reports/run-NNNN and open that folder"
            )
        place = Path(url)
    if place.is_file():
        place = place.parent
    found = [place] if (place / RESULTS).is_file() else sorted(place.glob(f"**/run-*/{RESULTS}"))
    if not found:
        raise DataError(f"{path}: no run is there; run the campaign first (accordeur run)")
    return Run(found[-1] if found[-1].is_dir() else found[-1].parent)
