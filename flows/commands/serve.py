"""`accordeur serve`: runs on a schedule or when exports arrive, in one process."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from ..errors import UserError
from ..progress.shown import LogJson
from .terminal import print_line


def serve(
    file: Annotated[Path, typer.Argument(help="Campaign file, or study file with --study.")],
    cron: Annotated[
        str, typer.Option(help="When to run: minute hour day month weekday, such as '0 6 * * 1'.")
    ] = "",
    timezone: Annotated[str, typer.Option(help="Time zone of --cron.")] = "UTC",
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Run whenever the exports have changed and are complete."),
    ] = False,
    look_every: Annotated[
        float, typer.Option(min=1, help="Seconds between checks of the exports, with --watch.")
    ] = 30.0,
    study: Annotated[bool, typer.Option("--study", help="Serve the resampling study.")] = False,
    audit: Annotated[bool, typer.Option("--audit", help="Serve the release audit.")] = False,
    next_: Annotated[
        bool,
        typer.Option("--next", help="After each run, write the queue of the next round ([next])."),
    ] = False,
    to: Annotated[
        Path | None,
        typer.Option(
            help="Write the deployments for a Prefect server with workers to this file, such as "
            "prefect.yaml, instead of serving."
        ),
    ] = None,
    log_json: LogJson = False,
) -> None:
    """Serve a campaign until interrupted: runs on a schedule, when exports arrive, or both."""
    if next_ and (study or audit):
        raise UserError("--next applies to campaigns only: remove --study or --audit")
    if study and (audit or watch):
        raise UserError(
            "--study works only with --cron: a study has no exports to watch or release"
        )
    if to is not None and (audit or next_ or watch):
        raise UserError(
            "--to writes a deployment for each flow: remove --audit, --next and --watch"
        )
    file = file.resolve()
    index, trigger = "", None
    if study:
        from ..study.study_config import load_study

        name = load_study(file).study.name
    else:
        from ..campaign.file.campaign_config import load_campaign
        from ..campaign.file.declared import require_runnable
        from ..campaign.file.fetched_sources import fetch_sources

        config = load_campaign(file)
        fetch_sources(config)
        require_runnable(config, file)
        name, index = config.campaign.name, config.report.index
        if config.trigger.webhook and to is None:
            trigger = (config.trigger.webhook, config.trigger.token)
    if to is None and not (cron or watch or trigger):
        raise UserError(
            "say when to run: --cron '0 6 * * 1', --watch, or a webhook under [trigger]"
        )
    if to is not None:
        _write_deployments(to, file, name, is_study=study, cron=cron, timezone=timezone)
        return
    from ..engine.startup import prepare_run

    prepare_run(quiet=False, scheduler=True)
    from ..progress.artifacts import artifact_key
    from ..progress.flow_runs import campaign_tag, study_tag
    from ..progress.json_log import json_log, request_json_of_served_runs
    from ..schedule.serving import cron_schedule, scheduling_server, serve_flow

    schedule = cron_schedule(cron, timezone) if cron else None
    with json_log() if log_json else nullcontext(), scheduling_server() as url:
        if log_json:
            request_json_of_served_runs()
        served = _flow_to_serve(study=study, audit=audit, next_=next_)
        print_line(f"serving {served.name!r} of {file.name}; Prefect: {url.removesuffix('/api')}")
        when = [
            f"runs at {cron} ({timezone})" if cron else "",
            "runs when exports change" if watch else "",
            f"runs when told by a POST to {trigger[0]}" if trigger else "",
        ]
        print_line("; ".join([*filter(None, when), "interrupt (Ctrl-C) to stop"]))
        if index:
            print_line(f"index of campaigns: {index}")
        serve_flow(
            served,
            file,
            {"study" if study else "campaign": str(file)},
            name=artifact_key(name),
            schedule=schedule,
            watch_seconds=look_every if watch else None,
            webhook=trigger,
            tags=[study_tag(name) if study else campaign_tag(name)],
        )


def _write_deployments(
    to: Path, file: Path, name: str, *, is_study: bool, cron: str, timezone: str
) -> None:
    to = to.resolve()
    from ..engine.private_folder import work_in_private_folder

    work_in_private_folder()  # before Prefect, which reads settings from the working directory
    from ..schedule.deployments import POOL, write_deployments
    from ..schedule.serving import cron_schedule

    cron_schedule(cron or "0 0 * * *", timezone)
    names = write_deployments(to, file, name, is_study=is_study, cron=cron, timezone=timezone)
    print_line(f"{to}: {', '.join(names)}")
    print_line(f"prefect work-pool create {POOL} --type process")
    print_line(f"prefect --no-prompt deploy --all --prefect-file {quote(str(to))}")
    print_line(f"prefect worker start --pool {POOL}")


def _flow_to_serve(*, study: bool, audit: bool, next_: bool) -> Any:
    if study:
        from ..resampling_study import resampling_study

        return resampling_study
    if audit:
        from ..release_audit import release_audit

        return release_audit
    if next_:
        from ..next_round import next_round

        return next_round
    from ..campaign_quality import campaign_quality

    return campaign_quality
