"""`accordeur`: the command line.

Exit codes: 0 done, 1 a quality gate failed, 2 bad input or configuration (one sentence, no
traceback unless `--debug`).
"""

from __future__ import annotations

import gc
import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from flows.commands.adjudicate import adjudicate
from flows.commands.audit import audit
from flows.commands.document import document
from flows.commands.options import Tagset, split_tagset
from flows.commands.printing import print_compared, print_estimates
from flows.commands.score import score
from flows.commands.serve import serve
from flows.commands.simulate import simulate
from flows.commands.store import store
from flows.commands.study import study
from flows.errors import is_users
from flows.progress.shown import LogJson, shown

GATE_FAILED, BAD_INPUT = 1, 2
_NEW_OBJECTS = 50_000  # between two looks for garbage; imports make far more, and all of them stay

app = typer.Typer(
    name="accordeur",
    help="Do annotators agree beyond chance, what is that value worth, and how do systems fare?",
    epilog="Documentation: README.md. Errors are one sentence; `accordeur --debug …` shows more.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


class Distance(StrEnum):
    nominal = "nominal"
    ordinal = "ordinal"
    interval = "interval"
    ratio = "ratio"


class Ties(StrEnum):
    random = "random"
    nearest_mean = "nearest_mean"
    abstain = "abstain"


class IntervalMethod(StrEnum):
    bootstrap = "bootstrap"
    analytic = "analytic"


class Schema(StrEnum):
    campaign = "campaign"
    results = "results"


Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
Count = Annotated[
    str, typer.Option(help="Column of a wide table: how many items have the row's labels.")
]
Seed = Annotated[int, typer.Option(help="Seed of every sample.")]
Replicates = Annotated[int, typer.Option(min=0, help="Bootstrap replicates; 0: no interval.")]


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


@app.command(epilog="Example: `accordeur run campaign.toml`")
def run(
    campaign: Annotated[Path, typer.Argument(help="Campaign file (TOML).")],
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Compute everything again, whatever the store holds.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show Prefect's log lines.")] = False,
    log_json: LogJson = False,
) -> None:
    """Run a campaign: read the exports, validate, measure, and write the report."""
    from flows.campaign.config import check_sources, load
    from flows.campaign.standing import last_of_the_same
    from flows.engine.startup import begin

    config = load(campaign)
    check_sources(config)  # a mistake in the file is told before a server starts
    begin(
        config.engine,
        quiet=not verbose or log_json,
        needs_workers=lambda: fresh or last_of_the_same(campaign, config) is None,
    )
    from flows.campaign_quality import campaign_quality

    with shown(quiet=not verbose, log_json=log_json):
        state = campaign_quality(str(campaign.resolve()), fresh, return_state=True)
        outcome: Any = state.result(raise_on_failure=False)
        if isinstance(outcome, BaseException):
            raise outcome
    print_outcome(outcome)
    if any(not gate["passed"] for gate in outcome["gates"]):
        raise typer.Exit(GATE_FAILED)


def print_outcome(outcome: dict[str, Any]) -> None:
    """Rows, gates and where the report is, on standard output."""
    typer.echo(
        f"rows: {outcome['rows_in']} in = {outcome['rows_accepted']} accepted + "
        f"{outcome['rows_rejected']} rejected"
    )
    for gate in outcome["gates"]:
        verdict = "passed" if gate["passed"] else "FAILED"
        value = "undefined" if gate["value"] is None else f"{gate['value']:.3f}"
        where = f" ({gate['layer']})" if gate["layer"] else ""
        why = f": {gate['reason']}" if gate["reason"] else ""
        typer.echo(
            f"gate {verdict}: {gate['measure']}{where} {value} {gate['operator']} "
            f"{gate['threshold']:g}{why}"
        )
    for alert in outcome.get("alerts", []):
        typer.echo(f"warning: {alert}")
    for line in (outcome["changes"], outcome["reuse"]):
        if line:
            typer.echo(line)
    typer.echo(f"report: {outcome['report']}")


@app.command(epilog="Example: `accordeur demo my-first-campaign`")
def demo(
    folder: Annotated[Path, typer.Argument(help="New folder for the demonstration campaign.")],
    log_json: LogJson = False,
) -> None:
    """Write the demonstration campaign into a folder and run it."""
    from flows.demo import write_demo

    campaign = write_demo(folder)
    typer.echo(f"campaign file: {campaign}")
    run(campaign, log_json=log_json)


@app.command()
def formats(json_: Json = False) -> None:
    """List the formats that sources may have."""
    from data.readers.registry import readers

    known = readers()
    if json_:
        rows = [
            {
                "format": name,
                "description": reader.DESCRIPTION,
                "patterns": list(reader.PATTERNS),
                "options": dict(reader.OPTIONS),
            }
            for name, reader in known.items()
        ]
        typer.echo(json.dumps({"formats": rows}, ensure_ascii=False, indent=1))
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.padding import Padding

    console = Console(highlight=False)
    for name, reader in known.items():
        console.print(f"[bold]{name}[/bold]  [dim]{escape(' '.join(reader.PATTERNS))}[/dim]")
        console.print(Padding(escape(reader.DESCRIPTION), (0, 0, 0, 4)))
        for key, text in reader.OPTIONS.items():
            console.print(Padding(f"[dim]{escape(key)}[/dim]: {escape(text)}", (0, 0, 0, 4)))


@app.command(epilog="Example: `accordeur agree labels.csv --distance ordinal --json`")
def agree(
    labels: Annotated[
        Path, typer.Argument(help="Table with the columns item, annotator, label [, document].")
    ],
    distance: Annotated[
        Distance, typer.Option(help="Distance between categories, for coefficients that take one.")
    ] = Distance.nominal,
    tagset: Tagset = "",
    count: Count = "",
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            help="Only this coefficient; may be repeated. An unknown name lists them all.",
        ),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(help="Second table, of the same items: differences with intervals and p."),
    ] = None,
    independent: Annotated[
        bool, typer.Option("--independent", help="The two tables share no items.")
    ] = False,
    interval: Annotated[
        IntervalMethod, typer.Option(help="Bootstrap, or from Gwet's analytic variance.")
    ] = IntervalMethod.bootstrap,
    replicates: Replicates = 1000,
    seed: Seed = 0,
    json_: Json = False,
) -> None:
    """Agreement on given items: every usual coefficient with its interval."""
    from data.errors import DataError
    from flows import quick

    if against is not None:
        if count:
            raise DataError(
                "--count makes items that have no names of their own, which no second table has: "
                "leave out --against, or give each item its row"
            )
        from flows.agree_against import agree_against

        compared = agree_against(
            labels,
            against,
            tagset=split_tagset(tagset),
            distance=distance.value,
            measures=tuple(measure or ()),
            analytic=interval is IntervalMethod.analytic,
            independent=independent,
            replicates=replicates,
            seed=seed,
        )
        print_compared(compared, as_json=json_)
        return
    estimates = quick.agree(
        labels,
        count=count,
        tagset=split_tagset(tagset),
        distance=distance.value,
        measures=tuple(measure or ()),
        analytic=interval is IntervalMethod.analytic,
        replicates=replicates,
        seed=seed,
    )
    print_estimates(estimates, json_)


@app.command(epilog="Example: `accordeur gamma units.csv --alpha 3 --json`")
def gamma(
    units: Annotated[list[Path], typer.Argument(help="Exports with units (files or folders).")],
    format: Annotated[str, typer.Option(help="Their format (`accordeur formats`).")] = "auto",
    layer: Annotated[str | None, typer.Option(help="Layer to measure, of several.")] = None,
    alpha: Annotated[float, typer.Option(min=0, help="Weight of position.")] = 1.0,
    beta: Annotated[float, typer.Option(min=0, help="Weight of category.")] = 1.0,
    process: Annotated[
        list[str] | None,
        typer.Option(
            "--process",
            help="random1, random2, shuffle or statistical; may be repeated. Default: random2 from "
            "five documents on, else shuffle and statistical.",
        ),
    ] = None,
    precision: Annotated[
        float, typer.Option(help="Relative precision of the expected disorder.")
    ] = 0.01,
    replicates: Replicates = 1000,
    seed: Seed = 0,
    json_: Json = False,
) -> None:
    """Agreement on units that annotators located themselves: γ with an exact alignment."""
    from flows import quick

    estimates = quick.gamma(
        units,
        format=format,
        layer=layer,
        alpha=alpha,
        beta=beta,
        precision=precision,
        processes=tuple(process or ()),
        replicates=replicates,
        seed=seed,
    )
    print_estimates(estimates, json_)


@app.command(epilog="Example: `accordeur resample labels.csv --ties abstain`")
def resample(
    labels: Annotated[
        Path, typer.Argument(help="Table with the columns item, annotator, label [, document].")
    ],
    ties: Annotated[Ties, typer.Option(help="What a tied majority becomes.")] = Ties.random,
    tagset: Tagset = "",
    count: Count = "",
    seed: Seed = 0,
    json_: Json = False,
) -> None:
    """How much of the majority reference changes with k of the n annotators: M(k), exactly."""
    from flows import quick

    estimates = quick.resample(
        labels, count=count, tagset=split_tagset(tagset), ties=ties.value, seed=seed
    )
    print_estimates(estimates, json_)


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
