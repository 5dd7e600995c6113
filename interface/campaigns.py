"""Campaigns: run one, and open the results of a run."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..data.errors import DataError
from .frames import Kind, make_frame

if TYPE_CHECKING:
    from ..reports.results import Results
    from .judges import JudgeCheck
    from .rankings import SystemRanking

RESULTS, REPORT, REPORTS = "results.json", "report.html", "reports"


class Run:
    """Results of a run of a campaign: its report, its values and its tables.

    Parameters
    ----------
    store
        A folder, or the URL of an object store.
    path
        Path of the run in the store.
    """

    def __init__(self, store: str, path: str = "") -> None:
        from ..data.store.store import Store

        self._store, self._path = Store(store), path

    @property
    def folder(self) -> str:
        """Location of the run: a folder, or the URL in an object store."""
        return self._store.location(self._path).rstrip("/")

    @property
    def report(self) -> str:
        """Location of the report page."""
        return f"{self.folder}/{REPORT}"

    @cached_property
    def results(self) -> Results:
        """All results in the report, typed: layers, gates, findings, references, scores."""
        from ..reports.results import Results

        return Results.model_validate_json(self._store.read_bytes(self._path_within(RESULTS)))

    @cached_property
    def judges(self) -> dict[str, JudgeCheck]:
        """Layer → check of its judges against the humans; {} without the section [judges]."""
        from ..reports.results.judges import FILE, JudgeReports
        from .judges import JudgeCheck

        path = self._path_within(FILE)
        if not self._store.exists(path):
            return {}
        found = JudgeReports.model_validate_json(self._store.read_bytes(path)).candidates
        return {one.layer: JudgeCheck(one) for one in found}

    @cached_property
    def ranking(self) -> SystemRanking | None:
        """The ranking of systems from preferences; None without the section [ranking]."""
        from ..reports.results.ranking import FILE, RankingReport
        from .rankings import SystemRanking

        path = self._path_within(FILE)
        if not self._store.exists(path):
            return None
        return SystemRanking(RankingReport.model_validate_json(self._store.read_bytes(path)))

    @property
    def values(self) -> Any:
        """All values of the report as a pandas frame, one row per value."""
        return self.table("values")

    def table(self, name: str, kind: Kind = "pandas") -> Any:
        """Return a table of the run: `values`, or accepted rows (`units`, `labels`, `rejected`, …).

        Raises DataError for a table that the run did not write.
        """
        files = (one for one in self._store.list(self._path) if one.endswith(".parquet"))
        found = {Path(one).stem: one for one in files}
        if name not in found:
            raise DataError(
                f"{self.folder} has no table {name!r}; its tables are {', '.join(found)}"
            )
        read = self._store.read_table(found[name])
        return read if kind == "pyarrow" else make_frame(read.to_pydict(), kind)

    def _path_within(self, name: str) -> str:
        return f"{self._path}/{name}".lstrip("/")

    def __repr__(self) -> str:
        return f"Run({self.folder!r})"

    def _repr_html_(self) -> str:
        from html import escape

        report = self.report if "://" in self.report else Path(self.report).as_uri()
        return f'<p>{escape(self.results.campaign.name)}: <a href="{escape(report)}">report</a></p>'


def run(campaign: str | Path, *, fresh: bool = False) -> Run:
    """Run a campaign as `accordeur run` does, and open its results.

    The run is a separate process, whose progress is printed here. A failed gate does not raise an
    error; see `run(…).results.gates`. Raises DataError, with the error message of the run, if it
    ended without a report.
    """
    command = [sys.executable, "-P", "-m", "accordeur.flows.cli", "run", str(campaign)]
    done = subprocess.run(  # noqa: S603 - our own command
        [*command, *(["--fresh"] if fresh else [])], stdout=subprocess.PIPE, text=True, check=False
    )
    for line in done.stdout.splitlines():
        _, mark, report = line.partition("report: ")
        if mark:
            return open_run(campaign) if "://" in report else Run(str(Path(report).parent))
    raise DataError(f"{campaign}: the run ended without a report (exit status {done.returncode})")


def open_run(path: str | Path) -> Run:
    """Open a run by its folder, its report, its store or its campaign file.

    A store or a campaign file gives its last run. A store may be the URL of an object store. Raises
    DataError if there is no run.
    """
    place = str(path)
    if place.endswith(".toml"):
        from ..flows.campaign.file.campaign_config import load_campaign

        place = load_campaign(Path(place)).store.url
    elif Path(place).is_file():
        place = str(Path(place).parent)
    from ..data.store.store import Store

    store = Store(place)
    if store.exists(RESULTS):
        return Run(place)
    found = [
        one.removesuffix(f"/{RESULTS}")
        for one in store.list(REPORTS) or store.list("")
        if re.search(rf"(^|/)run-[^/]+/{RESULTS}$", one)
    ]
    if not found:
        raise DataError(f"{path}: no run found; run the campaign first (accordeur run)")
    return Run(place, found[-1])
