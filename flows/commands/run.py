"""`accordeur run`: run a campaign from its exports to its report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...reports.cell_texts import value_text
from ...tasks.wording import gate_line
from ..progress.shown import LogJson, server_and_progress
from .terminal import print_line
from .typer_options import Verbose

if TYPE_CHECKING:
    from ...data.store.store import Store

GATE_FAILED = {"error": 1, "critical": 3}
"""Exit status by the severity of a gate that fails the run; the highest counts."""


def run(
    campaign: Annotated[Path, typer.Argument(help="Campaign file (TOML).")],
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Compute everything again, even if results are stored.")
    ] = False,
    summary: Annotated[
        Path | None,
        typer.Option(
            help="File to write gates and values to as Markdown, such as $GITHUB_STEP_SUMMARY."
        ),
    ] = None,
    junit: Annotated[
        Path | None,
        typer.Option(help="File to write the gates to as JUnit XML, one test case per gate."),
    ] = None,
    data_docs: Annotated[
        Path | None,
        typer.Option(help="Folder to write the validation to as Data Docs of Great Expectations."),
    ] = None,
    verbose: Verbose = False,
    log_json: LogJson = False,
) -> None:
    """Run a campaign: read the exports, validate, measure, and write the report."""
    from ...data.store.store import open_store
    from ..campaign.file.campaign_config import load_campaign
    from ..campaign.file.declared import require_runnable
    from ..campaign.file.fetched_sources import fetch_sources
    from ..engine.startup import import_stages, prepare_run

    config = load_campaign(campaign)
    fetch_sources(config)
    require_runnable(config, campaign)  # report an error in the file before a server starts
    open_store(config.store.url, campaign)
    campaign = campaign.resolve()
    summary, junit = summary and summary.resolve(), junit and junit.resolve()
    data_docs = data_docs and data_docs.resolve()

    prepare_run(quiet=not verbose or log_json)
    from ...data.store.store import Store
    from ...tasks.reporting.junit import junit_xml
    from ..campaign.earlier.unchanged_run import since_last_run
    from ..campaign.size import is_small
    from ..campaign_quality import campaign_quality

    small, is_local = is_small(config), config.engine.dask == "local"
    since = None if fresh else since_last_run(campaign, config)
    if (small or is_local) and (since is None or since.changed):
        import_stages(in_workers=not small, validates=since is None)
    with server_and_progress(quiet=not verbose, log_json=log_json):
        state = campaign_quality(str(campaign), fresh, return_state=True)
        outcome: Any = state.result(raise_on_failure=False)
        if isinstance(outcome, BaseException):
            raise outcome
    print_outcome(outcome)
    if summary is not None:
        _write_summary(summary, Store(config.store.url), outcome)
    if junit is not None:
        junit.write_bytes(junit_xml(config.campaign.name, outcome["gates"]))
    if data_docs is not None:
        print_line(f"data docs: {_write_data_docs(data_docs, Store(config.store.url), outcome)}")
    judged = (*outcome["gates"], *outcome["missing_work"])
    failing = {one.get("severity", "error") for one in judged if one["fails_run"]}
    if failing:
        raise typer.Exit(max(GATE_FAILED[one] for one in failing))


def _write_summary(to: Path, store: Store, outcome: Mapping[str, Any]) -> None:
    """Write the summary that is stored beside the report, and the location of the report."""
    content = (store.content(f"{outcome['folder']}/summary.md") or b"").decode()
    to.write_text(f"{content}\nReport: `{outcome['report']}`\n", encoding="utf-8")


def _write_data_docs(to: Path, store: Store, outcome: Mapping[str, Any]) -> Path:
    from ...data.validation.data_docs import write_data_docs
    from ...tasks.reporting.validation_result import FILE

    folder = outcome["folder"]
    return write_data_docs(store.read_bytes(f"{folder}/{FILE}"), folder.rpartition("/")[2], to)


def print_outcome(outcome: dict[str, Any]) -> None:
    """Print rows, main values, gates and the location of the report."""
    print_line(outcome["account"])
    for line in (*main_values(outcome["main"]), *outcome.get("scores", [])):
        print_line(line)
    for gate in outcome["gates"]:
        print_line(gate_line(gate))
    if outcome.get("cause"):
        print_line(outcome["cause"])
    for one in outcome.get("missing_work", []):
        owner = f" (owner {one['owner']})" if one["owner"] else ""
        print_line(f"missing{owner}: {one['sentence']}")
    for alert in outcome.get("alerts", []):
        print_line(f"warning: {alert}")
    for line in (*outcome.get("decisions", []), *outcome["changes"], outcome["reuse"]):
        print_line(line)
    print_line(f"report: {outcome['report']}")
    if outcome.get("index"):
        print_line(f"index: {outcome['index']}")


def main_values(values: Sequence[Mapping[str, Any]]) -> list[str]:
    """Format the first value of each layer, which is shown at the top of the report."""
    first = {value["layer"]: value for value in reversed(values)}
    return [
        f"{one['measure']} ({layer}): {_value_text(one)}"
        for layer, one in sorted(first.items(), key=lambda named: values.index(named[1]))
    ]


def _value_text(value: Mapping[str, Any]) -> str:
    if value["value"] is None:
        return f"undefined ({value['reason']})"
    bounds = [math.nan if bound is None else bound for bound in value["interval"]]
    return value_text(value["value"], (bounds[0], bounds[1]))
