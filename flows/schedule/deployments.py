"""The deployments of a campaign or a study for a Prefect server, as a `prefect.yaml`.

The file needs no checkout: workers import the flows from the installed package, and paths are
those of the campaign or study file. That of the repository is written from the same declarations,
for the files that two environment variables name. Values are JSON, which YAML includes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from ...data.errors import DataError
from ..engine.environment import VARIABLES
from ..progress.artifacts import artifact_key
from ..progress.flow_runs import campaign_tag, study_tag

POOL = "accordeur"
WEEKLY = "0 6 * * 1"
_FLOWS = "accordeur.flows"
_HEAD = f"""\
# Deployments of {{file}} for a Prefect server and a process work pool:
#   prefect work-pool create {POOL} --type process
#   prefect --no-prompt deploy --all --prefect-file {{written}}
#   prefect worker start --pool {POOL}
# The worker needs an environment in which Accordeur is installed; no checkout is pulled.
"""
_OF_VARIABLES = """\
# `accordeur serve FILE --to prefect.yaml` writes this for one campaign or study, with its path.
# ACCORDEUR_CAMPAIGN and ACCORDEUR_STUDY are read when a deployment is made, not when it runs.
"""


@dataclass(frozen=True, slots=True)
class Deployment:
    """A deployment of one flow; `schedule` is Prefect's, `active` whether it starts resumed.

    entrypoint  the flow, below `accordeur.flows`
    parameters  of the flow, in addition to the campaign or study file
    """

    name: str
    entrypoint: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    schedule: Mapping[str, Any] = field(default_factory=dict)
    active: bool = False


def _named(key: str, name: str) -> str:
    return f"{key}-{name}" if key else name


def deployments_of_campaign(key: str, cron: str, timezone: str) -> list[Deployment]:
    """Return the deployments of a campaign; `key` is its name in their names."""
    return [
        Deployment(
            _named(key, "weekly"),
            "campaign_quality.campaign_quality",
            "Read the exports, validate, measure, and write the report.",
            schedule={"cron": cron or WEEKLY, "timezone": timezone},
            active=True,
        ),
        Deployment(
            _named(key, "arrivals"),
            "watch.watch_exports",
            "Start the weekly deployment when the exports have changed and are stable.",
            parameters={"deployment": f"campaign quality/{_named(key, 'weekly')}"},
            schedule={"interval": 600},
        ),
        Deployment(
            _named(key, "next"),
            "next_round.next_round",
            "Measure, then write what to annotate next, unless the targets of [next] are reached.",
            schedule={"cron": "0 7 * * 1", "timezone": timezone},
        ),
        Deployment(
            _named(key, "release"),
            "release_audit.release_audit",
            "Measure again and bundle everything to publish; started by hand.",
        ),
        Deployment(
            _named(key, "prevalence"),
            "simulations.simulation",
            "The last run's coefficients if a category were rarer; started by hand.",
            parameters={"experiment": "prevalence"},
        ),
    ]


def deployments_of_study(key: str, cron: str, timezone: str) -> list[Deployment]:
    """Return the deployment of a study; `key` is its name in the deployment's name."""
    return [
        Deployment(
            _named(key, "monthly"),
            "resampling_study.resampling_study",
            "Run the trials of the study that its store does not have.",
            schedule={"cron": cron or "0 2 1 * *", "timezone": timezone},
            active=bool(cron),
        )
    ]


def write_deployments(
    to: Path, file: Path, name: str, *, is_study: bool, cron: str, timezone: str
) -> list[str]:
    """Write the deployments of a campaign or study file, and return their names.

    name  of the campaign or study

    Raises DataError if the file exists.
    """
    key = artifact_key(name)
    kind = "study" if is_study else "campaign"
    made = (deployments_of_study if is_study else deployments_of_campaign)(key, cron, timezone)
    tag = study_tag(name) if is_study else campaign_tag(name)
    head = _HEAD.format(file=file.name, written=quote(to.name))
    lines = [line for one in made for line in _lines_of(one, {kind: str(file)}, [tag])]
    try:
        with to.open("x", encoding="utf-8") as written:
            written.write(_deployment_file_text(head, lines))
    except FileExistsError:
        raise DataError(f"{to}: exists already; delete it, or give another file") from None
    return [one.name for one in made]


def deployments_of_repository() -> str:
    """Return the text of the repository's `prefect.yaml`."""
    lines = [
        line
        for kind, made in (
            ("campaign", deployments_of_campaign("", WEEKLY, "UTC")),
            ("study", deployments_of_study("", "", "UTC")),
        )
        for one in made
        for line in _lines_of(one, {kind: f"{{{{ $ACCORDEUR_{kind.upper()} }}}}"}, [])
    ]
    head = _HEAD.format(file="a campaign and a study", written="prefect.yaml")
    return _deployment_file_text(head + _OF_VARIABLES, lines)


def _deployment_file_text(head: str, deployments: Sequence[str]) -> str:
    return "\n".join([head, f"name: {POOL}", "pull: []", "deployments:", *deployments, ""])


def _lines_of(one: Deployment, of: Mapping[str, str], tags: Sequence[str]) -> Iterator[str]:
    schedules = [{**one.schedule, "active": one.active}] if one.schedule else []
    described: dict[str, Any] = {
        "name": one.name,
        "description": one.description,
        "tags": tags,
        "entrypoint": f"{_FLOWS}.{one.entrypoint}",
        "parameters": {**of, **one.parameters},
        "schedules": schedules,
        "concurrency_limit": {"limit": 1, "collision_strategy": "ENQUEUE"},
        "work_pool": {"name": POOL, "job_variables": {"env": VARIABLES}},
    }
    for number, (key, value) in enumerate(described.items()):
        yield f"{'    ' if number else '  - '}{key}: {json.dumps(value, ensure_ascii=False)}"
