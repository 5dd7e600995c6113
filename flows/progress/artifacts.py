"""Artifacts of a flow run in Prefect's interface: progress, verdict, a link to the report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from httpx import HTTPError
from prefect.artifacts import (
    create_link_artifact,
    create_markdown_artifact,
    create_progress_artifact,
    update_progress_artifact,
)

from ...data.store.store import Store


class ProgressArtifact:
    """Progress of a flow run, in percent. An unreachable server does not end the run."""

    def __init__(self) -> None:
        self._id: Any = None

    def begin(self, key: str) -> None:
        """Create the artifact at 0 %."""
        with suppress(HTTPError):
            self._id = create_progress_artifact(progress=0.0, key=key)

    def update(self, percent: float, description: str) -> None:
        if self._id is not None:
            with suppress(HTTPError):
                update_progress_artifact(self._id, percent, description)


def publish_outcome(campaign: str, store: Store, outcome: Mapping[str, Any]) -> None:
    """Attach links to the report and the index, and the verdict with the gates, to the flow run.

    campaign  name of the campaign; artifacts of its runs have the same keys, so that Prefect shows
              them as one history
    """
    key = artifact_key(campaign)
    report, index = outcome["report"], outcome.get("index")
    summary = store.content(f"{outcome['folder']}/summary.md")
    with suppress(HTTPError):
        create_link_artifact(_url(report), f"Report of {campaign}", f"{key}-report", report)
        if index:
            create_link_artifact(_url(index), "All campaigns", f"{key}-index", index)
        if summary is not None:
            verdict = f"Verdict on {campaign}"
            create_markdown_artifact(summary.decode(), f"{key}-verdict", verdict)


def _url(place: str) -> str:
    return place if "://" in place else Path(place).resolve().as_uri()


def artifact_key(campaign: str) -> str:
    """Convert the campaign's name to the characters allowed in keys; `campaign` if none remains."""
    plain = re.sub("['’]", "", campaign.lower())
    return re.sub("[^a-z0-9]+", "-", plain).strip("-") or "campaign"
