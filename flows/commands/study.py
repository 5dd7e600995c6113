"""`accordeur study`: run a resampling study, or estimate its cost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..progress.shown import LogJson, server_and_progress
from .terminal import print_line
from .typer_options import Verbose


def study(
    file: Annotated[Path, typer.Argument(help="Study file (TOML).")],
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Print the number of tasks, core-hours and bytes without running."
        ),
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Run every trial again, even if its results are stored.")
    ] = False,
    verbose: Verbose = False,
    log_json: LogJson = False,
) -> None:
    """Run a resampling study: how much a reference changes at each level of agreement."""
    from ..study.study_config import load_study

    load_study(file)  # report an error in the file before a server starts
    file = file.resolve()
    if dry_run:
        from ..engine.private_folder import work_in_private_folder

        work_in_private_folder()  # before Prefect, which reads settings from the working directory
        from ..resampling_study import dry_run as plan_only
        from ..study.study_plan import plan_lines

        for line in plan_lines(plan_only(str(file), fresh=fresh)):
            print_line(line)
        return
    from ..engine.startup import prepare_run

    prepare_run(quiet=not verbose or log_json)
    from ..resampling_study import resampling_study

    with server_and_progress(quiet=not verbose, log_json=log_json):
        state = resampling_study(str(file), fresh, return_state=True)
        outcome: Any = state.result(raise_on_failure=False)
        if isinstance(outcome, BaseException):
            raise outcome
    print_line(f"trials: {outcome['n_run']} run, {outcome['n_kept']} kept from earlier runs")
    if outcome["set_aside"]:
        print_line(f"warning: {outcome['set_aside']}")
    print_line(f"report: {outcome['report']}")
