"""`accordeur demo`: demonstrations on data of their own, each in a new folder."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from ..demo import write_crowd_demo, write_demo, write_judge_demo, write_rank_demo
from ..progress.shown import LogJson
from .terminal import print_line


def demo(
    name: Annotated[
        str,
        typer.Argument(
            help="`letters`: a campaign with its report; `crowd`: labels of many workers, by "
            "topic; `judge`: a model judge beside humans; `rank`: systems by preferences. The last "
            "three take seconds."
        ),
    ],
    folder: Annotated[
        Path | None, typer.Argument(help="New folder for its files. Default: the name.")
    ] = None,
    log_json: LogJson = False,
) -> None:
    """Write a demonstration into a folder and run it."""
    if name not in DEMONSTRATIONS:
        known = ", ".join(DEMONSTRATIONS)
        raise typer.BadParameter(
            f"no demonstration {name!r}; there are {known}, as in `demo letters`"
        )
    from .on_demand import OnDemand

    command, *given = DEMONSTRATIONS[name](folder or Path(name))
    print_line(f"accordeur {shlex.join([command, *given])}")
    options = ["--log-json"] if log_json and command == "run" else []
    # its exit status is a verdict on the data, and no failure of the demonstration
    OnDemand()[command].main([*given, *options], f"accordeur {command}", standalone_mode=False)


DEMONSTRATIONS: Mapping[str, Callable[[Path], list[str]]] = {
    "letters": lambda folder: ["run", str(write_demo(folder))],
    "crowd": write_crowd_demo,
    "judge": write_judge_demo,
    "rank": write_rank_demo,
}
