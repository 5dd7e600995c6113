"""`accordeur demo`: demonstrations on data of their own, each in a new folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from ..demo import write_demo, write_judge_demo
from ..progress.shown import LogJson
from .terminal import print_line


def demo(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME] FOLDER",
            help="`judge`: check a model judge, in seconds. Otherwise the new folder for the "
            "demonstration campaign.",
        ),
    ],
    folder: Annotated[Path | None, typer.Argument(hidden=True)] = None,
    log_json: LogJson = False,
) -> None:
    """Write a demonstration into a folder and run it: a campaign, or `judge`."""
    if name in DEMONSTRATIONS:
        DEMONSTRATIONS[name](folder or Path(f"demo-{name}"))
        return
    if folder is not None:
        raise typer.BadParameter(f"no demonstration {name}; there is {', '.join(DEMONSTRATIONS)}")
    from .run import run

    campaign = write_demo(Path(name))
    print_line(f"campaign file: {campaign}")
    run(campaign, log_json=log_json)


def _judge(folder: Path) -> None:
    """Check a judge by bars; its verdict is the point of the demonstration, not the exit status."""
    from ...tasks.inputs.assessment_options import JudgeOptions
    from ...tasks.inputs.reading_options import Columns, Reading
    from .judge import judge

    labels, bars = write_judge_demo(folder)
    humans = ("ann", "ben", "cat")
    named = " ".join(f"--human {name}" for name in humans)
    print_line(f"accordeur judge {labels} --judge gpt {named} --bars {bars}")
    options = JudgeOptions(humans=humans, bars=str(bars))
    with suppress(typer.Exit):
        judge([labels], judge=["gpt"], reading=Reading(), columns=Columns(), options=options)


DEMONSTRATIONS: Mapping[str, Callable[[Path], None]] = {"judge": _judge}
