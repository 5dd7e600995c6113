"""`accordeur`: the command line.

Exit codes: 0 done, 1 a quality gate failed, 2 bad input or configuration (one sentence, no
traceback unless `--debug`).
"""

from __future__ import annotations

import gc
import json
import sys
from enum import StrEnum
from typing import Annotated

import typer

from flows.commands.adjudicate import adjudicate
from flows.commands.audit import audit
from flows.commands.document import document
from flows.commands.formats import formats
from flows.commands.quick import agree, gamma, resample
from flows.commands.run import demo, run
from flows.commands.score import score
from flows.commands.serve import serve
from flows.commands.simulate import simulate
from flows.commands.store import store
from flows.commands.study import study
from flows.errors import is_users

BAD_INPUT = 2
_NEW_OBJECTS = 500_000  # between two looks for garbage; imports make many, and all of them stay

app = typer.Typer(
    name="accordeur",
    help="Do annotators agree beyond chance, what is that value worth, and how do systems fare?",
    epilog="Documentation: README.md. Errors are one sentence; `accordeur --debug …` shows more.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


class Schema(StrEnum):
    campaign = "campaign"
    results = "results"


def _version(asked: bool) -> None:
    if asked:
        from metrics.signature import VERSION

        typer.echo(f"accordeur {VERSION}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options of every command; `main` looks at --debug itself."""


app.command(epilog="Example: `accordeur run campaign.toml`")(run)
app.command(epilog="Example: `accordeur demo my-first-campaign`")(demo)
app.command()(formats)
app.command(epilog="Example: `accordeur agree labels.csv --distance ordinal --json`")(agree)
app.command(epilog="Example: `accordeur gamma units.csv --alpha 3 --json`")(gamma)
app.command(epilog="Example: `accordeur resample labels.csv --ties abstain`")(resample)


@app.command()
def schema(what: Annotated[Schema, typer.Argument(help="Which file's schema.")]) -> None:
    """Print the JSON schema of the campaign file or of results.json."""
    from flows.campaign.config import Config
    from reports.results import Results

    model = Config if what is Schema.campaign else Results
    typer.echo(json.dumps(model.model_json_schema(), ensure_ascii=False, indent=1))


@app.command()
def compile() -> None:
    """Compile every kernel once, so that later commands answer from the cache."""
    from flows.engine.kernels import compile_all

    compile_all()


app.command(epilog="Example: `accordeur audit campaign.toml --to release`")(audit)
app.command(epilog="Example: `accordeur adjudicate campaign.toml open.csv`")(adjudicate)
app.command(epilog="Example: `accordeur document campaign.toml 08-telegram`")(document)
app.command(epilog="Example: `accordeur score --reference gold.csv --system tagger.csv`")(score)
app.command(epilog="Example: `accordeur store campaign.toml --check`")(store)
app.command(epilog="Example: `accordeur study study.toml --dry-run`")(study)
app.command(epilog="Example: `accordeur serve campaign.toml --cron '0 6 * * 1'`")(serve)
app.command(epilog="Example: `accordeur simulate prevalence --labels labels.csv`")(simulate)


def main() -> None:
    """Run the command; user errors become one sentence on standard error and exit code 2."""
    arguments = sys.argv[1:]
    debug = "--debug" in arguments
    gc.set_threshold(_NEW_OBJECTS)
    try:
        from flows.engine.installation import check_one_root

        check_one_root()
        app(standalone_mode=True)
    except Exception as error:
        if "--log-json" in arguments:
            from flows.progress.json_log import JsonLog

            sys.exit(JsonLog(sys.stderr).end_with(error))
        if debug or not is_users(error):
            raise
        for line in str(error).splitlines():
            typer.echo(f"accordeur: {line}", err=True)
        sys.exit(BAD_INPUT)
    finally:
        gc.freeze()  # else the interpreter goes through all that was imported once more, to end


if __name__ == "__main__":
    main()
