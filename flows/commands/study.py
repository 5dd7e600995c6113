"""`accordeur study`: run a resampling study, plan it, keep it as a bundle, run it again."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from ...data.errors import DataError
from ...data.store.store import Store
from ..progress.shown import LogJson, server_and_progress
from .terminal import print_line
from .typer_options import Verbose

_MOST_SHOWN = 20


def study(
    file: Annotated[
        Path, typer.Argument(help="Study file (TOML); with --rerun the folder of a bundle.")
    ],
    to: Annotated[
        Path | None,
        typer.Option(
            help="New folder for the study as a bundle: study file, page, points, figures, "
            "references."
        ),
    ] = None,
    rerun: Annotated[
        bool,
        typer.Option(
            "--rerun", help="Run the study of a bundle again, and compare every point with it."
        ),
    ] = False,
    data: Annotated[
        list[Path] | None,
        typer.Option(help="Files in place of those that the study file names under [data]."),
    ] = None,
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

    if rerun:
        _rerun(file.resolve(), data or [], verbose=verbose, log_json=log_json)
        return
    load_study(file, data=data or ())  # report an error in the file before a server starts
    file, files = file.resolve(), tuple(str(one.resolve()) for one in data or ())
    if dry_run:
        from ..engine.private_folder import work_in_private_folder

        work_in_private_folder()  # before Prefect, which reads settings from the working directory
        from ..resampling_study import dry_run as plan_only
        from ..study.study_plan import plan_lines

        for line in plan_lines(plan_only(str(file), fresh=fresh, data=files)):
            print_line(line)
        return
    if to is not None:
        from ..study.study_bundle import check_target

        to = to.resolve()
        check_target(to)
    outcome = _run(file, files, fresh=fresh, verbose=verbose, log_json=log_json)
    print_line(f"trials: {outcome['n_run']} run, {outcome['n_kept']} kept from earlier runs")
    if outcome["set_aside"]:
        print_line(f"warning: {outcome['set_aside']}")
    print_line(f"report: {outcome['report']}")
    if to is not None:
        from ..study.study_bundle import write_bundle

        store = Store(load_study(file).store.url)
        if not write_bundle(to, file, store, outcome["folder"]):
            print_line("figures: none, because matplotlib is missing: pip install matplotlib")
        print_line(f"bundle: {to}")


def _run(
    file: Path, data: tuple[str, ...], *, store: str = "", fresh: bool = False, verbose: bool,
    log_json: bool,
) -> dict[str, Any]:  # fmt: skip
    from ..engine.startup import prepare_run

    prepare_run(quiet=not verbose or log_json)
    from ..resampling_study import resampling_study

    with server_and_progress(quiet=not verbose, log_json=log_json):
        state = resampling_study(str(file), fresh, data, store, return_state=True)
        outcome: Any = state.result(raise_on_failure=False)
        if isinstance(outcome, BaseException):
            raise outcome
    found: dict[str, Any] = outcome
    return found


def _rerun(bundle: Path, data: list[Path], *, verbose: bool, log_json: bool) -> None:
    """Run a bundle's study in a store of its own, and print what is equal and what is not."""
    from ..study.study_bundle import (
        STUDY_FILE,
        compare_with_bundle,
        needs_data,
        read_study_results,
        stored_points,
    )

    read_study_results(bundle)  # before anything runs
    wanted = needs_data(bundle)
    if wanted and not data:
        raise DataError(f"this study reads {', '.join(wanted)}: name the same data with --data")
    files = tuple(str(one.resolve()) for one in data)
    with tempfile.TemporaryDirectory(prefix="accordeur-study-") as store:
        outcome = _run(bundle / STUDY_FILE, files, store=store, verbose=verbose, log_json=log_json)
        again = read_study_results(Path(store) / outcome["folder"])
        points = stored_points(Store(store), outcome["folder"])
        found = compare_with_bundle(bundle, again, points)
    for line in (*found.changed, *found.differences[:_MOST_SHOWN]):
        print_line(f"differs: {line}")
    if len(found.differences) > _MOST_SHOWN:
        print_line(f"differs: {len(found.differences) - _MOST_SHOWN} more")
    for name, (published, here) in found.versions.items():
        print_line(f"version: {name} was {published or 'absent'}, is {here or 'absent'} here")
    if not found.holds:
        raise typer.Exit(1)
    if found.first:
        print_line(f"first difference: {found.first}")
    how = "byte for byte" if found.is_same else "to 1e-12"
    print_line(f"reproduced: {found.n_points} points, equal {how}")
