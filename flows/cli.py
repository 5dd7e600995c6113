"""`accordeur`: the command line.

Exit codes: 0 success, 1 a quality gate failed, 2 invalid input or configuration (one sentence, no
traceback unless `--debug`), 130 and 143 interrupted by SIGINT and SIGTERM.
"""

from __future__ import annotations

import gc
import io
import os
import sys
from typing import Annotated, NoReturn

import typer

from ..metrics.compiling import call_before_compiling
from .commands.on_demand import STYLE, Group
from .commands.terminal import print_line
from .engine.environment import set_environment
from .engine.interruption import end_if_interrupted, watch_signals
from .errors import error_sentence, is_user_error

BAD_INPUT = 2
_NEW_OBJECTS = 500_000  # garbage collection threshold; most imported objects are permanent

app = typer.Typer(
    name="accordeur",
    help="Measure inter-annotator agreement, and score systems against a reference.",
    epilog="`accordeur COMMAND --help` describes a command, `accordeur measures NAME` a measure "
    "and `accordeur formats` what can be read; `accordeur demo letters` makes a report to look at. "
    "Errors are one sentence; `accordeur --debug …` adds details.",
    no_args_is_help=True,
    cls=Group,
    **STYLE,
)


def _version(asked: bool) -> None:
    if asked:
        from ..metrics.signature import VERSION

        print_line(f"accordeur {VERSION}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Define options of all commands; `main` handles --debug."""


def _say_compiling() -> None:
    print_line(
        "accordeur: compiling for this machine, once after an installation: about 20 seconds "
        "(`accordeur compile` does all of it)",
        error=True,
    )


def main() -> None:
    """Prepare the process and run the command of its arguments."""
    gc.set_threshold(_NEW_OBJECTS)
    _write_utf8()
    set_environment()
    os.environ["PYTHONSAFEPATH"] = "1"  # child processes do not import from the working directory
    watch_signals()
    call_before_compiling(_say_compiling)
    try:
        run(sys.argv[1:])
    finally:
        end_if_interrupted()
        gc.freeze()  # skips a last traversal of all imported objects at exit


def _write_utf8() -> None:
    """Make files and pipes UTF-8 on every system, and let no Greek letter end a command.

    Windows gives redirected output an encoding of its country, which has no γ. A terminal keeps its
    encoding, and so does who sets PYTHONIOENCODING; what it lacks is printed as "?".
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            keeps = stream.isatty() or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(encoding=None if keeps else "utf-8", errors="replace")


def run(arguments: list[str]) -> NoReturn:
    """Run a command; user errors become one sentence on standard error and exit code 2.

    Raises SystemExit with the exit code.
    """
    try:
        app(arguments, standalone_mode=True)
    except Exception as error:
        if "--log-json" in arguments:
            from .progress.json_log import JsonLog

            sys.exit(JsonLog(sys.stderr).end_with(error))
        if "--debug" in arguments or not is_user_error(error):
            raise
        for line in error_sentence(error).split("\n"):
            print_line(f"accordeur: {line}", error=True)
        sys.exit(BAD_INPUT)
    sys.exit()


if __name__ == "__main__":
    main()
